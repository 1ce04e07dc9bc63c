//! The winning chance that corresponds to a score.

use crate::score::{Score, logistic};

/// The centipawns for odds of e to 1.
///
/// Fitted with [`fit`] to 392,000 moves of 6,700 games that the program played against itself at 8,000 nodes a move,
/// from balanced openings: `judkins match --engine … --each nodes=8000 --record games.jsonl`, then `judkins data chance
/// games.jsonl`. Over the range of ±1,000 centipawns the observed results are within 2 percentage points of the curve.
pub const SCALE: f64 = 215.0;

/// The winning chance of the side with this score, from 0 to 1; a draw counts one half.
///
/// ```
/// use judkins::review::win_chance;
/// use judkins::score::Score;
/// assert_eq!(win_chance(Score::Centipawns(0)), 0.5);
/// assert!((win_chance(Score::Centipawns(215)) - 0.731).abs() < 0.001);
/// assert_eq!(win_chance(Score::Mate(-4)), 0.0);
/// ```
pub fn win_chance(score: Score) -> f64 {
    match score {
        Score::Centipawns(score) => logistic(f64::from(score) / SCALE),
        Score::Mate(plies) => f64::from(u8::from(plies > 0)),
    }
}

/// The scale that maximises the likelihood of games' results under a logistic curve without an offset, by Newton's
/// method. Each sample is a score in centipawns and the result for that side: 0, ½ or 1. None if the likelihood has no
/// maximum, for instance with too few samples.
pub fn fit(samples: &[(i32, f64)]) -> Option<f64> {
    // In units of 1/100 per centipawn, which keeps the steps near 1.
    let mut slope = 0.5;
    for _ in 0..100 {
        let (mut gradient, mut curvature) = (0.0, 0.0);
        for &(score, result) in samples {
            let x = f64::from(score) / 100.0;
            let chance = logistic(slope * x);
            gradient += (result - chance) * x;
            curvature += chance * (1.0 - chance) * x * x;
        }
        let step = gradient / curvature;
        if !step.is_finite() {
            return None;
        }
        slope = (slope + step.clamp(-0.5, 0.5)).max(1e-3);
        if step.abs() < 1e-9 {
            return Some(100.0 / slope);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_finds_the_scale_that_results_were_made_with() {
        let samples: Vec<(i32, f64)> = (-800..=800).map(|score| (score, logistic(f64::from(score) / 215.0))).collect();
        assert!((fit(&samples).unwrap() - 215.0).abs() < 1e-6);
        assert_eq!(fit(&[]), None);
    }
}
