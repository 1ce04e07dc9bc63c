use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::file::{Batch, BookFile};
use super::graph::{Graph, MisfitError, Target};
use super::leaf::{Effort, Leaf, SearcherError};
use super::searchers::Searchers;
use super::selection::{self, Strategy};
use super::start::Start;
use super::values::Values;
use serde_json::{Map, json};

use crate::append_log::{BatchFileError, BatchSettings};

/// How a book grows. With the same plan, the same book becomes the same, whatever the number of threads and however
/// often it was interrupted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The start positions below which it grows.
    pub starts: Vec<Start>,
    /// How the next positions are chosen.
    pub strategy: Strategy,
    /// How each of them is searched.
    pub effort: Effort,
    /// How many are searched before the values are computed again and the batch is written.
    pub batch: usize,
    /// Decides between positions that are equally good to search.
    pub seed: u64,
}

/// Where growing ends, besides an interrupt. What is reached first ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Until {
    /// A time; the batch under way is finished.
    pub deadline: Option<Instant>,
    /// A number of positions in the book.
    pub positions: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The time is over, or the positions are there.
    Reached,
    /// There is nothing left to search by this strategy.
    Nothing,
    /// It was stopped. The batch under way is lost.
    Stopped,
}

/// Why a book cannot grow.
#[derive(Debug, thiserror::Error)]
pub enum GrowthError {
    #[error(transparent)]
    File(#[from] BatchFileError),
    /// The system does not give what a thread searches with.
    #[error(transparent)]
    Searcher(#[from] SearcherError),
    /// The results of another machine do not fit the book.
    #[error(transparent)]
    Misfit(#[from] MisfitError),
}

/// What [`grow`] tells.
pub enum Growing<'a> {
    /// A position of the batch has been searched.
    Searched,
    /// A batch has been added to the book.
    Added(&'a BookFile),
}

impl Plan {
    /// What decides how the book becomes, under the names of the command line.
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

    /// The next batch: what to search for this book. Fewer than a batch near the end of the growth, or for a book with
    /// little in it.
    pub fn next(&self, graph: &Graph) -> Vec<Target> {
        let values = Values::new(graph);
        selection::choose(graph, &values, self.strategy, self.seed, &self.starts, self.batch)
    }
}

/// Lets a book grow on `threads` threads, 0 for one on each core.
///
/// # Errors
/// [`GrowthError`]. The batches before it are in the book.
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
        let grown = until.positions.is_some_and(|positions| book.graph().len() >= positions);
        if grown || until.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
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
