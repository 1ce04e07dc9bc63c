//! Opening files from the command line.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::atomic_file;
use crate::board::state::{FileContent, LessonFile, ReadProblems, Study, StudyFile};
use crate::book::Book;
use crate::record::{Encoding, Format, Reader, Record};
use crate::shogi::Position;

/// The reason why a file cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0} cannot be read: {1}")]
    Io(PathBuf, io::Error),
    /// The file contains no game, no lessons or no book.
    #[error("{0}: {1}")]
    Content(PathBuf, String),
    /// A new file whose extension does not determine its format.
    #[error("{0}: the name of a new file ends with .kif, .ki2, .pgn or .usi")]
    NoFormat(PathBuf),
}

/// Opens a file, or creates a study for a file that does not exist yet.
pub fn open(path: &Path) -> Result<FileContent, OpenError> {
    let failed = |error| OpenError::Io(path.to_owned(), error);
    let unread = |what: String| OpenError::Content(path.to_owned(), what);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let format = Format::of_path(path)
                .filter(|format| *format != Format::Match)
                .ok_or_else(|| OpenError::NoFormat(path.to_owned()))?;
            let mut study = Study::of(Record::new(Position::startpos()), name);
            study.file = Some(StudyFile { path: path.to_owned(), format, encoding: Encoding::Utf8, found: None });
            return Ok(FileContent::Study(Box::new(study)));
        }
        Err(error) => return Err(failed(error)),
    };
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
        let text = atomic_file::read_to_string(path).map_err(failed)?;
        return LessonFile::read(text).map(FileContent::Lessons).map_err(unread);
    }
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_file() && ReadProblems::is_begun_by(&String::from_utf8_lossy(&begin_of(path).map_err(failed)?)) {
        return Ok(FileContent::Problems(atomic_file::read_to_string(path).map_err(failed)?));
    }
    // The file of a match that has just begun is empty.
    if metadata.len() == 0 && path.extension().is_some_and(|extension| extension == "jsonl") {
        return Ok(FileContent::Games(path.to_owned()));
    }
    if metadata.is_file() && Book::is_begun_by(&begin_of(path).map_err(failed)?) {
        return Book::read(path).map(FileContent::Book).map_err(|error| unread(error.to_string()));
    }
    let mut games = Reader::new(BufReader::new(file)).map_err(|error| unread(error.to_string()))?;
    if games.format() == Format::Match {
        return Ok(FileContent::Games(path.to_owned()));
    }
    let Some(first) = games.next().transpose().map_err(failed)? else {
        return Err(unread("it holds no game".to_owned()));
    };
    if games.next().is_some() {
        return Ok(FileContent::Games(path.to_owned()));
    }
    let problem = first.problems.into_iter().next();
    let Some(record) = first.record else {
        return Err(unread(problem.map_or_else(|| "it holds no game".to_owned(), |problem| problem.to_string())));
    };
    let mut study = Study::of(record, name);
    match problem {
        Some(problem) => Ok(FileContent::Part(Box::new(study), problem)),
        None => {
            // A pipe is only read.
            if metadata.is_file() {
                let found = atomic_file::read(path).map_err(failed)?;
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

/// The first bytes of a file.
fn begin_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut begin = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut begin)?;
    Ok(begin)
}
