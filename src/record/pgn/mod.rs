//! PGN, in three dialects.
//!
//! | | [`to_pgn`] | [`to_fairy_pgn`] | [`to_cutechess_pgn`] |
//! | --- | --- | --- | --- |
//! | moves | Western: `P-6d`, `Sx5b+` | [SAN](crate::shogi::notation::san) of Fairy-Stockfish: `Sxb5=G+` | SAN of Cute Chess: `Sxb5+` |
//! | who moves first | `Black` | `White` | `White` |
//! | he wins | `0-1` | `1-0` | `1-0` |
//! | another start | `[SFEN "…"]` | `[FEN "…"]`, `[SetUp "1"]` | the same |
//!
//! The result is that of the tags: `1-0` is the win of the player in `White`, in all of them. Our own dialect says so with
//! `[Notation "Western"]`. Earlier versions of it wrote `1-0` for the win of who moves first, in the tag and at the end of
//! the moves: a file with `EndReason` and without `Notation` is one of theirs, and is read as they meant it. So is one whose
//! `Termination` says in words who won, `Black wins: …`.
//!
//! The reader knows the dialect by the squares, and the two kinds of SAN
//! by what only one of them has, or else by which of them makes sense to the end: `Ne2+` checks in one and promotes in the
//! other. Files of our own in the notation of Cute Chess say so in a tag, `[Notation "Cute Chess"]`.
//!
//! A move may be followed by glyphs (`$1` to `$6`, `!` to `?!`, are its mark, others up to `$255` are kept; signs such as
//! `±` and `=` are read as their glyphs), by what an engine said, `{+0.35/12 0.101s}` (score in pawns
//! or `M` and plies, as the mover sees it, then depth and seconds), and by comments. `[%eval]`, `[%emt]` and `[%clk]` are read.
//! Our own tags are `EndReason`, `Detail`, `ImpasseRule`, `EndDate`, `EndTime`, `Notation`, and `LastThought`, how long the
//! player to move had thought when the game ended.
//!
//! Keys of KIF have the standard's names where it has one: `開始日時` is `Date` and `Time`, `棋戦` `Event`, `場所` `Site`,
//! `持ち時間` `TimeControl`, `戦型` `Opening`. Other keys, and values that these tags cannot express, stand in tags whose names
//! begin with `Kif`, and KIF has them again: `[Kif_50998003 "…"]` is `備考`. A date such as `2005/11/29・30日` stands in both.
//!
//! Nothing that a file holds is passed over in silence but lines that begin with `%`, which are for other programs, and
//! fields such as `Site` without a value. Words that are no moves are named, and the game goes on.
//!
//! What PGN cannot hold: a closing brace in a comment (a bracket is written), a comment that reads like
//! what an engine says, line breaks in tags, fractions of a millisecond; in the dialects of chess programs
//! whether the start's move number is the first or the second of its pair.

mod comment;
mod cut;
mod dialect;
mod glyph;
mod names;
mod read;
mod tags;
mod time_control;
mod token;
mod write;

pub(super) use read::Games;
pub use write::{to_cutechess_pgn, to_fairy_pgn, to_pgn};
