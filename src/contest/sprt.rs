//! The sequential probability ratio test: a match that continues until it has decided between two hypotheses.
//!
//! This is the generalised test of Michel Van den Bergh: each hypothesis is represented by its most likely distribution
//! of pair scores, given the results ("A practical introduction to normalized Elo" and "The generalized log likelihood
//! ratio of a multinomial distribution").

use std::collections::BTreeMap;
use std::fmt;

use super::Pentanomial;
use super::statistics::{NORMALIZED, score_of_elo};

/// The hypotheses of a test, and its error rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The null hypothesis: the difference in Elo.
    pub elo0: f64,
    /// The alternative: the difference in Elo.
    pub elo1: f64,
    /// The probability of accepting the alternative although the null hypothesis holds.
    pub alpha: f64,
    /// The probability of accepting the null hypothesis although the alternative holds.
    pub beta: f64,
    /// The kind of Elo of the hypotheses.
    pub model: EloModel,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Normalised: the length of a test does not depend on the draw rate.
    #[default]
    Normalized,
    /// The usual Elo of the logistic curve.
    Logistic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The null hypothesis is accepted.
    H0,
    /// The alternative is accepted.
    H1,
}

/// The reason why a test is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error("elo0 must be less than elo1, and neither further from zero than 1000")]
    Hypotheses,
    /// An error rate is out of range.
    #[error("alpha and beta must lie between 0 and 1, and their sum below 1")]
    ErrorRates,
}

/// The greatest difference that a hypothesis may have, in Elo.
const MOST_ELO: f64 = 1_000.0;

impl Sprt {
    /// Checks the hypotheses and the error rates.
    ///
    /// # Errors
    /// [`SprtError`] if they are out of range.
    pub fn check(&self) -> Result<(), SprtError> {
        let is_rate = |rate: f64| rate > 0.0 && rate < 1.0;
        if [self.elo0, self.elo1].iter().any(|elo| elo.is_nan() || elo.abs() > MOST_ELO) || self.elo0 >= self.elo1 {
            return Err(SprtError::Hypotheses);
        }
        if !is_rate(self.alpha) || !is_rate(self.beta) || self.alpha + self.beta >= 1.0 {
            return Err(SprtError::ErrorRates);
        }
        Ok(())
    }

    /// The log-likelihood ratios at or below which H0 is accepted, and at or above which H1 is accepted.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio of H1 to H0, given pairs of games.
    pub fn llr(&self, pairs: Pentanomial) -> f64 {
        self.llr_of(&pairs.0)
    }

    /// For outcomes of any kind, the worst first. Single games are less exact than pairs, since the games of a pair
    /// depend on each other.
    fn llr_of(&self, counts: &[u64]) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        // An outcome that has not occurred yet is not impossible.
        let counts: Vec<f64> = counts.iter().map(|&count| (count as f64).max(1e-3)).collect();
        let total: f64 = counts.iter().sum();
        let steps = (counts.len() - 1) as f64;
        let outcomes: Vec<Outcome> = (0..)
            .zip(&counts)
            .map(|(step, count)| Outcome { value: f64::from(step) / steps, share: count / total })
            .collect();
        let [p0, p1] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => likeliest_with_mean(&outcomes, score_of_elo(elo)),
            EloModel::Normalized => likeliest_with_t_value(&outcomes, elo * (steps / 2.0).sqrt() / NORMALIZED),
        });
        total * outcomes.iter().zip(p0.iter().zip(&p1)).map(|(seen, (p0, p1))| seen.share * (p1 / p0).ln()).sum::<f64>()
    }

    /// The decision of the test after these pairs of games.
    pub fn decision(&self, pairs: Pentanomial) -> Option<Decision> {
        let (llr, [lower, upper]) = (self.llr(pairs), self.bounds());
        if llr <= lower {
            Some(Decision::H0)
        } else if llr >= upper {
            Some(Decision::H1)
        } else {
            None
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.model {
            EloModel::Normalized => "nElo",
            EloModel::Logistic => "Elo",
        };
        write!(f, "[{}, {}] {unit}, α {}, β {}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

/// A test under way.
///
/// Pairs finish in any order but are evaluated in the order of their numbers, so that the decision does not depend on
/// their speed. A decision therefore waits for the slowest earlier pair.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    pub(super) sprt: Sprt,
    pairs: Pentanomial,
    next: usize,
    waiting: BTreeMap<usize, u32>,
    decision: Option<Decision>,
}

impl SequentialTest {
    /// A test before the first pair.
    pub fn new(sprt: Sprt) -> SequentialTest {
        SequentialTest { sprt, pairs: Pentanomial::default(), next: 0, waiting: BTreeMap::new(), decision: None }
    }

    /// Takes the half points of a pair, numbered from 0. Pairs after the decision are ignored.
    pub fn take(&mut self, pair: usize, half_points: u32) {
        self.waiting.insert(pair, half_points);
        while self.decision.is_none()
            && let Some(half_points) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            self.pairs.add(half_points);
            self.decision = self.sprt.decision(self.pairs);
        }
    }

    /// The decision; none while the test continues.
    pub fn decision(&self) -> Option<Decision> {
        self.decision
    }

    /// The log-likelihood ratio of the evaluated pairs.
    pub fn llr(&self) -> f64 {
        self.sprt.llr(self.pairs)
    }
}

/// The ratio with its bounds: `LLR 1.23 (-2.94, 2.94) after 8 pairs`, or `after 8 of 9 pairs` if some are not evaluated
/// yet.
impl fmt::Display for SequentialTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lower, upper] = self.sprt.bounds();
        // Avoid a negative zero.
        let llr = (100.0 * self.llr()).round() / 100.0 + 0.0;
        write!(f, "LLR {llr:.2} ({lower:.2}, {upper:.2}) after {}", self.next)?;
        let all = self.next + self.waiting.len();
        if all > self.next {
            write!(f, " of {all}")?;
        }
        f.write_str(if all == 1 { " pair" } else { " pairs" })
    }
}

/// A score with its share of the results.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    value: f64,
    share: f64,
}

/// The maximum-likelihood distribution with this mean (the paper's proposition 1.1).
fn likeliest_with_mean(outcomes: &[Outcome], mean: f64) -> Vec<f64> {
    let offsets: Vec<f64> = outcomes.iter().map(|outcome| outcome.value - mean).collect();
    tilted(outcomes, &offsets)
}

/// The maximum-likelihood distribution with this t-value, (mean − ½) / standard deviation (section 4.1 of the paper),
/// by iterating the solution for known mean and deviation.
///
/// The iteration only converges near the solution, so start with the t-value 0, where it is exact, and proceed in
/// steps.
fn likeliest_with_t_value(outcomes: &[Outcome], t: f64) -> Vec<f64> {
    const STEP: f64 = 0.05;
    const MOST_ROUNDS: usize = 100;
    let mut shares = likeliest_with_mean(outcomes, 0.5);
    let steps = (t.abs() / STEP).ceil().max(1.0);
    for step in 1..=steps as usize {
        let t = t * step as f64 / steps;
        for _ in 0..MOST_ROUNDS {
            let moment = |of: &dyn Fn(f64) -> f64| -> f64 {
                outcomes.iter().zip(&shares).map(|(outcome, share)| of(outcome.value) * share).sum()
            };
            let mean = moment(&|value| value);
            let deviation = moment(&|value| (value - mean).powi(2)).sqrt();
            let offset = |value: f64| value - 0.5 - t * deviation * (1.0 + ((value - mean) / deviation).powi(2)) / 2.0;
            let offsets: Vec<f64> = outcomes.iter().map(|outcome| offset(outcome.value)).collect();
            let next = tilted(outcomes, &offsets);
            let change = next.iter().zip(&shares).map(|(next, share)| (next - share).abs()).fold(0.0, f64::max);
            shares = next;
            if change < 1e-10 {
                break;
            }
        }
    }
    shares
}

/// The shares, each divided by 1 + θ·offset, with the θ for which the offsets have mean zero (the secular equation).
fn tilted(outcomes: &[Outcome], offsets: &[f64]) -> Vec<f64> {
    let least = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Between these bounds all denominators are positive, and the sum falls from +∞ to −∞.
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let sum = |theta: f64| {
        outcomes
            .iter()
            .zip(offsets)
            .map(|(outcome, offset)| outcome.share * offset / (1.0 + theta * offset))
            .sum::<f64>()
    };
    // Bisection until no number is left in between takes some sixty steps.
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if sum(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = f64::midpoint(low, high);
    outcomes.iter().zip(offsets).map(|(outcome, offset)| outcome.share / (1.0 + theta * offset)).collect()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::random::numbered_rng;

    fn sprt(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    /// The known answers in fastchess's tests (`app/tests/sprt_test.cpp`), to the digits given there.
    #[test]
    fn games_give_what_fastchess_publishes() {
        use EloModel::{Logistic, Normalized};
        for ([wins, losses, draws], model, elo0, elo1, expected) in [
            ([36433, 36027, 68692], Normalized, 0.0, 2.0, "0.92"),
            ([10871, 10650, 20431], Normalized, -1.75, 0.25, "2.30"),
            ([21404, 21184, 40708], Logistic, 0.5, 2.5, "-1.57"),
            ([57433, 57030, 106_593], Logistic, 0.0, 2.0, "-2.59"),
        ] {
            let llr = sprt(model, elo0, elo1).llr_of(&[losses, draws, wins]);
            assert_eq!(format!("{llr:.2}"), expected, "{wins} {losses} {draws}");
        }
    }

    #[test]
    fn pairs_give_what_fastchess_publishes() {
        use EloModel::{Logistic, Normalized};
        for (counts, model, elo0, elo1, expected) in [
            ([365, 16618, 36029 + 200, 16974, 390], Normalized, 0.0, 2.0, "2.25"),
            ([127, 4883, 10311 + 401, 5150, 104], Normalized, -1.75, 0.25, "3.01"),
            ([223, 9863, 20279 + 1000, 10037, 246], Logistic, 0.5, 2.5, "-3.07"),
            ([871, 26175, 55003 + 980, 26678, 821], Logistic, 0.0, 2.0, "-4.98"),
        ] {
            let llr = sprt(model, elo0, elo1).llr(Pentanomial(counts));
            assert_eq!(format!("{llr:.2}"), expected, "{counts:?}");
        }
    }

    /// Example 1.6 of "The generalized log likelihood ratio of a multinomial distribution" (M. Van den Bergh), column
    /// "exact".
    #[test]
    fn pairs_give_what_the_paper_shows() {
        for (elo0, elo1, counts, expected) in [
            (-0.5, 1.5, [729, 5234, 10174, 5154, 898], "2.93696"),
            (-0.5, 1.5, [441, 3213, 7170, 3164, 399], "-2.96711"),
            (-0.5, 1.5, [1746, 11875, 23034, 11679, 1820], "-2.93641"),
            (-0.5, 1.5, [550, 3237, 6268, 3224, 478], "-2.94598"),
            (0.25, 1.75, [504, 6686, 20525, 6609, 557], "-2.94903"),
            (-1.5, 0.5, [271, 2151, 4827, 2241, 299], "2.94174"),
        ] {
            let llr = sprt(EloModel::Logistic, elo0, elo1).llr(Pentanomial(counts));
            assert_eq!(format!("{llr:.5}"), expected, "{counts:?}");
        }
    }

    /// A test's page on a Fishtest server, with the bounds [0, 4] in normalised Elo.
    #[test]
    fn pairs_give_what_fishtest_shows() {
        let llr = sprt(EloModel::Normalized, 0.0, 4.0).llr(Pentanomial([13, 37, 50, 25, 3]));
        assert_eq!(format!("{llr:.5}"), "-0.54912");
        // Examples at the end of Fishtest's `stat_util.py`, with its results.
        let pairs = Pentanomial([39, 2226, 31451, 2412, 40]);
        let [normalized, logistic] =
            [sprt(EloModel::Normalized, 0.764, 3.439), sprt(EloModel::Logistic, 0.2, 0.9)].map(|sprt| sprt.llr(pairs));
        assert_eq!(format!("{normalized:.5} {logistic:.5}"), "2.16294 2.16254");
        let llr = sprt(EloModel::Logistic, -3.0, 1.0).llr(Pentanomial([10789, 19328, 33806, 19402, 10543]));
        assert_eq!(format!("{llr:.5}"), "2.13107");
    }

    /// fastchess's tests expect 120.56 and 111.82 with a tolerance of one percent; these are the values of Fishtest,
    /// which solves the same equations more precisely.
    #[test]
    fn one_sided_results_give_what_fishtest_computes() {
        let llr = sprt(EloModel::Normalized, 0.0, 10.0).llr_of(&[0, 0, 4250]);
        assert_eq!(format!("{llr:.5}"), "120.54827");
        let llr = sprt(EloModel::Normalized, 0.0, 5.0).llr(Pentanomial([0, 0, 0, 0, 5550]));
        assert_eq!(format!("{llr:.5}"), "111.79756");
    }

    #[test]
    fn every_result_has_its_ratio() {
        for seed in 1..3000 {
            let mut rng = numbered_rng(seed, 0);
            // Few or many pairs, and often none.
            let most = [(); 5].map(|()| [1, 3, 30, 3000][rng.random_range(0..4)]);
            let pairs = Pentanomial(most.map(|most| rng.random_range(0..most)));
            for (elo0, elo1) in [(0.0, 5.0), (-5.0, 0.0), (0.0, 300.0), (-400.0, 400.0)] {
                for model in [EloModel::Normalized, EloModel::Logistic] {
                    let llr = sprt(model, elo0, elo1).llr(pairs);
                    let mirrored = sprt(model, -elo1, -elo0).llr(pairs.reversed());
                    assert!(llr.is_finite(), "{pairs:?} {model:?} [{elo0}, {elo1}]: {llr}");
                    assert!((llr + mirrored).abs() < 1e-6 * (1.0 + llr.abs()), "{pairs:?} {model:?}: {llr} {mirrored}");
                }
            }
        }
    }

    #[test]
    fn the_likeliest_distribution_has_the_t_value() {
        for counts in [[0.2, 0.1, 0.3, 0.2, 0.2], [0.9, 0.02, 0.02, 0.02, 0.04], [0.001, 0.001, 0.396, 0.002, 0.6]] {
            let outcomes: Vec<Outcome> =
                counts.iter().zip(0..).map(|(&share, step)| Outcome { value: f64::from(step) / 4.0, share }).collect();
            for t in [-1.2, -0.1, 0.0, 0.02, 0.4, 1.22] {
                let shares = likeliest_with_t_value(&outcomes, t);
                let mean: f64 = outcomes.iter().zip(&shares).map(|(outcome, share)| outcome.value * share).sum();
                let variance: f64 =
                    outcomes.iter().zip(&shares).map(|(outcome, share)| (outcome.value - mean).powi(2) * share).sum();
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{counts:?} {t}: {shares:?}");
                assert!(((mean - 0.5) / variance.sqrt() - t).abs() < 1e-6, "{counts:?} {t}: {shares:?}");
            }
        }
    }

    #[test]
    fn a_decision_falls_at_the_bounds() {
        let sprt = sprt(EloModel::Normalized, 0.0, 10.0);
        assert_eq!(sprt.bounds().map(|bound| format!("{bound:.2}")), ["-2.94", "2.94"]);
        assert_eq!(sprt.decision(Pentanomial::default()), None);
        assert_eq!(sprt.decision(Pentanomial([0, 0, 0, 0, 200])), Some(Decision::H1));
        assert_eq!(sprt.decision(Pentanomial([200, 0, 0, 0, 0])), Some(Decision::H0));
        assert_eq!(sprt.decision(Pentanomial([1, 2, 3, 2, 1])), None);
    }

    #[test]
    fn pairs_are_taken_in_the_order_of_their_numbers() {
        let sprt = sprt(EloModel::Normalized, 0.0, 100.0);
        let decided_after = |order: &[usize]| {
            let mut test = SequentialTest::new(sprt);
            // Won pairs up to a point, then lost ones.
            order.iter().position(|&pair| {
                test.take(pair, if pair < 100 { 4 } else { 0 });
                test.decision() == Some(Decision::H1)
            })
        };
        let forwards: Vec<usize> = (0..200).collect();
        let after = decided_after(&forwards).expect("won pairs decide");
        let last_first: Vec<usize> = (100..200).chain(0..100).collect();
        assert_eq!(decided_after(&last_first), Some(100 + after));
        let mut test = SequentialTest::new(sprt);
        (1..200).for_each(|pair| test.take(pair, 4));
        assert_eq!((test.decision(), test.to_string().as_str()), (None, "LLR 0.00 (-2.94, 2.94) after 0 of 199 pairs"));
        // The first pair releases all waiting pairs up to the decision.
        test.take(0, 4);
        let taken = Pentanomial([0, 0, 0, 0, after as u64 + 1]);
        assert_eq!((test.decision(), test.llr()), (Some(Decision::H1), sprt.llr(taken)));
        assert_eq!(test.to_string(), format!("LLR {:.2} (-2.94, 2.94) after {} of 200 pairs", test.llr(), after + 1));
    }

    #[test]
    fn a_ratio_that_is_rounded_to_zero_has_no_sign() {
        let mut test = SequentialTest::new(sprt(EloModel::Normalized, 0.0, 5.0));
        test.take(0, 2);
        assert!(test.llr() < 0.0 && test.llr() > -0.005, "{}", test.llr());
        assert_eq!(test.to_string(), "LLR 0.00 (-2.94, 2.94) after 1 pair");
    }

    #[test]
    fn a_test_is_described_by_its_hypotheses_and_error_rates() {
        let logistic = Sprt { alpha: 0.1, ..sprt(EloModel::Logistic, -5.0, 0.0) };
        assert_eq!(logistic.to_string(), "[-5, 0] Elo, α 0.1, β 0.05");
        assert_eq!(sprt(EloModel::Normalized, 0.0, 2.5).to_string(), "[0, 2.5] nElo, α 0.05, β 0.05");
    }

    #[test]
    fn senseless_tests_are_refused() {
        assert_eq!(sprt(EloModel::Logistic, 5.0, 5.0).check(), Err(SprtError::Hypotheses));
        assert_eq!(sprt(EloModel::Logistic, f64::NAN, 5.0).check(), Err(SprtError::Hypotheses));
        assert_eq!(sprt(EloModel::Logistic, 0.0, f64::INFINITY).check(), Err(SprtError::Hypotheses));
        for (alpha, beta) in [(0.0, 0.05), (0.05, 1.0), (0.5, 0.5)] {
            assert_eq!(Sprt { alpha, beta, ..sprt(EloModel::Logistic, 0.0, 5.0) }.check(), Err(SprtError::ErrorRates));
        }
        assert_eq!(sprt(EloModel::Normalized, 0.0, 5.0).check(), Ok(()));
        assert_eq!(sprt(EloModel::Normalized, -MOST_ELO, MOST_ELO).check(), Ok(()), "the widest test");
    }
}
