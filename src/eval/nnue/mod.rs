//! The learned evaluation: an efficiently updatable neural network (NNUE; Nasu 2018, for shogi).
//!
//! Each side sees the board in its own [`Perspective`]. The [`FEATURES`] are the pieces on the squares and in the
//! hands; one is active for each piece, at most 14. Together with the own king's bucket ([`KING_BUCKETS`]) they form
//! [`INPUTS`] inputs.
//!
//! 1. One layer, with the same weights for both perspectives, transforms the inputs into [`HIDDEN`] sums: the
//!    accumulator of a perspective. A move changes few inputs, so accumulators are updated instead of recomputed
//!    ([`Accumulators`]).
//! 2. The sums of both perspectives are clipped to 0..1 and squared (SCReLU).
//! 3. One of [`OUTPUTS`] output neurons, selected by the number of pieces on the board ([`output_for`]), computes the
//!    score from them, with separate weights for the side to move and for the other side.
//!
//! The weights are trained (`crate::train`) on self-play games (`crate::data`). `src/eval/nnue/making.md` says how the
//! embedded network was made and which alternatives were tried.
//!
//! # Adding an input
//!
//! 1. `inputs.rs`: count it in [`FEATURES`], give [`Perspective`] a method for its index, add it to
//!    [`Perspective::active`], and translate it in `TRANSLATED` if the two sides see it differently. If it is not a
//!    piece on the board, [`is_on_board`] must return false for it.
//! 2. `accumulator.rs`: record in `DirtyFeatures` where a move turns it on or off. The arrays there have as many added
//!    as removed features, at most two.
//! 3. `train/sample.rs`: increase `PIECES` if more than 14 inputs can be active.
//! 4. `file.rs`: increase `VERSION` if the meaning of inputs changes but not their number; with more than 14 active
//!    inputs, lower `INPUT_WEIGHT_LIMIT` (and [`WEIGHT_LIMIT`]), so that sums stay within 16 bits.
//! 5. Train a network (`making.md` has the commands) and replace `default.net`.
//! 6. Document it in `format.md`.
//!
#![doc = include_str!("format.md")]

mod accumulator;
mod embedded;
mod file;
mod inference;
mod inputs;
mod simd;

use bytemuck::{Pod, Zeroable};

pub use accumulator::Accumulators;
pub use file::{INPUT_WEIGHT_LIMIT, NOTE_LIMIT, NetworkError, OUTPUT_WEIGHT_LIMIT};
pub use inference::Inference;
pub use inputs::{ActiveInputs, FEATURES, INPUTS, KING_BUCKETS, Perspective, is_on_board};
pub use simd::Kernel;

/// The number of sums of each perspective: the size of the hidden layer.
pub const HIDDEN: usize = 256;

/// A value for each hidden unit, aligned for vector loads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct Row([i16; HIDDEN]);

/// The number of output neurons.
pub const OUTPUTS: usize = 7;

/// The index of the output neuron for this number of pieces on the board, kings included.
#[inline]
pub const fn output_for(pieces: u32) -> usize {
    (ALL_PIECES.saturating_sub(pieces) / 2) as usize
}

/// The number of pieces in the game, kings included.
const ALL_PIECES: u32 = 14;

/// The quantisation of the input weights and the sums: the stored value of 1.
pub const QA: i32 = 255;

/// The quantisation of the output weights.
pub const QB: i32 = 64;

/// The centipawns of an output of 1: the logistic function of the output is the winning chance.
pub const SCALE: i32 = 300;

/// The greatest absolute value of a trained parameter, so that the product of an output weight and a clipped sum fits
/// in 16 bits. An input weight is the sum of two parameters.
pub const WEIGHT_LIMIT: f32 = 1.98;

/// The quantised weights of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// By input, then by hidden unit.
    pub input_weights: Vec<[i16; HIDDEN]>,
    /// By hidden unit.
    pub input_bias: [i16; HIDDEN],
    /// By output neuron, perspective (the side to move, the other) and hidden unit.
    pub output_weights: [[[i16; HIDDEN]; 2]; OUTPUTS],
    /// By output neuron, in units of 1 / (`QA` · `QB`).
    pub output_bias: [i32; OUTPUTS],
}
