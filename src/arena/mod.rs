//! Matches between engines that speak USI or UCI, under the rules of [`crate::shogi`].
//!
//! A [`Match`] hands out the games of a [`Schedule`] to workers. Each worker runs its engines as child processes, is
//! the referee, keeps the clocks, and returns a [`GameRecord`]. [`Standings`] sum up the records, in any order.
//!
#![doc = include_str!("matches.md")]

mod engine_spec;
mod game;
mod job;
mod player;
mod process;
mod record;
mod report;
mod runner;

pub use engine_spec::{EngineSpec, SpecError};
pub use job::{Job, JobError, JobResult, number_options};
#[cfg(feature = "board")]
pub(crate) use player::{Failure, Player};
pub use player::{Fault, OptionError, Refusal, UnfitEngine};
pub use process::kill_all_engines;
pub use record::{RecordError, RecordFile, read_records};

pub use crate::contest::*;
pub use crate::record::{EngineRecord, GameRecord};
pub use report::{Report, ReportError};
pub use runner::{Done, Ending, Match, OtherMatch};
