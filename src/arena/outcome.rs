use std::fmt;

use serde::{Deserialize, Serialize};

use super::Fault;
use crate::shogi::{Color, EndReason, GameResult};

/// How a game of a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
    /// Why, in words for people.
    pub detail: String,
}

/// Why a game ended: in the records, by this name in lower case with dashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The loser is mated.
    Checkmate,
    /// The loser has no legal move, and is not in check.
    NoLegalMove,
    /// The loser resigned.
    Resignation,
    /// The same position for the fourth time.
    Sennichite,
    /// The loser brought it about by checking with every move.
    PerpetualCheck,
    /// Points were counted.
    Impasse,
    /// The winner declared, rightly.
    Declaration,
    /// The loser declared, wrongly.
    WrongDeclaration,
    /// The winner's king reached the other's start square.
    Try,
    /// The loser's move was not legal.
    IllegalMove,
    /// The loser's move came too late.
    Time,
    /// The loser did not answer at all.
    Hang,
    /// The loser's process ended.
    Crash,
    /// The loser did not introduce itself, or was not ready, in time.
    NoStart,
    /// The loser closed its output.
    ClosedOutput,
    /// The loser flooded its output.
    Flood,
    /// The loser's answer cannot be read.
    Nonsense,
    /// The loser answered without being asked.
    UnaskedMove,
    /// The loser's score was hopeless for long enough.
    AdjudicatedWin,
    /// Both scores were close to zero for long enough.
    AdjudicatedDraw,
    /// The game was too long.
    MoveLimit,
}

impl Reason {
    /// Every reason, in the order in which tables show them.
    pub const ALL: [Reason; 21] = [
        Reason::Checkmate,
        Reason::NoLegalMove,
        Reason::Resignation,
        Reason::Sennichite,
        Reason::PerpetualCheck,
        Reason::Impasse,
        Reason::Declaration,
        Reason::WrongDeclaration,
        Reason::Try,
        Reason::IllegalMove,
        Reason::Time,
        Reason::Hang,
        Reason::Crash,
        Reason::NoStart,
        Reason::ClosedOutput,
        Reason::Flood,
        Reason::Nonsense,
        Reason::UnaskedMove,
        Reason::AdjudicatedWin,
        Reason::AdjudicatedDraw,
        Reason::MoveLimit,
    ];

    /// Whether the loser is to blame as a program, not as a player.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            Reason::IllegalMove
                | Reason::WrongDeclaration
                | Reason::Time
                | Reason::Hang
                | Reason::Crash
                | Reason::NoStart
                | Reason::ClosedOutput
                | Reason::Flood
                | Reason::Nonsense
                | Reason::UnaskedMove
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::NoLegalMove => "no legal move",
            Reason::Resignation => "resignation",
            Reason::Sennichite => "sennichite",
            Reason::PerpetualCheck => "perpetual check",
            Reason::Impasse => "impasse",
            Reason::Declaration => "declaration",
            Reason::WrongDeclaration => "wrong declaration",
            Reason::Try => "try",
            Reason::IllegalMove => "illegal move",
            Reason::Time => "time",
            Reason::Hang => "hang",
            Reason::Crash => "crash",
            Reason::NoStart => "no start",
            Reason::ClosedOutput => "closed output",
            Reason::Flood => "flood",
            Reason::Nonsense => "nonsense",
            Reason::UnaskedMove => "unasked move",
            Reason::AdjudicatedWin => "adjudicated win",
            Reason::AdjudicatedDraw => "adjudicated draw",
            Reason::MoveLimit => "move limit",
        })
    }
}

impl Outcome {
    pub(super) fn won(winner: Color, reason: Reason, why: impl fmt::Display) -> Outcome {
        Outcome { winner: Some(winner), reason, detail: format!("{winner} wins: {why}") }
    }

    pub(super) fn drawn(reason: Reason, why: impl fmt::Display) -> Outcome {
        Outcome { winner: None, reason, detail: format!("draw: {why}") }
    }

    /// The engine that has this colour, and this name, did something wrong.
    pub(super) fn fault(loser: Color, name: &str, fault: &Fault) -> Outcome {
        let reason = match fault {
            Fault::NoStart { .. } => Reason::NoStart,
            Fault::Crashed(_) => Reason::Crash,
            Fault::ClosedOutput => Reason::ClosedOutput,
            Fault::Hung(_) => Reason::Hang,
            Fault::OutOfTime { .. } => Reason::Time,
            Fault::Flooded => Reason::Flood,
            Fault::UnreadableMove(_) => Reason::Nonsense,
            Fault::UnaskedMove(_) => Reason::UnaskedMove,
        };
        Outcome::won(!loser, reason, format_args!("{name} {fault}"))
    }

    /// Whether the game is no contest by the rules, so that a tournament would have it played again.
    pub fn is_no_contest(&self) -> bool {
        self.winner.is_none() && matches!(self.reason, Reason::Sennichite | Reason::Impasse)
    }
}

impl From<GameResult> for Outcome {
    fn from(result: GameResult) -> Outcome {
        let reason = match result.reason {
            EndReason::Checkmate => Reason::Checkmate,
            EndReason::NoLegalMove => Reason::NoLegalMove,
            EndReason::Sennichite => Reason::Sennichite,
            EndReason::PerpetualCheck => Reason::PerpetualCheck,
            EndReason::ImpassePoints(_) => Reason::Impasse,
            EndReason::Declaration => Reason::Declaration,
            EndReason::WrongDeclaration => Reason::WrongDeclaration,
            EndReason::Try => Reason::Try,
            EndReason::IllegalMove(_) => Reason::IllegalMove,
        };
        Outcome { winner: result.winner, reason, detail: result.to_string() }
    }
}
