//! The rules of the game, each with a position in which it decides something.
//!
//! [`moves`] and [`drops`] say which moves are legal, [`endings`] how games end. [`slow_board`] is the rules a second
//! time, written as plainly as they can be; [`slow_generator`] compares it with the generator on random positions.
//! [`slow_referee`] judges games as plainly, and [`slow_verdicts`] compares its verdicts.

mod drops;
mod endings;
mod moves;
mod slow_generator;
mod slow_verdicts;

use judkins::shogi::{Move, Piece, Position, Setup, Square};

/// The moves in a position: (story, SFEN, legal moves, illegal moves).
type Row = (&'static str, &'static str, &'static str, &'static str);

/// A transformation of a row's moves, to test it from either side.
type Turn = fn(Move) -> Move;

/// Checks each row as it stands, and again with board and colours turned round: no rule knows a colour.
fn check(rows: &[Row]) {
    for &(story, sfen, legal, illegal) in rows {
        let there = position(sfen);
        let views: [(Position, Turn); 2] = [(there.clone(), |mv| mv), (turned(&there), turned_move)];
        for (position, turn) in views {
            for (text, expected) in [(legal, true), (illegal, false)] {
                for mv in moves_in(text).into_iter().map(turn) {
                    let must = if expected { "must be" } else { "must not be" };
                    assert_eq!(position.is_legal(mv), expected, "{story}: {mv} {must} legal in {position}");
                    let generated = position.legal_moves().contains(&mv);
                    assert_eq!(generated, expected, "{story}: {mv} {must} generated in {position}");
                }
            }
        }
    }
}

fn position(sfen: &str) -> Position {
    sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// Moves in USI notation, with spaces between them.
fn moves_in(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().unwrap_or_else(|error| panic!("{mv}: {error}"))).collect()
}

/// The same position with the board turned round and the colours exchanged.
fn turned(position: &Position) -> Position {
    let setup = Setup::from(position);
    let mut board = [None; Square::COUNT];
    for square in Square::all() {
        board[square.rotated().index()] =
            setup.board[square.index()].map(|piece| Piece::new(!piece.color(), piece.kind()));
    }
    let [black, white] = setup.hands;
    let turned = Setup { board, hands: [white, black], side_to_move: !setup.side_to_move, ..setup };
    Position::try_from(&turned).expect("a valid position is valid when turned round")
}

fn turned_move(mv: Move) -> Move {
    match (mv.from(), mv.dropped()) {
        (Some(from), _) => Move::board(from.rotated(), mv.to().rotated(), mv.promotes()),
        (None, Some(kind)) => Move::drop(kind, mv.to().rotated()),
        (None, None) => unreachable!("a move is on the board or a drop"),
    }
}
