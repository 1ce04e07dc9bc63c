use crate::shogi::{Hand, Move};

/// A proof number from which on a node counts as out of reach.
pub(super) const INFINITE: u32 = 1 << 28;

/// Plies without a limit: of a search, or for which there is no mate.
pub(super) const UNLIMITED: u16 = (1 << 10) - 1;

/// No ancestor: a result that holds whatever came before.
pub(super) const NO_LOOP: u16 = u16::MAX;

/// What is known of a node: how far it is from a proof that the attacker mates, and from a proof that he does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchResult {
    /// How many leaves must be shown to be mates, at least: 0 is a mate that is proven, [`INFINITE`] none.
    pub(super) proof: u32,
    /// How many leaves must be shown not to be mates, at least.
    pub(super) disproof: u32,
    /// Of a proven node: what the attacker needs in hand for it, at most. Of a disproven one: up to what hand it is no
    /// mate. Otherwise the hand itself.
    pub(super) hand: Hand,
    /// Of a proven node: plies to the mate, at most. Of a disproven one: plies within which there is none. Otherwise
    /// the limit of the search.
    pub(super) length: u16,
    /// The attacker's move that mates.
    pub(super) mv: Option<Move>,
    /// Of a disproven node: the depth of the first ancestor that the disproof comes back to, or [`NO_LOOP`].
    pub(super) loop_start: u16,
}

impl SearchResult {
    /// A mate within so many plies, for which this hand is enough.
    pub(super) fn mate(hand: Hand, length: u16, mv: Option<Move>) -> SearchResult {
        SearchResult { proof: 0, disproof: INFINITE, hand, length, mv, loop_start: NO_LOOP }
    }

    /// No mate within so many plies, with this hand or a worse one.
    pub(super) fn no_mate(hand: Hand, length: u16, mv: Option<Move>, loop_start: u16) -> SearchResult {
        SearchResult { proof: INFINITE, disproof: 0, hand, length, mv, loop_start }
    }

    /// Neither.
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
