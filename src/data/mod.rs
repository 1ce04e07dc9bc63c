//! Games of self-play: the training data of the learned evaluation.
//!
//! A [`TrainingGame`] takes about four bytes a ply. Shards are files of some thousand games, written atomically
//! ([`write_shard`], [`ShardReader`]). [`SelfPlay`] plays games, [`shuffle`] mixes them, [`Rescorer`] gives them the
//! scores of a newer evaluation, and [`Summary`] counts what they contain.

mod game;
mod rescore;
mod self_play;
mod shard;
mod shuffle;
mod summary;

pub use game::{NOT_QUIET, ScoredPly, TrainingGame};
pub use rescore::{RescoreError, Rescorer};
pub use self_play::{SelfPlay, SelfPlayError, SelfPlayOptions};
pub use shard::{DataError, SHARD_EXTENSION, ShardReader, write_shard};
pub use shuffle::shuffle;
pub use summary::Summary;
