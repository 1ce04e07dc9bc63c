//! Numbers of the engine found from games: the evaluation's weights, so far.

mod evaluation;

pub use evaluation::{Fit, FitOptions, Loss, Samples, weights_source};
