//! The incremental interface between search and evaluation: moves are played through it, so that a network can follow.

use std::sync::Arc;

use super::nnue::{Accumulators, Inference};
use super::{Evaluation, Observed, handwritten, impasse};
use crate::shogi::{ImpasseRule, Move, Position};

/// An evaluation that follows a search through its tree and updates the network's accumulators move by move. It is the
/// hand-written evaluation until [`Evaluator::begin`] selects another.
#[derive(Default)]
pub struct Evaluator {
    impasse_rule: ImpasseRule,
    network: Option<NetworkState>,
    /// Only without a network of its own.
    observed: Option<Arc<Observed>>,
}

struct NetworkState {
    inference: Arc<Inference>,
    accumulators: Accumulators,
}

impl Evaluator {
    /// Prepares for a search of `root` with lines of at most `plies` plies.
    pub fn begin(&mut self, evaluation: &Evaluation, impasse_rule: ImpasseRule, root: &Position, plies: usize) {
        self.impasse_rule = impasse_rule;
        self.observed = match evaluation {
            Evaluation::Observed(observed) => Some(Arc::clone(observed)),
            _ => None,
        };
        let Evaluation::Network(inference) = evaluation else {
            self.network = None;
            return;
        };
        // Reuse the last search's allocation.
        let kept = self.network.take().map(|network| network.accumulators).filter(|kept| kept.plies() >= plies);
        let mut accumulators = kept.unwrap_or_else(|| Accumulators::new(plies));
        accumulators.begin(inference, root);
        self.network = Some(NetworkState { inference: Arc::clone(inference), accumulators });
    }

    /// Plays a legal move in the position at a ply and returns the new position.
    #[inline]
    #[must_use]
    pub fn play(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        match &mut self.network {
            Some(network) => network.accumulators.play(position, mv, ply),
            None => {
                let child = position.after(mv);
                if let Some(observed) = &self.observed {
                    (observed.visit)(&child);
                }
                child
            }
        }
    }

    /// Plays a null move in the position at a ply and returns the new position.
    #[inline]
    #[must_use]
    pub fn play_null(&mut self, position: &Position, ply: usize) -> Position {
        if let Some(network) = &mut self.network {
            network.accumulators.play_null(ply);
        }
        let mut child = position.clone();
        child.play_null();
        child
    }

    /// The score of the position at a ply, in centipawns for the side to move. It must be the position played last, or
    /// one on the line to it.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        match &mut self.network {
            Some(NetworkState { inference, accumulators }) => {
                accumulators.evaluate(inference, position, ply) + impasse::score(position, self.impasse_rule)
            }
            None => match &self.observed {
                Some(observed) => observed.evaluation.evaluate(position, self.impasse_rule),
                None => handwritten::evaluate(position, self.impasse_rule),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn an_evaluator_says_what_the_evaluation_says() {
        let rule = ImpasseRule::Points12;
        let mut evaluator = Evaluator::default();
        let visited = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&visited);
        let observed = Evaluation::Observed(Arc::new(Observed {
            evaluation: Evaluation::default(),
            visit: Box::new(move |_| {
                count.fetch_add(1, Ordering::Relaxed);
            }),
        }));
        let mut played = 0;
        for evaluation in [Evaluation::default(), Evaluation::Handwritten, observed, Evaluation::default()] {
            for line in include_str!("../../tests/data/perft.epd").lines() {
                let root: Position = line.split(';').next().unwrap().parse().unwrap();
                evaluator.begin(&evaluation, rule, &root, 2);
                assert_eq!(evaluator.evaluate(&root, 0), evaluation.evaluate(&root, rule));
                for mv in root.legal_moves() {
                    let child = evaluator.play(&root, mv, 0);
                    played += usize::from(matches!(evaluation, Evaluation::Observed(_)));
                    assert_eq!(evaluator.evaluate(&child, 1), evaluation.evaluate(&child, rule), "{child}");
                    if !child.in_check() {
                        let after_null = evaluator.play_null(&child, 1);
                        let expected = evaluation.evaluate(&after_null, rule);
                        assert_eq!(evaluator.evaluate(&after_null, 2), expected, "{after_null}");
                    }
                }
            }
        }
        assert_eq!(visited.load(Ordering::Relaxed), played);
    }
}
