//! Search for cooks, the alternative mating moves that make the solution of a problem ambiguous.

use std::sync::atomic::AtomicBool;

use super::allowance::Allowance;
use super::search_result::UNLIMITED;
use super::solver::Attempt;
use super::{MateLimits, Solver};
use crate::shogi::{GameHistory, Move, Position, Stage};

/// A move other than the solution's that mates or may mate: with one, a problem has no unique solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cook {
    /// The move.
    pub mv: Move,
    /// An upper bound of the mate's length in plies; [`None`] if the move is neither proven nor disproven.
    pub plies: Option<usize>,
}

/// Whether a solution is unique.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uniqueness {
    /// No other move mates.
    Unique,
    /// Another move mates too.
    Cooked,
    /// Some move is neither proven nor disproven.
    Undecided,
}

/// The number of the attacker's moves that must be unique in a solution of this length, as players count it. By
/// convention the last move need not be.
pub fn must_be_unique(cooks: &[Vec<Cook>], plies: usize) -> usize {
    (plies / 2).min(cooks.len().saturating_sub(1))
}

impl Uniqueness {
    /// Judges a solution by its [cooks](Solver::cooks) and its length in plies, as players count it: see
    /// [`must_be_unique`].
    pub fn of(cooks: &[Vec<Cook>], plies: usize) -> Uniqueness {
        let counted: Vec<&Cook> = cooks.iter().take(must_be_unique(cooks, plies)).flatten().collect();
        match (counted.iter().any(|cook| cook.plies.is_some()), counted.is_empty()) {
            (true, _) => Uniqueness::Cooked,
            (false, true) => Uniqueness::Unique,
            (false, false) => Uniqueness::Undecided,
        }
    }
}

/// A check that is not in the solution.
struct Candidate {
    /// The index of the attacker's move that it replaces.
    index: usize,
    /// The position before it.
    position: Position,
    cook: Cook,
    disproven: bool,
}

impl Candidate {
    fn is_open(&self) -> bool {
        !self.disproven && self.cook.plies.is_none()
    }
}

impl Solver {
    /// For each move of the attacker in a solution, the other moves that mate too or that the limits leave undecided.
    ///
    /// The limits apply to all searches together. Each gets an equal share of the remainder; undecided moves then share
    /// the time and nodes that the others did not use.
    pub fn cooks(
        &mut self,
        position: &Position,
        solution: &[Move],
        limits: MateLimits,
        stop: &AtomicBool,
    ) -> Vec<Vec<Cook>> {
        let mut candidates = candidates(position, solution);
        let mut allowance = Allowance::new(limits);
        let rounds = if limits.time.is_some() || limits.nodes.is_some() { 2 } else { 1 };
        for _ in 0..rounds {
            let mut left = candidates.iter().filter(|candidate| candidate.is_open()).count();
            for candidate in candidates.iter_mut().filter(|candidate| candidate.is_open()) {
                let Candidate { position, cook, disproven, .. } = candidate;
                let (history, limits) = (GameHistory::new(position), allowance.share(left));
                let mut attempt = Attempt::new(&mut self.table, position, &history, limits, stop, |_| {});
                let result = attempt.search(&position.after(cook.mv), UNLIMITED);
                cook.plies = result.is_proven().then(|| usize::from(result.length) + 1);
                *disproven = result.is_disproven();
                allowance.spend(attempt.nodes());
                left -= 1;
            }
        }
        let mut cooks = vec![Vec::new(); solution.len().div_ceil(2)];
        for candidate in candidates.iter().filter(|candidate| !candidate.disproven) {
            cooks[candidate.index].push(candidate.cook);
        }
        cooks
    }
}

fn candidates(position: &Position, solution: &[Move]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (index, (position, mv)) in position.walk(solution.iter().copied()).step_by(2).enumerate() {
        let others = position.moves(Stage::Checks).into_iter().filter(|&other| other != mv);
        candidates.extend(others.map(|mv| Candidate {
            index,
            position: position.clone(),
            cook: Cook { mv, plies: None },
            disproven: false,
        }));
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_move_need_not_be_unique() {
        let cooks = |number: usize| {
            let mut cooks = vec![Vec::new(); 3];
            cooks[number].push(Cook { mv: "G*2b".parse().unwrap(), plies: Some(1) });
            cooks
        };
        // Of five moves the last two may be useless interposition; of a longer mate they may be a part.
        for (number, plies, unique) in
            [(2, 5, true), (1, 5, false), (1, 3, true), (0, 3, false), (2, 7, true), (1, 7, false)]
        {
            let judged = Uniqueness::of(&cooks(number), plies);
            assert_eq!(judged == Uniqueness::Unique, unique, "move {number} of {plies} plies: {judged:?}");
        }
    }
}
