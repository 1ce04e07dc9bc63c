//! Training of the learned evaluation: from games to a network file.
//!
//! A [`Dataset`] describes the games, a loader provides their quiet positions in random order, and a [`Training`]
//! processes them epoch by epoch. The target is a position's winning chance: a mean of the search's score and the
//! game's result. Weights are floating-point numbers; [`Training::network`] quantises them.
//!
#![doc = include_str!("training.md")]

mod adam;
mod checkpoint;
mod dataset;
mod gradient;
mod loader;
mod losses;
mod parameters;
mod rounding;
mod sample;
mod settings;
#[cfg(test)]
mod toy;
mod training;

use std::io;
use std::path::{Path, PathBuf};

use crate::atomic_file;
use crate::data::DataError;
use crate::eval::nnue::WEIGHT_LIMIT;
use crate::work::ThreadError;

pub use checkpoint::Extension;
pub use dataset::Dataset;
pub use losses::EpochLosses;
pub use rounding::Rounding;
pub use sample::Sample;
pub use settings::TrainingSettings;
pub use training::Training;

/// The reason why a training cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A shard cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The games to train on have no quiet position.
    #[error("these games have no quiet positions to train on")]
    NoPositions,
    /// The held-out games have no quiet position.
    #[error("none of these {0} games has quiet positions to hold out; more games are needed")]
    NothingHeldOut(u64),
    /// The shards have changed since they were first read.
    #[error("{found} positions where there were {expected}: the games have changed since the training began")]
    Changed {
        /// The number of positions in the first reading.
        expected: u64,
        /// The number of positions in an epoch.
        found: u64,
    },
    /// A setting is out of its range.
    #[error("{rule}")]
    Setting {
        /// Its name, as in a checkpoint: `end-rate`.
        setting: String,
        rule: &'static str,
    },
    /// The network to start from has a greater weight, in the units of its real numbers, than training keeps.
    #[error("the network to start from has a weight of {0:.2}: training keeps all within ±{WEIGHT_LIMIT}")]
    Start(f32),
    /// The checkpoint belongs to a training with other settings or other games.
    #[error("the training to resume was begun with other settings: {0}")]
    Differs(String),
    /// The checkpoint belongs to a training with more epochs.
    #[error("the training to resume has {then} epochs, which can become more, and not {now}")]
    Fewer {
        /// The checkpoint's epochs.
        then: u64,
        /// The requested epochs.
        now: u64,
    },
    #[error("{}: {}", .0.display(), .1)]
    Checkpoint(PathBuf, String),
    /// The picture of the losses cannot be drawn.
    #[error("{}: {}", .0.display(), .1)]
    Picture(PathBuf, String),
    /// The loss is infinite or not a number after this epoch.
    #[error("the loss is not a number in epoch {0}; a lower learning rate may help")]
    Diverged(u64),
    /// There is no thread to load the games.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// A file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
}

impl TrainError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> TrainError {
        let path = path.to_owned();
        |error| TrainError::Io(path, error)
    }
}

/// Writes a file atomically.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    atomic_file::write(path, bytes).map_err(TrainError::io(path))
}
