//! Games reviewed by the engine, move by move: what each move lost, which move was better, and where the game turned.
//!
//! Every position of the main line is searched by itself with the same number of nodes, on all cores; whatever the number
//! of threads, the result is the same. A move loses what the chance to win ([`win_chance`]) falls from the position before
//! it to the position after it. Where that may be a mistake, both positions are searched again, with 4 times the nodes, and
//! with 20 times where it is still in doubt. The mate solver looks for mates of up to [`MATE_PLIES`] plies in every position.
//!
//! In 21 games of levels 5 to 17 searches of 2 million nodes a position, in place of 100,000, found the same 117 blunders.
//! The curve from scores to chances is fitted to 6,700 games of the program (`judkins data chance`).
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
mod pace;
mod summary;
mod tools;
mod values;
mod words;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::record::{Evaluation, NodeId, Record};
use crate::score::Score;
use crate::search::PoolError;
use crate::shogi::{Color, EndReason, GameResult, ImpasseRule, Move, Position};

pub use annotate::annotate;
pub use chance::{SCALE, fit, win_chance};
pub use marks::{BLUNDER, INACCURACY, MISTAKE, MoveMark};
pub use mates::MATE_PLIES;
pub use summary::{PlayerSummary, accuracy};
pub use words::{Language, chance_words, describe_turning_point, end_words, mark_words, outcome_words};

/// How much work goes into a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Nodes for each position; some 10 times as many in all, for doubtful moves are searched again.
    Nodes(u64),
    /// The time that the whole review takes at most, on all threads together. It is longer only where a shallow look at
    /// every position takes longer.
    Time(Duration),
}

/// The settings of a review.
#[derive(Clone, Debug)]
pub struct Reviewer {
    /// How much work goes into it.
    pub budget: Budget,
    /// Threads; 0 is one for each core.
    pub threads: usize,
    /// MiB of hash table for each thread.
    pub hash: usize,
    /// The impasse rule, for records that name none.
    pub impasse_rule: ImpasseRule,
}

impl Default for Reviewer {
    fn default() -> Reviewer {
        Reviewer { budget: Budget::Nodes(100_000), threads: 0, hash: 64, impasse_rule: ImpasseRule::default() }
    }
}

/// How far a review has come. The total is an estimate: doubtful moves take more work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes of work done, or milliseconds under a budget of time.
    pub done: u64,
    /// The same in all, as far as it is known.
    pub total: u64,
}

/// Why a game cannot be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// There are no threads, or there is no memory.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// There is no memory for the mate solver.
    #[error("mate solver: {0}")]
    Mate(#[from] crate::mate::OutOfMemory),
    /// There are no threads.
    #[error("cannot start threads: {0}")]
    Threads(#[from] crate::work::ThreadPoolBuildError),
}

/// A review of the main line of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// A review of every move, in order.
    pub moves: Vec<MoveReview>,
    /// Black's chances to win in all positions, the start included; none where a review was interrupted.
    pub chances: Vec<Option<f64>>,
    /// Black's and White's moves, summed up.
    pub players: [PlayerSummary; 2],
    /// Indices of the moves at which the game turned, in order.
    pub turning_points: Vec<usize>,
    /// Whether every move has been reviewed.
    pub complete: bool,
}

/// An end of the game in a position: by the rules, or by a declaration after the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// How the game ended.
    pub result: GameResult,
    /// Whether the record goes on all the same: the moves from there on are judged as if the game had not ended.
    pub played_on: bool,
}

/// A review of one move. Scores are from the point of view of the player who made it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReview {
    /// The move's number in the game, from 1.
    pub ply: usize,
    /// The move's node in the record.
    pub node: NodeId,
    /// The position before the move.
    pub position: Position,
    /// The player.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// The score before the move: that of the best move. None where the review was interrupted.
    pub before: Option<Score>,
    /// The rule other than mate that decides the game by that score, if one does and it is known: a declaration, for
    /// example.
    pub before_rule: Option<EndReason>,
    /// The score after the move. None where the game is over with it, or where the review was interrupted.
    pub after: Option<Score>,
    /// The same as `before_rule` for the score after the move.
    pub after_rule: Option<EndReason>,
    /// The end of the game by this move.
    pub end: Option<End>,
    /// The best move and its line.
    pub best: Vec<Move>,
    /// What the move lost of the chance to win, from 0 to 1.
    pub loss: Option<f64>,
    /// How good or bad it was, if that is worth a word.
    pub mark: Option<MoveMark>,
    /// A mate of up to [`MATE_PLIES`] plies that the player had, and did not go for.
    pub missed_mate: Option<Vec<Move>>,
    /// Whether the player could have declared a win instead.
    pub missed_declaration: bool,
}

impl MoveReview {
    /// Whether the best move was played.
    pub fn is_best(&self) -> bool {
        self.best.first() == Some(&self.mv)
    }

    /// The player's chance to win before the move.
    pub fn chance_before(&self) -> Option<f64> {
        self.before.map(win_chance)
    }

    /// The player's chance to win after the move; the result, if the game is over.
    pub fn chance_after(&self) -> Option<f64> {
        match self.result().map(|result| result.winner) {
            Some(None) => Some(0.5),
            Some(Some(winner)) => Some(f64::from(u8::from(winner == self.color))),
            None => self.after.map(win_chance),
        }
    }

    /// The result, if the game is over with this move.
    pub fn result(&self) -> Option<GameResult> {
        self.end.filter(|end| !end.played_on).map(|end| end.result)
    }

    /// What the review says of the move in a record; none where the game is over, which says more than a score.
    pub fn evaluation(&self) -> Option<Evaluation> {
        self.after.map(|score| Evaluation { score: Some(score), ..Evaluation::default() })
    }
}

impl Reviewer {
    /// Reviews the main line of a record. `stop` ends it early; the moves that were reviewed until then are kept.
    ///
    /// `progress` is called from several threads.
    ///
    /// # Errors
    /// [`ReviewError`] if the system gives no threads or no memory.
    pub fn review(
        &self,
        record: &Record,
        stop: &AtomicBool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Review, ReviewError> {
        analysis::Analysis::new(self, record)?.run(stop, progress)
    }
}
