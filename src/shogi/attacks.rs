//! Attack tables, computed at compile time.
//!
//! Sliding pieces use kindergarten bitboards: a multiplication gathers the occupied squares of a line into six adjacent
//! bits, and the four inner bits index a table. A line has at most one square in each column (a file in each row), so
//! no two bits collide.

use super::{BOARD_SIZE, Bitboard, Color, PieceKind, Square};

type PerSquare = [Bitboard; Square::COUNT];

/// Steps as (rows down, columns right) for Black, who moves up.
type Steps = &'static [(i32, i32)];

const PAWN_STEPS: Steps = &[(-1, 0)];
const KNIGHT_STEPS: Steps = &[(-2, -1), (-2, 1)];
const SILVER_STEPS: Steps = &[(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 1)];
const GOLD_STEPS: Steps = &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)];
const KING_STEPS: Steps = &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The squares one of the steps away from a square of the set.
#[inline(always)]
const fn stepped(set: Bitboard, steps: Steps, color: Color) -> Bitboard {
    let sign = match color {
        Color::Black => 1,
        Color::White => -1,
    };
    let mut reached = Bitboard::EMPTY;
    let mut i = 0;
    while i < steps.len() {
        reached = reached.or(set.shifted(sign * steps[i].0, sign * steps[i].1));
        i += 1;
    }
    reached
}

const fn step_table(steps: Steps) -> [PerSquare; 2] {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; 2];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Bitboard::of(Square::from_index(index));
        table[0][index] = stepped(square, steps, Color::Black);
        table[1][index] = stepped(square, steps, Color::White);
        index += 1;
    }
    table
}

/// The squares that each kind attacks by a step. A table for all kinds, since a branch on the kind is hard to predict.
static STEPS: [[PerSquare; 2]; PieceKind::COUNT] = {
    let none = [[Bitboard::EMPTY; Square::COUNT]; 2];
    let (gold, king) = (step_table(GOLD_STEPS), step_table(KING_STEPS));
    let (pawn, knight, silver) = (step_table(PAWN_STEPS), step_table(KNIGHT_STEPS), step_table(SILVER_STEPS));
    [pawn, knight, silver, gold, none, none, king, gold, gold, gold, king, king]
};

/// The squares that a piece attacks by a step: none for bishop and rook; the adjacent ones for king, horse and dragon.
#[inline]
pub fn leaper_attacks(kind: PieceKind, color: Color, square: Square) -> Bitboard {
    STEPS[kind.index()][color.index()][square.index()]
}

/// The directions of the four lines through a square: along the rank, along the file, and the two diagonals.
const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

const RANK: usize = 0;
const FILE: usize = 1;
const DIAGONAL: usize = 2;
const ANTIDIAGONAL: usize = 3;

/// The squares from `index` in one direction, up to and including the first occupied one.
const fn ray(index: usize, direction: (i32, i32), occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    let mut row = (index / BOARD_SIZE) as i32 + direction.0;
    let mut column = (index % BOARD_SIZE) as i32 + direction.1;
    while row >= 0 && row < BOARD_SIZE as i32 && column >= 0 && column < BOARD_SIZE as i32 {
        let square = Square::at(column as usize, row as usize);
        reached = reached.or(Bitboard::of(square));
        if occupied.has(square) {
            break;
        }
        row += direction.0;
        column += direction.1;
    }
    reached
}

const fn both_ways(index: usize, direction: (i32, i32), occupied: Bitboard) -> Bitboard {
    ray(index, direction, occupied).or(ray(index, (-direction.0, -direction.1), occupied))
}

/// By direction and square: the other squares of the line.
static LINES: [PerSquare; 4] = {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; 4];
    let mut line = 0;
    while line < 4 {
        let mut index = 0;
        while index < Square::COUNT {
            table[line][index] = both_ways(index, DIRECTIONS[line], Bitboard::EMPTY);
            index += 1;
        }
        line += 1;
    }
    table
};

/// By direction, square and occupation of the four inner columns (for files: rows): the squares attacked.
static RANGES: [[[Bitboard; 16]; Square::COUNT]; 4] = {
    let mut table = [[[Bitboard::EMPTY; 16]; Square::COUNT]; 4];
    let mut line = 0;
    while line < 4 {
        let mut index = 0;
        while index < Square::COUNT {
            let mut inner = 0;
            while inner < 16 {
                let mut occupied = Bitboard::EMPTY;
                let mut i = 0;
                while i < 4 {
                    if inner >> i & 1 != 0 {
                        occupied =
                            occupied.or(if line == FILE { Bitboard::row(i + 1) } else { Bitboard::column(i + 1) });
                    }
                    i += 1;
                }
                table[line][index][inner] = both_ways(index, DIRECTIONS[line], occupied);
                inner += 1;
            }
            index += 1;
        }
        line += 1;
    }
    table
};

/// A factor that adds up the six rows of a set in bits 30 to 35, by columns.
const GATHER_COLUMNS: u64 = Bitboard::column(0).bits();
/// A factor that gathers the bits of column 0: that of row `r` goes to bit `25 + r`.
const GATHER_ROWS: u64 = 1 | 1 << 5 | 1 << 10 | 1 << 15 | 1 << 20 | 1 << 25;

#[inline]
fn range(line: usize, square: Square, occupied: Bitboard) -> Bitboard {
    let index = square.index();
    let inner = if line == FILE {
        let column = occupied.bits() >> square.column() & GATHER_COLUMNS;
        column.wrapping_mul(GATHER_ROWS) >> 26 & 15
    } else {
        let blockers = (occupied & LINES[line][index]).bits();
        blockers.wrapping_mul(GATHER_COLUMNS) >> 31 & 15
    };
    RANGES[line][index][inner as usize]
}

/// The squares that a rook attacks, up to and including the first occupied one in each direction.
#[inline]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    range(RANK, square, occupied) | range(FILE, square, occupied)
}

/// The squares that a bishop attacks, up to and including the first occupied one in each direction.
#[inline]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    range(DIAGONAL, square, occupied) | range(ANTIDIAGONAL, square, occupied)
}

/// The squares that a rook attacks on an empty board.
#[inline]
pub fn rook_lines(square: Square) -> Bitboard {
    LINES[RANK][square.index()] | LINES[FILE][square.index()]
}

/// The squares that a bishop attacks on an empty board.
#[inline]
pub fn bishop_lines(square: Square) -> Bitboard {
    LINES[DIAGONAL][square.index()] | LINES[ANTIDIAGONAL][square.index()]
}

/// The square in front of a pawn, if it is on the board.
#[inline]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    leaper_attacks(PieceKind::Pawn, color, square)
}

/// The squares that a knight attacks: two ranks forward and one file aside.
#[inline]
pub fn knight_attacks(color: Color, square: Square) -> Bitboard {
    leaper_attacks(PieceKind::Knight, color, square)
}

/// The squares that a silver attacks: straight forward and the four diagonal ones.
#[inline]
pub fn silver_attacks(color: Color, square: Square) -> Bitboard {
    leaper_attacks(PieceKind::Silver, color, square)
}

/// The squares that a gold, or a piece that moves like one, attacks: all adjacent ones except diagonally backward.
#[inline]
pub fn gold_attacks(color: Color, square: Square) -> Bitboard {
    leaper_attacks(PieceKind::Gold, color, square)
}

/// The squares around a square.
#[inline]
pub fn king_attacks(square: Square) -> Bitboard {
    leaper_attacks(PieceKind::King, Color::Black, square)
}

/// The squares that a piece of any kind attacks, given the occupied squares.
#[inline]
pub fn attacks(kind: PieceKind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let steps = leaper_attacks(kind, color, square);
    match kind {
        PieceKind::Bishop | PieceKind::Horse => steps | bishop_attacks(square, occupied),
        PieceKind::Rook | PieceKind::Dragon => steps | rook_attacks(square, occupied),
        _ => steps,
    }
}

/// The squares that the pawns of a set attack.
#[inline]
pub fn pawns_attack(color: Color, pawns: Bitboard) -> Bitboard {
    both_colors(color, pawns, PAWN_STEPS)
}

/// The squares that the knights of a set attack.
#[inline]
pub fn knights_attack(color: Color, knights: Bitboard) -> Bitboard {
    both_colors(color, knights, KNIGHT_STEPS)
}

/// The squares that the silvers of a set attack.
#[inline]
pub fn silvers_attack(color: Color, silvers: Bitboard) -> Bitboard {
    both_colors(color, silvers, SILVER_STEPS)
}

/// The squares that the golds of a set attack.
#[inline]
pub fn golds_attack(color: Color, golds: Bitboard) -> Bitboard {
    both_colors(color, golds, GOLD_STEPS)
}

/// [`stepped`] with a constant colour in each branch, so that the shifts are constants too.
#[inline(always)]
fn both_colors(color: Color, set: Bitboard, steps: Steps) -> Bitboard {
    match color {
        Color::Black => stepped(set, steps, Color::Black),
        Color::White => stepped(set, steps, Color::White),
    }
}

/// The squares strictly between two squares on a line; empty if no rank, file or diagonal joins them.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The line through two squares from edge to edge; empty if no rank, file or diagonal joins them.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE_THROUGH[a.index()][b.index()]
}

static BETWEEN: [PerSquare; Square::COUNT] = pairs().0;
static LINE_THROUGH: [PerSquare; Square::COUNT] = pairs().1;

const fn pairs() -> ([PerSquare; Square::COUNT], [PerSquare; Square::COUNT]) {
    let mut between = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut lines = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::from_index(index);
        let mut direction = 0;
        while direction < 8 {
            let (rows, columns) = DIRECTIONS[direction / 2];
            let step = if direction % 2 == 0 { (rows, columns) } else { (-rows, -columns) };
            let whole = both_ways(index, step, Bitboard::EMPTY).or(Bitboard::of(square));
            let mut passed = Bitboard::EMPTY;
            let mut row = square.row() as i32 + step.0;
            let mut column = square.column() as i32 + step.1;
            while row >= 0 && row < BOARD_SIZE as i32 && column >= 0 && column < BOARD_SIZE as i32 {
                let other = Square::at(column as usize, row as usize);
                between[index][other.index()] = passed;
                lines[index][other.index()] = whole;
                passed = passed.or(Bitboard::of(other));
                row += step.0;
                column += step.1;
            }
            direction += 1;
        }
        index += 1;
    }
    (between, lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_agree_with_walking_the_rays() {
        let mut bits: u64 = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..2_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let occupied = Bitboard::from_bits(bits);
            for square in Square::all() {
                let walk = |lines: [usize; 2]| {
                    lines
                        .into_iter()
                        .fold(Bitboard::EMPTY, |set, line| set | both_ways(square.index(), DIRECTIONS[line], occupied))
                };
                assert_eq!(rook_attacks(square, occupied), walk([RANK, FILE]), "rook {square}");
                assert_eq!(bishop_attacks(square, occupied), walk([DIAGONAL, ANTIDIAGONAL]), "bishop {square}");
            }
        }
    }

    #[test]
    fn a_step_of_one_colour_is_the_step_back_of_the_other() {
        use PieceKind::*;
        for kind in [Pawn, Knight, Silver, Gold, King] {
            for from in Square::all() {
                for to in Square::all() {
                    assert_eq!(
                        attacks(kind, Color::Black, from, Bitboard::EMPTY).has(to),
                        attacks(kind, Color::White, to, Bitboard::EMPTY).has(from),
                        "{kind} {from} {to}"
                    );
                }
            }
        }
    }

    #[test]
    fn lines_join_squares_that_see_each_other() {
        for a in Square::all() {
            for b in Square::all() {
                let joined = (rook_lines(a) | bishop_lines(a)).has(b);
                assert_eq!(line(a, b).any(), joined);
                assert!(!joined || (line(a, b).has(a) && line(a, b).has(b)));
                let expected = if rook_lines(a).has(b) {
                    rook_attacks(a, b.into()) & rook_attacks(b, a.into()) & line(a, b)
                } else if joined {
                    bishop_attacks(a, b.into()) & bishop_attacks(b, a.into()) & line(a, b)
                } else {
                    Bitboard::EMPTY
                };
                assert_eq!(between(a, b), expected, "{a} {b}");
            }
        }
    }
}
