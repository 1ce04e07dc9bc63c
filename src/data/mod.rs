//! Self-play games: the training data of the learned evaluation.
//!
//! A [`TrainingGame`] takes about four bytes per ply. Shards are files of some thousand games, written atomically
//! ([`write_shard`], [`ShardReader`]) and generated batch by batch ([`GrowingShard`]). [`SelfPlay`] plays games,
//! `shuffle` mixes them, [`Rescorer`] gives them the scores of a newer evaluation, [`Summary`] collects statistics,
//! [`TestSet`] takes positions on which networks are compared, and [`write_text_game`] exports them as text.

mod game;
mod growing;
mod rescore;
mod self_play;
mod shard;
mod shuffle;
mod summary;
mod test_set;
mod text;

pub use game::{NOT_QUIET, ScoredPly, TrainingGame};
pub use growing::{BATCH, GrowingShard, PART_EXTENSION};
pub use rescore::{RescoreError, Rescorer};
pub use self_play::{SelfPlay, SelfPlayError, SelfPlayOptions};
pub use shard::{DataError, SHARD_EXTENSION, ShardReader, shard_bytes, shard_name, write_shard};
pub use shuffle::{HEAP_EXTENSION, shuffle};
pub use summary::Summary;
pub use test_set::{TestGame, TestPosition, TestSet, TestSetError};
pub use text::{ReadTextError, WriteTextError, read_text_games, write_quiet_text, write_text_game};
