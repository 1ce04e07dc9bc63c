use rayon::prelude::*;

use super::Sample;
use super::parameters::Parameters;
use crate::eval::network::{Network, QA, QB, SCALE};

/// What rounding of the weights to whole numbers does to scores, in centipawns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rounding {
    /// The mean difference, whichever its sign.
    pub mean: f64,
    /// The greatest.
    pub greatest: f64,
}

impl Rounding {
    pub(super) fn measure(weights: &Parameters, network: &Network, samples: &[Sample]) -> Rounding {
        let difference = |sample: &Sample| {
            let exact = f64::from(weights.output(sample)) * f64::from(SCALE);
            (exact - f64::from(score(network, sample))).abs()
        };
        let differences: Vec<f64> = samples.par_iter().map(difference).collect();
        Rounding {
            mean: differences.iter().sum::<f64>() / differences.len().max(1) as f64,
            greatest: differences.into_iter().fold(0.0, f64::max),
        }
    }
}

/// The network's score in centipawns, in whole numbers and as simply as can be.
fn score(network: &Network, sample: &Sample) -> i32 {
    let mut sum = 0;
    let output = sample.output();
    for (inputs, weights) in sample.inputs().into_iter().zip(&network.output_weights[output]) {
        for (unit, &weight) in weights.iter().enumerate() {
            let rows = inputs.iter().map(|&input| network.input_weights[usize::from(input)][unit]);
            let clipped = i32::from(network.input_bias[unit] + rows.sum::<i16>()).clamp(0, QA);
            sum += clipped * clipped * i32::from(weight);
        }
    }
    (sum / QA + network.output_bias[output]) * SCALE / (QA * QB)
}
