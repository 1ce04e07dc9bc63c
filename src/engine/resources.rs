//! Threads and memory: allocated on first use, resized as the options ask.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::mates::{self, SharedSolver};
use super::{Engine, EngineError, Event};
use crate::mate::Solver;
use crate::search::{Pool, PoolError};

/// The attempts to get a smaller pool after one that there was no room for, and the time between two. The threads that
/// did start are still ending, and their stacks count.
const ATTEMPTS: usize = 20;
const ATTEMPT_INTERVAL: Duration = Duration::from_millis(50);

impl Engine {
    /// Starts the threads and allocates the transposition table that the options ask for.
    ///
    /// # Errors
    /// [`EngineError`] if the system does not give them. The options are set back to what there is.
    pub fn prepare(&mut self) -> Result<(), EngineError> {
        self.finish();
        let (threads, hash) = (self.options.threads, self.options.hash);
        let Some(pool) = self.pool.as_mut().and_then(Arc::get_mut) else {
            let (pool, done) = match Pool::new(threads, hash) {
                Ok(pool) => (pool, Ok(())),
                // The defaults are better than nothing, and are what the next call begins with.
                Err(error) => {
                    let defaults = self.table.defaults();
                    (self.options.threads, self.options.hash) = (defaults.threads, defaults.hash);
                    (smaller_pool(defaults.threads, defaults.hash)?, Err(error.into()))
                }
            };
            (self.options.threads, self.options.hash) = (pool.threads(), pool.hash());
            self.pool = Some(Arc::new(pool));
            return done;
        };
        let done = pool.set_threads(threads).and_then(|()| pool.set_hash(hash));
        (self.options.threads, self.options.hash) = (pool.threads(), pool.hash());
        Ok(done?)
    }

    /// Prepares the engine, with less than the options ask for if need be. `tell` gets the error then.
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

    /// The mate solver, with the memory that the options ask for.
    pub(super) fn solver(&mut self) -> Result<SharedSolver, EngineError> {
        let mebibytes = self.options.mate_hash;
        if let Some(solver) = self.solver.clone().filter(|solver| mates::mebibytes(solver) == mebibytes) {
            return Ok(solver);
        }
        // Free the memory of the old one first.
        self.solver = None;
        let solver = Arc::new(Mutex::new(Solver::new(mebibytes)?));
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

    /// Empties the transposition table and the table of the mate solver.
    pub(super) fn clear_tables(&mut self) {
        if let Some(pool) = self.pool.as_mut().and_then(Arc::get_mut) {
            pool.clear_table();
        }
        self.clear_solver();
    }

    fn clear_solver(&self) {
        if let Some(solver) = &self.solver {
            solver.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

/// A pool of this size, or the smallest one if that cannot be had either.
fn smaller_pool(threads: usize, hash: usize) -> Result<Pool, PoolError> {
    for _ in 0..ATTEMPTS {
        if let Ok(pool) = Pool::new(threads, hash) {
            return Ok(pool);
        }
        std::thread::sleep(ATTEMPT_INTERVAL);
    }
    Pool::new(1, 1)
}
