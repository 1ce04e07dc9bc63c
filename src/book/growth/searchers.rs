//! A thread pool with a search and a mate solver per thread, which searches batches of a book's positions.

use std::convert::Infallible;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::leaf::{Effort, Found, Leaf, Searcher};
use crate::parallel;
use crate::search::PoolError;
use crate::work::{MATE_STACK, ThreadPool, thread_pool};

/// Searches leaves in parallel, one per thread.
pub struct Searchers {
    threads: ThreadPool,
    /// One for each thread.
    searchers: Vec<Mutex<Searcher>>,
}

impl Searchers {
    /// Searchers for `threads` threads; 0 for one per core.
    ///
    /// # Errors
    /// [`PoolError`] if the system lacks the resources.
    pub fn new(threads: usize, effort: Effort) -> Result<Searchers, PoolError> {
        let threads = thread_pool(threads, MATE_STACK)?;
        let searcher = |_| Searcher::new(effort).map(Mutex::new);
        let searchers = (0..threads.current_num_threads()).map(searcher).collect::<Result<_, _>>()?;
        Ok(Searchers { threads, searchers })
    }

    /// Searches leaves. Returns the results in the order of the leaves; none if `stop` was set before the last was
    /// searched. Calls `tell` after each.
    pub fn search(&self, leaves: &[Leaf], stop: &AtomicBool, tell: &(dyn Fn() + Sync)) -> Option<Vec<Found>> {
        let Ok(found) = parallel::map(&self.threads, &self.searchers, leaves, stop, |searcher, leaf| {
            Ok::<_, Infallible>(searcher.search(leaf, stop).inspect(|_| tell()))
        });
        found.into_iter().collect()
    }
}
