//! The engines of a match or of tuning: their errors, and their use of the machine.

use std::thread::available_parallelism;

use anyhow::{Error, anyhow};

use judkins::arena::{JobError, UnfitEngine};

/// Adds the hint how to continue with a failing engine.
pub fn unfit(error: UnfitEngine) -> Error {
    match error {
        UnfitEngine::Failed(_) => anyhow!("{error}; --recover counts such games as lost and goes on"),
        error => error.into(),
    }
}

/// As [`unfit`], for a job.
pub fn job_error(error: JobError) -> Error {
    match error {
        JobError::Engine(error) => unfit(error),
        error => error.into(),
    }
}

/// Warns if more threads would think in parallel than there are cores. In a game, only one of the two engines thinks.
pub fn warn_of_cores(games: usize, threads: usize) {
    let (needed, cores) = (games.saturating_mul(threads), available_parallelism().map_or(usize::MAX, usize::from));
    if needed > cores {
        eprintln!(
            "judkins: --concurrency {games} × Threads {threads} is more than the {cores} cores of this machine: the engines \
             slow each other down"
        );
    }
}
