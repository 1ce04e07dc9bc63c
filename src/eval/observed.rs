use std::fmt;

use super::Evaluation;
use crate::shogi::Position;

/// An evaluation that shows an observer every position that a search visits, including positions in check. It is
/// slow: it computes every score from scratch.
pub struct Observed {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Called with each position after a move of the search, by the search's threads.
    pub visit: Box<dyn Fn(&Position) + Send + Sync>,
}

impl fmt::Debug for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observed").field("evaluation", &self.evaluation).finish_non_exhaustive()
    }
}
