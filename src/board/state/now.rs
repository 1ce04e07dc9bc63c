//! The time, which the state does not read itself.

use std::time::Instant;

use crate::record::Date;

/// The time at which an input arrives.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    pub instant: Instant,
    /// The user's local date, for the headers of games.
    pub date: Date,
    /// Milliseconds since 1970.
    pub millis: u64,
}
