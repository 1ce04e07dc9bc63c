//! The learned evaluation: a small network that is quick to follow from move to move ("efficiently updatable", NNUE; Yu
//! Nasu 2018, for shogi).
//!
//! Each side looks at the board in its own way ([`Perspective`]); what it sees are [`FEATURES`] yes-or-no features, of which 14
//! are on. These have weights of their own for each part of the board that its king may be in ([`KING_BUCKETS`]), which
//! makes [`INPUTS`] inputs. One layer makes [`HIDDEN`] sums of them for either side, with the same weights. These are
//! clipped to 0..1 and squared, and weighed once more, those of the side to move apart from those of the other: that is the
//! score. There are [`OUTPUTS`] sets of weights for that, and how many pieces are on the board says which is used
//! ([`output_for`]): with more in hand, the same sums mean something else.
//!
//! The weights are learned ([`crate::train`]) from games of self-play ([`crate::data`]).
//!
#![doc = include_str!("making.md")]

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

/// Sums for each side.
pub const HIDDEN: usize = 256;

/// Scores, of which a position has one.
pub const OUTPUTS: usize = 7;

/// Which output judges a position with so many pieces on the board, the kings among them.
#[inline]
pub const fn output_for(pieces: u32) -> usize {
    (ALL_PIECES.saturating_sub(pieces) / 2) as usize
}

/// All pieces of the game.
const ALL_PIECES: u32 = 14;

/// What 1 is in the sums and in the weights that make them.
pub const QA: i32 = 255;

/// What 1 is in the weights that are applied to them.
pub const QB: i32 = 64;

/// What an output of 1 is in centipawns: odds of e to 1 of winning.
pub const SCALE: i32 = 300;

/// The greatest absolute value of a number that is trained, so that no product of an output weight overflows 16 bits. An
/// input weight is the sum of two.
pub const WEIGHT_LIMIT: f32 = 1.98;

/// The weights, as whole numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// By input.
    pub input_weights: Vec<[i16; HIDDEN]>,
    /// Where each sum starts.
    pub input_bias: [i16; HIDDEN],
    /// By output: for the side to move, and for the other.
    pub output_weights: [[[i16; HIDDEN]; 2]; OUTPUTS],
    /// Added to each output, in units of 1 / (`QA` · `QB`).
    pub output_bias: [i32; OUTPUTS],
}
