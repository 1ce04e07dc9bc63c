//! What the engine asks its mate solver: `go mate`, and whether there is a mate before it thinks of a move.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::MateRequest;
use crate::mate::{self, Answer, Progress, Solution, Solver};
use crate::score::{Bound, Score};
use crate::search::{Clock, Limits, Report, Root, Settings};

/// The solver and its table, which outlive a question.
pub(super) type SharedSolver = Arc<Mutex<Solver>>;

/// For as long as this a shorter mate is looked for under `go mate infinite`, or as long as the first one took.
const SHORTENING: Duration = Duration::from_secs(5);

/// The part of a move's time or positions that the solver may use before it.
const SHARE: u32 = 20;

/// The size of a solver's table in MiB.
pub(super) fn mebibytes(solver: &SharedSolver) -> usize {
    solver.lock().unwrap_or_else(PoisonError::into_inner).mebibytes()
}

/// A question to the solver.
pub(super) struct MateQuestion {
    solver: SharedSolver,
    limits: mate::MateLimits,
    /// The game is drawn after the move with this number.
    max_moves: Option<u32>,
}

impl MateQuestion {
    /// `go mate`.
    pub(super) fn of_the_user(solver: SharedSolver, request: MateRequest, delay: Duration) -> MateQuestion {
        let limits = match request {
            MateRequest::Time(time) => mate::MateLimits {
                time: Some(time.saturating_sub(delay.min(time / 20))),
                ..mate::MateLimits::default()
            },
            MateRequest::Infinite => mate::MateLimits { shortening: Some(SHORTENING), ..mate::MateLimits::default() },
        };
        MateQuestion { solver, limits, max_moves: None }
    }

    /// Before a search within these limits.
    pub(super) fn before_a_move(
        solver: SharedSolver,
        nodes: u64,
        limits: &Limits,
        settings: &Settings,
    ) -> MateQuestion {
        let nodes = limits.nodes.map_or(nodes, |most| nodes.min(most / u64::from(SHARE)));
        let impasse = Some((settings.impasse_rule, settings.impasse_plies));
        let limits = mate::MateLimits { nodes: Some(nodes), impasse, ..mate::MateLimits::default() };
        MateQuestion {
            solver,
            limits,
            max_moves: (settings.max_moves_to_draw > 0).then_some(settings.max_moves_to_draw),
        }
    }

    /// Asks it.
    pub(super) fn answer(&self, root: &Root, stop: &AtomicBool, report: impl FnMut(Progress)) -> Answer {
        let mut solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
        solver.solve(&root.position, &root.history, self.limits, stop, report)
    }

    /// Asks it in the time for a move, of which it may use its share. Not while pondering, when that time is not known.
    pub(super) fn before_searching(mut self, root: &Root, clock: &Clock, stop: &AtomicBool) -> Option<Report> {
        if clock.is_pondering() {
            return None;
        }
        self.limits.time = clock.for_move().map(|time| time / SHARE);
        let mut nodes = 0;
        let Answer::Mate(Solution { moves, .. }) = self.answer(root, stop, |progress| nodes = progress.nodes) else {
            return None;
        };
        // The game is drawn before that.
        let last = root.position.move_number() as usize + moves.len() - 1;
        if self.max_moves.is_some_and(|most| last > most as usize) {
            return None;
        }
        Some(Report {
            depth: moves.len(),
            seldepth: moves.len(),
            multipv: None,
            score: Score::Mate(moves.len() as i32),
            bound: Bound::Exact,
            nodes,
            time: clock.elapsed(),
            hashfull: 0,
            pv: moves,
        })
    }
}
