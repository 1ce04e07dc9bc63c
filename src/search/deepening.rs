//! Iterative deepening with aspiration windows.

use std::time::{Duration, Instant};

use super::Report;
use super::iteration::DeepestIteration;
use super::node::RootNode;
use super::root::RootMove;
use super::score::*;
use super::worker::{Shared, Worker};
use crate::shogi::Move;

impl<const EXPOSED: bool> Worker<EXPOSED> {
    /// Iterative deepening, until a limit is reached. Returns the depth of the last completed iteration.
    pub(super) fn run(&mut self, shared: &Shared, report: &mut dyn FnMut(Report)) -> usize {
        self.prepare(shared);
        let max_depth = shared.limits.depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1);
        let lines = shared.settings.multipv.clamp(1, self.root_moves.len().max(1));
        let mut last_report = None;
        let mut stable = 0;
        let mut before: Option<(Move, i32)> = None;
        if self.root_moves.is_empty() {
            return 0;
        }
        let deepest = shared.deepest.filter(|_| lines == 1);
        let mut depth = 0;
        while depth < max_depth {
            depth += 1;
            self.iteration = depth;
            for root_move in &mut self.root_moves {
                root_move.previous_score = root_move.score;
                root_move.score = -INFINITE;
            }
            for pv_index in 0..lines {
                self.pv_index = pv_index;
                self.seldepth = 0;
                self.aspire(shared, depth as i32);
                // Moves that a stopped iteration did not reach have no score, and sort behind those that it did.
                self.root_moves[pv_index..].sort_by_key(|root_move| -root_move.score);
                if self.stopped {
                    break;
                }
            }
            self.root_moves[..lines].sort_by_key(|root_move| -root_move.score);
            self.publish_nodes(shared);
            if let Some(deepest) = deepest {
                if self.overtaken {
                    depth = self.adopt(deepest);
                } else if !self.stopped {
                    deepest.complete(depth, &self.root_moves[0]);
                }
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            if self.is_main() {
                let due = last_report.is_none_or(|last: Instant| last.elapsed() >= shared.settings.pv_interval);
                if due {
                    self.report_lines(shared, depth, lines, report);
                    last_report = Some(Instant::now());
                }
                let best = &self.root_moves[0];
                stable = if before.is_some_and(|(mv, _)| mv == best.mv) { stable + 1 } else { 0 };
                let fall = before.map_or(0, |(_, score)| score - best.score);
                before = Some((best.mv, best.score));
                if self.should_end(shared, depth, stable, fall) {
                    break;
                }
            }
        }
        if self.stopped {
            // The first of several lines may have fallen since, and the others were not all searched again: they stand in the
            // order of the scores that they show.
            self.root_moves[usize::from(lines == 1)..lines].sort_by_key(|root_move| -root_move.last_score());
        }
        if self.is_main() && last_report.is_none_or(|_| shared.settings.pv_interval > Duration::ZERO || self.stopped) {
            // The last report ignores the interval.
            self.report_lines(shared, self.completed.max(1), lines, report);
        }
        self.completed
    }

    /// Adopts the best move of the deepest completed iteration. Returns its depth.
    fn adopt(&mut self, deepest: &DeepestIteration) -> usize {
        let (depth, best) = deepest.get();
        self.stopped = false;
        self.overtaken = false;
        let place = |best: &RootMove| self.root_moves.iter().position(|root_move| root_move.mv == best.mv);
        if let Some(best) = best
            && let Some(index) = place(&best)
        {
            let nodes = self.root_moves[index].nodes;
            self.root_moves[index] = RootMove { nodes, ..best };
            self.root_moves[..=index].rotate_right(1);
        }
        depth
    }

    /// One iteration, with an aspiration window around the score of the last one.
    fn aspire(&mut self, shared: &Shared, depth: i32) {
        let previous = self.root_moves[self.pv_index].previous_score;
        let mut delta = self.params.AspirationDelta();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= self.params.AspirationDepth() && previous.abs() < DECIDED_BOUND {
            alpha = (previous - delta).max(-INFINITE);
            beta = (previous + delta).min(INFINITE);
        }
        let mut lowered = 0;
        loop {
            for root_move in &mut self.root_moves[self.pv_index..] {
                root_move.previous_score = root_move.last_score();
                root_move.score = -INFINITE;
            }
            let depth = (depth - lowered).max(1);
            let score = self.search::<RootNode>(&shared.root.position, shared, alpha, beta, depth, 0, false);
            if self.stopped {
                return;
            }
            self.root_moves[self.pv_index..].sort_by_key(|root_move| -root_move.score);
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                lowered = 0;
            } else if score >= beta {
                beta = (score + delta).min(INFINITE);
                lowered = (lowered + 1).min(self.params.AspirationReduction());
            } else {
                return;
            }
            delta += delta / 2;
            if alpha < -DECIDED_BOUND || beta > DECIDED_BOUND || delta > 1_500 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::histories::Learned;

    #[test]
    fn an_overtaken_thread_adopts_the_best_move() {
        let mut worker = Worker::<false>::new(1, Learned::nothing());
        let moves = [("6e6d", 30), ("5f5e", 20), ("4f4e", 10)];
        worker.root_moves = moves.map(|(mv, nodes)| RootMove { nodes, ..RootMove::scored(mv, 0) }).into();
        (worker.stopped, worker.overtaken) = (true, true);
        let deepest = DeepestIteration::default();
        let found = RootMove { nodes: 1_000, seldepth: 12, ..RootMove::scored("4f4e", 55) };
        deepest.complete(7, &found);
        assert_eq!(worker.adopt(&deepest), 7);
        assert!(!worker.stopped && !worker.overtaken);
        let order = worker.root_moves.iter().map(|root_move| root_move.mv.to_string()).collect::<Vec<_>>();
        assert_eq!(order, ["4f4e", "6e6d", "5f5e"], "the others keep their order");
        let best = &worker.root_moves[0];
        assert_eq!((best.score, best.seldepth), (55, 12));
        assert_eq!(best.nodes, 10, "the node count stays its own");
    }
}
