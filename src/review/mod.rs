//! Review of a game by the engine: each move's loss, the better moves, and the turning points.
//!
//! Every position of the main line is searched separately with the same number of nodes, on all cores; the result does
//! not depend on the number of threads. The loss of a move is the decrease of the winning chance ([`win_chance`]) from
//! the position before it to the position after it. If that may be a mistake, both positions are searched again with 4
//! times the nodes, and with 20 times if it is still in doubt. The mate solver looks for mates of up to [`MATE_PLIES`]
//! plies in every position.
//!
//! In 21 games of levels 5 to 17, searches of 2 million nodes per position, in place of 100,000, found the same 117
//! blunders. The curve from scores to chances is fitted to 6,700 games of the program (`judkins data chance`).
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use judkins::record::{NodeId, Record};
//! use judkins::review::{Budget, Reviewer};
//! use judkins::shogi::Position;
//!
//! let mut record = Record::new(Position::startpos());
//! let first = record.play(NodeId::ROOT, "1f1b+".parse()?)?;
//! record.play(first, "1a1b".parse()?)?;
//! let reviewer = Reviewer { budget: Budget::Nodes(5_000), ..Reviewer::default() };
//! let review = reviewer.review(&record, &AtomicBool::new(false), &|_| {})?;
//! assert!(review.moves[0].loss.unwrap() > 0.3, "a rook for a pawn");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analysis;
mod annotate;
mod chance;
mod course;
mod marks;
mod mates;
mod move_review;
mod pace;
mod saved;
mod summary;
mod values;
mod words;

use std::time::Duration;

use crate::shogi::ImpasseRule;

pub use annotate::{annotate, remove_annotations};
pub use chance::{SCALE, fit, win_chance};
pub use marks::{BLUNDER, INACCURACY, MISTAKE, MoveMark};
pub use mates::MATE_PLIES;
pub use move_review::{End, MoveReview};
pub use saved::SavedReview;
pub use summary::{PlayerSummary, accuracy, turning_points};
pub use words::{Language, chance_words, describe_turning_point, end_words, mark_words, outcome_words};

/// The amount of work of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Nodes per position; about 10 times as many in total, because doubtful moves are searched again.
    Nodes(u64),
    /// The maximum time of the whole review on all threads together. It is longer only if a shallow look at every
    /// position takes longer.
    Time(Duration),
}

/// The settings of a review.
#[derive(Clone, Debug)]
pub struct Reviewer {
    /// The amount of work.
    pub budget: Budget,
    /// The number of threads; 0 for one per core.
    pub threads: usize,
    /// The size of each thread's hash table in MiB.
    pub hash: usize,
    /// The impasse rule of records that name none.
    pub impasse_rule: ImpasseRule,
}

impl Default for Reviewer {
    fn default() -> Reviewer {
        Reviewer { budget: Budget::Nodes(100_000), threads: 0, hash: 64, impasse_rule: ImpasseRule::default() }
    }
}

/// The progress of a review. The total is an estimate: doubtful moves take more work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Completed work, in tenths of the first look at a position.
    pub done: u64,
    /// The estimated total.
    pub total: u64,
}

/// A review of the main line of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// A review of every move, in order.
    pub moves: Vec<MoveReview>,
    /// Black's winning chances in all positions, including the start; none where the review was interrupted.
    pub chances: Vec<Option<f64>>,
    /// The summaries of Black's and White's moves.
    pub players: [PlayerSummary; 2],
    /// The indices of the turning points, in order.
    pub turning_points: Vec<usize>,
    /// Whether every move has been reviewed.
    pub complete: bool,
}
