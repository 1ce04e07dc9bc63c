use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use super::{MateLimits, Solver};
use crate::shogi::{Move, Position};

/// One line of a solution in full: what the defender plays, and the attacker's reply to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// How many replies came before: 0 for the attacker's first move.
    pub depth: usize,
    /// The defender's move; none before the attacker's first.
    pub defence: Option<Move>,
    /// The attacker's reply.
    pub reply: Move,
    /// What comes after the reply.
    pub then: Then,
}

/// How a solution goes on after a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// It is mate.
    Mate,
    /// The branches that follow, one deeper, are the defences.
    Defences,
    /// As after the reply of an earlier branch, which leads to the same position.
    AsIn(usize),
}

impl Solver {
    /// The whole solution of a problem that has a mate within so many plies: a reply to every defence, in the order of
    /// the lines, with each position worked out once. None if it was stopped.
    pub fn tree(&mut self, position: &Position, plies: usize, stop: &AtomicBool) -> Option<Vec<Branch>> {
        let mut tree = Tree { solver: self, stop, branches: Vec::new(), seen: HashMap::new() };
        tree.reply(position, None, plies, 0)?;
        Some(tree.branches)
    }
}

struct Tree<'a> {
    solver: &'a mut Solver,
    stop: &'a AtomicBool,
    branches: Vec<Branch>,
    /// Positions with the defender to move, and the branch that leads to each.
    seen: HashMap<u64, usize>,
}

impl Tree<'_> {
    fn reply(&mut self, position: &Position, defence: Option<Move>, plies: usize, depth: usize) -> Option<()> {
        let (reply, plies) = self.solver.mate_within(position, plies, MateLimits::default(), self.stop)?;
        let after = position.after(reply);
        let index = self.branches.len();
        let known = self.seen.get(&after.key()).copied();
        let defences = after.legal_moves();
        let then = match known {
            _ if defences.is_empty() => Then::Mate,
            Some(branch) => Then::AsIn(branch),
            None => Then::Defences,
        };
        self.branches.push(Branch { depth, defence, reply, then });
        if then == Then::Defences {
            self.seen.insert(after.key(), index);
            for defence in defences {
                self.reply(&after.after(defence), Some(defence), plies - 2, depth + 1)?;
            }
        }
        Some(())
    }
}
