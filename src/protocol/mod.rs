//! The languages that programs speak with the engine: text to values and back, and nothing else.
//!
//! [`usi`] is the engine's own. [`uci`] writes positions and moves as UCI does, and [`Reply`] reads what an engine says in
//! either.

mod reply;
pub mod uci;
pub mod usi;

pub use reply::{Reply, ReplyInfo};
