//! The mate solver: its mates exist, there are none that it does not find, and none is shorter.

mod oracle;
mod problems;
mod rules;

use std::sync::atomic::AtomicBool;

use judkins::mate::{MateLimits, MateOutcome, Solution, Solver};
use judkins::shogi::{GameHistory, Move, Position, Setup};

static NEVER: AtomicBool = AtomicBool::new(false);

fn problem(sfen: &str) -> Position {
    let setup: Setup = sfen.parse().expect("it parses");
    setup.mate_problem().expect("it is a problem")
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

fn solve(solver: &mut Solver, position: &Position) -> MateOutcome {
    solve_within(solver, position, MateLimits::default())
}

/// Solves a position before which nothing was played.
fn solve_within(solver: &mut Solver, position: &Position, limits: MateLimits) -> MateOutcome {
    solver.solve(position, &GameHistory::new(position), limits, &NEVER, |_| {})
}

/// The solution of a problem that has one; the shortest, and it ends in mate.
fn solution(solver: &mut Solver, position: &Position) -> Solution {
    let MateOutcome::Mate(solution) = solve(solver, position) else { panic!("no mate found in {position}") };
    assert!(solution.shortest, "{position}");
    assert_mates(position, &solution.moves);
    solution
}

/// Plays a line: every move of the attacker checks, and the last one mates.
fn assert_mates(position: &Position, line: &[Move]) {
    let attacker = position.side_to_move();
    let mut position = position.clone();
    for &mv in line {
        position.try_play(mv).unwrap_or_else(|error| panic!("{error} in {position}"));
        assert!(position.side_to_move() == attacker || position.in_check(), "{mv} is not a check");
    }
    assert!(position.side_to_move() != attacker && position.in_check() && !position.has_legal_move(), "{position}");
}
