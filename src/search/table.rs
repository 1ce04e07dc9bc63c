//! The transposition table, which the search threads share.

use std::sync::atomic::{AtomicU8, Ordering};

use bytemuck::Zeroable;
#[cfg(not(target_family = "wasm"))]
use rayon::prelude::*;

use super::score::{DECIDED_BOUND, MAX_PLY};
use super::slot::Slot;
use crate::huge_pages::{HugePages, OutOfMemory};
use crate::score::Bound;
use crate::shogi::Move;
use crate::shogi::zobrist::place;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtEntry {
    /// The best move, if one was found.
    pub mv: Option<Move>,
    /// The score; decided scores count plies from the position itself.
    pub score: i32,
    /// The static evaluation; none in check.
    pub eval: Option<i32>,
    /// The depth of the search, in plies; 0 for quiescence.
    pub depth: i32,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Whether the node was a PV node, or failed low below one.
    pub pv: bool,
}

impl TtEntry {
    /// Whether the score causes a cut-off with this window.
    #[inline]
    pub fn cuts_off(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// Whether the score is a tighter estimate than this static evaluation.
    #[inline]
    pub fn is_sharper(&self, eval: i32) -> bool {
        self.score.abs() < DECIDED_BOUND
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score > eval,
                Bound::Upper => self.score < eval,
            }
    }
}

const SLOTS: usize = 4;

/// A cache line: the slots of a position.
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

// SAFETY: a bucket consists of atomic integers only, for which all bits zero is the value 0; the alignment adds no
// bytes, since four slots of 16 bytes fill the 64.
unsafe impl Zeroable for Bucket {}

/// The stored evaluation of entries without one.
const NO_EVAL: i16 = i16::MIN;

/// Generations are counted in this many bits.
const GENERATION_BITS: u32 = 5;

fn pack(entry: &TtEntry, generation: u8) -> u64 {
    let mv = entry.mv.map_or(0, Move::bits);
    let score = entry.score as i16 as u16;
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16) as u16;
    let depth = entry.depth.clamp(0, u8::MAX.into()) as u8;
    let flags = entry.bound as u8 | u8::from(entry.pv) << 2 | generation << 3;
    u64::from(mv) | u64::from(score) << 16 | u64::from(eval) << 32 | u64::from(depth) << 48 | u64::from(flags) << 56
}

fn unpack(data: u64) -> Option<TtEntry> {
    let eval = (data >> 32) as u16 as i16;
    let flags = (data >> 56) as u8;
    let bound = match flags & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(TtEntry {
        mv: Move::from_bits(data as u16),
        score: (data >> 16) as u16 as i16 as i32,
        eval: (eval != NO_EVAL).then_some(eval.into()),
        depth: (data >> 48) as u8 as i32,
        bound,
        pv: flags & 4 != 0,
    })
}

/// A transposition table of fixed size.
pub struct TranspositionTable {
    buckets: HugePages<Bucket>,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// Allocates an empty table of at least one MiB.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the allocation fails.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, OutOfMemory> {
        Ok(TranspositionTable { buckets: HugePages::table(mebibytes, "hash")?, generation: AtomicU8::new(0) })
    }

    /// Clears all entries, on the threads of the current `rayon` pool.
    pub fn clear(&mut self) {
        #[cfg(not(target_family = "wasm"))]
        self.buckets.par_chunks_mut(1 << 14).for_each(bytemuck::fill_zeroes);
        #[cfg(target_family = "wasm")]
        bytemuck::fill_zeroes(&mut self.buckets);
        *self.generation.get_mut() = 0;
    }

    /// Begins a new generation. Entries of older generations are replaced first.
    pub fn new_search(&self) {
        let next = (self.generation() + 1) & ((1 << GENERATION_BITS) - 1);
        self.generation.store(next, Ordering::Relaxed);
    }

    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[place(key, self.buckets.len())]
    }

    /// Prefetches the bucket of a position into the cache.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables))]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch accesses no memory, regardless of the address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.bucket(key)).cast());
        }
    }

    /// The entry of the position with this key, `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        for slot in &self.bucket(key).0 {
            let (stored, data) = slot.load();
            if stored == key {
                let mut entry = unpack(data)?;
                entry.score = from_stored(entry.score, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Stores the entry of a position, `ply` plies from the root.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        let generation = self.generation();
        entry.score = to_stored(entry.score, ply);
        let mut replaced = None;
        let mut least = i32::MAX;
        for slot in &self.bucket(key).0 {
            let (stored, data) = slot.load();
            let old = unpack(data);
            if stored == key {
                if let Some(old) = old {
                    // Keep a deeper entry of the same search, unless the new score is exact.
                    let same_search = (data >> 59) as u8 == generation;
                    if entry.bound != Bound::Exact && same_search && entry.depth + 3 < old.depth {
                        return;
                    }
                    entry.mv = entry.mv.or(old.mv);
                }
                replaced = Some(slot);
                break;
            }
            let worth = old.map_or(i32::MIN, |old| {
                let age = generation.wrapping_sub((data >> 59) as u8) & ((1 << GENERATION_BITS) - 1);
                old.depth - 4 * i32::from(age) + 2 * i32::from(old.pv)
            });
            if worth < least {
                least = worth;
                replaced = Some(slot);
            }
        }
        if let Some(slot) = replaced {
            slot.store(key, pack(&entry, generation));
        }
    }

    /// The share of the table filled with entries of this search, in permille, estimated from a sample.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(Slot::data)
            .filter(|&data| data != 0 && (data >> 59) as u8 == generation)
            .count();
        (used * 1000 / (sample.len() * SLOTS)) as u32
    }
}

/// Converts the plies of a decided score from the distance to the root to the distance to the position.
#[inline]
fn to_stored(score: i32, ply: usize) -> i32 {
    match score {
        DECIDED_BOUND.. => score + ply as i32,
        _ if score <= -DECIDED_BOUND => score - ply as i32,
        _ => score,
    }
}

#[inline]
fn from_stored(score: i32, ply: usize) -> i32 {
    match score {
        DECIDED_BOUND.. => score - ply as i32,
        _ if score <= -DECIDED_BOUND => score + ply as i32,
        _ => score,
    }
}

const _: () = assert!(size_of::<Bucket>() == 64 && MAX_PLY < u8::MAX as usize);

#[cfg(test)]
mod tests {
    use super::super::score::{EVALUATION_BOUND, mated_in, rule_win_in};
    use super::*;

    fn entry(score: i32, depth: i32) -> TtEntry {
        TtEntry { mv: "6e6d".parse().ok(), score, eval: Some(-12), depth, bound: Bound::Exact, pv: true }
    }

    #[test]
    fn a_stored_entry_is_found() {
        let table = TranspositionTable::new(1).unwrap();
        let unknown = TtEntry { mv: None, eval: None, bound: Bound::Lower, pv: false, ..entry(-3, 0) };
        table.store(1 << 60, 0, entry(77, 9));
        table.store(2 << 60, 0, unknown);
        assert_eq!(table.probe(1 << 60, 5), Some(entry(77, 9)));
        assert_eq!(table.probe(2 << 60, 5), Some(unknown));
        assert_eq!(table.probe(3 << 60, 5), None);
    }

    #[test]
    fn a_bound_cuts_off_on_its_own_side_of_the_window() {
        let cuts_off = |bound, score| TtEntry { bound, ..entry(score, 1) }.cuts_off(-10, 20);
        let scores = [-11, -10, -9, 19, 20, 21];
        assert_eq!(scores.map(|score| cuts_off(Bound::Exact, score)), [true; 6]);
        assert_eq!(scores.map(|score| cuts_off(Bound::Lower, score)), [false, false, false, false, true, true]);
        assert_eq!(scores.map(|score| cuts_off(Bound::Upper, score)), [true, true, false, false, false, false]);
    }

    #[test]
    fn a_bound_is_sharper_than_an_evaluation_that_it_excludes() {
        let sharper = |bound, score| TtEntry { bound, ..entry(score, 1) }.is_sharper(5);
        let scores = [-DECIDED_BOUND, 4, 5, 6, DECIDED_BOUND];
        assert_eq!(scores.map(|score| sharper(Bound::Exact, score)), [false, true, true, true, false]);
        assert_eq!(scores.map(|score| sharper(Bound::Lower, score)), [false, false, false, true, false]);
        assert_eq!(scores.map(|score| sharper(Bound::Upper, score)), [false, true, false, false, false]);
    }

    #[test]
    fn decided_scores_are_kept_from_the_position() {
        let table = TranspositionTable::new(1).unwrap();
        let found = |score| {
            // 3 plies below a position that is 7 plies from the root, then 2 plies from the root.
            table.store(5, 7, entry(score, 1));
            table.probe(5, 2).unwrap().score
        };
        for (stored, read) in [(mated_in(10), mated_in(5)), (rule_win_in(10), rule_win_in(5))] {
            assert_eq!([found(stored), found(-stored)], [read, -read]);
        }
        for score in [EVALUATION_BOUND, 1, -EVALUATION_BOUND] {
            assert_eq!(found(score), score);
        }
    }

    #[test]
    fn the_shallowest_of_a_full_bucket_is_replaced() {
        let table = TranspositionTable::new(1).unwrap();
        for key in 0..5 {
            table.store(key, 0, entry(0, 10 - key as i32 % 4));
        }
        let found: Vec<bool> = (0..5).map(|key| table.probe(key, 0).is_some()).collect();
        assert_eq!(found, [true, true, true, false, true]);
    }

    #[test]
    fn a_pv_node_counts_two_plies_and_each_search_since_four_less() {
        let quiet = |depth| TtEntry { pv: false, ..entry(0, depth) };
        // The generation wraps around after 32 searches.
        for searches in [0, 1, 31, 40] {
            // Two entries fill a bucket with two deep ones; the first is a search older than the second.
            let first_stays = |first, second| {
                let table = TranspositionTable::new(1).unwrap();
                (0..searches).for_each(|_| table.new_search());
                table.store(0, 0, first);
                table.new_search();
                for (key, other) in (1..).zip([second, quiet(99), quiet(99), quiet(1)]) {
                    table.store(key, 0, other);
                }
                assert_ne!(table.probe(0, 0).is_some(), table.probe(1, 0).is_some());
                table.probe(0, 0).is_some()
            };
            assert!(first_stays(quiet(10), quiet(5)));
            assert!(!first_stays(quiet(10), quiet(7)));
            assert!(first_stays(entry(0, 9), quiet(6)));
            assert!(!first_stays(quiet(10), entry(0, 5)));
        }
    }

    #[test]
    fn a_bound_does_not_replace_a_deeper_entry_of_its_search() {
        let bound = |depth| TtEntry { bound: Bound::Upper, ..entry(0, depth) };
        let kept = |new: TtEntry, searches| {
            let table = TranspositionTable::new(1).unwrap();
            table.new_search();
            table.store(5, 0, bound(10));
            (0..searches).for_each(|_| table.new_search());
            table.store(5, 0, new);
            table.probe(5, 0) == Some(bound(10))
        };
        assert!(kept(bound(6), 0));
        assert!(!kept(bound(7), 0));
        assert!(!kept(bound(6), 1));
        assert!(!kept(entry(0, 1), 0));
    }

    #[test]
    fn a_move_outlives_an_entry_without_one() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(5, 0, entry(0, 1));
        table.store(5, 0, TtEntry { mv: None, ..entry(3, 2) });
        assert_eq!(table.probe(5, 0), Some(entry(3, 2)));
    }

    #[test]
    fn fullness_counts_the_entries_of_this_search() {
        let table = TranspositionTable::new(1).unwrap();
        let fill = |buckets| {
            for bucket in 0..buckets {
                // The highest bits of a key select one of 2¹⁴ buckets.
                (0..4).for_each(|slot| table.store(bucket << 50 | slot, 0, entry(0, 1)));
            }
        };
        fill(125);
        assert_eq!(table.hashfull(), 500);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        fill(25);
        assert_eq!(table.hashfull(), 100);
    }

    #[test]
    fn clearing_forgets_everything() {
        let mut table = TranspositionTable::new(1).unwrap();
        table.store(5, 0, entry(1, 1));
        table.clear();
        assert_eq!((table.probe(5, 0), table.hashfull()), (None, 0));
    }

    #[test]
    fn too_much_memory_is_refused() {
        assert!(TranspositionTable::new(1 << 40).is_err());
    }
}
