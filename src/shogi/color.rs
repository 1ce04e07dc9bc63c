//! The two players, Black (sente) and White (gote), with their signs `▲` and `△`.

use std::ops::{Neg, Not};

use strum::Display;

/// A player. Black (sente) sits at rank f and moves first, except in handicap games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Display)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
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

    /// The signs before a player's name and moves, Black's first: the usual one, the one seen from the other side, and
    /// the large one.
    pub const SIGNS: [[char; 3]; 2] = [['▲', '▼', '☗'], ['△', '▽', '☖']];

    /// The usual sign.
    pub const fn sign(self) -> char {
        Color::SIGNS[self.index()][0]
    }

    /// The player whose sign this is.
    pub fn of_sign(sign: char) -> Option<Color> {
        Color::ALL.into_iter().find(|color| Color::SIGNS[color.index()].contains(&sign))
    }

    /// Converts a value between Black's point of view and this player's.
    #[inline]
    pub fn relative<T: Neg<Output = T>>(self, value: T) -> T {
        match self {
            Color::Black => value,
            Color::White => -value,
        }
    }

    /// The index in a table: 0 for Black, 1 for White.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}
