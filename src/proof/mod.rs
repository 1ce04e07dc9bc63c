//! Proofs of forced wins: best-first proof-number search over all moves.
//!
//! [`prove()`] tries to prove that one player can force a mate from a position. It repeats three steps:
//!
//! 1. It descends from the start to the most proving position (Allis 1994): it follows the reply that seems hardest to
//!    answer, and the attacker's move that seems easiest to prove.
//! 2. There it tries one more move: the best of the remaining ones by a search or by a [book](crate::book::growth).
//! 3. It evaluates the positions after all replies to the move: the mate solver looks for a mate by checks; otherwise a
//!    search gives a score, which determines the proof number until moves are tried.
//!
//! This is job-level proof-number search (Wu et al. 2010) over a graph with merged transpositions.
//!
//! # Soundness
//! A position is proven if it has a move all of whose replies were proven before. Therefore proofs have no cycles,
//! regardless of the proof numbers of open positions. A player who follows the proof gets closer to mate with every
//! move, so no position recurs. Positions in which the impasse rule may end the game after some history are never
//! proven. A proof with some pieces in hand holds for more pieces.
//!
//! The file contains all expansions, batch by batch; [`check()`] replays the whole tree by the rules alone.
//!
//! # Results
//! The two-piece handicap is a win for Black: `src/book/openings.md` has the figures. A deep search for the moves to
//! try paid off: four plies into that handicap, four minutes on one core answered 5 of 9 replies with 20,000 or 100,000
//! nodes for such a move, and none with the 1,000 nodes of the other positions. In that part the first move tried was
//! almost always the one that is proven (23,400 of 23,414 positions).
//!
//! A search that gives up proves nothing for the other player: start another one for him.

mod check;
mod descent;
mod file;
mod graph;
mod grower;
mod numbers;
mod prover;

pub use check::{Checked, ProofError, ProofMove, check};
pub use descent::Target;
pub use file::{ProofFile, ProofFileError, Question};
pub use graph::{Candidate, Expansion, Found, Graph, MisfitError, Node, NodeId, Reply, START, Try, UNPROVABLE};
pub use grower::{Ended, Means, ProveError, prove};
pub use prover::{Effort, Guide, Prover};
#[cfg(test)]
mod tests;
