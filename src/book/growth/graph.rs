//! The graph of a growing book: positions, moves with search scores, and the targets of further searches.

use std::collections::HashMap;

use super::leaf::{Found, FoundLine, Leaf};
use super::start::Start;
use crate::search::score::{DECIDED_BOUND, MATE};
use crate::shogi::{CheckSquares, Color, Move, Position};
use serde::{Deserialize, Serialize};

/// The index of a position in the graph, in order of addition.
pub type NodeId = u32;

/// The positions of a book and the moves between them. Transpositions are one node: a node is the board, the hands and
/// the side to move, without move number and history.
///
/// The graph may have cycles. It contains search results only; [`Values`](super::Values) derives everything else.
#[derive(Default)]
pub struct Graph {
    nodes: Vec<Node>,
    /// The nodes by the keys of their positions.
    by_key: HashMap<u64, NodeId>,
    /// The moves to positions outside the graph, by their keys.
    awaited: HashMap<u64, Vec<(NodeId, u16)>>,
    edges: usize,
    searched: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub key: u64,
    pub origin: Target,
    pub side: Color,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The known moves, ordered by the searches' ratings.
    pub edges: Vec<Edge>,
    /// An upper bound of the score of all other moves, in centipawns; none if there is no other move, or none is
    /// needed.
    pub rest: Option<i16>,
    /// The score of the position's own search, for the side to move.
    pub score: i16,
    /// The depth of that search, in plies.
    pub depth: u8,
    /// The nodes of its searches.
    pub nodes: u64,
}

/// A move of the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub mv: Move,
    /// The reply that the search expected.
    pub reply: Option<Move>,
    /// The score from the search of the position before it, for the player who moves.
    pub score: i16,
    /// The key of the position after it.
    pub key: u64,
    /// The node after it, if it is in the graph and the score is not proven.
    pub child: Option<NodeId>,
    /// Whether it gives check.
    pub checks: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Target {
    Start(Start),
    /// The position after a move of a node: the node, and the index of the move.
    Move(NodeId, u16),
    /// The other moves of a node.
    Rest(NodeId),
}

/// The error for a search result that does not fit the graph.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MisfitError {
    /// Its position is not in the graph, or is there already.
    #[error("{0:?} is nothing to search")]
    Target(Target),
    /// It has no move although there are legal ones.
    #[error("{0:?}: a result without a move")]
    Nothing(Target),
    /// Its score is out of range.
    #[error("{0:?}: {1} is not a score")]
    Score(Target, i16),
    /// It has a move or a reply that is illegal, or a move that is known already.
    #[error("{0:?}: {1} is not a move to add")]
    Move(Target, Move),
}

impl Graph {
    /// The positions in order of addition.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A position.
    ///
    /// # Panics
    /// If there is no such index.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The indices of all positions.
    pub fn ids(&self) -> std::ops::Range<NodeId> {
        0..self.nodes.len() as NodeId
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn edges(&self) -> usize {
        self.edges
    }

    /// The total nodes of all searches.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// The index of a position.
    pub fn find(&self, position: &Position) -> Option<NodeId> {
        self.by_key.get(&position.key()).copied()
    }

    /// The index of a start position.
    pub fn start(&self, start: Start) -> Option<NodeId> {
        self.find(&start.position())
    }

    /// The position of a node, replayed from a start.
    pub fn position(&self, id: NodeId) -> Position {
        let mut moves = Vec::new();
        let mut origin = self.node(id).origin;
        let mut position = loop {
            match origin {
                Target::Start(start) => break start.position(),
                Target::Move(parent, edge) => {
                    let parent = self.node(parent);
                    moves.push(parent.edges[usize::from(edge)].mv);
                    origin = parent.origin;
                }
                Target::Rest(_) => unreachable!("a node comes from a start or a move"),
            }
        };
        moves.into_iter().rev().for_each(|mv| position.play_unchecked(mv));
        position
    }

    /// The search that a target needs.
    ///
    /// # Errors
    /// [`MisfitError`] if there is no such position.
    pub fn leaf(&self, target: Target) -> Result<Leaf, MisfitError> {
        let known = |id: NodeId| self.nodes.get(id as usize).ok_or(MisfitError::Target(target));
        Ok(match target {
            Target::Start(start) => Leaf { position: start.position(), without: Vec::new() },
            Target::Move(id, edge) => {
                let edge = known(id)?.edges.get(usize::from(edge)).ok_or(MisfitError::Target(target))?;
                Leaf { position: self.position(id).after(edge.mv), without: Vec::new() }
            }
            Target::Rest(id) => {
                let without = known(id)?.edges.iter().map(|edge| edge.mv).collect();
                Leaf { position: self.position(id), without }
            }
        })
    }

    /// Adds a search result. The same results in the same order yield the same graph.
    ///
    /// # Errors
    /// [`MisfitError`]; the graph is unchanged.
    pub fn add(&mut self, target: Target, found: &Found) -> Result<(), MisfitError> {
        let leaf = self.leaf(target)?;
        let is_new = !matches!(target, Target::Rest(_));
        if is_new && self.find(&leaf.position).is_some() {
            return Err(MisfitError::Target(target));
        }
        let mut moves = leaf.without.clone();
        if found.lines.is_empty() && leaf.position.count_legal_moves() as usize > moves.len() {
            return Err(MisfitError::Nothing(target));
        }
        for line in &found.lines {
            if moves.contains(&line.mv) || !leaf.position.is_legal(line.mv) {
                return Err(MisfitError::Move(target, line.mv));
            }
            if let Some(reply) = line.reply.filter(|&reply| !leaf.position.after(line.mv).is_legal(reply)) {
                return Err(MisfitError::Move(target, reply));
            }
            if i32::from(line.score).abs() > MATE {
                return Err(MisfitError::Score(target, line.score));
            }
            moves.push(line.mv);
        }
        let id = match target {
            Target::Rest(id) => id,
            Target::Start(_) | Target::Move(..) => self.add_node(target, &leaf.position, found),
        };
        self.add_moves(id, &leaf.position, found);
        self.searched = self.searched.saturating_add(found.nodes);
        Ok(())
    }

    /// Adds a node without moves.
    fn add_node(&mut self, origin: Target, position: &Position, found: &Found) -> NodeId {
        let id = NodeId::try_from(self.nodes.len()).expect("a book has fewer than 2^32 positions");
        let key = position.key();
        for (parent, edge) in self.awaited.remove(&key).unwrap_or_default() {
            self.nodes[parent as usize].edges[usize::from(edge)].child = Some(id);
        }
        self.by_key.insert(key, id);
        self.nodes.push(Node {
            key,
            origin,
            side: position.side_to_move(),
            in_check: position.in_check(),
            edges: Vec::with_capacity(found.lines.len()),
            rest: None,
            // Without a legal move the game is lost.
            score: found.lines.first().map_or(-MATE as i16, |line| line.score),
            depth: found.depth,
            nodes: 0,
        });
        id
    }

    fn add_moves(&mut self, id: NodeId, position: &Position, found: &Found) {
        let checks = CheckSquares::new(position);
        let before = self.node(id).edges.len();
        for (index, &FoundLine { mv, reply, score }) in (before..).zip(&found.lines) {
            let key = position.key_after(mv);
            // A proven score stands, regardless of a search of the position after it.
            let proven = is_proven(score.into());
            let child = self.by_key.get(&key).copied().filter(|_| !proven);
            if child.is_none() && !proven {
                self.awaited.entry(key).or_default().push((id, index as u16));
            }
            let checks = position.gives_check(mv, &checks);
            self.nodes[id as usize].edges.push(Edge { mv, reply, score, key, child, checks });
        }
        self.edges += found.lines.len();
        let node = &mut self.nodes[id as usize];
        node.nodes = node.nodes.saturating_add(found.nodes);
        node.rest = found.lines.last().filter(|_| !found.complete).map(|line| line.score);
    }

    /// Treats a move of a node as a check.
    #[cfg(test)]
    pub(super) fn pretend_check(&mut self, id: NodeId, edge: usize) {
        self.nodes[id as usize].edges[edge].checks = true;
    }
}

/// Whether a score is proven: a search or the mate solver has reached the end of the game.
pub const fn is_proven(score: i32) -> bool {
    score.abs() >= DECIDED_BOUND
}

/// The value one ply earlier: the end of the game is one ply further away.
pub(super) const fn one_ply_earlier(value: i32) -> i32 {
    match is_proven(value) {
        true => value - value.signum(),
        false => value,
    }
}

/// The moves to each node.
pub(super) struct Parents {
    /// The index of each node's first parent.
    first: Vec<u32>,
    parents: Vec<NodeId>,
}

impl Parents {
    pub(super) fn new(graph: &Graph) -> Parents {
        let children = || graph.nodes().iter().flat_map(|node| &node.edges).filter_map(|edge| edge.child);
        let mut first = vec![0u32; graph.len() + 1];
        children().for_each(|child| first[child as usize + 1] += 1);
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut parents = vec![0; *first.last().unwrap_or(&0) as usize];
        for id in graph.ids() {
            for child in graph.node(id).edges.iter().filter_map(|edge| edge.child) {
                let place = &mut next[child as usize];
                parents[*place as usize] = id;
                *place += 1;
            }
        }
        Parents { first, parents }
    }

    pub(super) fn of(&self, id: NodeId) -> &[NodeId] {
        let id = id as usize;
        &self.parents[self.first[id] as usize..self.first[id + 1] as usize]
    }
}

/// The scores of a node's moves that lead outside the graph, for the side to move.
pub(super) fn outside(node: &Node) -> impl Iterator<Item = i32> {
    let edges = node.edges.iter().filter(|edge| edge.child.is_none()).map(|edge| i32::from(edge.score));
    edges.chain(node.rest.map(i32::from))
}
