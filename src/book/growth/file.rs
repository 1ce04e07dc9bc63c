//! The file of a growing book.
//!
//! It contains the results of all searches, batch by batch, in the order in which they were added to the graph, which
//! is rebuilt from them.

use std::io;
use std::path::Path;

use super::graph::{Graph, MisfitError, Target};
use super::leaf::Found;
use crate::append_log::{self, AppendLog, AppendLogError, BatchSettings, Kind};
use crate::book::GROWING_MAGIC;

static KIND: Kind = Kind { magic: GROWING_MAGIC, version: 1, name: "a book", command: "judkins book grow" };

/// The results of a batch, in the order in which they are added.
pub type Batch = Vec<(Target, Found)>;

/// A book with its file.
pub struct BookFile {
    graph: Graph,
    file: AppendLog,
}

impl BookFile {
    /// Opens or creates a book for growing. An incomplete batch at the end is removed. Until this is dropped, no other
    /// program can open the file for growing.
    ///
    /// # Errors
    /// [`AppendLogError`]; the file is unchanged.
    pub fn open(path: &Path) -> Result<BookFile, AppendLogError> {
        let mut graph = Graph::default();
        let file = AppendLog::open(path, &KIND, |batch: Batch| add(&mut graph, &batch))?;
        Ok(BookFile { graph, file })
    }

    /// Reads a book, which may be growing at the same time.
    ///
    /// # Errors
    /// [`AppendLogError`].
    pub fn read(path: &Path) -> Result<Graph, AppendLogError> {
        let mut graph = Graph::default();
        append_log::read(path, &KIND, |batch: Batch| add(&mut graph, &batch))?;
        Ok(graph)
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub fn batches(&self) -> usize {
        self.file.batches()
    }

    /// The [settings](super::Plan::settings) of the last batch; none if the file does not have them.
    pub fn settings(&self) -> Option<&BatchSettings> {
        self.file.settings()
    }

    /// Adds the results of a batch and its settings to the graph and to the file, and syncs the file to disk.
    ///
    /// # Errors
    /// [`AppendLogError`]; reopen the book then.
    pub fn add(&mut self, batch: &Batch, settings: Option<&BatchSettings>) -> Result<(), AppendLogError> {
        let misfit =
            |error| AppendLogError::System { path: self.file.path().to_owned(), cause: io::Error::other(error) };
        add(&mut self.graph, batch).map_err(misfit)?;
        self.file.add(batch, settings)
    }
}

fn add(graph: &mut Graph, batch: &Batch) -> Result<(), MisfitError> {
    batch.iter().try_for_each(|(target, found)| graph.add(*target, found))
}
