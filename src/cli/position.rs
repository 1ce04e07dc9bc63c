use anyhow::{Context, Result};
use clap::Args;

use judkins::shogi::{Handicap, Position};

/// A position on the command line.
#[derive(Args)]
pub struct PositionArgument {
    /// An SFEN, or a handicap: bishop, rook, two-pieces [default: the start position]
    #[arg(value_name = "SFEN")]
    sfen: Vec<String>,
}

impl PositionArgument {
    /// The position, if one was given.
    pub fn given(&self) -> Result<Option<Position>> {
        Ok(if self.sfen.is_empty() { None } else { Some(self.position()?) })
    }

    /// The position.
    pub fn position(&self) -> Result<Position> {
        let text = self.sfen.join(" ");
        if text.is_empty() || text == "startpos" {
            return Ok(Position::startpos());
        }
        if let Ok(handicap) = text.parse::<Handicap>() {
            return Ok(handicap.position());
        }
        text.parse().with_context(|| format!("'{text}' is no position"))
    }
}
