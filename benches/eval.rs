//! The evaluations by themselves: positions per second. `from scratch` knows nothing of the position before; `after a
//! move` plays every legal move of a position first, as a search does, and `moves only` is what that takes.

use std::hint::black_box;

use super::{short_group, suite};
use criterion::{Criterion, Throughput};
use judkins::eval::handwritten::evaluate;
use judkins::eval::nnue::{Accumulators, Inference, Kernel, Network};
use judkins::shogi::{ImpasseRule, Move, Position};

pub fn evaluation(criterion: &mut Criterion) {
    let positions = suite();
    let lines: Vec<(&Position, Vec<Move>)> =
        positions.iter().map(|position| (position, position.legal_moves().to_vec())).collect();
    let moves = lines.iter().map(|(_, moves)| moves.len() as u64).sum();
    let rule = ImpasseRule::default();
    let (network, _) = Network::embedded();
    let mut group = short_group(criterion, "eval");

    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("handwritten, from scratch", |bencher| {
        bencher.iter(|| positions.iter().map(|position| evaluate(black_box(position), rule)).sum::<i32>());
    });
    for kernel in Kernel::all() {
        let inference = Inference::with_kernel(&network, kernel);
        group.bench_function(format!("network, from scratch, {kernel}"), |bencher| {
            bencher.iter(|| positions.iter().map(|position| inference.evaluate(black_box(position))).sum::<i32>());
        });
    }

    group.throughput(Throughput::Elements(moves));
    let mut after_a_move = |name: &str, score: &mut dyn FnMut(&Position, &[Move]) -> i32| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| lines.iter().map(|(position, moves)| score(black_box(position), moves)).sum::<i32>());
        });
    };
    after_a_move("moves only", &mut |position, moves| {
        moves.iter().map(|&mv| black_box(position.after(mv)).move_number() as i32).sum()
    });
    after_a_move("handwritten, after a move", &mut |position, moves| {
        moves.iter().map(|&mv| evaluate(&position.after(mv), rule)).sum()
    });
    for kernel in Kernel::all() {
        let inference = Inference::with_kernel(&network, kernel);
        let mut accumulators = Accumulators::new(1);
        after_a_move(&format!("network, after a move, {kernel}"), &mut |position, moves| {
            accumulators.begin(&inference, position);
            let child_score = |&mv: &Move| {
                let child = accumulators.play(position, mv, 0);
                accumulators.evaluate(&inference, &child, 1)
            };
            moves.iter().map(child_score).sum()
        });
    }
    group.finish();
}
