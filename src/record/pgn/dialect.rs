//! The differences between PGN's dialects: notation of moves, names of the sides, and results.

use crate::record::Format;
use crate::shogi::notation::san::{SanStyle, parse_san, to_san};
use crate::shogi::notation::western::{Style, parse_western, to_western};
use crate::shogi::{Color, EndReason, GameScore, Move, Position};

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

    /// The notation in which this program writes a format.
    pub fn of(format: Format) -> Notation {
        match format {
            Format::PgnFairy => Notation::San(SanStyle::Fairy),
            Format::PgnCuteChess => Notation::San(SanStyle::CuteChess),
            _ => Notation::Western,
        }
    }

    /// The value of the tag `Notation` in files of this program. Files in Western notation without it come from other
    /// programs or earlier versions; in Cute Chess's notation a single `+` would not distinguish it from
    /// Fairy-Stockfish's.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Notation::Western => Some("Western"),
            Notation::San(SanStyle::CuteChess) => Some("Cute Chess"),
            Notation::San(SanStyle::Fairy) => None,
        }
    }

    pub fn named(name: &str) -> Option<Notation> {
        [Notation::Western, Notation::San(SanStyle::CuteChess)].into_iter().find(|it| it.name() == Some(name))
    }
}

impl From<Notation> for Format {
    fn from(notation: Notation) -> Format {
        match notation {
            Notation::Western => Format::Pgn,
            Notation::San(SanStyle::Fairy) => Format::PgnFairy,
            Notation::San(SanStyle::CuteChess) => Format::PgnCuteChess,
        }
    }
}

/// The name of a player's side: chess programs call the first player White.
pub(super) fn side_name(color: Color, first_is_white: bool) -> &'static str {
    match (color, first_is_white) {
        (Color::Black, false) | (Color::White, true) => "Black",
        _ => "White",
    }
}

/// The result in PGN: `1-0` is a win of the player who is called White.
pub(super) fn result_text(result: Option<GameScore>, first_is_white: bool) -> &'static str {
    result.map_or("*", |score| if first_is_white { score } else { turned(score) }.text())
}

/// The result in PGN, given whether the first player is called White; none if the word is not a result.
pub(super) fn result(word: &str) -> Option<Option<GameScore>> {
    Some(match word {
        "1-0" => Some(GameScore::Black),
        "0-1" => Some(GameScore::White),
        "1/2-1/2" | "1/2" | "½-½" => Some(GameScore::Draw),
        "*" => None,
        _ => return None,
    })
}

/// The same result with the players exchanged.
pub(super) fn turned(score: GameScore) -> GameScore {
    score.winner().map_or(score, |winner| GameScore::from(Some(!winner)))
}

/// Whether a word is a move in Western notation, judging by its square: `6d`, while algebraic notation has `a3`. None
/// if it is neither.
pub(super) fn is_western(word: &str) -> Option<bool> {
    let word = without_signs(word);
    let word = word.split_once('=').map_or(word, |(move_, _)| move_);
    let mut last = word.chars().rev();
    let (rank, file) = (last.next()?, last.next()?);
    match (file, rank) {
        ('1'..='6', 'a'..='f' | '1'..='6') => Some(true),
        ('a'..='f', '1'..='6') => Some(false),
        _ => None,
    }
}

/// A move without its suffixes: its effect, and an annotator's signs in ASCII.
pub(super) fn without_signs(word: &str) -> &str {
    word.trim_end_matches(['+', '#', '=', '-', '/'])
}

/// The dialects of algebraic notation that a text may have, the more likely first, judging by words that only one of
/// them has.
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

/// The reason with this name, in lower case with dashes.
pub(super) fn named_reason(name: &str) -> Option<EndReason> {
    EndReason::ALL.iter().copied().find(|&reason| reason_name(reason) == name)
}

pub(super) fn reason_name(reason: EndReason) -> String {
    reason.to_string().replace(' ', "-")
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
            ("P-6d+-", Some(true)),
            ("Pa3+/=", Some(false)),
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
