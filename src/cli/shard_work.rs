//! Work on many shards at once, which an interrupt ends between two of them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, ensure};

/// Set by the first interrupt.
static STOP: AtomicBool = AtomicBool::new(false);

/// Watches for interrupts from now on: what comes back is set by the first.
pub fn watch_for_interrupts() -> Result<&'static AtomicBool> {
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed)).context("cannot watch for interrupts")?;
    Ok(&STOP)
}

/// Calls `work` for every item, on so many threads (one for each core if none is said; 1,024 at most), until an item fails
/// or an interrupt has come.
pub fn for_each<T: Sync>(items: &[T], threads: Option<usize>, work: impl Fn(&T) -> Result<()> + Sync) -> Result<()> {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    ensure!(threads.is_none_or(|threads| (1..=1_024).contains(&threads)), "--threads is from 1 to 1,024");
    let threads = threads.unwrap_or_else(cores).min(items.len());
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let take = || -> Result<()> {
        while !STOP.load(Ordering::Relaxed)
            && !failed.load(Ordering::Relaxed)
            && let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed))
        {
            work(item).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        let results: Vec<_> = workers.into_iter().map(|worker| worker.join().expect("no worker panics")).collect();
        results.into_iter().collect()
    })
}
