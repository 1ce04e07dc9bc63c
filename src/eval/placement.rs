use crate::shogi::{BOARD_SIZE, Color, PieceKind, Position, Square};

/// The greatest distance on the board, in king's steps.
const FARTHEST: usize = BOARD_SIZE - 1;

/// What a piece is worth 1 to 5 steps from the enemy king, in centipawns on top of its value.
#[rustfmt::skip]
const NEAR_ENEMY_KING: [[i32; FARTHEST]; PieceKind::COUNT] = [
    [-80, 4, 21, 7, -21],       // pawn
    [-40, 83, 71, 4, -35],      // knight
    [7, 63, 15, -20, -43],      // silver
    [14, 72, 33, -13, -35],     // gold
    [-95, -43, -48, -48, -36],  // bishop
    [-158, -91, -72, -18, -3],  // rook
    [0, 0, 0, 0, 0],            // king
    [29, 32, 54, 46, 5],        // tokin
    [2, 81, 87, 36, -27],       // promoted knight
    [70, 43, 55, 52, 3],        // promoted silver
    [50, 1, -11, -33, -65],     // horse
    [50, -8, -32, -49, -71],    // dragon
];

/// What a piece is worth 1 to 5 steps from its own king, in centipawns on top of its value.
#[rustfmt::skip]
const NEAR_OWN_KING: [[i32; FARTHEST]; PieceKind::COUNT] = [
    [-8, -23, -11, -26, -11],   // pawn
    [5, 4, 15, -12, -77],       // knight
    [8, -20, -37, -53, -117],   // silver
    [21, -14, -33, -71, -145],  // gold
    [-7, -27, -53, -61, -88],   // bishop
    [-23, -48, -59, -59, -89],  // rook
    [0, 0, 0, 0, 0],            // king
    [-53, -25, 4, -1, -19],     // tokin
    [12, 14, -35, -12, -34],    // promoted knight
    [28, 12, 14, -23, -62],     // promoted silver
    [-12, -26, -39, -56, -85],  // horse
    [-27, -24, -47, -78, -98],  // dragon
];

/// What each row forward is worth to a piece, in centipawns.
#[rustfmt::skip]
const ADVANCE: [i32; PieceKind::COUNT] = [
    //P  N  S  G  B  R  K  +P  +N  +S  +B  +R
     3, -34, 6, -1, 29, 47, 0, -25, -30, -34, 3, 17,
];

/// What the king's place is worth, by row from its own first rank and column from the nearer edge, in centipawns.
#[rustfmt::skip]
const KING: [[i32; BOARD_SIZE / 2]; BOARD_SIZE] = [
    [-70, -122, -153],
    [-47, -71, -144],
    [14, 22, -122],
    [61, 32, -28],
    [167, 59, 46],
    [227, 96, 3],
];

/// Worth by kind and square.
type ByPlace = [[i16; Square::COUNT]; PieceKind::COUNT];

/// For each square of the enemy king: what the places of Black's and White's pieces are worth, their advance included.
static ATTACK: [[ByPlace; Square::COUNT]; 2] = [by_king(Color::Black, true), by_king(Color::White, true)];
/// The same for their own king, advance apart.
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
                let near = if enemy { &NEAR_ENEMY_KING } else { &NEAR_OWN_KING };
                let advance = if enemy { ADVANCE[kind] * rows_forward(color, square) as i32 } else { 0 };
                if king != index {
                    let distance = square.distance(Square::from_index(king));
                    table[king][kind][index] = (near[kind][distance - 1] + advance) as i16;
                }
                index += 1;
            }
            kind += 1;
        }
        king += 1;
    }
    table
}

/// What the places of one side's pieces are worth while the kings stand where they do.
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

    /// The worth of a piece's place in centipawns.
    #[inline]
    pub(super) fn piece(&self, kind: PieceKind, square: Square) -> i32 {
        i32::from(self.attack[kind.index()][square.index()]) + i32::from(self.guard[kind.index()][square.index()])
    }
}

/// The worth of the king's place in centipawns, danger apart.
#[inline]
pub(super) fn king(color: Color, square: Square) -> i32 {
    let from_edge = square.column().min(FARTHEST - square.column());
    KING[rows_forward(color, square)][from_edge]
}

/// How many rows a square lies before its owner's first.
#[inline]
const fn rows_forward(color: Color, square: Square) -> usize {
    FARTHEST - square.relative_to(color).row()
}
