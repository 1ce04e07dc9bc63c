//! Work on all cores.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use clap::Args;
use rayon::ThreadPool;

use super::number::number;
use judkins::work::{ThreadError, thread_pool};

/// The stack of a thread in bytes.
const STACK_SIZE: usize = 2 << 20;

/// The number of threads on the command line.
#[derive(Args, Clone, Copy)]
pub struct ThreadsArgument {
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=1_024))]
    threads: Option<usize>,
}

impl ThreadsArgument {
    /// The number; 0 for one per core.
    pub fn count(self) -> usize {
        self.threads.unwrap_or(0)
    }
}

/// A pool of `threads` threads; 0 for one per core.
///
/// # Errors
/// [`ThreadError`] if the system cannot start the threads.
pub fn pool(threads: usize) -> Result<ThreadPool, ThreadError> {
    thread_pool(threads, STACK_SIZE)
}

/// Calls `work` for every item, in order, on the threads of a pool. Returns the results in the order of the items,
/// without those that had not begun when `stop` was set.
///
/// # Errors
/// The error of an item; no further item is begun then.
pub fn map<T: Sync, R: Send>(
    pool: &ThreadPool,
    items: &[T],
    stop: &AtomicBool,
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let states: Vec<Mutex<()>> = (0..pool.current_num_threads()).map(|_| Mutex::default()).collect();
    let results = judkins::parallel::map(pool, &states, items, stop, |(), item| work(item).map(Some))?;
    Ok(results.into_iter().flatten().collect())
}
