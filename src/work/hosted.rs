//! Implementation without threads. Work runs when the thread's owner calls [`run_waiting`], and calls the listener set
//! by [`set_listener`] every few milliseconds to receive the host's messages.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::shared::{ThreadError, lock};

/// The time between two calls of the listener.
const LISTEN_INTERVAL: Duration = Duration::from_millis(5);

/// The longest pause between two checks of an awaited condition.
const PAUSE: Duration = Duration::from_secs(60);

type Listener = Rc<dyn Fn(Duration)>;

thread_local! {
    static WAITING: RefCell<VecDeque<Arc<Task>>> = const { RefCell::new(VecDeque::new()) };
    static LISTENER: RefCell<Option<Listener>> = const { RefCell::new(None) };
    static HEARD: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Sets the function that receives the host's messages. It may wait for a message up to the given time. No work may be
/// awaited inside it.
pub fn set_listener(listener: impl Fn(Duration) + 'static) {
    LISTENER.set(Some(Rc::new(listener)));
}

/// Runs the first work in the queue. Returns whether there was any.
pub fn run_waiting() -> bool {
    let first = WAITING.with_borrow_mut(VecDeque::pop_front);
    first.as_ref().inspect(|task| task.run()).is_some()
}

struct Task {
    /// Taken when it begins.
    work: Mutex<Option<Box<dyn FnOnce() + Send>>>,
    finished: AtomicBool,
}

impl Task {
    fn run(&self) {
        let work = lock(&self.work).take();
        if let Some(work) = work {
            work();
            self.finished.store(true, Ordering::Relaxed);
        }
    }
}

pub struct Work(Arc<Task>);

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("finished", &self.is_finished()).finish()
    }
}

impl Work {
    /// Starts work.
    ///
    /// # Errors
    /// None.
    pub fn start(work: impl FnOnce() + Send + 'static) -> Result<Work, ThreadError> {
        let task = Arc::new(Task { work: Mutex::new(Some(Box::new(work))), finished: AtomicBool::new(false) });
        WAITING.with_borrow_mut(|waiting| waiting.push_back(Arc::clone(&task)));
        Ok(Work(task))
    }

    pub fn is_finished(&self) -> bool {
        self.0.finished.load(Ordering::Relaxed)
    }

    /// Runs the work, unless it has begun: then the listener was called from inside it, and must return first.
    pub fn wait(self) {
        self.0.run();
    }
}

/// Calls the listener if it is due.
pub(super) fn listen() {
    if HEARD.get().is_none_or(|heard| heard.elapsed() >= LISTEN_INTERVAL) {
        pause(Duration::ZERO);
    }
}

/// Calls the listener, which waits up to this time.
fn pause(time: Duration) {
    let listener = LISTENER.with_borrow(Clone::clone);
    if let Some(listener) = listener {
        listener(time);
    }
    HEARD.set(Some(Instant::now()));
}

/// Tries once: no threads are ending that would free memory.
pub fn patiently<T, E>(mut attempt: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    attempt()
}

/// Runs work that may take long. Without threads no signs of life are sent.
pub fn with_signs_of_life<R>(_: Duration, _: impl Fn() + Send, work: impl FnOnce() -> R) -> R {
    work()
}

/// A gate at which work waits.
#[derive(Debug, Default)]
pub struct Gate(AtomicBool);

impl Gate {
    /// Opens the gate permanently.
    pub fn open(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes a change on which the gate's condition depends.
    pub fn change(&self, change: impl FnOnce()) {
        change();
    }

    /// Waits until the gate is open or `holds` is false, up to this time. Without a listener nothing could open it.
    pub fn wait(&self, time: Option<Duration>, holds: impl Fn() -> bool) {
        let end = time.map(|time| Instant::now() + time);
        let is_heard = LISTENER.with_borrow(Option::is_some);
        while is_heard && !self.0.load(Ordering::Relaxed) && holds() {
            let left = end.map_or(PAUSE, |end| end.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                break;
            }
            pause(left);
        }
    }
}

/// Replaces a pool of threads: the caller does all work.
#[derive(Debug)]
pub struct ThreadPool;

/// The position of a thread in the pool.
pub struct Place;

impl Place {
    pub fn index(&self) -> usize {
        0
    }
}

impl ThreadPool {
    pub fn current_num_threads(&self) -> usize {
        1
    }

    pub fn install<R>(&self, function: impl FnOnce() -> R) -> R {
        function()
    }

    pub fn broadcast<R>(&self, function: impl Fn(Place) -> R) -> Vec<R> {
        vec![function(Place)]
    }
}

/// A pool of threads, which is the caller alone.
///
/// # Errors
/// None.
pub fn thread_pool(_threads: usize, _stack: usize) -> Result<ThreadPool, ThreadError> {
    Ok(ThreadPool)
}
