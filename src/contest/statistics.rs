//! Statistics of results: Elo with its interval, normalised Elo, and the likelihood of superiority.
//!
//! The games of a pair share an opening, so their results are not independent. The variance is therefore taken over
//! pairs, whose five possible scores give the pentanomial model its name. The formulas are the usual ones (Michel Van
//! den Bergh's, as in Fishtest and fastchess).

use std::fmt;

use libm::erf;

/// The quantile of the normal distribution that leaves 2.5 % on either side.
const Z95: f64 = 1.959_963_984_540_054;

/// Normalised Elo is this factor times the mean over the standard deviation. Without draws it is close to Elo.
pub(super) const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wdl {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Wdl {
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points; a draw is half a point.
    pub fn points(self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Adds a game by its half points.
    pub fn add(&mut self, half_points: u32) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The same games from the other side's point of view.
    #[must_use]
    pub fn reversed(self) -> Wdl {
        Wdl { wins: self.losses, losses: self.wins, ..self }
    }
}

/// Pairs of games by their score: 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Adds a pair by its half points, 0 to 4.
    ///
    /// # Panics
    /// If there are more.
    pub fn add(&mut self, half_points: u32) {
        self.0[half_points as usize] += 1;
    }

    /// The same pairs from the other side's point of view.
    #[must_use]
    pub fn reversed(self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }

    pub fn estimate(self) -> Option<Estimate> {
        Estimate::of(&self.0)
    }
}

/// An estimate of the difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The score, 0 to 1.
    pub score: f64,
    /// The Elo difference; infinite if one side has no points.
    pub elo: f64,
    /// Half the width of the 95 % interval of `elo`, which is symmetric in the score and almost symmetric in Elo.
    pub elo_error: f64,
    /// Elo at either end of the score's 95 % interval.
    pub elo_interval: [f64; 2],
    /// Normalised Elo, which measures how easily the difference can be detected, independently of the draw rate.
    pub normalized_elo: f64,
    /// Half the width of its 95 % interval.
    pub normalized_elo_error: f64,
    /// The likelihood of superiority: the probability that the first engine is stronger, 0 to 1.
    pub los: f64,
}

impl Estimate {
    /// Whether the results vary. Without variance there is no interval.
    pub fn has_interval(&self) -> bool {
        self.elo_interval[0] < self.elo_interval[1]
    }

    /// An estimate from counts by score: lost, drawn and won games, or the five scores of pairs. None without results.
    fn of(counts: &[u64]) -> Option<Estimate> {
        let results = counts.iter().sum::<u64>() as f64;
        if results == 0.0 {
            return None;
        }
        let steps = (counts.len() - 1) as f64;
        let outcomes = || counts.iter().enumerate().map(|(step, count)| (step as f64 / steps, *count as f64 / results));
        let score: f64 = outcomes().map(|(value, share)| value * share).sum();
        let variance: f64 = outcomes().map(|(value, share)| share * (value - score).powi(2)).sum();
        let deviation = (variance / results).sqrt();
        let bounds = [score - Z95 * deviation, score + Z95 * deviation];
        let elo_interval = bounds.map(elo_of_score);
        // A result of `steps` half points comes from `steps / 2` games.
        let per_game = (variance * steps / 2.0).sqrt();
        let normalized = |score: f64| if score == 0.5 { 0.0 } else { NORMALIZED * (score - 0.5) / per_game };
        Some(Estimate {
            score,
            elo: elo_of_score(score),
            elo_error: (elo_interval[1] - elo_interval[0]) / 2.0,
            elo_interval,
            normalized_elo: normalized(score),
            normalized_elo_error: NORMALIZED * Z95 / (results * steps / 2.0).sqrt(),
            los: match deviation {
                0.0 => (1.0 + (score - 0.5).signum() * f64::from(score != 0.5)) / 2.0,
                _ => (1.0 + erf((score - 0.5) / (deviation * std::f64::consts::SQRT_2))) / 2.0,
            },
        })
    }
}

/// The Elo difference with half the width of its interval, if known: `Elo +35.0 ± 12.3`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Elo {}", elo_text(self.elo))?;
        if self.has_interval() && self.elo_error.is_finite() { write!(f, " ± {:.1}", self.elo_error) } else { Ok(()) }
    }
}

pub(super) fn elo_text(elo: f64) -> String {
    if elo.is_finite() { format!("{elo:+.1}") } else { format!("{}∞", if elo > 0.0 { '+' } else { '-' }) }
}

/// The Elo difference with this expected score; infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The expected score at this Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_digits(values: impl IntoIterator<Item = f64>) -> String {
        values.into_iter().map(|value| format!("{value:.2}")).collect::<Vec<_>>().join(" ")
    }

    /// The known answers in fastchess's tests (`app/tests/elo_test.cpp`), to the digits given there.
    #[test]
    fn single_games_give_what_fastchess_publishes() {
        for ([wins, losses, draws], normalized, logistic, los) in [
            ([76, 89, 123], "-20.76 40.13", None, Some("15.53")),
            ([136, 96, 111], "49.77 36.77", Some("40.70 30.43"), Some("99.60")),
            ([34, 356, 0], "-508.44 34.48", None, None),
        ] {
            let estimate = Estimate::of(&[losses, draws, wins]).unwrap();
            assert_eq!(two_digits([estimate.normalized_elo, estimate.normalized_elo_error]), normalized);
            let found = two_digits([estimate.elo, estimate.elo_error]);
            assert!(logistic.is_none_or(|expected| found == expected), "{found}");
            let found = two_digits([100.0 * estimate.los]);
            assert!(los.is_none_or(|expected| found == expected), "{found}");
        }
    }

    #[test]
    fn pairs_give_what_fastchess_publishes() {
        for (counts, expected) in [
            ([34, 54, 31 + 32, 64, 75], "57.94 28.28 55.58 27.65 100.00"),
            ([332, 433, 457 + 41, 333, 334], "-9.17 10.96 -8.64 10.33 5.05"),
            ([7895, 8757, 5485 + 200, 568, 9999], "-19.01 2.65 -21.04 2.95 0.00"),
        ] {
            let Estimate { normalized_elo, normalized_elo_error, elo, elo_error, los, .. } =
                Pentanomial(counts).estimate().unwrap();
            let found = two_digits([normalized_elo, normalized_elo_error, elo, elo_error, 100.0 * los]);
            assert_eq!(found, expected, "{counts:?}");
        }
    }

    /// A test's page on a Fishtest server: 256 games, pairs [13, 37, 50, 25, 3].
    #[test]
    fn pairs_give_what_fishtest_shows() {
        let estimate = Pentanomial([13, 37, 50, 25, 3]).estimate().unwrap();
        assert_eq!(format!("{:.5} {:.2}", estimate.score, estimate.normalized_elo), "0.43750 -63.97");
    }

    #[test]
    fn one_sided_and_empty_results_are_answered_too() {
        assert_eq!(Pentanomial::default().estimate(), None);
        let all_won = Pentanomial([0, 0, 0, 0, 7]).estimate().unwrap();
        assert_eq!((all_won.elo, all_won.los, all_won.score), (f64::INFINITY, 1.0, 1.0));
        assert_eq!(all_won.to_string(), "Elo +∞");
        let all_lost = Pentanomial([7, 0, 0, 0, 0]).estimate().unwrap();
        assert_eq!((all_lost.elo, all_lost.los, all_lost.score), (f64::NEG_INFINITY, 0.0, 0.0));
        let all_even = Pentanomial([0, 0, 7, 0, 0]).estimate().unwrap();
        assert_eq!((all_even.elo, all_even.los, all_even.elo_error, all_even.normalized_elo), (0.0, 0.5, 0.0, 0.0));
        assert_eq!(all_even.to_string(), "Elo +0.0");
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        let pairs = Pentanomial([3, 5, 8, 13, 21]);
        let (ours, theirs) = (pairs.estimate().unwrap(), pairs.reversed().estimate().unwrap());
        assert!((ours.elo + theirs.elo).abs() < 1e-9 && (ours.los + theirs.los - 1.0).abs() < 1e-9);
    }

    #[test]
    fn elo_and_score_are_each_others_inverse() {
        for elo in [-700.0, -1.0, 0.0, 35.0, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn games_are_counted_by_their_half_points() {
        let mut games = Wdl::default();
        [0, 1, 1, 2, 2, 2, 2].into_iter().for_each(|half_points| games.add(half_points));
        assert_eq!(games, Wdl { wins: 4, draws: 2, losses: 1 });
        assert_eq!((games.games(), games.points()), (7, 5.0));
        assert_eq!(games.reversed(), Wdl { wins: 1, draws: 2, losses: 4 });
    }
}
