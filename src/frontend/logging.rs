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
    let levels = env::var("RUST_LOG").ok().filter(|levels| !levels.is_empty()).unwrap_or_else(|| "warn".to_owned());
    // `EnvFilter` would bring regular expressions, which take long to build.
    let mut targets = Targets::new().with_default(LevelFilter::WARN);
    let error = levels.parse().map(|asked| targets = asked).err();
    // A message that cannot be written is lost: telling of it would fail too, and end the program.
    let messages = fmt::layer().with_writer(io::stderr).log_internal_errors(false);
    let messages = if io::stderr().is_terminal() { messages } else { messages.with_ansi(false) };
    // Keep a subscriber that a program using the library has set.
    let _ = tracing_subscriber::registry().with(messages.with_filter(targets)).try_init();
    if let Some(error) = error {
        tracing::warn!("RUST_LOG={levels} is ignored: {error}");
    }
}
