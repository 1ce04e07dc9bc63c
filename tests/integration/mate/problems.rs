//! Problems from the program's own games, mates of 1 to 25 plies and positions without one, and problems that turn on
//! the rule against mating with a dropped pawn.

use judkins::mate::{MateLimits, MateOutcome, Solver};
use judkins::shogi::{GameHistory, Move, PieceKind, Position};
use rayon::prelude::*;

use super::{NEVER, assert_mates, moves, problem, solution, solve, solve_within};
use crate::common::every_check::{mates_within, shortest_within};

struct Problem {
    position: Position,
    /// The solution; none where there is no mate.
    solution: Option<Vec<Move>>,
}

/// Reads lines of a position, its answer, a solution, and perhaps where it comes from.
fn problems(text: &str) -> Vec<Problem> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(';').map(str::trim).collect();
            let [position, answer, solution, ..] = fields[..] else { panic!("three fields: {line}") };
            let solution = (answer != "no mate").then(|| moves(solution));
            if let Some(solution) = &solution {
                assert_eq!(answer, format!("mate {}", solution.len()), "{line}");
            }
            Problem { position: problem(position), solution }
        })
        .collect()
}

fn of_games() -> Vec<Problem> {
    let mates = include_str!("../../../src/board/state/mates.txt");
    problems(&(include_str!("../../data/no-mates.txt").to_owned() + mates))
}

#[test]
fn problems_from_games_are_solved() {
    let problems = of_games();
    let mates = problems.iter().filter(|problem| problem.solution.is_some()).count();
    assert!(mates >= 300 && problems.len() - mates >= 100, "{mates} mates of {}", problems.len());
    let mut solver = Solver::new(64).unwrap();
    for Problem { position, solution: expected } in problems.iter().step_by(4) {
        match expected {
            Some(line) => {
                assert_mates(position, line);
                assert_eq!(solution(&mut solver, position).moves.len(), line.len(), "{position}");
            }
            None => assert_eq!(solve(&mut solver, position), MateOutcome::NoMate, "{position}"),
        }
    }
}

/// Growing a book on several threads must always give the same book.
#[test]
fn how_often_the_solver_was_cleared_before_changes_nothing() {
    let limits = MateLimits { nodes: Some(200_000), ..MateLimits::default() };
    let mut solvers = [(); 2].map(|()| Solver::new(1).unwrap());
    let mut crowded = 0;
    for Problem { position, .. } in of_games().iter().step_by(9) {
        solvers[0].clear();
        (0..3).for_each(|_| solvers[1].clear());
        let answers = solvers.each_mut().map(|solver| {
            let mut nodes = 0;
            let answer =
                solver.solve(position, &GameHistory::new(position), limits, &NEVER, |progress| nodes = progress.nodes);
            (answer, nodes)
        });
        crowded += usize::from(answers[0].1 > 10_000);
        assert_eq!(answers[0], answers[1], "{position}");
    }
    assert!(crowded > 10, "{crowded}");
}

/// The line that is found first has a weaker defence.
#[test]
fn a_mate_that_may_not_be_the_shortest_is_not_called_shorter_than_it_is() {
    let position = problem("6/k5/6/6/4g1/2K3 b RBNp 1");
    let shortest = solution(&mut Solver::new(64).unwrap(), &position).length;
    for nodes in [5_000, 10_000, 20_000, 50_000, 100_000] {
        let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
        if let MateOutcome::Mate(found) = solve_within(&mut Solver::new(64).unwrap(), &position, limits) {
            assert!(found.length >= shortest, "{} of {shortest} after {nodes}", found.length);
        }
    }
}

/// A change that only makes the solver slower shows here and nowhere else. A new count is right where a change was
/// meant to visit more or fewer positions.
#[test]
fn the_solver_visits_as_many_positions_as_before() {
    let mut solver = Solver::new(1).unwrap();
    let mut visited = 0;
    for Problem { position, .. } in of_games().iter().step_by(2) {
        solver.clear();
        let limits = MateLimits { nodes: Some(20_000), ..MateLimits::default() };
        let mut nodes = 0;
        solver.solve(position, &GameHistory::new(position), limits, &NEVER, |progress| nodes = progress.nodes);
        visited += nodes;
    }
    assert_eq!(visited, 2_408_617);
}

#[test]
fn short_problems_are_what_a_plain_search_says() {
    of_games().par_iter().step_by(4).for_each(|Problem { position, solution }| match solution {
        Some(line) if line.len() <= 7 => assert_eq!(shortest_within(position, 7), Some(line.len()), "{position}"),
        _ => assert!(!mates_within(position, 5), "{position}"),
    });
}

/// Rooks, bishops and pawns gain by promotion and lose nothing; where one declines it, that keeps a pawn drop from
/// mating.
#[test]
fn the_rule_against_mating_by_a_pawn_drop_decides_these() {
    let problems = problems(include_str!("../../data/uchifuzume.txt"));
    assert!(problems.len() >= 10);
    let mut solver = Solver::new(16).unwrap();
    for Problem { position, solution: expected } in problems {
        let expected = expected.expect("they have a mate");
        assert_eq!(solution(&mut solver, &position).moves.len(), expected.len(), "{position}");
        assert_mates(&position, &expected);
        let mut position = position;
        let mut declined = 0;
        for (ply, mv) in expected.iter().enumerate() {
            let promoting = mv.from().map(|from| (from, Move::board(from, mv.to(), true)));
            if let Some((from, promoting)) = promoting.filter(|&(_, promoting)| promoting != *mv && ply % 2 == 0) {
                let kind = position.piece_at(from).expect("it moves").kind();
                let gains = matches!(kind, PieceKind::Rook | PieceKind::Bishop | PieceKind::Pawn);
                if gains && position.is_legal(promoting) {
                    declined += 1;
                    let cooks = solver.cooks(&position, &[*mv], MateLimits::default(), &NEVER);
                    assert!(cooks[0].iter().all(|cook| cook.mv != promoting), "{promoting} mates too in {position}");
                }
            }
            position.play(*mv);
        }
        assert!(declined > 0, "nothing is declined");
    }
}
