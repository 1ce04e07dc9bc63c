use smallvec::SmallVec;

use crate::shogi::{Color, Piece, PieceKind, Position, Square};

const DROPPABLE: usize = PieceKind::DROPPABLE.len();

/// How many of a kind there are, so that a hand holds no more.
const PIECES_OF_A_KIND: usize = 2;

/// Where the inputs for hands begin.
const HANDS: usize = Piece::COUNT * Square::COUNT;

/// How many inputs a side has: every piece on every square, and every kind in either hand, once and twice.
pub const INPUTS: usize = HANDS + 2 * DROPPABLE * PIECES_OF_A_KIND;

/// Whether an input stands for a piece on the board, not in a hand.
#[inline]
pub const fn is_on_board(input: u16) -> bool {
    (input as usize) < HANDS
}

/// The inputs that are on in one side's view: one for each piece, so 14 of them if none is missing.
pub type ActiveInputs = SmallVec<[u16; 16]>;

/// How one side looks at the board: from its own end, and with its king on the left half (files 6 to 4 of Black's), for
/// which the board is mirrored where needed. The rules are the same on both halves, so nothing is lost by that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    color: Color,
    mirrored: bool,
}

/// Squares as each view has them, by colour and whether it is mirrored.
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

/// What each view makes of the inputs of [`View::BLACK`], by colour and whether it is mirrored.
static TRANSLATED: [[[u16; INPUTS]; 2]; 2] = {
    const OF_A_SIDE: usize = PieceKind::COUNT * Square::COUNT;
    const HAND: usize = DROPPABLE * PIECES_OF_A_KIND;
    let mut table = [[[0; INPUTS]; 2]; 2];
    let mut view = 0;
    while view < 4 {
        let (color, mirrored) = (view / 2, view % 2);
        let mut input = 0;
        while input < INPUTS {
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
        view += 1;
    }
    table
};

impl View {
    /// Black's view, not mirrored.
    pub const BLACK: View = View { color: Color::Black, mirrored: false };

    /// The input that [`View::BLACK`] calls so.
    #[inline]
    pub fn input(self, of_black: u16) -> usize {
        TRANSLATED[self.color.index()][self.mirrored as usize][usize::from(of_black)].into()
    }

    /// How this side looks at a position.
    #[inline]
    pub fn of(position: &Position, color: Color) -> View {
        View::with_king(color, position.king(color))
    }

    /// How this side looks at the board when its king stands there.
    #[inline]
    pub fn with_king(color: Color, king: Square) -> View {
        View { color, mirrored: king.relative_to(color).column() >= 3 }
    }

    /// The input for a piece on a square.
    #[inline]
    pub fn piece(self, piece: Piece, square: Square) -> usize {
        let owner = (piece.color() != self.color) as usize;
        let square = SQUARES[self.color.index()][self.mirrored as usize][square.index()];
        (owner * PieceKind::COUNT + piece.kind().index()) * Square::COUNT + square as usize
    }

    /// The input for the `nth` piece (from 1) of a kind in a player's hand.
    #[inline]
    pub fn in_hand(self, owner: Color, kind: PieceKind, nth: u32) -> usize {
        let owner = (owner != self.color) as usize;
        HANDS + (owner * DROPPABLE + kind.index()) * PIECES_OF_A_KIND + nth as usize - 1
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
    use super::*;

    #[test]
    fn both_sides_see_the_start_alike() {
        let position = Position::startpos();
        let [black, white] = Color::ALL.map(|color| {
            let mut active = View::of(&position, color).active(&position);
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
                let mut active = View::of(&position, color).active(&position);
                active.sort_unstable();
                active
            })
        };
        assert_eq!(seen("1b1sgk/5p/1n4/3p2/1S4/KG1NBR b R 1"), seen("kgs1b1/p5/4n1/2p3/4S1/RBN1GK b R 1"));
    }

    #[test]
    fn every_input_has_its_place_in_every_view() {
        for view in [0, 5].map(|column| Color::ALL.map(|color| View::with_king(color, Square::at(column, 3)))).concat()
        {
            let check = |of_black: usize, here: usize| assert_eq!(view.input(of_black as u16), here, "{view:?}");
            for owner in Color::ALL {
                for (kind, square) in PieceKind::ALL.into_iter().flat_map(|kind| Square::all().map(move |s| (kind, s)))
                {
                    let piece = Piece::new(owner, kind);
                    check(View::BLACK.piece(piece, square), view.piece(piece, square));
                }
                for (kind, nth) in PieceKind::DROPPABLE.into_iter().flat_map(|kind| [(kind, 1), (kind, 2)]) {
                    check(View::BLACK.in_hand(owner, kind, nth), view.in_hand(owner, kind, nth));
                }
            }
        }
    }

    #[test]
    fn every_input_can_be_on_and_none_is_shared() {
        let view = View::with_king(Color::White, Square::at(4, 2));
        let mut seen = [false; INPUTS];
        let mut note = |input: usize| assert!(!std::mem::replace(&mut seen[input], true));
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                Square::all().for_each(|square| note(view.piece(Piece::new(color, kind), square)));
            }
            for kind in PieceKind::DROPPABLE {
                (1..=2).for_each(|nth| note(view.in_hand(color, kind, nth)));
            }
        }
        assert!(seen.iter().all(|&seen| seen));
    }
}
