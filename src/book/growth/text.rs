//! Export of a whole book in YaneuraOu's text format (DB2016), with backed-up scores.

use std::io::{self, Write};

use super::graph::{Graph, Node};
use super::values::Values;
use crate::book::text::HEADER;

/// Writes every position of a book in the text format of [`crate::book::text`], in the order of their SFENs, with all
/// known moves, the best first.
///
/// # Errors
/// The errors of `out`.
pub fn write_text(graph: &Graph, values: &Values, mut out: impl Write) -> io::Result<()> {
    let mut positions: Vec<(String, &Node)> =
        graph.ids().map(|id| (graph.position(id).to_string(), graph.node(id))).collect();
    positions.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    writeln!(out, "{HEADER}")?;
    for (sfen, node) in positions.iter().filter(|(_, node)| !node.edges.is_empty()) {
        writeln!(out, "sfen {sfen}")?;
        for index in values.ranked(node) {
            let edge = &node.edges[index];
            let child = edge.child.map(|child| graph.node(child));
            let reply = child.and_then(|child| Some(child.edges[values.best(child)?].mv)).or(edge.reply);
            let reply = reply.map_or("none".to_owned(), |reply| reply.to_string());
            let depth = child.map_or(node.depth, |child| child.depth);
            writeln!(out, "{} {reply} {} {depth} 1", edge.mv, values.of_move(edge))?;
        }
    }
    Ok(())
}
