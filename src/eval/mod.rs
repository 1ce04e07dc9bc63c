//! Static evaluation: a neural network ([`nnue`]) or hand-written terms ([`handwritten`]). This file selects one.
//!
//! Scores are in centipawns; 300 centipawns correspond to a winning chance of 73 % (odds of e to 1).

mod evaluator;
pub mod handwritten;
mod impasse;
pub mod nnue;

use std::fmt;
use std::sync::Arc;

use crate::shogi::{ImpasseRule, Position};
use nnue::Inference;

pub use evaluator::Evaluator;

/// The evaluation in use.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// A network, with the impasse term added.
    Network(Arc<Inference>),
    /// The hand-written terms.
    Handwritten,
    /// Another evaluation, with an observer of the search.
    Observed(Arc<Observed>),
}

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

impl Evaluation {
    /// The score of a position in centipawns for the side to move, computed from scratch. The impasse rule is the one
    /// in force.
    pub fn evaluate(&self, position: &Position, impasse_rule: ImpasseRule) -> i32 {
        match self {
            Evaluation::Network(inference) => inference.evaluate(position) + impasse::score(position, impasse_rule),
            Evaluation::Handwritten => handwritten::evaluate(position, impasse_rule),
            Evaluation::Observed(observed) => observed.evaluation.evaluate(position, impasse_rule),
        }
    }
}

/// The embedded network.
impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::Network(Inference::embedded())
    }
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Evaluation) -> bool {
        match (self, other) {
            (Evaluation::Network(one), Evaluation::Network(other)) => Arc::ptr_eq(one, other),
            (Evaluation::Handwritten, Evaluation::Handwritten) => true,
            _ => false,
        }
    }
}

impl Eq for Evaluation {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impasse_counts_beside_the_network() {
        let position: Position = "4K1/6/6/4k1/2r2b/6 b RBGSNPgsnp 1".parse().unwrap();
        let score = |impasse_rule| Evaluation::default().evaluate(&position, impasse_rule);
        assert_eq!(score(ImpasseRule::None), Inference::embedded().evaluate(&position));
        let prospects = impasse::prospects(&position, ImpasseRule::Try);
        assert_ne!(prospects[0], prospects[1]);
        assert_eq!(score(ImpasseRule::Try), score(ImpasseRule::None) + prospects[0] - prospects[1]);
    }
}
