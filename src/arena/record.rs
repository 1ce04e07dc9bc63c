//! Builds game records, compares them with the planned match, and reads and appends them as lines of JSON.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::player::Thought;
use super::{EngineSpec, Opening, Outcome, Rules};
use crate::atomic_file;
use crate::difference::differences;
use crate::record::{EngineRecord, GameRecord};
use crate::shogi::Move;

impl From<&EngineSpec> for EngineRecord {
    fn from(spec: &EngineSpec) -> EngineRecord {
        EngineRecord {
            name: spec.name.clone(),
            command: spec.command.clone(),
            arguments: spec.arguments.clone(),
            directory: spec.directory.clone(),
            dialect: spec.dialect,
            options: spec.options.iter().cloned().collect(),
            init: spec.init.clone(),
            limit: spec.control.to_string(),
            margin: spec.margin.as_millis() as u64,
            patience: spec.patience.as_millis() as u64,
        }
    }
}

impl EngineRecord {
    /// The differences between the settings, in words; none if they are equal.
    fn difference(&self, other: &EngineRecord) -> Option<String> {
        if self.name != other.name {
            return Some(format!("{}, not by {}", self.name, other.name));
        }
        let found = differences(self, other);
        let found: Vec<String> =
            found.iter().map(|found| format!("{} {}, not {}", found.name, found.one, found.other)).collect();
        (!found.is_empty()).then(|| format!("{} with {}", self.name, found.join("; ")))
    }
}

/// The data of a game before it is played.
pub(super) struct Header<'a> {
    /// Its number, from 0.
    pub number: usize,
    pub replay: u32,
    /// With the node limits of this game.
    pub specs: [Arc<EngineSpec>; 2],
    pub rules: &'a Rules,
    pub opening: &'a Opening,
}

impl GameRecord {
    /// The record of a game that counts.
    pub(super) fn new(header: &Header<'_>, moves: &[(Move, Thought)], outcome: Outcome) -> GameRecord {
        GameRecord {
            game: header.number + 1,
            replay: header.replay,
            counts: true,
            date: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            black: (&*header.specs[0]).into(),
            white: (&*header.specs[1]).into(),
            impasse_rule: header.rules.impasse_rule.to_string(),
            impasse_plies: header.rules.impasse_plies,
            adjudication: header.rules.adjudication.to_string(),
            opening: header.opening.to_string(),
            moves: moves.iter().map(|(mv, _)| mv.to_string()).collect(),
            scores: moves.iter().map(|(_, thought)| thought.score).collect(),
            depths: moves.iter().map(|(_, thought)| thought.depth).collect(),
            nodes: moves.iter().map(|(_, thought)| thought.nodes).collect(),
            times: moves.iter().map(|(_, thought)| Some(rounded_millis(thought.elapsed))).collect(),
            result: outcome.winner.into(),
            reason: outcome.reason,
            detail: outcome.detail,
        }
    }

    /// The fault by which the game was lost, in words that begin with the engine's name, like every
    /// [`Fault`](super::Fault).
    pub(super) fn fault(&self) -> &str {
        self.detail.split_once(" wins: ").map_or(&self.detail, |(_, fault)| fault)
    }

    /// The first difference from the planned game of this number, in words; none if it matches.
    pub(super) fn difference(&self, header: &Header<'_>) -> Option<String> {
        for (recorded, spec) in [&self.black, &self.white].into_iter().zip(&header.specs) {
            let planned = EngineRecord::from(&**spec);
            if let Some(difference) = recorded.difference(&planned) {
                return Some(format!("{} was played by {difference}", self.game));
            }
        }
        let rules = |impasse: &str, plies: u32, adjudication: &str| {
            format!("the rules 'impasse {impasse} {plies}, adjudication {adjudication}'")
        };
        let recorded = rules(&self.impasse_rule, self.impasse_plies, &self.adjudication);
        let Rules { impasse_rule, impasse_plies, adjudication } = header.rules;
        let planned = rules(&impasse_rule.to_string(), *impasse_plies, &adjudication.to_string());
        if recorded != planned {
            return Some(format!("{} was played under {recorded}, not {planned}", self.game));
        }
        let planned = header.opening.to_string();
        (self.opening != planned).then(|| format!("{} was opened by '{}', not '{planned}'", self.game, self.opening))
    }
}

/// Rounds to a tenth of a millisecond: smaller differences are noise of the runner.
fn rounded_millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

/// The reason why records cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error("{path}")]
    Io { path: PathBuf, source: io::Error },
    /// A line is not a record.
    #[error("{path}, line {line}: {message}")]
    Line {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        message: String,
    },
}

/// The maximum length of a line in bytes, some 400,000 moves: a device may have no end.
const LONGEST_LINE: u64 = 16 << 20;

/// The beginning of every record line.
const BEGINNING: &[u8] = b"{\"game\":";

/// Reads the records of a file, and calls `each` for each of them. Skips an unfinished last line, which a killed writer
/// leaves.
///
/// # Errors
/// [`RecordError`] if the file cannot be read or a complete line is not a record.
pub fn read_records(path: &Path, each: impl FnMut(GameRecord)) -> Result<(), RecordError> {
    let io = |source| RecordError::Io { path: path.to_owned(), source };
    read_lines(path, &File::open(path).map_err(io)?, each).map(|_| ())
}

/// Whether a text may be the beginning of a record's line.
fn is_begun(text: &[u8]) -> bool {
    let compared = text.len().min(BEGINNING.len());
    text[..compared] == BEGINNING[..compared]
}

/// As [`read_records`]. Returns the length of the complete records in bytes.
fn read_lines(path: &Path, file: &File, mut each: impl FnMut(GameRecord)) -> Result<u64, RecordError> {
    let mut reader = BufReader::new(file);
    let (mut bytes, mut length) = (Vec::new(), 0);
    for line in 1.. {
        bytes.clear();
        let read = reader.by_ref().take(LONGEST_LINE + 1).read_until(b'\n', &mut bytes);
        let read = read.map_err(|source| RecordError::Io { path: path.to_owned(), source })?;
        let bad = |message: String| RecordError::Line { path: path.to_owned(), line, message };
        if read as u64 > LONGEST_LINE {
            return Err(bad(format!("it is longer than {LONGEST_LINE} bytes")));
        }
        let text = atomic_file::without_mark(&bytes);
        let is_complete = text.last() == Some(&b'\n');
        // A power loss can leave zeros.
        if read == 0 || !is_complete && text.iter().all(|&byte| byte == 0) {
            break;
        }
        if !text.trim_ascii().is_empty() {
            match GameRecord::parse(text) {
                Ok(record) => each(record),
                Err(_) if !is_complete && is_begun(text) => break,
                Err(message) => return Err(bad(format!("no record of a game: {message}"))),
            }
        }
        length += read as u64;
    }
    Ok(length)
}

/// A file of records, written by one process at a time.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
}

impl RecordFile {
    /// Creates a file.
    ///
    /// # Errors
    /// [`RecordError`], also if the file exists: it may hold hours of work.
    pub fn create(path: &Path) -> Result<RecordFile, RecordError> {
        // A link may lead to a file that is to be created.
        let target = atomic_file::resolved(path);
        let target = target.map_err(|source| RecordError::Io { path: path.to_owned(), source })?;
        RecordFile::open(&target, File::options().create_new(true).write(true))
    }

    /// Continues or creates a file. Reads its records first; removes an incomplete last line, and ends a complete one.
    ///
    /// # Errors
    /// [`RecordError`] if it cannot be read and written, is not a file of records, or is locked by another writer.
    pub fn resume(path: &Path, each: impl FnMut(GameRecord)) -> Result<RecordFile, RecordError> {
        let mut record = RecordFile::open(path, File::options().create(true).read(true).write(true).truncate(false))?;
        let length = read_lines(path, &record.file, each)?;
        record.cut(length).map_err(|source| RecordError::Io { path: path.to_owned(), source })?;
        Ok(record)
    }

    /// Cuts the file to this length, at the end of a line.
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        let mut last = [b'\n'];
        if length > 0 {
            self.file.seek(SeekFrom::Start(length - 1))?;
            self.file.read_exact(&mut last)?;
        }
        if last == [b'\n'] { Ok(()) } else { self.file.write_all(b"\n") }
    }

    fn open(path: &Path, options: &mut OpenOptions) -> Result<RecordFile, RecordError> {
        // Two writers would play every game twice.
        let file = atomic_file::open_for_one_writer(options, path)
            .map_err(|source| RecordError::Io { path: path.to_owned(), source })?;
        Ok(RecordFile { path: path.to_owned(), file })
    }

    /// Writes a record with its line end in one call, so that a kill can only truncate the last line. If the disk is
    /// full, the whole line is removed.
    ///
    /// # Errors
    /// [`RecordError`] if the file cannot be written or was deleted.
    pub fn write(&mut self, record: &GameRecord) -> Result<(), RecordError> {
        let mut line = serde_json::to_vec(record).expect("a record has nothing that JSON could not say");
        line.push(b'\n');
        let written = atomic_file::check_exists(&self.file).and_then(|()| {
            let end = self.file.seek(SeekFrom::End(0))?;
            self.file.write_all(&line).inspect_err(|_| {
                // Report the first error, not this one.
                let _ = self.file.set_len(end);
            })
        });
        written.map_err(|source| RecordError::Io { path: self.path.clone(), source })
    }
}
