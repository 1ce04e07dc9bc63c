//! The forward and backward pass of a position.
//!
//! Loops process parts of rows that fit in registers, and the compiler vectorises them.

use super::Sample;
use super::parameters::Parameters;
use super::sample::sigmoid;
use crate::eval::nnue::HIDDEN;

/// The number of hidden units summed at a time: eight registers of eight.
const PIECE: usize = 64;

/// The number of partial sums of an output, so that additions do not depend on each other.
const LANES: usize = 32;

/// The sums of the hidden layer, for the side to move and for the other side.
type Sums = [[f32; HIDDEN]; 2];

impl Parameters {
    fn sums(&self, sample: &Sample) -> Sums {
        let mut sums = [[0.0; HIDDEN]; 2];
        for (sums, inputs) in sums.iter_mut().zip(sample.inputs()) {
            for (index, sums) in sums.as_chunks_mut::<PIECE>().0.iter_mut().enumerate() {
                let mut sum = self.input_bias.as_chunks::<PIECE>().0[index];
                for &input in inputs {
                    let row = &self.input_weights[usize::from(input)].as_chunks::<PIECE>().0[index];
                    for (sum, weight) in sum.iter_mut().zip(row) {
                        *sum += weight;
                    }
                }
                *sums = sum;
            }
        }
        sums
    }

    fn output_of(&self, sums: &Sums, output: usize) -> f32 {
        let mut lanes = [0.0; LANES];
        for (sums, weights) in sums.iter().zip(&self.output_weights[output]) {
            for (sums, weights) in sums.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
                for ((lane, sum), weight) in lanes.iter_mut().zip(sums).zip(weights) {
                    let clipped = sum.clamp(0.0, 1.0);
                    *lane += clipped * clipped * weight;
                }
            }
        }
        lanes.iter().sum::<f32>() + self.output_bias[output]
    }

    /// The output of the network; an output of 1 is [`SCALE`](crate::eval::nnue::SCALE) centipawns.
    pub fn output(&self, sample: &Sample) -> f32 {
        self.output_of(&self.sums(sample), sample.output())
    }

    /// The loss: the squared difference between the winning chance and its target.
    pub fn loss(&self, sample: &Sample, lambda: f32) -> f32 {
        (sigmoid(self.output(sample)) - sample.target(lambda)).powi(2)
    }

    /// Adds the gradient of the loss at a position to `gradients`, and returns the loss.
    pub fn add_gradients(&self, sample: &Sample, lambda: f32, gradients: &mut Parameters) -> f32 {
        let sums = self.sums(sample);
        let output = sample.output();
        let chance = sigmoid(self.output_of(&sums, output));
        let error = chance - sample.target(lambda);
        let gradient = 2.0 * error * chance * (1.0 - chance);
        gradients.output_bias[output] += gradient;
        for (side, inputs) in sample.inputs().into_iter().enumerate() {
            let mut of_sums = [0.0; HIDDEN];
            let weights = self.output_weights[output][side].iter().zip(&mut gradients.output_weights[output][side]);
            for ((of_sum, sum), (weight, of_weight)) in of_sums.iter_mut().zip(&sums[side]).zip(weights) {
                let clipped = sum.clamp(0.0, 1.0);
                *of_weight += gradient * clipped * clipped;
                // A clipped sum has no gradient; at 0 the square's gradient is 0 anyway.
                *of_sum = if *sum < 1.0 { 2.0 * gradient * clipped * weight } else { 0.0 };
            }
            add(&mut gradients.input_bias, &of_sums);
            for &input in inputs {
                add(&mut gradients.input_weights[usize::from(input)], &of_sums);
            }
        }
        error * error
    }
}

fn add(to: &mut [f32; HIDDEN], values: &[f32; HIDDEN]) {
    for (to, value) in to.iter_mut().zip(values) {
        *to += value;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::toy;
    use super::*;
    use crate::eval::nnue::{FEATURES, INPUTS, KING_BUCKETS, OUTPUTS};

    /// The mean loss in double precision, computed without optimisation.
    fn exact_loss(weights: &[f64], samples: &[Sample], lambda: f32) -> f64 {
        let (input, rest) = weights.split_at(INPUTS * HIDDEN);
        let (input_bias, rest) = rest.split_at(HIDDEN);
        let (outputs, rest) = rest.split_at(OUTPUTS * 2 * HIDDEN);
        let loss = |sample: &Sample| {
            let index = sample.output();
            let output = &outputs[index * 2 * HIDDEN..];
            let mut answer = rest[index];
            for (side, inputs) in sample.inputs().into_iter().enumerate() {
                for unit in 0..HIDDEN {
                    let rows = inputs.iter().map(|&row| input[usize::from(row) * HIDDEN + unit]);
                    let sum = input_bias[unit] + rows.sum::<f64>();
                    answer += output[side * HIDDEN + unit] * sum.clamp(0.0, 1.0).powi(2);
                }
            }
            (1.0 / (1.0 + (-answer).exp()) - f64::from(sample.target(lambda))).powi(2)
        };
        samples.iter().map(loss).sum::<f64>() / samples.len() as f64
    }

    #[test]
    fn gradients_are_what_small_changes_do() {
        const STEP: f64 = 1e-5;
        let samples = toy::samples(40, 3);
        let lambda = 0.6;
        let mut weights = Parameters::zeroed();
        weights.set_rounded(&Parameters::random(11));
        weights.output_bias.fill(0.1);
        // Make some sums exceed 1.
        weights.input_bias.iter_mut().step_by(5).for_each(|bias| *bias = 0.9);
        weights.output_weights.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|weight| *weight *= 4.0);

        let mut gradients = Parameters::zeroed();
        let sum: f32 = samples.iter().map(|sample| weights.add_gradients(sample, lambda, &mut gradients)).sum();
        let mut exact: Vec<f64> = weights.values().iter().map(|&weight| weight.into()).collect();
        let loss = exact_loss(&exact, &samples, lambda);
        assert!((f64::from(sum) / 40.0 - loss).abs() < 1e-6, "{sum} {loss}");
        let again: f32 = samples.iter().map(|sample| weights.loss(sample, lambda)).sum();
        assert_eq!(sum, again);

        let input_bias = INPUTS * HIDDEN;
        let output_weights = input_bias + HIDDEN;
        let output_bias = output_weights + OUTPUTS * 2 * HIDDEN;
        let rows = [samples[0].inputs()[0][2], samples[20].inputs()[1][7], samples[39].inputs()[0][13]];
        let rows = rows.map(|row| usize::from(row) * HIDDEN);
        let mut checked: Vec<usize> = rows.into_iter().flat_map(|row| (row..row + HIDDEN).step_by(37)).collect();
        checked.extend((input_bias..output_weights).step_by(15));
        // The output neurons that these positions use.
        for output in samples.iter().map(Sample::output).collect::<BTreeSet<_>>() {
            let weights = output_weights + output * 2 * HIDDEN;
            checked.extend((weights..weights + 2 * HIDDEN).step_by(31));
            checked.push(output_bias + output);
        }
        let mut zeroes = 0;
        for &index in &checked {
            let mut loss_at = |change: f64| {
                let old = std::mem::replace(&mut exact[index], f64::from(weights.values()[index]) + change);
                let loss = exact_loss(&exact, &samples, lambda);
                exact[index] = old;
                loss
            };
            let expected = (loss_at(STEP) - loss_at(-STEP)) / (2.0 * STEP);
            let gradient = f64::from(gradients.values()[index]) / 40.0;
            let error = (gradient - expected).abs() / expected.abs().max(1e-6);
            assert!(error < 1e-2, "number {index}: {gradient}, not {expected}");
            zeroes += usize::from(gradient == 0.0);
        }
        assert!(zeroes < checked.len() / 3, "{zeroes} of {} gradients are nothing", checked.len());

        // The shared part changes the weights of all king buckets.
        gradients.add_up_shared();
        let feature = usize::from(samples[0].inputs()[0][2]) % FEATURES;
        for unit in (0..HIDDEN).step_by(37) {
            let mut loss_at = |change: f64| {
                let rows = || (0..KING_BUCKETS).map(|bucket| (bucket * FEATURES + feature) * HIDDEN + unit);
                rows().for_each(|index| exact[index] += change);
                let loss = exact_loss(&exact, &samples, lambda);
                rows().for_each(|index| exact[index] = weights.values()[index].into());
                loss
            };
            let expected = (loss_at(STEP) - loss_at(-STEP)) / (2.0 * STEP);
            let gradient = f64::from(gradients.shared_weights[feature][unit]) / 40.0;
            assert!(
                (gradient - expected).abs() < 1e-2 * expected.abs().max(1e-6),
                "unit {unit}: {gradient}, not {expected}"
            );
        }
    }
}
