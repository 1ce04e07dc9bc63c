use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::ThreadPool;

use super::ReviewError;
use crate::mate::Solver;
use crate::search::Pool;

/// MiB for the table of a thread's mate solver.
const SOLVER_HASH: usize = 16;

/// What a thread searches with.
pub(super) struct Tools {
    pub(super) pool: Pool,
    pub(super) solver: Solver,
}

impl Tools {
    pub(super) fn new(hash: usize) -> Result<Tools, ReviewError> {
        Ok(Tools { pool: Pool::new(1, hash, false)?, solver: Solver::new(SOLVER_HASH)? })
    }
}

/// Calls `work` for every item on the threads of a pool, each with tools of its own. Returns the results in the order of the
/// items; none for those that were not begun when `stop` was set, or that were stopped.
///
/// Threads take items from a counter and not as tasks of the pool's: a thread that waits for a search would begin another
/// task meanwhile.
pub(super) fn map<T: Sync, R: Send>(
    threads: &ThreadPool,
    hash: usize,
    items: &[T],
    stop: &AtomicBool,
    work: impl Fn(&T, &mut Tools) -> R + Sync,
) -> Result<Vec<Option<R>>, ReviewError> {
    let next = AtomicUsize::new(0);
    let done = threads.broadcast(|_| {
        let mut done = Vec::new();
        let mut tools = None;
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let tools = match &mut tools {
                Some(tools) => tools,
                none => none.insert(Tools::new(hash)?),
            };
            let result = work(item, tools);
            // What was stopped halfway does not count.
            if !stop.load(Ordering::Relaxed) {
                done.push((index, result));
            }
        }
        Ok::<_, ReviewError>(done)
    });
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    for part in done {
        for (index, result) in part? {
            results[index] = Some(result);
        }
    }
    Ok(results)
}
