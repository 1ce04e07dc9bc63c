//! The engine and the board in Workers of a page: the functions that JavaScript (`worker.js`) calls, and those that it
//! provides.
//!
//! Built for `wasm32-wasip1` by `scripts/web.sh`; `wasm.js` implements the few WASI functions that the standard library
//! needs.

use std::cell::{OnceCell, RefCell};
use std::io::{self, Write};
use std::time::Duration;

use crate::board::state::io::{Input, Job};
use crate::board::web::Shell;
use crate::engine::{Engine, OptionTable};
use crate::frontend::{Host, HostedSession, Output, Session};
use crate::work::{self, Work};

#[link(wasm_import_module = "judkins")]
// SAFETY: worker.js has functions of these names and types.
unsafe extern "C" {
    /// The length of the next line in bytes; -1 if there is none.
    safe fn next_line() -> i32;
    /// Copies that line to an address.
    fn take_line(to: *mut u8);
    /// Lets the Worker receive messages, and waits up to `milliseconds` for one.
    safe fn pause(milliseconds: u32);
    fn post(text: *const u8, length: usize);
}

fn post_line(line: &str) {
    let line = format!("{line}\n");
    // SAFETY: the host reads these bytes before it returns.
    unsafe { post(line.as_ptr(), line.len()) };
}

struct Worker;

impl Host for Worker {
    fn next_line(&self) -> Option<String> {
        let mut line = vec![0; usize::try_from(next_line()).ok()?];
        // SAFETY: the line has this length.
        unsafe { take_line(line.as_mut_ptr()) };
        Some(String::from_utf8(line).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    fn pause(&self, time: Duration) {
        pause(u32::try_from(time.as_millis()).unwrap_or(u32::MAX));
    }
}

impl Write for Worker {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the host reads these bytes before it returns.
        unsafe { post(bytes.as_ptr(), bytes.len()) };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

thread_local! {
    static SESSION: OnceCell<HostedSession> = const { OnceCell::new() };
}

/// Carries out the lines that have arrived. Returns whether the session continues.
///
/// # Panics
/// If the built-in defaults are invalid, which a test excludes.
#[unsafe(no_mangle)]
pub extern "C" fn usi_run() -> bool {
    SESSION.with(|session| {
        let begin = || {
            let engine = Engine::new(OptionTable::new(None, false).expect("they are built in"));
            let output = Output::new(Worker, |_| {});
            HostedSession::new(Session::new(engine.expect("they are built in"), output).expect("no log"), Worker)
        };
        session.get_or_init(begin).run()
    })
}

thread_local! {
    static BOARD: RefCell<Option<Shell>> = const { RefCell::new(None) };
}

/// Carries out the lines that have arrived for the board, and its jobs. Returns true: the board does not end by itself.
#[unsafe(no_mangle)]
pub extern "C" fn board_run() -> bool {
    work::set_listener(|time| {
        Worker.pause(time);
        take_board_lines();
    });
    take_board_lines();
    while work::run_waiting() {}
    true
}

/// Passes the lines that have arrived to the board. Called in the pauses of a job, when the board is not borrowed.
fn take_board_lines() {
    while let Some(line) = Worker.next_line() {
        let mut urgent = Vec::new();
        BOARD.with_borrow_mut(|board| {
            let taken = match board {
                Some(board) => board.take(&line),
                None => Shell::begin(&line, post_line).map(|begun| *board = Some(begun)),
            };
            if let Err(error) = taken {
                tracing::error!("the board's script said {line:?}: {error}");
            }
            while let Some((job, kind, stop)) = board.as_mut().and_then(Shell::next_job) {
                let is_urgent = matches!(kind, Job::Judge { .. });
                let work = move || {
                    let result = Job::run(kind, &stop, &|progress| tell(Input::Progress { job, progress }));
                    tell(Input::JobDone { job, result });
                };
                if is_urgent {
                    urgent.push(work);
                } else {
                    Work::start(work).expect("work in the caller's pauses needs no thread");
                }
            }
        });
        // A move of a problem is answered at once, also while a review goes on.
        urgent.into_iter().for_each(|work| work());
    }
}

fn tell(input: Input) {
    BOARD.with_borrow_mut(|board| {
        if let Some(board) = board {
            board.handle(input);
        }
    });
}
