//! Threads and memory: allocated on first use, resized when the options change.

use std::sync::{Arc, Mutex};

use super::mates::SharedSolver;
use super::{Engine, EngineError, Event, OptionTable};
use crate::mate::Solver;
use crate::search::{Pool, PoolError};
use crate::work::{lock, patiently};

impl Engine {
    /// Starts the threads, allocates the tables of the options and loads the network, so that the first search does
    /// not wait for them.
    ///
    /// # Errors
    /// [`EngineError`] if the system lacks the resources for the threads and the transposition table. The options are
    /// reset to the existing ones. A search does without the mate solver if there is no memory for it, and logs it.
    pub fn prepare(&mut self) -> Result<(), EngineError> {
        self.finish();
        self.evaluation();
        if self.options.mate_nodes > 0
            && let Err(error) = self.move_solver()
        {
            tracing::debug!("no mate solver: {error}");
        }
        // Last: only the pool can do with less than the options say.
        self.prepare_pool()
    }

    fn prepare_pool(&mut self) -> Result<(), EngineError> {
        let (threads, hash) = (self.options.threads, self.options.hash);
        let Some(pool) = self.pool.as_mut().and_then(Arc::get_mut) else {
            let (pool, done) = match Pool::new(threads, hash) {
                Ok(pool) => (pool, Ok(())),
                // Fall back to the built-in defaults, with which the next call begins.
                Err(error) => {
                    let table = OptionTable::new(None, false).expect("the built-in configuration is valid");
                    let defaults = table.defaults();
                    (self.options.threads, self.options.hash) = (defaults.threads, defaults.hash);
                    (smaller_pool(defaults.threads, defaults.hash)?, Err(error.into()))
                }
            };
            (self.options.threads, self.options.hash) = (pool.threads(), pool.hash());
            self.pool = Some(Arc::new(pool));
            return done;
        };
        let done = [pool.set_threads(threads), pool.set_hash(hash)];
        (self.options.threads, self.options.hash) = (pool.threads(), pool.hash());
        Ok(done.into_iter().collect::<Result<_, _>>()?)
    }

    /// Prepares the engine, if necessary with less than the options specify. `tell` gets the error then.
    ///
    /// # Errors
    /// [`EngineError`] if there is no pool at all.
    pub(super) fn prepare_if_possible(&mut self, tell: &mut impl FnMut(Event)) -> Result<(), EngineError> {
        match self.prepare() {
            Err(error) if self.pool.is_none() => return Err(error),
            Err(error) => tell(Event::Error(error.to_string())),
            Ok(()) => {}
        }
        Ok(())
    }

    /// The mate solver for the search before a move. Its memory is there before the search begins: a search touches
    /// pages all over the table from its first node, and the system takes 0.3 ms or more for a page of 2 MiB.
    pub(super) fn move_solver(&mut self) -> Result<SharedSolver, EngineError> {
        // Half a KiB has room for what a node leaves in the table in 16 moves.
        let enough = usize::try_from(self.options.mate_nodes >> 11).unwrap_or(usize::MAX).max(1);
        self.solver(self.options.mate_hash.min(enough), true)
    }

    /// The mate solver with the memory of the options.
    pub(super) fn mate_solver(&mut self) -> Result<SharedSolver, EngineError> {
        self.solver(self.options.mate_hash, false)
    }

    /// The mate solver with a table of this size, whose memory is there at once if `prefault` says so.
    fn solver(&mut self, mebibytes: usize, prefault: bool) -> Result<SharedSolver, EngineError> {
        if let Some(solver) = self.solver.clone().filter(|solver| lock(solver).mebibytes() == mebibytes) {
            return Ok(solver);
        }
        // Free the memory of the old one first.
        self.solver = None;
        let mut solver = Solver::new(mebibytes)?;
        if prefault {
            solver.prefault();
        }
        let solver = Arc::new(Mutex::new(solver));
        self.solver = Some(Arc::clone(&solver));
        Ok(solver)
    }

    /// Clears the tables and the histories.
    pub(super) fn forget(&mut self) {
        if let Some(pool) = self.pool.as_mut().and_then(Arc::get_mut) {
            pool.clear();
        }
        self.clear_solver();
    }

    /// Clears the transposition table and the table of the mate solver.
    pub(super) fn clear_tables(&mut self) {
        if let Some(pool) = self.pool.as_mut().and_then(Arc::get_mut) {
            pool.clear_table();
        }
        self.clear_solver();
    }

    fn clear_solver(&self) {
        if let Some(solver) = &self.solver {
            lock(solver).clear();
        }
    }
}

/// A pool of this size, or the smallest one if the allocation fails.
fn smaller_pool(threads: usize, hash: usize) -> Result<Pool, PoolError> {
    patiently(|| Pool::new(threads, hash)).or_else(|_| Pool::new(1, 1))
}
