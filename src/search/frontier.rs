use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::root::RootMove;

/// The deepest iteration that some thread has finished, and the best move it found: the others leave it there and go on
/// with the next, so that nobody does over what is done.
#[derive(Default)]
pub(super) struct Frontier {
    depth: AtomicUsize,
    best: Mutex<Option<RootMove>>,
}

impl Frontier {
    /// The depth.
    pub(super) fn depth(&self) -> usize {
        self.depth.load(Ordering::Acquire)
    }

    /// A thread has finished an iteration: the first one counts.
    pub(super) fn advance(&self, depth: usize, best: &RootMove) {
        let mut known = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > self.depth() {
            *known = Some(best.clone());
            self.depth.store(depth, Ordering::Release);
        }
    }

    /// The depth, and the best move of whoever finished it first.
    pub(super) fn get(&self) -> (usize, Option<RootMove>) {
        let known = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        (self.depth(), known.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frontier_keeps_whoever_finished_a_depth_first() {
        let frontier = Frontier::default();
        let known = || {
            let (depth, best) = frontier.get();
            (depth, best.map(|best| best.mv.to_string()))
        };
        assert_eq!(known(), (0, None));
        for (depth, mv, expected) in
            [(5, "6e6d", (5, "6e6d")), (5, "5f5e", (5, "6e6d")), (4, "5f5e", (5, "6e6d")), (6, "5f5e", (6, "5f5e"))]
        {
            frontier.advance(depth, &RootMove::scored(mv, 0));
            assert_eq!(known(), (expected.0, Some(expected.1.to_owned())), "after {mv} at depth {depth}");
            assert_eq!(frontier.depth(), expected.0);
        }
    }
}
