use std::fmt;
use std::ops::Not;

/// A player. Black (sente) sits at rank f and moves first, except in handicap games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Sente: capital letters in SFEN, moves towards rank a.
    Black,
    /// Gote: small letters in SFEN, moves towards rank f.
    White,
}

impl Color {
    /// Both players in index order.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// The index in a table: 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    /// The opponent.
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "Black",
            Color::White => "White",
        })
    }
}
