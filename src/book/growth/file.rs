//! The file that a book grows in.
//!
//! It holds what every search has found, batch by batch, in the order in which it was added to the graph; the graph is
//! made from that again.

use std::io;
use std::path::Path;

use super::graph::{Graph, MisfitError, Target};
use super::leaf::Found;
use crate::append_log::{self, AppendLog, BatchFileError, BatchSettings, Kind};

static KIND: Kind = Kind { magic: b"judkins book\r\n\x1a\0", version: 1, name: "a book", command: "judkins book grow" };

/// The results of a batch, in the order in which they are added.
pub type Batch = Vec<(Target, Found)>;

/// A book with the file that it grows in.
pub struct BookFile {
    graph: Graph,
    file: AppendLog,
}

impl BookFile {
    /// Opens a book to let it grow, or begins one. An incomplete batch at the end is cut off. No other program can open
    /// it so until this is dropped.
    ///
    /// # Errors
    /// [`BatchFileError`]; the file is unchanged.
    pub fn open(path: &Path) -> Result<BookFile, BatchFileError> {
        let mut graph = Graph::default();
        let file = AppendLog::open(path, &KIND, |batch: Batch| add(&mut graph, &batch))?;
        Ok(BookFile { graph, file })
    }

    /// Reads a book, which may be growing meanwhile.
    ///
    /// # Errors
    /// [`BatchFileError`].
    pub fn read(path: &Path) -> Result<Graph, BatchFileError> {
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

    /// How the last batch was made, as [`Plan::settings`](super::Plan::settings) says it; none if the file does not.
    pub fn settings(&self) -> Option<&BatchSettings> {
        self.file.settings()
    }

    /// Adds the results of a batch to the graph and to the file, with how it was made. When this returns, they are on the
    /// disk.
    ///
    /// # Errors
    /// [`BatchFileError`]. The book must be opened again then.
    pub fn add(&mut self, batch: &Batch, settings: Option<&BatchSettings>) -> Result<(), BatchFileError> {
        let misfit =
            |error| BatchFileError::System { path: self.file.path().to_owned(), cause: io::Error::other(error) };
        add(&mut self.graph, batch).map_err(misfit)?;
        self.file.add(batch, settings)
    }
}

fn add(graph: &mut Graph, batch: &Batch) -> Result<(), MisfitError> {
    batch.iter().try_for_each(|(target, found)| graph.add(*target, found))
}
