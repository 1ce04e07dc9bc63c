//! The parts that do not depend on the system.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. If a thread has panicked with the lock, what it left there is used.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The system gave no thread; with the reason.
#[derive(Debug, thiserror::Error)]
#[error("cannot start threads: {0}")]
pub struct ThreadError(pub(super) String);

impl From<io::Error> for ThreadError {
    fn from(error: io::Error) -> ThreadError {
        ThreadError(error.to_string())
    }
}

impl From<ThreadError> for io::Error {
    fn from(error: ThreadError) -> io::Error {
        io::Error::other(error)
    }
}

/// The stack size of a thread that runs the mate solver, which recurses hundreds of plies deep.
pub const MATE_STACK: usize = 16 << 20;

/// Sets a flag when it is dropped, even by a panic.
pub struct SetOnDrop<'a>(pub &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
