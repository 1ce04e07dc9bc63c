//! Fits the hand-written evaluation's weights to games: logistic regression after Peter Österlund ("Texel's tuning
//! method", 2014), with gradient descent (Adam; Kingma and Ba 2014) in place of a local search.

use std::fmt::Write;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use crate::arena::{GameRecord, Opening};
use crate::eval::handwritten::{Features, WeightTable, Weights};
use crate::score::{Score, logistic};
use crate::shogi::{Color, ImpasseRule, Move, Position};

#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// The number of passes over all positions.
    pub rounds: usize,
    /// The weight of the search's score in the target, 0 to 1; the rest is the weight of the game's result.
    pub lambda: f64,
    /// The centipawns that correspond to odds of e to 1.
    pub scale: f64,
    /// The seed of the order of positions.
    pub seed: u64,
}

/// Positions with at least this absolute score, in centipawns, are omitted: the game is decided.
const DECIDED: u32 = 2_000;

/// One pair of games in `HELD_OUT` is held out, to measure the loss on positions that are not fitted. The games of a
/// pair have the same opening.
const HELD_OUT: usize = 10;

const BATCH: usize = 4_096;

/// The first step size, in centipawns (danger: in units).
const STEP: f64 = 2.0;

/// The strength of the regularisation towards the initial weights, which keeps the weights of rare features small.
const ANCHOR: f64 = 1e-7;

struct FitSample {
    features: Features,
    /// The search's score for Black, in centipawns.
    score: f64,
    /// The game's result for Black: 1, 0.5 or 0.
    result: f64,
}

/// The positions to fit, and those held out.
#[derive(Default)]
pub struct FitSamples {
    learn: Vec<FitSample>,
    check: Vec<FitSample>,
}

impl FitSamples {
    /// Adds the quiet positions of a game: not in check, and the move played neither captures nor promotes. Ignores a
    /// record that does not parse, the moves from an illegal one on, games that do not count, and games that an engine
    /// lost by a fault: their results say nothing of the positions.
    pub fn add(&mut self, record: &GameRecord) {
        if record.reason.is_fault() || !record.counts {
            return;
        }
        let Ok(opening) = Opening::parse(&record.opening) else { return };
        let Ok(impasse_rule) = record.impasse_rule.parse::<ImpasseRule>() else { return };
        let held_out = record.game.div_ceil(2) % HELD_OUT == 1;
        let list = if held_out { &mut self.check } else { &mut self.learn };
        let result = f64::from(record.result.half_points(Color::Black)) / 2.0;
        let mut position: Position = opening.end();
        for (text, score) in record.moves.iter().zip(&record.scores) {
            let Ok(mv) = text.parse::<Move>() else { return };
            let quiet = !position.in_check() && !position.is_capture(mv) && !mv.promotes();
            if let Some(Score::Centipawns(score)) = score
                && quiet
                && score.unsigned_abs() < DECIDED
            {
                let score = position.side_to_move().relative(*score);
                let features = Features::of(&position, impasse_rule);
                list.push(FitSample { features, score: score.into(), result });
            }
            if position.try_play(mv).is_err() {
                return;
            }
        }
    }

    /// The numbers of positions to fit and of positions held out.
    pub fn counts(&self) -> [usize; 2] {
        [self.learn.len(), self.check.len()]
    }
}

/// The mean loss: the cross entropy of targets and evaluation, in bits per position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitLoss {
    /// Of the positions to fit.
    pub learned: f64,
    /// Of the positions held out.
    pub held_out: f64,
}

/// A running fit.
pub struct Fit<'a> {
    samples: &'a FitSamples,
    options: FitOptions,
    start: Vec<f64>,
    weights: Vec<f64>,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
    rng: Xoshiro256PlusPlus,
    round: usize,
}

fn tables_of<T>(mut value: impl FnMut(&WeightTable, usize) -> T) -> Vec<T> {
    let indices =
        Weights::TABLES.iter().flat_map(|table| (table.start..table.start + table.length).map(move |n| (table, n)));
    indices.map(|(table, index)| value(table, index)).collect()
}

impl<'a> Fit<'a> {
    pub fn new(samples: &'a FitSamples, weights: &Weights, options: FitOptions) -> Fit<'a> {
        let start = weights.in_centipawns();
        Fit {
            samples,
            options,
            weights: start.clone(),
            mean: vec![0.0; start.len()],
            square: vec![0.0; start.len()],
            start,
            steps: 0,
            rng: Xoshiro256PlusPlus::seed_from_u64(options.seed),
            round: 0,
        }
    }

    /// The loss with the current weights.
    pub fn loss(&self) -> FitLoss {
        let mean = |samples: &[FitSample]| {
            let sum: f64 = samples.par_iter().map(|sample| self.entropy(sample)).collect::<Vec<_>>().iter().sum();
            sum / samples.len().max(1) as f64
        };
        FitLoss { learned: mean(&self.samples.learn), held_out: mean(&self.samples.check) }
    }

    fn target(&self, sample: &FitSample) -> f64 {
        let lambda = self.options.lambda;
        lambda * logistic(sample.score / self.options.scale) + (1.0 - lambda) * sample.result
    }

    fn entropy(&self, sample: &FitSample) -> f64 {
        let target = self.target(sample);
        let value = sample.features.evaluate(&self.weights, |_, _| {}) / self.options.scale;
        // log(logistic(x)) without cancellation or overflow.
        let log = |x: f64| x.min(0.0) - (-x.abs()).exp().ln_1p();
        -(target * log(value) + (1.0 - target) * log(-value)) / std::f64::consts::LN_2
    }

    /// Fits to all positions once. The step size decreases from round to round along a cosine.
    pub fn round(&mut self) {
        let mut order: Vec<usize> = (0..self.samples.learn.len()).collect();
        order.shuffle(&mut self.rng);
        let progress = self.round as f64 / self.options.rounds.max(1) as f64;
        let step = STEP * (0.5 + 0.5 * (std::f64::consts::PI * progress).cos()).max(0.02);
        for batch in order.chunks(BATCH) {
            let gradient = self.gradient(batch);
            self.steps += 1;
            self.step(&gradient, step);
        }
        self.round += 1;
    }

    fn gradient(&self, batch: &[usize]) -> Vec<f64> {
        // Parts have a fixed size and are added in order, so that the sum does not depend on the number of threads.
        let parts: Vec<Vec<f64>> = batch.par_chunks(512).map(|part| self.part_gradient(part)).collect();
        let mut sum = vec![0.0; self.weights.len()];
        for part in parts {
            sum.iter_mut().zip(part).for_each(|(sum, derivative)| *sum += derivative / batch.len() as f64);
        }
        sum
    }

    fn part_gradient(&self, part: &[usize]) -> Vec<f64> {
        let mut sum = vec![0.0; self.weights.len()];
        let mut own = Vec::new();
        for &index in part {
            let sample = &self.samples.learn[index];
            own.clear();
            let value = sample.features.evaluate(&self.weights, |index, change| own.push((index, change)));
            let error = logistic(value / self.options.scale) - self.target(sample);
            own.iter().for_each(|&(index, change)| sum[index] += error * change / self.options.scale);
        }
        sum
    }

    fn step(&mut self, gradient: &[f64], step: f64) {
        const MEAN: f64 = 0.9;
        const SQUARE: f64 = 0.999;
        let (warm_mean, warm_square) = (1.0 - MEAN.powi(self.steps), 1.0 - SQUARE.powi(self.steps));
        for (index, derivative) in gradient.iter().enumerate() {
            let derivative = derivative + ANCHOR * (self.weights[index] - self.start[index]);
            self.mean[index] = MEAN * self.mean[index] + (1.0 - MEAN) * derivative;
            self.square[index] = SQUARE * self.square[index] + (1.0 - SQUARE) * derivative * derivative;
            let direction = (self.mean[index] / warm_mean) / ((self.square[index] / warm_square).sqrt() + 1e-10);
            // Danger and mobility have small weights and take small steps.
            self.weights[index] -= step * STEP_SHARES[index] * direction;
        }
    }

    /// The current weights, rounded.
    pub fn weights(&self) -> Weights {
        let rounded = tables_of(|table, index| (self.weights[index] * f64::from(table.per_centipawn)).round() as i32);
        *bytemuck::from_bytes(bytemuck::cast_slice(&rounded))
    }
}

/// The share of a step that each weight takes: a tenth if its unit is at most a tenth of a centipawn.
static STEP_SHARES: std::sync::LazyLock<Vec<f64>> =
    std::sync::LazyLock::new(|| tables_of(|table, _| if table.per_centipawn > 1 { 0.1 } else { 1.0 }));

/// The source text of `eval/handwritten/fitted.rs` with these weights.
pub fn weights_source(weights: &Weights) -> String {
    let raw: &[i32; Weights::COUNT] = bytemuck::cast_ref(weights);
    let list = |values: &[i32]| values.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
    let mut text = "//! Written by `judkins fit`.\n\nuse super::Weights;\n\n#[rustfmt::skip]\n\
                    pub(super) const WEIGHTS: Weights = Weights {\n"
        .to_owned();
    for table in Weights::TABLES {
        let values = &raw[table.start..table.start + table.length];
        // Writing to a string cannot fail.
        let _ = match table.row {
            0 => writeln!(text, "    {}: {},", table.name, values[0]),
            row if row == table.length => writeln!(text, "    {}: [{}],", table.name, list(values)),
            row => {
                let rows: Vec<String> = values.chunks(row).map(|row| format!("        [{}],\n", list(row))).collect();
                writeln!(text, "    {}: [\n{}    ],", table.name, rows.concat())
            }
        };
    }
    text + "};\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::PieceKind;
    use rand::seq::IndexedRandom;

    const OPTIONS: FitOptions = FitOptions { rounds: 100, lambda: 1.0, scale: 300.0, seed: 3 };

    /// Positions of random games, with their scores under these weights.
    fn judged_by(weights: &[f64]) -> FitSamples {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut samples = FitSamples::default();
        for game in 0..200 {
            let list = if game % HELD_OUT == 0 { &mut samples.check } else { &mut samples.learn };
            let mut position = Position::startpos();
            for _ in 0..40 {
                let Some(&mv) = position.legal_moves().choose(&mut rng) else { break };
                position.play(mv);
                let features = Features::of(&position, ImpasseRule::None);
                let score = features.evaluate(weights, |_, _| {});
                list.push(FitSample { features, score, result: 0.5 });
            }
        }
        samples
    }

    fn record() -> GameRecord {
        let line = r#"{"game":1,"counts":true,"impasse_rule":"None","opening":"startpos",
            "moves":["6e6d","1b1c","6f6e","1a1b"],"scores":[2000,-1999,-2147483648,2147483647],
            "result":"1-0","reason":"resignation"}"#;
        serde_json::from_str(line).unwrap()
    }

    #[test]
    fn decided_scores_are_left_out() {
        let mut samples = FitSamples::default();
        samples.add(&record());
        assert_eq!(samples.counts(), [0, 1]);
    }

    #[test]
    fn pairs_are_held_out_whole_and_games_that_do_not_count_are_left_out() {
        let counts = |games: std::ops::RangeInclusive<usize>, counts| {
            let mut samples = FitSamples::default();
            games.for_each(|game| samples.add(&GameRecord { game, counts, ..record() }));
            samples.counts()
        };
        assert_eq!([1..=2, 3..=20, 21..=22].map(|games| counts(games, true)), [[0, 2], [18, 0], [0, 2]]);
        assert_eq!(counts(1..=20, false), [0, 0]);
    }

    #[test]
    fn the_loss_is_a_number_for_any_scale() {
        let samples = judged_by(&Weights::IN_USE.in_centipawns());
        for scale in [1.0, 10_000.0] {
            let loss = Fit::new(&samples, &Weights::IN_USE, FitOptions { scale, ..OPTIONS }).loss();
            assert!(loss.learned.is_finite() && loss.held_out.is_finite(), "{scale}: {loss:?}");
        }
    }

    #[test]
    fn weights_that_made_the_scores_are_found_again() {
        let mut hidden = Weights::IN_USE;
        hidden.tempo += 60;
        hidden.on_board[PieceKind::Silver.index()] -= 120;
        hidden.in_hand[PieceKind::Pawn.index()][0] += 80;
        let samples = judged_by(&hidden.in_centipawns());
        let mut fit = Fit::new(&samples, &Weights::IN_USE, OPTIONS);
        let before = fit.loss();
        let least = Fit::new(&samples, &hidden, OPTIONS).loss();
        (0..OPTIONS.rounds).for_each(|_| fit.round());
        let after = fit.loss();
        let left = (after.held_out - least.held_out) / (before.held_out - least.held_out);
        assert!(left < 0.1, "{before:?} {after:?} {least:?}");
        assert!((fit.weights().tempo - hidden.tempo).abs() < 15, "{}", fit.weights().tempo);
    }

    #[test]
    fn the_source_in_use_is_what_the_command_writes() {
        assert_eq!(weights_source(&Weights::IN_USE), include_str!("../eval/handwritten/fitted.rs"));
    }
}
