//! Perft and bench: long work that runs beside the session, so that input is still read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Output;
use super::dialect::Dialect;
use super::input::{Input, Line};
use crate::engine::bench::{HASH, bench};
use crate::eval::Evaluation;
use crate::protocol::usi::Response;
use crate::shogi::{Position, perft_divide};
use crate::work::{Work, is_set};

/// The time a job may continue after `quit` or the end of the input: a script that sends `perft 5` and `quit` at once
/// gets its answer, and the program still ends within half a second.
const GRACE: Duration = Duration::from_millis(350);

/// The interval at which the end of a job is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The maximum size of lines waiting for a job, in bytes. Beyond it the job is stopped, because they would use up the
/// memory.
const MAX_WAITING: usize = 16 << 20;

/// The running job, if there is one.
#[derive(Default)]
pub(super) struct Jobs {
    running: Option<Job>,
    /// The deadline of the job, once the session is to end.
    deadline: Option<Instant>,
    /// The size in bytes of the lines waiting for the job.
    waiting: usize,
}

struct Job {
    stop: Arc<AtomicBool>,
    work: Work,
}

impl Jobs {
    /// Starts counting the leaves below each move of a position.
    pub(super) fn perft(&mut self, position: Position, depth: u32, dialect: Dialect, output: Output) {
        self.start(output.clone(), move |stop| {
            let mut total = u64::from(depth == 0);
            let finished = perft_divide(&position, depth, &|| is_set(stop), |mv, nodes| {
                output.line(Response::Plain(format!("{}: {nodes}", dialect.move_text(mv))));
                total += nodes;
            });
            if finished {
                output.line(Response::Plain(format!("\nNodes searched: {total}")));
            }
        });
    }

    /// Starts searching the positions of the bench.
    pub(super) fn bench(&mut self, evaluation: Evaluation, output: Output) {
        self.start(output.clone(), move |stop| {
            let result = bench(evaluation, HASH, stop, |line| output.line(Response::Plain(line)));
            match result {
                Ok(Some(result)) => output.line(Response::Plain(result.to_string())),
                Ok(None) => {}
                Err(error) => output.line(Response::InfoString(format!("error: {error}"))),
            }
        });
    }

    fn start(&mut self, output: Output, work: impl FnOnce(&AtomicBool) + Send + 'static) {
        self.finish();
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        self.waiting = 0;
        match Work::start(move || work(&seen)) {
            Ok(work) => self.running = Some(Job { stop, work }),
            Err(error) => output.line(Response::InfoString(format!("error: {error}"))),
        }
    }

    /// Stops the job and waits for its end.
    pub(super) fn finish(&mut self) {
        let Some(job) = self.running.take() else { return };
        job.stop.store(true, Ordering::Relaxed);
        job.work.wait();
    }

    pub(super) fn is_running(&self) -> bool {
        self.running.as_ref().is_some_and(|job| !job.work.is_finished())
    }

    /// Waits until the job has ended, `stop` is read or was set aside, or its deadline has passed. Other lines are set
    /// aside, up to [`MAX_WAITING`] bytes.
    pub(super) fn wait(&mut self, input: &mut Input) {
        // A new `stop` ends the loop.
        let is_stopped = input.has_stop_set_aside();
        while !is_stopped && self.is_running() && !self.is_overdue() {
            let Some(line) = input.new_line_within(POLL_INTERVAL) else { continue };
            if self.set_aside(line, input) {
                break;
            }
        }
        self.finish();
    }

    /// Sets aside a line that arrives during a job. Returns whether it ends the job.
    pub(super) fn set_aside(&mut self, line: Line, input: &mut Input) -> bool {
        if let Line::Text(text, _) = &line {
            self.waiting += text.len() + size_of::<Line>();
        }
        let word = line.command();
        if word == "quit" {
            self.end_soon();
        }
        // `stop` also ends a search that waits before it.
        let ends = word == "stop" || self.waiting > MAX_WAITING;
        input.set_aside(line);
        ends
    }

    /// Whether the job's deadline has passed.
    pub(super) fn is_overdue(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Sets the deadline when the session is to end. Later calls change nothing.
    pub(super) fn end_soon(&mut self) {
        self.deadline.get_or_insert_with(|| Instant::now() + GRACE);
    }
}
