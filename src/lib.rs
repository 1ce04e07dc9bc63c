//! A USI engine for Judkins shogi, and the game's rules as a library.

pub mod eval;
pub mod search;
pub mod shogi;
