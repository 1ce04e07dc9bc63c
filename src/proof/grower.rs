//! The main loop of a proof: batches of most proving nodes are expanded in parallel and appended to the file.

use std::convert::Infallible;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::file::{ProofFile, ProofFileError};
use super::graph::Graph;
use super::prover::{Effort, Guide, Prover};
use crate::book::growth::Until;
use crate::parallel;
use crate::search::{PoolError, Settings};
use crate::work::{MATE_STACK, thread_pool};

/// The number of nodes per thread that are expanded before the proof numbers are updated.
const BATCH: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    Proven,
    /// Every move that may win has been tried, as far as impasse and repetition allow. This does not prove that the
    /// attacker cannot win.
    Exhausted,
    /// The time or the number of positions is reached.
    Reached,
    /// It was stopped. The running batch is lost.
    Stopped,
}

#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    #[error(transparent)]
    File(#[from] ProofFileError),
    /// The system lacks resources for a thread.
    #[error(transparent)]
    Prover(#[from] PoolError),
}

pub struct Means<'a> {
    pub effort: Effort,
    /// A book whose moves take precedence over those of searches.
    pub guide: Option<&'a Guide>,
    /// The number of threads; 0 for one per core.
    pub threads: usize,
}

/// Grows a proof. Calls `tell` after each batch.
///
/// # Errors
/// [`ProveError`]. The earlier batches are in the file.
pub fn prove(
    proof: &mut ProofFile,
    means: &Means,
    until: Until,
    stop: &AtomicBool,
    mut tell: impl FnMut(&Graph),
) -> Result<Ended, ProveError> {
    let threads = thread_pool(means.threads, MATE_STACK).map_err(PoolError::from)?;
    let settings = Settings { impasse_rule: proof.graph().rule(), ..Settings::default() };
    let prover = |_| Prover::new(means.effort, &settings).map(Mutex::new);
    let provers = (0..threads.current_num_threads()).map(prover).collect::<Result<Vec<_>, _>>()?;
    let made = means.effort.settings();
    loop {
        if proof.graph().proof() == 0 {
            return Ok(Ended::Proven);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(Ended::Stopped);
        }
        if until.is_reached(proof.graph().nodes().len()) {
            return Ok(Ended::Reached);
        }
        let mut targets = proof.graph_mut().targets(BATCH * provers.len());
        if targets.is_empty() {
            proof.graph_mut().reset_numbers();
            targets = proof.graph_mut().targets(BATCH * provers.len());
        }
        if targets.is_empty() {
            return Ok(Ended::Exhausted);
        }
        let graph = proof.graph();
        let Ok(done) = parallel::map(&threads, &provers, &targets, stop, |prover, target| {
            Ok::<_, Infallible>(prover.expand(graph, target, means.guide, stop))
        });
        let Some(expansions) = done.into_iter().collect() else { return Ok(Ended::Stopped) };
        proof.add(expansions, &made)?;
        tell(proof.graph());
    }
}
