//! The front end: the session that joins a protocol and the engine, logs, and positions described to people.

mod describe;
mod dialect;
mod introduction;
pub mod logging;
mod output;
mod session;
mod translation;
mod xboard;

pub use describe::{describe_evaluation, describe_game};
pub use output::Output;
pub use session::Session;
