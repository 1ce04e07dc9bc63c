use std::path::PathBuf;

use super::OptionError;
use crate::book::BookError;
use crate::config::ConfigError;
use crate::eval::nnue::NetworkError;
use crate::mate::OutOfMemory;
use crate::search::PoolError;

/// Why the engine could not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The option does not exist, or does not take the value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The user's configuration names a file that cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The system gives no threads, or no memory for the transposition table.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The system gives no memory for the mate solver.
    #[error("MateHash: {0}")]
    Mate(#[from] OutOfMemory),
    /// The book cannot be read.
    #[error("BookFile '{}': {error}", file.display())]
    Book {
        /// The file.
        file: PathBuf,
        /// The cause.
        error: BookError,
    },
    /// The network cannot be read.
    #[error("EvalFile '{}': {error}", file.display())]
    Network {
        /// The file.
        file: PathBuf,
        /// The cause.
        error: NetworkError,
    },
}
