//! The mate solver against a search that leaves nothing out, in positions that bytes choose.

#![no_main]

#[path = "../../../common/every_check.rs"]
mod every_check;

use std::sync::atomic::AtomicBool;

use every_check::assert_agrees;
use judkins::mate::{MateLimits, Solver};
use judkins::shogi::{GameHistory, Position};
use libfuzzer_sys::fuzz_target;

static NEVER: AtomicBool = AtomicBool::new(false);

fuzz_target!(|data: &[u8]| {
    let mut position = Position::startpos();
    judkins_fuzz::walk(data, |_, _, after| position = after.clone());
    let limits = MateLimits { nodes: Some(20_000), ..MateLimits::default() };
    let mut solver = Solver::new(1).expect("there is memory");
    let answer = solver.solve(&position, &GameHistory::new(&position), limits, &NEVER, |_| {});
    assert_agrees(&position, &answer, 3);
});
