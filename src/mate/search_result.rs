//! The result of a node in the mate search: proof and disproof numbers, hand, length and move.

use crate::shogi::{Hand, Move};

/// The proof number of a disproven node, and the disproof number of a proven one.
pub(super) const INFINITE: u32 = 1 << 28;

/// The limit of a search for mates of any length, and the length of their disproof.
pub(super) const UNLIMITED: u16 = (1 << 10) - 1;

/// The loop start of a result that depends on no ancestor.
pub(super) const NO_LOOP: u16 = u16::MAX;

/// The result of a node: its proof and disproof numbers, and the hands for which a proof or disproof holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchResult {
    /// The minimal number of leaves that must be proven for a mate: 0 if it is proven, [`INFINITE`] if there is none.
    pub(super) proof: u32,
    /// The minimal number of leaves that must be disproven: 0 if there is no mate, [`INFINITE`] if one is proven.
    pub(super) disproof: u32,
    /// Proven node: the proof hand; the attacker mates with this hand or a better one. Disproven node: the disproof
    /// hand; he does not mate with this hand or a worse one. Otherwise: the attacker's hand.
    pub(super) hand: Hand,
    /// In plies. Proven node: an upper bound of the mate's length. Disproven node: the length up to which there is no
    /// mate. Otherwise: the limit of the search.
    pub(super) length: u16,
    /// The mover's move that settles the node, if there is one.
    pub(super) mv: Option<Move>,
    /// Disproven node: the depth in plies of the first ancestor to which the disproof returns, or [`NO_LOOP`].
    pub(super) loop_start: u16,
}

impl SearchResult {
    /// A mate within `length` plies with this hand or a better one.
    pub(super) fn mate(hand: Hand, length: u16, mv: Option<Move>) -> SearchResult {
        SearchResult { proof: 0, disproof: INFINITE, hand, length, mv, loop_start: NO_LOOP }
    }

    /// No mate within `length` plies with this hand or a worse one.
    pub(super) fn no_mate(hand: Hand, length: u16, mv: Option<Move>, loop_start: u16) -> SearchResult {
        SearchResult { proof: INFINITE, disproof: 0, hand, length, mv, loop_start }
    }

    /// Neither proven nor disproven.
    pub(super) fn open(proof: u32, disproof: u32, hand: Hand, length: u16) -> SearchResult {
        SearchResult { proof, disproof, hand, length, mv: None, loop_start: NO_LOOP }
    }

    pub(super) fn is_proven(&self) -> bool {
        self.proof == 0
    }

    pub(super) fn is_disproven(&self) -> bool {
        self.disproof == 0
    }

    pub(super) fn is_final(&self) -> bool {
        self.is_proven() || self.is_disproven()
    }
}
