//! Files that grow by batches: if the program is killed, only the running batch is lost.
//!
//! ```text
//! magic                             16 bytes
//! version                           u32, little-endian
//! for every batch:
//!   length, checksum                u32 each: the bytes of the batch, and their CRC-32
//!   batch                           in postcard's format
//!   settings                        JSON as a text in postcard's format, or nothing
//! ```
//!
//! Settings describe how a batch and those after it were made. They are stored with the first such batch; a program
//! that does not know them reads the batch alone. Files of such a program have none.
//!
//! The checksum does not cover the length: if a batch seems incomplete but a complete one follows, the length is
//! damaged.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::{iter, slice};

use crc32fast::Hasher;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::atomic_file;

#[derive(Debug)]
pub struct Kind {
    /// The first bytes of every such file.
    pub magic: &'static [u8; 16],
    /// The version that is written, and the only one that can be read.
    pub version: u32,
    /// The name of the content, with its article.
    pub name: &'static str,
    /// The command that makes it.
    pub command: &'static str,
}

const HEADER: usize = 20;

/// The settings of batches, by name.
pub type BatchSettings = Map<String, Value>;

pub struct AppendLog {
    file: File,
    path: PathBuf,
    batches: usize,
    settings: Option<BatchSettings>,
}

/// The reason why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum AppendLogError {
    #[error("{}: {cause}", path.display())]
    System {
        path: PathBuf,
        /// The cause, which the message includes, so it is not a source.
        cause: io::Error,
    },
    /// Another program has the file open for growing.
    #[error("{}: another program has this file open for growing", path.display())]
    Locked { path: PathBuf },
    /// The file is of another kind.
    #[error("{}: not {} of '{}'", path.display(), kind.name, kind.command)]
    Foreign {
        path: PathBuf,
        /// The expected kind.
        kind: &'static Kind,
    },
    /// It was written by another version of the program.
    #[error("{}: {} of version {version}; this program reads version {}", path.display(), kind.name, kind.version)]
    Version { path: PathBuf, kind: &'static Kind, version: u32 },
    /// The checksum does not match, or the content does not fit.
    #[error("{}: batch {batch}, at byte {offset}, is damaged: {cause}", path.display())]
    Damaged {
        path: PathBuf,
        /// The number of the batch, from 1.
        batch: usize,
        /// The offset at which it begins.
        offset: usize,
        cause: String,
    },
}

impl AppendLog {
    /// Opens or creates a file for growing. Calls `take` with every batch in it; removes an incomplete one at the end.
    /// Until this is dropped, no other program can open the file for growing.
    ///
    /// # Errors
    /// [`AppendLogError`], including errors of `take`; the file is unchanged.
    pub fn open<B: DeserializeOwned, E: ToString>(
        path: &Path,
        kind: &'static Kind,
        take: impl FnMut(B) -> Result<(), E>,
    ) -> Result<AppendLog, AppendLogError> {
        let system = |cause| AppendLogError::System { path: path.to_owned(), cause };
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let file = atomic_file::open_for_one_writer(&mut options, path).map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => AppendLogError::Locked { path: path.to_owned() },
            _ => system(error),
        });
        let mut file = file?;
        if !file.metadata().map_err(system)?.is_file() {
            return Err(system(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(system)?;
        let header = kind.header();
        if bytes.len() < HEADER && header.starts_with(&bytes) {
            // The file is new, or its creator was killed before the first batch.
            let written = file.rewind().and_then(|()| file.write_all(&header)).and_then(|()| file.sync_data());
            written.map_err(system)?;
            return Ok(AppendLog { file, path: path.to_owned(), batches: 0, settings: None });
        }
        let Extent { batches, end, settings } = take_batches(path, kind, &bytes, take)?;
        file.set_len(end as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(system)?;
        Ok(AppendLog { file, path: path.to_owned(), batches, settings })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn batches(&self) -> usize {
        self.batches
    }

    /// The settings of the last batch; none if the file does not have them.
    pub fn settings(&self) -> Option<&BatchSettings> {
        self.settings.as_ref()
    }

    /// Appends a batch and syncs the file to disk. `settings` describes how it was made.
    ///
    /// # Errors
    /// [`AppendLogError::System`]; reopen the file then.
    pub fn add(&mut self, batch: &impl Serialize, settings: Option<&BatchSettings>) -> Result<(), AppendLogError> {
        let new = settings.filter(|_| settings != self.settings.as_ref());
        let add = |file: &mut File| {
            atomic_file::check_exists(file)?;
            let mut bytes = postcard::to_allocvec(batch).map_err(io::Error::other)?;
            if let Some(settings) = new {
                let text = serde_json::to_string(settings)?;
                bytes.extend(postcard::to_allocvec(&text).map_err(io::Error::other)?);
            }
            let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
            let mut written = Vec::with_capacity(bytes.len() + 8);
            written.extend_from_slice(&length.to_le_bytes());
            written.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
            written.extend_from_slice(&bytes);
            file.write_all(&written)?;
            file.sync_data()
        };
        add(&mut self.file).map_err(|cause| AppendLogError::System { path: self.path.clone(), cause })?;
        self.batches += 1;
        if let Some(settings) = new {
            self.settings = Some(settings.clone());
        }
        Ok(())
    }
}

/// Calls `take` with every complete batch of a file, which may be growing at the same time.
///
/// # Errors
/// [`AppendLogError`].
pub fn read<B: DeserializeOwned, E: ToString>(
    path: &Path,
    kind: &'static Kind,
    take: impl FnMut(B) -> Result<(), E>,
) -> Result<(), AppendLogError> {
    let bytes = atomic_file::read(path).map_err(|cause| AppendLogError::System { path: path.to_owned(), cause })?;
    take_batches(path, kind, &bytes, take).map(|_| ())
}

impl Kind {
    fn header(&self) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..self.magic.len()].copy_from_slice(self.magic);
        header[self.magic.len()..].copy_from_slice(&self.version.to_le_bytes());
        header
    }
}

/// The complete batches of a file, their end, and the settings of the last one.
struct Extent {
    batches: usize,
    end: usize,
    settings: Option<BatchSettings>,
}

fn take_batches<B: DeserializeOwned, E: ToString>(
    path: &Path,
    kind: &'static Kind,
    bytes: &[u8],
    mut take: impl FnMut(B) -> Result<(), E>,
) -> Result<Extent, AppendLogError> {
    let Some((header, mut rest)) = bytes.split_at_checked(HEADER).filter(|(header, _)| header.starts_with(kind.magic))
    else {
        return Err(AppendLogError::Foreign { path: path.to_owned(), kind });
    };
    let version = u32::from_le_bytes(header[kind.magic.len()..].try_into().expect("it is four bytes"));
    if version != kind.version {
        return Err(AppendLogError::Version { path: path.to_owned(), kind, version });
    }
    let mut extent = Extent { batches: 0, end: HEADER, settings: None };
    let damaged = |Extent { batches, end, .. }: &Extent, cause: String| AppendLogError::Damaged {
        path: path.to_owned(),
        batch: batches + 1,
        offset: *end,
        cause,
    };
    while let Some((batch, checksum, after)) = split(rest) {
        if crc32fast::hash(batch) != checksum {
            // After a power loss, only the length of the last batch may have been written.
            if after.is_empty() {
                break;
            }
            return Err(damaged(&extent, "the checksum does not match".to_owned()));
        }
        let read = postcard::take_from_bytes::<B>(batch).map_err(|error| error.to_string());
        let settings = read.and_then(|(batch, settings)| {
            take(batch).map_err(|error| error.to_string())?;
            read_settings(settings)
        });
        if let Some(settings) = settings.map_err(|error| damaged(&extent, error))? {
            extent.settings = Some(settings);
        }
        extent.batches += 1;
        extent.end += rest.len() - after.len();
        rest = after;
    }
    if holds_batch::<B>(rest) {
        return Err(damaged(&extent, "its length is wrong".to_owned()));
    }
    Ok(extent)
}

/// The settings after a batch, if there are any.
fn read_settings(bytes: &[u8]) -> Result<Option<BatchSettings>, String> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let text: &str = postcard::from_bytes(bytes).map_err(|error| format!("its settings: {error}"))?;
    serde_json::from_str(text).map(Some).map_err(|error| format!("its settings: {error}"))
}

/// Whether a seemingly incomplete batch contains a complete one: itself, or one that follows it. Then its length, which
/// no checksum covers, is damaged.
fn holds_batch<B: DeserializeOwned>(bytes: &[u8]) -> bool {
    is_whole_but_for_length::<B>(bytes) || is_followed(bytes)
}

fn is_whole_but_for_length<B: DeserializeOwned>(bytes: &[u8]) -> bool {
    let Some((_, checksum, rest)) = head(bytes) else { return false };
    let Ok((_, after)) = postcard::take_from_bytes::<B>(rest) else { return false };
    let is_whole = |after: &[u8]| crc32fast::hash(&rest[..rest.len() - after.len()]) == checksum;
    is_whole(after) || postcard::take_from_bytes::<&str>(after).is_ok_and(|(_, after)| is_whole(after))
}

/// Whether a batch with its length and checksum begins anywhere after the first byte.
fn is_followed(bytes: &[u8]) -> bool {
    // The checksum of any part follows from those of the bytes up to its start and up to its end: hashing a part for
    // every byte would be quadratic.
    let mut hasher = Hasher::new();
    let until_here = |byte: &u8| {
        hasher.update(slice::from_ref(byte));
        hasher.clone().finalize()
    };
    let checksums: Vec<u32> = iter::once(0).chain(bytes.iter().map(until_here)).collect();
    (1..bytes.len()).any(|begin| {
        let Some((length, checksum, rest)) = head(&bytes[begin..]) else { return false };
        (1..=rest.len()).contains(&length) && {
            let begin = bytes.len() - rest.len();
            let mut joined = Hasher::new_with_initial(checksums[begin]);
            joined.combine(&Hasher::new_with_initial_len(checksum, length as u64));
            joined.finalize() == checksums[begin + length]
        }
    })
}

/// The first batch, its checksum, and the rest; none if it is incomplete. A batch is never empty: after a power loss
/// there may be zeros in place of one.
fn split(bytes: &[u8]) -> Option<(&[u8], u32, &[u8])> {
    let (length, checksum, rest) = head(bytes).filter(|&(length, ..)| length > 0)?;
    let (batch, after) = rest.split_at_checked(length)?;
    Some((batch, checksum, after))
}

/// The length and the checksum of the first batch, and the rest.
fn head(bytes: &[u8]) -> Option<(usize, u32, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (checksum, rest) = rest.split_first_chunk()?;
    Some((u32::from_le_bytes(*length).try_into().ok()?, u32::from_le_bytes(*checksum), rest))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    static KIND: Kind = Kind { magic: b"judkins test\r\n\x1a\0", version: 1, name: "a test", command: "cargo test" };

    /// The batches read from a file with these bytes after its header, and the bytes left after opening it.
    fn opened(tail: &[u8]) -> Result<(Vec<Vec<u8>>, Vec<u8>), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, [&KIND.header()[..], tail].concat()).unwrap();
        let take = |batches: &mut Vec<Vec<u8>>, batch: Vec<u8>| {
            batches.push(batch);
            Ok::<(), String>(())
        };
        let (mut seen, mut batches) = (Vec::new(), Vec::new());
        let read = read(&path, &KIND, |batch| take(&mut seen, batch)).map_err(|error| error.to_string());
        let opened =
            AppendLog::open(&path, &KIND, |batch| take(&mut batches, batch)).map_err(|error| error.to_string());
        assert_eq!((read.err(), &seen), (opened.as_ref().err().cloned(), &batches));
        opened.map(|_| (batches, std::fs::read(&path).unwrap()[HEADER..].to_vec()))
    }

    /// A batch of the bytes from 1 to `last` as it stands in a file.
    fn batch(last: u8) -> Vec<u8> {
        let bytes = postcard::to_allocvec(&(1..=last).collect::<Vec<u8>>()).unwrap();
        [&(bytes.len() as u32).to_le_bytes()[..], &crc32fast::hash(&bytes).to_le_bytes(), &bytes].concat()
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_added_to_a_file_that_was_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = AppendLog::open(&path, &KIND, |_: Vec<u8>| Ok::<(), String>(())).unwrap();
        file.add(&vec![1_u8], None).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(file.add(&vec![2_u8], None).unwrap_err().to_string().ends_with("it was deleted"));
        assert_eq!(file.batches(), 1);
    }

    #[test]
    fn settings_stand_where_they_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let settings = |nodes: u32| match serde_json::json!({ "nodes": nodes }) {
            Value::Object(settings) => settings,
            _ => unreachable!("it is an object"),
        };
        let open = || AppendLog::open(&path, &KIND, |_: Vec<u8>| Ok::<(), String>(())).unwrap();
        assert_eq!(open().settings(), None);
        let mut lengths = Vec::new();
        for nodes in [None, Some(200), Some(200), None, Some(400)] {
            let settings = nodes.map(settings);
            open().add(&vec![1_u8, 2, 3], settings.as_ref()).unwrap();
            lengths.push(std::fs::metadata(&path).unwrap().len());
        }
        let file = open();
        assert_eq!((file.batches(), file.settings()), (5, Some(&settings(400))));
        let added: Vec<u64> = lengths.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(added, [26, 12, 12, 26]);
        // A program that does not know settings reads the batches alone, and detects a damaged length of the last one.
        let bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 26;
        assert_eq!(postcard::from_bytes(&bytes[last + 8..]), Ok(vec![1_u8, 2, 3]));
        let mut damaged = bytes.clone();
        damaged[last] += 4;
        assert!(opened(&damaged[HEADER..]).unwrap_err().ends_with("its length is wrong"));
        let other = [&3_u32.to_le_bytes()[..], &crc32fast::hash(&[1, 9, 9]).to_le_bytes(), &[1, 9, 9]].concat();
        assert!(opened(&other).unwrap_err().contains("is damaged: its settings: "));
    }

    #[test]
    fn zeros_in_place_of_a_batch_are_cut_off() {
        let whole = [batch(3), batch(200)].concat();
        let batches = vec![vec![1, 2, 3], (1..=200).collect()];
        for zeros in [1, 7, 8, 9, 64, 5000] {
            let tail = [&whole[..], &vec![0; zeros]].concat();
            assert_eq!(opened(&tail), Ok((batches.clone(), whole.clone())), "{zeros} zeros");
            // The batch after them was not written last.
            let error = opened(&[&tail[..], &batch(9)].concat()).unwrap_err();
            assert!(error.ends_with("batch 3, at byte 242, is damaged: its length is wrong"), "{error}");
        }
    }

    #[test]
    fn a_batch_is_found_behind_any_bytes() {
        for (gap, after) in (0..300).step_by(13).flat_map(|gap| [(gap, 0), (gap, 1), (gap, 40)]) {
            let (gap, after) = (vec![0x55; gap], vec![0x55; after]);
            let found = |batch: &[u8]| is_followed(&[&b"x"[..], &gap, batch, &after].concat());
            let whole = batch(60);
            assert!(found(&whole) && !found(&whole[..whole.len() - 1]));
            for bit in [0, 9, 35, 70, 8 * whole.len() - 1] {
                let mut damaged = whole.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                assert!(!found(&damaged), "bit {bit}");
            }
        }
    }

    #[test]
    fn a_tail_in_which_every_fourth_byte_could_begin_a_long_batch_is_read_in_no_time() {
        // Each seems to have 131,071 bytes, of which 32,767 are a list.
        let tail = [&[0xff; 8][..], &[0xff, 0xff, 1, 0].repeat(1 << 18)].concat();
        let begin = Instant::now();
        assert_eq!(opened(&tail), Ok((Vec::new(), Vec::new())));
        assert!(begin.elapsed() < Duration::from_secs(8), "it took {:?}", begin.elapsed());
    }
}
