//! `SolutionTree`: the attacker's reply to every defence of a mate problem, with transpositions merged.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use super::allowance::Allowance;
use super::{MateLimits, Solver};
use crate::shogi::{Move, Position};

/// One defence and the attacker's reply to it in the tree of a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The number of the attacker's moves before the reply: 0 for the first move.
    pub depth: usize,
    /// The defender's move; [`None`] before the attacker's first.
    pub defence: Option<Move>,
    /// The attacker's reply.
    pub reply: Move,
    /// The continuation of the solution.
    pub then: Then,
}

/// The continuation of a solution after a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The reply mates.
    Mate,
    /// The defences are the following branches whose depth is greater by one.
    Defences,
    /// The reply of the branch with this index leads to the same position.
    AsIn(usize),
}

/// The whole solution of a problem: a reply to every defence, depth first, each position once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolutionTree {
    /// The branches, in order.
    pub branches: Vec<Branch>,
    /// Whether it is the whole solution: no limit was reached and the search was not stopped.
    pub complete: bool,
}

impl Solver {
    /// The whole solution of a problem with a mate within `plies` plies, as far as the limits allow.
    pub fn tree(&mut self, position: &Position, plies: usize, limits: MateLimits, stop: &AtomicBool) -> SolutionTree {
        let allowance = Allowance::new(limits);
        let mut tree = Tree { solver: self, stop, allowance, branches: Vec::new(), seen: HashMap::new() };
        let complete = tree.reply(position, None, plies, 0).is_some();
        SolutionTree { branches: tree.branches, complete }
    }
}

struct Tree<'a> {
    solver: &'a mut Solver,
    stop: &'a AtomicBool,
    allowance: Allowance,
    branches: Vec<Branch>,
    /// The index of the branch that leads to each position with the defender to move, by key.
    seen: HashMap<u64, usize>,
}

impl Tree<'_> {
    fn reply(&mut self, position: &Position, defence: Option<Move>, plies: usize, depth: usize) -> Option<()> {
        let (mate, nodes) = self.solver.mate_and_nodes(position, plies, self.allowance.share(1), self.stop);
        self.allowance.spend(nodes);
        let (reply, plies) = mate?;
        let after = position.after(reply);
        let index = self.branches.len();
        let transposition = self.seen.get(&after.key()).copied();
        let defences = after.legal_moves();
        let then = match transposition {
            _ if defences.is_empty() => Then::Mate,
            Some(branch) => Then::AsIn(branch),
            None => Then::Defences,
        };
        self.branches.push(Branch { depth, defence, reply, then });
        if then == Then::Defences {
            for defence in defences {
                self.reply(&after.after(defence), Some(defence), plies - 2, depth + 1)?;
            }
            // Only now: a branch must not refer to one that it is part of.
            self.seen.insert(after.key(), index);
        }
        Some(())
    }
}
