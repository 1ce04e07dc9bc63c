//! The common text format of shogi programs' books (YaneuraOu's DB2016).
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1
//! 4f4e 2a2b 31 12 5
//! 2f4d none 20 12 1
//! ```
//!
//! A `sfen` line is followed by the moves of its position: move, expected reply or `none`, score in centipawns, depth,
//! and the number of times it was played. Only the move is required. Lines that begin with `#` or `//` are comments.
//! The whole book is held in memory.

use std::collections::HashMap;
use std::str::FromStr;

use super::BookMove;
use crate::shogi::Position;

/// The first line of a text.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// The error for a text with a line that is malformed, or whose position or move is not legal: its first one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} of the book: {message}")]
pub struct TextBookError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The error.
    pub message: String,
}

/// A book in the text format.
#[derive(Debug, Default)]
pub struct TextBook {
    /// The moves of each position by its key: the most-played first, ties in the order of the text.
    positions: HashMap<u64, Vec<BookMove>>,
}

impl TextBook {
    /// Reads a text.
    ///
    /// # Errors
    /// [`TextBookError`] for the first invalid line.
    pub fn parse(text: &str) -> Result<TextBook, TextBookError> {
        let mut book = TextBook::default();
        let mut current: Option<Position> = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            let error = |message: String| TextBookError { line: index + 1, message };
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
            let mv = legal.ok_or_else(|| error(format!("'{text}' is not a legal move in {position}")))?;
            let reply = field(fields.next(), "expected reply").map_err(error)?;
            let score = field(fields.next(), "score").map_err(error)?;
            let depth = field(fields.next(), "depth").map_err(error)?;
            let count = field(fields.next(), "count").map_err(error)?.unwrap_or(1);
            if let Some(extra) = fields.next() {
                return Err(error(format!("'{extra}' after the count")));
            }
            book.positions.entry(position.key()).or_default().push(BookMove { mv, reply, score, depth, count });
        }
        book.positions.values_mut().for_each(|moves| moves.sort_by_key(|known| std::cmp::Reverse(known.count)));
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

    /// The legal moves of a position, the most-played first.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let moves = self.positions.get(&position.key()).map_or(&[][..], Vec::as_slice);
        moves.iter().filter(|known| position.is_legal(known.mv)).copied().collect()
    }
}

/// A field that may be missing or `none`.
fn field<T: FromStr>(text: Option<&str>, what: &str) -> Result<Option<T>, String> {
    let text = text.filter(|text| *text != "none");
    text.map(|text| text.parse().map_err(|_| format!("'{text}' is not a valid {what}"))).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "#YANEURAOU-DB2016 1.00\n\nsfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\n2f4d none 20 12 1\n4f4e 2a2b 31 12 5\n6e6d\n";

    #[test]
    fn the_most_played_move_comes_first() {
        let book = TextBook::parse(TEXT).unwrap();
        let known = book.moves(&Position::startpos());
        let text = |known: &BookMove| format!("{} {:?} {:?} {}", known.mv, known.reply, known.score, known.count);
        let known: Vec<String> = known.iter().map(text).collect();
        assert_eq!(known, ["4f4e Some(2a2b) Some(31) 5", "2f4d None Some(20) 1", "6e6d None None 1"]);
        assert_eq!(book.len(), 1);
        let elsewhere = Position::startpos().after("6e6d".parse().unwrap());
        assert_eq!(book.moves(&elsewhere), []);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, expected) in [
            ("6e6d\n", "line 1 of the book: a move before any 'sfen' line"),
            ("sfen 6/6 b - 1\n", "line 1 of the book: the board has 2 ranks, not 6"),
            (
                "sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\n6e6c\n",
                "line 2 of the book: '6e6c' is not a legal move in rbnsgk/5p/6/6/P5/KGSNBR b - 1",
            ),
            ("sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\n6e6d none abc\n", "line 2 of the book: 'abc' is not a valid score"),
            ("sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\n6e6d none 1 2 3 x\n", "line 2 of the book: 'x' after the count"),
        ] {
            assert_eq!(TextBook::parse(text).unwrap_err().to_string(), expected);
        }
    }
}
