//! Move generation and making moves: perft leaves per second.

use std::hint::black_box;

use super::short_group;
use criterion::{Criterion, Throughput};
use judkins::shogi::{Position, START_SFEN, perft};

/// Both hands are full and the board is nearly empty: drops everywhere.
const DROPS: &str = "5k/5g/6/6/G5/K5 b RBSNPrbsnp 1";

pub fn count_leaves(criterion: &mut Criterion) {
    let mut group = short_group(criterion, "perft");
    for (name, sfen, depth) in [("start, depth 5", START_SFEN, 5), ("drops, depth 3", DROPS, 3)] {
        let position: Position = sfen.parse().expect("the position is valid");
        group.throughput(Throughput::Elements(perft(&position, depth)));
        group.bench_function(name, |bencher| bencher.iter(|| perft(black_box(&position), depth)));
    }
    group.finish();
}
