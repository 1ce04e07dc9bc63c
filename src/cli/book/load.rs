//! Reads a book for `judkins book`: one that grows, or a finished one.

use std::path::Path;

use anyhow::{Context, Result, bail};

use judkins::append_log::AppendLogError;
use judkins::book::Book;
use judkins::book::growth::{BookFile, Graph};

/// A book of either kind.
pub enum Loaded {
    /// A growing book.
    Growing(Graph),
    /// A finished book, from which the engine plays.
    Finished(Book),
}

/// Reads a book; without a path it is the built-in one.
pub fn load(path: Option<&Path>) -> Result<Loaded> {
    let Some(path) = path else { return Ok(Loaded::Finished(Book::built_in())) };
    match BookFile::read(path) {
        Ok(graph) => Ok(Loaded::Growing(graph)),
        Err(AppendLogError::Foreign { .. }) => {
            Ok(Loaded::Finished(Book::read(path).with_context(|| path.display().to_string())?))
        }
        Err(error) => Err(error.into()),
    }
}

/// Reads a growing book.
pub fn grown(path: &Path) -> Result<Graph> {
    match load(Some(path))? {
        Loaded::Growing(graph) => Ok(graph),
        Loaded::Finished(_) => bail!("{}: not a book of 'judkins book grow'", path.display()),
    }
}
