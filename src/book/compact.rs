//! The compact form of a book, in which positions are looked up without parsing.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | `judkbook` |
//! | 4 | the version, 1 |
//! | 4 | the CRC-32 of everything after it |
//! | 8 | the key of the start position: another version's keys are useless |
//! | 4 | *p*, the number of positions |
//! | 4 | *m*, the number of moves |
//! | 6*p* | the upper 48 bits of the keys, big-endian, in ascending order |
//! | 4⌈*p*/16⌉ | for every sixteenth position the index of its first move |
//! | 4*m* | for every move its [bits](Move::bits), with the 16th set for a position's last move, and its centipawns |
//!
//! Numbers are little-endian unless stated otherwise. The moves of a position are contiguous, the best first.

use std::borrow::Cow;

use super::BookMove;
use crate::shogi::{Move, Position};

const MAGIC: &[u8; 8] = b"judkbook";
const VERSION: u32 = 1;
const HEADER: usize = 32;
/// The first byte covered by the checksum.
const CHECKED: usize = 16;
const KEY: usize = 6;
const MOVE: usize = 4;
/// The number of positions per index entry.
const STRIDE: usize = 16;
/// Marks the last move of a position.
const LAST: u16 = 1 << 15;

/// The built-in book, made by `judkins book export --to built-in`.
static BUILT_IN: &[u8] = include_bytes!("built_in.bin");

/// A book in its compact form.
#[derive(Clone, Debug)]
pub struct CompactBook {
    bytes: Cow<'static, [u8]>,
    positions: usize,
}

/// The reason why bytes are not a compact book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CompactBookError {
    /// They do not begin like one.
    #[error("not a compact book")]
    Foreign,
    /// They were written by a later version of the program.
    #[error("a compact book of version {0}; this program reads version 1")]
    Version(u32),
    /// The keys of its positions were computed differently.
    #[error("a compact book with keys of another program")]
    Keys,
    /// There are too few bytes, or too many.
    #[error("a compact book of {found} bytes, where its header says {expected}")]
    Length {
        /// The actual number of bytes.
        found: usize,
        /// The expected number of bytes.
        expected: u64,
    },
    /// The checksum does not match.
    #[error("a damaged compact book: the checksum does not match")]
    Checksum,
}

/// Whether bytes begin like a compact book.
pub(super) fn is_compact(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// A number in a slice of four bytes.
fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("it is four bytes"))
}

impl CompactBook {
    /// The built-in book. It is not checked at run time, but by a test.
    pub fn built_in() -> CompactBook {
        CompactBook { bytes: Cow::Borrowed(BUILT_IN), positions: number(&BUILT_IN[24..28]) as usize }
    }

    /// Reads a book from bytes.
    ///
    /// # Errors
    /// [`CompactBookError`] if they are not a complete book.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<CompactBook, CompactBookError> {
        let bytes: Cow<'static, [u8]> = bytes.into();
        if bytes.len() < HEADER || !is_compact(&bytes) {
            return Err(CompactBookError::Foreign);
        }
        let version = number(&bytes[8..12]);
        if version != VERSION {
            return Err(CompactBookError::Version(version));
        }
        if bytes[16..24] != Position::startpos().key().to_le_bytes() {
            return Err(CompactBookError::Keys);
        }
        let (positions, moves) = (number(&bytes[24..28]), number(&bytes[28..32]));
        let indices = u64::from(positions.div_ceil(STRIDE as u32));
        let expected = HEADER as u64 + KEY as u64 * u64::from(positions) + 4 * indices + MOVE as u64 * u64::from(moves);
        if bytes.len() as u64 != expected {
            return Err(CompactBookError::Length { found: bytes.len(), expected });
        }
        if crc32fast::hash(&bytes[CHECKED..]) != number(&bytes[12..16]) {
            return Err(CompactBookError::Checksum);
        }
        Ok(CompactBook { bytes, positions: positions as usize })
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions
    }

    /// Whether the book is empty.
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// The size in bytes.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The legal moves of the book in a position, the best first, without replies: those are the moves of the next
    /// positions.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let book_move =
            |(mv, score): (Move, i16)| BookMove { mv, reply: None, score: Some(score.into()), depth: None, count: 1 };
        self.entries(position.key()).filter(|&(mv, _)| position.is_legal(mv)).map(book_move).collect()
    }

    /// The moves stored under a key, with their scores.
    fn entries(&self, key: u64) -> impl Iterator<Item = (Move, i16)> + '_ {
        let wanted = key_bytes(key);
        let keys = self.bytes[HEADER..].as_chunks::<KEY>().0;
        let place = keys[..self.positions].binary_search(&wanted).ok();
        let moves = place.map_or(&[][..], |place| self.moves_from(place));
        let entry =
            |&[low, high, score @ ..]: &[u8; MOVE]| (u16::from_le_bytes([low, high]), i16::from_le_bytes(score));
        let mut last = false;
        moves
            .iter()
            .map(entry)
            .take_while(move |&(bits, _)| !std::mem::replace(&mut last, bits & LAST != 0))
            .filter_map(|(bits, score)| Some((Move::from_bits(bits & !LAST)?, score)))
    }

    /// The moves of a position and all moves after them.
    fn moves_from(&self, place: usize) -> &[[u8; MOVE]] {
        let indices = HEADER + KEY * self.positions;
        let moves = self.bytes[indices + 4 * self.positions.div_ceil(STRIDE)..].as_chunks::<MOVE>().0;
        let index = indices + 4 * (place / STRIDE);
        let first = number(&self.bytes[index..index + 4]) as usize;
        let mut rest = moves.get(first..).unwrap_or_default();
        for _ in 0..place % STRIDE {
            let end = rest.iter().position(|&[_, high, ..]| high & (LAST >> 8) as u8 != 0);
            rest = end.map_or(&[], |end| &rest[end + 1..]);
        }
        rest
    }

    /// Makes a book of positions, given by their keys, with their moves and scores, the best first. Positions without
    /// moves are omitted; of several positions with the same upper bits the first is kept.
    pub fn new(mut positions: Vec<(u64, Vec<(Move, i16)>)>) -> CompactBook {
        positions.retain(|(_, moves)| !moves.is_empty());
        positions.sort_by_key(|&(key, _)| key_bytes(key));
        positions.dedup_by_key(|&mut (key, _)| key_bytes(key));
        let (mut keys, mut indices, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for (place, (key, entries)) in positions.iter().enumerate() {
            keys.extend_from_slice(&key_bytes(*key));
            if place % STRIDE == 0 {
                indices.extend_from_slice(&((moves.len() / MOVE) as u32).to_le_bytes());
            }
            for (left, (mv, score)) in (0..entries.len()).rev().zip(entries) {
                let last = if left == 0 { LAST } else { 0 };
                moves.extend_from_slice(&(mv.bits() | last).to_le_bytes());
                moves.extend_from_slice(&score.to_le_bytes());
            }
        }
        let mut checked = Position::startpos().key().to_le_bytes().to_vec();
        checked.extend_from_slice(&(positions.len() as u32).to_le_bytes());
        checked.extend_from_slice(&((moves.len() / MOVE) as u32).to_le_bytes());
        [keys, indices, moves].iter().for_each(|part| checked.extend_from_slice(part));
        let checksum = crc32fast::hash(&checked).to_le_bytes();
        let bytes = [&MAGIC[..], &VERSION.to_le_bytes(), &checksum, &checked].concat();
        CompactBook { bytes: Cow::Owned(bytes), positions: positions.len() }
    }

    /// The bytes of the file format.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// An upper bound of the bytes for one more position with this number of moves.
    pub const fn bytes_for(moves: usize) -> usize {
        KEY + MOVE * moves
    }

    /// The bytes of a book with this number of positions besides their [`CompactBook::bytes_for`].
    pub const fn overhead(positions: usize) -> usize {
        HEADER + 4 * positions.div_ceil(STRIDE)
    }
}

/// The upper bits of a key, whose order is that of the keys.
fn key_bytes(key: u64) -> [u8; KEY] {
    let [bytes @ .., _, _] = key.to_be_bytes();
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::{Handicap, START_SFEN};

    /// The positions of two plies from the start with all their moves and invented scores.
    fn sample() -> (Vec<Position>, CompactBook) {
        let start = Position::startpos();
        let mut positions = vec![start.clone()];
        for mv in start.legal_moves() {
            let after = start.after(mv);
            positions.extend(after.legal_moves().into_iter().map(|mv| after.after(mv)));
            positions.push(after);
        }
        let moves = |position: &Position| {
            let moves = position.legal_moves().into_iter().take(1 + position.key() as usize % 4);
            moves.zip((-700..).step_by(300)).collect()
        };
        let entries = positions.iter().map(|position| (position.key(), moves(position)));
        let book = CompactBook::new(entries.collect());
        (positions, book)
    }

    #[test]
    fn every_position_is_found_with_its_moves() {
        let (positions, book) = sample();
        assert_eq!(book.len(), {
            let mut keys: Vec<u64> = positions.iter().map(Position::key).collect();
            keys.sort_unstable();
            keys.dedup();
            keys.len()
        });
        let read = CompactBook::from_bytes(book.as_bytes().to_vec()).unwrap();
        assert!(book.size() <= CompactBook::overhead(book.len()) + book.len() * CompactBook::bytes_for(4));
        for position in &positions {
            let moves = read.moves(position);
            let count = position.legal_moves().len().min(1 + position.key() as usize % 4);
            assert_eq!(moves.len(), count, "{position}");
            for (index, book_move) in moves.iter().enumerate() {
                assert_eq!(book_move.score, Some(300 * index as i32 - 700));
            }
        }
        let elsewhere = Handicap::Rook.position();
        assert_eq!(read.moves(&elsewhere), []);
        assert_eq!(CompactBook::new(Vec::new()).moves(&elsewhere), []);
    }

    #[test]
    fn the_book_built_in_is_whole_and_knows_every_start() {
        let book = CompactBook::from_bytes(BUILT_IN).unwrap();
        assert_eq!(book.len(), CompactBook::built_in().len());
        assert!(book.size() <= 1 << 20, "{} bytes", book.size());
        let starts = Handicap::ALL.map(Handicap::position);
        for start in starts.into_iter().chain([START_SFEN.parse().unwrap()]) {
            assert!(!book.moves(&start).is_empty(), "{start}");
        }
    }

    #[test]
    fn every_change_of_the_bytes_is_named() {
        let (_, book) = sample();
        let refused = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = book.as_bytes().to_vec();
            change(&mut bytes);
            CompactBook::from_bytes(bytes).unwrap_err()
        };
        assert_eq!(refused(&|bytes| bytes[0] = b'J'), CompactBookError::Foreign);
        assert_eq!(refused(&|bytes| bytes.truncate(20)), CompactBookError::Foreign);
        assert_eq!(refused(&|bytes| bytes[8] = 2), CompactBookError::Version(2));
        assert_eq!(refused(&|bytes| bytes[20] ^= 1), CompactBookError::Keys);
        for length in (HEADER..book.size()).step_by(101) {
            let error = CompactBookError::Length { found: length, expected: book.size() as u64 };
            assert_eq!(refused(&|bytes| bytes.truncate(length)), error);
        }
        for byte in (12..16).chain((32..book.size()).step_by(53)) {
            assert_eq!(refused(&|bytes| bytes[byte] ^= 0x10), CompactBookError::Checksum, "byte {byte}");
        }
        assert!(matches!(refused(&|bytes| bytes[24..32].fill(0xff)), CompactBookError::Length { .. }));
    }

    proptest::proptest! {
        #[test]
        fn a_book_of_nonsense_with_a_true_checksum_is_looked_up_in_peace(
            positions in 0usize..40,
            moves in 0usize..80,
            nonsense in proptest::collection::vec(proptest::prelude::any::<u8>(), 40 * KEY + 80 * MOVE + 12),
        ) {
            let size = HEADER + KEY * positions + 4 * positions.div_ceil(STRIDE) + MOVE * moves;
            let mut bytes = [&[0; HEADER][..], &nonsense].concat();
            bytes.truncate(size);
            bytes[..8].copy_from_slice(MAGIC);
            bytes[8] = VERSION as u8;
            bytes[16..24].copy_from_slice(&Position::startpos().key().to_le_bytes());
            bytes[24..28].copy_from_slice(&(positions as u32).to_le_bytes());
            bytes[28..32].copy_from_slice(&(moves as u32).to_le_bytes());
            // Place the start position at various indices.
            if positions > 0 && moves % 2 == 0 {
                bytes[HEADER..HEADER + KEY * positions].fill(0xff);
                let place = HEADER + KEY * (positions / 2);
                bytes[place..place + KEY].copy_from_slice(&key_bytes(Position::startpos().key()));
                bytes[HEADER..place].fill(0);
            }
            let checksum = crc32fast::hash(&bytes[CHECKED..]).to_le_bytes();
            bytes[12..16].copy_from_slice(&checksum);
            let book = CompactBook::from_bytes(bytes).unwrap();
            assert!(book.moves(&Position::startpos()).len() <= moves);
        }
    }
}
