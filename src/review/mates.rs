//! Mates that a player had but did not play.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::mate::{MateLimits, MateOutcome, Solver};
use crate::search::Root;
use crate::shogi::Move;

/// The longest mate that is searched for in every position, in plies.
pub const MATE_PLIES: usize = 7;

/// Nodes of the search for a short mate. In 2,000 positions of games all mates of up to 7 plies took fewer.
const NODES: u64 = 200_000;

/// Nodes of the search for a mate after each reply to the move played.
const REPLY_NODES: u64 = 50_000;

/// The shortest mate by checks, if there is one of up to [`MATE_PLIES`] plies and it is found in time.
pub(super) fn short_mate(root: &Root, limits: MateLimits, solver: &mut Solver, stop: &AtomicBool) -> Option<Vec<Move>> {
    // The result must not depend on the thread's earlier work.
    solver.clear();
    let limits = MateLimits { nodes: Some(NODES), ..limits };
    match solver.solve(&root.position, &root.history, limits, stop, |_| {}) {
        MateOutcome::Mate(solution) if solution.length <= MATE_PLIES => Some(solution.moves),
        _ => None,
    }
}

/// Whether the player who has just moved mates by checks after every reply; false if that is not proven.
pub(super) fn still_mates(after: Root, limits: MateLimits, solver: &mut Solver, stop: &AtomicBool) -> bool {
    let Root { position, mut history } = after;
    if !position.in_check() {
        return false;
    }
    solver.clear();
    let end = limits.time.and_then(|time| Instant::now().checked_add(time));
    position.legal_moves().into_iter().all(|reply| {
        let replied = position.after(reply);
        history.push(&position, reply, &replied);
        let time = end.map(|end| end.saturating_duration_since(Instant::now()));
        let limits = MateLimits { nodes: Some(REPLY_NODES), time, ..limits };
        let answer = solver.solve(&replied, &history, limits, stop, |_| {});
        history.pop();
        matches!(answer, MateOutcome::Mate(_))
    })
}
