//! Plays the game pairs of a tuning batch in parallel, and computes the score difference of each pair.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, bail};

use crate::cli::engines::job_error;
use crate::cli::parallel;
use crate::cli::program::job_engines;
use judkins::arena::JobResult;
use judkins::shogi::EndReason;
use judkins::tune::PlannedPair;

/// Plays a batch, several pairs in parallel; none if it was interrupted.
///
/// # Errors
/// If an engine cannot be started, or no game of the batch ended regularly.
pub fn play(batch: Vec<PlannedPair>, concurrency: usize, stop: &AtomicBool) -> Result<Option<Vec<(PlannedPair, f64)>>> {
    let pool = parallel::pool(concurrency.clamp(1, batch.len()))?;
    let results = parallel::map(&pool, &batch, stop, |pair| play_pair(pair, stop));
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    leads(batch.into_iter().zip(results?).collect()).map(Some)
}

/// The lead of each pair of a batch; reports the faults of engines.
///
/// # Errors
/// If no game of the batch ended regularly.
pub fn leads(played: Vec<(PlannedPair, JobResult)>) -> Result<Vec<(PlannedPair, f64)>> {
    let games = || played.iter().flat_map(|(_, result)| &result.games);
    // Faults that do not depend on the values would make the result random. Loss on time depends on them.
    if let Some(first) = games().next()
        && games().all(|game| game.reason.is_fault() && game.reason != EndReason::Time)
    {
        bail!("the engine failed in every game of a batch: {}", first.detail);
    }
    for (pair, result) in &played {
        for game in result.games.iter().filter(|game| game.reason.is_fault()) {
            eprintln!("judkins: pair {}: {}", pair.perturbation.pair + 1, game.detail);
        }
    }
    Ok(played.into_iter().map(|(pair, result)| (pair, result.lead())).collect())
}

fn play_pair(pair: &PlannedPair, stop: &AtomicBool) -> Result<JobResult> {
    pair.job.play(job_engines(&pair.job)?, stop).map_err(job_error)
}
