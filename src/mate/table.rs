//! The solver's transposition table.

use std::ops::Range;

use super::search_result::{INFINITE, NO_LOOP, SearchResult, UNLIMITED};
use crate::huge_pages::{HugePages, OutOfMemory};
use crate::shogi::zobrist::place;
use crate::shogi::{Hand, Move};

/// An entry in four words: the key, and three words of data, a [`SearchResult`] and its cost. Empty if the first word
/// of data is 0.
type Slot = [u64; 4];

/// The number of adjacent slots in which a position may be stored.
const WINDOW: usize = 12;

const OPEN: u64 = 1;
const PROVEN: u64 = 2;
const DISPROVEN: u64 = 3;

/// A hash table of fixed size. Keys exclude hands, so a board may have several entries: a proof with one hand holds for
/// better hands, and a disproof with one hand holds for worse hands (dominance; Nagai 2002).
pub struct Table {
    slots: HugePages<Slot>,
    /// Counts calls of [`Table::clear`]. Entries of earlier generations count as empty.
    generation: u32,
}

/// A result of [`Table::probe`].
#[derive(Clone, Copy)]
pub(super) struct TableEntry {
    pub(super) result: SearchResult,
    /// The least depth in plies at which the node was searched.
    pub(super) depth: u16,
}

/// The data of an entry. First word: hand (18 bits), length (10), kind (4), move (16), depth (16); second: proof and
/// disproof number; third: cost and generation.
#[derive(Clone, Copy)]
struct Data([u64; 3]);

impl Data {
    fn new(result: &SearchResult, depth: u16, cost: u32, generation: u32) -> Data {
        let kind = match result {
            result if result.is_proven() => PROVEN,
            result if result.is_disproven() => DISPROVEN,
            _ => OPEN,
        };
        let mv = u64::from(result.mv.map_or(0, Move::bits));
        let first = u64::from(result.hand.bits()) | u64::from(result.length) << 18 | kind << 28 | mv << 32;
        let second = u64::from(result.proof) | u64::from(result.disproof) << 32;
        Data([first | u64::from(depth) << 48, second, u64::from(cost) | u64::from(generation) << 32])
    }

    fn kind(self) -> u64 {
        self.0[0] >> 28 & 3
    }

    fn hand(self) -> Hand {
        Hand::from_bits(self.0[0] as u32 & 0x3_ffff)
    }

    fn length(self) -> u16 {
        (self.0[0] >> 18) as u16 & UNLIMITED
    }

    fn depth(self) -> u16 {
        (self.0[0] >> 48) as u16
    }

    fn cost(self) -> u32 {
        split(self.0[2]).0
    }

    fn result(self) -> SearchResult {
        SearchResult {
            proof: self.0[1] as u32,
            disproof: (self.0[1] >> 32) as u32,
            hand: self.hand(),
            length: self.length(),
            mv: Move::from_bits((self.0[0] >> 32) as u16),
            loop_start: NO_LOOP,
        }
    }

    /// Whether the entry proves or disproves the node with this hand and ply limit.
    fn settles(self, hand: Hand, limit: u16, dominance: bool) -> bool {
        match self.kind() {
            _ if !dominance && hand != self.hand() => false,
            PROVEN => hand.covers(self.hand()) && self.length() <= limit,
            DISPROVEN => self.hand().covers(hand) && self.length() >= limit,
            _ => false,
        }
    }

    /// Whether an older entry of the same board contains nothing beyond this one.
    fn replaces(self, old: Data) -> bool {
        match (self.kind(), old.kind()) {
            (_, OPEN) => old.hand() == self.hand() && (self.kind() != OPEN || old.length() == self.length()),
            (PROVEN, PROVEN) => old.hand().covers(self.hand()) && self.length() <= old.length(),
            (DISPROVEN, DISPROVEN) => self.hand().covers(old.hand()) && self.length() >= old.length(),
            _ => false,
        }
    }
}

/// The data in a slot, if it is of this key.
fn load(&[found, first, second, third]: &Slot, key: u64) -> Option<Data> {
    (found == key && first != 0).then_some(Data([first, second, third]))
}

/// The cost of the entry in a slot; [`None`] if the slot is empty or of an earlier generation.
fn cost(&[_, first, _, third]: &Slot, generation: u32) -> Option<u32> {
    let (cost, stored) = split(third);
    (first != 0 && stored == generation).then_some(cost)
}

/// Splits a word into its low and high half.
fn split(word: u64) -> (u32, u32) {
    (word as u32, (word >> 32) as u32)
}

impl Table {
    /// Allocates an empty table of this size in MiB, at least 1.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the allocation fails.
    pub fn new(mebibytes: usize) -> Result<Table, OutOfMemory> {
        Ok(Table { slots: HugePages::table(mebibytes, "mate")?, generation: 0 })
    }

    /// As [`HugePages::prefault`].
    pub fn prefault(&mut self) {
        self.slots.prefault();
    }

    /// Clears the table in constant time, except once in 2^32 calls.
    pub fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Slot::default());
        }
    }

    /// The key in this generation. The slot of an entry does not depend on the generation, so a search does not depend
    /// on the number of times the table was cleared.
    fn salted(&self, key: u64) -> u64 {
        key ^ u64::from(self.generation).wrapping_mul(0xa076_1d64_78bd_642f)
    }

    /// The share of slots in use, in permille, from a sample of 1000.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        (sample.iter().filter(|slot| cost(slot, self.generation).is_some()).count() * 1000 / sample.len()) as u32
    }

    /// The indices of the slots in which a position may be stored.
    fn window(&self, key: u64) -> Range<usize> {
        let first = place(key, self.slots.len() - WINDOW + 1);
        first..first + WINDOW
    }

    /// Finds a result for a node with this attacker's hand and ply limit. Prefers a proof or disproof, which with
    /// `dominance` may be of another hand.
    pub(super) fn probe(&self, key: u64, hand: Hand, limit: u16, dominance: bool) -> Option<TableEntry> {
        let salted = self.salted(key);
        let mut open = None;
        for data in self.slots[self.window(key)].iter().filter_map(|slot| load(slot, salted)) {
            if data.settles(hand, limit, dominance) {
                return Some(TableEntry { result: data.result(), depth: data.depth() });
            }
            if data.kind() == OPEN && data.hand() == hand && data.length() == limit {
                open = Some(TableEntry { result: data.result(), depth: data.depth() });
            }
        }
        open
    }

    /// Stores the result of a search of `nodes` nodes at this depth in plies. It replaces an entry that it covers, or
    /// else the one that cost the fewest nodes.
    pub(super) fn store(&mut self, key: u64, result: &SearchResult, depth: u16, nodes: u32) {
        debug_assert!(result.proof <= INFINITE && result.disproof <= INFINITE);
        let (salted, generation) = (self.salted(key), self.generation);
        let mut data = Data::new(result, depth, nodes, generation);
        let mut replaced: Option<(&mut Slot, u32)> = None;
        let window = self.window(key);
        for slot in &mut self.slots[window] {
            if let Some(old) = load(slot, salted).filter(|&old| data.replaces(old)) {
                // Add the cost of earlier searches.
                data = Data::new(result, depth.min(old.depth()), nodes.saturating_add(old.cost()), generation);
                replaced = Some((slot, 0));
                break;
            }
            let worth = cost(slot, generation).map_or(0, |cost| cost.max(1));
            if replaced.as_ref().is_none_or(|&(_, least)| worth < least) {
                replaced = Some((slot, worth));
            }
        }
        if let Some((slot, _)) = replaced {
            let Data([first, second, third]) = data;
            *slot = [salted, first, second, third];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::PieceKind::*;

    fn hand(kinds: &[crate::shogi::PieceKind]) -> Hand {
        kinds.iter().copied().collect()
    }

    #[test]
    fn a_better_hand_is_proven_too_and_a_worse_one_disproven() {
        let mut table = Table::new(1).unwrap();
        table.store(7, &SearchResult::mate(hand(&[Gold]), 5, None), 0, 1);
        table.store(7, &SearchResult::no_mate(hand(&[Pawn, Knight]), UNLIMITED, None, NO_LOOP), 0, 1);
        let result =
            |kinds: &[_], limit| table.probe(7, hand(kinds), limit, true).map(|entry| entry.result.is_proven());
        assert_eq!(result(&[Gold, Silver], UNLIMITED), Some(true));
        assert_eq!(result(&[Gold], 5), Some(true));
        assert_eq!(result(&[Gold], 3), None, "it takes five plies");
        assert_eq!(result(&[Pawn], UNLIMITED), Some(false));
        assert_eq!(result(&[], 9), Some(false));
        assert_eq!(result(&[Silver], UNLIMITED), None);
        assert_eq!(result(&[Gold, Pawn, Knight], UNLIMITED), Some(true));
        assert!(table.probe(7, hand(&[Gold, Silver]), UNLIMITED, false).is_none());
    }

    #[test]
    fn a_table_is_as_full_as_what_was_stored_since_it_was_cleared() {
        let mut table = Table::new(1).unwrap();
        assert_eq!(table.hashfull(), 0);
        let step = u64::MAX / table.slots.len() as u64;
        (0..500).for_each(|place| {
            table.store(place * step, &SearchResult::open(1, 1, Hand::EMPTY, UNLIMITED), 0, 1);
        });
        assert!((300..=500).contains(&table.hashfull()), "{}", table.hashfull());
        table.clear();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn a_stronger_result_replaces_a_weaker_one() {
        let mut table = Table::new(1).unwrap();
        table.store(7, &SearchResult::open(3, 4, hand(&[Gold]), UNLIMITED), 9, 10);
        table.store(7, &SearchResult::open(5, 2, hand(&[Gold]), UNLIMITED), 4, 10);
        let used = |table: &Table| table.slots[table.window(7)].iter().filter(|slot| cost(slot, 0).is_some()).count();
        let entry = table.probe(7, hand(&[Gold]), UNLIMITED, true).unwrap();
        assert_eq!((entry.result.proof, entry.result.disproof, entry.depth), (5, 2, 4));
        table.store(7, &SearchResult::mate(hand(&[]), 3, None), 4, 10);
        assert_eq!(used(&table), 2, "another hand's entry stays");
        table.store(7, &SearchResult::mate(hand(&[]), 1, None), 4, 10);
        assert_eq!(used(&table), 2);
    }

    #[test]
    fn clearing_frees_all_slots() {
        let mut table = Table::new(1).unwrap();
        for key in 0..WINDOW as u64 {
            table.store(key, &SearchResult::open(1, 1, Hand::EMPTY, UNLIMITED), 0, 100);
        }
        table.clear();
        assert!((0..WINDOW as u64).all(|key| table.probe(key, Hand::EMPTY, UNLIMITED, true).is_none()));
        assert_eq!(table.hashfull(), 0);
        for key in 0..WINDOW as u64 {
            table.store(key, &SearchResult::open(1, 1, Hand::EMPTY, UNLIMITED), 0, 1);
        }
        assert!((0..WINDOW as u64).all(|key| table.probe(key, Hand::EMPTY, UNLIMITED, true).is_some()));
    }

    #[test]
    fn the_cheapest_entry_goes_when_there_is_no_room() {
        let mut table = Table::new(1).unwrap();
        for key in 0..=WINDOW as u64 {
            table.store(key, &SearchResult::open(1, 1, Hand::EMPTY, UNLIMITED), 0, if key == 5 { 3 } else { 100 });
        }
        let lost: Vec<u64> =
            (0..=WINDOW as u64).filter(|&key| table.probe(key, Hand::EMPTY, UNLIMITED, true).is_none()).collect();
        assert_eq!(lost, [5]);
    }
}
