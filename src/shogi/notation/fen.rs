//! The notation of chess programs: squares `a1` to `f6` from Black's left, drops `P@c3`, positions in FEN with the
//! hands in brackets. The side that moves first, Black in shogi, is `w` there.

use super::super::{BOARD_SIZE, Color, Move, ParseSfenError, Piece, PieceKind, Position, Setup, SfenError, Square};

/// Writes a square: `a1` is Black's left corner, `6f`.
pub fn square_name(square: Square) -> String {
    let file = (b'a' + square.column() as u8) as char;
    format!("{file}{}", BOARD_SIZE - square.row())
}

/// Reads a square as [`square_name`] writes it.
pub fn parse_square(text: &str) -> Option<Square> {
    let &[file, rank] = text.as_bytes() else { return None };
    let column = file.checked_sub(b'a').filter(|column| usize::from(*column) < BOARD_SIZE)?;
    let rank = rank.checked_sub(b'0').filter(|rank| (1..=BOARD_SIZE as u8).contains(rank))?;
    Some(Square::at(column.into(), BOARD_SIZE - usize::from(rank)))
}

/// Writes a move: `a2a3`, `e1d2+`, `P@d4`.
///
/// ```
/// use judkins::shogi::notation::fen;
/// assert_eq!(fen::move_text("6e6d".parse().unwrap()), "a2a3");
/// assert_eq!(fen::move_text("P*3c".parse().unwrap()), "P@d4");
/// ```
pub fn move_text(mv: Move) -> String {
    match (mv.dropped(), mv.from()) {
        (Some(kind), _) => format!("{}@{}", kind.letter(), square_name(mv.to())),
        (None, Some(from)) => {
            let promotion = if mv.promotes() { "+" } else { "" };
            format!("{}{}{promotion}", square_name(from), square_name(mv.to()))
        }
        (None, None) => unreachable!("a move that is no drop starts somewhere"),
    }
}

/// Reads a move as [`move_text`] writes it. It may be illegal.
pub fn parse_move(text: &str) -> Option<Move> {
    if let Some((piece, square)) = text.split_once('@') {
        let mut letters = piece.chars();
        let kind = PieceKind::from_letter(letters.next().filter(char::is_ascii_uppercase)?)?;
        let droppable = letters.next().is_none() && PieceKind::DROPPABLE.contains(&kind);
        let square = parse_square(square)?;
        return droppable.then(|| Move::drop(kind, square));
    }
    let (squares, promotes) = text.strip_suffix('+').map_or((text, false), |squares| (squares, true));
    let (from, to) = (parse_square(squares.get(..2)?)?, parse_square(squares.get(2..)?)?);
    (from != to).then(|| Move::board(from, to, promotes))
}

/// Writes a position in FEN, its move number counted in pairs of moves.
///
/// ```
/// use judkins::shogi::{Position, notation::fen};
/// assert_eq!(fen::to_fen(&Position::startpos()), "rbnsgk/5p/6/6/P5/KGSNBR[-] w - - 0 1");
/// ```
pub fn to_fen(position: &Position) -> String {
    let sfen = position.to_string();
    let board = sfen.split(' ').next().unwrap_or_default();
    let mut hands = String::new();
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter() {
            hands += &Piece::new(color, kind).to_string().repeat(count as usize);
        }
    }
    if hands.is_empty() {
        hands.push('-');
    }
    let side = if position.side_to_move() == Color::Black { 'w' } else { 'b' };
    format!("{board}[{hands}] {side} - - 0 {}", position.move_number().div_ceil(2))
}

/// Reads a position in FEN: `board[hands] w|b`, then any counters of the program, of which the last is the move number.
/// Hands are letters in any order; without pieces the brackets are empty, contain `-`, or are missing.
///
/// ```
/// use judkins::shogi::{Position, notation::fen};
/// assert_eq!(fen::parse_fen("rbnsgk/5p/6/6/P5/KGSNBR[] w 0 1"), Ok(Position::startpos()));
/// ```
///
/// # Errors
/// [`SfenError`], as for the same position in SFEN.
pub fn parse_fen(text: &str) -> Result<Position, SfenError> {
    Ok(Position::try_from(&parse_setup(text)?)?)
}

/// Reads a position as [`parse_fen`] does, without checking that it can be played.
///
/// # Errors
/// [`ParseSfenError`], as from [`parse_fen`].
pub fn parse_setup(text: &str) -> Result<Setup, ParseSfenError> {
    let mut fields = text.split_ascii_whitespace();
    let placement = fields.next().ok_or(ParseSfenError::Missing("board"))?;
    let (board, hands) = match placement.split_once('[') {
        None => (placement, ""),
        Some((board, rest)) => {
            let hands = rest.strip_suffix(']').ok_or_else(|| ParseSfenError::BadHand(rest.to_owned()))?;
            (board, hands)
        }
    };
    let side = match fields.next() {
        Some("w") => "b",
        Some("b") => "w",
        Some(other) => return Err(ParseSfenError::UnknownSide(other.to_owned())),
        None => return Err(ParseSfenError::Missing("side to move")),
    };
    let mut number = 1 + u32::from(side == "w");
    for field in fields.filter(|field| *field != "-") {
        // FEN counts pairs of moves.
        let plies = |pairs: u32| u32::try_from(u64::from(pairs.max(1)) * 2 - u64::from(side == "b")).ok();
        number = field.parse().ok().and_then(plies).ok_or_else(|| ParseSfenError::BadMoveNumber(field.to_owned()))?;
    }
    let hands = if hands.is_empty() { "-" } else { hands };
    format!("{board} {side} {hands} {number}").parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_and_read_back() {
        for (usi, uci) in [
            ("6f6e", "a1a2"),
            ("1a1b", "f6f5"),
            ("2f3e", "e1d2"),
            ("5b5a+", "b5b6+"),
            ("P*3c", "P@d4"),
            ("G*1f", "G@f1"),
        ] {
            let mv: Move = usi.parse().unwrap();
            assert_eq!((move_text(mv).as_str(), parse_move(uci)), (uci, Some(mv)));
        }
        for text in
            ["", "a1", "a1a1", "a1g1", "a0a1", "a7a1", "p@c3", "K@c3", "P@", "P@g9", "@c3", "a1a2=", "0000", "é1a2"]
        {
            assert_eq!(parse_move(text), None, "{text}");
        }
    }

    #[test]
    fn positions_are_written() {
        for (sfen, fen_text) in [
            ("r1nsgk/5p/6/6/P5/KGSNBR w - 1", "r1nsgk/5p/6/6/P5/KGSNBR[-] b - - 0 1"),
            ("+R1nsgk/5p/6/6/6/KGSN2 w RBp 9", "+R1nsgk/5p/6/6/6/KGSN2[BRp] b - - 0 5"),
            ("5k/6/6/6/6/K5 b 2G2s 6", "5k/6/6/6/6/K5[GGss] w - - 0 3"),
        ] {
            assert_eq!(to_fen(&sfen.parse().unwrap()), fen_text);
        }
    }

    #[test]
    fn positions_are_read_in_every_form() {
        for (fen, sfen) in [
            ("r1nsgk/5p/6/6/P5/KGSNBR[-] b - 1", "r1nsgk/5p/6/6/P5/KGSNBR w - 2"),
            ("r1nsgk/5p/6/6/P5/KGSNBR b", "r1nsgk/5p/6/6/P5/KGSNBR w - 2"),
            ("5k/6/6/6/6/K5[sGRsG] w - - 0 3", "5k/6/6/6/6/K5 b R2G2s 5"),
            ("5k/6/6/6/6/K5[] w 0 0", "5k/6/6/6/6/K5 b - 1"),
            // As `to_fen` writes the last move number of SFEN.
            ("5k/6/6/6/6/K5[] w 0 2147483648", "5k/6/6/6/6/K5 b - 4294967295"),
        ] {
            assert_eq!(parse_fen(fen).unwrap().to_string(), sfen, "{fen}");
        }
        for (fen, error) in [
            ("", "the SFEN has no board"),
            ("5k/6/6/6/6/K5", "the SFEN has no side to move"),
            ("5k/6/6/6/6/K5[G w", "the hands must be '-' or letters of R B G S N P with counts of at most 2, not 'G'"),
            ("5k/6/6/6/6/K5[X] w", "the hands must be '-' or letters of R B G S N P with counts of at most 2, not 'X'"),
            ("5k/6/6/6/6/K5[] x", "the side to move must be 'b' or 'w', not 'x'"),
            ("5k/6/6/6/6/K5[] w 0 x", "the move number must be a whole number below 2^32 (2^31 in FEN), not 'x'"),
            (
                "5k/6/6/6/6/K5[] w 0 4294967295",
                "the move number must be a whole number below 2^32 (2^31 in FEN), not '4294967295'",
            ),
            ("5k/6/6/6/6/6[] w", "Black has no king"),
        ] {
            assert_eq!(parse_fen(fen).unwrap_err().to_string(), error, "{fen}");
        }
        let position: Position = "+R1nsgk/5p/6/6/6/KGSN2 w RBp 9".parse().unwrap();
        assert_eq!(parse_fen(&to_fen(&position)).map(|read| read.key()), Ok(position.key()));
    }
}
