//! Leaves as jobs for other machines, in JSON.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::file::{Batch, BookFile};
use super::graph::{Graph, Target};
use super::grower::{GrowthError, Plan};
use super::leaf::{Effort, Found, Leaf};
use super::searchers::Searchers;
use crate::append_log::BatchSettings;
use crate::shogi::{Move, Position, SfenError};

/// Positions to search, as a self-contained unit of work for any machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The limits of each search.
    pub effort: Effort,
    pub leaves: Vec<JobLeaf>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobLeaf {
    pub sfen: String,
    /// Moves to exclude.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<Move>,
}

/// The results of a job, in the order of its positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobResult {
    /// The result of each position.
    pub found: Vec<Found>,
}

/// A part of the next batch of a book.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The number of the part, from 1, and of all parts.
    pub part: (usize, usize),
    pub batches: usize,
    /// The targets to which the results belong.
    pub targets: Vec<Target>,
    pub settings: BatchSettings,
    pub job: Job,
}

/// A completed part of a batch. Read from a [`Part`] to which `found` was added; its job may still be there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DonePart {
    /// As in [`Part`].
    pub part: (usize, usize),
    /// As in [`Part`].
    pub batches: usize,
    /// As in [`Part`].
    pub targets: Vec<Target>,
    /// As in [`Part`].
    #[serde(default)]
    pub settings: Option<BatchSettings>,
    /// The result of each target.
    pub found: Vec<Found>,
}

/// The reason why a job cannot be done, or its results cannot be added.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// A position cannot be read.
    #[error("'{sfen}': {source}")]
    Position { sfen: String, source: SfenError },
    /// The system lacks resources for the searches, or the results do not fit.
    #[error(transparent)]
    Growth(#[from] GrowthError),
    #[error("interrupted")]
    Aborted,
    /// The results belong to another state of the book.
    #[error("results for a book of {0} batches; this one has {1}")]
    Batch(usize, usize),
    /// A part is missing, or there twice.
    #[error("part {0} of {1} is {2}: a batch is taken as a whole")]
    Part(usize, usize, &'static str),
    /// The parts were planned with different options.
    #[error("the parts were made with different options: a batch is taken as a whole")]
    Settings,
    /// The number of results differs from the number of positions.
    #[error("{found} results for {targets} positions")]
    Count {
        /// The number of positions.
        targets: usize,
        /// The number of results.
        found: usize,
    },
}

impl Job {
    /// Does the job on one thread.
    ///
    /// # Errors
    /// [`JobError`].
    pub fn search(&self, stop: &AtomicBool) -> Result<JobResult, JobError> {
        let leaves = self.leaves.iter().map(JobLeaf::leaf).collect::<Result<Vec<Leaf>, _>>()?;
        let searchers = Searchers::new(1, self.effort).map_err(GrowthError::from)?;
        let found = searchers.search(&leaves, stop, &|| {}).ok_or(JobError::Aborted)?;
        Ok(JobResult { found })
    }
}

impl JobLeaf {
    fn leaf(&self) -> Result<Leaf, JobError> {
        let position: Result<Position, SfenError> = self.sfen.parse();
        let position = position.map_err(|source| JobError::Position { sfen: self.sfen.clone(), source })?;
        Ok(Leaf { position, without: self.without.clone() })
    }
}

impl Plan {
    /// Splits the next batch of a book into parts of `size` positions; none if nothing is left to search.
    ///
    /// # Errors
    /// [`GrowthError`].
    pub fn parts(&self, book: &BookFile, size: usize) -> Result<Vec<Part>, GrowthError> {
        let graph: &Graph = book.graph();
        let leaf = |&target: &Target| {
            let Leaf { position, without } = graph.leaf(target)?;
            Ok::<_, GrowthError>(JobLeaf { sfen: position.to_string(), without })
        };
        let next = self.next(graph);
        let chunks = next.chunks(size.max(1));
        let count = chunks.len();
        let part = |(number, targets): (usize, &[Target])| {
            let leaves = targets.iter().map(leaf).collect::<Result<_, _>>()?;
            let (batches, targets, settings) = (book.batches(), targets.to_vec(), self.settings());
            let job = Job { effort: self.effort, leaves };
            Ok(Part { part: (number, count), batches, targets, settings, job })
        };
        (1..).zip(chunks).map(part).collect()
    }
}

/// Sorts the parts of a batch.
///
/// # Errors
/// [`JobError`] if they are not a whole batch.
pub fn complete(mut parts: Vec<DonePart>) -> Result<Vec<DonePart>, JobError> {
    parts.sort_by_key(|done| done.part);
    let count = parts.last().map_or(0, |done| done.part.1);
    for number in 1..=count.max(parts.len()) {
        match parts.get(number - 1).map(|done| done.part) {
            Some(part) if part == (number, count) => {}
            Some((other, _)) if other < number => return Err(JobError::Part(other, count, "there twice")),
            _ => return Err(JobError::Part(number, count, "missing")),
        }
    }
    Ok(parts)
}

/// Adds a batch that was searched elsewhere: its parts, as [`complete`] returns them.
///
/// # Errors
/// [`JobError`]. If a result does not fit, reopen the book.
pub fn take(book: &mut BookFile, parts: Vec<DonePart>) -> Result<(), JobError> {
    let mut batch = Batch::new();
    let made = parts.first().and_then(|part| part.settings.clone());
    for DonePart { batches, targets, found, settings, .. } in parts {
        if batches != book.batches() {
            return Err(JobError::Batch(batches, book.batches()));
        }
        if settings != made {
            return Err(JobError::Settings);
        }
        if targets.len() != found.len() {
            return Err(JobError::Count { targets: targets.len(), found: found.len() });
        }
        batch.extend(targets.into_iter().zip(found));
    }
    if batch.is_empty() { Ok(()) } else { Ok(book.add(&batch, made.as_ref()).map_err(GrowthError::from)?) }
}
