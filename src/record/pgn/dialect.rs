use crate::record::Format;
use crate::shogi::notation::san::{SanStyle, parse_san, to_san};
use crate::shogi::notation::western::{Style, parse_western, to_western};
use crate::shogi::{Color, Move, Position};

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Notation {
    /// `P-6d`
    Western,
    /// `Pa3`
    San(SanStyle),
}

impl Notation {
    pub fn write(self, position: &Position, mv: Move) -> String {
        match self {
            Notation::Western => to_western(position, mv, Style::Hodges),
            Notation::San(style) => to_san(position, mv, style),
        }
    }

    pub fn read(self, position: &Position, text: &str) -> Result<Move, String> {
        match self {
            Notation::Western => parse_western(position, text).map_err(|error| error.to_string()),
            Notation::San(style) => parse_san(position, text, style).map_err(|error| error.to_string()),
        }
    }

    /// What this program writes a format with.
    pub fn of(format: Format) -> Notation {
        match format {
            Format::PgnFairy => Notation::San(SanStyle::Fairy),
            Format::PgnCuteChess => Notation::San(SanStyle::CuteChess),
            _ => Notation::Western,
        }
    }
}

/// The dialect that a notation shows.
impl From<Notation> for Format {
    fn from(notation: Notation) -> Format {
        match notation {
            Notation::Western => Format::Pgn,
            Notation::San(SanStyle::Fairy) => Format::PgnFairy,
            Notation::San(SanStyle::CuteChess) => Format::PgnCuteChess,
        }
    }
}

/// What a player who sits there is called: in chess programs who moves first is White.
pub(super) fn side_name(color: Color, first_is_white: bool) -> &'static str {
    match (color, first_is_white) {
        (Color::Black, false) | (Color::White, true) => "Black",
        _ => "White",
    }
}

/// Whether a word is a move in Western notation, by its square: `6d`, where algebraic notation has `a3`. None if it is
/// neither.
pub(super) fn is_western(word: &str) -> Option<bool> {
    let word = word.trim_end_matches(['+', '#', '=']);
    let word = word.split_once('=').map_or(word, |(move_, _)| move_);
    let mut last = word.chars().rev();
    let (rank, file) = (last.next()?, last.next()?);
    match (file, rank) {
        ('1'..='6', 'a'..='f' | '1'..='6') => Some(true),
        ('a'..='f', '1'..='6') => Some(false),
        _ => None,
    }
}

/// The ways of algebraic notation that a text may be in, the likelier first, by the words that only one of them has.
pub(super) fn styles<'a>(words: impl Iterator<Item = &'a str>) -> &'static [SanStyle] {
    let (mut fairy, mut cute) = (false, false);
    for word in words {
        fairy |= word.ends_with('#')
            || word.starts_with(['D', 'H'])
            || ["=D", "=H", "=G"].iter().any(|it| word.contains(it));
        cute |= word.starts_with('+');
    }
    match (fairy, cute) {
        (true, false) => &[SanStyle::Fairy],
        (false, true) => &[SanStyle::CuteChess],
        _ => &[SanStyle::Fairy, SanStyle::CuteChess],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_shows_its_notation() {
        for (word, western) in [
            ("P-6d", Some(true)),
            ("Sx5b=", Some(true)),
            ("R-32+", Some(true)),
            ("Pa3", Some(false)),
            ("Rd5=D+", Some(false)),
            ("+Nxf1", Some(false)),
            ("Ne2+", Some(false)),
            ("x", None),
            ("resigns", None),
        ] {
            assert_eq!(is_western(word), western, "{word}");
        }
        let both: &[SanStyle] = &[SanStyle::Fairy, SanStyle::CuteChess];
        for (text, expected) in [
            ("Pa3 Pf4", both),
            ("Pa3 Ne2+", both),
            ("Ne2+ Rd5=D", &[SanStyle::Fairy]),
            ("Ne2+ +Nxf1", &[SanStyle::CuteChess]),
        ] {
            assert_eq!(styles(text.split(' ')), expected, "{text}");
        }
    }
}
