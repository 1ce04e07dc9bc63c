//! The program's messages through `tracing`, on standard error: warnings, or the levels in `RUST_LOG`. Standard output
//! is for the protocol. `RUST_LOG=debug` also shows every line in and out, like a session's log.

use std::io;

use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::fmt;

/// The target of the events that are the protocol's lines.
pub(super) const PROTOCOL: &str = "judkins::protocol";

/// Starts logging for the whole process. Does nothing if a subscriber is set already.
pub fn init() {
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::WARN.into()).from_env_lossy();
    // A message that cannot be written is lost: telling of it would fail too, and end the program.
    let messages = fmt().with_writer(io::stderr).log_internal_errors(false);
    // Keep a subscriber that a program using the library has set.
    let _ = messages.with_env_filter(filter).try_init();
}
