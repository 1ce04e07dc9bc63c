//! The program's messages through `tracing`, on standard error: warnings, or the levels in `RUST_LOG`. Standard output
//! is for the protocol. `RUST_LOG=debug` also shows every line in and out, like a session's log.

use std::env;
use std::io::{self, IsTerminal};

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;

/// The target of the events that are the protocol's lines.
pub(super) const PROTOCOL: &str = "judkins::protocol";

/// Starts logging for the whole process. Does nothing if a subscriber is set already.
pub fn init() {
    let levels = env::var_os("RUST_LOG").unwrap_or_default();
    let levels = levels.to_string_lossy();
    // `EnvFilter` also reads spans and fields, with regular expressions that take long to build.
    let (targets, error) = match levels.parse() {
        Ok(targets) if !levels.is_empty() => (targets, None),
        parsed => (Targets::new().with_default(LevelFilter::WARN), parsed.err()),
    };
    // A message that cannot be written is lost: telling of it would fail too, and end the program.
    let messages = fmt::layer().with_writer(io::stderr).log_internal_errors(false);
    let messages = if io::stderr().is_terminal() { messages } else { messages.with_ansi(false) };
    // Keep a subscriber that a program using the library has set.
    let _ = tracing_subscriber::registry().with(messages.with_filter(targets)).try_init();
    if let Some(error) = error {
        tracing::warn!("RUST_LOG={levels} is ignored: {error}");
    }
}
