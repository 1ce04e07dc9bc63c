//! A queue of work on all cores.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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
/// Each thread takes items from a counter. Items are not tasks of the pool, because a thread that waits for a search
/// would begin another item meanwhile.
///
/// # Errors
/// The error of an item; no further item is begun then.
pub fn map<T: Sync, R: Send>(
    pool: &ThreadPool,
    items: &[T],
    stop: &AtomicBool,
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let done = pool.broadcast(|_| {
        let mut done = Vec::new();
        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            done.push((index, work(item).inspect_err(|_| failed.store(true, Ordering::Relaxed))?));
        }
        Ok(done)
    });
    let mut done: Vec<(usize, R)> = done.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    done.sort_by_key(|&(index, _)| index);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn results_come_in_order_until_a_stop_or_an_error() {
        let (pool, stop) = (pool(Some(3)).unwrap(), AtomicBool::new(false));
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(map(&pool, &items, &stop, |&item| Ok(item)).unwrap(), items);
        let error = map(&pool, &items, &stop, |&item| if item == 7 { bail!("seven") } else { Ok(()) }).unwrap_err();
        assert_eq!(error.to_string(), "seven");
        let done = map(&pool, &items, &stop, |&item| {
            stop.fetch_or(item == 50, Ordering::Relaxed);
            Ok(item)
        });
        assert!(done.unwrap().len() < items.len());
        assert!(super::pool(Some(0)).is_err());
    }
}
