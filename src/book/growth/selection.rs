//! The selection of the next positions to search.

use std::collections::HashSet;

use super::graph::{Graph, Target, is_proven};
use super::start::Start;
use super::values::Values;
use super::walk::{Candidate, Place, Step, Walk};
use crate::shogi::Color;

/// The rule for selecting the next positions. Every rule walks from a start position in order of cost, and no rule
/// continues beyond a proven position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Drop-out expansion (Lincke 2001, "Strategies for the Automatic Construction of Opening Books"): a move costs its
    /// loss against the best move, for either player, and every ply costs some centipawns more. The best line is
    /// followed deepest; the greater the mistakes of a line, the less deep it is followed.
    DropOut {
        /// The cost of a ply in centipawns. Greater values make the book broader.
        ply: u32,
    },
    /// Drop-out expansion for each player in turn: his moves only within a margin of the best, since he plays no
    /// others, and every move of the opponent.
    OneSided {
        /// The cost of a ply, in centipawns.
        ply: u32,
        /// The margin in centipawns.
        margin: u32,
    },
    /// The rule of YaneuraOu's book miners: for each player in turn only his best move, and every reply within a margin
    /// of the best; the positions closest to the start first.
    Margin {
        /// The margin in centipawns.
        margin: u32,
    },
}

impl Strategy {
    /// The cost of a move on the way to the next position; none if it is not followed. `side` is the player of whom
    /// only the best moves are followed, if there is one.
    fn cost(self, candidate: &Candidate, side: Option<Color>) -> Option<u32> {
        let &Candidate { node, drop, is_best } = candidate;
        let own = side == Some(node.side);
        match self {
            Strategy::OneSided { margin, .. } if own && drop > margin => None,
            Strategy::DropOut { ply } | Strategy::OneSided { ply, .. } => Some(ply.saturating_add(drop)),
            Strategy::Margin { margin } => (if own { is_best } else { drop <= margin }).then_some(1),
        }
    }

    /// The players for whom a book grows in turn; a single none for both at once.
    fn sides(self) -> &'static [Option<Color>] {
        match self {
            Strategy::DropOut { .. } => &[None],
            Strategy::OneSided { .. } | Strategy::Margin { .. } => &[Some(Color::Black), Some(Color::White)],
        }
    }
}

/// Selects up to `count` targets, evenly from the start positions. `seed` decides between those of equal cost.
pub(super) fn choose(
    graph: &Graph,
    values: &Values,
    strategy: Strategy,
    seed: u64,
    starts: &[Start],
    count: usize,
) -> Vec<Target> {
    let mut walks: Vec<(Start, Option<Color>)> =
        starts.iter().flat_map(|&start| strategy.sides().iter().map(move |&side| (start, side))).collect();
    // A batch that has less than one target for each walk begins with another walk than the batch before.
    let is_small = count < walks.len();
    if is_small {
        let first = graph.len() % walks.len();
        walks.rotate_left(first);
    }
    let (mut chosen, mut taken) = (Vec::new(), HashSet::new());
    for (index, &(start, side)) in walks.iter().enumerate() {
        // Distribute the remainder to the following walks.
        let (left, walks) = (count - chosen.len(), walks.len() - index);
        let share = if is_small { left.div_ceil(walks) } else { left / walks };
        match graph.start(start) {
            None => {
                let is_new = share > 0 && taken.insert(Target::Start(start).key(graph));
                chosen.extend(is_new.then_some(Target::Start(start)));
            }
            Some(root) => {
                let walk = Walk::new(graph, values, [root], seed, |candidate| strategy.cost(candidate, side));
                let targets = walk.filter_map(|(step, _)| target(graph, step));
                chosen.extend(targets.filter(|target| taken.insert(target.key(graph))).take(share));
            }
        }
    }
    chosen
}

/// The target of a step; none for a position that is in the graph already, or with a proven result.
fn target(graph: &Graph, step: Step) -> Option<Target> {
    match (step.place, step.from) {
        (Place::Outside(_), Some((id, edge))) => {
            let score = graph.node(id).edges[usize::from(edge)].score;
            (!is_proven(score.into())).then_some(Target::Move(id, edge))
        }
        (Place::Rest(id), _) => {
            let score = graph.node(id).rest?;
            (!is_proven(score.into())).then_some(Target::Rest(id))
        }
        _ => None,
    }
}

impl Target {
    /// The key of the new position; for the other moves of a position a key that no position has.
    fn key(self, graph: &Graph) -> u64 {
        match self {
            Target::Start(start) => start.position().key(),
            Target::Move(id, edge) => graph.node(id).edges[usize::from(edge)].key,
            Target::Rest(id) => !graph.node(id).key,
        }
    }
}
