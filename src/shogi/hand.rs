//! Pieces in hand, packed into an integer so that two hands are compared in one operation.

use super::PieceKind;

/// The pieces that a player holds. Each kind has three bits: two for its count, at most 2 in a legal position, and a
/// guard bit, always 0, which stops borrows when hands are compared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct Hand(u32);

const BITS: u32 = 3;
const COUNT_MASK: u32 = 0b011;
const GUARDS: u32 = 0b100_100_100_100_100_100;

impl Hand {
    /// The empty hand.
    pub const EMPTY: Hand = Hand(0);

    /// The greatest count of a kind that can be stored; the rules allow 2.
    pub const CAPACITY: u32 = COUNT_MASK;

    const fn shift(kind: PieceKind) -> u32 {
        debug_assert!(kind.index() < PieceKind::DROPPABLE.len());
        kind as u32 * BITS
    }

    /// The count of a kind, at most [`Hand::CAPACITY`].
    #[inline]
    pub const fn count(self, kind: PieceKind) -> u32 {
        self.0 >> Self::shift(kind) & COUNT_MASK
    }

    /// Whether a kind is held.
    #[inline]
    pub const fn has(self, kind: PieceKind) -> bool {
        self.count(kind) != 0
    }

    /// Whether nothing is held.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds one of a kind. Its count must be below [`Hand::CAPACITY`].
    #[inline]
    pub const fn add(&mut self, kind: PieceKind) {
        debug_assert!(self.count(kind) < Self::CAPACITY);
        self.0 += 1 << Self::shift(kind);
    }

    /// Removes one of a kind. Its count must not be 0.
    #[inline]
    pub const fn remove(&mut self, kind: PieceKind) {
        debug_assert!(self.has(kind));
        self.0 -= 1 << Self::shift(kind);
    }

    /// Whether the count of every kind is at least the other hand's.
    #[inline]
    pub const fn covers(self, other: Hand) -> bool {
        ((self.0 | GUARDS) - other.0) & GUARDS == GUARDS
    }

    /// The greater count of each kind.
    #[inline]
    #[must_use]
    pub const fn larger(self, other: Hand) -> Hand {
        let mine = self.at_least(other);
        Hand(self.0 & mine | other.0 & !mine)
    }

    /// The smaller count of each kind.
    #[inline]
    #[must_use]
    pub const fn smaller(self, other: Hand) -> Hand {
        let mine = self.at_least(other);
        Hand(self.0 & !mine | other.0 & mine)
    }

    /// The count bits of the kinds of which this hand holds at least as many as the other.
    #[inline]
    const fn at_least(self, other: Hand) -> u32 {
        let guards = ((self.0 | GUARDS) - other.0) & GUARDS;
        (guards >> 2) * COUNT_MASK
    }

    /// The sum of two hands. No kind's count may exceed [`Hand::CAPACITY`].
    #[inline]
    #[must_use]
    pub const fn plus(self, other: Hand) -> Hand {
        Hand(self.0 + other.0)
    }

    /// The hand with the count of a kind replaced, at most [`Hand::CAPACITY`].
    #[inline]
    #[must_use]
    pub const fn with(self, kind: PieceKind, count: u32) -> Hand {
        debug_assert!(count <= Self::CAPACITY);
        Hand(self.0 & !(COUNT_MASK << Self::shift(kind)) | count << Self::shift(kind))
    }

    /// The hand in 18 bits.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The hand with these [bits](Hand::bits); guards and bits from 18 on are ignored.
    #[inline]
    pub const fn from_bits(bits: u32) -> Hand {
        Hand(bits & !GUARDS & ((1 << (BITS * PieceKind::DROPPABLE.len() as u32)) - 1))
    }

    /// The kinds held with their counts, pawns first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (PieceKind, u32)> {
        PieceKind::DROPPABLE.into_iter().map(move |kind| (kind, self.count(kind))).filter(|&(_, count)| count > 0)
    }

    /// The impasse points of the pieces held.
    pub fn impasse_points(self) -> u32 {
        self.iter().map(|(kind, count)| kind.impasse_points() * count).sum()
    }
}

impl FromIterator<PieceKind> for Hand {
    /// # Panics
    /// If there are more than three pieces of a kind, or a kind that is not held in hand.
    fn from_iter<I: IntoIterator<Item = PieceKind>>(kinds: I) -> Hand {
        let mut hand = Hand::EMPTY;
        for kind in kinds {
            assert!(PieceKind::DROPPABLE.contains(&kind) && hand.count(kind) < Self::CAPACITY, "no hand has {kind:?}");
            hand.add(kind);
        }
        hand
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PieceKind::*;

    #[test]
    fn covering_compares_every_kind() {
        let small: Hand = [Pawn, Rook].into_iter().collect();
        let large: Hand = [Pawn, Pawn, Rook, Gold].into_iter().collect();
        let other: Hand = [Knight, Knight, Bishop].into_iter().collect();
        assert!(large.covers(small) && !small.covers(large));
        assert!(large.covers(large) && large.covers(Hand::EMPTY));
        assert!(!large.covers(other) && !other.covers(small));
    }

    #[test]
    fn larger_and_smaller_go_kind_by_kind() {
        let one: Hand = [Pawn, Pawn, Rook, Gold].into_iter().collect();
        let other: Hand = [Pawn, Knight, Knight, Gold].into_iter().collect();
        assert_eq!(one.larger(other), [Pawn, Pawn, Knight, Knight, Gold, Rook].into_iter().collect());
        assert_eq!(one.smaller(other), [Pawn, Gold].into_iter().collect());
        assert_eq!(one.with(Pawn, 0).with(Silver, 2), [Rook, Gold, Silver, Silver].into_iter().collect());
        assert_eq!(one.with(Rook, 2).with(Rook, 1).with(Pawn, 2), one);
        assert_eq!(Hand::EMPTY.with(Pawn, 1).plus(one.with(Pawn, 1)), one);
        assert_eq!(Hand::from_bits(other.bits()), other);
    }

    #[test]
    fn points_are_five_for_rook_and_bishop() {
        let hand: Hand = [Rook, Bishop, Pawn, Gold].into_iter().collect();
        assert_eq!(hand.impasse_points(), 12);
    }
}
