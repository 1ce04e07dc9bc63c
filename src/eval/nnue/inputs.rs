use smallvec::SmallVec;

use crate::shogi::{Color, Piece, PieceKind, Position, Square};

const DROPPABLE: usize = PieceKind::DROPPABLE.len();

/// How many of a kind there are, so that a hand holds no more.
const PIECES_OF_A_KIND: usize = 2;

/// Where the inputs for hands begin.
const HANDS: usize = Piece::COUNT * Square::COUNT;

/// What a side can see: every piece on every square, and every kind in either hand, once and twice.
pub const FEATURES: usize = HANDS + 2 * DROPPABLE * PIECES_OF_A_KIND;

/// Parts of the half board that a side's own king is seen on. What it sees means something else in each.
pub const KING_BUCKETS: usize = 6;

/// The bucket of a king by row, from the other end to its own, and by column, from the edge to the middle. Half of all
/// kings stand in the corner, and few ever leave their last three rows. With another table a file of weights means something
/// else, so the version of the format goes with it.
const KING_BUCKET: [[u8; 3]; 6] = [[5, 5, 5], [5, 5, 5], [5, 5, 5], [4, 4, 4], [2, 3, 3], [0, 1, 1]];

/// How many inputs a side has: what it can see, for each bucket that its king may be in.
pub const INPUTS: usize = KING_BUCKETS * FEATURES;

/// Whether an input stands for a piece on the board, not in a hand.
#[inline]
pub const fn is_on_board(input: u16) -> bool {
    (input as usize % FEATURES) < HANDS
}

/// The inputs that are on in one side's perspective: one for each piece, so 14 of them if none is missing.
pub type ActiveInputs = SmallVec<[u16; 16]>;

/// How one side looks at the board: from its own end, and with its king on the left half (files 6 to 4 of Black's), for
/// which the board is mirrored where needed, in one of [`KING_BUCKETS`] parts of that half. The rules are the same on both
/// halves, so nothing is lost by mirroring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    mirrored: bool,
    bucket: u8,
}

/// Squares as each perspective has them, by colour and whether it is mirrored.
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

/// What each perspective makes of the features of [`Perspective::BLACK`], by colour and whether it is mirrored.
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
    /// Black's perspective, not mirrored, in the first bucket: its inputs are the features.
    pub const BLACK: Perspective = Perspective { color: Color::Black, mirrored: false, bucket: 0 };

    /// The input that [`Perspective::BLACK`] calls so.
    #[inline]
    pub fn input(self, of_black: u16) -> usize {
        let feature = TRANSLATED[self.color.index()][self.mirrored as usize][usize::from(of_black)];
        self.first_input() + usize::from(feature)
    }

    /// How this side looks at a position.
    #[inline]
    pub fn of(position: &Position, color: Color) -> Perspective {
        Perspective::with_king(color, position.king(color))
    }

    /// How this side looks at the board when its king stands there.
    #[inline]
    pub fn with_king(color: Color, king: Square) -> Perspective {
        let king = king.relative_to(color);
        let (row, column) = (king.row(), king.column());
        let mirrored = column >= 3;
        Perspective { color, mirrored, bucket: KING_BUCKET[row][if mirrored { 5 - column } else { column }] }
    }

    /// By what this perspective is told apart from others of the same side.
    #[inline]
    pub(super) fn code(self) -> u8 {
        self.bucket << 1 | self.mirrored as u8
    }

    #[inline]
    fn first_input(self) -> usize {
        usize::from(self.bucket) * FEATURES
    }

    /// The input for a piece on a square.
    #[inline]
    pub fn piece(self, piece: Piece, square: Square) -> usize {
        let owner = (piece.color() != self.color) as usize;
        let square = SQUARES[self.color.index()][self.mirrored as usize][square.index()];
        self.first_input() + (owner * PieceKind::COUNT + piece.kind().index()) * Square::COUNT + square as usize
    }

    /// The input for the `nth` piece (from 1) of a kind in a player's hand.
    #[inline]
    pub fn in_hand(self, owner: Color, kind: PieceKind, nth: u32) -> usize {
        let owner = (owner != self.color) as usize;
        self.first_input() + HANDS + (owner * DROPPABLE + kind.index()) * PIECES_OF_A_KIND + nth as usize - 1
    }

    /// The inputs that are on.
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

    #[test]
    fn both_sides_see_the_start_alike() {
        let position = Position::startpos();
        let [black, white] = Color::ALL.map(|color| {
            let mut active = Perspective::of(&position, color).active(&position);
            active.sort_unstable();
            active
        });
        assert_eq!(black, white);
        assert_eq!(black.len(), 14);
    }

    #[test]
    fn a_mirrored_board_looks_the_same() {
        let seen = |sfen: &str| {
            let position: Position = sfen.parse().unwrap();
            Color::ALL.map(|color| {
                let mut active = Perspective::of(&position, color).active(&position);
                active.sort_unstable();
                active
            })
        };
        assert_eq!(seen("1b1sgk/5p/1n4/3p2/1S4/KG1NBR b R 1"), seen("kgs1b1/p5/4n1/2p3/4S1/RBN1GK b R 1"));
    }

    /// A perspective of each bucket, and of each mirrored.
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
