//! The search: iterative deepening, principal variation search, threads that share a table and histories.
//!
//! [`Pool::search`] takes a [`Root`], [`Limits`] and [`Settings`], and returns [`Report`]s and a [`SearchOutcome`].
//!
//! Where to look: `deepening.rs` has iterative deepening and aspiration windows, `alphabeta.rs` a node of the main search,
//! `pruning.rs` pruning, reductions (their table is in `reductions.rs`) and extensions, `quiescence.rs` quiescence search,
//! `picker.rs` and `histories.rs` the order of moves, `see.rs` static exchange evaluation, `tt.rs` and `slot.rs` the
//! transposition table, `params.rs` every parameter, `time.rs` and `clock.rs` time management, `pool.rs` the threads (Lazy
//! SMP). What was tried, and what it gained in which games, is in `src/search/tried.md`: read it before you try something.

mod abdada;
mod alphabeta;
mod clock;
mod deepening;
mod histories;
mod iteration;
mod limits;
mod node;
pub mod params;
mod picker;
mod pool;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
pub mod score;
pub mod see;
mod slot;
mod time;
mod tt;
pub mod values;
mod worker;

/// The atomics of `slot.rs`. The model of it in `tests/races.rs` has others.
mod sync {
    pub use std::sync::atomic::{AtomicU64, Ordering};
}

pub use clock::Clock;
pub use limits::{Clocks, Limits, Settings};
pub use pool::{MAX_THREADS, Pool, PoolError};
pub use report::{Report, ScoredMove, SearchOutcome};
pub use root::Root;
pub use tt::OutOfMemory;
