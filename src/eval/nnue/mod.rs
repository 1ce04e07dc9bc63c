//! The learned evaluation: an efficiently updatable neural network (NNUE; Nasu 2018, for shogi).
//!
//! Each side sees the board in its own [`Perspective`]. Its [`FEATURES`] are the pieces on the squares and in the
//! hands; one is on for each piece, 14 at most. With the own king's bucket ([`KING_BUCKETS`]) they make [`INPUTS`]
//! inputs.
//!
//! 1. One layer, with the same weights for both perspectives, turns the inputs into [`HIDDEN`] sums: the accumulator of
//!    a perspective. A move changes few inputs, so that accumulators are updated, not recomputed ([`Accumulators`]).
//! 2. The sums of both perspectives are clipped to 0..1 and squared (SCReLU).
//! 3. One of [`OUTPUTS`] output neurons, chosen by the count of pieces on the board ([`output_for`]), makes the score
//!    of them, with weights of its own for the side to move and for the other.
//!
//! The weights are trained (`crate::train`) on games of self-play (`crate::data`). `src/eval/nnue/making.md` says
//! how the embedded network was made, and what else was tried.
//!
//! # To add an input
//!
//! 1. `inputs.rs`: count it in [`FEATURES`], give [`Perspective`] a method for its index, list it in
//!    [`Perspective::active`], and translate it in `TRANSLATED` if the two sides see it differently. If it is not a
//!    piece on the board, [`is_on_board`] must say so.
//! 2. `accumulator.rs`: note in `Change` where a move turns it on or off; the arrays there hold what one move changes.
//! 3. `train/sample.rs`: raise `PIECES` if more than 14 inputs can be on.
//! 4. `file.rs`: raise `VERSION` if the meaning of inputs changes and not their count; with more than 14 inputs on,
//!    lower `INPUT_WEIGHT_LIMIT` (and [`WEIGHT_LIMIT`]), so that sums stay within 16 bits.
//! 5. Train a network (`making.md` has the commands) and put it in the place of `default.net`.
//! 6. Say it in `format.md`.
//!
#![doc = include_str!("format.md")]

mod accumulator;
mod embedded;
mod file;
mod inference;
mod inputs;
mod simd;

pub use accumulator::Accumulators;
pub use file::{INPUT_WEIGHT_LIMIT, NOTE_LIMIT, NetworkError, OUTPUT_WEIGHT_LIMIT};
pub use inference::Inference;
pub use inputs::{ActiveInputs, FEATURES, INPUTS, KING_BUCKETS, Perspective, is_on_board};
pub use simd::Kernel;

/// The sums of each perspective: the size of the hidden layer.
pub const HIDDEN: usize = 256;

/// The output neurons.
pub const OUTPUTS: usize = 7;

/// The index of the output neuron for a position with so many pieces on the board, kings included.
#[inline]
pub const fn output_for(pieces: u32) -> usize {
    (ALL_PIECES.saturating_sub(pieces) / 2) as usize
}

/// The pieces of the game, kings included.
const ALL_PIECES: u32 = 14;

/// The quantisation of the input weights and of the sums: 1 is stored as this.
pub const QA: i32 = 255;

/// The quantisation of the output weights.
pub const QB: i32 = 64;

/// An output of 1 in centipawns: the logistic function of the output is the chance to win.
pub const SCALE: i32 = 300;

/// The greatest absolute value of a trained parameter: the product of an output weight and a clipped sum then fits in
/// 16 bits. An input weight is the sum of two parameters.
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
