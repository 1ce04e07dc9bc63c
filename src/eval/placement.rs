use crate::shogi::{BOARD_SIZE, Color, PieceKind, Position, Square};

/// The greatest distance on the board, in king's steps.
const FARTHEST: usize = BOARD_SIZE - 1;

/// What a piece is worth 1 to 5 steps from the enemy king, in centipawns on top of its value.
#[rustfmt::skip]
const NEAR_ENEMY_KING: [[i32; FARTHEST]; PieceKind::COUNT] = [
    [20, 16, 12, 8, 4],      // pawn
    [40, 32, 24, 16, 8],     // knight
    [60, 48, 36, 24, 12],    // silver
    [60, 48, 36, 24, 12],    // gold
    [15, 12, 9, 6, 3],       // bishop
    [10, 8, 6, 4, 2],        // rook
    [0, 0, 0, 0, 0],         // king
    [90, 72, 54, 36, 18],    // tokin
    [90, 72, 54, 36, 18],    // promoted knight
    [90, 72, 54, 36, 18],    // promoted silver
    [50, 40, 30, 20, 10],    // horse
    [50, 40, 30, 20, 10],    // dragon
];

/// What a piece is worth 1 to 5 steps from its own king, in centipawns on top of its value.
#[rustfmt::skip]
const NEAR_OWN_KING: [[i32; FARTHEST]; PieceKind::COUNT] = [
    [0, 0, 0, 0, 0],         // pawn
    [0, 0, 0, 0, 0],         // knight
    [0, 0, 0, 0, 0],         // silver
    [0, 0, 0, 0, 0],         // gold
    [0, 0, 0, 0, 0],         // bishop
    [0, 0, 0, 0, 0],         // rook
    [0, 0, 0, 0, 0],         // king
    [0, 0, 0, 0, 0],         // tokin
    [0, 0, 0, 0, 0],         // promoted knight
    [0, 0, 0, 0, 0],         // promoted silver
    [0, 0, 0, 0, 0],         // horse
    [0, 0, 0, 0, 0],         // dragon
];

/// What each row forward is worth to a piece, in centipawns.
#[rustfmt::skip]
const ADVANCE: [i32; PieceKind::COUNT] = [
    //P  N  S  G  B  R  K  +P  +N  +S  +B  +R
     12, 6, 4, 2, 2, 2, 0, -4, -4, -4,  0,  0,
];

/// What the king's place is worth, by row from its own first rank and column from the nearer edge, in centipawns.
#[rustfmt::skip]
const KING: [[i32; BOARD_SIZE / 2]; BOARD_SIZE] = [
    [6, 4, -8],
    [1, -1, -13],
    [-19, -21, -33],
    [-39, -41, -53],
    [-34, -36, -48],
    [-14, -16, -28],
];

/// The worth of a piece's place in centipawns; its owner is `color`.
#[inline]
pub(super) fn piece(position: &Position, kind: PieceKind, color: Color, square: Square) -> i32 {
    let attack = NEAR_ENEMY_KING[kind.index()][square.distance(position.king(!color)) - 1];
    let guard = NEAR_OWN_KING[kind.index()][square.distance(position.king(color)) - 1];
    attack + guard + ADVANCE[kind.index()] * rows_forward(color, square) as i32
}

/// The worth of the king's place in centipawns, danger apart.
#[inline]
pub(super) fn king(color: Color, square: Square) -> i32 {
    let from_edge = square.column().min(FARTHEST - square.column());
    KING[rows_forward(color, square)][from_edge]
}

/// How many rows a square lies before its owner's first.
#[inline]
fn rows_forward(color: Color, square: Square) -> usize {
    FARTHEST - square.relative_to(color).row()
}
