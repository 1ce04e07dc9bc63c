//! Marks of moves, by what they lost of the chance to win.

use serde::Serialize;

use crate::record::Mark;

/// The least loss of an inaccuracy, as a share of the chance to win.
pub const INACCURACY: f64 = 0.07;
/// The least loss of a mistake.
pub const MISTAKE: f64 = 0.13;
/// The least loss of a blunder.
pub const BLUNDER: f64 = 0.25;

/// How good or bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveMark {
    /// The only good move, and it gives up material.
    Brilliant,
    /// The only good move: the second best would have lost 0.2 of the chance to win or more. Recaptures are left out.
    Only,
    /// It lost [`INACCURACY`] or more of the chance to win.
    Inaccuracy,
    /// It lost [`MISTAKE`] or more.
    Mistake,
    /// It lost [`BLUNDER`] or more.
    Blunder,
}

impl MoveMark {
    /// Every mark, the best first.
    pub const ALL: [MoveMark; 5] =
        [MoveMark::Brilliant, MoveMark::Only, MoveMark::Inaccuracy, MoveMark::Mistake, MoveMark::Blunder];

    /// The mark for a loss, if it is large enough.
    pub fn of_loss(loss: f64) -> Option<MoveMark> {
        [(BLUNDER, MoveMark::Blunder), (MISTAKE, MoveMark::Mistake), (INACCURACY, MoveMark::Inaccuracy)]
            .into_iter()
            .find_map(|(least, mark)| (loss >= least).then_some(mark))
    }

    /// The sign of chess literature that records have for it; an only move has none.
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
