//! Moves as people type them, in any notation.

use super::japanese::{ParseJapaneseError, parse_japanese};
use super::san::{SanStyle, parse_san};
use super::western::parse_western;
use super::{Move, ParseNotationError, Position};

/// The reason why a text is not read as a move in any notation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ParseAnyError {
    /// It does not have the form of a move.
    NotAMove,
    /// It has the form of a move, but matches no legal one.
    NoSuchMove,
    /// It matches several legal moves.
    Ambiguous,
}

/// Reads a move in USI, Western, Japanese or algebraic notation. A piece's letter may be in lower case. Moves in USI
/// may be illegal, so that the caller can explain why; others are legal. `previous` is the move before it, for `同`.
///
/// ```
/// use judkins::shogi::Position;
/// use judkins::shogi::notation::any::parse_any;
/// for text in ["6e6d", "P-6d", "p-64", "６四歩", "▲64歩(65)", "Pa3", "a2a3"] {
///     assert_eq!(parse_any(&Position::startpos(), text, None), Ok("6e6d".parse().unwrap()), "{text}");
/// }
/// ```
///
/// # Errors
/// [`ParseAnyError`] of the notation that matched best.
pub fn parse_any(position: &Position, text: &str, previous: Option<Move>) -> Result<Move, ParseAnyError> {
    let text = text.trim();
    let is_piece = |c: char| "kgrbsnp".contains(c);
    // `b` is a file too, so try the text unchanged first.
    let large = text.find(is_piece).filter(|&at| at <= 1).map(|at| {
        let (before, rest) = text.split_at(at);
        format!("{before}{}{}", rest[..1].to_uppercase(), &rest[1..])
    });
    let mut nearest = ParseAnyError::NotAMove;
    for text in [Some(text), large.as_deref()].into_iter().flatten() {
        match parse(position, text, previous) {
            Ok(mv) => return Ok(mv),
            Err(error) => nearest = nearest.max(error),
        }
    }
    Err(nearest)
}

fn parse(position: &Position, text: &str, previous: Option<Move>) -> Result<Move, ParseAnyError> {
    use ParseAnyError::*;
    if let Ok(mv) = text.parse() {
        return Ok(mv);
    }
    let in_brief = |error: ParseNotationError| match error {
        ParseNotationError::NotAMove(..) => NotAMove,
        ParseNotationError::NoSuchMove(_) => NoSuchMove,
        ParseNotationError::Ambiguous(..) => Ambiguous,
    };
    let western = parse_western(position, text).map_err(in_brief);
    let japanese = parse_japanese(position, text, previous.map(Move::to)).map_err(|error| match error {
        ParseJapaneseError::NotAMove(_) => NotAMove,
        ParseJapaneseError::Ambiguous(..) => Ambiguous,
        _ => NoSuchMove,
    });
    let san = [SanStyle::Fairy, SanStyle::CuteChess].map(|style| parse_san(position, text, style).map_err(in_brief));
    let read = [western, japanese].into_iter().chain(san);
    read.reduce(|one, other| if one.is_ok() { one } else { other.map_err(|error| error.max(one.unwrap_err())) })
        .unwrap_or(Err(NotAMove))
}

#[cfg(test)]
mod tests {
    use super::super::japanese::to_japanese;
    use super::super::samples::positions;
    use super::super::san::to_san;
    use super::super::western::{Style, to_western};
    use super::*;

    #[test]
    fn a_move_is_read_in_every_notation() {
        for (position, previous) in positions().iter().take(600) {
            for &mv in &position.legal_moves() {
                let texts = [
                    mv.to_string(),
                    to_western(position, mv, Style::Hodges),
                    to_western(position, mv, Style::Hosking),
                    to_japanese(position, mv, *previous),
                    to_san(position, mv, SanStyle::Fairy),
                ];
                for text in texts {
                    assert_eq!(parse_any(position, &text, *previous), Ok(mv), "{text} in {position}");
                }
            }
        }
    }

    #[test]
    fn errors_separate_malformed_illegal_and_ambiguous_moves() {
        let read = |sfen: &str, text: &str| parse_any(&sfen.parse().unwrap(), text, None);
        let start = "rbnsgk/5p/6/6/P5/KGSNBR b - 1";
        for text in ["", "hello", "resign", "é"] {
            assert_eq!(read(start, text), Err(ParseAnyError::NotAMove), "{text}");
        }
        assert_eq!(read(start, "P-6c"), Err(ParseAnyError::NoSuchMove));
        assert_eq!(read("5k/6/6/6/G1G3/K5 b - 1", "G-5d"), Err(ParseAnyError::Ambiguous));
        // Return it, so that the caller can say why it is not legal.
        assert_eq!(read(start, "6e6c"), Ok("6e6c".parse().unwrap()));
        assert_eq!(read("5k/6/6/6/6/K5 b P 1", "p*3c"), Ok("P*3c".parse().unwrap()));
    }
}
