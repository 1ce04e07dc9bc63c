//! UCI, as chess programs speak it with variants: squares `a1` to `f6` from Black's left, drops `P@c3`, positions in FEN
//! with the hands in brackets. The side that moves first, Black in shogi, is `w` there.
//!
//! [`parse`] turns its lines into the commands of USI, and [`text`] writes the responses of USI as UCI has them.

mod command;
mod notation;
mod response;

pub use crate::shogi::notation::fen::{move_text, parse_fen, parse_move, to_fen};
pub use command::parse;
pub use notation::go_text;
pub use response::{plies_to_mate, text};
