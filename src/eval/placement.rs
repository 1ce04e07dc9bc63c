use crate::shogi::{BOARD_SIZE, Color, PieceKind, Position, Square};

/// The greatest distance on the board, in king's steps.
const FARTHEST: usize = BOARD_SIZE - 1;

/// What a piece is worth 1 to 5 steps from the enemy king, in centipawns on top of its value.
#[rustfmt::skip]
const NEAR_ENEMY_KING: [[i32; FARTHEST]; PieceKind::COUNT] = [
    [-62, 5, 20, -1, -10],      // pawn
    [-24, 80, 79, 1, -26],      // knight
    [27, 59, 11, -20, -29],     // silver
    [28, 67, 45, 2, -29],       // gold
    [-69, -31, -37, -42, -34],  // bishop
    [-116, -85, -62, -9, 8],    // rook
    [0, 0, 0, 0, 0],            // king
    [43, 34, 80, 56, -15],      // tokin
    [81, 94, 76, 12, -28],      // promoted knight
    [85, 56, 46, 66, -4],       // promoted silver
    [50, 4, 7, -11, -32],       // horse
    [50, -1, 11, -23, -38],     // dragon
];

/// What a piece is worth 1 to 5 steps from its own king, in centipawns on top of its value.
#[rustfmt::skip]
const NEAR_OWN_KING: [[i32; FARTHEST]; PieceKind::COUNT] = [
    [-11, -17, -13, -23, 4],    // pawn
    [16, 6, 19, 5, -86],        // knight
    [8, -16, -33, -48, -113],   // silver
    [18, -5, -26, -48, -115],   // gold
    [3, -18, -44, -48, -81],    // bishop
    [-7, -31, -43, -56, -69],   // rook
    [0, 0, 0, 0, 0],            // king
    [-12, -6, 1, -14, -31],     // tokin
    [47, 18, -38, -9, -30],     // promoted knight
    [46, 8, 54, -55, -59],      // promoted silver
    [6, -21, -19, -43, -59],    // horse
    [-10, -7, -22, -50, -69],   // dragon
];

/// What each row forward is worth to a piece, in centipawns.
#[rustfmt::skip]
const ADVANCE: [i32; PieceKind::COUNT] = [
    //P  N  S  G  B  R  K  +P  +N  +S  +B  +R
     4, -32, 11, -5, 25, 43, 0, -17, -30, -28, 1, 6,
];

/// What the king's place is worth, by row from its own first rank and column from the nearer edge, in centipawns.
#[rustfmt::skip]
const KING: [[i32; BOARD_SIZE / 2]; BOARD_SIZE] = [
    [-31, -69, -108],
    [-35, -47, -132],
    [15, 35, -127],
    [64, 43, -11],
    [135, 43, 16],
    [144, 24, -40],
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
