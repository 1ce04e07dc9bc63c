//! Compares incrementally updated accumulators with sums from scratch in random trees, and kernels with each other.

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::eval::nnue::{INPUTS, Kernel, Network, QA, QB, SCALE, output_for};

const DEEPEST: usize = 60;

fn network(random: &mut impl Rng) -> Network {
    let mut row = |limit: i16| std::array::from_fn(|_| random.random_range(-limit..=limit));
    Network {
        input_weights: (0..INPUTS).map(|_| row(150)).collect(),
        input_bias: row(150),
        output_weights: std::array::from_fn(|_| [row(100), row(100)]),
        output_bias: std::array::from_fn(|index| 1_000 * index as i32),
    }
}

/// The score of a network, computed directly from its architecture.
fn slow_score(network: &Network, position: &Position) -> i32 {
    let us = position.side_to_move();
    let index = output_for(position.occupied().count());
    let mut output = 0;
    for (color, weights) in [us, !us].into_iter().zip(&network.output_weights[index]) {
        let active = Perspective::of(position, color).active(position);
        for (unit, &weight) in weights.iter().enumerate() {
            let inputs = active.iter().map(|&input| i32::from(network.input_weights[usize::from(input)][unit]));
            let clipped = (i32::from(network.input_bias[unit]) + inputs.sum::<i32>()).clamp(0, QA);
            output += clipped * clipped * i32::from(weight);
        }
    }
    (output / QA + network.output_bias[index]) * SCALE / (QA * QB)
}

/// Counts the cases that the walks covered.
#[derive(Default, Debug)]
struct Seen {
    evaluated: usize,
    captures: usize,
    drops: usize,
    promotions: usize,
    /// King moves to the other half of the board, and to another bucket.
    mirrored: usize,
    moved: usize,
    nulls: usize,
}

struct Walk<R: Rng> {
    random: R,
    network: Network,
    inference: Inference,
    accumulators: Accumulators,
    seen: Seen,
}

impl<R: Rng> Walk<R> {
    /// Walks a random tree below a position depth first, as a search does.
    fn explore(&mut self, position: &Position, ply: usize) {
        if self.random.random_bool(0.4) {
            self.check(position, ply);
        }
        // Long lines with short branches.
        let lines = if self.random.random_bool(0.25) { 2 } else { 1 };
        for line in 0..lines {
            let depth_left = if line == 0 { DEEPEST } else { (ply + 3).min(DEEPEST) };
            self.descend(position, ply, depth_left);
            if self.random.random_bool(0.3) {
                self.check(position, ply);
            }
        }
    }

    fn descend(&mut self, position: &Position, ply: usize, deepest: usize) {
        if ply >= deepest {
            return;
        }
        let child = if !position.in_check() && self.random.random_bool(0.1) {
            let mut child = position.clone();
            child.play_null();
            self.accumulators.play_null(ply);
            self.seen.nulls += 1;
            child
        } else {
            let moves = position.legal_moves();
            let Some(&mv) = moves.choose(&mut self.random) else { return };
            let us = position.side_to_move();
            let child = self.accumulators.play(position, mv, ply);
            self.seen.captures += usize::from(position.is_capture(mv));
            self.seen.drops += usize::from(mv.dropped().is_some());
            self.seen.promotions += usize::from(mv.promotes());
            let needs_refresh = Perspective::of(position, us).code() ^ Perspective::of(&child, us).code();
            self.seen.mirrored += usize::from(needs_refresh & 1 > 0);
            self.seen.moved += usize::from(needs_refresh >> 1 > 0);
            child
        };
        if deepest < DEEPEST {
            self.check(&child, ply + 1);
            self.descend(&child, ply + 1, deepest);
        } else {
            self.explore(&child, ply + 1);
        }
    }

    fn check(&mut self, position: &Position, ply: usize) {
        let score = self.accumulators.evaluate(&self.inference, position, ply);
        assert_eq!(score, slow_score(&self.network, position), "{position}");
        assert_eq!(score, self.inference.evaluate(position), "{position}");
        self.seen.evaluated += 1;
    }
}

#[test]
fn sums_that_follow_the_moves_are_those_made_anew() {
    for kernel in Kernel::all() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(36);
        let network = network(&mut random);
        let inference = Inference::with_kernel(&network, kernel);
        let accumulators = Accumulators::new(DEEPEST);
        let mut walk = Walk { random, network, inference, accumulators, seen: Seen::default() };
        for _ in 0..300 {
            // The state of the previous game must not matter.
            let start = Position::startpos();
            walk.accumulators.begin(&walk.inference, &start);
            walk.explore(&start, 0);
        }
        let Seen { evaluated, captures, drops, promotions, mirrored, moved, nulls } = walk.seen;
        let all = [captures, drops, promotions, mirrored, moved, nulls];
        assert!(evaluated > 1_000 && all.iter().all(|&count| count > 100), "{:?}", walk.seen);
    }
}

/// Positions of random games, one after another.
fn some_positions(random: &mut impl Rng, count: usize, mut with: impl FnMut(&Position)) {
    let mut position = Position::startpos();
    for number in 0..count {
        match position.legal_moves().choose(random) {
            Some(&mv) if number % 200 > 0 => position.play(mv),
            _ => position = Position::startpos(),
        }
        with(&position);
    }
}

#[test]
fn every_kernel_gives_a_million_positions_the_same_score() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    for _ in 0..100 {
        let network = network(&mut random);
        let kernels = Kernel::all().into_iter().map(|kernel| Inference::with_kernel(&network, kernel));
        let kernels: Vec<_> = kernels.collect();
        some_positions(&mut random, 10_000, |position| {
            let scores = kernels.iter().map(|inference| inference.evaluate(position));
            let scores: Vec<_> = scores.collect();
            assert!(scores.iter().all(|&score| score == scores[0]), "{scores:?}: {position}");
        });
    }
}

#[test]
fn a_network_sees_both_sides_alike() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let inference = Inference::new(&network(&mut random));
    let score = |sfen: &str| inference.evaluate(&sfen.parse().unwrap());
    let expected = score("1b1sgk/5p/1n4/3p2/1S4/KG1NBR b R 1");
    assert_eq!(score("kgs1b1/p5/4n1/2p3/4S1/RBN1GK b R 1"), expected, "mirrored");
    assert_eq!(score("rbn1gk/4s1/2P3/4N1/P5/KGS1B1 w r 1"), expected, "turned");
    assert_ne!(expected, 0);
}
