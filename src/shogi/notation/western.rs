//! Western notation: `P-6d`, `Sx5b=`, `G6e-5d`, `B*3c`, `+Rx1a`.
//!
//! The piece's letter, with a preceding `+` if it is promoted; `-` for a move, `x` for a capture, `*` for a drop; the
//! destination; `+` for a promotion, `=` for a declined one. The origin follows the letter if two pieces of the kind
//! may legally move to the destination.

use super::super::{Color, Move, PieceKind, Position, Square};
use super::{ParseNotationError, has_promotion_choice, moved_kind, only_fitting, origins};

/// A notation for squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// The file's digit and the rank's letter: `6d`.
    Hodges,
    /// Two digits, file and rank, counted from the top: `64`.
    Hosking,
}

impl Style {
    fn square(self, square: Square) -> String {
        match self {
            Style::Hodges => square.to_string(),
            Style::Hosking => format!("{}{}", square.file(), square.row() + 1),
        }
    }
}

/// Writes a legal move.
///
/// ```
/// use judkins::shogi::Position;
/// use judkins::shogi::notation::western::{Style, to_western};
/// let (position, mv) = (Position::startpos(), "6e6d".parse().unwrap());
/// assert_eq!(to_western(&position, mv, Style::Hodges), "P-6d");
/// assert_eq!(to_western(&position, mv, Style::Hosking), "P-64");
/// ```
///
/// # Panics
/// If the move starts from an empty square.
pub fn to_western(position: &Position, mv: Move, style: Style) -> String {
    let kind = moved_kind(position, mv);
    let piece = format!("{}{}", if kind.is_promoted() { "+" } else { "" }, kind.letter());
    let to = style.square(mv.to());
    let Some(from) = mv.from() else { return format!("{piece}*{to}") };
    let origin = if origins(position, kind, mv.to()).many() { style.square(from) } else { String::new() };
    let action = if position.is_capture(mv) { 'x' } else { '-' };
    let promotion = match mv.promotes() {
        true => "+",
        false if has_promotion_choice(position, mv) => "=",
        false => "",
    };
    format!("{piece}{origin}{action}{to}{promotion}")
}

/// Parses a legal move with squares in either style. The text must be exact, except that a superfluous origin is
/// accepted.
///
/// ```
/// use judkins::shogi::Position;
/// use judkins::shogi::notation::western::parse_western;
/// let position = Position::startpos();
/// assert_eq!(parse_western(&position, "P-64"), Ok("6e6d".parse().unwrap()));
/// assert_eq!(parse_western(&position, "P-6c").unwrap_err().to_string(), "'P-6c' is not a legal move");
/// ```
///
/// # Errors
/// [`ParseNotationError`] if the text does not parse, or matches no legal move or several.
pub fn parse_western(position: &Position, text: &str) -> Result<Move, ParseNotationError> {
    let not_a_move = || ParseNotationError::NotAMove(text.to_owned(), "Western");
    let written = Written::parse(text).ok_or_else(not_a_move)?;
    only_fitting(position, text, |mv| written.fits(position, mv))
}

/// Writes a game's moves, numbered in pairs: `1. P-6d P-1c 2. G-5e`.
///
/// Numbers start at 1 regardless of the move number of `start`. If White moves first, `...` stands for Black's first
/// move: `1. ... P-1c 2. P-6d`.
///
/// ```
/// use judkins::shogi::Position;
/// use judkins::shogi::notation::western::{Style, movetext};
/// let moves = ["6e6d", "1b1c", "5f5e"].map(|mv| mv.parse().unwrap());
/// assert_eq!(movetext(&Position::startpos(), &moves, Style::Hodges), "1. P-6d P-1c 2. G-5e");
/// ```
///
/// # Panics
/// If a move is illegal.
pub fn movetext(start: &Position, moves: &[Move], style: Style) -> String {
    let mut position = start.clone();
    let mut words = Vec::new();
    // A ply's index in its pair is its mover's index.
    let first = start.side_to_move().index();
    for (ply, &mv) in (first..).zip(moves) {
        if ply % 2 == Color::Black.index() {
            words.push(format!("{}.", ply / 2 + 1));
        } else if words.is_empty() {
            words.push("1. ...".to_owned());
        }
        words.push(to_western(&position, mv, style));
        position.play(mv);
    }
    words.join(" ")
}

/// The parts of a move text.
struct Written {
    kind: PieceKind,
    from: Option<Square>,
    action: Action,
    to: Square,
    promotion: Promotion,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Move,
    Capture,
    Drop,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Promotion {
    Unsaid,
    Made,
    Declined,
}

impl Written {
    fn parse(text: &str) -> Option<Written> {
        let (piece, rest) = text.split_at(text.find(['-', 'x', '*'])?);
        let (kind, origin) = parse_piece(piece)?;
        let from = if origin.is_empty() { None } else { Some(parse_square(origin)?) };
        let (action, rest) = match rest.split_at(1) {
            ("-", rest) => (Action::Move, rest),
            ("x", rest) => (Action::Capture, rest),
            (_, rest) => (Action::Drop, rest),
        };
        let (to, promotion) = match (rest.strip_suffix('+'), rest.strip_suffix('=')) {
            (Some(to), _) => (to, Promotion::Made),
            (_, Some(to)) => (to, Promotion::Declined),
            _ => (rest, Promotion::Unsaid),
        };
        let droppable = PieceKind::DROPPABLE.contains(&kind) && from.is_none() && promotion == Promotion::Unsaid;
        let promotes = kind.promoted().is_some() || promotion == Promotion::Unsaid;
        let sensible = if action == Action::Drop { droppable } else { promotes };
        sensible.then_some(Written { kind, from, action, to: parse_square(to)?, promotion })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let action = match mv.is_drop() {
            true => Action::Drop,
            false if position.is_capture(mv) => Action::Capture,
            false => Action::Move,
        };
        let promotion = match self.promotion {
            Promotion::Made => mv.promotes(),
            Promotion::Declined => !mv.promotes() && has_promotion_choice(position, mv),
            // If promotion is optional, both moves match and the text is ambiguous. A forced promotion must be written.
            Promotion::Unsaid => !mv.promotes() || has_promotion_choice(position, mv),
        };
        self.to == mv.to()
            && self.action == action
            && self.kind == moved_kind(position, mv)
            && self.from.is_none_or(|from| mv.from() == Some(from))
            && promotion
    }
}

/// Parses a piece and returns it with the rest of the text.
fn parse_piece(text: &str) -> Option<(PieceKind, &str)> {
    let (text, promoted) = match text.strip_prefix('+') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let mut chars = text.chars();
    let kind = PieceKind::from_letter(chars.next()?)?;
    Some((if promoted { kind.promoted()? } else { kind }, chars.as_str()))
}

/// Parses a square in either style.
fn parse_square(text: &str) -> Option<Square> {
    let mut chars = text.chars();
    let (Some(file), Some(rank), None) = (chars.next(), chars.next(), chars.next()) else { return None };
    let rank = match rank {
        '1'..='6' => (rank as u8 - b'1' + b'a') as char,
        letter => letter,
    };
    Square::from_file_rank(file, rank)
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use std::collections::HashSet;

    const TWO_GOLDS: &str = "5k/6/6/6/G1G3/K5 b - 1";
    const SILVER_TAKES: &str = "5k/1p4/2S3/6/6/K5 b - 1";
    const DRAGONS: &str = "k4r/6/5+R/6/6/K5 b - 1";

    #[test]
    fn moves_are_written_and_read_in_both_styles() {
        for (sfen, mv, hodges, hosking) in [
            // The start.
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "6e6d", "P-6d", "P-64"),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "1f1b", "Rx1b=", "Rx12="),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "1f1b+", "Rx1b+", "Rx12+"),
            ("rbnsgk/5p/6/6/P5/KGSNBR w - 1", "1b1c", "P-1c", "P-13"),
            // Drops. A piece on the board that could move there does not matter.
            ("5k/6/6/6/2B3/K5 b B 1", "B*3c", "B*3c", "B*33"),
            ("5k/6/6/6/2B3/K5 b B 1", "B*3d", "B*3d", "B*34"),
            ("5k/6/6/6/2B3/K5 b B 1", "4e3d", "B-3d", "B-34"),
            // Promotion made, declined, forced and impossible.
            (SILVER_TAKES, "4c5b", "Sx5b=", "Sx52="),
            (SILVER_TAKES, "4c5b+", "Sx5b+", "Sx52+"),
            (SILVER_TAKES, "4c4b", "S-4b=", "S-42="),
            (SILVER_TAKES, "4c3d", "S-3d", "S-34"),
            ("5k/3S2/6/6/6/K5 b - 1", "3b4c", "S-4c=", "S-43="),
            ("5k/3S2/6/6/6/K5 b - 1", "3b4c+", "S-4c+", "S-43+"),
            ("5k/P5/6/6/6/K5 b - 1", "6b6a+", "P-6a+", "P-61+"),
            ("5k/6/6/1N4/6/K5 b - 1", "5d6b+", "N-6b+", "N-62+"),
            // Promoted pieces.
            (DRAGONS, "1c1a", "+Rx1a", "+Rx11"),
            (DRAGONS, "1c2b", "+R-2b", "+R-22"),
            // The origin: two pieces of a kind may move there.
            (TWO_GOLDS, "6e5d", "G6e-5d", "G65-54"),
            (TWO_GOLDS, "4e5d", "G4e-5d", "G45-54"),
            (TWO_GOLDS, "6e6d", "G-6d", "G-64"),
            ("5k/6/6/1p4/G1G3/K5 b - 1", "6e5d", "G6ex5d", "G65x54"),
            ("5k/2p3/1S1S2/6/6/K5 b - 1", "5c4b+", "S5cx4b+", "S53x42+"),
            ("5k/2p3/1S1S2/6/6/K5 b - 1", "3c4b", "S3cx4b=", "S33x42="),
            // A pinned piece may not move there, and a promoted piece is of another kind.
            ("r4k/6/6/6/G1G3/K5 b - 1", "4e5d", "G-5d", "G-54"),
            ("5k/6/6/6/+S1G3/K5 b - 1", "4e5d", "G-5d", "G-54"),
            ("5k/6/6/6/+S1G3/K5 b - 1", "6e5d", "+S-5d", "+S-54"),
            ("5k/6/6/6/+S1S3/K5 b - 1", "4e5d", "S-5d", "S-54"),
        ] {
            let position: Position = sfen.parse().unwrap();
            let mv: Move = mv.parse().unwrap();
            assert!(position.is_legal(mv), "{mv} in {sfen}");
            for (style, text) in [(Style::Hodges, hodges), (Style::Hosking, hosking)] {
                assert_eq!(to_western(&position, mv, style), text, "{mv} in {sfen}");
                assert_eq!(parse_western(&position, text), Ok(mv), "{text} in {sfen}");
            }
        }
    }

    #[test]
    fn malformed_moves_are_refused() {
        let position: Position = "5k/6/6/6/G1G3/K5 b 2BP 1".parse().unwrap();
        for text in [
            "", "-", "*", "G", "G5d", "-5d", "G-", "G-5", "G-5g", "G-7d", "G-0d", "G-50", "G-57", "G-5d-", "G--5d",
            "g-5d", "G-5D", "G6-5d", "G6ee-5d", "X-5d", "+G-5d", "+K-5e", "++B-5d", "G-5d+", "K-5e=", "B-5d++",
            "B-5d+=", "+B-5d=", "K*3c", "+B*3c", "B*3c+", "B*3c=", "B6e*3c", " G-6d", "G-6d ", "G-６d", "金-6d",
            "G金-6d", "G-金",
        ] {
            let refused = ParseNotationError::NotAMove(text.to_owned(), "Western");
            assert_eq!(parse_western(&position, text), Err(refused), "{text}");
        }
    }

    #[test]
    fn texts_of_no_legal_move_are_refused() {
        for (sfen, text) in [
            // No piece moves there; a capture of nothing; a capture without `x`; a drop of a kind not in hand.
            (TWO_GOLDS, "G-3c"),
            (TWO_GOLDS, "S-5d"),
            (TWO_GOLDS, "Gx5d"),
            (SILVER_TAKES, "S-5b="),
            (TWO_GOLDS, "G*3c"),
            // An origin without a piece, and the origin of another piece.
            (TWO_GOLDS, "G5e-5d"),
            (TWO_GOLDS, "G4e-6d"),
            // A promotion that cannot be made or declined, and a forced one that is not written.
            (SILVER_TAKES, "S-3d="),
            (SILVER_TAKES, "S-3d+"),
            ("5k/P5/6/6/6/K5 b - 1", "P-6a"),
            ("5k/P5/6/6/6/K5 b - 1", "P-6a="),
            // A knight moves to rank c only from outside the zone, and into the zone only with promotion: no knight
            // declines here.
            ("5k/6/1p4/6/2N3/K5 b - 1", "Nx5c="),
            // Pinned; uchifuzume.
            ("r4k/6/6/6/G1G3/K5 b - 1", "G6e-5d"),
            ("5k/6/3NG1/6/6/K5 b P 1", "P*1b"),
        ] {
            let position: Position = sfen.parse().unwrap();
            assert_eq!(parse_western(&position, text), Err(ParseNotationError::NoSuchMove(text.into())), "{text}");
        }
    }

    #[test]
    fn ambiguous_texts_are_refused_with_both_moves() {
        for (sfen, text, meanings) in [
            (TWO_GOLDS, "G-5d", ["4e5d", "6e5d"]),
            (SILVER_TAKES, "Sx5b", ["4c5b", "4c5b+"]),
            ("5k/2p3/1S1S2/6/6/K5 b - 1", "Sx4b+", ["3c4b+", "5c4b+"]),
        ] {
            let position: Position = sfen.parse().unwrap();
            let error = parse_western(&position, text).unwrap_err();
            let ParseNotationError::Ambiguous(_, one, other) = error else { panic!("{error} for {text}") };
            let mut found = [one, other].map(|mv| mv.to_string());
            found.sort();
            assert_eq!(found, meanings, "{text}");
        }
    }

    #[test]
    fn a_start_square_may_stand_where_none_is_needed() {
        let position = Position::startpos();
        for text in ["P6e-6d", "P65-64", "P6e-64", "P65-6d"] {
            assert_eq!(parse_western(&position, text), Ok("6e6d".parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn legal_moves_of_a_position_have_texts_of_their_own_that_are_read_back() {
        for (position, _) in samples::positions() {
            let moves = position.legal_moves();
            for style in [Style::Hodges, Style::Hosking] {
                let texts: HashSet<String> = moves.iter().map(|&mv| to_western(&position, mv, style)).collect();
                assert_eq!(texts.len(), moves.len(), "{position}");
                for &mv in &moves {
                    let text = to_western(&position, mv, style);
                    assert_eq!(parse_western(&position, &text), Ok(mv), "{text} in {position}");
                }
            }
        }
    }

    #[test]
    fn a_game_is_numbered_in_pairs() {
        let handicap = "r1nsgk/5p/6/6/P5/KGSNBR w - 1";
        let late = "rbnsgk/5p/6/6/P5/KGSNBR b - 41";
        for (sfen, moves, text) in [
            (late, "", ""),
            (late, "6e6d", "1. P-6d"),
            (late, "6e6d 1b1c", "1. P-6d P-1c"),
            (late, "6e6d 1b1c 6d6c 6a6c", "1. P-6d P-1c 2. P-6c Rx6c"),
            (handicap, "", ""),
            (handicap, "1b1c", "1. ... P-1c"),
            (handicap, "1b1c 6e6d 1c1d 6d6c", "1. ... P-1c 2. P-6d P-1d 3. P-6c"),
        ] {
            let moves: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
            assert_eq!(movetext(&sfen.parse().unwrap(), &moves, Style::Hodges), text);
        }
        let moves = ["6e6d", "1b1c"].map(|mv| mv.parse().unwrap());
        assert_eq!(movetext(&Position::startpos(), &moves, Style::Hosking), "1. P-64 P-13");
    }
}
