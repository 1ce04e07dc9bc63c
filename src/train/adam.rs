//! The optimizer: AdamW, which is Adam (Kingma and Ba 2014) with decoupled weight decay (Loshchilov and Hutter 2019).
//! The learning rate warms up linearly and then follows a cosine (Loshchilov and Hutter 2017).

use rayon::prelude::*;

use super::parameters::Parameters;
use crate::eval::nnue::WEIGHT_LIMIT;

const MEAN: f64 = 0.9;
const SQUARE: f64 = 0.999;
const EPSILON: f32 = 1e-8;

/// The number of parameters that a thread updates at a time.
const PIECE: usize = 4_096;

/// The state of the optimizer.
pub struct Adam {
    /// The exponential moving average of the gradient.
    pub mean: Box<Parameters>,
    /// The exponential moving average of the squared gradient.
    pub square: Box<Parameters>,
    /// The number of steps so far.
    pub steps: u64,
}

impl Adam {
    pub fn new() -> Adam {
        Adam { mean: Parameters::zeroed(), square: Parameters::zeroed(), steps: 0 }
    }

    /// Takes a step against the mean gradient over `samples` positions; the sum of `gradients` is the gradient.
    pub fn step(&mut self, weights: &mut Parameters, gradients: &[&Parameters], samples: usize, rate: f32, decay: f32) {
        self.steps += 1;
        let steps = self.steps.min(i32::MAX as u64) as i32;
        let warm_mean = (1.0 / (1.0 - MEAN.powi(steps))) as f32;
        let warm_square = (1.0 / (1.0 - SQUARE.powi(steps))) as f32;
        let share = 1.0 / samples as f32;
        let (keep_mean, keep_square) = (MEAN as f32, SQUARE as f32);
        let pieces = (
            weights.values_mut().par_chunks_mut(PIECE),
            self.mean.values_mut().par_chunks_mut(PIECE),
            self.square.values_mut().par_chunks_mut(PIECE),
        );
        pieces.into_par_iter().enumerate().for_each(|(index, (weights, means, squares))| {
            let mut sums = [0.0; PIECE];
            // Add in the same order for any number of threads, so that the sum is bit-identical.
            for gradients in gradients {
                let gradients = &gradients.values()[index * PIECE..][..weights.len()];
                sums.iter_mut().zip(gradients).for_each(|(sum, gradient)| *sum += gradient);
            }
            for (((weight, mean), square), sum) in weights.iter_mut().zip(means).zip(squares).zip(&sums) {
                let gradient = sum * share;
                *mean = keep_mean * *mean + (1.0 - keep_mean) * gradient;
                *square = keep_square * *square + (1.0 - keep_square) * gradient * gradient;
                let direction = *mean * warm_mean / ((*square * warm_square).sqrt() + EPSILON);
                *weight = (*weight - rate * (direction + decay * *weight)).clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
            }
        });
    }
}

/// The schedule of the learning rate.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// The rate at the end of the warm-up.
    pub rate: f64,
    /// The rate of the last step.
    pub end_rate: f64,
    /// The number of warm-up steps.
    pub warm_up: u64,
    /// The total number of steps.
    pub steps: u64,
}

impl Schedule {
    /// The rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f64 {
        if step < self.warm_up {
            return self.rate * (step + 1) as f64 / self.warm_up as f64;
        }
        let rest = self.steps.saturating_sub(self.warm_up + 1).max(1);
        let progress = ((step - self.warm_up) as f64 / rest as f64).min(1.0);
        self.end_rate + (self.rate - self.end_rate) * 0.5 * (1.0 + (std::f64::consts::PI * progress).cos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        let schedule = Schedule { rate: 1.0, end_rate: 0.1, warm_up: 10, steps: 111 };
        let rates: Vec<f64> = (0..111).map(|step| schedule.rate(step)).collect();
        assert!((rates[0] - 0.1).abs() < 1e-9 && (rates[9] - 1.0).abs() < 1e-9);
        assert!((rates[10] - 1.0).abs() < 1e-9 && (rates[110] - 0.1).abs() < 1e-9);
        assert!((rates[60] - 0.55).abs() < 1e-9, "{}", rates[60]);
        assert!(rates[..10].is_sorted() && rates[10..].is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn a_schedule_of_one_step_has_a_rate() {
        let schedule = Schedule { rate: 1.0, end_rate: 0.1, warm_up: 0, steps: 1 };
        assert_eq!(schedule.rate(0), 1.0);
    }

    #[test]
    fn steps_go_against_the_gradient_and_stop_at_the_limit() {
        let mut weights = Parameters::zeroed();
        let mut gradients = Parameters::zeroed();
        gradients.output_bias[0] = 3.0;
        gradients.input_bias[1] = -0.01;
        let mut adam = Adam::new();
        // By design, Adam's first step is as long as the learning rate, regardless of the gradient.
        adam.step(&mut weights, &[&gradients, &gradients], 2, 0.5, 0.0);
        assert!((weights.output_bias[0] + 0.5).abs() < 1e-4 && (weights.input_bias[1] - 0.5).abs() < 1e-4);
        assert_eq!(weights.input_bias[0], 0.0);
        (0..20).for_each(|_| adam.step(&mut weights, &[&gradients], 1, 0.5, 0.0));
        assert_eq!((weights.output_bias[0], weights.input_bias[1]), (-WEIGHT_LIMIT, WEIGHT_LIMIT));
    }

    #[test]
    fn decay_shrinks_weights_without_a_gradient() {
        let mut weights = Parameters::zeroed();
        weights.output_bias[0] = 1.0;
        Adam::new().step(&mut weights, &[&Parameters::zeroed()], 1, 0.5, 0.1);
        assert!((weights.output_bias[0] - 0.95).abs() < 1e-6);
    }
}
