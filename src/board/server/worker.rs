//! A separate thread that works through a queue.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use crate::work::ThreadError;

/// The end of the queue at which tasks are added. Dropping it waits until everything is done.
#[derive(Debug)]
pub struct Worker<T> {
    tasks: Option<Sender<T>>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Worker<T> {
    /// Starts the thread. `work` ends when the queue is closed.
    pub fn start(work: impl FnOnce(Receiver<T>) + Send + 'static) -> Result<Worker<T>, ThreadError> {
        let (tasks, taken) = channel();
        let thread = thread::Builder::new().spawn(move || work(taken))?;
        Ok(Worker { tasks: Some(tasks), thread: Some(thread) })
    }

    /// Queues a task.
    pub fn order(&self, task: T) {
        if let Some(tasks) = &self.tasks {
            // The thread takes tasks until this end of the channel is dropped.
            let _ = tasks.send(task);
        }
    }
}

impl<T> Drop for Worker<T> {
    fn drop(&mut self) {
        self.tasks = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
