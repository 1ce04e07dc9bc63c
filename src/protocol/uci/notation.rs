use std::fmt::Write;

use crate::protocol::usi::Go;
use crate::shogi::{BOARD_SIZE, Color, Move, ParseSfenError, PieceKind, Position, SfenError, Square};

fn square_name(square: Square) -> String {
    let file = (b'a' + (BOARD_SIZE - square.file()) as u8) as char;
    format!("{file}{}", BOARD_SIZE - square.row())
}

fn parse_square(text: &str) -> Option<Square> {
    let &[file, rank] = text.as_bytes() else { return None };
    let column = file.checked_sub(b'a').filter(|column| usize::from(*column) < BOARD_SIZE)?;
    let rank = rank.checked_sub(b'0').filter(|rank| (1..=BOARD_SIZE as u8).contains(rank))?;
    let (file, row) = (BOARD_SIZE - usize::from(column), BOARD_SIZE - usize::from(rank));
    Square::all().find(|square| square.file() == file && square.row() == row)
}

/// Writes a move: `a2a3`, `e1d2+`, `P@d4`.
///
/// ```
/// use judkins::protocol::uci;
/// assert_eq!(uci::move_text("6e6d".parse().unwrap()), "a2a3");
/// assert_eq!(uci::move_text("P*3c".parse().unwrap()), "P@d4");
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

/// Writes a position in FEN. The move number counts pairs of moves.
///
/// ```
/// use judkins::{protocol::uci, shogi::Position};
/// assert_eq!(uci::fen(&Position::startpos()), "rbnsgk/5p/6/6/P5/KGSNBR[-] w - - 0 1");
/// ```
pub fn fen(position: &Position) -> String {
    let sfen = position.to_string();
    let board = sfen.split(' ').next().unwrap_or_default();
    let mut hands = String::new();
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter() {
            let letter = if color == Color::Black { kind.letter() } else { kind.letter().to_ascii_lowercase() };
            (0..count).for_each(|_| hands.push(letter));
        }
    }
    if hands.is_empty() {
        hands.push('-');
    }
    let side = if position.side_to_move() == Color::Black { 'w' } else { 'b' };
    format!("{board}[{hands}] {side} - - 0 {}", position.move_number().div_ceil(2))
}

/// Reads a position in FEN: `board[hands] w|b`, then any counts, of which the last is the move number. Hands are letters
/// in any order; the brackets of empty hands are empty, hold `-`, or are missing.
///
/// ```
/// use judkins::{protocol::uci, shogi::Position};
/// assert_eq!(uci::parse_fen("rbnsgk/5p/6/6/P5/KGSNBR[] w 0 1"), Ok(Position::startpos()));
/// ```
///
/// # Errors
/// [`SfenError`] as for the same position in SFEN, except that an unknown side is quoted as FEN writes it.
pub fn parse_fen(text: &str) -> Result<Position, SfenError> {
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
        Some(other) => return Err(ParseSfenError::UnknownSide(other.to_owned()).into()),
        None => return Err(ParseSfenError::Missing("side to move").into()),
    };
    let mut pairs = 1;
    for field in fields.filter(|field| *field != "-") {
        pairs = field.parse::<u32>().map_err(|_| ParseSfenError::BadMoveNumber(field.to_owned()))?;
    }
    let number = u64::from(pairs.max(1)) * 2 - u64::from(side == "b");
    let hands = if hands.is_empty() { "-" } else { hands };
    format!("{board} {side} {hands} {number}").parse()
}

/// Writes a `go`. UCI's White is the Black of [`Go`]. Byoyomi is left out: UCI has none.
pub fn go_text(go: &Go) -> String {
    let mut text = String::from("go");
    let times = [("wtime", go.btime), ("btime", go.wtime), ("winc", go.binc), ("binc", go.winc)];
    for (name, time) in times.into_iter().chain([("movetime", go.movetime)]) {
        if let Some(time) = time {
            let _ = write!(text, " {name} {}", time.as_millis());
        }
    }
    let depth = go.depth.map(|depth| format!(" depth {depth}"));
    let nodes = go.nodes.map(|nodes| format!(" nodes {nodes}"));
    text + &depth.unwrap_or_default() + &nodes.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
            assert_eq!(fen(&sfen.parse().unwrap()), fen_text);
        }
    }

    #[test]
    fn positions_are_read_in_every_form() {
        for (fen, sfen) in [
            ("r1nsgk/5p/6/6/P5/KGSNBR[-] b - 1", "r1nsgk/5p/6/6/P5/KGSNBR w - 2"),
            ("r1nsgk/5p/6/6/P5/KGSNBR b", "r1nsgk/5p/6/6/P5/KGSNBR w - 2"),
            ("5k/6/6/6/6/K5[sGRsG] w - - 0 3", "5k/6/6/6/6/K5 b R2G2s 5"),
            ("5k/6/6/6/6/K5[] w 0 0", "5k/6/6/6/6/K5 b - 1"),
        ] {
            assert_eq!(parse_fen(fen).unwrap().to_string(), sfen, "{fen}");
        }
        for (fen, error) in [
            ("", "the SFEN has no board"),
            ("5k/6/6/6/6/K5", "the SFEN has no side to move"),
            ("5k/6/6/6/6/K5[G w", "the hands must be '-' or letters of R B G S N P with counts of at most 2, not 'G'"),
            ("5k/6/6/6/6/K5[X] w", "the hands must be '-' or letters of R B G S N P with counts of at most 2, not 'X'"),
            ("5k/6/6/6/6/K5[] x", "the side to move must be 'b' or 'w', not 'x'"),
            ("5k/6/6/6/6/K5[] w 0 x", "the move number must be a whole number below 2^32, not 'x'"),
            ("5k/6/6/6/6/K5[] w 0 4294967295", "the move number must be a whole number below 2^32, not '8589934589'"),
            ("5k/6/6/6/6/6[] w", "Black has no king"),
        ] {
            assert_eq!(parse_fen(fen).unwrap_err().to_string(), error, "{fen}");
        }
        let position: Position = "+R1nsgk/5p/6/6/6/KGSN2 w RBp 9".parse().unwrap();
        assert_eq!(parse_fen(&fen(&position)).map(|read| read.key()), Ok(position.key()));
    }

    #[test]
    fn the_first_player_is_white_on_the_clock() {
        let ms = |millis| Some(Duration::from_millis(millis));
        let go = Go { btime: ms(1000), wtime: ms(2000), binc: ms(10), winc: ms(20), ..Go::default() };
        assert_eq!(go_text(&go), "go wtime 1000 btime 2000 winc 10 binc 20");
        assert_eq!(go_text(&Go { nodes: Some(5), depth: Some(3), ..Go::default() }), "go depth 3 nodes 5");
        assert_eq!(go_text(&Go { movetime: ms(7), ..Go::default() }), "go movetime 7");
    }
}
