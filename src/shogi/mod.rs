//! The game: board, pieces, moves, rules, and how they are written. Knows nothing of engines.

pub mod attacks;
mod bitboard;
mod color;
mod hand;
mod legality;
mod make;
mod movegen;
mod moves;
mod perft;
mod piece;
mod position;
mod setup;
mod sfen;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use hand::Hand;
pub use legality::CheckSquares;
pub use make::{BoardObserver, IllegalMove};
pub use movegen::{MoveSink, Stage};
pub use moves::{Move, MoveList, ParseMoveError};
pub use perft::{perft, perft_divide};
pub use piece::{Piece, PieceKind};
pub use position::{Position, START_SFEN};
pub use setup::{InvalidPosition, Setup};
pub use sfen::{ParseSfenError, SfenError};
pub use square::{BOARD_SIZE, ParseSquareError, Square};
