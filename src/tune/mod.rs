//! Numbers of the engine found from games: the evaluation's weights from their positions, and any option from matches.

mod curves;
mod evaluation;
mod parameters;
mod run;
mod spsa;

pub use evaluation::{Fit, FitLoss, FitOptions, FitSamples, weights_source};
pub use parameters::{ParameterError, read_parameters};
pub use run::{PlannedPair, Run, RunError, TuneSettings};
pub use spsa::{Gains, Parameter, Perturbation, Spsa};
