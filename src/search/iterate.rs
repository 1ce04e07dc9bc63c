//! Iterative deepening with aspiration windows, when a timed search ends, the moves of the root, and the lines that are
//! reported.

use std::time::Instant;

use super::Report;
use super::node::RootNode;
use super::score::*;
use super::threads::{RootMove, Scratch, Shared, ThreadResult, Worker, report_lines};
use crate::score::Bound;
use crate::shogi::Move;

/// A decided score ends a timed search beyond this depth, in plies.
const DECIDED_DEPTH: usize = 60;

impl Worker<'_> {
    /// Iterative deepening, until a limit is reached.
    pub(super) fn run(mut self, report: &mut dyn FnMut(Report)) -> (ThreadResult, Scratch) {
        if !self.root_moves.is_empty() {
            self.deepen(report);
        }
        self.finish()
    }

    fn deepen(&mut self, report: &mut dyn FnMut(Report)) {
        let shared = self.shared;
        let max_depth = shared.limits.depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1);
        let lines = shared.settings.multipv.clamp(1, self.root_moves.len());
        let (mut last_report, mut is_reported) = (None, false);
        let mut stable = 0;
        let mut before: Option<(Move, i32)> = None;
        for depth in 1..=max_depth {
            for root_move in &mut self.root_moves {
                root_move.previous_score = root_move.score;
                root_move.score = -INFINITE;
                root_move.fail_low = None;
            }
            for pv_index in 0..lines {
                self.pv_index = pv_index;
                self.seldepth = 0;
                self.aspiration_search(depth as i32);
                // Moves that a stopped iteration did not reach have no score and sort last.
                self.root_moves[pv_index..].sort_by_key(|root_move| -root_move.score);
                if self.stopped {
                    cap_unsearched(&mut self.root_moves, pv_index);
                    if lines == 1 {
                        self.replace_lost_move();
                    }
                    break;
                }
            }
            self.root_moves[..lines].sort_by_key(|root_move| -root_move.score);
            self.publish_nodes();
            if self.stopped {
                break;
            }
            self.completed = depth;
            self.completed_score = Some(self.root_moves[0].score);
            if self.is_main() {
                is_reported = last_report.is_none_or(|last: Instant| last.elapsed() >= shared.settings.pv_interval);
                if is_reported {
                    report_lines(shared, &self.root_moves[..lines], depth, report);
                    last_report = Some(Instant::now());
                }
                let best = &self.root_moves[0];
                stable = if before.is_some_and(|(mv, _)| mv == best.mv) { stable + 1 } else { 0 };
                let fall = before.map_or(0, |(_, score)| score - best.score);
                before = Some((best.mv, best.score));
                if self.should_end(depth, stable, fall) {
                    break;
                }
            }
        }
        if self.stopped {
            // The score of the first line may have dropped since, and a stopped iteration did not search the others
            // again: sort the lines by the scores that they show.
            self.root_moves[usize::from(lines == 1)..lines].sort_by_key(|root_move| -root_move.last_score());
        }
        if self.is_main() && (self.stopped || !is_reported) {
            // The last report ignores the interval.
            report_lines(shared, &self.root_moves[..lines], self.completed.max(1), report);
        }
    }

    /// Whether to stop before the next iteration, given that the best move has been the same for `stable` iterations
    /// and its score fell by `fall` centipawns in the last one.
    fn should_end(&self, depth: usize, stable: u32, fall: i32) -> bool {
        let Shared { limits, clock, .. } = self.shared;
        // The node limit of a strength level also applies while pondering.
        if limits.soft_nodes.is_some_and(|limit| self.shared.total_nodes() >= limit) {
            return true;
        }
        if limits.infinite || !clock.is_timed() {
            return false;
        }
        let share = self.needed_share(stable, fall);
        if clock.is_pondering() {
            clock.note_pondered(share);
            return false;
        }
        // Many iterations have confirmed a decided score.
        let is_decided = self.root_moves[0].score.abs() >= DECIDED_BOUND && depth > DECIDED_DEPTH;
        is_decided || self.is_forced() || clock.until_minimum().is_none() && clock.is_used(share)
    }

    /// The share of the optimum time after which the search ends.
    fn needed_share(&self, stable: u32, fall: i32) -> f64 {
        let percent = |value: i32| f64::from(value) / 100.0;
        let stability = percent(match stable {
            0 => self.params.TimeUnstable,
            1 => self.params.TimeStable1,
            2 | 3 => self.params.TimeStable2,
            4..8 => self.params.TimeStable4,
            _ => self.params.TimeStable8,
        });
        let effort = self.shared.root_nodes.share(self.root_moves[0].mv);
        let effort = percent(self.params.TimeEffortBase) - percent(self.params.TimeEffortScale) * effort;
        let fall = fall.clamp(-self.params.TimeRise, self.params.TimeFall);
        let decline = 1.0 + f64::from(fall) / f64::from(self.params.TimeFallScale);
        stability * effort * decline
    }

    /// Searches one iteration with an aspiration window around the last score.
    fn aspiration_search(&mut self, depth: i32) {
        let previous = self.root_moves[self.pv_index].previous_score;
        // Helper threads differ from the main thread by a wider window.
        let mut delta = self.params.AspirationDelta * if self.is_main() { 1 } else { 2 };
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= self.params.AspirationDepth && previous.abs() < DECIDED_BOUND {
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
            let score = self.search::<RootNode>(&self.shared.root.position, alpha, beta, depth, 0, false);
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
                lowered = (lowered + 1).min(self.params.AspirationReduction);
            } else {
                return;
            }
            delta += delta / 2;
            if alpha < -DECIDED_BOUND || beta > DECIDED_BOUND || delta > 1_500 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Puts another move first if a stopped iteration has only found that the first move loses.
    fn replace_lost_move(&mut self) {
        let Some(completed) = self.completed_score.filter(|&score| score > -DECIDED_BOUND) else { return };
        let Some(index) = better_than_lost(&self.root_moves) else { return };
        self.root_moves[..=index].rotate_right(1);
        let root_move = &mut self.root_moves[0];
        (root_move.score, root_move.bound) = (completed, Bound::Upper);
        root_move.pv.truncate(1);
    }

    /// Sets the score and the principal variation of a root move that was searched with this window. Of a move that is
    /// not the best so far, only the score of its fail low is kept.
    pub(super) fn update_root_move(&mut self, mv: Move, score: i32, alpha: i32, beta: i32, is_best: bool) {
        let place = self.root_moves.iter().position(|root_move| root_move.mv == mv);
        let root_move = &mut self.root_moves[place.expect("a root move stands in the list")];
        if !is_best {
            root_move.fail_low = Some(score);
            return;
        }
        root_move.score = score;
        root_move.seldepth = self.seldepth;
        root_move.bound = match score {
            score if score >= beta => Bound::Lower,
            score if score <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        root_move.pv.clear();
        root_move.pv.push(mv);
        root_move.pv.extend_from_slice(&self.stack[1].pv);
    }
}

/// If the first move loses, the index of the most promising move that may hold: the one that failed low with the
/// highest score, or else the first that was not searched.
fn better_than_lost(root_moves: &[RootMove]) -> Option<usize> {
    let (first, others) = root_moves.split_first()?;
    if first.last_score() > -DECIDED_BOUND {
        return None;
    }
    let holds = |other: &&RootMove| other.fail_low.is_some_and(|score| score > -DECIDED_BOUND);
    let most = others.iter().filter(holds).map(|other| other.fail_low).max();
    Some(1 + others.iter().position(|other| other.fail_low == most.flatten())?)
}

/// Limits the old scores of the lines that a stopped iteration has not searched: they failed low against the last of
/// those that it has.
fn cap_unsearched(root_moves: &mut [RootMove], searched: usize) {
    let (searched, rest) = root_moves.split_at_mut(searched);
    let Some(cap) = searched.last().map(|line| line.score) else { return };
    for line in rest.iter_mut().filter(|line| line.score == -INFINITE && line.previous_score > cap) {
        (line.previous_score, line.bound) = (cap, Bound::Upper);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_may_hold_is_played_instead_of_a_lost_one() {
        let moves = ["6e6d", "5f5e", "4f4e", "4f3e"];
        let lost = Some(mated_in(6));
        for (score, fail_lows, better) in [
            (mated_in(6), [lost, Some(-40), Some(10)], Some(3)),
            (mated_in(6), [lost, Some(-40), None], Some(2)),
            (mated_in(6), [lost, None, None], Some(2)),
            (mated_in(6), [lost, lost, lost], None),
            (-300, [lost, Some(-40), Some(10)], None),
        ] {
            let mut root_moves = moves.map(|mv| RootMove::scored(mv, -INFINITE));
            root_moves[0].score = score;
            root_moves[1..].iter_mut().zip(fail_lows).for_each(|(other, fail_low)| other.fail_low = fail_low);
            assert_eq!(better_than_lost(&root_moves), better, "{score} {fail_lows:?}");
        }
    }

    #[test]
    fn a_line_that_was_not_searched_again_is_no_better_than_the_last_one_that_was() {
        let lines = [("6e6d", 50, 80), ("5f5e", -INFINITE, 60), ("4f4e", -INFINITE, 40), ("4f3e", 45, 70)];
        for (searched, expected) in [(1, [50, 50, 40, 45]), (0, [50, 60, 40, 45])] {
            let mut root_moves =
                lines.map(|(mv, score, previous_score)| RootMove { previous_score, ..RootMove::scored(mv, score) });
            cap_unsearched(&mut root_moves, searched);
            assert_eq!(root_moves.each_ref().map(RootMove::last_score), expected);
            assert_eq!(root_moves[1].bound == Bound::Upper, searched == 1);
        }
    }
}
