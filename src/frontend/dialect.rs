//! Detection of a session's protocol, and parsing and formatting in USI or UCI.

use crate::protocol::uci;
use crate::protocol::usi::{Command, CommandError, Response};
use crate::shogi::Move;

/// A protocol of the engine, detected by the first line of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    Usi,
    Uci,
    /// CECP has its own commands and responses: see [`super::xboard`].
    Cecp,
}

impl Dialect {
    /// The protocol that begins with this line; none if the line is empty.
    pub(super) fn of_first_line(line: &str) -> Option<Dialect> {
        Some(match line.split_whitespace().next()? {
            "uci" => Dialect::Uci,
            // Its games wait for searches, which needs threads.
            "xboard" if cfg!(not(target_family = "wasm")) => Dialect::Cecp,
            _ => Dialect::Usi,
        })
    }

    pub(super) fn parse(self, line: &str) -> Result<Option<Command>, CommandError> {
        if self == Dialect::Uci { uci::parse(line) } else { Command::parse(line) }
    }

    pub(super) fn move_text(self, mv: Move) -> String {
        if self == Dialect::Uci { uci::move_text(mv) } else { mv.to_string() }
    }

    pub(super) fn text(self, response: &Response) -> String {
        if self == Dialect::Uci { uci::text(response) } else { response.to_string() }
    }
}
