use std::fmt;

use super::Fault;
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
    pub(super) fn won(winner: Color, reason: EndReason, why: impl fmt::Display) -> Outcome {
        Outcome { winner: Some(winner), reason, detail: format!("{winner} wins: {why}") }
    }

    pub(super) fn drawn(reason: EndReason, why: impl fmt::Display) -> Outcome {
        Outcome { winner: None, reason, detail: format!("draw: {why}") }
    }

    /// The outcome after a fault of the engine with this colour and name.
    pub(super) fn fault(loser: Color, name: &str, fault: &Fault) -> Outcome {
        let reason = match fault {
            Fault::NoStart { .. } => EndReason::NoStart,
            Fault::Crashed(_) => EndReason::Crash,
            Fault::ClosedOutput => EndReason::ClosedOutput,
            Fault::Hung(_) => EndReason::Hang,
            Fault::OutOfTime { .. } => EndReason::Time,
            Fault::Flooded => EndReason::Flood,
            Fault::UnreadableMove(_) => EndReason::Nonsense,
            Fault::UnaskedMove(_) => EndReason::UnaskedMove,
        };
        Outcome::won(!loser, reason, format_args!("{name} {fault}"))
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
    fn a_fault_loses() {
        let outcome = Outcome::fault(Color::Black, "one", &Fault::ClosedOutput);
        assert_eq!((outcome.winner, outcome.reason), (Some(Color::White), EndReason::ClosedOutput));
        assert!(outcome.detail.starts_with("White wins: one "), "{outcome:?}");
    }

    #[test]
    fn no_contest_is_a_draw_by_repetition_or_impasse() {
        let drawn = |reason| Outcome::drawn(reason, "drawn");
        assert!([EndReason::Sennichite, EndReason::Impasse].map(drawn).iter().all(Outcome::is_no_contest));
        assert!(!drawn(EndReason::MoveLimit).is_no_contest());
        assert!(!Outcome::won(Color::White, EndReason::Impasse, "won").is_no_contest());
    }
}
