//! Squares of the board by index, with files and ranks, names and distances.

use std::fmt;
use std::str::FromStr;

use super::Color;

/// The width and height of the board in squares.
pub const BOARD_SIZE: usize = 6;

/// One of the 36 squares. Indices follow the diagram in reading order: `6a` is 0, `1a` is 5, `1f` is 35.
///
/// ```
/// use judkins::shogi::Square;
/// let square: Square = "6f".parse().unwrap();
/// assert_eq!((square.file(), square.rank()), (6, 'f'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The error for a text that is not the name of a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a square from 6a to 1f")]
pub struct ParseSquareError;

impl Square {
    /// The count of squares, 36.
    pub const COUNT: usize = BOARD_SIZE * BOARD_SIZE;

    /// The square with an index; [`None`] from [`Square::COUNT`] on.
    #[inline]
    pub const fn new(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// The square with an index.
    ///
    /// # Panics
    /// If `index` is not below [`Square::COUNT`].
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        assert!(index < Self::COUNT);
        Square(index as u8)
    }

    /// The square in a column (0 is file 6, at Black's left) and a row (0 is rank a).
    ///
    /// # Panics
    /// If either is not below [`BOARD_SIZE`].
    #[inline]
    pub const fn at(column: usize, row: usize) -> Square {
        assert!(column < BOARD_SIZE && row < BOARD_SIZE);
        Square((row * BOARD_SIZE + column) as u8)
    }

    /// All squares in index order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Square)
    }

    /// The index, 0 to 35.
    #[inline]
    pub const fn index(self) -> usize {
        // SAFETY: every constructor keeps the index below the count.
        unsafe { std::hint::assert_unchecked((self.0 as usize) < Self::COUNT) };
        self.0 as usize
    }

    /// The column from Black's left, 0 to 5.
    #[inline]
    pub const fn column(self) -> usize {
        self.0 as usize % BOARD_SIZE
    }

    /// The row from the top of the diagram, 0 to 5.
    #[inline]
    pub const fn row(self) -> usize {
        self.0 as usize / BOARD_SIZE
    }

    /// The file, 6 (at Black's left) to 1.
    pub const fn file(self) -> usize {
        BOARD_SIZE - self.column()
    }

    /// The rank, `a` (top) to `f`.
    pub const fn rank(self) -> char {
        (b'a' + self.row() as u8) as char
    }

    /// The square with a file digit and a rank letter: `'6'` and `'a'`.
    pub fn from_file_rank(file: char, rank: char) -> Option<Square> {
        let column = BOARD_SIZE.checked_sub(file.to_digit(10)? as usize).filter(|&column| column < BOARD_SIZE)?;
        let row = (rank as usize).checked_sub('a' as usize).filter(|&row| row < BOARD_SIZE)?;
        Some(Square::at(column, row))
    }

    /// The square rotated by 180°: `6a` becomes `1f`.
    #[inline]
    pub const fn rotated(self) -> Square {
        Square((Self::COUNT - 1) as u8 - self.0)
    }

    /// The square from a player's point of view: rotated by 180° for White.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::Black => self,
            Color::White => self.rotated(),
        }
    }

    /// The distance in king's steps (Chebyshev distance), 0 to 5.
    #[inline]
    pub const fn distance(self, other: Square) -> usize {
        DISTANCES[self.index()][other.index()] as usize
    }
}

static DISTANCES: [[u8; Square::COUNT]; Square::COUNT] = {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut pair = 0;
    while pair < Square::COUNT * Square::COUNT {
        let (a, b) = (Square::from_index(pair / Square::COUNT), Square::from_index(pair % Square::COUNT));
        let (columns, rows) = (a.column().abs_diff(b.column()), a.row().abs_diff(b.row()));
        table[a.index()][b.index()] = if columns > rows { columns as u8 } else { rows as u8 };
        pair += 1;
    }
    table
};

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let mut chars = text.chars();
        match (chars.next(), chars.next(), chars.next()) {
            (Some(file), Some(rank), None) => Square::from_file_rank(file, rank).ok_or(ParseSquareError),
            _ => Err(ParseSquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_a_king() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        for (from, to, steps) in [("1a", "1a", 0), ("1a", "2b", 1), ("6a", "1b", 5), ("3f", "2a", 5), ("4c", "2d", 2)] {
            assert_eq!(square(from).distance(square(to)), steps, "{from} {to}");
            assert_eq!(square(to).distance(square(from)), steps, "{to} {from}");
            assert_eq!(format!("{:?}", square(from)), from);
        }
    }
}
