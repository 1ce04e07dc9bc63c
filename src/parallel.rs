//! Parallel map over items on the threads of a pool.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::work::ThreadPool;

/// Calls `work` for every item, in order, on the threads of a pool. Each thread creates its state for its first item,
/// from its index in the pool. Returns the results in the order of the items: [`None`] for items that had not begun
/// when `stop` was set, or if `work` returns it.
///
/// Threads take items from a counter. Items are not tasks of the pool, because a thread that waits for a search would
/// begin another item meanwhile.
///
/// # Errors
/// The first error of a state or an item, in the order of the threads; no further item is begun after an error.
pub fn map<S, T: Sync, R: Send, E: Send>(
    threads: &ThreadPool,
    items: &[T],
    stop: &AtomicBool,
    state: impl Fn(usize) -> Result<S, E> + Sync,
    work: impl Fn(&mut S, &T) -> Result<Option<R>, E> + Sync,
) -> Result<Vec<Option<R>>, E> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let run = |thread: usize| {
        let (mut done, mut own) = (Vec::new(), None);
        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let own = match &mut own {
                Some(own) => own,
                none => none.insert(state(thread)?),
            };
            done.push((index, work(own, item)?));
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
        // A state is the thread's index and the number of items it has taken.
        let count = |state: &mut (usize, u32), &item: &u32| {
            state.1 += 1;
            assert!(state.0 < 3 && state.1 <= item + 1);
            Ok::<_, String>((item % 2 == 0).then_some(item))
        };
        let expected: Vec<Option<u32>> = items.iter().map(|&item| (item % 2 == 0).then_some(item)).collect();
        assert_eq!(map(&threads, &items, &never, |thread| Ok((thread, 0)), count), Ok(expected));
    }

    #[test]
    fn a_stop_or_an_error_ends_it() {
        let threads = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let (items, stop): (Vec<u32>, _) = ((0..100).collect(), AtomicBool::new(false));
        let seven = |(): &mut (), &item: &u32| if item == 7 { Err("seven") } else { Ok(Some(item)) };
        assert_eq!(map(&threads, &items, &stop, |_| Ok(()), seven), Err("seven"));
        assert_eq!(map(&threads, &items, &stop, |_| Err::<(), _>("no state"), seven), Err("no state"));
        let stop_at_50 = |(): &mut (), &item: &u32| {
            stop.fetch_or(item == 50, Ordering::Relaxed);
            while item > 50 && !stop.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            Ok::<_, String>(Some(item))
        };
        let done = map(&threads, &items, &stop, |_| Ok(()), stop_at_50).unwrap();
        // The other two threads may have begun one item each.
        assert!(done[..=50].iter().all(Option::is_some) && done[53..].iter().all(Option::is_none));
        assert_eq!(done.len(), items.len());
    }
}
