//! Lock-free slots of the transposition table. `tests/integration/races.rs` checks them with loom.

use super::sync::{AtomicU64, Ordering};

/// A slot of the transposition table, sixteen bytes: the data, and the key mixed with it.
///
/// Threads read and write slots without locks, and the two words of a slot are not written at once. A reader may see
/// the key word of one write and the data of another. Because the key is stored XORed with the data (Hyatt, Mann 2002),
/// such a pair matches no key and counts as a miss. A race loses an entry but never yields a wrong one.
#[derive(Default)]
pub struct Slot {
    key_xor_data: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    #[inline]
    pub fn data(&self) -> u64 {
        self.data.load(Ordering::Relaxed)
    }

    /// Returns the key and the data. If they come from different writes, the key matches no position.
    #[inline]
    pub fn load(&self) -> (u64, u64) {
        let data = self.data();
        (self.key_xor_data.load(Ordering::Relaxed) ^ data, data)
    }

    #[inline]
    pub fn store(&self, key: u64, data: u64) {
        self.key_xor_data.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}
