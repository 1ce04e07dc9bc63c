use std::sync::atomic::{AtomicU64, Ordering};

use crate::shogi::Move;

/// The moves that threads are searching at the moment (Tom Kerrigan's "Simplified ABDADA", 2017): a thread defers a
/// move that another one is searching, and finds its result in the table later. A hint only: colliding entries
/// overwrite each other, and a lost entry costs a move searched twice.
pub(super) struct Abdada(Box<[AtomicU64]>);

const SLOTS: usize = 1 << 13;

/// Hashes a move with the key of its position.
fn signature(key: u64, mv: Move) -> u64 {
    (key ^ u64::from(mv.bits())).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Abdada {
    /// An empty table: no thread is searching.
    pub(super) fn new() -> Abdada {
        Abdada((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    fn slot(&self, signature: u64) -> &AtomicU64 {
        &self.0[(signature >> 32) as usize % SLOTS]
    }

    /// Whether a thread is searching this move in the position with this key.
    #[inline]
    pub(super) fn is_searching(&self, key: u64, mv: Move) -> bool {
        let signature = signature(key, mv);
        self.slot(signature).load(Ordering::Relaxed) == signature
    }

    /// Notes that this thread searches a move, until the guard is dropped.
    #[inline]
    pub(super) fn begin(&self, key: u64, mv: Move) -> Searching<'_> {
        let signature = signature(key, mv);
        let slot = self.slot(signature);
        slot.store(signature, Ordering::Relaxed);
        Searching { slot, signature }
    }
}

/// A move that this thread is searching.
pub(super) struct Searching<'a> {
    slot: &'a AtomicU64,
    signature: u64,
}

impl Drop for Searching<'_> {
    #[inline]
    fn drop(&mut self) {
        // Another thread may have overwritten the slot, and clears it itself.
        if self.slot.load(Ordering::Relaxed) == self.signature {
            self.slot.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_being_searched_until_its_guard_is_dropped() {
        let abdada = Abdada::new();
        let [mv, other]: [Move; 2] = ["6e6d", "6e6c"].map(|mv| mv.parse().unwrap());
        assert!(!abdada.is_searching(77, mv));
        let searching = abdada.begin(77, mv);
        assert!(abdada.is_searching(77, mv) && !abdada.is_searching(77, other) && !abdada.is_searching(78, mv));
        drop(searching);
        assert!(!abdada.is_searching(77, mv));
    }
}
