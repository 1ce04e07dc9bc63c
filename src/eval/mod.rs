//! Static evaluation: a neural network ([`nnue`]) or hand-written terms ([`handwritten`]). This file selects one.
//!
//! Scores are in centipawns; 300 centipawns correspond to a winning chance of 73 % (odds of e to 1).

mod evaluator;
pub mod handwritten;
mod impasse;
pub mod nnue;
mod observed;

use std::sync::Arc;

use crate::shogi::{ImpasseRule, Position};
use nnue::Inference;

pub use evaluator::Evaluator;
pub use observed::Observed;

/// The input of an evaluation besides the position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The impasse rule in force.
    pub impasse_rule: ImpasseRule,
}

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

impl Evaluation {
    /// The score of a position in centipawns for the side to move, computed from scratch.
    pub fn evaluate(&self, position: &Position, context: &Context) -> i32 {
        match self {
            Evaluation::Network(inference) => {
                inference.evaluate(position) + impasse::score(position, context.impasse_rule)
            }
            Evaluation::Handwritten => handwritten::evaluate(position, context),
            Evaluation::Observed(observed) => observed.evaluation.evaluate(position, context),
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
        let score = |impasse_rule| Evaluation::default().evaluate(&position, &Context { impasse_rule });
        assert_eq!(score(ImpasseRule::None), Inference::embedded().evaluate(&position));
        let prospects = impasse::prospects(&position, ImpasseRule::Try);
        assert_ne!(prospects[0], prospects[1]);
        assert_eq!(score(ImpasseRule::Try), score(ImpasseRule::None) + prospects[0] - prospects[1]);
    }
}
