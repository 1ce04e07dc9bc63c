//! Kinds of pieces, and pieces with an owner: promotion, letters, kanji and impasse points.

use std::fmt;
use std::num::NonZeroU8;

use strum::Display;

use super::Color;

/// A kind of piece. Promoted pieces are separate kinds.
///
/// The first six kinds can be held in hand, in the order of their usual value. `Display` writes the English name, for
/// errors and tables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display)]
#[strum(serialize_all = "lowercase")]
#[repr(u8)]
#[allow(missing_docs)] // The names say it.
pub enum PieceKind {
    Pawn,
    Knight,
    Silver,
    Gold,
    Bishop,
    Rook,
    King,
    Tokin,
    #[strum(serialize = "promoted knight")]
    PromotedKnight,
    #[strum(serialize = "promoted silver")]
    PromotedSilver,
    Horse,
    Dragon,
}

use PieceKind::*;

impl PieceKind {
    /// The count of kinds, promoted ones included.
    pub const COUNT: usize = 12;

    /// Every kind, in index order.
    pub const ALL: [PieceKind; Self::COUNT] =
        [Pawn, Knight, Silver, Gold, Bishop, Rook, King, Tokin, PromotedKnight, PromotedSilver, Horse, Dragon];

    /// The kinds that can be held in hand, in index order.
    pub const DROPPABLE: [PieceKind; 6] = [Pawn, Knight, Silver, Gold, Bishop, Rook];

    /// The index in a table, 0 to 11.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The promoted kind; [`None`] for king, gold and promoted kinds.
    #[inline]
    pub const fn promoted(self) -> Option<PieceKind> {
        // A table, because a branch on the kind is hard to predict.
        static PROMOTED: [Option<PieceKind>; PieceKind::COUNT] = {
            let mut table = [None; PieceKind::COUNT];
            table[Pawn.index()] = Some(Tokin);
            table[Knight.index()] = Some(PromotedKnight);
            table[Silver.index()] = Some(PromotedSilver);
            table[Bishop.index()] = Some(Horse);
            table[Rook.index()] = Some(Dragon);
            table
        };
        PROMOTED[self.index()]
    }

    /// The unpromoted kind: the one that a capture adds to the hand.
    #[inline]
    pub const fn unpromoted(self) -> PieceKind {
        static UNPROMOTED: [PieceKind; PieceKind::COUNT] =
            [Pawn, Knight, Silver, Gold, Bishop, Rook, King, Pawn, Knight, Silver, Bishop, Rook];
        UNPROMOTED[self.index()]
    }

    /// Whether the kind is a promoted one.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as u8 > King as u8
    }

    /// Impasse points: 5 for a rook or bishop, promoted or not, 1 for every other piece, none for the king.
    #[inline]
    pub const fn impasse_points(self) -> u32 {
        match self.unpromoted() {
            King => 0,
            Rook | Bishop => 5,
            _ => 1,
        }
    }

    /// The capital letter of the unpromoted kind.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Pawn => 'P',
            Knight => 'N',
            Silver => 'S',
            Gold => 'G',
            Bishop => 'B',
            Rook => 'R',
            _ => 'K',
        }
    }

    /// The unpromoted kind with this capital letter.
    pub fn from_letter(letter: char) -> Option<PieceKind> {
        // The unpromoted kinds come first.
        PieceKind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// The kind with this kanji in a diagram or a move, if one character is enough.
    pub(crate) fn from_kanji(kanji: char) -> Option<PieceKind> {
        match kanji {
            '王' => Some(King),
            '龍' => Some(Dragon),
            _ => PieceKind::ALL.into_iter().find(|kind| kind.kanji(Color::Black) == kanji),
        }
    }

    /// The kanji with which diagrams show the piece: `玉` for Black's king, `王` for White's.
    pub const fn kanji(self, color: Color) -> char {
        match self {
            King => match color {
                Color::Black => '玉',
                Color::White => '王',
            },
            Rook => '飛',
            Bishop => '角',
            Gold => '金',
            Silver => '銀',
            Knight => '桂',
            Pawn => '歩',
            Dragon => '竜',
            Horse => '馬',
            PromotedSilver => '全',
            PromotedKnight => '圭',
            Tokin => 'と',
        }
    }
}

/// A kind and a colour in one byte; `Option<Piece>` is one byte too.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// The count of pieces: every kind in both colours.
    pub const COUNT: usize = 2 * PieceKind::COUNT;

    /// The piece of a colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece(NonZeroU8::new(1 + kind as u8 + color as u8 * 16).unwrap())
    }

    /// The owner.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() > 16 { Color::White } else { Color::Black }
    }

    /// The kind.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        let index = (self.0.get() - 1) as usize & 15;
        // SAFETY: `new`, the only constructor, puts a kind's index there.
        unsafe { std::hint::assert_unchecked(index < PieceKind::COUNT) };
        PieceKind::ALL[index]
    }

    /// The index in a table, 0 to 23.
    #[inline]
    pub const fn index(self) -> usize {
        self.color().index() * PieceKind::COUNT + self.kind().index()
    }
}

impl fmt::Display for Piece {
    /// As in SFEN: `P`, `+r`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.kind().letter();
        let letter = if self.color() == Color::White { letter.to_ascii_lowercase() } else { letter };
        write!(f, "{}{letter}", if self.kind().is_promoted() { "+" } else { "" })
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_itself_again() {
        let pieces = Color::ALL.into_iter().flat_map(|color| PieceKind::ALL.map(|kind| (color, kind)));
        for (index, (color, kind)) in pieces.enumerate() {
            let piece = Piece::new(color, kind);
            assert_eq!((piece.color(), piece.kind(), piece.index()), (color, kind, index));
            assert_eq!(format!("{piece:?}"), piece.to_string());
        }
    }

    #[test]
    fn kinds_have_points_and_names_of_their_own() {
        let points = PieceKind::ALL.map(PieceKind::impasse_points);
        assert_eq!(points, [1, 1, 1, 1, 5, 5, 0, 1, 1, 1, 5, 5]);
        for kind in PieceKind::ALL {
            assert!(!kind.to_string().is_empty());
            let same = PieceKind::ALL.into_iter().filter(|other| other.to_string() == kind.to_string()).count();
            assert_eq!(same, 1, "{kind}");
        }
    }
}
