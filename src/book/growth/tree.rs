//! A book as a game with variations.

use std::collections::{HashMap, HashSet};

use super::graph::{Edge, Graph, NodeId, is_proven};
use super::start::Start;
use super::values::Values;
use super::walk::{Place, Walk};
use crate::record::{Evaluation, NodeId as RecordId, Record};

/// The cost of a ply in centipawns: greater values give shorter and more numerous variations.
const PLY: u32 = 10;

/// A record of a start position with the `size` likeliest moves of a book, the best line first, each with its score and
/// the depth of the search behind it. A transposition is continued only on its likeliest path, or on the best line.
/// None if the book does not have the start.
pub fn record(graph: &Graph, values: &Values, start: Start, size: usize) -> Option<Record> {
    let root = graph.start(start)?;
    let walk = Walk::new(graph, values, [root], 0, |candidate| Some(PLY.saturating_add(candidate.drop)));
    let (mut moves, mut reached): (HashMap<NodeId, Vec<u16>>, _) = (HashMap::new(), HashSet::from([root]));
    let steps = walk.filter(|(step, _)| !matches!(step.place, Place::Rest(_)));
    for (step, (id, index)) in steps.filter_map(|(step, _)| Some((step, step.from?))).take(size) {
        moves.entry(id).or_default().push(index);
        if let Place::Node(child) = step.place {
            reached.insert(child);
        }
    }
    // The walk reaches each position once, possibly not by the best line.
    let mut left = size.saturating_sub(moves.values().map(Vec::len).sum());
    let mut id = root;
    while reached.remove(&id) && !is_proven(values.of(id)) {
        let Some(best) = values.best(graph.node(id)) else { break };
        let indices = moves.entry(id).or_default();
        if !indices.contains(&(best as u16)) {
            if left == 0 {
                break;
            }
            left -= 1;
            indices.push(best as u16);
        }
        let Some(child) = graph.node(id).edges[best].child else { break };
        id = child;
    }
    let mut record = Record::new(start.position());
    record.header.event = Some(format!("book of judkins: {start}"));
    // The moves still to be added, with their nodes. An explicit stack, because lines of a book may have any length.
    let mut open: Vec<(&Edge, RecordId, u8)> = Vec::new();
    let mut enter = |id: NodeId, at: RecordId, open: &mut Vec<_>| {
        // A position is continued in one place: on the best line, or else where the walk reached it.
        let Some(indices) = moves.remove(&id) else { return };
        let node = graph.node(id);
        let ranked = values.ranked(node).into_iter().rev().filter(|&index| indices.contains(&(index as u16)));
        open.extend(ranked.map(|index| (&node.edges[index], at, node.depth)));
    };
    enter(root, RecordId::ROOT, &mut open);
    while let Some((edge, at, depth)) = open.pop() {
        let next = record.play(at, edge.mv).expect("the moves of a book are legal");
        let depth = edge.child.map_or(depth, |child| graph.node(child).depth);
        let evaluation =
            Evaluation { score: Some(values.of_move(edge).into()), depth: Some(depth.into()), ..Evaluation::default() };
        record.set_evaluation(next, Some(evaluation)).expect("the move is in the record");
        if let Some(child) = edge.child {
            enter(child, next, &mut open);
        }
    }
    Some(record)
}
