//! The record that is edited, and a place in it.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::desk::Reviewed;
use super::messages::{Files, StudyView};
use super::view;
use crate::record::{Encoding, Format, NodeId, NotWritten, Problem, Reader, Record};
use crate::review::annotate;
use crate::shogi::{EndReason, GameScore, Position};
use crate::whole_file;

/// A record on the board.
#[derive(Clone, Debug)]
pub struct Study {
    pub record: Record,
    pub cursor: NodeId,
    /// What it is called: the name of its file.
    pub name: Option<String>,
    /// The file that every change is written to.
    pub file: Option<StudyFile>,
    /// Whether there are changes that no file of the user's has.
    pub unsaved: bool,
    /// How the game ended, if a move was made after its end.
    pub former_end: Option<FormerEnd>,
    /// The review of it that ended last.
    pub review: Option<Arc<Reviewed>>,
}

/// The end of a game that goes on: a comment at what was its last move says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormerEnd {
    pub node: NodeId,
    /// The comment there, before and after.
    pub comments: [String; 2],
    pub result: Option<GameScore>,
    pub reason: Option<EndReason>,
    pub detail: Option<String>,
}

/// A file that a record is written to, as it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyFile {
    pub path: PathBuf,
    pub format: Format,
    pub encoding: Encoding,
    /// What it held; none if it was not there.
    pub found: Option<Arc<[u8]>>,
}

impl StudyFile {
    /// The record as the file has it. What Shift-JIS lacks is written in UTF-8, with all the rest.
    pub fn bytes(&self, record: &Record) -> Result<Vec<u8>, NotWritten> {
        let text = record.to_text(self.format)?;
        Ok(self.encoding.encode(&text).unwrap_or_else(|_| text.into_bytes()))
    }
}

impl Study {
    /// A study that begins here.
    pub fn new(start: Position) -> Study {
        Study::of(Record::new(start), None)
    }

    /// A study of a record.
    pub fn of(record: Record, name: Option<String>) -> Study {
        Study { record, cursor: NodeId::ROOT, name, file: None, unsaved: false, former_end: None, review: None }
    }

    /// The record, with what its review said.
    pub fn annotated(&self) -> Cow<'_, Record> {
        match &self.review {
            Some(review) => {
                let mut record = self.record.clone();
                annotate(&mut record, review.moves());
                Cow::Owned(record)
            }
            None => Cow::Borrowed(&self.record),
        }
    }

    /// Whether it has moves, a comment, or a position of its own.
    pub fn has_content(&self) -> bool {
        let record = &self.record;
        let is_own = || *record.start() != Position::startpos() && record.handicap().is_none();
        !record.is_empty() || !record[NodeId::ROOT].notes().comment.is_empty() || is_own()
    }

    /// The name and the state, as the page shows them.
    pub fn files(&self) -> Files {
        Files { name: self.name.clone(), unsaved: self.unsaved }
    }

    /// The whole, as the page shows it.
    pub fn view(&self, rev: u64) -> StudyView {
        StudyView {
            rev,
            header: view::header(&self.record),
            start: self.record.start().to_string(),
            nodes: view::tree(&self.record),
            cursor: self.cursor,
            files: self.files(),
        }
    }
}

/// Why a file is not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The system refuses.
    #[error("{0} cannot be read: {1}")]
    Io(PathBuf, io::Error),
    /// What it holds is no game.
    #[error("{0}: {1}")]
    NoGame(PathBuf, String),
    /// A new file whose name does not tell its format.
    #[error("{0}: the name of a new file ends with .kif, .ki2, .pgn or .usi")]
    NoFormat(PathBuf),
}

/// What a file holds.
#[derive(Debug)]
pub enum FileContent {
    /// A game, in a file that can be written.
    Study(Box<Study>),
    /// Games to choose from, in a file that is only read.
    Games(PathBuf),
    /// A game that could be read in part, and why not further. The file is only read.
    Part(Box<Study>, Problem),
}

fn format_of(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "kif" | "kifu" => Some(Format::Kif),
        "ki2" | "ki2u" => Some(Format::Ki2),
        "pgn" => Some(Format::Pgn),
        "usi" | "txt" | "sfen" => Some(Format::Usi),
        _ => None,
    }
}

/// Opens a file, or makes a study for one that is not there yet.
pub fn open(path: &Path) -> Result<FileContent, OpenError> {
    let failed = |error| OpenError::Io(path.to_owned(), error);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let format = format_of(path).ok_or_else(|| OpenError::NoFormat(path.to_owned()))?;
            let mut study = Study::of(Record::new(Position::startpos()), name);
            study.file = Some(StudyFile { path: path.to_owned(), format, encoding: Encoding::Utf8, found: None });
            return Ok(FileContent::Study(Box::new(study)));
        }
        Err(error) => return Err(failed(error)),
    };
    let metadata = file.metadata().map_err(failed)?;
    // A match that has just begun has no line yet.
    if metadata.len() == 0 && path.extension().is_some_and(|extension| extension == "jsonl") {
        return Ok(FileContent::Games(path.to_owned()));
    }
    let no_game = |what: String| OpenError::NoGame(path.to_owned(), what);
    let mut games = Reader::new(BufReader::new(file)).map_err(|error| no_game(error.to_string()))?;
    if games.format() == Format::Match {
        return Ok(FileContent::Games(path.to_owned()));
    }
    let Some(first) = games.next().transpose().map_err(failed)? else {
        return Err(no_game("it holds no game".to_owned()));
    };
    if games.next().is_some() {
        return Ok(FileContent::Games(path.to_owned()));
    }
    let problem = first.problems.into_iter().next();
    let Some(record) = first.record else {
        return Err(no_game(problem.map_or_else(|| "it holds no game".to_owned(), |problem| problem.to_string())));
    };
    let mut study = Study::of(record, name);
    match problem {
        Some(problem) => Ok(FileContent::Part(Box::new(study), problem)),
        None => {
            // A pipe is read, and not written to.
            if metadata.is_file() {
                let found = whole_file::read(path).map_err(failed)?;
                study.file = Some(StudyFile {
                    path: path.to_owned(),
                    format: first.format,
                    encoding: games.encoding(),
                    found: Some(found.into()),
                });
            }
            Ok(FileContent::Study(Box::new(study)))
        }
    }
}
