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

    /// Whether the rules declare the game no contest, so that a tournament would replay it.
    pub fn is_no_contest(&self) -> bool {
        self.winner.is_none() && matches!(self.reason, EndReason::Sennichite | EndReason::Impasse)
    }
}

impl From<GameResult> for Outcome {
    fn from(result: GameResult) -> Outcome {
        Outcome { winner: result.winner, reason: result.reason, detail: result.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_contest_is_a_draw_by_repetition_or_impasse() {
        let drawn = |reason| Outcome::drawn(reason, "drawn");
        assert!([EndReason::Sennichite, EndReason::Impasse].map(drawn).iter().all(Outcome::is_no_contest));
        assert!(!drawn(EndReason::MoveLimit).is_no_contest());
        assert!(!Outcome::won(Color::White, EndReason::Impasse, "won").is_no_contest());
    }
}
