//! The root positions of books: the even start position and three handicaps, with their names on the command line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::shogi::{Handicap, Position};

/// A start position: the root of a part of the book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Start {
    /// The start position of an even game.
    Even,
    Bishop,
    Rook,
    /// White gives rook and bishop.
    TwoPieces,
}

/// The error for an unknown name of a start position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown start position '{0}'; they are startpos, bishop, rook and two-pieces")]
pub struct UnknownStart(String);

impl Start {
    /// All start positions, the even game's first.
    pub const ALL: [Start; 4] = [Start::Even, Start::Bishop, Start::Rook, Start::TwoPieces];

    /// Its handicap; none for an even game.
    pub const fn handicap(self) -> Option<Handicap> {
        match self {
            Start::Even => None,
            Start::Bishop => Some(Handicap::Bishop),
            Start::Rook => Some(Handicap::Rook),
            Start::TwoPieces => Some(Handicap::TwoPieces),
        }
    }

    pub fn position(self) -> Position {
        self.handicap().map_or_else(Position::startpos, Handicap::position)
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.handicap() {
            None => f.write_str("startpos"),
            Some(handicap) => handicap.fmt(f),
        }
    }
}

impl FromStr for Start {
    type Err = UnknownStart;

    fn from_str(text: &str) -> Result<Start, UnknownStart> {
        Start::ALL.into_iter().find(|start| start.to_string() == text).ok_or_else(|| UnknownStart(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for start in Start::ALL {
            assert_eq!(start.to_string().parse(), Ok(start));
        }
        assert!("queen".parse::<Start>().unwrap_err().to_string().contains("two-pieces"));
    }
}
