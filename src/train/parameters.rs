//! The network's parameters in floating point: initial values, shared weights of king buckets, and quantisation.

use bytemuck::{Pod, Zeroable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::eval::nnue::{FEATURES, HIDDEN, INPUTS, KING_BUCKETS, Network, OUTPUTS, QA, QB};

/// A value for each trained parameter: its weight, its gradient, or one of the optimizer's moving averages.
///
/// Several megabytes, so it is always boxed. Aligned to cache lines for vector loads.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Parameters {
    pub input_weights: [[f32; HIDDEN]; INPUTS],
    pub input_bias: [f32; HIDDEN],
    /// By output neuron, perspective (the side to move, the other) and hidden unit.
    pub output_weights: [[[f32; HIDDEN]; 2]; OUTPUTS],
    pub output_bias: [f32; OUTPUTS],
    unused: [f32; 16 - OUTPUTS],
    /// The part of a feature's weights that all king buckets share (factorisation). `input_weights` has the part of
    /// each bucket; a bucket's weight is the sum of both. 0 if `input_weights` already has the sums.
    pub shared_weights: [[f32; HIDDEN]; FEATURES],
}

/// The greatest absolute initial weights. With 14 active inputs, the sums are spread over 0..1.
const FIRST_INPUT_WEIGHTS: f32 = 0.15;
const FIRST_OUTPUT_WEIGHTS: f32 = 0.05;
const FIRST_BIAS: f32 = 0.1;

impl Parameters {
    pub const COUNT: usize = size_of::<Parameters>() / size_of::<f32>();

    /// All values 0.
    pub fn zeroed() -> Box<Parameters> {
        bytemuck::zeroed_box()
    }

    /// Random initial weights.
    pub fn random(seed: u64) -> Box<Parameters> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = Parameters::zeroed();
        let mut fill = |weights: &mut [f32], most: f32| weights.fill_with(|| rng.random_range(-most..most));
        fill(weights.shared_weights.as_flattened_mut(), FIRST_INPUT_WEIGHTS);
        fill(weights.output_weights.as_flattened_mut().as_flattened_mut(), FIRST_OUTPUT_WEIGHTS);
        weights.input_bias.fill(FIRST_BIAS);
        weights
    }

    /// The weights of a network. The shared part is the mean over king buckets.
    pub fn of_network(network: &Network) -> Box<Parameters> {
        let mut weights = Parameters::zeroed();
        let all = weights.input_weights.as_flattened_mut().iter_mut().zip(network.input_weights.as_flattened());
        all.for_each(|(weight, &rounded)| *weight = f32::from(rounded) / QA as f32);
        weights.add_up_shared();
        weights.shared_weights.as_flattened_mut().iter_mut().for_each(|shared| *shared /= KING_BUCKETS as f32);
        for (input, row) in weights.input_weights.iter_mut().enumerate() {
            row.iter_mut().zip(&weights.shared_weights[input % FEATURES]).for_each(|(own, shared)| *own -= shared);
        }
        weights.input_bias = network.input_bias.map(|rounded| f32::from(rounded) / QA as f32);
        weights.output_weights =
            network.output_weights.map(|output| output.map(|side| side.map(|rounded| f32::from(rounded) / QB as f32)));
        weights.output_bias = network.output_bias.map(|rounded| rounded as f32 / (QA * QB) as f32);
        weights
    }

    /// Sets the weights to `exact`, rounded to the engine's quantisation, with the shared part added to every bucket.
    pub fn set_rounded(&mut self, exact: &Parameters) {
        self.set_each(exact, |exact, one| (exact * one as f32).round_ties_even() / one as f32);
    }

    /// Sets the weights to `exact` with the shared part added to every bucket.
    pub fn set_added_up(&mut self, exact: &Parameters) {
        self.set_each(exact, |exact, _| exact);
    }

    /// Sets the weights to `exact`, with the shared part added to every bucket, and applies `round`, which receives a
    /// value and its quantisation.
    fn set_each(&mut self, exact: &Parameters, round: impl Fn(f32, i32) -> f32 + Sync) {
        self.input_weights.par_iter_mut().with_min_len(32).enumerate().for_each(|(input, rounded)| {
            let all = exact.input_weights[input].iter().zip(&exact.shared_weights[input % FEATURES]);
            rounded.iter_mut().zip(all).for_each(|(rounded, (own, shared))| *rounded = round(own + shared, QA));
        });
        self.input_bias = exact.input_bias.map(|bias| round(bias, QA));
        self.output_weights =
            exact.output_weights.map(|output| output.map(|side| side.map(|weight| round(weight, QB))));
        self.output_bias = exact.output_bias.map(|bias| round(bias, QA * QB));
    }

    /// Sets the shared part to the sum over all buckets. For a gradient this is the gradient of the shared part.
    pub fn add_up_shared(&mut self) {
        self.shared_weights.as_flattened_mut().fill(0.0);
        for bucket in self.input_weights.chunks_exact(FEATURES) {
            let all = self.shared_weights.as_flattened_mut().iter_mut().zip(bucket.as_flattened());
            all.for_each(|(shared, own)| *shared += own);
        }
    }

    /// The quantised network. The weights must be rounded ([`Parameters::set_rounded`]).
    pub fn quantised(&self) -> Network {
        let whole = |weight: f32, one: i32| (weight * one as f32).round_ties_even() as i16;
        Network {
            input_weights: self.input_weights.iter().map(|row| row.map(|weight| whole(weight, QA))).collect(),
            input_bias: self.input_bias.map(|weight| whole(weight, QA)),
            output_weights: self.output_weights.map(|output| output.map(|side| side.map(|weight| whole(weight, QB)))),
            output_bias: self.output_bias.map(|bias| (bias * (QA * QB) as f32).round_ties_even() as i32),
        }
    }

    pub fn values(&self) -> &[f32] {
        bytemuck::cast_slice(std::slice::from_ref(self))
    }

    /// As [`Parameters::values`].
    pub fn values_mut(&mut self) -> &mut [f32] {
        bytemuck::cast_slice_mut(std::slice::from_mut(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_weights() {
        let mut weights = Parameters::zeroed();
        assert_eq!(weights.values().len(), Parameters::COUNT);
        weights.values_mut()[Parameters::COUNT - FEATURES * HIDDEN - 16] = 1.0;
        assert_eq!(weights.output_bias[0], 1.0);
    }

    #[test]
    fn a_network_survives_the_way_there_and_back() {
        let mut weights = Parameters::random(7);
        weights.output_bias[3] = 0.3;
        weights.input_weights[5][6] = 0.2;
        let mut rounded = Parameters::zeroed();
        rounded.set_rounded(&weights);
        let network = rounded.quantised();
        let mut again = Parameters::zeroed();
        again.set_rounded(&Parameters::of_network(&network));
        assert_eq!(again.quantised(), network);
        assert!(again.values() == rounded.values());
        for input in [5, 5 + FEATURES] {
            let exact = weights.input_weights[input][6] + weights.shared_weights[5][6];
            assert!((rounded.input_weights[input][6] - exact).abs() < 0.51 / QA as f32);
        }
        assert!((rounded.output_weights[6][1][255] - weights.output_weights[6][1][255]).abs() < 0.51 / QB as f32);
    }

    #[test]
    fn shared_gradients_sum_those_of_all_buckets() {
        let mut gradients = Parameters::zeroed();
        let all = gradients.input_weights.as_flattened_mut().iter_mut().enumerate();
        all.for_each(|(index, gradient)| *gradient = index as f32);
        gradients.add_up_shared();
        let sum: f32 = (0..KING_BUCKETS).map(|bucket| gradients.input_weights[7 + bucket * FEATURES][8]).sum();
        assert_eq!(gradients.shared_weights[7][8], sum);
    }
}
