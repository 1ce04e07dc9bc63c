//! What a position is worth: by a learned network ([`nnue`]) or by hand-written terms ([`handwritten`]), and which of the two
//! is used.
//!
//! Scores are in centipawns: 300 are odds of e to 1 (73 %) of winning.

pub mod handwritten;
mod impasse;
pub mod nnue;

use std::sync::Arc;

use crate::shogi::{ImpasseRule, Move, Position};
use nnue::{Accumulators, Inference};

/// What the evaluation must know beside the position.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The impasse rule in force.
    pub impasse_rule: ImpasseRule,
}

/// Which evaluation is used.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The learned one, with its network.
    Network(Arc<Inference>),
    /// The hand-written one.
    Handwritten,
}

impl Evaluation {
    /// The worth of a position in centipawns, from the point of view of the side to move.
    pub fn evaluate(&self, position: &Position, context: &Context) -> i32 {
        match self {
            Evaluation::Network(inference) => inference.evaluate(position) + impasse_score(position, context),
            Evaluation::Handwritten => handwritten::evaluate(position, context),
        }
    }
}

/// The learned one, with the network that the program is built with.
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

/// What an impasse promises the side to move. That is arithmetic and depends on the rule in force: nothing to be learned.
#[inline]
fn impasse_score(position: &Position, context: &Context) -> i32 {
    let prospects = impasse::prospects(position, context.impasse_rule);
    let us = position.side_to_move();
    prospects[us.index()] - prospects[(!us).index()]
}

/// An evaluation that goes along with a search, down its tree and back.
pub struct Evaluator {
    context: Context,
    learned: Option<Learned>,
}

struct Learned {
    inference: Arc<Inference>,
    accumulators: Accumulators,
}

impl Evaluator {
    /// The hand-written evaluation.
    pub fn new(context: Context) -> Evaluator {
        Evaluator { context, learned: None }
    }

    /// Begins a search of a position, of lines of up to so many plies.
    pub fn begin(&mut self, evaluation: &Evaluation, context: Context, root: &Position, plies: usize) {
        self.context = context;
        let Evaluation::Network(inference) = evaluation else {
            self.learned = None;
            return;
        };
        // Those of the last search serve again.
        let kept = self.learned.take().map(|learned| learned.accumulators).filter(|kept| kept.plies() >= plies);
        let mut accumulators = kept.unwrap_or_else(|| Accumulators::new(plies));
        accumulators.begin(inference, root);
        self.learned = Some(Learned { inference: Arc::clone(inference), accumulators });
    }

    /// The position after a legal move in the position at a ply.
    #[inline]
    #[must_use]
    pub fn play(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        match &mut self.learned {
            Some(learned) => learned.accumulators.play(position, mv, ply),
            None => position.after(mv),
        }
    }

    /// The position after a null move in the position at a ply.
    #[inline]
    #[must_use]
    pub fn play_null(&mut self, position: &Position, ply: usize) -> Position {
        if let Some(learned) = &mut self.learned {
            learned.accumulators.play_null(ply);
        }
        let mut child = position.clone();
        child.play_null();
        child
    }

    /// The worth of the position at a ply in centipawns, from the point of view of the side to move. It is the one that
    /// was played to last, or one before it.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        match &mut self.learned {
            Some(Learned { inference, accumulators }) => {
                accumulators.evaluate(inference, position, ply) + impasse_score(position, &self.context)
            }
            None => handwritten::evaluate(position, &self.context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluator_says_what_the_evaluation_says() {
        let context = Context { impasse_rule: ImpasseRule::Points12 };
        let mut evaluator = Evaluator::new(context);
        for evaluation in [Evaluation::default(), Evaluation::Handwritten, Evaluation::default()] {
            for line in include_str!("../../tests/data/perft.epd").lines() {
                let root: Position = line.split(';').next().unwrap().parse().unwrap();
                evaluator.begin(&evaluation, context, &root, 2);
                assert_eq!(evaluator.evaluate(&root, 0), evaluation.evaluate(&root, &context));
                for mv in root.legal_moves() {
                    let child = evaluator.play(&root, mv, 0);
                    assert_eq!(evaluator.evaluate(&child, 1), evaluation.evaluate(&child, &context), "{child}");
                    if !child.in_check() {
                        let after_null = evaluator.play_null(&child, 1);
                        let expected = evaluation.evaluate(&after_null, &context);
                        assert_eq!(evaluator.evaluate(&after_null, 2), expected, "{after_null}");
                    }
                }
            }
        }
    }

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
