//! The mate solver: proves that the side to move can mate by giving check with every move, or that it cannot.
//!
//! 1. Depth-first proof-number search (`dfpn`) finds any mate, or proves that there is none.
//! 2. The same search with a limit of plies looks for shorter mates, until it disproves one. Its positions differ by
//!    the plies left, so that no loop can occur.
//! 3. The line of the shortest mate is put together, with the defence that holds out longest.
//!
//! It answers `go mate`, and looks for a mate before each move of the engine (`MateNodes`), on one thread.
//!
//! Lengths are those of the rules: every interposition counts. What players call useless ones, at the end of the line, are
//! said to be so and taken off.
//!
//! # What it solves
//! `tests/data` has problems of 1 to 25 plies from the program's own games, found with `judkins data mates`, and some on the
//! rule against mating with a dropped pawn. Of 254 other mates of 9 to 25 plies it solved 253 in a second each with 256 MiB;
//! in 4,000 positions of games it found every mate of up to 7 plies, in its least number of plies, and no other.
//!
//! # What was tried
//! - **A second thread** on the same table, which avoids the positions on the first one's path: 0.84 times as fast on
//!   18 hard problems (0.1 to 8 s). Positions of games are solved in milliseconds.
//! - **A mate search before each move** of the engine (at most 20,000 positions and a twentieth of the time) against
//!   none: +0.9 [-26, +28] Elo in 400 games at 50 ms a move. It costs nothing measurable, and a long mate that it finds
//!   is played to its end.

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

pub use cooks::{Cook, Uniqueness};
pub use solver::{Answer, MateLimits, Progress, Solution, Solver};
pub use table::OutOfMemory;
pub use tree::{Branch, SolutionTree, Then};
