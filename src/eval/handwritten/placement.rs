//! Piece-square tables by the square of either king, computed at compile time from the fitted weights.

use super::fitted::WEIGHTS;
use super::weights::FARTHEST;
use crate::shogi::{BOARD_SIZE, Color, PieceKind, Position, Square};

/// Piece-square values in centipawns, by kind and square.
type ByPlace = [[i16; Square::COUNT]; PieceKind::COUNT];

/// By the square of the enemy king: the piece-square values of Black's and White's pieces, including the board values.
static ATTACK: [[ByPlace; Square::COUNT]; 2] = [by_king(Color::Black, true), by_king(Color::White, true)];
/// By the square of the own king: only the values for the distance from it.
static GUARD: [[ByPlace; Square::COUNT]; 2] = [by_king(Color::Black, false), by_king(Color::White, false)];

const fn by_king(color: Color, enemy: bool) -> [ByPlace; Square::COUNT] {
    let mut table = [[[0; Square::COUNT]; PieceKind::COUNT]; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut kind = 0;
        while kind < PieceKind::COUNT {
            let mut index = 0;
            while index < Square::COUNT {
                let square = Square::from_index(index);
                let near = if enemy { &WEIGHTS.near_enemy_king } else { &WEIGHTS.near_own_king };
                let place = if enemy { WEIGHTS.place[kind][place(color, square)] } else { 0 };
                if king != index {
                    let distance = square.distance(Square::from_index(king));
                    table[king][kind][index] = (near[kind][distance - 1] + place) as i16;
                }
                index += 1;
            }
            kind += 1;
        }
        king += 1;
    }
    table
}

/// The piece-square values of one side, given the squares of the kings.
pub(super) struct Places {
    attack: &'static ByPlace,
    guard: &'static ByPlace,
}

impl Places {
    #[inline]
    pub(super) fn of(position: &Position, color: Color) -> Places {
        Places {
            attack: &ATTACK[color.index()][position.king(!color).index()],
            guard: &GUARD[color.index()][position.king(color).index()],
        }
    }

    /// The value of a piece's square in centipawns.
    #[inline]
    pub(super) fn piece(&self, kind: PieceKind, square: Square) -> i32 {
        i32::from(self.attack[kind.index()][square.index()]) + i32::from(self.guard[kind.index()][square.index()])
    }
}

/// The value of the king's square in centipawns.
#[inline]
pub(super) fn king(color: Color, square: Square) -> i32 {
    WEIGHTS.king[rows_forward(color, square)][from_edge(square)]
}

/// The index of a square in [`Weights::place`](super::Weights::place), 0 to 17: by row from the owner's first row and
/// by column from the nearer edge.
#[inline]
pub(super) const fn place(color: Color, square: Square) -> usize {
    rows_forward(color, square) * (BOARD_SIZE / 2) + from_edge(square)
}

/// The number of columns between a square and the nearer edge, 0 to 2.
#[inline]
pub(super) const fn from_edge(square: Square) -> usize {
    let (left, right) = (square.column(), FARTHEST - square.column());
    if left < right { left } else { right }
}

/// The number of rows between a square and its owner's first row, 0 to 5.
#[inline]
pub(super) const fn rows_forward(color: Color, square: Square) -> usize {
    FARTHEST - square.relative_to(color).row()
}
