//! Best-first traversal of the book's graph with an arbitrary cost per move, for selection, repertoire and export.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::graph::{Graph, Node, NodeId, is_proven};
use super::values::Values;
use crate::shogi::zobrist::scatter;

/// A walk through a book in order of cost (Dijkstra's algorithm), which visits each position once. It does not continue
/// from a proven position.
pub(super) struct Walk<'a, F> {
    graph: &'a Graph,
    values: &'a Values,
    cost: F,
    seed: u64,
    visited: HashSet<NodeId>,
    queue: BinaryHeap<Reverse<(u32, u64, Step)>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Step {
    pub place: Place,
    /// The position before it and the index of the move; none at the beginning of the walk.
    pub from: Option<(NodeId, u16)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    /// A position of the book.
    Node(NodeId),
    /// A position outside, by its key.
    Outside(u64),
    /// The unknown moves of a position.
    Rest(NodeId),
}

/// A move that a walk may follow.
pub(super) struct Candidate<'a> {
    pub node: &'a Node,
    /// The loss against the best move, in centipawns.
    pub drop: u32,
    pub is_best: bool,
}

impl<'a, F: Fn(&Candidate) -> Option<u32>> Walk<'a, F> {
    /// A walk with the move costs of `cost`, which may also exclude a move. `seed` decides between steps of equal cost.
    pub(super) fn new(
        graph: &'a Graph,
        values: &'a Values,
        starts: impl IntoIterator<Item = NodeId>,
        seed: u64,
        cost: F,
    ) -> Walk<'a, F> {
        let step = |id| Reverse((0, 0, Step { place: Place::Node(id), from: None }));
        let queue = starts.into_iter().map(step).collect();
        Walk { graph, values, cost, seed, visited: HashSet::new(), queue }
    }

    /// Queues the steps from a position.
    fn look_around(&mut self, id: NodeId, so_far: u32) {
        let (node, value) = (self.graph.node(id), self.values.of(id));
        if is_proven(value) {
            return;
        }
        let best = self.values.best(node);
        let moves = (0..).zip(&node.edges).map(|(index, edge)| {
            let place = edge.child.map_or(Place::Outside(edge.key), Place::Node);
            let step = Step { place, from: Some((id, index)) };
            (step, edge.key, self.values.of_move(edge), best == Some(usize::from(index)))
        });
        let rest = node.rest.map(i32::from);
        // No position has this key.
        let rest = rest.map(|rest| (Step { place: Place::Rest(id), from: None }, !node.key, rest, rest >= value));
        for (step, key, score, is_best) in moves.chain(rest) {
            if matches!(step.place, Place::Node(child) if self.visited.contains(&child)) {
                continue;
            }
            let drop = (value - score).max(0).unsigned_abs();
            if let Some(cost) = (self.cost)(&Candidate { node, drop, is_best }) {
                self.queue.push(Reverse((so_far.saturating_add(cost), chance(self.seed, key), step)));
            }
        }
    }
}

impl<F: Fn(&Candidate) -> Option<u32>> Iterator for Walk<'_, F> {
    /// A step with the total cost to reach it.
    type Item = (Step, u32);

    fn next(&mut self) -> Option<(Step, u32)> {
        loop {
            let Reverse((cost, _, step)) = self.queue.pop()?;
            if let Place::Node(id) = step.place {
                if !self.visited.insert(id) {
                    continue;
                }
                self.look_around(id, cost);
            }
            return Some((step, cost));
        }
    }
}

/// A pseudo-random number for a seed and a key.
pub(super) fn chance(seed: u64, key: u64) -> u64 {
    scatter(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key)
}
