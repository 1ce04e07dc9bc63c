//! Work beside its caller, for instance a search while a session reads commands: on a separate thread, or, in
//! WebAssembly without threads, in the caller's next pause (`run_waiting`), receiving the host's messages meanwhile.

mod lock;
#[cfg_attr(target_family = "wasm", path = "hosted.rs")]
#[cfg_attr(not(target_family = "wasm"), path = "threaded.rs")]
mod system;

use std::sync::atomic::{AtomicBool, Ordering};

pub use lock::lock;
pub use system::*;

/// The stack size of a thread that runs the mate solver, which recurses hundreds of plies deep.
pub const MATE_STACK: usize = 16 << 20;

/// The system gave no thread; with the reason.
#[derive(Debug, thiserror::Error)]
#[error("cannot start threads: {0}")]
pub struct ThreadError(String);

/// Sets a flag when it is dropped, even by a panic.
pub struct SetOnDrop<'a>(pub &'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whether this flag is set. Long work checks it every few hundred microseconds.
#[inline]
pub fn is_set(stop: &AtomicBool) -> bool {
    listen();
    stop.load(Ordering::Relaxed)
}
