//! Messages of the program through `tracing`, on standard error: warnings, or what `RUST_LOG` asks for. Standard output
//! is for the protocol. `RUST_LOG=debug` shows every line in and out too, as the log of a session does.

use std::io;

use tracing_subscriber::filter::{EnvFilter, LevelFilter};
use tracing_subscriber::fmt;

/// The target of the events that are the protocol's lines.
pub(super) const PROTOCOL: &str = "judkins::protocol";

/// Starts to write messages, for the whole process. Does nothing if a subscriber is set already.
pub fn init() {
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::WARN.into()).from_env_lossy();
    // A program that uses the library may have set a subscriber of its own: that one stays.
    let _ = fmt().with_writer(io::stderr).with_env_filter(filter).try_init();
}
