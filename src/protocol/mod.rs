//! The languages that programs speak with the engine: text to values and back, and nothing else.

pub mod usi;
