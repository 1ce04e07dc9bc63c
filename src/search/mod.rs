//! The search: iterative deepening, principal variation search, threads that share a table and histories.
//!
//! [`Pool::search`] takes a [`Root`], [`Limits`] and [`Settings`]. It sends [`Report`]s and returns a
//! [`SearchOutcome`]. On the way from a `go` to a move, read the files in this order:
//!
//! | file | holds |
//! | --- | --- |
//! | `api.rs` | what callers pass and get back |
//! | `threads.rs` | the pool, the worker of each thread, what workers share (Lazy SMP) |
//! | `iterate.rs` | iterative deepening and aspiration windows, and when a timed search ends |
//! | `time.rs` | the clock and the time allotted to a move |
//! | `node.rs` | a node of the main search: pruning, move loop, extensions, reductions |
//! | `quiescence.rs`, `see.rs` | quiescence search, static exchange evaluation |
//! | `order.rs` | move picker and histories |
//! | `table.rs`, `slot.rs` | the transposition table and its entries |
//! | `params.rs`, `score.rs` | every parameter, the scale of scores |
//!
//! `src/search/tried.md` lists the experiments and their results: read it before you try something.

mod api;
mod iterate;
mod node;
mod order;
pub mod params;
mod quiescence;
pub mod score;
pub mod see;
mod slot;
mod table;
mod threads;
mod time;

/// The atomics of `slot.rs`. Its model in `tests/integration/races.rs` uses others.
mod sync {
    pub use std::sync::atomic::{AtomicU64, Ordering};
}

pub use crate::huge_pages::OutOfMemory;
pub use api::{Clocks, Limits, Report, Root, ScoredMove, SearchOutcome, Settings};
pub use threads::{MAX_THREADS, Pool, PoolError};
pub use time::{SearchClock, fixed_time};
