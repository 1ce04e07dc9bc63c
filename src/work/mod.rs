//! Work beside its caller, for instance a search while a session reads commands: on a separate thread, or, in
//! WebAssembly without threads, in the caller's next pause (`run_waiting`), receiving the host's messages meanwhile.

mod shared;
#[cfg_attr(target_family = "wasm", path = "hosted.rs")]
#[cfg_attr(not(target_family = "wasm"), path = "threaded.rs")]
mod system;

use std::sync::atomic::{AtomicBool, Ordering};

pub use shared::*;
pub use system::*;

/// Whether this flag is set. Long work checks it every few hundred microseconds.
#[inline]
pub fn is_set(stop: &AtomicBool) -> bool {
    listen();
    stop.load(Ordering::Relaxed)
}
