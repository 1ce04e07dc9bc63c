use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::TrainError;

/// How a training goes. The same settings with the same files under the same names give the same network, on any
/// number of threads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TrainingSettings {
    /// How often all positions are gone through.
    pub epochs: u64,
    /// Positions to a step, at most.
    pub batch: usize,
    /// The optimizer's largest steps.
    pub rate: f64,
    /// The optimizer's last steps.
    pub end_rate: f64,
    /// The share of all steps in which the rate rises.
    pub warm_up: f64,
    /// How fast weights shrink.
    pub decay: f64,
    /// The share of the score in a position's target; the game's result has the rest.
    pub lambda: f64,
    /// Decides the first weights and the order of positions.
    pub seed: u64,
    /// Positions among which the next one is chosen.
    pub buffer: usize,
    /// The network that it starts from, with its checksum; if none, weights by chance.
    pub start: Option<String>,
    /// What is learned from.
    pub data: String,
}

impl TrainingSettings {
    /// Checks every setting's range.
    ///
    /// # Errors
    /// [`TrainError::Setting`] for the first that is out of its range.
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

    /// Looks whether a training that went like that can go on like this.
    ///
    /// # Errors
    /// [`TrainError::Differs`], with the first setting that is not what it was.
    pub(super) fn check_same(&self, then: &TrainingSettings) -> Result<(), TrainError> {
        let (now, then) = (self.by_name(), then.by_name());
        // The data last, so that they hide nothing else.
        let (data, others): (Vec<_>, Vec<_>) = now.into_iter().partition(|(name, _)| name == "data");
        let differing = others.into_iter().chain(data).find(|(name, value)| then.get(name) != Some(value));
        match differing {
            None => Ok(()),
            Some((setting, now)) => {
                let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let (then, now) = (then.get(&setting).map_or_else(String::new, text), text(&now));
                match setting.as_str() {
                    "data" => Err(TrainError::OtherData { then, now }),
                    _ => Err(TrainError::Differs { setting, then, now }),
                }
            }
        }
    }

    fn by_name(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => unreachable!("settings have names"),
        }
    }
}
