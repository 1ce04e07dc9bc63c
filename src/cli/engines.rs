//! The engines of a match or of tuning: errors about them, and how much of the machine they take.

use std::thread::available_parallelism;

use anyhow::{Error, anyhow};

use judkins::arena::{JobError, UnfitEngine};

/// Says how to play on with an engine that fails.
pub fn unfit(error: UnfitEngine) -> Error {
    match error {
        UnfitEngine::Failed(_) => anyhow!("{error}; --recover counts such games as lost and goes on"),
        error => error.into(),
    }
}

/// As [`unfit`], of a job.
pub fn job_error(error: JobError) -> Error {
    match error {
        JobError::Engine(error) => unfit(error),
        error => error.into(),
    }
}

/// Warns where more threads would think at a time than there are cores. Of the two engines of a game, one thinks.
pub fn warn_of_cores(games: usize, threads: usize) {
    let (needed, cores) = (games.saturating_mul(threads), available_parallelism().map_or(usize::MAX, usize::from));
    if needed > cores {
        eprintln!(
            "judkins: --concurrency {games} × Threads {threads} is more than the {cores} cores of this machine: the engines \
             slow each other down"
        );
    }
}
