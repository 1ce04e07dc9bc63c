use crate::shogi::{BOARD_SIZE, Color, PieceKind, Square};

/// How much a step nearer to the enemy king is worth to a piece, in centipawns.
#[rustfmt::skip]
const APPROACH: [i32; PieceKind::COUNT] = [
    //P  N   S   G  B  R  K  +P  +N  +S  +B  +R
      4, 8, 12, 12, 3, 2, 0, 18, 18, 18, 10, 10,
];

/// How much a row forward is worth to a piece, in centipawns.
#[rustfmt::skip]
const ADVANCE: [i32; PieceKind::COUNT] = [
    //P  N  S  G  B  R  K  +P  +N  +S  +B  +R
     12, 6, 4, 2, 2, 2, 0, -4, -4, -4,  0,  0,
];

/// What the king's row is worth, from its own first rank, in centipawns.
const KING_ROW: [i32; BOARD_SIZE] = [0, -5, -25, -45, -40, -20];

/// What the king's distance from the side edge is worth, in centipawns.
const KING_COLUMN: [i32; BOARD_SIZE / 2] = [6, 4, -8];

/// The worth of a piece's place in centipawns.
#[inline]
pub(super) fn placement(kind: PieceKind, color: Color, square: Square, enemy_king: Square) -> i32 {
    let nearness = (BOARD_SIZE - square.distance(enemy_king)) as i32;
    APPROACH[kind.index()] * nearness + ADVANCE[kind.index()] * rows_forward(color, square) as i32
}

/// The worth of the king's place in centipawns, danger apart.
#[inline]
pub(super) fn king(color: Color, square: Square) -> i32 {
    let from_edge = square.column().min(BOARD_SIZE - 1 - square.column());
    KING_ROW[rows_forward(color, square)] + KING_COLUMN[from_edge]
}

/// How many rows a square lies before its owner's first.
#[inline]
fn rows_forward(color: Color, square: Square) -> usize {
    BOARD_SIZE - 1 - square.relative_to(color).row()
}
