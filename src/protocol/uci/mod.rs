//! UCI with variants, as chess programs speak it: squares `a1` to `f6` from Black's left, drops `P@c3`, positions in
//! FEN with the hands in brackets. The side that moves first, Black in shogi, is `w` there.
//!
//! [`parse`] converts its lines to the commands of USI, and [`text`] writes the responses of USI in UCI.

mod command;
mod notation;
mod response;

pub use crate::shogi::notation::fen::{move_text, parse_fen, parse_move, to_fen};
pub use command::parse;
pub use notation::go_text;
pub(in crate::protocol) use response::moves_to_mate;
pub use response::{plies_to_mate, text};
