//! The protocols between programs and engines: parsers and writers.
//!
//! [`usi`] is the main protocol, [`uci`] is a dialect of it, and [`cecp`] is for XBoard. [`Reply`] reads the output of
//! other engines in USI or UCI.

pub mod cecp;
mod dialect;
mod number;
mod reply;
pub mod uci;
pub mod usi;
mod words;

pub use dialect::{Dialect, EngineDecision};
pub use reply::{Reply, ReplyInfo};
