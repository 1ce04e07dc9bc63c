//! The search with one thread to a fixed depth: nodes per second.
//!
//! The cost of a node: some 310 ns on one core of a 2.3 GHz Xeon (Emerald Rapids), 2,800 instructions and 17
//! mispredicted branches (`valgrind --tool=callgrind --branch-sim=yes target/release/judkins bench`). Its distribution
//! (`perf record`, without clearing the table):
//!
//! | what | share |
//! | --- | --- |
//! | move picker: generating, scoring with histories, picking | 27 % |
//! | evaluation, at two nodes of three | 19 % |
//! | the node itself, main search and quiescence | 14 % |
//! | making the move: copy, key, checks and pins, history | 14 % |
//! | static exchange evaluation | 10 % |
//! | transposition table | 6 % |
//! | legality and checks of single moves | 5 % |

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::short_group;
use criterion::{Criterion, Throughput};
use judkins::search::{Limits, Pool, Root, Settings};
use judkins::shogi::PositionText;

const DEPTH: usize = 8;

/// The start position, and positions after some moves from there.
const LINES: [&str; 4] = ["startpos", "1f1c 2a2b", "2f4d 4a3c 5f4e 3a2b", "4f5e 2a3b 2f4d 1a2a 5f4e"];

/// Searches every root with an empty table. Returns how many nodes that took, which is the same each time, and how long
/// the searches themselves took.
fn search_all(pool: &mut Pool, roots: &[Root]) -> (u64, Duration) {
    let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
    let settings = Settings::default();
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for root in roots {
        pool.clear();
        let start = Instant::now();
        nodes += pool.search(root, &limits, &settings, None, &AtomicBool::new(false), &mut |_| {}).nodes;
        time += start.elapsed();
    }
    (nodes, time)
}

pub fn fixed_depth(criterion: &mut Criterion) {
    let mut pool = Pool::new(1, 16).expect("one thread and 16 MiB can be had");
    let roots = LINES.map(|line| Root::new(PositionText::new(line).position().expect("a line holds moves")));
    let mut group = short_group(criterion, "search");
    group.throughput(Throughput::Elements(search_all(&mut pool, &roots).0));
    group.bench_function(format!("depth {DEPTH}"), |bencher| {
        bencher.iter_custom(|repeats| (0..repeats).map(|_| search_all(&mut pool, &roots).1).sum());
    });
    group.finish();
}
