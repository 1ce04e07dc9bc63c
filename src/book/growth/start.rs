//! The root positions of books: the even start position and three handicaps, with their names on the command line.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

use crate::shogi::{Handicap, Position};

/// A start position: the root of a part of the book.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display, EnumString, Serialize, Deserialize)]
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownStart, parse_err_fn = UnknownStart::new)]
pub enum Start {
    /// The start position of an even game.
    #[strum(serialize = "startpos")]
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

impl UnknownStart {
    fn new(name: &str) -> UnknownStart {
        UnknownStart(name.to_owned())
    }
}

impl Start {
    /// All start positions, the even game's first.
    pub const ALL: [Start; 4] = [Start::Even, Start::Bishop, Start::Rook, Start::TwoPieces];

    pub fn position(self) -> Position {
        match self {
            Start::Even => Position::startpos(),
            Start::Bishop => Handicap::Bishop.position(),
            Start::Rook => Handicap::Rook.position(),
            Start::TwoPieces => Handicap::TwoPieces.position(),
        }
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
