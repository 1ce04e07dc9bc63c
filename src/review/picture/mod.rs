//! A review as a picture: the curve of the game with its marks, and a page with boards.
//!
//! Both are one file without scripts, and refer to nothing outside. They are well-formed XML, so any XML parser reads
//! them.

mod arrows;
mod board;
mod cards;
mod curve;
mod facts;
mod flags;
mod markup;
mod moves;
mod page;
mod poster;
mod shapes;
#[cfg(test)]
mod tests;
mod turning;

use super::Review;
use crate::record::Record;
use crate::shogi::diagram::Pieces;

/// The curve of the chance to win with its marks, the players and the result, as an SVG of its own.
pub fn svg(record: &Record, review: &Review) -> String {
    poster::draw(record, review)
}

/// A page of its own, as HTML: the curve, the players, boards at the turning points with pieces of this kind, and a table of
/// all moves.
pub fn html(record: &Record, review: &Review, pieces: Pieces) -> String {
    page::write(record, review, pieces)
}
