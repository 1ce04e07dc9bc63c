//! The distribution of a review's time.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The time of a stage of a review, distributed among its tasks as they begin: time left over by a task goes to later
/// ones.
pub(super) struct Pace {
    end: Instant,
    threads: u32,
    /// The number of tasks that have not begun.
    left: AtomicU32,
}

impl Pace {
    /// The pace of `tasks` tasks on `threads` threads.
    pub(super) fn new(end: Instant, threads: usize, tasks: usize) -> Pace {
        let [threads, left] = [threads, tasks].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        Pace { end, threads, left: AtomicU32::new(left) }
    }

    /// The time limit of the task that begins now: `patience` times its fair share, because most tasks of some kinds
    /// take far less. Zero if the stage is over.
    pub(super) fn next(&self, patience: u32) -> Duration {
        let tasks = self.left.fetch_sub(1, Ordering::Relaxed).max(1);
        let left = self.end.saturating_duration_since(Instant::now());
        (left / tasks).saturating_mul(self.threads.saturating_mul(patience)).min(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_share_what_is_left() {
        let pace = |seconds| Pace::new(Instant::now() + Duration::from_secs(seconds), 2, 100);
        let fair = pace(1_000).next(1).as_secs_f64();
        assert!((15.0..=20.0).contains(&fair), "{fair}");
        let patient = pace(1_000).next(8).as_secs_f64();
        assert!((120.0..=160.0).contains(&patient), "{patient}");
        let all = pace(1_000).next(u32::MAX).as_secs_f64();
        assert!((900.0..=1_000.0).contains(&all), "{all}");
        assert_eq!(pace(0).next(8), Duration::ZERO);
        let last = Pace::new(Instant::now() + Duration::from_secs(1_000), 2, 3);
        let shares: Vec<f64> = (0..4).map(|_| last.next(1).as_secs_f64()).collect();
        assert!(shares[0] < 700.0 && shares[1..].iter().all(|&share| share > 900.0), "{shares:?}");
    }
}
