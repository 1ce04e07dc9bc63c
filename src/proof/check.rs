//! Replays a proof by the rules alone, independently of the code that made it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::graph::{Found, Graph, NodeId, Reply, Try};
use super::prover::mate_limits;
use crate::mate::{MateLimits, Solver};
use crate::search::Settings;
use crate::shogi::{Move, Position};

/// The maximum number of the attacker's moves in a line of a proof: each uses some of the stack.
const MOST_MOVES: u32 = 500;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// The number of positions in which the proof has a move of the attacker, without mates by checks.
    pub positions: usize,
    pub mates: usize,
    /// The number of positions with the attacker to move in the solutions of these mates.
    pub mate_positions: usize,
    /// The greatest number of plies from the start to a mate.
    pub plies: u32,
}

/// The attacker's move in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofMove {
    pub position: Position,
    pub mv: Move,
    /// An upper bound of the plies to mate, including this move.
    pub plies: u32,
}

/// The reason why a proof is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofError {
    /// The start is not proven.
    #[error("it is not proven")]
    Open,
    #[error("interrupted")]
    Stopped,
    /// The attacker's move is missing, is not legal, or does not win.
    #[error("nothing is proven in {0}")]
    Gap(Box<Position>),
    /// A claimed mate by checks was not found within the allowed nodes.
    #[error("no mate by checks found in {0}")]
    NoMate(Box<Position>),
    /// A line has more than 500 moves of the attacker.
    #[error("a line with more than {MOST_MOVES} moves of the attacker")]
    TooLong,
    /// The impasse rule may end the game in this position.
    #[error("the impasse rule may end the game in {0}")]
    Impasse(Box<Position>),
}

/// Replays a proof: the attacker's move must be legal and every legal reply must be answered, until there is no reply.
/// A position depends only on positions of a lower rank, so the game ends and no position recurs. Mates by checks are
/// searched again, with at most `mate_nodes` nodes each, and replayed too. Calls `tell` for every position in which the
/// attacker moves, possibly several times; playing the answer with the fewest plies shortens the mate with every move.
///
/// # Errors
/// [`ProofError`] for the first mistake.
pub fn check(
    graph: &Graph,
    solver: &mut Solver,
    mate_nodes: u64,
    stop: &AtomicBool,
    tell: impl FnMut(ProofMove),
) -> Result<Checked, ProofError> {
    if graph.proof() > 0 {
        return Err(ProofError::Open);
    }
    let settings = Settings { impasse_rule: graph.rule(), ..Settings::default() };
    // A claim may be wrong, and a position without a mate may take hours.
    let limits = MateLimits { nodes: Some(mate_nodes), ..mate_limits(&settings) };
    let mut replay =
        Replay { graph, solver, limits, stop, tell, plies: HashMap::new(), depth: 0, checked: Checked::default() };
    let start = graph.start();
    if graph.is_lost_at_once() {
        return Err(ProofError::Impasse(Box::new(start.clone())));
    }
    replay.checked.plies = match start.side_to_move() == graph.attacker() {
        true => replay.answer(start, graph.root()[0].node.ok_or_else(|| gap(start))?, u32::MAX)?,
        false => replay.answers(start, graph.root(), u32::MAX)?,
    };
    Ok(replay.checked)
}

fn gap(position: &Position) -> ProofError {
    ProofError::Gap(Box::new(position.clone()))
}

struct Replay<'a, T> {
    graph: &'a Graph,
    solver: &'a mut Solver,
    limits: MateLimits,
    stop: &'a AtomicBool,
    tell: T,
    /// An upper bound of the plies to mate, by the key of a position and the node whose moves win there.
    plies: HashMap<(u64, NodeId), u32>,
    /// The number of the attacker's moves on the path from the start.
    depth: u32,
    checked: Checked,
}

impl<T: FnMut(ProofMove)> Replay<'_, T> {
    /// An upper bound of the plies to mate after all legal replies. `below` is the rank of the node that they prove.
    fn answers(&mut self, position: &Position, replies: &[Reply], below: u32) -> Result<u32, ProofError> {
        let mut most = 0;
        for mv in position.legal_moves() {
            let next = self.allowed(position.after(mv))?;
            let reply = replies.iter().find(|reply| reply.mv == Some(mv));
            let node = reply.and_then(|reply| reply.node).ok_or_else(|| gap(&next))?;
            most = most.max(1 + self.answer(&next, node, below)?);
        }
        Ok(most)
    }

    /// An upper bound of the plies to mate with the move of a node.
    fn answer(&mut self, position: &Position, id: NodeId, below: u32) -> Result<u32, ProofError> {
        let node = self.graph.node(id);
        let fits = node.board == position.board_key() && position.hand(self.graph.attacker()).covers(node.hand);
        if !fits || !self.graph.is_proven_before(id, below) {
            return Err(gap(position));
        }
        if let Some(&plies) = self.plies.get(&(position.key(), id)) {
            return Ok(plies);
        }
        if self.depth == MOST_MOVES {
            return Err(ProofError::TooLong);
        }
        self.depth += 1;
        let plies = match (node.covered_by, node.found) {
            (Some(other), _) => self.answer(position, other, node.rank)?,
            (None, Found::Mate(_)) => {
                self.checked.mates += 1;
                self.mate(position, usize::MAX, &mut HashMap::new())?
            }
            (None, _) => {
                self.checked.positions += 1;
                // Other moves may have been proven since, by means of this position.
                let before = |reply: &Reply| reply.node.is_some_and(|id| self.graph.is_proven_before(id, node.rank));
                let proves = |one: &&Try| one.replies.iter().all(before) && position.is_legal(one.mv);
                let winning = node.tries.iter().find(proves).ok_or_else(|| gap(position))?;
                let after = self.allowed(position.after(winning.mv))?;
                let plies = 1 + self.answers(&after, &winning.replies, node.rank)?;
                (self.tell)(ProofMove { position: position.clone(), mv: winning.mv, plies });
                plies
            }
        };
        self.depth -= 1;
        self.plies.insert((position.key(), id), plies);
        Ok(plies)
    }

    /// Replays a mate by checks within `plies` plies, with all defences. `seen` has the plies of mates replayed before.
    fn mate(&mut self, position: &Position, plies: usize, seen: &mut HashMap<u64, u32>) -> Result<u32, ProofError> {
        let mate = self.solver.mate_within(position, plies, self.limits, self.stop);
        if self.stop.load(Ordering::Relaxed) {
            return Err(ProofError::Stopped);
        }
        let (mv, plies) = mate.ok_or_else(|| ProofError::NoMate(Box::new(position.clone())))?;
        if !position.is_legal(mv) {
            return Err(gap(position));
        }
        self.checked.mate_positions += 1;
        // In check nobody counts points or declares, and a try by the attacker wins for him.
        let after = position.after(mv);
        if !after.in_check() {
            return Err(gap(position));
        }
        let replies = after.legal_moves();
        if !replies.is_empty() && plies < 3 {
            return Err(gap(position));
        }
        let mut most = 1;
        for reply in replies {
            let next = self.allowed(after.after(reply))?;
            // The remaining plies decrease in every branch, so the recursion ends.
            let left = plies - 2;
            let took = match seen.get(&next.key()) {
                Some(&took) if took as usize <= left => took,
                _ => self.mate(&next, left, seen)?,
            };
            seen.insert(next.key(), took);
            most = most.max(2 + took);
        }
        (self.tell)(ProofMove { position: position.clone(), mv, plies: most });
        Ok(most)
    }

    /// Returns the position if the game continues there.
    fn allowed(&self, position: Position) -> Result<Position, ProofError> {
        match self.graph.may_end(&position) {
            true => Err(ProofError::Impasse(Box::new(position))),
            false => Ok(position),
        }
    }
}
