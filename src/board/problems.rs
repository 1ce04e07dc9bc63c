//! Mate problems: the set, and the judge of a move.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::messages::ProblemCount;
use crate::mate::{Answer, MateLimits, Solver};
use crate::shogi::{History, Move, Position, Setup};

/// The table of the solver, in MiB.
const HASH: usize = 16;

/// How long the judge may think.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time to solve problems of a user's file that come without a solution: for each, and in all.
const PATIENCE_EACH: Duration = Duration::from_secs(2);
const PATIENCE_ALL: Duration = Duration::from_secs(30);

/// The most problems that are read from a file.
const MOST_PROBLEMS: usize = 10_000;

/// A position with a mate.
#[derive(Clone, Debug, PartialEq)]
pub struct MateProblem {
    pub position: Position,
    /// Plies of the mate, and a line of them.
    pub solution: Vec<Move>,
}

/// Problems by their length, and which have been solved.
#[derive(Debug, Default)]
pub struct Problems {
    by_plies: BTreeMap<usize, Vec<MateProblem>>,
    /// The positions in SFEN of what was solved: numbers are another problem's in another set.
    pub solved: BTreeSet<String>,
}

impl Problems {
    /// The program's own.
    pub fn built_in() -> Problems {
        Problems::read(include_str!("mates.txt"), &AtomicBool::new(false)).0
    }

    /// Reads problems, a line each: a position in SFEN, and after a `;` each its answer (`mate N`) and a solution in USI.
    /// Solves those without a solution. Also returns how many lines are no problem or have no mate.
    pub fn read(text: &str, stop: &AtomicBool) -> (Problems, usize) {
        let begin = Instant::now();
        let mut problems = Problems::default();
        let mut refused = 0;
        let mut solver = None;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines.take(MOST_PROBLEMS) {
            let mut fields = line.split(';').map(str::trim);
            let sfen = fields.next().unwrap_or_default();
            let position = sfen.parse::<Setup>().ok().and_then(|setup| setup.mate_problem().ok());
            let said = position.as_ref().and_then(|position| solution(position, fields.nth(1)?));
            let found = || {
                let patience = PATIENCE_EACH.min(PATIENCE_ALL.checked_sub(begin.elapsed())?);
                let solver = match &mut solver {
                    Some(solver) => solver,
                    none => none.insert(Solver::new(HASH).ok()?),
                };
                solve(solver, position.as_ref()?, patience, stop)
            };
            match said.or_else(found).zip(position.clone()) {
                Some((solution, position)) => problems.add(MateProblem { position, solution }),
                None => refused += 1,
            }
        }
        (problems, refused)
    }

    fn add(&mut self, problem: MateProblem) {
        self.by_plies.entry(problem.solution.len()).or_default().push(problem);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_plies.is_empty()
    }

    /// How many there are of each length.
    pub fn counts(&self) -> Vec<ProblemCount> {
        let count = |(&plies, problems): (&usize, &Vec<MateProblem>)| ProblemCount {
            plies,
            count: problems.len(),
            solved: problems.iter().filter(|problem| self.is_solved(problem)).count(),
        };
        self.by_plies.iter().map(count).collect()
    }

    /// A problem by its number, from 1.
    pub fn get(&self, plies: usize, number: usize) -> Option<&MateProblem> {
        self.by_plies.get(&plies)?.get(number.checked_sub(1)?)
    }

    /// How many problems there are of this length.
    pub fn count(&self, plies: usize) -> usize {
        self.by_plies.get(&plies).map_or(0, Vec::len)
    }

    /// The number of the first problem after this one that is not solved; after the last comes the first.
    pub fn next_unsolved(&self, plies: usize, after: usize) -> usize {
        let count = self.count(plies).max(1);
        let numbers = (0..count).map(|step| (after + step) % count + 1);
        let is_left = |&number: &usize| self.get(plies, number).is_some_and(|problem| !self.is_solved(problem));
        numbers.clone().find(is_left).unwrap_or(after % count + 1)
    }

    /// Marks a problem as solved.
    pub fn set_solved(&mut self, plies: usize, number: usize) {
        if let Some(problem) = self.get(plies, number) {
            self.solved.insert(problem.position.to_string());
        }
    }

    fn is_solved(&self, problem: &MateProblem) -> bool {
        self.solved.contains(&problem.position.to_string())
    }
}

/// A line of moves that ends in mate.
fn solution(position: &Position, text: &str) -> Option<Vec<Move>> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let mv: Move = word.parse().ok()?;
        position.try_play(mv).ok()?;
        moves.push(mv);
    }
    (moves.len() % 2 == 1 && position.in_check() && !position.has_legal_move()).then_some(moves)
}

fn solve(solver: &mut Solver, position: &Position, time: Duration, stop: &AtomicBool) -> Option<Vec<Move>> {
    let limits = MateLimits { time: Some(time), ..MateLimits::default() };
    match solver.solve(position, &History::new(position), limits, stop, |_| {}) {
        Answer::Mate(solution) => Some(solution.moves),
        Answer::NoMate | Answer::Unknown => None,
    }
}

/// What a move in a problem is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is mate.
    Mate,
    /// The mate goes on after the defender's longest reply.
    Reply(Move),
    /// It is no check: the defender need not answer.
    NoCheck,
    /// This reply leaves no mate in time.
    Refuted(Move),
}

/// Judges a legal move of the attacker, who has so many plies left with it.
pub fn judge(position: &Position, mv: Move, plies: usize, stop: &AtomicBool) -> Judgement {
    let after = position.after(mv);
    if !after.in_check() {
        return Judgement::NoCheck;
    }
    let replies = after.legal_moves();
    if replies.is_empty() {
        return Judgement::Mate;
    }
    let end = Instant::now() + PATIENCE;
    let Ok(mut solver) = Solver::new(HASH) else { return Judgement::Refuted(replies[0]) };
    let mut longest: Option<(usize, Move)> = None;
    for reply in replies {
        let limits = MateLimits { time: Some(end.saturating_duration_since(Instant::now())), ..MateLimits::default() };
        let rest = after.after(reply);
        let mate = shortest_within(&mut solver, &rest, plies.saturating_sub(2), limits, stop);
        match mate {
            None => return Judgement::Refuted(reply),
            // Of replies that last as long, one that captures gives the attacker less to work with.
            Some(length) if longest.is_none_or(|(most, _)| length > most) => longest = Some((length, reply)),
            Some(_) => {}
        }
    }
    longest.map_or(Judgement::Mate, |(_, reply)| Judgement::Reply(reply))
}

/// Plies of the shortest mate within so many, if there is one.
fn shortest_within(
    solver: &mut Solver,
    position: &Position,
    plies: usize,
    limits: MateLimits,
    stop: &AtomicBool,
) -> Option<usize> {
    let (_, mut length) = solver.mate_within(position, plies, limits, stop)?;
    while length > 2
        && let Some((_, shorter)) = solver.mate_within(position, length - 2, limits, stop)
    {
        length = shorter;
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_problems_are_read_with_their_solutions() {
        let problems = Problems::built_in();
        assert!(!problems.is_empty());
        for ProblemCount { plies, count, solved } in problems.counts() {
            assert_eq!((count, solved), (25, 0), "{plies}");
        }
    }

    #[test]
    fn the_solution_is_judged_right_and_the_defence_is_the_longest() {
        let problems = Problems::built_in();
        let never = AtomicBool::new(false);
        for plies in [1, 3, 5] {
            for number in 1..=5 {
                let problem = problems.get(plies, number).unwrap();
                let (mut position, mut left) = (problem.position.clone(), plies);
                let mut solver = Solver::new(1).unwrap();
                loop {
                    let (mv, _) = solver.mate_within(&position, left, MateLimits::default(), &never).unwrap();
                    match judge(&position, mv, left, &never) {
                        Judgement::Mate => break,
                        Judgement::Reply(reply) => position = position.after(mv).after(reply),
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
        assert_eq!(judge(&position, "G*2b".parse().unwrap(), 1, &never), Judgement::Mate);
        assert_eq!(judge(&position, "G*5e".parse().unwrap(), 1, &never), Judgement::NoCheck);
        assert!(matches!(judge(&position, "G*3b".parse().unwrap(), 1, &never), Judgement::Refuted(_)));
    }

    #[test]
    fn problems_of_a_file_are_solved_if_it_does_not_say_how() {
        let text = "# mine\n4k1/6/4G1/6/6/6 b G 1\nnonsense\n4k1/6/6/6/6/K5 b G 1\n";
        let (problems, refused) = Problems::read(text, &AtomicBool::new(false));
        assert_eq!((problems.count(1), refused), (1, 2));
    }
}
