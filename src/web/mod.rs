//! The engine in a page's Worker: the functions that JavaScript calls (`worker.js`), and those that it gives.
//!
//! Built for `wasm32-wasip1` by `scripts/web.sh`; `wasm.js` has the few functions of WASI that the standard library needs.

use std::cell::OnceCell;
use std::io::{self, Write};
use std::time::Duration;

use crate::engine::{Engine, OptionTable};
use crate::frontend::{Host, HostedSession, Output, Session};

#[link(wasm_import_module = "judkins")]
// SAFETY: worker.js has functions of these names and types.
unsafe extern "C" {
    /// The length of the next line that has come, in bytes; -1 if there is none.
    safe fn next_line() -> i32;
    /// Copies that line to an address.
    fn take_line(to: *mut u8);
    /// Lets the Worker receive messages, and waits for one so many milliseconds at most.
    safe fn pause(milliseconds: u32);
    /// Posts lines.
    fn post(text: *const u8, length: usize);
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

/// Carries out the lines that have come. Returns whether the session goes on.
///
/// # Panics
/// If the defaults that are built in cannot be used, which a test excludes.
#[unsafe(no_mangle)]
pub extern "C" fn usi_run() -> bool {
    SESSION.with(|session| {
        let begin = || {
            let engine = Engine::new(OptionTable::new(None, false).expect("they are built in"));
            let output = Output::new(Worker, || {});
            HostedSession::new(Session::new(engine.expect("they are built in"), output).expect("no log"), Worker)
        };
        session.get_or_init(begin).run()
    })
}
