//! Games that the program played against itself, as data for the learned evaluation to be trained on.
//!
//! A [`TrainingGame`] takes about four bytes a ply. Games lie in shards: files of some thousand games, each written whole or
//! not at all ([`write_shard`], [`ShardReader`]). [`SelfPlay`] plays them, [`shuffle`] mixes them, [`Rescorer`] gives them the
//! scores of a newer evaluation, and [`Summary`] says what is in them.

mod ending;
mod game;
mod rescore;
mod self_play;
mod shard;
mod shuffle;
mod summary;

pub use game::{ScoredPly, TrainingGame};
pub use rescore::{RescoreError, Rescorer};
pub use self_play::{SelfPlay, SelfPlayOptions};
pub use shard::{DataError, SHARD_EXTENSION, ShardReader, write_shard};
pub use shuffle::shuffle;
pub use summary::Summary;
