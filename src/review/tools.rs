use super::ReviewError;
use crate::mate::Solver;
use crate::search::Pool;

/// MiB for the table of a thread's mate solver.
const SOLVER_HASH: usize = 16;

/// What a thread searches with.
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
