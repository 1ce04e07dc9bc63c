//! Generating legal moves, all of them and by stages, and counting them: positions per second.

use std::hint::black_box;

use super::{short_group, suite};
use criterion::{Criterion, Throughput};
use judkins::shogi::{Position, Stage};

pub fn generate(criterion: &mut Criterion) {
    let positions = suite();
    let mut group = short_group(criterion, "movegen");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let mut bench = |name: &str, moves: fn(&Position) -> usize| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| positions.iter().map(|position| moves(black_box(position))).sum::<usize>());
        });
    };
    bench("legal moves", |position| position.legal_moves().len());
    bench("captures", |position| position.moves(Stage::Captures).len());
    bench("checks", |position| position.moves(Stage::Checks).len());
    bench("count", |position| position.count_legal_moves() as usize);
    group.finish();
}
