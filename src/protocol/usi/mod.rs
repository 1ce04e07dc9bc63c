//! USI, the Universal Shogi Interface.
//!
//! [`Command::parse`] reads a line from the graphical program; [`Response`] writes one to it.

mod command;
pub(in crate::protocol) mod parse;
mod response;

pub use command::{Command, Go};
pub use parse::CommandError;
pub(in crate::protocol) use response::write_message;
pub use response::{BestMove, Checkmate, Info, MAX_LINE, MateInfo, OptionKind, Response};
