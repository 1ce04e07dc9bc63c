//! Work beside its caller, such as a search while a session reads commands: on a thread of its own; in WebAssembly, which
//! has none, in the caller's next pause (`run_waiting`), with an ear for the host meanwhile.

#[cfg_attr(target_family = "wasm", path = "hosted.rs")]
#[cfg_attr(not(target_family = "wasm"), path = "threaded.rs")]
mod system;

use std::sync::atomic::{AtomicBool, Ordering};

pub use system::*;

/// Whether this flag is set. Long work asks every few hundred microseconds.
#[inline]
pub fn is_set(stop: &AtomicBool) -> bool {
    listen();
    stop.load(Ordering::Relaxed)
}
