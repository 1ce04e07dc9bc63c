//! Moves packed into 16 bits, lists of them, and their USI notation.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use smallvec::SmallVec;

use super::{PieceKind, Square};

/// A move in 16 bits. The mover and the captured piece follow from the position.
///
/// Bits 0 to 5 are the destination, bits 6 to 11 the origin, or 36 plus the kind of a dropped piece, and bit 12
/// promotion. Origin and destination differ, so the value is never 0, and `Option<Move>` has 16 bits too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const PROMOTION: u16 = 1 << 12;

/// A list of moves on the stack. The longest known list of a position has 192 moves.
pub type MoveList = SmallVec<[Move; 200]>;

/// The error for a text that is not a move in USI notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a move in USI notation")]
pub struct ParseMoveError;

impl Move {
    /// One more than the greatest [`Move::index`].
    pub const INDEX_COUNT: usize = 1 << 13;

    /// A move on the board. The squares must differ.
    #[inline]
    pub const fn board(from: Square, to: Square, promotes: bool) -> Move {
        debug_assert!(from.index() != to.index());
        let bits = to.index() as u16 | (from.index() as u16) << 6 | if promotes { PROMOTION } else { 0 };
        Move(NonZeroU16::new(bits).unwrap())
    }

    /// A drop. The kind must be one of [`PieceKind::DROPPABLE`].
    #[inline]
    pub const fn drop(kind: PieceKind, to: Square) -> Move {
        debug_assert!(kind.index() < PieceKind::DROPPABLE.len());
        let bits = to.index() as u16 | (Square::COUNT as u16 + kind as u16) << 6;
        Move(NonZeroU16::new(bits).unwrap())
    }

    /// The move with these [bits](Move::bits), if they encode a move.
    pub fn from_bits(bits: u16) -> Option<Move> {
        let (to, from) = (bits as usize & 63, bits as usize >> 6 & 63);
        let promotes = bits & PROMOTION != 0;
        let fits = bits >> 13 == 0
            && to < Square::COUNT
            && if from < Square::COUNT { from != to } else { from < Square::COUNT + 6 && !promotes };
        NonZeroU16::new(bits).filter(|_| fits).map(Move)
    }

    /// The move in 16 bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The index in a table, below [`Move::INDEX_COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0.get() as usize % Self::INDEX_COUNT
    }

    /// The destination.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.0.get() & 63) as usize)
    }

    /// The origin; [`None`] for a drop.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        Square::new((self.0.get() >> 6 & 63) as usize)
    }

    /// The kind of the dropped piece; [`None`] for a board move.
    #[inline]
    pub const fn dropped(self) -> Option<PieceKind> {
        match (self.0.get() >> 6 & 63) as usize {
            from if from >= Square::COUNT => Some(PieceKind::ALL[from - Square::COUNT]),
            _ => None,
        }
    }

    /// Whether the move is a drop.
    #[inline]
    pub const fn is_drop(self) -> bool {
        (self.0.get() >> 6 & 63) as usize >= Square::COUNT
    }

    /// Whether the move promotes.
    #[inline]
    pub const fn promotes(self) -> bool {
        self.0.get() & PROMOTION != 0
    }

    /// The kind after the move of a piece that was of this kind.
    #[inline]
    pub(crate) fn kind_after(self, kind: PieceKind) -> PieceKind {
        if self.promotes() { kind.promoted().unwrap_or(kind) } else { kind }
    }
}

impl fmt::Display for Move {
    /// USI notation: `6e6d`, `2f3e+`, `P*3c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from(), self.dropped()) {
            (Some(from), _) => write!(f, "{from}{}{}", self.to(), if self.promotes() { "+" } else { "" }),
            (None, Some(kind)) => write!(f, "{}*{}", kind.letter(), self.to()),
            (None, None) => unreachable!("a move is on the board or a drop"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Parses USI notation strictly: capital letters for drops, nothing before or after.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let (text, promotes) = match text.strip_suffix('+') {
            Some(text) => (text, true),
            None => (text, false),
        };
        // Two ASCII characters each; split_at would panic inside a longer one.
        if text.len() != 4 || !text.is_ascii() {
            return Err(ParseMoveError);
        }
        let (from, to) = text.split_at(2);
        let to: Square = to.parse().map_err(|_| ParseMoveError)?;
        if let Some(letter) = from.strip_suffix('*') {
            let kind = letter.chars().next().and_then(PieceKind::from_letter);
            return match kind.filter(|&kind| kind != PieceKind::King && !promotes) {
                Some(kind) => Ok(Move::drop(kind, to)),
                None => Err(ParseMoveError),
            };
        }
        let from: Square = from.parse().map_err(|_| ParseMoveError)?;
        if from == to { Err(ParseMoveError) } else { Ok(Move::board(from, to, promotes)) }
    }
}

/// USI notation, as text.
#[cfg(feature = "serde")]
impl serde::Serialize for Move {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Move {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|error| serde::de::Error::custom(format!("'{text}': {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encodable_move_survives_its_notation_and_its_bits_and_has_an_index() {
        let moves: Vec<Move> = (0..=u16::MAX).filter_map(Move::from_bits).collect();
        assert_eq!(moves.len(), 36 * 35 * 2 + 6 * 36);
        let mut seen = [false; Move::INDEX_COUNT];
        for mv in moves {
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(format!("{mv:?}"), mv.to_string());
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
            assert!(!std::mem::replace(&mut seen[mv.index()], true), "{mv} shares its index");
        }
    }

    #[test]
    fn texts_that_are_not_moves_are_refused() {
        for text in [
            "", "6e", "6e6", "6e6d+x", "7a6a", "6e6g", "0a1a", "p*3c", "K*3c", "P*3c+", "+P*3c", "6e6e", "６e6d",
            "6e6dé",
        ] {
            assert_eq!(text.parse::<Move>(), Err(ParseMoveError), "{text}");
        }
    }
}
