//! A model of the transposition table's slot: every order in which threads may read and write it is tried (loom).

#[path = "../../src/search/slot.rs"]
mod slot;

/// The atomics of the model, which `slot.rs` finds here in place of the processor's.
mod sync {
    pub use loom::sync::atomic::{AtomicU64, Ordering};
}

use loom::sync::Arc;
use slot::Slot;

/// Keys and data of three positions. No two XORs of them are equal, as with random keys.
const ENTRIES: [(u64, u64); 3] = [
    (0x9e37_79b9_7f4a_7c15, 0x0123_4567_89ab_cdef),
    (0xbf58_476d_1ce4_e5b9, 0xfedc_ba98_7654_3210),
    (0x94d0_49bb_1331_11eb, 0x0f1e_2d3c_4b5a_6978),
];

/// Reads the slot; an entry that is found is whole.
fn read(slot: &Slot) {
    let (found, data) = slot.load();
    assert!(
        ENTRIES.iter().all(|&(key, own)| found != key || data == own),
        "{data:x} is the data of another position than {found:x}"
    );
}

/// A thread that stores the entry with this index.
fn writer(slot: &Arc<Slot>, index: usize) -> loom::thread::JoinHandle<()> {
    let slot = Arc::clone(slot);
    loom::thread::spawn(move || slot.store(ENTRIES[index].0, ENTRIES[index].1))
}

fn filled() -> Arc<Slot> {
    let slot = Slot::default();
    slot.store(ENTRIES[0].0, ENTRIES[0].1);
    Arc::new(slot)
}

#[test]
fn a_reader_never_takes_a_torn_slot_for_a_whole_one() {
    loom::model(|| {
        let slot = filled();
        let writer = writer(&slot, 1);
        read(&slot);
        read(&slot);
        writer.join().expect("it does not panic");
        assert_eq!(slot.load(), ENTRIES[1]);
    });
}

#[test]
fn two_writers_leave_one_entry_whole_or_none() {
    loom::model(|| {
        let slot = filled();
        let writers = [writer(&slot, 1), writer(&slot, 2)];
        for writer in writers {
            writer.join().expect("it does not panic");
        }
        read(&slot);
    });
}
