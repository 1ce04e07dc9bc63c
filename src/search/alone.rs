//! In the place of a pool of threads where there are none: the caller does all work.

pub(super) struct ThreadPool;

/// The place of a thread in the pool.
pub(super) struct Place;

impl Place {
    pub(super) fn index(&self) -> usize {
        0
    }
}

impl ThreadPool {
    pub(super) fn current_num_threads(&self) -> usize {
        1
    }

    pub(super) fn install<R>(&self, function: impl FnOnce() -> R) -> R {
        function()
    }

    pub(super) fn broadcast<R>(&self, function: impl Fn(Place) -> R) -> Vec<R> {
        vec![function(Place)]
    }
}
