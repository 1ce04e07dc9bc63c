use bytemuck::{Pod, Zeroable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::eval::network::{HIDDEN, INPUTS, Network, QA, QB};

/// A number for each weight of the network: the weight itself, its slope, or what the optimizer remembers of it.
///
/// Nearly a megabyte: it lives in boxes only. Aligned, so that no vector lies across two cache lines.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Parameters {
    pub input_weights: [[f32; HIDDEN]; INPUTS],
    pub input_bias: [f32; HIDDEN],
    /// For the side to move, and for the other.
    pub output_weights: [[f32; HIDDEN]; 2],
    pub output_bias: f32,
    unused: [f32; 15],
}

/// How far from nothing the weights of inputs and outputs are at first. 14 inputs are on: the sums lie all over 0..1.
const FIRST_INPUT_WEIGHTS: f32 = 0.15;
const FIRST_OUTPUT_WEIGHTS: f32 = 0.05;
const FIRST_BIAS: f32 = 0.1;

impl Parameters {
    /// How many numbers there are.
    pub const COUNT: usize = size_of::<Parameters>() / size_of::<f32>();

    /// Nothing but zeroes.
    pub fn zeroed() -> Box<Parameters> {
        bytemuck::zeroed_box()
    }

    /// Weights to start from, by chance.
    pub fn random(seed: u64) -> Box<Parameters> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = Parameters::zeroed();
        let mut fill = |weights: &mut [f32], most: f32| weights.fill_with(|| rng.random_range(-most..most));
        fill(weights.input_weights.as_flattened_mut(), FIRST_INPUT_WEIGHTS);
        fill(weights.output_weights.as_flattened_mut(), FIRST_OUTPUT_WEIGHTS);
        weights.input_bias.fill(FIRST_BIAS);
        weights
    }

    /// The weights of a network that is there already.
    pub fn of_network(network: &Network) -> Box<Parameters> {
        let mut weights = Parameters::zeroed();
        let all = weights.input_weights.as_flattened_mut().iter_mut().zip(network.input_weights.as_flattened());
        all.for_each(|(weight, &rounded)| *weight = f32::from(rounded) / QA as f32);
        let all = weights.input_bias.iter_mut().zip(&network.input_bias);
        all.for_each(|(weight, &rounded)| *weight = f32::from(rounded) / QA as f32);
        let all = weights.output_weights.as_flattened_mut().iter_mut().zip(network.output_weights.as_flattened());
        all.for_each(|(weight, &rounded)| *weight = f32::from(rounded) / QB as f32);
        weights.output_bias = network.output_bias as f32 / (QA * QB) as f32;
        weights
    }

    /// The weights as whole numbers, for the engine.
    pub fn rounded(&self) -> Network {
        let round = |weight: f32, one: i32| (weight * one as f32).round() as i16;
        Network {
            input_weights: self.input_weights.iter().map(|row| row.map(|weight| round(weight, QA))).collect(),
            input_bias: self.input_bias.map(|weight| round(weight, QA)),
            output_weights: self.output_weights.map(|side| side.map(|weight| round(weight, QB))),
            output_bias: (self.output_bias * (QA * QB) as f32).round() as i32,
        }
    }

    /// All numbers, one after another.
    pub fn numbers(&self) -> &[f32] {
        bytemuck::cast_slice(std::slice::from_ref(self))
    }

    /// As [`Parameters::numbers`].
    pub fn numbers_mut(&mut self) -> &mut [f32] {
        bytemuck::cast_slice_mut(std::slice::from_mut(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_weights() {
        let mut weights = Parameters::zeroed();
        assert_eq!(weights.numbers().len(), Parameters::COUNT);
        weights.numbers_mut()[Parameters::COUNT - 16] = 1.0;
        assert_eq!(weights.output_bias, 1.0);
    }

    #[test]
    fn a_network_survives_the_way_there_and_back() {
        let mut weights = Parameters::random(7);
        weights.output_bias = 0.3;
        let network = weights.rounded();
        assert_eq!(Parameters::of_network(&network).rounded(), network);
    }
}
