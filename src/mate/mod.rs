//! The mate solver: proves that the side to move can or cannot mate by giving check with every move.
//!
//! 1. Depth-first proof-number search (`dfpn`) finds any mate or proves that there is none.
//! 2. The same search with a ply limit looks for shorter mates until it disproves one. The remaining plies are part of
//!    a position's identity, so no loop can occur.
//! 3. The line of the shortest mate is extracted with the longest defence.
//!
//! It answers `go mate` and looks for a mate before each move of the engine (`MateNodes`), on one thread.
//!
//! Lengths count every interposition. Useless interpositions (muda-ai) at the end of the line are reported as such and
//! subtracted.
//!
//! # Results
//! `tests/data` has problems of 1 to 25 plies from the program's own games, found with `judkins data mates`, and some
//! on the rule against mating with a dropped pawn. Of 254 other mates of 9 to 25 plies it solved 253 in a second each
//! with 256 MiB. In 4,000 positions of games it found every mate of up to 7 plies with its minimal length, and no
//! other.
//!
//! # Experiments
//! - **A second thread** on the same table that avoids the positions on the first one's path: 0.84 times as fast on
//!   18 hard problems (0.1 to 8 s). Positions of games are solved in milliseconds.
//! - **A mate search before each move** of the engine (at most 20,000 positions and a twentieth of the time) against
//!   none: +0.9 [-26, +28] Elo in 400 games at 50 ms a move. It costs nothing measurable, and a long mate that it finds
//!   is played out.

mod allowance;
mod backup;
mod children;
mod cooks;
mod dfpn;
mod leaf;
mod path;
mod search_result;
mod solver;
mod table;
mod tree;

pub use crate::huge_pages::OutOfMemory;
pub use cooks::{Cook, Uniqueness, must_be_unique};
pub use solver::{MateLimits, MateOutcome, Progress, Solution, Solver};
pub use tree::{Branch, SolutionTree, Then};
