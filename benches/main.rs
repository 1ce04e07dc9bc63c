//! All benches; `cargo bench -- eval` runs one group.

mod book;
mod eval;
mod movegen;
mod perft;
mod search;

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use judkins::shogi::Position;

/// A group of few and short samples, so that all benches together take less than a minute.
fn short_group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).nresamples(10_000);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    group
}

/// Every position of the perft suite: openings, middle games, full hands, entered kings.
fn suite() -> Vec<Position> {
    let sfens = include_str!("../tests/data/perft.epd").lines().filter_map(|line| line.split(';').next());
    sfens.map(|sfen| sfen.parse().expect("the suite holds valid positions")).collect()
}

criterion_group!(benches, perft::count_leaves, movegen::generate, eval::evaluation, search::fixed_depth, book::look_up);
criterion_main!(benches);
