//! Implementation with threads.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub use rayon::ThreadPool;
use rayon::{ThreadBuilder, ThreadPoolBuilder};

use super::shared::{MATE_STACK, ThreadError, lock};

#[derive(Debug)]
pub struct Work(JoinHandle<()>);

impl Work {
    /// Starts work.
    ///
    /// # Errors
    /// [`ThreadError`] if the system gives no thread for a second.
    pub fn start(work: impl FnOnce() + Send + 'static) -> Result<Work, ThreadError> {
        let work = Arc::new(Mutex::new(Some(work)));
        let thread = patiently(|| {
            let work = Arc::clone(&work);
            let run = move || {
                let work = lock(&work).take();
                work.expect("only one attempt succeeds")();
            };
            // Ask for no stack: the system may reuse that of the last thread.
            check_memory(0)?;
            thread::Builder::new().name("answer".to_owned()).stack_size(MATE_STACK).spawn(run)
        });
        Ok(Work(thread?))
    }

    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    pub fn wait(self) {
        if self.0.join().is_err() {
            tracing::error!("a search, perft or bench ended with a panic");
        }
    }
}

/// The number of attempts of [`patiently`], and the time between two.
const ATTEMPTS: usize = 20;
const ATTEMPT_INTERVAL: Duration = Duration::from_millis(50);

/// Retries for a second what fails for lack of memory: threads of a pool that was too large may still be ending, and
/// their stacks count.
pub fn patiently<T, E>(mut attempt: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    for _ in 1..ATTEMPTS {
        if let Ok(done) = attempt() {
            return Ok(done);
        }
        thread::sleep(ATTEMPT_INTERVAL);
    }
    attempt()
}

/// Does nothing: with threads, the host's messages are received elsewhere.
#[inline]
pub(super) fn listen() {}

/// Runs work that may take long, and calls `sign` at each interval.
pub fn with_signs_of_life<R>(interval: Duration, sign: impl Fn() + Send, work: impl FnOnce() -> R) -> R {
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let signs = move || {
            while waiting.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                sign();
            }
        };
        if let Err(error) = thread::Builder::new().spawn_scoped(scope, signs) {
            tracing::debug!("no signs of life: {error}");
        }
        let result = work();
        drop(done);
        result
    })
}

/// A gate at which work waits.
#[derive(Debug, Default)]
pub struct Gate {
    is_open: Mutex<bool>,
    changed: Condvar,
}

impl Gate {
    /// Opens the gate permanently.
    pub fn open(&self) {
        *lock(&self.is_open) = true;
        self.changed.notify_all();
    }

    /// Makes a change on which the gate's condition depends.
    pub fn change(&self, change: impl FnOnce()) {
        // Under the lock: a thread between its check and its wait would miss the notification.
        let is_open = lock(&self.is_open);
        change();
        drop(is_open);
        self.changed.notify_all();
    }

    /// Waits until the gate is open or `holds` is false, up to this time.
    pub fn wait(&self, time: Option<Duration>, holds: impl Fn() -> bool) {
        let is_open = lock(&self.is_open);
        let waits = |is_open: &mut bool| !*is_open && holds();
        match time {
            Some(time) => drop(self.changed.wait_timeout_while(is_open, time, waits)),
            None => drop(self.changed.wait_while(is_open, waits)),
        }
    }
}

/// A pool of threads with `stack` bytes of stack each; 0 threads means one per core.
///
/// # Errors
/// [`ThreadError`] if the system cannot start the threads.
pub fn thread_pool(threads: usize, stack: usize) -> Result<ThreadPool, ThreadError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(stack).spawn_handler(start).build();
    pool.map_err(|error| ThreadError(error.to_string()))
}

/// Starts a thread of a pool and waits until it runs, so that the memory which it needs to start is no longer counted
/// as available for the next one.
fn start(thread: ThreadBuilder) -> io::Result<()> {
    let stack = thread.stack_size().unwrap_or(MATE_STACK);
    check_memory(stack)?;
    let (started, running) = mpsc::channel();
    thread::Builder::new().name(format!("work-{}", thread.index())).stack_size(stack).spawn(move || {
        started.send(()).expect("the caller waits");
        thread.run();
    })?;
    running.recv().map_err(io::Error::other)
}

/// Fails if the system does not have the memory for another thread. The standard library aborts the process if a
/// thread, once started, finds no memory for its signal stack.
fn check_memory(stack: usize) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
        // Ten times what a thread needs beside its stack to start.
        let size = stack + (1 << 20);
        // SAFETY: the system chooses the address of the mapping, and nothing uses it.
        unsafe {
            let memory =
                mmap_anonymous(std::ptr::null_mut(), size, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)?;
            munmap(memory, size)?;
        }
    }
    #[cfg(not(unix))]
    let _ = stack;
    Ok(())
}
