//! Set operations, shifts and iteration of sets of squares in an integer.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{BOARD_SIZE, Color, Square};

/// A set of squares: bit `n` of the low 36 is the square with index `n`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(u64);

const ROW: u64 = (1 << BOARD_SIZE) - 1;
const COLUMN: u64 = 0b000001_000001_000001_000001_000001_000001;

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 36 squares.
    pub const ALL: Bitboard = Bitboard((1 << Square::COUNT) - 1);

    /// The set with these bits; bits from 36 on are ignored.
    #[inline]
    pub const fn from_bits(bits: u64) -> Bitboard {
        Bitboard(bits & Self::ALL.0)
    }

    /// The 36 bits, that of square 0 lowest.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        Bitboard(1 << square.index())
    }

    /// A column, from 0 (file 6) to 5 (file 1).
    ///
    /// # Panics
    /// If there is no such column.
    #[inline]
    pub const fn column(column: usize) -> Bitboard {
        assert!(column < BOARD_SIZE);
        Bitboard(COLUMN << column)
    }

    /// A row, from 0 (rank a) to 5 (rank f).
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub const fn row(row: usize) -> Bitboard {
        assert!(row < BOARD_SIZE);
        Bitboard(ROW << (row * BOARD_SIZE))
    }

    /// The `rows` rows farthest from the player's own side of the board.
    ///
    /// # Panics
    /// If the board has fewer rows.
    #[inline]
    pub const fn farthest_rows(color: Color, rows: usize) -> Bitboard {
        assert!(rows <= BOARD_SIZE);
        match color {
            Color::Black => Bitboard((1 << (rows * BOARD_SIZE)) - 1),
            Color::White => Bitboard(Self::ALL.0 & !((1 << ((BOARD_SIZE - rows) * BOARD_SIZE)) - 1)),
        }
    }

    /// The ranks of a promotion zone.
    pub const ZONE_RANKS: usize = 2;

    /// The promotion zone of `color`: its farthest ranks.
    #[inline]
    pub const fn zone(color: Color) -> Bitboard {
        Self::farthest_rows(color, Self::ZONE_RANKS)
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has any square.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    #[inline]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        Square::new(self.0.trailing_zeros() as usize)
    }

    /// The union, as a `const fn`.
    #[inline]
    pub const fn or(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }

    /// The squares of this set that are not in the other.
    #[inline]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// The set moved down by `rows` and right by `columns`; squares that leave the board are dropped.
    #[inline]
    pub const fn shifted(self, rows: i32, columns: i32) -> Bitboard {
        if rows.unsigned_abs() as usize >= BOARD_SIZE || columns.unsigned_abs() as usize >= BOARD_SIZE {
            return Bitboard::EMPTY;
        }
        let mut kept = self.0;
        let mut column = 0;
        while column < BOARD_SIZE as i32 {
            if column + columns < 0 || column + columns >= BOARD_SIZE as i32 {
                kept &= !(COLUMN << column);
            }
            column += 1;
        }
        let by = rows * BOARD_SIZE as i32 + columns;
        Self::from_bits(if by >= 0 { kept << by } else { kept >> -by })
    }

    /// All squares of the columns that have a square in the set.
    #[inline]
    pub const fn column_fill(self) -> Bitboard {
        let folded = self.0 | self.0 >> 18;
        let folded = (folded | folded >> 6 | folded >> 12) & ROW;
        Bitboard(folded * COLUMN)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Bitboard {
        Bitboard::of(square)
    }
}

/// An operator on sets, and its assignment.
macro_rules! operator {
    ($operator:tt, $trait:ident $method:ident, $assign_trait:ident $assign_method:ident) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $operator other.0)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = *self $operator other;
            }
        }
    };
}

operator!(&, BitAnd bitand, BitAndAssign bitand_assign);
operator!(|, BitOr bitor, BitOrAssign bitor_assign);
operator!(^, BitXor bitxor, BitXorAssign bitxor_assign);

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & Self::ALL.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.into())
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`], lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Debug for Bitboard {
    /// Six lines of `#` and `.`, as Black sees the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..BOARD_SIZE {
            let line: String =
                (0..BOARD_SIZE).map(|column| if self.has(Square::at(column, row)) { '#' } else { '.' }).collect();
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifting_loses_what_leaves_the_board() {
        for square in Square::all() {
            for rows in -12..=12 {
                for columns in -12..=12 {
                    let (row, column) = (square.row() as i32 + rows, square.column() as i32 + columns);
                    let inside = (0..6).contains(&row) && (0..6).contains(&column);
                    let expected =
                        if inside { Square::at(column as usize, row as usize).into() } else { Bitboard::EMPTY };
                    assert_eq!(Bitboard::of(square).shifted(rows, columns), expected, "{square} {rows} {columns}");
                }
            }
        }
    }

    #[test]
    fn columns_fill_from_any_of_their_squares() {
        for square in Square::all() {
            assert_eq!(Bitboard::of(square).column_fill(), Bitboard::column(square.column()));
        }
        assert_eq!(Bitboard::ALL.column_fill(), Bitboard::ALL);
    }
}
