//! Work on all cores.

use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, ensure};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The most threads of a command.
const MAX_THREADS: usize = 1_024;

/// A pool of `threads` threads, or of one for each core.
///
/// # Errors
/// If `threads` is not from 1 to 1,024, or the system gives no threads.
pub fn pool(threads: Option<usize>) -> Result<ThreadPool> {
    ensure!(threads.is_none_or(|threads| (1..=MAX_THREADS).contains(&threads)), "--threads is from 1 to {MAX_THREADS}");
    // Rayon takes 0 for one on each core.
    ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build().context("cannot start threads")
}

/// Calls `work` for every item, in order, on the threads of a pool. Returns the results in the order of the items, without
/// those that were not begun when `stop` was set.
///
/// # Errors
/// The error of an item; no further item is begun then.
pub fn map<T: Sync, R: Send>(
    pool: &ThreadPool,
    items: &[T],
    stop: &AtomicBool,
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let results = judkins::parallel::map(pool, items, stop, |_| Ok(()), |(), item| work(item).map(Some))?;
    Ok(results.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_threads_as_asked_for() {
        assert_eq!(pool(Some(3)).unwrap().current_num_threads(), 3);
        assert!(pool(Some(0)).is_err() && pool(Some(MAX_THREADS + 1)).is_err());
    }
}
