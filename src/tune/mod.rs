//! Tuning: [`Fit`] fits the hand-written evaluation's weights to games, and [`Run`] tunes any option by matches.
//!
#![doc = include_str!("tuning.md")]

mod curves;
mod evaluation;
mod parameters;
mod run;
mod spsa;

pub use evaluation::{Fit, FitLoss, FitOptions, FitSamples, weights_source};
pub use parameters::{ParameterError, read_parameters};
pub use run::{PlannedPair, Run, RunError, TuneSettings};
pub use spsa::{Gains, Parameter, Perturbation, Spsa};
