use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{Builder, ScopedJoinHandle, scope};

use super::leaf::{Effort, Found, Leaf, Searcher, SearcherError};

/// The mate solver recurses hundreds of plies deep.
const STACK_SIZE: usize = 16 << 20;

/// Searches leaves, one on each thread.
pub struct Searchers(Vec<Searcher>);

impl Searchers {
    /// Searchers for `threads` threads, 0 for one on each core.
    ///
    /// # Errors
    /// [`SearcherError`] if the system does not give what they need.
    pub fn new(threads: usize, effort: Effort) -> Result<Searchers, SearcherError> {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        Ok(Searchers((0..threads).map(|_| Searcher::new(effort)).collect::<Result<_, _>>()?))
    }

    /// Searches leaves. Returns what was found in the order of the leaves; none if `stop` was set before the last was
    /// searched. `tell` is called after each.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn search(
        &mut self,
        leaves: &[Leaf],
        stop: &AtomicBool,
        tell: &(dyn Fn() + Sync),
    ) -> io::Result<Option<Vec<Found>>> {
        let next = AtomicUsize::new(0);
        let work = |searcher: &mut Searcher| {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(found) = leaves.get(index).and_then(|leaf| searcher.search(leaf, stop)) else { break done };
                done.push((index, found));
                tell();
            }
        };
        let done = scope(|scope| {
            let spawn = |searcher| Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, || work(searcher));
            let threads: Vec<ScopedJoinHandle<_>> = self.0.iter_mut().map(spawn).collect::<io::Result<_>>()?;
            let join =
                |thread: ScopedJoinHandle<_>| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok::<Vec<Vec<(usize, Found)>>, io::Error>(threads.into_iter().map(join).collect())
        })?;
        let mut done: Vec<(usize, Found)> = done.into_iter().flatten().collect();
        done.sort_by_key(|&(index, _)| index);
        Ok((done.len() == leaves.len()).then(|| done.into_iter().map(|(_, found)| found).collect()))
    }
}
