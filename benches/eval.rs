//! The evaluation by itself: positions a second.

mod common;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use judkins::eval::{Context, evaluate};
use judkins::shogi::ImpasseRule;

fn evaluation(criterion: &mut Criterion) {
    let positions = common::suite();
    let context = Context { impasse_rule: ImpasseRule::default() };
    let mut group = common::short_group(criterion, "eval");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("evaluate", |bencher| {
        bencher.iter(|| positions.iter().map(|position| evaluate(black_box(position), &context)).sum::<i32>());
    });
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
