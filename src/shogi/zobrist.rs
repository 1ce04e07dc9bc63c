//! Zobrist keys: one for each piece on each square, each count of each kind in each hand, and the side to move.

use super::{Color, Piece, PieceKind, Square};

const HAND_COUNTS: usize = super::Hand::CAPACITY as usize + 1;

struct Keys {
    pieces: [[u64; Square::COUNT]; Piece::COUNT],
    hands: [[[u64; HAND_COUNTS]; PieceKind::DROPPABLE.len()]; 2],
    side: u64,
}

/// SplitMix64 (Steele, Lea and Flood 2014): returns the next state and a random number.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    (state, scatter(state))
}

/// Scatters the bits of a number: the finisher of SplitMix64, which is a bijection.
pub(crate) const fn scatter(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// Maps a key evenly to `0..places`: the high half of their product.
#[inline]
pub(crate) fn place(key: u64, places: usize) -> usize {
    #[cfg(target_pointer_width = "32")]
    {
        // On 32-bit targets a 128-bit product is a function call.
        let (low, high, places) = (key & u64::from(u32::MAX), key >> 32, places as u64);
        ((high * places + (low * places >> 32)) >> 32) as usize
    }
    #[cfg(not(target_pointer_width = "32"))]
    {
        ((u128::from(key) * places as u128) >> 64) as usize
    }
}

static KEYS: Keys = {
    let mut keys = Keys {
        pieces: [[0; Square::COUNT]; Piece::COUNT],
        hands: [[[0; HAND_COUNTS]; PieceKind::DROPPABLE.len()]; 2],
        side: 0,
    };
    let mut state = 0x6a75_646b_696e_7336;
    let mut i = 0;
    while i < Piece::COUNT * Square::COUNT {
        let (next, key) = split_mix(state);
        keys.pieces[i / Square::COUNT][i % Square::COUNT] = key;
        state = next;
        i += 1;
    }
    let mut i = 0;
    while i < 2 * PieceKind::DROPPABLE.len() {
        // A count of 0 has the key 0.
        let mut count = 1;
        while count < HAND_COUNTS {
            let (next, key) = split_mix(state);
            keys.hands[i / PieceKind::DROPPABLE.len()][i % PieceKind::DROPPABLE.len()][count] = key;
            state = next;
            count += 1;
        }
        i += 1;
    }
    keys.side = split_mix(state).1;
    keys
};

#[inline]
pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.index()][square.index()]
}

#[inline]
pub(super) fn hand(color: Color, kind: PieceKind, count: u32) -> u64 {
    KEYS.hands[color.index()][kind.index()][count as usize]
}

#[inline]
pub(super) fn white_to_move() -> u64 {
    KEYS.side
}
