//! PGN, in three dialects.
//!
//! | | [`to_pgn`] | [`to_fairy_pgn`] | [`to_cutechess_pgn`] |
//! | --- | --- | --- | --- |
//! | moves | Western: `P-6d`, `Sx5b+` | [SAN](crate::shogi::notation::san) of Fairy-Stockfish: `Sxb5=G+` | SAN of Cute Chess: `Sxb5+` |
//! | who moves first | `Black` | `White` | `White` |
//! | another start | `[SFEN "…"]` | `[FEN "…"]`, `[SetUp "1"]` | the same |
//!
//! In all of them `1-0` is the win of who moves first. The reader knows the dialect by the squares, and the two kinds of SAN
//! by what only one of them has, or else by which of them makes sense to the end: `Ne2+` checks in one and promotes in the
//! other. Files of our own in the notation of Cute Chess say so in a tag, `[Notation "Cute Chess"]`.
//!
//! A move may be followed by a glyph (`$1` to `$6`, `!` to `?!`), by what an engine said, `{+0.35/12 0.101s}` (score in pawns
//! or `M` and plies, as the mover sees it, then depth and seconds), and by comments. `[%eval]`, `[%emt]` and `[%clk]` are read.
//! Our own tags are `EndReason`, `Detail`, `ImpasseRule`, `EndDate`, `EndTime`.
//!
//! What PGN cannot hold: a closing brace in a comment (a bracket is written), other glyphs, a comment that reads like
//! what an engine says, names that are `?` or `-`, line breaks in tags, fractions of a millisecond; in the dialects of chess programs
//! whether the start's move number is the first or the second of its pair.

mod comment;
mod dialect;
mod read;
mod tags;
mod token;
mod write;

pub(super) use read::Games;
pub use write::{to_cutechess_pgn, to_fairy_pgn, to_pgn};
