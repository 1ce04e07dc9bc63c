//! The opening book: the text format that shogi programs share (Yaneuraou's DB2016).
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1
//! 4f4e 2a2b 31 12 5
//! 2f4d none 20 12 1
//! ```
//!
//! A `sfen` line is followed by the moves of its position: move, expected reply or `none`, score in centipawns, depth, and
//! how often it was played. Only the move is required. Lines that begin with `#` or `//` are comments. The whole book is
//! held in memory.

use std::collections::HashMap;
use std::path::Path;

use crate::shogi::{Move, Position};

/// A move of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The expected reply, which may be illegal.
    pub reply: Option<Move>,
    /// How often it was played; 1 if the book does not say.
    pub count: u64,
}

/// An opening book.
#[derive(Debug, Default)]
pub struct Book {
    positions: HashMap<u64, Vec<BookMove>>,
}

/// Why a book cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read the book: {0}")]
    Unreadable(#[from] std::io::Error),
    /// A line is malformed, or its position or move is not legal.
    #[error("line {line} of the book: {message}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
}

impl Book {
    /// Reads a file.
    ///
    /// # Errors
    /// [`BookError`] if it cannot be read or is not a book.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        Book::parse(&std::fs::read_to_string(path)?)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// [`BookError::Line`] for the first line that is wrong.
    pub fn parse(text: &str) -> Result<Book, BookError> {
        let mut book = Book::default();
        let mut current: Option<Position> = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            let error = |message: String| BookError::Line { line: index + 1, message };
            if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
                continue;
            }
            if let Some(sfen) = line.strip_prefix("sfen ") {
                current = Some(sfen.parse().map_err(|e: crate::shogi::SfenError| error(e.to_string()))?);
                continue;
            }
            let Some(position) = &current else { return Err(error("a move before any 'sfen' line".to_owned())) };
            let mut fields = line.split_ascii_whitespace();
            let text = fields.next().unwrap_or_default();
            let legal = text.parse().ok().filter(|&mv| position.is_legal(mv));
            let mv = legal.ok_or_else(|| error(format!("'{text}' is no legal move in {position}")))?;
            let reply = fields.next().and_then(|reply| reply.parse().ok());
            let count = fields.nth(2).and_then(|count| count.parse().ok()).unwrap_or(1);
            book.positions.entry(position.key()).or_default().push(BookMove { mv, reply, count });
        }
        Ok(book)
    }

    /// The number of positions in the book.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether the book has no positions.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The most played legal move of a position; of several, the first in the book.
    pub fn probe(&self, position: &Position) -> Option<BookMove> {
        let moves = self.positions.get(&position.key())?;
        moves.iter().rev().filter(|known| position.is_legal(known.mv)).max_by_key(|known| known.count).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "#YANEURAOU-DB2016 1.00\n\nsfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\n2f4d none 20 12 1\n4f4e 2a2b 31 12 5\n6e6d\n";

    #[test]
    fn the_most_played_move_comes_first() {
        let book = Book::parse(TEXT).unwrap();
        let known = book.probe(&Position::startpos()).unwrap();
        assert_eq!(
            (known.mv.to_string(), known.reply.unwrap().to_string(), known.count),
            ("4f4e".into(), "2a2b".into(), 5)
        );
        assert_eq!(book.len(), 1);
        let elsewhere = Position::startpos().after("6e6d".parse().unwrap());
        assert_eq!(book.probe(&elsewhere), None);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, expected) in [
            ("6e6d\n", "line 1 of the book: a move before any 'sfen' line"),
            ("sfen 6/6 b - 1\n", "line 1 of the book: the board has 2 ranks, not 6"),
            (
                "sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\n6e6c\n",
                "line 2 of the book: '6e6c' is no legal move in rbnsgk/5p/6/6/P5/KGSNBR b - 1",
            ),
        ] {
            assert_eq!(Book::parse(text).unwrap_err().to_string(), expected);
        }
        assert!(Book::read(Path::new("/no/such/book.db")).is_err());
    }
}
