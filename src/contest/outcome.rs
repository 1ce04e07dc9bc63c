//! How a game of a match ended: by the rules, by adjudication or by an engine's fault.

use std::fmt;

use crate::shogi::{Color, EndReason, GameResult};

/// The outcome of a match's game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; none in a draw.
    pub winner: Option<Color>,
    pub reason: EndReason,
    /// The reason in words.
    pub detail: String,
}

impl Outcome {
    pub(crate) fn won(winner: Color, reason: EndReason, why: impl fmt::Display) -> Outcome {
        Outcome { winner: Some(winner), reason, detail: format!("{winner} wins: {why}") }
    }

    pub(crate) fn drawn(reason: EndReason, why: impl fmt::Display) -> Outcome {
        Outcome { winner: None, reason, detail: format!("draw: {why}") }
    }
}

impl From<GameResult> for Outcome {
    fn from(result: GameResult) -> Outcome {
        Outcome { winner: result.winner, reason: result.reason, detail: result.to_string() }
    }
}
