//! The error type of the engine's interface: options, files, threads and memory.

use std::path::PathBuf;

use super::OptionError;
use crate::book::BookError;
use crate::config::ConfigError;
use crate::eval::nnue::NetworkError;
use crate::mate::OutOfMemory;
use crate::search::PoolError;
use crate::work::ThreadError;

/// The reason why the engine could not carry out a request.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The option does not exist, or does not accept the value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The user's configuration names an unusable file.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The system lacks threads, or memory for the transposition table.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The system gave no thread for the search.
    #[error(transparent)]
    Thread(#[from] ThreadError),
    /// The system lacks memory for the mate solver.
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
