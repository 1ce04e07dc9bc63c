//! CECP, the protocol of XBoard, version 2. Moves and positions are written as in [`super::uci`]; the engine keeps the
//! game and the time control.

mod command;
mod response;

pub use command::{Command, CommandError, Level};
pub use response::{Response, Thinking};
