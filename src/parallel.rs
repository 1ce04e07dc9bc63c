//! Parallel map over items on the threads of a pool.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::work::{ThreadPool, lock};

/// Calls `work` for every item, in order, on the threads of a pool, each with its own of the `states`. Returns the
/// results in the order of the items: [`None`] for items that had not begun when `stop` was set, or if `work` returns
/// it.
///
/// Threads take items from a counter. Items are not tasks of the pool, because a thread that waits for a search would
/// begin another item meanwhile.
///
/// # Errors
/// The first error of an item, in the order of the threads; no further item is begun after an error.
///
/// # Panics
/// If there are fewer states than threads.
pub fn map<S: Send, T: Sync, R: Send, E: Send>(
    threads: &ThreadPool,
    states: &[Mutex<S>],
    items: &[T],
    stop: &AtomicBool,
    work: impl Fn(&mut S, &T) -> Result<Option<R>, E> + Sync,
) -> Result<Vec<Option<R>>, E> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let run = |thread: usize| {
        let mut done = Vec::new();
        let mut own = lock(&states[thread]);
        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            done.push((index, work(&mut own, item)?));
        }
        Ok(done)
    };
    let done = threads.broadcast(|context| run(context.index()).inspect_err(|_| failed.store(true, Ordering::Relaxed)));
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    for part in done {
        for (index, result) in part? {
            results[index] = result;
        }
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let threads = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let (items, never): (Vec<u32>, _) = ((0..100).collect(), AtomicBool::new(false));
        // A state is the number of items that its thread has taken.
        let states = [0, 0, 0].map(Mutex::new);
        let count = |state: &mut u32, &item: &u32| {
            *state += 1;
            assert!(*state <= item + 1);
            Ok::<_, String>((item % 2 == 0).then_some(item))
        };
        let expected: Vec<Option<u32>> = items.iter().map(|&item| (item % 2 == 0).then_some(item)).collect();
        assert_eq!(map(&threads, &states, &items, &never, count), Ok(expected));
        assert_eq!(states.map(|state| state.into_inner().unwrap()).iter().sum::<u32>(), 100);
    }

    #[test]
    fn a_stop_or_an_error_ends_it() {
        let threads = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let (items, stop): (Vec<u32>, _) = ((0..100).collect(), AtomicBool::new(false));
        let states = [(); 3].map(Mutex::new);
        let seven = |(): &mut (), &item: &u32| if item == 7 { Err("seven") } else { Ok(Some(item)) };
        assert_eq!(map(&threads, &states, &items, &stop, seven), Err("seven"));
        let stop_at_50 = |(): &mut (), &item: &u32| {
            stop.fetch_or(item == 50, Ordering::Relaxed);
            while item > 50 && !stop.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            Ok::<_, String>(Some(item))
        };
        let done = map(&threads, &states, &items, &stop, stop_at_50).unwrap();
        // The other two threads may have begun one item each.
        assert!(done[..=50].iter().all(Option::is_some) && done[53..].iter().all(Option::is_none));
        assert_eq!(done.len(), items.len());
    }
}
