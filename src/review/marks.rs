//! Marks of moves by their loss of winning chance.

use serde::{Deserialize, Serialize};

use crate::record::Mark;

/// The least loss of an inaccuracy, as a share of the winning chance.
pub const INACCURACY: f64 = 0.07;
/// The least loss of a mistake.
pub const MISTAKE: f64 = 0.13;
/// The least loss of a blunder.
pub const BLUNDER: f64 = 0.25;

/// The quality of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveMark {
    /// The only good move, and it gives up material.
    Brilliant,
    /// The only good move: the second best loses at least 0.2 of the winning chance. Recaptures are excluded.
    Only,
    /// It lost at least [`INACCURACY`] of the winning chance.
    Inaccuracy,
    /// It lost at least [`MISTAKE`].
    Mistake,
    /// It lost at least [`BLUNDER`].
    Blunder,
}

impl MoveMark {
    /// All marks, the best first.
    pub const ALL: [MoveMark; 5] =
        [MoveMark::Brilliant, MoveMark::Only, MoveMark::Inaccuracy, MoveMark::Mistake, MoveMark::Blunder];

    /// The mark for a loss, if it is large enough.
    pub fn of_loss(loss: f64) -> Option<MoveMark> {
        [(BLUNDER, MoveMark::Blunder), (MISTAKE, MoveMark::Mistake), (INACCURACY, MoveMark::Inaccuracy)]
            .into_iter()
            .find_map(|(least, mark)| (loss >= least).then_some(mark))
    }

    /// Its sign of chess literature in records; an only move has none.
    pub fn sign(self) -> Option<Mark> {
        match self {
            MoveMark::Brilliant => Some(Mark::Brilliant),
            MoveMark::Only => None,
            MoveMark::Inaccuracy => Some(Mark::Dubious),
            MoveMark::Mistake => Some(Mark::Mistake),
            MoveMark::Blunder => Some(Mark::Blunder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_marked_by_their_size() {
        for (loss, mark) in [
            (0.0, None),
            (0.069, None),
            (0.07, Some(MoveMark::Inaccuracy)),
            (0.13, Some(MoveMark::Mistake)),
            (0.25, Some(MoveMark::Blunder)),
            (1.0, Some(MoveMark::Blunder)),
        ] {
            assert_eq!(MoveMark::of_loss(loss), mark, "{loss}");
        }
    }
}
