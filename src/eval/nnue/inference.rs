//! The forward pass of a network, with aligned weights in huge pages and a kernel for the processor.

use std::sync::{Arc, LazyLock};

use bytemuck::Zeroable;

use super::simd::Kernel;
use super::{Network, OUTPUTS, Perspective, QA, QB, Row, SCALE, output_for};
use crate::huge_pages::HugePages;
use crate::shogi::Position;

/// The greatest score in centipawns, beyond the scores of any useful network.
const SCORE_LIMIT: i64 = 1_000_000;

/// A network prepared for inference: aligned weights and the selected instruction set.
pub struct Inference {
    pub(super) kernel: Kernel,
    pub(super) input_weights: HugePages<Row>,
    input_bias: Row,
    output_weights: [[Row; 2]; OUTPUTS],
    output_bias: [i32; OUTPUTS],
}

impl Inference {
    /// Prepares a network for this processor's fastest instructions.
    pub fn new(network: &Network) -> Inference {
        Inference::with_kernel(network, Kernel::best())
    }

    /// Prepares a network for a kernel.
    pub fn with_kernel(network: &Network, kernel: Kernel) -> Inference {
        let mut input_weights = HugePages::zeroed(network.input_weights.len());
        input_weights.iter_mut().zip(&network.input_weights).for_each(|(row, &weights)| *row = Row(weights));
        Inference {
            kernel,
            input_weights,
            input_bias: Row(network.input_bias),
            output_weights: network.output_weights.map(|output| output.map(Row)),
            output_bias: network.output_bias,
        }
    }

    /// The embedded network, prepared once in a process.
    pub fn embedded() -> Arc<Inference> {
        static EMBEDDED: LazyLock<Arc<Inference>> = LazyLock::new(|| Arc::new(Inference::new(&Network::embedded().0)));
        Arc::clone(&EMBEDDED)
    }

    /// The score of a position in centipawns for the side to move, computed from scratch.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_without(position, |_| None)
    }

    /// As [`Inference::evaluate`], with the input that `without` returns for a perspective turned off: the score
    /// without that piece.
    pub fn evaluate_without(&self, position: &Position, without: impl Fn(Perspective) -> Option<usize>) -> i32 {
        let us = position.side_to_move();
        let [own, other] = [us, !us].map(|color| {
            let perspective = Perspective::of(position, color);
            let mut active = perspective.active(position);
            active.retain(|&mut input| without(perspective) != Some(usize::from(input)));
            let mut sums = Row::zeroed();
            self.refresh(&active, &mut sums);
            sums
        });
        self.score([&own, &other], position)
    }

    /// Computes the sums from scratch, from the inputs that are on.
    #[inline]
    pub(super) fn refresh(&self, active: &[u16], sums: &mut Row) {
        self.kernel.sum(&self.input_bias, sums, &self.input_weights, active);
    }

    /// The score from the sums of the side to move and of the other.
    #[inline]
    pub(super) fn score(&self, sums: [&Row; 2], position: &Position) -> i32 {
        let index = output_for(position.occupied().count());
        let output = self.kernel.output(sums, &self.output_weights[index]) / QA;
        let centipawns =
            (i64::from(output) + i64::from(self.output_bias[index])) * i64::from(SCALE) / i64::from(QA * QB);
        // The bias in a file may have any value.
        centipawns.clamp(-SCORE_LIMIT, SCORE_LIMIT) as i32
    }
}

impl std::fmt::Debug for Inference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Omit the weights.
        f.debug_struct("Inference").field("kernel", &self.kernel).finish_non_exhaustive()
    }
}
