//! The search of a single position of the book.
//!
//! A leaf is searched by one thread with an empty table, so that the result depends only on the leaf and the
//! [`Effort`]: not on the number of threads, earlier searches or the machine.
//!
//! One search gives the scores of several moves (MultiPV). To the same depth, four lines take 2.8 times the nodes of
//! one, and eight 5.2 times (16 openings, depth 13). Searching each child would take one search for each of 20 to 60
//! moves, most of which are never played. Moves beyond the lines are searched later, if the book needs them: see
//! [`Leaf::without`].

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::mate::{MateLimits, MateOutcome, Solver};
use crate::search::score::MATE;
use crate::search::{Limits, Pool, PoolError, Root, Settings};
use crate::shogi::{Move, Position};

/// The size of the mate solver's table, in MiB.
const SOLVER_HASH: usize = 4;

/// The maximum number of nodes of the mate solver before a search.
const SOLVER_NODES: u64 = 50_000;

/// The hard node limit as a multiple of the soft one, which also ends an iteration.
const OVERDRAFT: u64 = 4;

/// The minimum hard node limit, so that the first iteration gives every line a score.
const LEAST_NODES: u64 = 20_000;

/// The limits of a leaf's search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// Nodes after which no further iteration begins.
    pub nodes: u64,
    /// The number of best moves with scores of their own.
    pub lines: usize,
    /// The size of the transposition table, in MiB.
    pub hash: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub position: Position,
    /// Known moves to exclude; the others are searched.
    pub without: Vec<Move>,
}

/// The result of a leaf's search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The best moves, the best first. Empty if there is no legal move.
    pub lines: Vec<FoundLine>,
    /// Whether it has all requested moves, or needs no more because of a mate.
    pub complete: bool,
    /// The depth of the search, in plies.
    pub depth: u8,
    /// The nodes searched, including the mate solver's.
    pub nodes: u64,
}

/// A move with its expected reply and score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundLine {
    #[serde(with = "super::moves")]
    pub mv: Move,
    #[serde(with = "super::moves::optional")]
    pub reply: Option<Move>,
    /// The score in centipawns for the player who moves; decided games as in [`crate::search::score`].
    pub score: i16,
}

/// The searcher of a thread.
pub struct Searcher {
    pool: Pool,
    solver: Solver,
    settings: Settings,
    effort: Effort,
}

impl Searcher {
    /// A searcher with its own tables.
    ///
    /// # Errors
    /// [`PoolError`] if the system lacks the resources.
    pub fn new(effort: Effort) -> Result<Searcher, PoolError> {
        let settings = Settings { multipv: effort.lines.max(1), ..Settings::default() };
        let pool = Pool::new(1, effort.hash)?;
        Ok(Searcher { pool, solver: Solver::new(SOLVER_HASH)?, settings, effort })
    }

    /// Searches a leaf; none if it was stopped.
    pub fn search(&mut self, leaf: &Leaf, stop: &AtomicBool) -> Option<Found> {
        let mut moves: Vec<Move> = leaf.position.legal_moves().into_iter().collect();
        moves.retain(|mv| !leaf.without.contains(mv));
        if moves.is_empty() {
            return Some(Found { lines: Vec::new(), complete: true, depth: 0, nodes: 0 });
        }
        let found = match leaf.without.is_empty() {
            true => self.mate(&leaf.position, stop),
            false => Err(0),
        };
        let found = found.unwrap_or_else(|nodes| self.best_moves(leaf, moves, nodes, stop));
        (!stop.load(Ordering::Relaxed)).then_some(found)
    }

    /// Returns a mate by checks, or else the number of nodes visited.
    fn mate(&mut self, position: &Position, stop: &AtomicBool) -> Result<Found, u64> {
        self.solver.clear();
        let root = Root::new(position.clone());
        let impasse = Some((self.settings.impasse_rule, self.settings.impasse_plies));
        let limits = MateLimits { nodes: Some(SOLVER_NODES), impasse, ..MateLimits::default() };
        let mut nodes = 0;
        let answer = self.solver.solve(position, &root.history, limits, stop, |progress| nodes = progress.nodes);
        let MateOutcome::Mate(solution) = answer else { return Err(nodes) };
        let plies = solution.length;
        let score = MATE - i32::try_from(plies).expect("a mate is not that long");
        let line = FoundLine { mv: solution.moves[0], reply: solution.moves.get(1).copied(), score: stored(score) };
        let depth = u8::try_from(plies).unwrap_or(u8::MAX);
        Ok(Found { lines: vec![line], complete: true, depth, nodes })
    }

    /// Searches the best of some moves. `nodes` were visited before.
    fn best_moves(&mut self, leaf: &Leaf, moves: Vec<Move>, nodes: u64, stop: &AtomicBool) -> Found {
        let count = moves.len();
        let limits = Limits {
            soft_nodes: Some(self.effort.nodes),
            nodes: Some(self.effort.nodes.saturating_mul(OVERDRAFT).max(LEAST_NODES)),
            searchmoves: if leaf.without.is_empty() { Vec::new() } else { moves },
            ..Limits::default()
        };
        let root = Root::new(leaf.position.clone());
        self.pool.clear();
        let mut replies: Vec<(Move, Option<Move>)> = Vec::new();
        let outcome = self.pool.search(&root, &limits, &self.settings, None, stop, &mut |report| {
            let Some(&mv) = report.pv.first() else { return };
            replies.retain(|&(other, _)| other != mv);
            replies.push((mv, report.pv.get(1).copied()));
        });
        let mut lines: Vec<FoundLine> = (outcome.lines.iter())
            .map(|line| {
                let reply = replies.iter().find(|(mv, _)| *mv == line.mv).and_then(|&(_, reply)| reply);
                FoundLine { mv: line.mv, reply, score: stored(line.score.into()) }
            })
            .collect();
        // After an interrupted iteration the scores have two depths.
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        let depth = u8::try_from(outcome.depth).unwrap_or(u8::MAX);
        Found { complete: lines.len() == count, lines, depth, nodes: nodes + outcome.nodes }
    }
}

/// A score in the book's format.
fn stored(score: i32) -> i16 {
    i16::try_from(score).expect("a score is 32,000 at most")
}
