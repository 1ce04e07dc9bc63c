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
    /// How each of them is searched.
    pub effort: Effort,
    pub leaves: Vec<JobLeaf>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobLeaf {
    pub sfen: String,
    /// Moves that are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<Move>,
}

/// What a job has found, in the order of its positions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobResult {
    /// For each position what was found.
    pub found: Vec<Found>,
}

/// A part of the next batch of a book.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub batches: usize,
    /// Where the results belong.
    pub targets: Vec<Target>,
    pub settings: BatchSettings,
    pub job: Job,
}

/// A part of a batch, done. Read from a [`Part`] to which `found` was added: its job may still be there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DonePart {
    /// As in [`Part`].
    pub batches: usize,
    /// As in [`Part`].
    pub targets: Vec<Target>,
    /// As in [`Part`].
    #[serde(default)]
    pub settings: Option<BatchSettings>,
    /// For each target what was found.
    pub found: Vec<Found>,
}

/// Why a job cannot be done, or its results not be taken.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// A position cannot be read.
    #[error("'{sfen}': {source}")]
    Position { sfen: String, source: SfenError },
    /// The system does not give what the searches need, or the results do not fit.
    #[error(transparent)]
    Growth(#[from] GrowthError),
    #[error("interrupted")]
    Aborted,
    /// The results are of another state of the book.
    #[error("results for a book of {0} batches; this one has {1}")]
    Batch(usize, usize),
    /// A part has results for fewer or more positions than it has.
    #[error("{found} results for {targets} positions")]
    Count {
        /// Positions.
        targets: usize,
        /// Results.
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
    /// The next batch of a book in parts of `size` positions. None if there is nothing left to search.
    ///
    /// # Errors
    /// [`GrowthError`].
    pub fn parts(&self, book: &BookFile, size: usize) -> Result<Vec<Part>, GrowthError> {
        let graph: &Graph = book.graph();
        let leaf = |&target: &Target| {
            let Leaf { position, without } = graph.leaf(target)?;
            Ok::<_, GrowthError>(JobLeaf { sfen: position.to_string(), without })
        };
        let part = |targets: &[Target]| {
            let leaves = targets.iter().map(leaf).collect::<Result<_, _>>()?;
            let (batches, targets, settings) = (book.batches(), targets.to_vec(), self.settings());
            Ok(Part { batches, targets, settings, job: Job { effort: self.effort, leaves } })
        };
        self.next(graph).chunks(size.max(1)).map(part).collect()
    }
}

/// Adds a batch that was searched elsewhere, its parts in their order.
///
/// # Errors
/// [`JobError`]. If a result fits nowhere, the book must be opened again.
pub fn take(book: &mut BookFile, parts: Vec<DonePart>) -> Result<(), JobError> {
    let mut batch = Batch::new();
    let made = parts.first().and_then(|part| part.settings.clone());
    for DonePart { batches, targets, found, .. } in parts {
        if batches != book.batches() {
            return Err(JobError::Batch(batches, book.batches()));
        }
        if targets.len() != found.len() {
            return Err(JobError::Count { targets: targets.len(), found: found.len() });
        }
        batch.extend(targets.into_iter().zip(found));
    }
    if batch.is_empty() { Ok(()) } else { Ok(book.add(&batch, made.as_ref()).map_err(GrowthError::from)?) }
}
