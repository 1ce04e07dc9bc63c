//! Computations that take too long for the state: judging and solving mate problems, and reviewing games.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::state::io::{Job, JobProgress, JobResult, Solved};
use super::state::{Judgement, ReadGames, ReadProblems};
use crate::mate::{MateLimits, MateOutcome, Solver, Uniqueness, must_be_unique};
use crate::review::{Budget, Reviewer};
use crate::shogi::{GameHistory, Move, Position};

/// The table of the solver, in MiB.
const HASH: usize = 16;

/// The same for a position that a user wants to solve.
const HASH_SOLVING: usize = 64;

/// The time limit of the judge.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time limit for a position that a user wants to solve: for the mate, and again for other mating moves.
const PATIENCE_SOLVING: Duration = Duration::from_secs(60);

/// The time to solve problems of a user's file that lack a solution: per problem, and in total.
const PATIENCE_EACH: Duration = Duration::from_secs(2);
const PATIENCE_ALL: Duration = Duration::from_secs(30);

impl Job {
    /// Computes the result. `stop` aborts it; long computations report their progress.
    pub fn run(self, stop: &AtomicBool, progress: &(dyn Fn(JobProgress) + Sync)) -> JobResult {
        match self {
            Job::Judge { position, mv, plies } => JobResult::Judged(judge(&position, mv, plies, PATIENCE, stop)),
            Job::ReadProblems(text) => JobResult::Problems(read_problems(&text, stop)),
            Job::ReadGames { name, bytes, now } => JobResult::Games(ReadGames::of(&name, &bytes, now)),
            Job::Review { record, nodes } => {
                let reviewer = Reviewer { budget: Budget::Nodes(nodes), ..Reviewer::default() };
                let result = reviewer.review(&record, stop, &|done| progress(JobProgress::Review(done)));
                JobResult::Reviewed(result.map(Box::new).map_err(|error| error.to_string()))
            }
            Job::Solve(position) => JobResult::Solved(look_for_mate(&position, stop, progress)),
        }
    }
}

/// Searches for a mate, and for other mating moves.
fn look_for_mate(position: &Position, stop: &AtomicBool, progress: &(dyn Fn(JobProgress) + Sync)) -> Solved {
    let Ok(mut solver) = Solver::new(HASH_SOLVING) else { return Solved::Unknown };
    let limits = MateLimits { time: Some(PATIENCE_SOLVING), ..MateLimits::default() };
    let answer = solver.solve(position, &GameHistory::new(position), limits, stop, |found| {
        progress(JobProgress::Solve { nodes: found.nodes, plies: found.mate });
    });
    let solution = match answer {
        MateOutcome::Mate(solution) => solution,
        MateOutcome::NoMate => return Solved::NoMate,
        MateOutcome::Unknown => return Solved::Unknown,
    };
    let cooks = solver.cooks(position, &solution.moves, limits, stop);
    let plies = solution.plies(position);
    let unique = match Uniqueness::of(&cooks, plies) {
        Uniqueness::Unique => Some(true),
        Uniqueness::Cooked => Some(false),
        Uniqueness::Undecided => None,
    };
    let counted = cooks.iter().take(must_be_unique(&cooks, plies)).enumerate();
    let rivals = counted.flat_map(|(index, cooks)| cooks.iter().map(move |cook| (2 * index + 1, cook.mv, cook.plies)));
    Solved::Mate { rivals: rivals.collect(), plies, shortest: solution.shortest, unique, moves: solution.moves }
}

/// Reads problems, and solves those without a solution while there is time.
fn read_problems(text: &str, stop: &AtomicBool) -> ReadProblems {
    let begin = Instant::now();
    let mut solver = None;
    ReadProblems::of(text, |position| {
        let patience = PATIENCE_EACH.min(PATIENCE_ALL.checked_sub(begin.elapsed())?);
        let solver = match &mut solver {
            Some(solver) => solver,
            none => none.insert(Solver::new(HASH).ok()?),
        };
        solve(solver, position, patience, stop)
    })
}

fn solve(solver: &mut Solver, position: &Position, time: Duration, stop: &AtomicBool) -> Option<Vec<Move>> {
    let limits = MateLimits { time: Some(time), ..MateLimits::default() };
    match solver.solve(position, &GameHistory::new(position), limits, stop, |_| {}) {
        // With a weaker defence, the line would promise a mate in fewer moves than there is.
        MateOutcome::Mate(solution) => (solution.moves.len() == solution.length).then_some(solution.moves),
        MateOutcome::NoMate | MateOutcome::Unknown => None,
    }
}

/// Judges a legal move of the attacker, who has `plies` plies left including it. A move is refuted by proof only: if
/// it is aborted, or time or memory run out, the game goes on with a reply that was not decided.
pub fn judge(position: &Position, mv: Move, plies: usize, patience: Duration, stop: &AtomicBool) -> Judgement {
    let after = position.after(mv);
    if !after.in_check() {
        return Judgement::NoCheck;
    }
    let replies = after.legal_moves();
    if replies.is_empty() {
        return Judgement::Mate;
    }
    let end = Instant::now() + patience;
    let is_over = || Instant::now() >= end || stop.load(Ordering::Relaxed);
    let Ok(mut solver) = Solver::new(HASH) else { return Judgement::Reply(replies[0], None) };
    let mut longest: Option<(usize, Judgement)> = None;
    for reply in replies {
        let limits = MateLimits { time: Some(end.saturating_duration_since(Instant::now())), ..MateLimits::default() };
        let rest = after.after(reply);
        let mate = shortest_within(&mut solver, &rest, plies.saturating_sub(2), limits, stop);
        match mate {
            None if plies < 3 || !is_over() => return Judgement::Refuted(reply),
            None => return Judgement::Reply(reply, None),
            // Among equally long replies, a capture leaves the attacker less material.
            Some((next, length)) if longest.as_ref().is_none_or(|(most, _)| length > *most) => {
                longest = Some((length, Judgement::Reply(reply, Some(next))));
            }
            Some(_) => {}
        }
    }
    longest.map_or(Judgement::Mate, |(_, judgement)| judgement)
}

/// The first move and the length of the shortest mate within this limit, if there is one.
fn shortest_within(
    solver: &mut Solver,
    position: &Position,
    plies: usize,
    limits: MateLimits,
    stop: &AtomicBool,
) -> Option<(Move, usize)> {
    let mut mate = solver.mate_within(position, plies, limits, stop)?;
    while mate.1 > 2
        && let Some(shorter) = solver.mate_within(position, mate.1 - 2, limits, stop)
    {
        mate = shorter;
    }
    Some(mate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_is_judged_right_and_the_defence_is_the_longest() {
        let problems = ReadProblems::of(include_str!("state/mates.txt"), |_| None).problems;
        let never = AtomicBool::new(false);
        for plies in [1, 3, 5] {
            let of_length = problems.iter().filter(|problem| problem.solution.len() == plies);
            for (number, problem) in (1..=5).zip(of_length) {
                let (mut position, mut left) = (problem.position.clone(), plies);
                let mut solver = Solver::new(1).unwrap();
                loop {
                    let (mv, _) = solver.mate_within(&position, left, MateLimits::default(), &never).unwrap();
                    match judge(&position, mv, left, PATIENCE, &never) {
                        Judgement::Mate => break,
                        Judgement::Reply(reply, _) => position = position.after(mv).after(reply),
                        other => panic!("{mv} is right, not {other:?}"),
                    }
                    left -= 2;
                }
                assert_eq!(left, 1, "the longest defence takes all {plies} plies of problem {number}");
            }
        }
    }

    #[test]
    fn wrong_moves_are_refuted() {
        let position: Position = "4k1/6/4G1/6/6/K5 b G 1".parse().unwrap();
        let never = AtomicBool::new(false);
        assert_eq!(judge(&position, "G*2b".parse().unwrap(), 1, PATIENCE, &never), Judgement::Mate);
        assert_eq!(judge(&position, "G*5e".parse().unwrap(), 1, PATIENCE, &never), Judgement::NoCheck);
        assert!(matches!(judge(&position, "G*3b".parse().unwrap(), 1, PATIENCE, &never), Judgement::Refuted(_)));
    }

    #[test]
    fn a_move_that_could_not_be_judged_in_time_is_not_refuted() {
        let position: Position = "4k1/6/6/6/6/K5 b G 1".parse().unwrap();
        let judge = |patience, stop| judge(&position, "G*2b".parse().unwrap(), 3, patience, &AtomicBool::new(stop));
        assert!(matches!(judge(PATIENCE, false), Judgement::Refuted(_)));
        assert!(matches!(judge(Duration::ZERO, false), Judgement::Reply(..)));
        assert!(matches!(judge(PATIENCE, true), Judgement::Reply(..)));
    }

    #[test]
    fn problems_of_a_file_are_solved_if_it_does_not_say_how() {
        let text = "# mine\n4k1/6/4G1/6/6/6 b G 1\nnonsense\n4k1/6/6/6/6/K5 b G 1\n";
        let ReadProblems { problems, unread } = read_problems(text, &AtomicBool::new(false));
        assert_eq!((problems.len(), unread), (1, vec![3, 4]));
    }
}
