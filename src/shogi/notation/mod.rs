//! Notations of moves in game records: [`western`], [`japanese`], and chess's algebraic notation ([`san`]); and moves
//! and positions as chess programs write them ([`fen`]). People type any of them ([`any`]).
//!
//! Records write the kind of the piece and its destination, and the origin only where several pieces of the kind may
//! *legally* move there. Therefore a text denotes a move only together with its position.

pub mod any;
pub mod fen;
pub mod japanese;
pub mod san;
pub mod western;

use super::{Bitboard, Move, PieceKind, Position, Square};

/// The kind of the piece that a move moves or drops.
///
/// # Panics
/// If the move starts from an empty square.
pub(crate) fn moved_kind(position: &Position, mv: Move) -> PieceKind {
    let moved = || mv.from().and_then(|from| position.piece_at(from)).expect("a move starts from a piece");
    mv.dropped().unwrap_or_else(|| moved().kind())
}

/// The reason why a text is not read as a move in a position, for Western and algebraic notation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseNotationError {
    /// The text does not have the form of a move in the notation of this name.
    #[error("'{0}' is not a move in {1} notation")]
    NotAMove(String, &'static str),
    /// The text has the form of a move, but matches no legal one.
    #[error("'{0}' is not a legal move")]
    NoSuchMove(String),
    /// The text matches several legal moves, two of which are given: something that tells them apart is missing.
    #[error("'{0}' may mean {1} or {2}")]
    Ambiguous(String, Move, Move),
}

/// The only legal move that fits a text.
fn only_fitting(position: &Position, text: &str, fits: impl Fn(Move) -> bool) -> Result<Move, ParseNotationError> {
    let mut fitting = position.legal_moves().into_iter().filter(|&mv| fits(mv));
    match (fitting.next(), fitting.next()) {
        (None, _) => Err(ParseNotationError::NoSuchMove(text.to_owned())),
        (Some(mv), None) => Ok(mv),
        (Some(mv), Some(other)) => Err(ParseNotationError::Ambiguous(text.to_owned(), mv, other)),
    }
}

/// The origins from which the mover's pieces of a kind, unpromoted or promoted, may legally go to `to`.
fn origins(position: &Position, kind: PieceKind, to: Square) -> Bitboard {
    let may_go = |&from: &Square| [false, true].into_iter().any(|it| position.is_legal(Move::board(from, to, it)));
    position.pieces(position.side_to_move(), kind).without(to.into()).into_iter().filter(may_go).collect()
}

/// Whether the piece of a legal move may promote and may decline promotion.
fn has_promotion_choice(position: &Position, mv: Move) -> bool {
    mv.from().is_some_and(|from| position.is_legal(Move::board(from, mv.to(), !mv.promotes())))
}

#[cfg(test)]
mod samples {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::{Color, Hand, Piece, Setup};
    use super::*;

    /// Positions of random games with the move that led to each, and positions with scattered pieces. In the latter,
    /// both pieces of a kind often belong to one player, so moves are ambiguous.
    pub(super) fn positions() -> Vec<(Position, Option<Move>)> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut positions = Vec::new();
        for _ in 0..30 {
            let (mut position, mut previous) = (Position::startpos(), None);
            for _ in 0..120 {
                positions.push((position.clone(), previous));
                let Some(&mv) = position.legal_moves().choose(&mut random) else { break };
                position.play(mv);
                previous = Some(mv);
            }
        }
        let scattered = (0..20_000).filter_map(|_| Position::try_from(&scattered(&mut random)).ok());
        positions.extend(scattered.map(|position| (position, None)));
        positions
    }

    /// Scatters all pieces over the board and the hands; [`None`] if the position is invalid.
    fn scattered(random: &mut Xoshiro256PlusPlus) -> Setup {
        let mut setup = Setup {
            board: [None; Square::COUNT],
            hands: [Hand::EMPTY; 2],
            side_to_move: Color::ALL[random.random_range(0..2)],
            move_number: 1,
        };
        let mut put = |piece: Piece, random: &mut Xoshiro256PlusPlus| {
            setup.board[random.random_range(0..Square::COUNT)].get_or_insert(piece);
        };
        for color in Color::ALL {
            put(Piece::new(color, PieceKind::King), random);
        }
        for kind in PieceKind::DROPPABLE {
            let owner = Color::ALL[random.random_range(0..2)];
            let promoted = kind.promoted().filter(|_| random.random_bool(0.5)).unwrap_or(kind);
            for _ in 0..2 {
                let color = if random.random_bool(0.25) { !owner } else { owner };
                if random.random_bool(0.25) {
                    setup.hands[color.index()].add(kind);
                } else {
                    put(Piece::new(color, promoted), random);
                }
            }
        }
        setup
    }
}
