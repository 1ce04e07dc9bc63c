//! Game records: trees of moves, and the file formats of people and programs.
//!
//! A [`Record`] is a game: a [`Header`], the start position, and a tree of moves with comments, marks, times and
//! evaluations. A [`Reader`] reads the games of a file one by one, in any [`Format`]; [`Record::to_text`] writes a
//! game. The modules of the formats document what each can represent: [`usi`], [`kakinoki`] (KIF, KI2) and [`pgn`].
//!
//! # Reading
//! The format is recognised, and so is the encoding: UTF-8 with or without a byte order mark, or Shift-JIS. Invalid
//! content is not an error of the reader: a broken game comes with [`Problem`]s, which have a line and a column, and
//! with the part that was read before. Reading continues with the next game. Memory holds one game at a time, and time
//! is linear in the length of the text, regardless of the nesting of variations or the length of lines.
//!
//! ```
//! use judkins::record::{Format, NodeId, Reader};
//! use judkins::shogi::Color;
//!
//! let file = r#"
//! [Event "an example"]
//! [Black "one"]
//! [White "two"]
//! [Result "0-1"]
//! [Variant "judkins"]
//!
//! 1. P-6d {+0.35/12 0.101s} P-1c? (1. ... K-2b {is better}) 2. G-5e 0-1
//! "#;
//! for game in Reader::new(file.as_bytes())? {
//!     let game = game?;
//!     assert!(game.problems.is_empty());
//!     let record = game.record.expect("its start is known");
//!     assert_eq!(record.header.player(Color::Black), Some("one"));
//!
//!     // The main line, and what stands beside its moves.
//!     let moves: Vec<String> = record.main_moves().map(|mv| mv.to_string()).collect();
//!     assert_eq!(moves, ["6e6d", "1b1c", "5f5e"]);
//!     let first = record[NodeId::ROOT].children()[0];
//!     assert_eq!(record[first].notes().evaluation.as_ref().unwrap().depth, Some(12));
//!
//!     // The second child is a variation.
//!     let variation = record[first].children()[1];
//!     assert_eq!(record[variation].notes().comment, "is better");
//!     assert_eq!(record.position(variation).unwrap().to_string(), "rbnsg1/4kp/6/P5/6/KGSNBR b - 3");
//!
//!     assert_eq!(record.to_text(Format::Usi)?, "startpos moves 6e6d 1b1c 5f5e\n");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Editing
//! Moves are played at a node of the tree ([`NodeId`]), which stays valid through all other changes. All moves are
//! legal.
//!
//! ```
//! use judkins::record::{Format, Mark, NodeId, Record};
//! use judkins::shogi::Position;
//!
//! let mut record = Record::new(Position::startpos());
//! let first = record.play(NodeId::ROOT, "6e6d".parse()?)?;
//! record.play(first, "1b1c".parse()?)?;
//! let other = record.play(first, "1a2b".parse()?)?;
//! record.set_mark(other, Some(Mark::Interesting))?;
//! record.make_main(other)?;
//! assert!(record.to_text(Format::Kif)?.contains("   1 ６四歩(65)\n   2 ２二玉(11)   +\n*#記号=!?\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod charset;
pub(crate) mod date;
mod encoding;
mod format;
mod header;
pub mod kakinoki;
mod lines;
mod match_lines;
pub(crate) mod notes;
pub mod pgn;
mod read_game;
mod reader;
mod recognise;
mod tree;
pub mod usi;

pub use date::Date;
pub use encoding::{Encoding, Unencodable};
pub use format::{NotWritten, UnknownFormat};
pub use header::{Header, Impasse};
pub use match_lines::{EngineRecord, GameRecord};
pub use notes::{Evaluation, FormerEnd, Mark, Notes};
pub use read_game::{Problem, ReadGame};
pub use reader::{ReadError, Reader};
pub use tree::{Branch, Cursor, EditError, Node, NodeId, Record};

/// A format of game records.
///
/// | format | read | written | |
/// | --- | --- | --- | --- |
/// | [`Usi`](Format::Usi) | ✓ | ✓ | one game per line: `startpos moves …`, `sfen … moves …`, an SFEN, a handicap |
/// | [`Kif`](Format::Kif) | ✓ | ✓ | the format of Kakinoki's programs, which almost every shogi program reads |
/// | [`Ki2`](Format::Ki2) | ✓ | ✓ | the same with moves in Japanese notation |
/// | [`Pgn`](Format::Pgn) | ✓ | ✓ | PGN with Western moves; Black, who moves first, is `Black`, and `0-1` is his win |
/// | [`PgnFairy`](Format::PgnFairy) | ✓ | ✓ | PGN of Fairy-Stockfish and pychess; the first player is `White` |
/// | [`PgnCuteChess`](Format::PgnCuteChess) | ✓ | ✓ | PGN of Cute Chess; the first player is `White` |
/// | [`Match`](Format::Match) | ✓ | – | the JSON lines that `judkins match --record` writes |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // The table says it.
pub enum Format {
    Usi,
    Kif,
    Ki2,
    Pgn,
    PgnFairy,
    PgnCuteChess,
    Match,
}
