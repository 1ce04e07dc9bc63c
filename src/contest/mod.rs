//! A contest of engines as values: where its games begin and in which order they are played, when they end before the
//! rules end them, and what their results say about strength. It starts no process and does no I/O but to read
//! openings.
//!
//! [`crate::arena`] plays matches by it, and the board series of games.

mod adjudication;
mod jitter;
mod openings;
mod outcome;
mod rules;
mod schedule;
mod sprt;
mod standings;
mod statistics;

pub(crate) use adjudication::Tracker;
pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use jitter::NodeJitter;
pub use openings::{Opening, OpeningError, built_in_openings, read_openings, shuffle_openings};
pub use outcome::Outcome;
pub use rules::Rules;
pub use schedule::{Format, PlannedGame, Schedule};
pub use sprt::{Decision, EloModel, SequentialTest, Sprt, SprtError};
pub use standings::{Pairing, Standings};
pub use statistics::{Estimate, Pentanomial, Wdl, elo_of_score, score_of_elo};

use crate::record::GameRecord;
