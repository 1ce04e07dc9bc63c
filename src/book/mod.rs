//! Opening books, and how a book is grown by search.
//!
//! A [`Book`] is a [text] in the common format of shogi programs, or the [compact form](compact) of the built-in one.
//! [`choose`] selects one of its moves. `growth` (cargo feature `book`) grows books; nothing else here depends on it.
//!
#![doc = include_str!("books.md")]

mod choice;
pub mod compact;
#[cfg(feature = "book")]
#[doc(hidden)]
pub mod growth;
pub mod text;

use std::path::Path;

pub use choice::{BookMove, Choice, choose};
pub use compact::{CompactBook, CompactBookError};
pub use text::{TextBook, TextBookError};

use crate::atomic_file;
use crate::shogi::{Move, Position};

/// An opening book.
#[derive(Debug)]
pub enum Book {
    /// A text, held in memory.
    Text(TextBook),
    /// The compact form.
    Compact(CompactBook),
}

/// The reason why a book cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read the book: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It is neither text nor a compact book.
    #[error("neither a text nor a compact book: byte {0} is not UTF-8")]
    Foreign(usize),
    /// It is a text with an invalid line.
    #[error(transparent)]
    Text(#[from] TextBookError),
    /// It is a book that grows, which has more than an engine needs.
    #[error("a book of 'judkins book grow': 'judkins book export' makes one for the engine")]
    Growing,
    /// It is not a complete compact book.
    #[error(transparent)]
    Compact(#[from] CompactBookError),
}

/// The beginning of the file of a growing book.
pub(crate) const GROWING_MAGIC: &[u8; 16] = b"judkins book\r\n\x1a\0";

impl Book {
    /// The built-in book.
    pub fn built_in() -> Book {
        Book::Compact(CompactBook::built_in())
    }

    /// Reads a text or a compact book.
    ///
    /// # Errors
    /// [`BookError`] if it cannot be read or is neither.
    pub fn read(path: &Path) -> Result<Book, BookError> {
        // A pipe, like some devices, may never end.
        if !std::fs::metadata(path)?.is_file() {
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file").into());
        }
        let bytes = std::fs::read(path)?;
        if compact::is_compact(&bytes) {
            return Ok(Book::Compact(CompactBook::from_bytes(bytes)?));
        }
        if bytes.starts_with(GROWING_MAGIC) {
            return Err(BookError::Growing);
        }
        let text = atomic_file::text(bytes).map_err(|error| BookError::Foreign(error.utf8_error().valid_up_to()))?;
        Ok(Book::Text(TextBook::parse(&text)?))
    }

    /// Whether a file begins like a book: text books begin with the name of their format.
    pub fn is_begun_by(bytes: &[u8]) -> bool {
        compact::is_compact(bytes)
            || bytes.starts_with(GROWING_MAGIC)
            || atomic_file::without_mark(bytes).starts_with(b"#YANEURAOU-DB")
    }

    /// The legal moves of the book in a position, the first choice first: in a text the most-played move, in a compact
    /// book the best.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        match self {
            Book::Text(book) => book.moves(position),
            Book::Compact(book) => book.moves(position),
        }
    }

    /// The expected reply to a move of this book: the one stored with it, or the first choice in the next position.
    pub fn reply(&self, position: &Position, book_move: &BookMove) -> Option<Move> {
        let after = position.after(book_move.mv);
        let named = book_move.reply.filter(|&reply| after.is_legal(reply));
        named.or_else(|| self.moves(&after).first().map(|known| known.mv))
    }
}
