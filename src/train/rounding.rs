//! Measures the error of a network's scores that quantisation causes.

use rayon::prelude::*;

use super::Sample;
use super::parameters::Parameters;
use crate::eval::nnue::{Network, QA, QB, SCALE};

/// The error of scores caused by quantisation, in centipawns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rounding {
    /// The mean absolute difference.
    pub mean: f64,
    /// The greatest absolute difference.
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

/// The score of a quantised network in centipawns, computed without optimisation.
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

#[cfg(test)]
mod tests {
    use super::super::toy;
    use super::*;
    use crate::eval::nnue::Inference;

    #[test]
    fn the_rounded_network_computes_what_was_trained() {
        let mut weights = Parameters::random(23);
        // Random weights are the same for all king buckets: make them differ.
        let own = weights.input_weights.as_flattened_mut().iter_mut().enumerate();
        own.for_each(|(index, weight)| *weight = (index % 101) as f32 / 500.0 - 0.1);
        // As large as trained weights.
        weights.output_weights.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|weight| *weight *= 8.0);
        weights.output_bias.fill(-0.2);
        let mut rounded = Parameters::zeroed();
        rounded.set_rounded(&weights);
        let network = rounded.quantised();
        let inference = Inference::new(&network);
        let (mut samples, mut most) = (Vec::new(), 0);
        for game in toy::games(50, 8) {
            let compare = |position: &_, wanted, result| {
                let sample = Sample::new(position, wanted, result);
                let score = inference.evaluate(position);
                assert_eq!(score, super::score(&network, &sample));
                most = most.max(score.abs());
                samples.push(sample);
            };
            game.for_each_quiet(compare).unwrap();
        }
        assert!(most > 100, "scores of {most} at most are no test");
        let rounding = Rounding::measure(&rounded, &network, &samples);
        // Whole centipawns, towards 0.
        assert!(rounding.mean < 0.6 && rounding.greatest < 1.1, "{rounding:?}");
    }
}
