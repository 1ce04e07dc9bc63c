//! Signals: the first interrupt (Ctrl-C or a termination signal) asks a command to stop, the second one exits.

use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Error, Result};
#[cfg(unix)]
use nix::sys::signal::{SigHandler, Signal, signal};

use judkins::arena::kill_all_engines;

static STOP: AtomicBool = AtomicBool::new(false);

/// The usual exit status of an interrupted process.
const INTERRUPTED: i32 = 130;

/// Watches for interrupts from now on. The flag is set by the first one; the second one kills all engines and exits.
///
/// # Errors
/// If a handler has been set already, or there is no thread for it.
pub fn watch() -> Result<&'static AtomicBool> {
    // `nohup` ignores hang-ups.
    #[cfg(unix)]
    let ignores_hangup = matches!(ignore(Signal::SIGHUP), Ok(SigHandler::SigIgn));
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            kill_all_engines();
            exit(INTERRUPTED);
        }
    })
    .map_err(|error| match error {
        // The error does not display its cause.
        ctrlc::Error::System(cause) => Error::from(cause),
        error => Error::from(error),
    })
    .context("cannot watch for interrupts")?;
    #[cfg(unix)]
    if ignores_hangup {
        ignore(Signal::SIGHUP).context("cannot ignore hang-ups")?;
    }
    Ok(&STOP)
}

/// Lets a write beyond the limit on file sizes (`ulimit -f`) fail as on a full disk. Its signal would kill the program.
pub fn ignore_file_limit() {
    #[cfg(unix)]
    let _ = ignore(Signal::SIGXFSZ);
}

/// Ignores a signal, and returns how it was handled before.
#[cfg(unix)]
fn ignore(number: Signal) -> nix::Result<SigHandler> {
    // SAFETY: no handler is installed that could run at a bad time.
    unsafe { signal(number, SigHandler::SigIgn) }
}
