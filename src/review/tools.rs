use super::ReviewError;
use crate::mate::Solver;
use crate::search::Pool;

/// The size of each thread's mate solver table, in MiB.
const SOLVER_HASH: usize = 16;

/// The searchers of a thread.
pub(super) struct Tools {
    pub(super) pool: Pool,
    pub(super) solver: Solver,
}

impl Tools {
    /// Tools with a transposition table of `hash` MiB.
    pub(super) fn new(hash: usize) -> Result<Tools, ReviewError> {
        Ok(Tools { pool: Pool::new(1, hash)?, solver: Solver::new(SOLVER_HASH)? })
    }
}
