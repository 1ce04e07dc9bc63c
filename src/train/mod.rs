//! Training of the learned evaluation: games in, a network file out.
//!
//! A [`Dataset`] knows the games, a loader hands out their quiet positions in an order by chance, and a [`Training`] goes
//! through them again and again. It learns a position's chance of winning: partly what the search found, partly how the game
//! ended. Its weights are of floating point; [`Training::network`] makes whole numbers of them.

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

use crate::data::DataError;
use crate::whole_file;

pub use dataset::Dataset;
pub use losses::EpochLosses;
pub use rounding::Rounding;
pub use sample::Sample;
pub use settings::TrainingSettings;
pub use training::Training;

/// Why a training cannot begin, or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// Games cannot be had.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file was named twice.
    #[error("{0} is named twice")]
    Twice(PathBuf),
    /// Nothing to learn from.
    #[error("no quiet positions in these games")]
    NoPositions,
    /// Nothing to check with.
    #[error("none of these {0} games has quiet positions to hold out: more are needed")]
    NothingHeldOut(u64),
    /// The games are not what they were when the training began.
    #[error("{found} positions where there were {expected}: the games have changed meanwhile")]
    Changed {
        /// Positions in the first reading.
        expected: u64,
        /// Positions now.
        found: u64,
    },
    /// A setting is out of its range.
    #[error("{rule}")]
    Setting {
        /// Its name, as in a checkpoint: `end-rate`.
        setting: String,
        /// What it must be.
        rule: &'static str,
    },
    /// A training is to go on with other games.
    #[error("the training to resume was begun with other games: {then}; these are {now}")]
    OtherData {
        /// What they were.
        then: String,
        /// What they are.
        now: String,
    },
    /// A training is to go on with another setting.
    #[error("the training to resume was begun with another {setting}: {then}, not {now}")]
    Differs {
        /// Its name, as in a checkpoint: `end-rate`.
        setting: String,
        /// What it was.
        then: String,
        /// What it is to be.
        now: String,
    },
    /// A checkpoint that is of no use.
    #[error("{}: {}", .0.display(), .1)]
    Checkpoint(PathBuf, String),
    /// A picture cannot be drawn.
    #[error("{}: {}", .0.display(), .1)]
    Picture(PathBuf, String),
    /// The loss is no number any more.
    #[error("the loss is not a number in epoch {0}; a lower learning rate may help")]
    Diverged(u64),
    /// The system does not let us.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, io::Error),
}

impl TrainError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> TrainError {
        let path = path.to_owned();
        |error| TrainError::Io(path, error)
    }
}

/// Writes a file: whole, or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    whole_file::write(path, bytes).map_err(TrainError::io(path))
}
