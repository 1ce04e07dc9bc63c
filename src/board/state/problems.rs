//! Mate problems: the sets, and the verdicts on moves.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::messages::ProblemCount;
use crate::shogi::{Move, Position, PositionText};

#[derive(Clone, Debug, PartialEq)]
pub struct MateProblem {
    pub position: Position,
    /// Plies of the mate, and a line of them.
    pub solution: Vec<Move>,
}

/// The set of the user's own problems, where others are named by their length.
pub const OWN: usize = 0;

/// The most problems that the user's own set takes.
const MOST_OWN: usize = 1_000;

/// The problems of a text, in its order.
#[derive(Debug, Default)]
pub struct ReadProblems {
    pub problems: Vec<MateProblem>,
    /// The numbers of the lines that are no mate problem.
    pub unread: Vec<usize>,
}

/// Problems by their length, the user's own as `OWN`, and which have been solved.
#[derive(Debug, Default)]
pub struct Problems {
    by_plies: BTreeMap<usize, Vec<MateProblem>>,
    /// The SFENs of solved problems: a number is another problem's in another set.
    pub solved: BTreeSet<String>,
}

/// The lines of a text that may be problems, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let trimmed = text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    (1..).zip(trimmed).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

impl ReadProblems {
    /// Reads problems, one per line: a position in SFEN, then, each after a `;`, its answer (`mate N`) and a solution
    /// in USI. `solve` finds a missing solution.
    pub fn of(text: &str, mut solve: impl FnMut(&Position) -> Option<Vec<Move>>) -> ReadProblems {
        let mut read = ReadProblems::default();
        // One more than fits, so that the user hears of it.
        for (number, line) in lines(text).take(MOST_OWN + 1) {
            let mut fields = line.split(';').map(str::trim);
            let position = PositionText::new(fields.next().unwrap_or_default()).mate_problem();
            let found = position.ok().and_then(|position| {
                let said = fields.nth(1).and_then(|text| solution(&position, text));
                let solution = said.or_else(|| solve(&position))?;
                Some(MateProblem { position, solution })
            });
            match found {
                Some(problem) => read.problems.push(problem),
                None => read.unread.push(number),
            }
        }
        read
    }

    /// Whether a text is a set of problems, and no record of games: its first line is a position with an answer.
    pub fn is_begun_by(text: &str) -> bool {
        let first = lines(text).next().and_then(|(_, line)| line.split_once(';'));
        first.is_some_and(|(position, answer)| {
            answer.trim_start().starts_with("mate ") && PositionText::new(position.trim()).mate_problem().is_ok()
        })
    }
}

impl Problems {
    pub fn built_in() -> Problems {
        let mut problems = Problems::default();
        for problem in ReadProblems::of(include_str!("mates.txt"), |_| None).problems {
            problems.by_plies.entry(problem.solution.len()).or_default().push(problem);
        }
        problems
    }

    /// Adds a problem to the user's own set, or finds it there. Returns its number; none if the set is full.
    pub fn keep(&mut self, problem: MateProblem) -> Option<usize> {
        let own = self.by_plies.entry(OWN).or_default();
        let same = own.iter().position(|other| other.position == problem.position);
        if same.is_none() && own.len() >= MOST_OWN {
            return None;
        }
        Some(
            1 + same.unwrap_or_else(|| {
                own.push(problem);
                own.len() - 1
            }),
        )
    }

    /// Deletes a problem of the user's own set.
    pub fn remove(&mut self, number: usize) -> Option<MateProblem> {
        let own = self.by_plies.get_mut(&OWN).filter(|own| (1..=own.len()).contains(&number))?;
        let problem = own.remove(number - 1);
        if own.is_empty() {
            self.by_plies.remove(&OWN);
        }
        Some(problem)
    }

    /// The user's own set as it is stored, in the lines of [`ReadProblems::of`].
    pub fn own_text(&self) -> String {
        let line = |MateProblem { position, solution }: &MateProblem| {
            let moves: Vec<String> = solution.iter().map(Move::to_string).collect();
            format!("{position}; mate {}; {}\n", solution.len(), moves.join(" "))
        };
        self.by_plies.get(&OWN).into_iter().flatten().map(line).collect()
    }

    /// Reads the user's own set.
    pub fn read_own(&mut self, text: &str) {
        for problem in ReadProblems::of(text, |_| None).problems {
            self.keep(problem);
        }
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

    /// The number of the next unsolved problem, cyclically.
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

/// The verdict on a move in a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    Mate,
    /// The mate continues after the defender's longest reply. The attacker's next move, if it was decided.
    Reply(Move, Option<Move>),
    /// It is not a check, so the defender need not answer.
    NoCheck,
    /// This reply leaves no mate in time.
    Refuted(Move),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_problems_are_read_with_their_solutions() {
        let problems = Problems::built_in();
        assert!(!problems.by_plies.is_empty());
        for ProblemCount { plies, count, solved } in problems.counts() {
            assert_eq!((count, solved), (25, 0), "{plies}");
        }
    }

    #[test]
    fn the_own_set_keeps_its_order() {
        let mut problems = Problems::built_in();
        let kept: Vec<MateProblem> = [5, 1, 3].map(|plies| problems.get(plies, 1).unwrap().clone()).into();
        kept.iter().for_each(|problem| {
            problems.keep(problem.clone());
        });
        let mut restored = Problems::built_in();
        restored.read_own(&problems.own_text());
        for (number, problem) in (1..).zip(kept) {
            assert_eq!(restored.get(OWN, number).map(|own| &own.position), Some(&problem.position));
        }
    }
}
