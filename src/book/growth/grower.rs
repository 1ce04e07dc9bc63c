//! The loop that grows a book: selects a batch of positions, searches it, and appends the results to the file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::file::{Batch, BookFile};
use super::graph::{Graph, MisfitError, Target};
use super::leaf::{Effort, Leaf};
use super::searchers::Searchers;
use super::selection::{self, Strategy};
use super::start::Start;
use super::values::Values;
use serde_json::{Map, json};

use crate::append_log::{AppendLogError, BatchSettings};
use crate::search::PoolError;

/// A plan for growing a book. The same plan turns the same book into the same result, regardless of the number of
/// threads and of interruptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The start positions from which it grows.
    pub starts: Vec<Start>,
    /// The selection of the next positions.
    pub strategy: Strategy,
    /// The limits of each search.
    pub effort: Effort,
    /// The number of positions searched before the values are recomputed and the batch is written.
    pub batch: usize,
    /// The seed for choosing among equally good positions.
    pub seed: u64,
}

/// The end of growing a book or a proof, besides an interrupt: the first limit reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Until {
    /// A deadline; the running batch is finished.
    pub deadline: Option<Instant>,
    /// The number of positions in the file.
    pub positions: Option<usize>,
}

impl Until {
    /// Whether a limit is reached, with this number of positions in the file.
    pub fn is_reached(&self, positions: usize) -> bool {
        self.positions.is_some_and(|most| positions >= most)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The time or the number of positions is reached.
    Reached,
    /// The strategy has nothing left to search.
    Nothing,
    /// It was stopped. The running batch is lost.
    Stopped,
}

/// The reason why a book cannot grow.
#[derive(Debug, thiserror::Error)]
pub enum GrowthError {
    #[error(transparent)]
    File(#[from] AppendLogError),
    /// The system lacks resources for a searcher.
    #[error(transparent)]
    Searcher(#[from] PoolError),
    /// The results of another machine do not fit the book.
    #[error(transparent)]
    Misfit(#[from] MisfitError),
}

/// An event of [`grow`].
pub enum Growing<'a> {
    /// A position of the batch has been searched.
    Searched,
    /// A batch has been added to the book.
    Added(&'a BookFile),
}

impl Plan {
    /// The settings that determine the book, under the names of the command line.
    pub fn settings(&self) -> BatchSettings {
        let Plan { starts, strategy, effort: Effort { nodes, lines, hash }, batch, seed } = self;
        let starts: Vec<String> = starts.iter().map(ToString::to_string).collect();
        let (name, ply, margin) = match *strategy {
            Strategy::DropOut { ply } => ("drop-out", Some(ply), None),
            Strategy::OneSided { ply, margin } => ("one-sided", Some(ply), Some(margin)),
            Strategy::Margin { margin } => ("margin", None, Some(margin)),
        };
        let settings = [
            ("starts", json!(starts)),
            ("strategy", json!(name)),
            ("ply", json!(ply)),
            ("margin", json!(margin)),
            ("nodes", json!(nodes)),
            ("lines", json!(lines)),
            ("hash", json!(hash)),
            ("batch", json!(batch)),
            ("seed", json!(seed)),
        ];
        Map::from_iter(settings.map(|(name, value)| (name.to_owned(), value)))
    }

    /// The targets of the next batch. It is smaller if the book has few positions.
    pub fn next(&self, graph: &Graph) -> Vec<Target> {
        let values = Values::new(graph);
        selection::choose(graph, &values, self.strategy, self.seed, &self.starts, self.batch)
    }
}

/// Grows a book on `threads` threads; 0 for one per core.
///
/// # Errors
/// [`GrowthError`]. The earlier batches are in the book.
pub fn grow(
    book: &mut BookFile,
    plan: &Plan,
    until: Until,
    threads: usize,
    stop: &AtomicBool,
    tell: &(dyn Fn(Growing) + Sync),
) -> Result<Ended, GrowthError> {
    let searchers = Searchers::new(threads, plan.effort)?;
    let settings = plan.settings();
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(Ended::Stopped);
        }
        if until.is_reached(book.graph().len()) {
            return Ok(Ended::Reached);
        }
        let targets = plan.next(book.graph());
        if targets.is_empty() {
            return Ok(Ended::Nothing);
        }
        let leaves = targets.iter().map(|&target| book.graph().leaf(target)).collect::<Result<Vec<Leaf>, _>>()?;
        let Some(found) = searchers.search(&leaves, stop, &|| tell(Growing::Searched)) else {
            return Ok(Ended::Stopped);
        };
        let batch: Batch = targets.into_iter().zip(found).collect();
        book.add(&batch, Some(&settings))?;
        tell(Growing::Added(book));
    }
}
