//! The repertoire of a book: each player's good moves, and the positions that the opponent can reach.

use std::sync::atomic::AtomicBool;

use super::graph::{Edge, Graph, Node, NodeId, is_proven};
use super::grower::GrowthError;
use super::leaf::{Effort, Leaf};
use super::searchers::Searchers;
use super::start::Start;
use super::values::Values;
use super::walk::{Candidate, Place, Walk};
use crate::book::CompactBook;
use crate::shogi::{Color, Move};

/// The cost of a ply on the way to a position, in centipawns: among equally likely positions the earlier ones come
/// first.
const PLY: u32 = 10;

/// Beyond this score, in centipawns, the better player wins in many ways, and searches disagree on the best one.
const WON: u32 = 1_000;

/// The cost up to which a book also plays in such positions: a few plies from the start of a handicap game.
const EARLY: u32 = 6 * PLY;

/// A position in which the book plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The position.
    pub id: NodeId,
    /// The cost of the moves to it: their losses and their number, see [`repertoire`].
    pub cost: u32,
    /// The playable moves with their scores for the player who moves, the best first.
    pub moves: Vec<(Move, i16)>,
}

impl Entry {
    /// Whether nothing after the best move was searched.
    pub fn is_leaf(&self, graph: &Graph) -> bool {
        let (best, score) = self.moves[0];
        let known = graph.node(self.id).edges.iter().find(|edge| edge.mv == best);
        known.is_none_or(|edge| edge.child.is_none()) && !is_proven(score.into())
    }
}

/// The positions of the repertoire, the likeliest first: those whose moves give least away, by either player, with 10
/// centipawns per ply. The player whose turn it is has played moves within `margin` centipawns of the best, the
/// opponent any moves.
///
/// Excluded are positions whose best move may be unknown to the book, lost positions, and, except in the first plies,
/// positions that one player wins easily. A move is played only if a search of the position after it has confirmed it,
/// or if it is proven: one score of a search for several moves is no more than the engine finds by itself. With
/// `leaves` the best move of a position is played in any case, until [`search_leaves`] finds a better one.
pub fn repertoire(graph: &Graph, values: &Values, margin: u32, leaves: bool) -> Vec<Entry> {
    let mut entries = Vec::new();
    for side in Color::ALL {
        let starts = Start::ALL.into_iter().filter_map(|start| graph.start(start));
        let walk = Walk::new(graph, values, starts, 0, |&Candidate { node, drop, .. }| {
            let follows = node.side != side || drop <= margin && is_settled(values, node);
            follows.then(|| PLY.saturating_add(drop))
        });
        for (step, cost) in walk {
            let Place::Node(id) = step.place else { continue };
            let node = graph.node(id);
            let value = values.of(id);
            let far = value.unsigned_abs() > WON && !is_proven(value) && cost > EARLY;
            if node.side == side && is_settled(values, node) && !is_lost(value) && !far {
                let moves = good_moves(values, node, margin, leaves);
                entries.extend((!moves.is_empty()).then_some(Entry { id, cost, moves }));
            }
        }
    }
    entries.sort_by_key(|entry| (entry.cost, entry.id));
    entries
}

/// Searches the positions after whose best move nothing was searched, and replaces their moves by the search's best
/// move. Other positions are left unchanged: the searches below them are more reliable than one search, however long.
/// Runs on `threads` threads, 0 for one per core, and calls `tell` after each search. Returns the number of searches;
/// none if `stop` was set.
///
/// # Errors
/// [`GrowthError`] if the system lacks the resources for the searches.
pub fn search_leaves(
    graph: &Graph,
    entries: &mut [Entry],
    effort: Effort,
    threads: usize,
    stop: &AtomicBool,
    tell: &(dyn Fn() + Sync),
) -> Result<Option<usize>, GrowthError> {
    let mut leaves: Vec<&mut Entry> = entries.iter_mut().filter(|entry| entry.is_leaf(graph)).collect();
    let leaf = |entry: &&mut Entry| Leaf { position: graph.position(entry.id), without: Vec::new() };
    let positions: Vec<Leaf> = leaves.iter().map(leaf).collect();
    let Some(found) = Searchers::new(threads, effort)?.search(&positions, stop, tell) else { return Ok(None) };
    for (entry, found) in leaves.iter_mut().zip(found) {
        entry.moves = vec![(found.lines[0].mv, found.lines[0].score)];
    }
    Ok(Some(leaves.len()))
}

/// The likeliest positions that fit into a compact book of `size` bytes.
pub fn fitting(mut entries: Vec<Entry>, size: usize) -> Vec<Entry> {
    let mut bytes = 0;
    let fits = |(count, entry): (usize, &Entry)| {
        bytes += CompactBook::bytes_for(entry.moves.len());
        bytes + CompactBook::overhead(count) <= size
    };
    let count = (1..).zip(&entries).map(fits).take_while(|&fits| fits).count();
    entries.truncate(count);
    entries
}

/// The compact book of some positions.
pub fn compact(graph: &Graph, entries: &[Entry]) -> CompactBook {
    let moves = |entry: &Entry| (graph.node(entry.id).key, entry.moves.clone());
    CompactBook::new(entries.iter().map(moves).collect())
}

/// Whether the best move of a position is known: no unsearched move is expected to be better.
fn is_settled(values: &Values, node: &Node) -> bool {
    let best = values.best(node).map(|best| values.of_move(&node.edges[best]));
    best.is_some_and(|best| node.rest.is_none_or(|rest| i32::from(rest) <= best))
}

fn is_lost(value: i32) -> bool {
    is_proven(value) && value < 0
}

/// The confirmed moves within a margin of the best, the best first; with `leaves` the best even if unconfirmed. None if
/// the best is unconfirmed. Of a proven win, only the shortest.
fn good_moves(values: &Values, node: &Node, margin: u32, leaves: bool) -> Vec<(Move, i16)> {
    let ranked: Vec<&Edge> = values.ranked(node).into_iter().map(|index| &node.edges[index]).collect();
    let is_confirmed = |edge: &Edge| edge.child.is_some() || is_proven(values.of_move(edge));
    let Some(first) = ranked.first().filter(|first| leaves || is_confirmed(first)) else { return Vec::new() };
    let best = values.of_move(first);
    let is_good = |edge: &Edge| best.abs_diff(values.of_move(edge)) <= margin && !is_proven(best);
    let good = 1.max(ranked.iter().take_while(|edge| is_good(edge)).count());
    let score = |edge: &Edge| i16::try_from(values.of_move(edge)).expect("a score is 32,000 at most");
    let played = (0..).zip(&ranked[..good]).filter(|(index, edge)| *index == 0 || is_confirmed(edge));
    played.map(|(_, edge)| (edge.mv, score(edge))).collect()
}
