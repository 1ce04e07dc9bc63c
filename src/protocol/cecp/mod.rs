//! CECP, the protocol of XBoard, version 2: moves and positions as in [`super::uci`], a clock that the program announces,
//! and an engine that keeps the game by itself.

mod command;
mod response;

pub use command::{Command, CommandError, Level};
pub use response::{Response, Thinking};
