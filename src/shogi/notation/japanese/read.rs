//! Parser of moves in Japanese notation and in KIF, checked against the legal moves of a position.

use super::super::super::{Bitboard, Color, Move, PieceKind, Position, Square};
use super::super::origins;
use super::{Candidates, NUMERALS};
use PieceKind::*;

/// The reason why a text is not read as a move in a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseJapaneseError {
    /// The text does not have the form of a move.
    #[error("'{0}' is not a move in Japanese notation")]
    NotAMove(String),
    /// The text names a square or a piece that this game does not have.
    #[error("'{0}' belongs to shogi on 9×9: here files are １ to ６, ranks 一 to 六, and there is no lance")]
    NineByNine(String),
    /// `同` without a move before it.
    #[error("'{0}' means the square of the move before it, and there is none")]
    NoPreviousMove(String),
    /// The sign before the move is the other player's.
    #[error("'{0}' is marked as the other player's move: it is {1}'s turn")]
    WrongSide(String, Color),
    /// The text has the form of a move, but matches no legal one.
    #[error("'{0}' is not a legal move")]
    NoSuchMove(String),
    /// The text matches several legal moves, two of which are given.
    #[error("'{0}' may mean {1} or {2}")]
    Ambiguous(String, Move, Move),
}

/// Reads a move as [`to_japanese`](super::to_japanese) writes it, or as in KIF, with the origin in brackets: `６四歩(65)`.
/// `previous` is the destination of the move before it, to which `同` refers.
///
/// The player's sign may be missing; digits may be full-width or half-width, and ranks may be digits too. Superfluous
/// words are accepted, and `打` may be omitted if no piece on the board can make the move. The origin of a drop is
/// `(00)` or `(0)`; `()` means none. A text without `成` does not promote.
///
/// ```
/// use judkins::shogi::Position;
/// use judkins::shogi::notation::japanese::parse_japanese;
/// let position = Position::startpos();
/// for text in ["▲６四歩", "64歩", "６四歩(65)"] {
///     assert_eq!(parse_japanese(&position, text, None), Ok("6e6d".parse().unwrap()));
/// }
/// ```
///
/// # Errors
/// [`ParseJapaneseError`] if the text is not a move, or matches no legal move or several.
pub fn parse_japanese(position: &Position, text: &str, previous: Option<Square>) -> Result<Move, ParseJapaneseError> {
    let error = |kind: fn(String) -> ParseJapaneseError| kind(text.to_owned());
    let written = Written::parse(text).map_err(error)?;
    let us = position.side_to_move();
    if written.color.is_some_and(|color| color != us) {
        return Err(ParseJapaneseError::WrongSide(text.to_owned(), us));
    }
    let to = match written.to {
        Some(to) => to,
        None => previous.ok_or_else(|| error(ParseJapaneseError::NoPreviousMove))?,
    };
    let origins = origins(position, written.kind, to);
    let candidates = Candidates { color: us, kind: written.kind, to, origins };
    let told_apart = |candidates| origins.into_iter().filter(|&from| written.fits(candidates, from)).collect();
    let mut fitting: Bitboard = told_apart(candidates);
    if fitting.is_empty() {
        // Some programs count pinned pieces too.
        let attackers = position.attackers_to(to, position.occupied()) & position.pieces(us, written.kind);
        fitting = told_apart(Candidates { origins: attackers, ..candidates });
    }
    let board = fitting.into_iter().map(|from| Move::board(from, to, written.promotes));
    let board = board.filter(|&mv| position.is_legal(mv) && !written.is_drop);
    let may_drop = written.from.is_none() && !written.promotes && PieceKind::DROPPABLE.contains(&written.kind);
    let drop = may_drop.then(|| Move::drop(written.kind, to)).filter(|&mv| position.is_legal(mv));
    // Without 打 it is a move on the board if there is one.
    let drop = drop.filter(|_| written.is_drop || origins.is_empty());
    let mut fitting = board.chain(drop);
    match (fitting.next(), fitting.next()) {
        (None, _) => Err(error(ParseJapaneseError::NoSuchMove)),
        (Some(mv), None) => Ok(mv),
        (Some(mv), Some(other)) => Err(ParseJapaneseError::Ambiguous(text.to_owned(), mv, other)),
    }
}

/// The content of a move text before a position interprets it.
struct Written {
    /// The player whose sign precedes the move.
    color: Option<Color>,
    /// None: `同`.
    to: Option<Square>,
    kind: PieceKind,
    side: Option<&'static str>,
    movement: Option<&'static str>,
    promotes: bool,
    is_drop: bool,
    from: Option<Square>,
}

/// Constructs an error from a text.
type Refused = fn(String) -> ParseJapaneseError;

impl Written {
    fn parse(text: &str) -> Result<Written, Refused> {
        let not_a_move: Refused = ParseJapaneseError::NotAMove;
        let text = text.trim();
        let color = text.chars().next().and_then(Color::of_sign);
        let text = text.trim_start_matches(|c| Color::of_sign(c).is_some());
        let (text, from, after) = match text.split_once(OPENING) {
            Some((text, rest)) => {
                let (from, after) = rest.split_once(CLOSING).ok_or(not_a_move)?;
                (text, Some(from), after)
            }
            None => (text, None, ""),
        };
        let mut chars = text.chars().chain(after.chars()).filter(|c| !c.is_whitespace()).peekable();
        let first = chars.next().ok_or(not_a_move)?;
        let to = if first == '同' { None } else { Some(square(first, chars.next().ok_or(not_a_move)?)?) };
        if to.is_some() {
            // As in print: ６四同歩.
            chars.next_if_eq(&'同');
        }
        let (from, is_drop) = match from {
            None => (None, false),
            Some(text) => {
                let mut digits = text.trim().chars();
                match (digits.next(), digits.next(), digits.next()) {
                    (None, ..) => (None, false),
                    (Some(zero), second, None) if is_zero(zero) && second.is_none_or(is_zero) => (None, true),
                    (Some(file), Some(rank), None) => (Some(square(file, rank)?), false),
                    _ => return Err(not_a_move),
                }
            }
        };
        let kind = piece(chars.next().ok_or(not_a_move)?, || chars.next())?;
        let mut written = Written { color, to, kind, side: None, movement: None, promotes: false, is_drop, from };
        let mut is_said_to_drop = false;
        while let Some(word) = chars.next() {
            let (place, said) = match word {
                '左' => (&mut written.side, "左"),
                '右' => (&mut written.side, "右"),
                '直' => (&mut written.side, "直"),
                '寄' => (&mut written.movement, "寄"),
                '引' => (&mut written.movement, "引"),
                '上' | '行' | '入' => (&mut written.movement, "上"),
                '成' if !written.promotes => {
                    written.promotes = true;
                    continue;
                }
                '打' if !is_said_to_drop => {
                    (written.is_drop, is_said_to_drop) = (true, true);
                    continue;
                }
                '不' if chars.next_if_eq(&'成').is_some() => continue,
                '生' => continue,
                _ => return Err(not_a_move),
            };
            if place.replace(said).is_some() {
                return Err(not_a_move);
            }
        }
        Ok(written)
    }

    /// Whether the text can mean the piece on `from`, among the candidates.
    fn fits(&self, candidates: Candidates, from: Square) -> bool {
        match self.from {
            // The origin is sufficient, regardless of relative words.
            Some(origin) => origin == from,
            None => {
                self.movement.is_none_or(|movement| candidates.movement(from) == movement)
                    && self.side.is_none_or(|side| candidates.side(from) == side)
            }
        }
    }
}

/// The brackets around a start square, as programs write them.
pub(crate) const OPENING: [char; 5] = ['(', '（', '[', '［', '〔'];
pub(crate) const CLOSING: [char; 5] = [')', '）', ']', '］', '〕'];

/// A digit, half-width or full-width, or a kanji numeral.
fn digit(c: char) -> Option<usize> {
    match c {
        '1'..='9' => Some(c as usize - '0' as usize),
        '１'..='９' => Some(c as usize - '０' as usize),
        _ => Some(NUMERALS[..9].iter().position(|&numeral| numeral == c)? + 1),
    }
}

fn is_zero(c: char) -> bool {
    "0０〇零".contains(c)
}

fn square(file: char, rank: char) -> Result<Square, Refused> {
    let not_a_move: Refused = ParseJapaneseError::NotAMove;
    let (file, rank) = (digit(file).ok_or(not_a_move)?, digit(rank).ok_or(not_a_move)?);
    match (6usize.checked_sub(file), rank) {
        (Some(column), 1..=6) => Ok(Square::at(column, rank - 1)),
        _ => Err(ParseJapaneseError::NineByNine),
    }
}

/// The piece with this name; `next` reads the second character of names with two.
fn piece(first: char, next: impl FnOnce() -> Option<char>) -> Result<PieceKind, Refused> {
    Ok(match first {
        '成' => match next() {
            Some('銀') => PromotedSilver,
            Some('桂') => PromotedKnight,
            Some('香') => return Err(ParseJapaneseError::NineByNine),
            _ => return Err(ParseJapaneseError::NotAMove),
        },
        '香' | '杏' => return Err(ParseJapaneseError::NineByNine),
        _ => match PieceKind::from_kanji(first) {
            Some(kind) => kind,
            None => return Err(ParseJapaneseError::NotAMove),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::samples;
    use super::super::to_japanese;
    use super::*;
    use ParseJapaneseError as Error;

    const START: &str = "rbnsgk/5p/6/6/P5/KGSNBR b - 1";
    const TWO_GOLDS: &str = "5k/6/6/6/G1G3/K5 b - 1";
    const GOLD_IN_HAND: &str = "5k/6/6/6/G5/K5 b G 1";
    const SILVER: &str = "5k/1p4/2S3/6/6/K5 b - 1";

    fn read(sfen: &str, text: &str) -> Result<String, Error> {
        parse_japanese(&sfen.parse().unwrap(), text, None).map(|mv| mv.to_string())
    }

    #[test]
    fn every_legal_move_is_read_back() {
        for (position, previous) in samples::positions() {
            for mv in position.legal_moves() {
                let text = to_japanese(&position, mv, previous);
                assert_eq!(parse_japanese(&position, &text, previous.map(Move::to)), Ok(mv), "{text} in {position}");
                let Some(from) = mv.from() else { continue };
                // As in KIF.
                let promotion = if mv.promotes() { "成" } else { "" };
                let name = super::super::name(super::super::moved_kind(&position, mv));
                let text =
                    format!("{}{name}{promotion}({}{})", super::super::square(mv.to()), from.file(), from.row() + 1);
                assert_eq!(parse_japanese(&position, &text, previous.map(Move::to)), Ok(mv), "{text} in {position}");
            }
        }
    }

    #[test]
    fn the_same_move_may_be_written_in_many_ways() {
        for (sfen, texts, mv) in [
            (
                START,
                &[
                    "▲６四歩",
                    "☗６四歩",
                    "６四歩",
                    "64歩",
                    "６４歩",
                    " ▲６四 歩 ",
                    "６四同歩",
                    "６四歩(65)",
                    "６四歩（６五）",
                    "６四歩[65]",
                    "六四歩( 65 )",
                ][..],
                "6e6d",
            ),
            (START, &["▲１二飛成", "１二飛成(16)", "１二飛(16)成", "１二飛成［１６］"], "1f1b+"),
            (START, &["▲１二飛不成", "１二飛生", "１二飛"], "1f1b"),
            (TWO_GOLDS, &["▲５四金左", "５四金左上", "５四金左行", "５四金(65)"], "6e5d"),
            (
                GOLD_IN_HAND,
                &["▲５四金打", "54金打", "５四金打(00)", "５四金打（００）", "５四金(00)", "５四金打(0)", "５四金打()"],
                "G*5d",
            ),
            // 打 may be omitted where no piece can move, and relative words may be superfluous.
            (GOLD_IN_HAND, &["▲３三金", "３三金打"], "G*3c"),
            (TWO_GOLDS, &["▲４四金", "４四金直", "４四金上", "４四金直上"], "4e4d"),
            // The other dragon is pinned.
            ("5k/4b1/6/1+R+R3/6/K5 b - 1", &["▲５三竜", "５三竜左"], "5d5c"),
            ("5k/4b1/g5/1+R+R3/6/K5 b - 1", &["▲５三竜", "５三竜左"], "5d5c"),
            ("5k/6/6/6/+S1S3/K5 b - 1", &["▲５四成銀", "５四全"], "6e5d"),
            ("5k/6/6/6/+N1N3/K5 b - 1", &["▲５四成桂", "５四圭"], "6e5d"),
            ("5k/6/6/6/+R5/K5 b - 1", &["▲５四竜", "５四龍"], "6e5d"),
            ("5k/6/6/6/6/K5 b - 1", &["▲５六玉", "５六王"], "6f5f"),
        ] {
            for text in texts {
                assert_eq!(read(sfen, text), Ok(mv.to_owned()), "{text} in {sfen}");
            }
        }
    }

    #[test]
    fn texts_that_are_not_moves_are_refused_with_the_reason() {
        let malformed = "▲ ６ ６四 同 ６四像 ６四歩歩 ６四歩成成 ６四歩打打 ６四歩不 ６四歩左右 ６四成金 投了 \
                         ６四歩(6 ６四歩(6) ６四歩(655) a4歩";
        for text in malformed.split(' ').chain([""]) {
            assert_eq!(read(START, text), Err(Error::NotAMove(text.to_owned())), "{text}");
        }
        for text in ["７六歩(77)", "２八飛", "１九香", "２二成香", "１一杏", "６四歩(67)"] {
            assert_eq!(read(START, text), Err(Error::NineByNine(text.to_owned())), "{text}");
        }
        assert_eq!(read(START, "同　歩"), Err(Error::NoPreviousMove("同　歩".to_owned())));
        let white = read(START, "△６四歩").unwrap_err().to_string();
        assert_eq!(white, "'△６四歩' is marked as the other player's move: it is Black's turn");
        for mark in ['▲', '▼', '☗'] {
            let text = format!("{mark}１三歩");
            assert_eq!(read("5k/5p/6/6/6/K5 w - 1", &text), Err(Error::WrongSide(text, Color::White)));
        }
        for (sfen, text) in [
            (START, "６三歩"),
            (START, "６四歩成"),
            (START, "６四歩打"),
            (START, "６四歩(64)"),
            (START, "６四飛"),
            (TWO_GOLDS, "５四金直"),
            (TWO_GOLDS, "５四金引"),
            (GOLD_IN_HAND, "４四銀打"),
            (GOLD_IN_HAND, "４四銀(00)"),
            (GOLD_IN_HAND, "５四金打(65)"),
            // The promotion is forced, but not written.
            ("5k/P5/6/6/6/K5 b - 1", "６一歩"),
            ("5k/6/3NG1/6/6/K5 b P 1", "１二歩打"),
        ] {
            assert_eq!(read(sfen, text), Err(Error::NoSuchMove(text.to_owned())), "{text} in {sfen}");
        }
        for (sfen, text) in [(TWO_GOLDS, "５四金"), (TWO_GOLDS, "５四金上")] {
            let error = read(sfen, text).unwrap_err();
            assert!(matches!(error, Error::Ambiguous(..)), "{error}");
        }
        assert_eq!(read(SILVER, "５二銀"), Ok("4c5b".to_owned()), "what does not say so does not promote");
    }
}
