//! Hyperparameters of a training, their ranges, and the check that a checkpoint fits them.

use serde::{Deserialize, Serialize};

use super::TrainError;
use crate::difference::{differences, list};

/// The settings of a training. The same settings and the same paths of shards yield the same network, on any number of
/// threads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TrainingSettings {
    /// The number of passes over all positions, 1 to 100,000.
    pub epochs: u64,
    /// The maximum number of positions of a step, 1 to 2²⁴.
    pub batch: usize,
    /// The greatest learning rate, above 0 and up to 1.
    pub rate: f64,
    /// The learning rate of the last step, 0 to `rate`.
    pub end_rate: f64,
    /// The share of the steps during which the rate rises, 0 to 1.
    pub warm_up: f64,
    /// The weight decay, 0 to 1.
    pub decay: f64,
    /// The weight of the score in the target, 0 to 1; the rest is the weight of the game's result.
    pub lambda: f64,
    /// The seed of the initial weights and of the order of positions.
    pub seed: u64,
    /// The size of the shuffle buffer, in positions, 1 to 2³⁰.
    pub buffer: usize,
    /// The network to start from: its file name and checksum. [`None`] for random weights.
    pub start: Option<String>,
    /// The [description](super::Dataset::description) of the games.
    pub data: String,
}

impl TrainingSettings {
    /// Checks every setting's range.
    ///
    /// # Errors
    /// [`TrainError::Setting`] for the first setting out of range.
    pub fn check(&self) -> Result<(), TrainError> {
        let share = 0.0..=1.0;
        let rules = [
            ((1..=100_000).contains(&self.epochs), "epochs", "the number of epochs must be from 1 to 100,000"),
            ((1..=1 << 24).contains(&self.batch), "batch", "the batch size must be from 1 to 16,777,216 positions"),
            (
                (1..=1 << 30).contains(&self.buffer),
                "buffer",
                "the shuffle buffer must hold from 1 to 1,073,741,824 positions",
            ),
            (self.rate > 0.0 && self.rate <= 1.0, "rate", "the learning rate must be above 0, and 1 at most"),
            (
                self.end_rate >= 0.0 && self.end_rate <= self.rate,
                "end-rate",
                "the last learning rate must be from 0 to the learning rate",
            ),
            (share.contains(&self.warm_up), "warm-up", "the warm-up's share of the steps must be from 0 to 1"),
            (share.contains(&self.decay), "decay", "the weight decay must be from 0 to 1"),
            (share.contains(&self.lambda), "lambda", "lambda, the score's share of the target, must be from 0 to 1"),
        ];
        match rules.into_iter().find(|(holds, ..)| !holds) {
            Some((_, setting, rule)) => Err(TrainError::Setting { setting: setting.to_owned(), rule }),
            None => Ok(()),
        }
    }

    /// Checks that a training with a checkpoint's settings can continue with these settings: they are the same, except
    /// that there may be more epochs.
    ///
    /// # Errors
    /// [`TrainError::Differs`] or [`TrainError::Fewer`].
    pub(super) fn check_goes_on(&self, then: &TrainingSettings) -> Result<(), TrainError> {
        let mut differing = differences(then, self);
        differing.retain(|difference| difference.name != "epochs");
        if !differing.is_empty() {
            return Err(TrainError::Differs(list(&differing)));
        }
        match self.epochs < then.epochs {
            true => Err(TrainError::Fewer { then: then.epochs, now: self.epochs }),
            false => Ok(()),
        }
    }
}
