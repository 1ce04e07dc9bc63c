//! Time management between iterations: how much of the time for a move is used.

use super::score::DECIDED_BOUND;
use super::worker::{Shared, Worker};

/// A decided score ends a timed search beyond this depth, in plies.
const DECIDED_DEPTH: usize = 60;

impl<const EXPOSED: bool> Worker<EXPOSED> {
    /// Whether to end before the next iteration, when the best move has been the same for `stable` iterations and its score
    /// fell by `fall` centipawns in the last one.
    pub(super) fn should_end(&self, shared: &Shared, depth: usize, stable: u32, fall: i32) -> bool {
        let limits = shared.limits;
        // A level's, which holds on the opponent's time too.
        if limits.soft_nodes.is_some_and(|limit| shared.total_nodes() >= limit) {
            return true;
        }
        if limits.infinite || shared.clock.is_pondering() {
            return false;
        }
        let timed = shared.clock.is_timed();
        // The only legal move, or a decided score that many iterations have confirmed.
        if timed
            && (self.root_moves.len() == 1 || self.root_moves[0].score.abs() >= DECIDED_BOUND && depth > DECIDED_DEPTH)
        {
            return true;
        }
        if timed && shared.clock.until_minimum().is_some() {
            return false;
        }
        let percent = |value: i32| f64::from(value) / 100.0;
        let stability = percent(match stable {
            0 => self.params.TimeUnstable(),
            1 => self.params.TimeStable1(),
            2 | 3 => self.params.TimeStable2(),
            4..8 => self.params.TimeStable4(),
            _ => self.params.TimeStable8(),
        });
        let effort = self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64;
        let effort = percent(self.params.TimeEffortBase()) - percent(self.params.TimeEffortScale()) * effort;
        let fall = fall.clamp(-self.params.TimeRise(), self.params.TimeFall());
        let trouble = 1.0 + f64::from(fall) / f64::from(self.params.TimeFallScale());
        shared.clock.is_used(stability * effort * trouble)
    }
}
