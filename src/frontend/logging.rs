//! Logs through `tracing`: to standard error what `RUST_LOG` asks for (warnings, unless set), and to the file of
//! `DebugLogFile` every line in and out, with its time. Standard output is the protocol's.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use tracing_subscriber::filter::{EnvFilter, LevelFilter, dynamic_filter_fn};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// The target of the events that are the protocol's lines.
pub const PROTOCOL: &str = "judkins::protocol";

static FILE: Mutex<Option<File>> = Mutex::new(None);
static TO_FILE: AtomicBool = AtomicBool::new(false);

/// Writes to the log file, if one is open.
struct LogFile;

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *FILE.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts logging. A second call changes nothing.
pub fn init() {
    let to_stderr = fmt::layer()
        .with_writer(io::stderr)
        .with_filter(EnvFilter::builder().with_default_directive(LevelFilter::WARN.into()).from_env_lossy());
    let to_file = fmt::layer()
        .with_writer(|| LogFile)
        .with_ansi(false)
        .with_filter(dynamic_filter_fn(|_, _| TO_FILE.load(Ordering::Relaxed)));
    // Somebody who uses the library may have a subscriber of his own, which stays.
    let _ = tracing_subscriber::registry().with(to_stderr).with(to_file).try_init();
}

/// Opens the log file, at its end if it exists. `None` closes the one that is open.
///
/// # Errors
/// Why the file cannot be opened; the log goes where it went before.
pub fn log_to(path: Option<&Path>) -> io::Result<()> {
    let file = path.map(|path| File::options().create(true).append(true).open(path)).transpose()?;
    TO_FILE.store(file.is_some(), Ordering::Relaxed);
    *FILE.lock().unwrap_or_else(PoisonError::into_inner) = file;
    Ok(())
}
