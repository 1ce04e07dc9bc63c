//! `Sample`: a position as the trainer holds it in memory, with its active inputs and its target.

use crate::eval::nnue::{Perspective, SCALE, is_on_board, output_for};
use crate::shogi::Position;

/// The maximum number of active inputs of a perspective: one for each piece of the game.
const PIECES: usize = 14;

/// A position to train on, in 60 bytes, because millions are in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The active inputs, for the side to move and for the other side; the first `pieces` of each count.
    inputs: [[u16; PIECES]; 2],
    /// The search's score in centipawns for the side to move.
    score: i16,
    /// The number of active inputs.
    pieces: u8,
    /// The game's result for the side to move: 2 for a win, 1 for a draw, 0 for a loss.
    half_points: u8,
}

impl Sample {
    /// A sample of a position with the score in centipawns and the game's result (1, 0.5 or 0) for the side to move.
    ///
    /// # Panics
    /// If the position has more than 14 pieces.
    pub fn new(position: &Position, score: i32, result: f32) -> Sample {
        let color = position.side_to_move();
        let mut inputs = [[0; PIECES]; 2];
        let mut pieces = 0;
        for (inputs, color) in inputs.iter_mut().zip([color, !color]) {
            let active = Perspective::of(position, color).active(position);
            inputs[..active.len()].copy_from_slice(&active);
            pieces = active.len() as u8;
        }
        let score = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Sample { inputs, score, pieces, half_points: (2.0 * result) as u8 }
    }

    /// The index of the output neuron.
    pub fn output(&self) -> usize {
        output_for(self.inputs()[0].iter().filter(|&&input| is_on_board(input)).count() as u32)
    }

    /// The active inputs, for the side to move and for the other side.
    pub fn inputs(&self) -> [&[u16]; 2] {
        self.inputs.each_ref().map(|inputs| &inputs[..usize::from(self.pieces)])
    }

    /// The target: the side to move's winning chance, 0 to 1. `lambda`, 0 to 1, is the weight of the score; the rest is
    /// the weight of the result.
    pub fn target(&self, lambda: f32) -> f32 {
        let score = sigmoid(f32::from(self.score) / SCALE as f32);
        lambda * score + (1.0 - lambda) * f32::from(self.half_points) / 2.0
    }
}

/// The winning chance, 0 to 1, for an output of the network.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_sixty_bytes() {
        assert_eq!(size_of::<Sample>(), 60);
    }

    #[test]
    fn the_side_to_move_comes_first() {
        let mut position: Position = "1b1sgk/5p/1n4/3p2/2S3/KG1NBR b - 1".parse().unwrap();
        let black = Sample::new(&position, 60, 1.0);
        assert_eq!(black.inputs().map(<[u16]>::len), [13, 13], "a rook is missing");
        position.play("5f5e".parse().unwrap());
        let before = Sample::new(&position, -60, 0.0);
        position.play("1b1c".parse().unwrap());
        let after = Sample::new(&position, 60, 1.0);
        let sorted = |inputs: &[u16]| {
            let mut inputs = inputs.to_vec();
            inputs.sort_unstable();
            inputs
        };
        // White's pawn has moved. Black's perspective comes second before the move and first after it.
        let [mine, _] = after.inputs().map(sorted);
        let [_, theirs] = before.inputs().map(sorted);
        assert_eq!(mine.iter().filter(|input| !theirs.contains(input)).count(), 1);
    }

    #[test]
    fn targets_lie_between_score_and_result() {
        let sample = Sample::new(&Position::startpos(), SCALE, 0.5);
        assert!((sample.target(1.0) - 0.731_058).abs() < 1e-5);
        assert_eq!(sample.target(0.0), 0.5);
        assert!((sample.target(0.5) - 0.615_529).abs() < 1e-5);
    }
}
