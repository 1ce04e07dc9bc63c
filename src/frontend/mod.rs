//! The front end: sessions between a protocol and the engine, logs, and readable descriptions of positions.
//!
#![doc = include_str!("programs.md")]

mod describe;
mod dialect;
#[cfg(target_family = "wasm")]
mod hosted;
mod input;
mod introduction;
mod jobs;
mod log;
pub mod logging;
mod output;
mod session;
mod setting;
mod translation;
mod xboard;

pub use describe::{describe_evaluation, describe_game};
#[cfg(target_family = "wasm")]
pub use hosted::{Host, HostedSession};
pub use log::LogError;
pub use output::Output;
pub use session::Session;
pub use setting::SettingError;
