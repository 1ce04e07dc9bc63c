//! Looking a position up in a book as large as the one built in may be, 1 MiB: positions that it has, and positions
//! that it has not.

use std::hint::black_box;

use super::{short_group, suite};
use criterion::{Criterion, Throughput};
use judkins::book::CompactBook;
use judkins::shogi::{Move, Position};

/// The size of the book in bytes.
const SIZE: usize = 1 << 20;

/// Positions within a few plies of the start, each with one to three of its moves.
fn entries() -> Vec<(Position, Vec<(Move, i16)>)> {
    let (mut entries, mut next, mut bytes) = (Vec::new(), 0, 0);
    let mut positions = vec![Position::startpos()];
    while bytes + CompactBook::overhead(entries.len()) < SIZE {
        let position = positions[next].clone();
        next += 1;
        let moves: Vec<(Move, i16)> = position.legal_moves().into_iter().take(1 + next % 3).zip(0..).collect();
        positions.extend(position.legal_moves().into_iter().map(|mv| position.after(mv)));
        bytes += CompactBook::bytes_for(moves.len());
        entries.push((position, moves));
    }
    entries
}

pub fn look_up(criterion: &mut Criterion) {
    let entries = entries();
    let book = CompactBook::new(entries.iter().map(|(position, moves)| (position.key(), moves.clone())).collect());
    let mut group = short_group(criterion, "book");
    group.bench_function("the book built in", |bencher| bencher.iter(CompactBook::built_in));
    // In steps, so that consecutive lookups are far apart in the book.
    let known: Vec<Position> = entries.into_iter().step_by(37).map(|(position, _)| position).collect();
    for (name, positions) in [("known", known), ("unknown", suite())] {
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| positions.iter().map(|position| book.moves(black_box(position)).len()).sum::<usize>());
        });
    }
    group.finish();
}
