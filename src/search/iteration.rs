use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::root::RootMove;

/// The deepest iteration that any thread has completed, with its best move. A thread that is still at that depth abandons
/// its own iteration, adopts the best move, and begins the next depth.
#[derive(Default)]
pub(super) struct DeepestIteration {
    /// In plies.
    depth: AtomicUsize,
    best: Mutex<Option<RootMove>>,
}

impl DeepestIteration {
    /// Its depth in plies.
    pub(super) fn depth(&self) -> usize {
        self.depth.load(Ordering::Acquire)
    }

    /// Notes that a thread has completed an iteration. The first one of a depth counts.
    pub(super) fn complete(&self, depth: usize, best: &RootMove) {
        let mut deepest = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > self.depth() {
            *deepest = Some(best.clone());
            self.depth.store(depth, Ordering::Release);
        }
    }

    /// Its depth and best move; none before the first.
    pub(super) fn get(&self) -> (usize, Option<RootMove>) {
        let best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        (self.depth(), best.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thread_to_complete_a_depth_counts() {
        let deepest = DeepestIteration::default();
        let known = || {
            let (depth, best) = deepest.get();
            (depth, best.map(|best| best.mv.to_string()))
        };
        assert_eq!(known(), (0, None));
        for (depth, mv, expected) in
            [(5, "6e6d", (5, "6e6d")), (5, "5f5e", (5, "6e6d")), (4, "5f5e", (5, "6e6d")), (6, "5f5e", (6, "5f5e"))]
        {
            deepest.complete(depth, &RootMove::scored(mv, 0));
            assert_eq!(known(), (expected.0, Some(expected.1.to_owned())), "after {mv} at depth {depth}");
            assert_eq!(deepest.depth(), expected.0);
        }
    }
}
