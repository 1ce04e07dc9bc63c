//! Perpetual check: a player who repeats positions by checking with every move loses.
//!
//! The checker may stay in a cycle only if some of his moves on it give no check; otherwise he must leave it at any
//! cost. A counter-check does not count as a check here, so that nobody loses if both players check.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::{Edge, Graph, Node, NodeId, Parents, is_proven, one_ply_earlier, outside};
use crate::search::score::RULE_WIN;
use crate::shogi::Color;

/// Whether a move continues a perpetual check.
fn goes_on(node: &Node, edge: &Edge) -> bool {
    edge.checks && !node.in_check
}

/// Whether there is a cycle on which `checker` gives check with every move.
pub(super) fn has_cycle(graph: &Graph, parents: &Parents, checker: Color) -> bool {
    let leads_on = |node: &Node, edge: &&Edge| edge.child.is_some() && (node.side != checker || goes_on(node, edge));
    let mut open: Vec<usize> =
        graph.nodes().iter().map(|node| node.edges.iter().filter(|edge| leads_on(node, edge)).count()).collect();
    // Remove positions without a continuing move until none is left, or only a cycle.
    let mut ends: Vec<NodeId> = graph.ids().filter(|&id| open[id as usize] == 0).collect();
    let mut left = graph.len() - ends.len();
    while let Some(end) = ends.pop() {
        for &id in parents.of(end) {
            let node = graph.node(id);
            let leads = node.edges.iter().filter(|edge| leads_on(node, edge)).any(|edge| edge.child == Some(end));
            if leads {
                open[id as usize] -= 1;
                if open[id as usize] == 0 {
                    left -= 1;
                    ends.push(id);
                }
            }
        }
    }
    left > 0
}

/// The positions in which the opponent of `checker` can force more than `forced`, because perpetual check loses, and
/// their new values. All values are at least 0, for the opponent.
///
/// Checking moves are followed to their end, and an endless line of checks loses; all other moves of the checker lead
/// to the forced value of the next position. He takes the least value that he can reach: the lowest values are found
/// first.
pub(super) fn raised(graph: &Graph, parents: &Parents, checker: Color, forced: &[i32]) -> Vec<(NodeId, i32)> {
    let mut open: Vec<usize> = vec![0; graph.len()];
    let mut most: Vec<i32> = vec![0; graph.len()];
    let mut queue = BinaryHeap::new();
    for (id, node) in graph.ids().zip(graph.nodes()) {
        let known = forced[id as usize];
        if is_proven(known) {
            queue.push(Reverse((known, id)));
        } else if node.side == checker {
            let leaves = |edge: &&Edge| !goes_on(node, edge);
            let children = node.edges.iter().filter(leaves).filter_map(|edge| edge.child);
            let inside = children.map(|child| one_ply_earlier(forced[child as usize]));
            let least = outside(node).map(|score| (-score).max(0)).chain(inside).min();
            queue.extend(least.map(|least| Reverse((least, id))));
        } else {
            open[id as usize] = node.edges.iter().filter(|edge| edge.child.is_some()).count();
            most[id as usize] = outside(node).max().unwrap_or(0).max(0);
            if open[id as usize] == 0 {
                queue.push(Reverse((most[id as usize], id)));
            }
        }
    }
    let mut found: Vec<Option<i32>> = vec![None; graph.len()];
    while let Some(Reverse((value, id))) = queue.pop() {
        if found[id as usize].is_some() {
            continue;
        }
        found[id as usize] = Some(value);
        for &parent in parents.of(id) {
            let (node, place) = (graph.node(parent), parent as usize);
            if is_proven(forced[place]) {
                continue;
            }
            if node.side != checker {
                open[place] -= 1;
                most[place] = most[place].max(value);
                if open[place] == 0 {
                    queue.push(Reverse((most[place], parent)));
                }
            } else if node.edges.iter().any(|edge| edge.child == Some(id) && goes_on(node, edge)) {
                queue.push(Reverse((value, parent)));
            }
        }
    }
    // The number of plies until a perpetual check loses is not counted.
    let value = |found: Option<i32>| found.filter(|&value| !is_proven(value)).unwrap_or(RULE_WIN);
    let raised = |&(id, value): &(NodeId, i32)| !is_proven(forced[id as usize]) && value > forced[id as usize];
    graph.ids().zip(found.into_iter().map(value)).filter(raised).collect()
}
