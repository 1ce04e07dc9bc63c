use std::sync::atomic::{AtomicU64, Ordering};

use crate::shogi::Move;

/// What the threads are searching at the moment, so that one that comes to the same position can take other moves first
/// (Tom Kerrigan's "Simplified ABDADA", 2017). It is advice and nothing more: entries push each other out, and one that is
/// missed costs work done twice.
pub(super) struct Busy(Box<[AtomicU64]>);

/// A move in a position.
#[derive(Clone, Copy)]
pub(super) struct Task(u64);

const SLOTS: usize = 1 << 13;

impl Task {
    /// A move in the position with this key.
    #[inline]
    pub(super) fn new(key: u64, mv: Move) -> Task {
        Task((key ^ u64::from(mv.bits())).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl Busy {
    /// Nobody searches anything.
    pub(super) fn new() -> Busy {
        Busy((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    fn slot(&self, task: Task) -> &AtomicU64 {
        &self.0[(task.0 >> 32) as usize % SLOTS]
    }

    /// Whether some thread is at it.
    #[inline]
    pub(super) fn has(&self, task: Task) -> bool {
        self.slot(task).load(Ordering::Relaxed) == task.0
    }

    /// The place of the first of these moves that nobody is at, and of the first of all if there is none.
    pub(super) fn first_free(&self, key: u64, mut moves: impl Iterator<Item = Move>) -> usize {
        moves.position(|mv| !self.has(Task::new(key, mv))).unwrap_or(0)
    }

    /// Somebody begins.
    #[inline]
    pub(super) fn begin(&self, task: Task) {
        self.slot(task).store(task.0, Ordering::Relaxed);
    }

    /// Somebody is done.
    #[inline]
    pub(super) fn end(&self, task: Task) {
        if self.has(task) {
            self.slot(task).store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_begun_is_known_until_it_ends() {
        let busy = Busy::new();
        let task = Task::new(77, "6e6d".parse().unwrap());
        assert!(!busy.has(task));
        busy.begin(task);
        assert!(busy.has(task) && !busy.has(Task::new(77, "6e6c".parse().unwrap())));
        busy.end(task);
        assert!(!busy.has(task));
    }

    #[test]
    fn moves_that_nobody_is_at_come_first() {
        let busy = Busy::new();
        let moves: [Move; 3] = ["6e6d", "6e6c", "P*1b"].map(|mv| mv.parse().unwrap());
        let first_free = || busy.first_free(77, moves.into_iter());
        assert_eq!(first_free(), 0);
        busy.begin(Task::new(77, moves[0]));
        assert_eq!(first_free(), 1);
        moves.into_iter().for_each(|mv| busy.begin(Task::new(77, mv)));
        assert_eq!(first_free(), 0, "all are taken");
    }
}
