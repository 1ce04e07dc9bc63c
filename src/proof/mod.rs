//! Who wins by force: best-first proof-number search over all moves.
//!
//! [`prove()`] asks whether one player can force a mate from a position, whatever the other does. It repeats three steps. It
//! descends from the start to the most proving position (Allis 1994): among replies to the one that seems hardest to answer,
//! among the attacker's moves to the one that seems to need least. There it tries one more move: the best of those left, by
//! a search or by a [book](crate::book::growth). And every position after a reply to it is looked at: the mate solver looks for a
//! mate by checks, or else a search gives a score, which stands for the proof number until moves are tried. That is
//! job-level proof-number search (Wu et al. 2010) over a graph in which transpositions are joined.
//!
//! # What a proof is worth
//! A position is proven when a move of it is, all of whose replies were proven before: proofs cannot go round in circles,
//! whatever the numbers of open positions say. Who plays by the proof comes nearer to mate with every move, so that no
//! position comes back. Positions in which the impasse rule may end the game after some history are never proven. What is
//! proven with some pieces in hand is proven with more.
//!
//! The file holds everything that was done, batch by batch; [`check()`] replays the whole tree by the rules alone.
//!
//! # What was proven
//! The two-piece handicap is a win for Black: `src/book/openings.md` has the figures. What paid is a deep search for the moves that
//! are tried: four plies into that handicap, four minutes of one core answered 5 of 9 replies with 20,000 or 100,000 nodes
//! for such a move, and none with the 1,000 nodes of every position. The first move that is tried is nearly always the one that is
//! proven (23,400 of 23,414 positions).
//!
//! That a search gives up proves nothing for the other player: ask for him.

mod check;
mod descent;
mod file;
mod graph;
mod grower;
mod numbers;
mod prover;

pub use check::{Answer, Checked, ProofError, check};
pub use descent::Target;
pub use file::{ProofFile, ProofFileError, Question};
pub use graph::UNPROVABLE;
pub use graph::{Candidate, Expansion, Found, Graph, MisfitError, Node, NodeId, Reply, START, Try};
pub use grower::{Ended, Means, ProveError, Until, prove};
pub use prover::{Effort, Guide, Prover, ProverError};
#[cfg(test)]
mod tests;
