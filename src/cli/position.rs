//! The argument of the subcommands that show or search a position.

use anyhow::{Context, Result};
use clap::Args;

use judkins::shogi::{Game, Position, PositionText};

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

    /// The position with the moves before it, under the default impasse rule.
    pub fn game(&self) -> Result<Game> {
        let text = self.words.join(" ");
        let text = if text.is_empty() { "startpos" } else { &text };
        PositionText::new(text).game().with_context(|| format!("'{text}' is not a position"))
    }
}

/// The position named by words; none without words.
pub fn position(words: &[String]) -> Result<Option<Position>> {
    let text = words.join(" ");
    let position = || PositionText::new(&text).position().with_context(|| format!("'{text}' is not a position"));
    (!text.is_empty()).then(position).transpose()
}
