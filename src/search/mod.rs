//! The search: iterative deepening, principal variation search, threads that share a table and histories.
//!
//! [`Pool::search`] takes a [`Root`], [`Limits`] and [`Settings`], and hands back [`Report`]s and an [`Outcome`]. It
//! knows no protocol: who asks turns values into text.
//!
#![doc = include_str!("tried.md")]

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
mod time;
mod tt;
pub mod values;
mod worker;

pub use clock::Clock;
pub use limits::{Clocks, Limits, Settings};
pub use pool::{MAX_THREADS, Pool, PoolError};
pub use report::{Outcome, Report, ScoredMove};
pub use root::Root;
pub use tt::OutOfMemory;
