//! The expansion of a node: a move is chosen, and every position after it is searched.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use serde_json::Value;

use super::descent::Target;
use super::graph::{Candidate, Expansion, Found, Graph, START};
use crate::append_log::BatchSettings;
use crate::book::growth;
use crate::mate::{MateLimits, Solver};
use crate::search::{Limits, Pool, PoolError, Root, Settings};
use crate::shogi::{Move, Position};

/// The limits of the searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Effort {
    /// Nodes of the mate solver.
    pub mate_nodes: u64,
    /// Nodes of the search that estimates a position in which the solver finds no mate.
    pub nodes: u64,
    /// Nodes of the search for a move to try.
    pub move_nodes: u64,
    /// The size of each thread's two tables, in MiB.
    pub hash: usize,
}

impl Effort {
    /// The settings that determine the searches, under the names of the command line.
    pub fn settings(&self) -> BatchSettings {
        let Ok(Value::Object(settings)) = serde_json::to_value(self) else { unreachable!("these are numbers by name") };
        settings
    }
}

/// Opening knowledge: a book whose moves take precedence over those of searches.
pub struct Guide {
    graph: growth::Graph,
    values: growth::Values,
}

/// The searcher of a thread. Its tables are never cleared, so its results depend on earlier searches.
pub struct Prover {
    pool: Pool,
    solver: Solver,
    settings: Settings,
    effort: Effort,
}

impl Guide {
    /// A guide from a grown book.
    pub fn new(graph: growth::Graph) -> Guide {
        Guide { values: growth::Values::new(&graph), graph }
    }

    /// The book's move in a position.
    fn candidate(&self, position: &Position) -> Option<Candidate> {
        let id = self.graph.find(position)?;
        let node = self.graph.node(id);
        let edge = &node.edges[self.values.best(node)?];
        let score = i16::try_from(self.values.of_move(edge)).expect("a score is 32,000 at most");
        Some(Candidate { mv: edge.mv, score })
    }
}

impl Prover {
    /// A prover with its own tables.
    ///
    /// # Errors
    /// [`PoolError`] if the system lacks the resources.
    pub fn new(effort: Effort, settings: &Settings) -> Result<Prover, PoolError> {
        let pool = Pool::new(1, effort.hash)?;
        Ok(Prover { pool, solver: Solver::new(effort.hash)?, settings: settings.clone(), effort })
    }

    /// Expands a node; none if it was stopped.
    pub fn expand(
        &mut self,
        graph: &Graph,
        target: &Target,
        guide: Option<&Guide>,
        stop: &AtomicBool,
    ) -> Option<Expansion> {
        if target.node == START {
            let found = self.replies(graph, &target.position, None, guide, stop)?;
            return Some(Expansion { node: START, tried: None, found });
        }
        let node = graph.node(target.node);
        let tried: Vec<Move> = node.tries.iter().map(|one| one.mv).collect();
        // Most positions are evaluated only once. Those in which a move is tried deserve a longer search.
        let known = guide.filter(|_| tried.is_empty()).and_then(|guide| guide.candidate(&target.position));
        let candidate = match known {
            Some(candidate) => Some(candidate),
            None => self.best(&target.position, &tried, self.effort.move_nodes, stop)?,
        };
        let found = match candidate {
            Some(Candidate { mv, .. }) => self.replies(graph, &target.position, Some(mv), guide, stop)?,
            None => Vec::new(),
        };
        Some(Expansion { node: target.node, tried: candidate, found })
    }

    /// The results of all new positions after a move's replies.
    fn replies(
        &mut self,
        graph: &Graph,
        position: &Position,
        mv: Option<Move>,
        guide: Option<&Guide>,
        stop: &AtomicBool,
    ) -> Option<Vec<(u16, Found)>> {
        let mut found = Vec::new();
        for (index, (_, next)) in (0..).zip(graph.replies(position, mv).unwrap_or_default()) {
            let new = next.filter(|next| graph.find(next).is_none() && graph.covering(next).is_none());
            if let Some(next) = new {
                found.push((index, self.find(&next, guide, stop)?));
            }
        }
        Some(found)
    }

    fn find(&mut self, position: &Position, guide: Option<&Guide>, stop: &AtomicBool) -> Option<Found> {
        let limits = MateLimits { nodes: Some(self.effort.mate_nodes), ..mate_limits(&self.settings) };
        if let Some((_, plies)) = self.solver.mate_within(position, usize::MAX, limits, stop) {
            return Some(Found::Mate(u16::try_from(plies).expect("a mate is not that long")));
        }
        if let Some(candidate) = guide.and_then(|guide| guide.candidate(position)) {
            return Some(Found::Move(candidate));
        }
        Some(self.best(position, &[], self.effort.nodes, stop)?.map_or(Found::NoMove, Found::Move))
    }

    /// The best untried move by a search; none if there is none.
    #[expect(clippy::option_option, reason = "the outer one says that it was stopped")]
    fn best(
        &mut self,
        position: &Position,
        tried: &[Move],
        nodes: u64,
        stop: &AtomicBool,
    ) -> Option<Option<Candidate>> {
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        moves.retain(|mv| !tried.contains(mv));
        if moves.is_empty() {
            return Some(None);
        }
        let searchmoves = if tried.is_empty() { Vec::new() } else { moves };
        let limits = Limits { nodes: Some(nodes), searchmoves, ..Limits::default() };
        let outcome = self.pool.search(&Root::new(position.clone()), &limits, &self.settings, None, stop, &mut |_| {});
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let score = i16::try_from(outcome.score).expect("a score is 32,000 at most");
        Some(outcome.best.map(|mv| Candidate { mv, score }))
    }
}

/// Mates pass through no position in which the impasse rule may end the game after any history.
pub(super) fn mate_limits(settings: &Settings) -> MateLimits {
    MateLimits { impasse: Some((settings.impasse_rule, 0)), ..MateLimits::default() }
}
