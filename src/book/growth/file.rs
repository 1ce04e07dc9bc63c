//! The file that a book grows in.
//!
//! It holds what every search has found, batch by batch, in the order in which it was added to the graph; the graph is
//! made from that again. A batch is appended when it is complete, so that a program that is killed loses the batch
//! under way and nothing else.
//!
//! ```text
//! "judkins book" "\r\n" 0x1a 0x00   magic
//! version                           u32, little-endian
//! for every batch:
//!   length, checksum                u32 each: the bytes of the batch, and their CRC-32
//!   batch                           a `Vec<(Target, Found)>` in postcard's format
//! ```

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::graph::{Graph, MisfitError, Target};
use super::leaf::Found;

const MAGIC: &[u8; 16] = b"judkins book\r\n\x1a\0";
const VERSION: u32 = 1;
const HEADER: usize = MAGIC.len() + 4;

/// The results of a batch, in the order in which they are added.
pub type Batch = Vec<(Target, Found)>;

/// A book with the file that it grows in.
pub struct BookFile {
    graph: Graph,
    file: File,
    path: PathBuf,
    batches: usize,
}

/// Why a file is no book, or cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum BookFileError {
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another program writes into it.
    #[error("{}: another program lets this book grow", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// It is another kind of file.
    #[error("{}: not a book of 'judkins book grow'", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It was written by a later version of the program.
    #[error("{}: a book of version {version}; this program reads version {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The checksum does not hold, or what is in it fits nowhere.
    #[error("{}: batch {batch}, at byte {offset}, is damaged: {cause}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The number of the batch, from 1.
        batch: usize,
        /// Where it begins.
        offset: usize,
        /// What is wrong.
        cause: String,
    },
}

impl BookFile {
    /// Opens a book to let it grow, or begins one. An incomplete batch at the end is cut off. No other program can open
    /// it so until this is dropped.
    ///
    /// # Errors
    /// [`BookFileError`]; the file is unchanged.
    pub fn open(path: &Path) -> Result<BookFile, BookFileError> {
        let system = |source| BookFileError::System { path: path.to_owned(), source };
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = open.map_err(system)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BookFileError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(system(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(system)?;
        if bytes.len() < HEADER && header().starts_with(&bytes) {
            // New, or killed before the first batch.
            write_from(&mut file, 0, &header()).map_err(system)?;
            return Ok(BookFile { graph: Graph::default(), file, path: path.to_owned(), batches: 0 });
        }
        let Contents { graph, batches, end } = read(path, &bytes)?;
        file.set_len(end as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(system)?;
        Ok(BookFile { graph, file, path: path.to_owned(), batches })
    }

    /// Reads a book, which may be growing meanwhile.
    ///
    /// # Errors
    /// [`BookFileError`].
    pub fn read(path: &Path) -> Result<Graph, BookFileError> {
        let bytes = std::fs::read(path).map_err(|source| BookFileError::System { path: path.to_owned(), source })?;
        Ok(read(path, &bytes)?.graph)
    }

    /// The book.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The count of batches.
    pub fn batches(&self) -> usize {
        self.batches
    }

    /// Adds the results of a batch to the graph and to the file. When this returns, they are on the disk.
    ///
    /// # Errors
    /// [`BookFileError`]. The book must be opened again then.
    pub fn add(&mut self, batch: &Batch) -> Result<(), BookFileError> {
        let system = |source| BookFileError::System { path: self.path.clone(), source };
        for (target, found) in batch {
            self.graph.add(*target, found).map_err(|error| system(io::Error::other(error)))?;
        }
        self.file.write_all(&written(batch).map_err(system)?).and_then(|()| self.file.sync_data()).map_err(system)?;
        self.batches += 1;
        Ok(())
    }
}

fn header() -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    header[MAGIC.len()..].copy_from_slice(&VERSION.to_le_bytes());
    header
}

fn write_from(file: &mut File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)?;
    file.sync_data()
}

/// A batch as the file holds it.
fn written(batch: &Batch) -> io::Result<Vec<u8>> {
    let bytes = postcard::to_allocvec(batch).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    let mut written = Vec::with_capacity(bytes.len() + 8);
    written.extend_from_slice(&length.to_le_bytes());
    written.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
    written.extend_from_slice(&bytes);
    Ok(written)
}

/// What a file holds, and where its complete batches end.
struct Contents {
    graph: Graph,
    batches: usize,
    end: usize,
}

fn read(path: &Path, bytes: &[u8]) -> Result<Contents, BookFileError> {
    let Some((header, mut rest)) = bytes.split_at_checked(HEADER).filter(|(header, _)| header.starts_with(MAGIC))
    else {
        return Err(BookFileError::Foreign { path: path.to_owned() });
    };
    let version = u32::from_le_bytes(header[MAGIC.len()..].try_into().expect("it is four bytes"));
    if version != VERSION {
        return Err(BookFileError::Version { path: path.to_owned(), version });
    }
    let mut contents = Contents { graph: Graph::default(), batches: 0, end: HEADER };
    while let Some((batch, checksum, after)) = split(rest) {
        let damaged = |cause: String| BookFileError::Damaged {
            path: path.to_owned(),
            batch: contents.batches + 1,
            offset: contents.end,
            cause,
        };
        if crc32fast::hash(batch) != checksum {
            // Of the last batch a machine that lost power may have kept the length alone.
            if after.is_empty() {
                break;
            }
            return Err(damaged("the checksum does not hold".to_owned()));
        }
        let results: Batch = postcard::from_bytes(batch).map_err(|error| damaged(error.to_string()))?;
        for (target, found) in &results {
            contents.graph.add(*target, found).map_err(|error: MisfitError| damaged(error.to_string()))?;
        }
        contents.batches += 1;
        contents.end += rest.len() - after.len();
        rest = after;
    }
    Ok(contents)
}

/// The first batch, its checksum, and what follows; none if it is incomplete.
fn split(bytes: &[u8]) -> Option<(&[u8], u32, &[u8])> {
    let number = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?));
    let length = usize::try_from(number(bytes.get(..4)?)?).ok()?;
    let checksum = number(bytes.get(4..8)?)?;
    let (batch, after) = bytes[8..].split_at_checked(length)?;
    Some((batch, checksum, after))
}
