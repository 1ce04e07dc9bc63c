//! Queries to the mate solver: `go mate`, and the mate search before a search for a move.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::mate::{self, MateOutcome, Progress, Solution, Solver};
use crate::score::{Bound, Score};
use crate::search::{Limits, Report, Root, SearchClock, Settings, fixed_time};
use crate::work::lock;

/// The solver, whose table is kept between queries.
pub(super) type SharedSolver = Arc<Mutex<Solver>>;

/// The minimum time to look for a shorter mate under `go mate infinite` after the first one was found. It is longer if
/// finding the first one took longer.
const SHORTENING: Duration = Duration::from_secs(5);

/// The solver may use 1 / `SHARE` of the time or the nodes for a move.
const SHARE: u32 = 20;

pub(super) struct MateQuestion {
    solver: SharedSolver,
    limits: mate::MateLimits,
    /// The game is drawn after this move number.
    max_moves: Option<u32>,
}

impl MateQuestion {
    /// The query of `go mate`.
    pub(super) fn of_the_user(solver: SharedSolver, time: Option<Duration>, delay: Duration) -> MateQuestion {
        let limits = mate::MateLimits {
            time: time.map(|time| fixed_time(time, delay)),
            shortening: time.is_none().then_some(SHORTENING),
            ..mate::MateLimits::default()
        };
        MateQuestion { solver, limits, max_moves: None }
    }

    /// The query before a search with these limits. The solver visits at most `nodes` positions.
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

    pub(super) fn answer(&self, root: &Root, stop: &AtomicBool, report: impl FnMut(Progress)) -> MateOutcome {
        let mut solver = lock(&self.solver);
        solver.solve(&root.position, &root.history, self.limits, stop, report)
    }

    /// Queries the solver before a search, within its share of the time for a move. While pondering, that time is
    /// unknown and the solver is not used.
    pub(super) fn before_searching(mut self, root: &Root, clock: &SearchClock, stop: &AtomicBool) -> Option<Report> {
        if clock.is_pondering() {
            return None;
        }
        self.limits.time = clock.for_move().map(|time| time / SHARE);
        let mut nodes = 0;
        let MateOutcome::Mate(Solution { moves, length, .. }) =
            self.answer(root, stop, |progress| nodes = progress.nodes)
        else {
            return None;
        };
        // The game would be drawn before the mate.
        let last = root.position.move_number() as usize + length - 1;
        if self.max_moves.is_some_and(|most| last > most as usize) {
            return None;
        }
        Some(Report {
            depth: length,
            seldepth: length,
            multipv: None,
            score: Score::Mate(length as i32),
            bound: Bound::Exact,
            nodes,
            time: clock.elapsed(),
            hashfull: 0,
            pv: moves,
        })
    }
}
