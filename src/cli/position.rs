use anyhow::{Context, Result};
use clap::Args;

use judkins::shogi::{Position, PositionText};

/// A position on the command line.
#[derive(Args)]
pub struct PositionArgument {
    /// An SFEN, `startpos` or a handicap (bishop, rook, two-pieces), optionally followed by moves in USI [default:
    /// startpos]
    #[arg(value_name = "SFEN")]
    words: Vec<String>,
}

impl PositionArgument {
    /// The position, if one was given.
    pub fn given(&self) -> Result<Option<Position>> {
        position(&self.words)
    }

    /// The position.
    pub fn position(&self) -> Result<Position> {
        Ok(self.given()?.unwrap_or_else(Position::startpos))
    }
}

/// The position named by words; none without words.
pub fn position(words: &[String]) -> Result<Option<Position>> {
    let text = words.join(" ");
    let position = || PositionText::new(&text).position().with_context(|| format!("'{text}' is no position"));
    (!text.is_empty()).then(position).transpose()
}
