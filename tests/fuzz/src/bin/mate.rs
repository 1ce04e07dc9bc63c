//! The mate solver against a search that leaves nothing out, in positions that bytes choose.

#![no_main]

#[path = "../../../common/every_check.rs"]
mod every_check;

use std::sync::atomic::AtomicBool;

use every_check::shortest_within;
use judkins::mate::{MateOutcome, MateLimits, Solver};
use judkins::shogi::{GameHistory, Position};
use libfuzzer_sys::fuzz_target;

static NEVER: AtomicBool = AtomicBool::new(false);

fuzz_target!(|data: &[u8]| {
    let mut position = Position::startpos();
    judkins_fuzz::walk(data, |_, _, after| position = after.clone());
    let limits = MateLimits { nodes: Some(20_000), ..MateLimits::default() };
    let mut solver = Solver::new(1).expect("there is memory");
    let answer = solver.solve(&position, &GameHistory::new(&position), limits, &NEVER, |_| {});
    let expected = shortest_within(&position, 3);
    match answer {
        MateOutcome::Mate(solution) if solution.shortest => {
            let plies = solution.moves.len();
            assert!(expected == Some(plies) || expected.is_none() && plies > 3, "{plies} plies in {position}");
        }
        MateOutcome::Mate(solution) => assert!(expected.is_none_or(|plies| plies <= solution.moves.len()), "{position}"),
        MateOutcome::NoMate => assert_eq!(expected, None, "{position}"),
        MateOutcome::Unknown => {}
    }
});
