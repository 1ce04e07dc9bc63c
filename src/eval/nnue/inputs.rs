//! The network's input features: pieces on squares and in hands, from each side's view and by the region of its king.

use smallvec::SmallVec;

use crate::shogi::{Color, Piece, PieceKind, Position, Square};

const DROPPABLE: usize = PieceKind::DROPPABLE.len();

/// The most pieces of a kind in a hand.
const PIECES_OF_A_KIND: usize = 2;

/// The first feature of hands.
const HANDS: usize = Piece::COUNT * Square::COUNT;

/// The features of a perspective: every piece on every square, and the first and second of every kind in either hand.
pub const FEATURES: usize = HANDS + 2 * DROPPABLE * PIECES_OF_A_KIND;

/// The regions of the half board that a perspective distinguishes for its own king. Each has its own input weights.
pub const KING_BUCKETS: usize = 6;

/// The bucket of a king by row, from the far end to its own end, and by column, from the edge to the middle. Half of
/// all kings stand in the corner, and few ever leave their last three rows. A change of this table changes the meaning
/// of network files: increase the version of their format with it.
const KING_BUCKET: [[u8; 3]; 6] = [[5, 5, 5], [5, 5, 5], [5, 5, 5], [4, 4, 4], [2, 3, 3], [0, 1, 1]];

/// The number of inputs of a perspective: its features for each bucket of its king.
pub const INPUTS: usize = KING_BUCKETS * FEATURES;

/// Whether an input is a piece on the board, not in a hand.
#[inline]
pub const fn is_on_board(input: u16) -> bool {
    (input as usize % FEATURES) < HANDS
}

/// The active inputs of a perspective: one for each piece, at most 14.
pub type ActiveInputs = SmallVec<[u16; 16]>;

/// One side's view of a position: from its own end of the board, mirrored if its king would stand on the right half
/// (files 3 to 1 for Black), with a bucket by the square of its king. The rules are symmetric, so mirroring loses
/// nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    mirrored: bool,
    bucket: u8,
}

/// The squares as a perspective sees them, by its colour and by whether it is mirrored.
static SQUARES: [[[u8; Square::COUNT]; 2]; 2] = {
    let mut table = [[[0; Square::COUNT]; 2]; 2];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::from_index(index);
        let turned = square.rotated();
        table[0][0][index] = index as u8;
        table[0][1][index] = Square::at(5 - square.column(), square.row()).index() as u8;
        table[1][0][index] = turned.index() as u8;
        table[1][1][index] = Square::at(5 - turned.column(), turned.row()).index() as u8;
        index += 1;
    }
    table
};

/// The features of a perspective by those of [`Perspective::BLACK`], by its colour and by whether it is mirrored.
static TRANSLATED: [[[u16; FEATURES]; 2]; 2] = {
    const OF_A_SIDE: usize = PieceKind::COUNT * Square::COUNT;
    const HAND: usize = DROPPABLE * PIECES_OF_A_KIND;
    let mut table = [[[0; FEATURES]; 2]; 2];
    let mut perspective = 0;
    while perspective < 4 {
        let (color, mirrored) = (perspective / 2, perspective % 2);
        let mut input = 0;
        while input < FEATURES {
            table[color][mirrored][input] = if input < HANDS {
                let (owner, kind, square) =
                    (input / OF_A_SIDE, input / Square::COUNT % PieceKind::COUNT, input % Square::COUNT);
                let square = SQUARES[color][mirrored][square] as usize;
                ((owner ^ color) * OF_A_SIDE + kind * Square::COUNT + square) as u16
            } else {
                let (owner, rest) = ((input - HANDS) / HAND, (input - HANDS) % HAND);
                (HANDS + (owner ^ color) * HAND + rest) as u16
            };
            input += 1;
        }
        perspective += 1;
    }
    table
};

impl Perspective {
    /// Black's perspective, not mirrored, with the king in the first bucket: its inputs are the features.
    pub const BLACK: Perspective = Perspective { color: Color::Black, mirrored: false, bucket: 0 };

    /// The input of this perspective for a feature of [`Perspective::BLACK`].
    #[inline]
    pub fn input(self, feature: u16) -> usize {
        let feature = TRANSLATED[self.color.index()][self.mirrored as usize][usize::from(feature)];
        self.first_input() + usize::from(feature)
    }

    /// The perspective of a side in a position.
    #[inline]
    pub fn of(position: &Position, color: Color) -> Perspective {
        Perspective::with_king(color, position.king(color))
    }

    /// The perspective of a side whose king stands on a square.
    #[inline]
    pub fn with_king(color: Color, king: Square) -> Perspective {
        let king = king.relative_to(color);
        let (row, column) = (king.row(), king.column());
        let mirrored = column >= 3;
        Perspective { color, mirrored, bucket: KING_BUCKET[row][if mirrored { 5 - column } else { column }] }
    }

    /// A code that differs between the perspectives of a side.
    #[inline]
    pub(super) fn code(self) -> u8 {
        self.bucket << 1 | self.mirrored as u8
    }

    #[inline]
    fn first_input(self) -> usize {
        usize::from(self.bucket) * FEATURES
    }

    /// The input of a piece on a square.
    #[inline]
    pub fn piece(self, piece: Piece, square: Square) -> usize {
        let owner = (piece.color() != self.color) as usize;
        let square = SQUARES[self.color.index()][self.mirrored as usize][square.index()];
        self.first_input() + (owner * PieceKind::COUNT + piece.kind().index()) * Square::COUNT + square as usize
    }

    /// The input of the `nth` piece (1 or 2) of a kind in a hand.
    #[inline]
    pub fn in_hand(self, owner: Color, kind: PieceKind, nth: u32) -> usize {
        let owner = (owner != self.color) as usize;
        self.first_input() + HANDS + (owner * DROPPABLE + kind.index()) * PIECES_OF_A_KIND + nth as usize - 1
    }

    /// The active inputs of a position.
    pub fn active(self, position: &Position) -> ActiveInputs {
        let mut active = ActiveInputs::new();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                active.push(self.piece(piece, square) as u16);
            }
        }
        for owner in Color::ALL {
            for (kind, count) in position.hand(owner).iter() {
                active.extend((1..=count).map(|nth| self.in_hand(owner, kind, nth) as u16));
            }
        }
        active
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::shogi::START_SFEN;

    /// The active inputs of both sides, sorted.
    fn seen(sfen: &str) -> [ActiveInputs; 2] {
        let position: Position = sfen.parse().unwrap();
        Color::ALL.map(|color| {
            let mut active = Perspective::of(&position, color).active(&position);
            active.sort_unstable();
            active
        })
    }

    #[test]
    fn both_sides_see_the_start_alike() {
        let [black, white] = seen(START_SFEN);
        assert_eq!(black, white);
        assert_eq!(black.len(), 14);
    }

    #[test]
    fn a_mirrored_board_looks_the_same() {
        assert_eq!(seen("1b1sgk/5p/1n4/3p2/1S4/KG1NBR b R 1"), seen("kgs1b1/p5/4n1/2p3/4S1/RBN1GK b R 1"));
    }

    /// The perspectives of a side: one for each bucket, mirrored and unmirrored.
    fn perspectives(color: Color) -> Vec<Perspective> {
        let perspectives: Vec<Perspective> = Square::all().map(|king| Perspective::with_king(color, king)).collect();
        let codes: BTreeSet<u8> = perspectives.iter().map(|perspective| perspective.code()).collect();
        assert_eq!(codes.len(), 2 * KING_BUCKETS);
        codes
            .into_iter()
            .map(|code| *perspectives.iter().find(|perspective| perspective.code() == code).unwrap())
            .collect()
    }

    #[test]
    fn the_first_bucket_is_the_corner_at_home() {
        let bucket = |color, square: &str| Perspective::with_king(color, square.parse().unwrap()).bucket;
        for (color, square, expected) in [
            (Color::Black, "6f", 0),
            (Color::Black, "1f", 0),
            (Color::White, "1a", 0),
            (Color::White, "6a", 0),
            (Color::Black, "6e", 2),
            (Color::Black, "1a", 5),
            (Color::White, "3e", 5),
        ] {
            assert_eq!(bucket(color, square), expected, "{color:?} {square}");
        }
    }

    #[test]
    fn every_input_has_its_place_in_every_view() {
        for perspective in Color::ALL.map(perspectives).concat() {
            let check =
                |of_black: usize, here: usize| assert_eq!(perspective.input(of_black as u16), here, "{perspective:?}");
            for owner in Color::ALL {
                for (kind, square) in PieceKind::ALL.into_iter().flat_map(|kind| Square::all().map(move |s| (kind, s)))
                {
                    let piece = Piece::new(owner, kind);
                    check(Perspective::BLACK.piece(piece, square), perspective.piece(piece, square));
                }
                for (kind, nth) in PieceKind::DROPPABLE.into_iter().flat_map(|kind| [(kind, 1), (kind, 2)]) {
                    check(Perspective::BLACK.in_hand(owner, kind, nth), perspective.in_hand(owner, kind, nth));
                }
            }
        }
    }

    #[test]
    fn every_input_can_be_on_and_none_is_shared() {
        let mut seen = [false; INPUTS];
        let mut note = |input: usize| assert!(!std::mem::replace(&mut seen[input], true));
        for perspective in perspectives(Color::White).into_iter().filter(|perspective| perspective.mirrored) {
            for color in Color::ALL {
                for kind in PieceKind::ALL {
                    Square::all().for_each(|square| note(perspective.piece(Piece::new(color, kind), square)));
                }
                for kind in PieceKind::DROPPABLE {
                    (1..=2).for_each(|nth| note(perspective.in_hand(color, kind, nth)));
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}
