//! The languages that programs speak with the engine: text to values and back, and nothing else.
//!
//! [`usi`] is the engine's own; [`uci`] and [`cecp`] are for programs that speak those. [`Reply`] reads what another engine
//! says in USI or UCI.

pub mod cecp;
mod reply;
pub mod uci;
pub mod usi;
mod words;

pub use reply::{Reply, ReplyInfo};
