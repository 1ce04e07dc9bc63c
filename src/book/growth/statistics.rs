//! Statistics of a growing book and of its start positions, for `judkins book stat`.

use std::collections::VecDeque;

use super::graph::{Graph, Target, is_proven};
use super::start::Start;
use super::values::Values;
use crate::shogi::Move;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// The number of positions.
    pub positions: usize,
    /// The number of moves with a score.
    pub moves: usize,
    /// The number of moves to positions of the book.
    pub joined: usize,
    /// The number of positions with a proven result.
    pub proven: usize,
    /// The nodes of all searches.
    pub searched: u64,
    /// The number of positions at each distance in plies from the closest start.
    pub plies: Vec<usize>,
    /// The start positions in the book.
    pub starts: Vec<StartStatistics>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartStatistics {
    pub start: Start,
    /// The number of positions first reached from it.
    pub positions: usize,
    /// Its value for the side to move, in centipawns.
    pub value: i32,
    /// The best line.
    pub line: Vec<Move>,
}

impl Statistics {
    /// Computes the statistics of a book.
    pub fn new(graph: &Graph, values: &Values) -> Statistics {
        let joined = graph.nodes().iter().flat_map(|node| &node.edges).filter(|edge| edge.child.is_some()).count();
        // Every position comes after the one from which it was first reached.
        let mut origins: Vec<Start> = Vec::with_capacity(graph.len());
        for node in graph.nodes() {
            origins.push(match node.origin {
                Target::Start(start) => start,
                Target::Move(parent, _) | Target::Rest(parent) => origins[parent as usize],
            });
        }
        let known = |start: Start| {
            let root = graph.start(start)?;
            Some(StartStatistics {
                start,
                positions: origins.iter().filter(|&&origin| origin == start).count(),
                value: values.of(root),
                line: values.line(graph, root),
            })
        };
        Statistics {
            positions: graph.len(),
            moves: graph.edges(),
            joined,
            proven: graph.ids().filter(|&id| is_proven(values.of(id))).count(),
            searched: graph.searched(),
            plies: plies(graph),
            starts: Start::ALL.into_iter().filter_map(known).collect(),
        }
    }
}

/// The number of positions at each distance in plies from the closest start.
fn plies(graph: &Graph) -> Vec<usize> {
    let mut counts = Vec::new();
    let mut reached = vec![false; graph.len()];
    let mut queue: VecDeque<(u32, usize)> =
        Start::ALL.into_iter().filter_map(|start| Some((graph.start(start)?, 0))).collect();
    queue.iter().for_each(|&(id, _)| reached[id as usize] = true);
    while let Some((id, ply)) = queue.pop_front() {
        counts.resize(counts.len().max(ply + 1), 0);
        counts[ply] += 1;
        for child in graph.node(id).edges.iter().filter_map(|edge| edge.child) {
            if !std::mem::replace(&mut reached[child as usize], true) {
                queue.push_back((child, ply + 1));
            }
        }
    }
    counts
}
