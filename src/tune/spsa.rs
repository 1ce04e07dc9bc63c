//! Simultaneous perturbation stochastic approximation (Spall 1998), as used by Fishtest and OpenBench.
//!
//! All parameters are changed at once, each up or down at random. The engine with these values plays a pair of games
//! against the engine with the opposite changes, and every parameter is moved towards the winner's value. The result of
//! a pair is mostly noise, but costs the same for a hundred parameters as for one.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::random::numbered_rng;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// The name of the engine's option.
    pub name: String,
    /// The initial value.
    pub start: f64,
    pub min: f64,
    pub max: f64,
    /// The change at the end of the run (`c_end`), which should be worth some Elo.
    pub step: f64,
    /// The fraction of the step by which a won game moves the value at the end of the run (`r_end`).
    pub rate: f64,
}

/// The gain sequences: the decay of changes and moves over a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// The number of pairs of the run.
    pub pairs: u64,
    /// The original number of pairs of an extended run, which still determines the decay of changes and moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun_with: Option<u64>,
    /// The exponent of the moves' decay (α).
    pub alpha: f64,
    /// The exponent of the changes' decay (γ).
    pub gamma: f64,
    /// The stability constant (A) as a share of the pairs, during which moves hardly decay.
    pub stability: f64,
}

impl Gains {
    /// The usual schedule: α 0.602, γ 0.101, A a tenth of the run.
    pub fn usual(pairs: u64) -> Gains {
        Gains { pairs, begun_with: None, alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }

    /// The same gains for a run of another length.
    #[must_use]
    pub fn with_pairs(self, pairs: u64) -> Gains {
        let begun_with = self.begun_with.unwrap_or(self.pairs);
        Gains { pairs, begun_with: (begun_with != pairs).then_some(begun_with), ..self }
    }

    /// The number of pairs that determines the decay.
    fn schedule(&self) -> f64 {
        self.begun_with.unwrap_or(self.pairs) as f64
    }

    /// The usual rate for a run of this length: the shorter the run, the more a pair must move the values. Measured at
    /// 2,000 pairs with a function like that of the tests; at 100,000 pairs it is Fishtest's 0.002.
    pub fn usual_rate(&self) -> f64 {
        0.02 * (2_000.0 / self.schedule()).powf(0.6)
    }

    /// The change of a parameter for a pair, counted from 0 (`c_k`).
    fn change(&self, parameter: &Parameter, pair: u64) -> f64 {
        parameter.step * (self.schedule() / (pair + 1) as f64).powf(self.gamma)
    }

    /// The move of a parameter by a point, in units of its change for the pair (`r_k`).
    fn rate(&self, parameter: &Parameter, pair: u64) -> f64 {
        let stability = self.stability * self.schedule();
        let (now, end) = ((pair + 1) as f64 + stability, self.schedule() + stability);
        let move_end = parameter.rate * parameter.step * parameter.step;
        let change = self.change(parameter, pair);
        move_end * (end / now).powf(self.alpha) / (change * change)
    }
}

/// The values of both engines in a pair of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Perturbation {
    /// The index of the pair.
    pub pair: u64,
    /// The direction of each parameter's change for the first engine, 1 or -1.
    pub flips: Vec<i8>,
    pub plus: Vec<i64>,
    pub minus: Vec<i64>,
}

/// The rules of a run. They have no state but the current, unrounded values of the parameters.
#[derive(Clone, Copy, Debug)]
pub struct Spsa<'a> {
    pub parameters: &'a [Parameter],
    pub gains: Gains,
    /// The seed of all random choices.
    pub seed: u64,
}

impl Spsa<'_> {
    /// The perturbation for the pair with this index. It depends only on the index and the current values.
    ///
    /// Engines take integers. Values are rounded stochastically, with the same random number for both engines, so that
    /// changes below 1 have an effect.
    pub fn perturbation(&self, values: &[f64], pair: u64) -> Perturbation {
        let mut random = numbered_rng(self.seed, pair);
        let mut perturbation = Perturbation { pair, flips: Vec::new(), plus: Vec::new(), minus: Vec::new() };
        for (parameter, &value) in self.parameters.iter().zip(values) {
            let flip: i8 = if random.random_bool(0.5) { 1 } else { -1 };
            let throw: f64 = random.random_range(0.0..1.0);
            let change = self.gains.change(parameter, pair) * f64::from(flip);
            let whole =
                |value: f64| (value.clamp(parameter.min, parameter.max) + throw).floor().min(parameter.max) as i64;
            perturbation.flips.push(flip);
            perturbation.plus.push(whole(value + change));
            perturbation.minus.push(whole(value - change));
        }
        perturbation
    }

    /// Updates the values from the result of a pair. `lead` is the first engine's points minus the second's, -2 to 2.
    pub fn learn(&self, values: &mut [f64], perturbation: &Perturbation, lead: f64) {
        let pair = perturbation.pair;
        for (index, parameter) in self.parameters.iter().enumerate() {
            let change = self.gains.change(parameter, pair) * f64::from(perturbation.flips[index]);
            let step = self.gains.rate(parameter, pair) * change * lead;
            values[index] = (values[index] + step).clamp(parameter.min, parameter.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn parameter(name: &str, start: f64) -> Parameter {
        Parameter { name: name.to_owned(), start, min: 0.0, max: 200.0, step: 10.0, rate: 0.002 }
    }

    #[test]
    fn changes_and_moves_end_as_they_were_asked_for() {
        let gains = Gains::usual(5_000);
        let parameter = parameter("A", 100.0);
        let last = gains.pairs - 1;
        assert!((gains.change(&parameter, last) - parameter.step).abs() < 1e-9);
        assert!((gains.rate(&parameter, last) - parameter.rate).abs() < 1e-9);
        assert!(gains.change(&parameter, 0) > 2.0 * parameter.step);
        assert!((0..last).all(|pair| gains.change(&parameter, pair) > gains.change(&parameter, pair + 1)));
    }

    #[test]
    fn a_pair_is_played_with_values_around_those_that_stand() {
        let values = [100.0, 199.5, 3.25];
        let parameters = values.map(|start| parameter("P", start));
        let spsa = Spsa { parameters: &parameters, gains: Gains::usual(100), seed: 7 };
        let mut sums = [0.0; 3];
        for pair in 0..4_000 {
            let perturbation = spsa.perturbation(&values, pair);
            for (index, parameter) in spsa.parameters.iter().enumerate() {
                let [plus, minus] = [perturbation.plus[index], perturbation.minus[index]].map(|value| value as f64);
                assert!(
                    (parameter.min..=parameter.max).contains(&plus) && (parameter.min..=parameter.max).contains(&minus)
                );
                sums[index] += (plus + minus) / 2.0;
                let flip = f64::from(perturbation.flips[index]);
                assert!((plus - minus) * flip >= 0.0, "{perturbation:?}");
            }
        }
        assert!((sums[0] / 4_000.0 - 100.0).abs() < 0.3, "rounding by chance is fair: {}", sums[0] / 4_000.0);
        assert_eq!(spsa.perturbation(&values, 5), spsa.perturbation(&values, 5));
        assert_ne!(spsa.perturbation(&values, 5), spsa.perturbation(&values, 6));
    }

    /// Eight parameters, each up to five steps from its optimum. An error of one step costs 3 Elo, of five steps 75.
    fn run_on_known_function(seed: u64) -> f64 {
        const BEST: [f64; 8] = [60.0, 145.0, 120.0, 83.0, 51.0, 130.0, 149.0, 95.0];
        let gains = Gains::usual(2_000);
        let parameters = BEST.map(|_| Parameter { rate: gains.usual_rate(), ..parameter("P", 100.0) });
        let elo = |values: &[f64]| -> f64 {
            let loss = |(value, best): (&f64, &f64)| ((value - best) / 10.0_f64).powi(2);
            -3.0 * values.iter().zip(&BEST).map(loss).sum::<f64>()
        };
        let spsa = Spsa { parameters: &parameters, gains, seed };
        let mut values = [100.0; BEST.len()];
        let start = elo(&values);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0xDEAD);
        for pair in 0..gains.pairs {
            let perturbation = spsa.perturbation(&values, pair);
            let [plus, minus] = [&perturbation.plus, &perturbation.minus]
                .map(|values| elo(&values.iter().map(|&value| value as f64).collect::<Vec<_>>()));
            let wins = crate::arena::score_of_elo(plus - minus);
            let lead = (0..2).map(|_| if random.random_bool(wins) { 1.0 } else { -1.0 }).sum();
            spsa.learn(&mut values, &perturbation, lead);
        }
        elo(&values) / start
    }

    #[test]
    fn a_known_function_is_climbed() {
        // Draws are ignored, because they are rare.
        let left: Vec<f64> = (0..10).map(run_on_known_function).collect();
        let good = left.iter().filter(|&&left| left < 0.1).count();
        assert!(good >= 9, "what is left of the way to the top: {left:.3?}");
    }

    #[test]
    fn values_move_towards_what_won_and_stay_in_range() {
        let mut values = [100.0, 199.9];
        let parameters = values.map(|start| parameter("P", start));
        let spsa = Spsa { parameters: &parameters, gains: Gains::usual(100), seed: 7 };
        for pair in 0..100 {
            let perturbation = spsa.perturbation(&values, pair);
            let before = values;
            let lead = if perturbation.flips[0] > 0 { 2.0 } else { -2.0 };
            spsa.learn(&mut values, &perturbation, lead);
            assert!(values[0] > before[0]);
            assert!(values[1] <= 200.0);
        }
    }
}
