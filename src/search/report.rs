use std::time::Duration;

use super::score::INFINITE;
use super::worker::{Shared, Worker};
use crate::score::{Bound, Score};
use crate::shogi::Move;

/// A line that a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The depth of the iteration, in plies.
    pub depth: usize,
    /// The greatest ply reached.
    pub seldepth: usize,
    /// The index among the best lines, from 1; none if only one was asked for.
    pub multipv: Option<usize>,
    /// The score from the point of view of the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The nodes of all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// The share of the hash table that this search has filled, in permille.
    pub hashfull: u32,
    /// The principal variation.
    pub pv: Vec<Move>,
}

impl Report {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOutcome {
    /// The best move; none if there is no legal one among those asked for.
    pub best: Option<Move>,
    /// The reply to ponder on.
    pub ponder: Option<Move>,
    /// The score in centipawns, ends of the game as in [`super::score`]. Without [lines](SearchOutcome::lines) nothing was
    /// searched, and it means nothing.
    pub score: i32,
    /// The depth of the last completed iteration, in plies.
    pub depth: usize,
    /// The nodes of all threads.
    pub nodes: u64,
    /// The first moves of the best lines, in order.
    pub lines: Vec<ScoredMove>,
}

/// A move with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// The score from the point of view of the side to move.
    pub score: Score,
}

impl<const EXPOSED: bool> Worker<EXPOSED> {
    /// Reports the best lines, those without a score left out.
    pub(super) fn report_lines(&self, shared: &Shared, depth: usize, lines: usize, report: &mut dyn FnMut(Report)) {
        for (index, root_move) in self.root_moves[..lines].iter().enumerate() {
            let score = root_move.last_score();
            if score == -INFINITE {
                continue;
            }
            report(Report {
                depth,
                seldepth: root_move.seldepth.max(depth),
                multipv: (lines > 1).then_some(index + 1),
                score: score.into(),
                bound: root_move.bound,
                nodes: shared.total_nodes(),
                time: shared.clock.elapsed(),
                hashfull: shared.table.hashfull(),
                pv: root_move.pv.to_vec(),
            });
        }
    }
}
