//! PGN, in three dialects.
//!
//! | | [`to_pgn`] | [`to_fairy_pgn`] | [`to_cutechess_pgn`] |
//! | --- | --- | --- | --- |
//! | moves | Western: `P-6d`, `Sx5b+` | [SAN](crate::shogi::notation::san): `Sxb5=G+` | the same, but `Sxb5+` |
//! | first player | `Black` | `White` | `White` |
//! | first player wins | `0-1` | `1-0` | `1-0` |
//! | another start | `[SFEN "…"]` | `[FEN "…"]`, `[SetUp "1"]` | the same |
//!
//! Results always refer to the tags: `1-0` is a win of the player in `White`. Our own dialect is marked with
//! `[Notation "Western"]`. Earlier versions of it wrote `1-0` for a win of the first player, in the tag and at the end
//! of the moves: a file with `EndReason` and without `Notation` is read that way, and so is one whose `Termination`
//! names the winner in words, `Black wins: …`.
//!
//! The reader recognises the dialect by the squares. It distinguishes the two kinds of SAN by features that only one of
//! them has, or else by which of them can be read to the end: `Ne2+` gives check in one and promotes in the other. Our
//! own files in the notation of Cute Chess have the tag `[Notation "Cute Chess"]`.
//!
//! A move may be followed by glyphs (`$1` to `$6`, `!` to `?!`, are its mark, others up to `$255` are kept; signs like
//! `±` and `=` are read as their glyphs), by an engine's evaluation, `{+0.35/12 0.101s}` (score in pawns or `M` and
//! plies, from the mover's point of view, then depth and seconds), and by comments. `[%eval]`, `[%emt]` and `[%clk]`
//! are read. Our own tags are `EndReason`, `Detail`, `ImpasseRule`, `EndDate`, `EndTime`, `Notation`, and
//! `LastThought`, the thinking time of the player to move before the end of the game.
//!
//! KIF keys get the standard's names if there are any: `開始日時` is `Date` and `Time`, `棋戦` `Event`, `場所` `Site`, `持ち時間`
//! `TimeControl`, `戦型` `Opening`. Other keys, and values that these tags cannot express, become tags whose names begin
//! with `Kif`, and KIF gets them back: `[Kif_50998003 "…"]` is `備考`. A date like `2005/11/29・30日` is written in both
//! forms.
//!
//! Only lines that begin with `%`, which are for other programs, and fields without a value, for instance `Site`, are
//! ignored silently. Words that are not moves are reported, and the game continues.
//!
//! PGN cannot represent a closing brace in a comment (a bracket is written), a comment that looks like an engine's
//! evaluation, line breaks in tags, fractions of a millisecond, and, in the dialects of chess programs, whether the
//! start's move number is the first or the second of its pair.

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

pub(super) use read::{Games, begins};
pub use write::{to_cutechess_pgn, to_fairy_pgn, to_pgn};
