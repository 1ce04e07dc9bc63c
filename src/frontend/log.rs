//! The log of a session: every line in and out, with its time, in the file that `DebugLogFile` names.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use jiff::Timestamp;

use crate::work::lock;

/// The error for a log file that cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("DebugLogFile '{}': {error}", file.display())]
pub struct LogError {
    pub file: PathBuf,
    pub error: io::Error,
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type()))
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

/// The log of one session. Clones write to the same file.
#[derive(Clone, Default)]
pub(super) struct SessionLog {
    file: Arc<Mutex<Option<File>>>,
}

impl SessionLog {
    /// Appends to this file from now on. The empty path closes the log.
    ///
    /// # Errors
    /// [`LogError`] if the file cannot be opened. The log is unchanged then.
    pub(super) fn open(&self, path: &Path) -> Result<(), LogError> {
        let file = if path.as_os_str().is_empty() {
            None
        } else {
            // Opening a pipe would wait for its reader.
            let opened = match is_pipe(path) {
                true => Err(io::Error::new(io::ErrorKind::InvalidInput, "a pipe cannot be a log file")),
                false => File::options().create(true).append(true).open(path),
            };
            Some(opened.map_err(|error| LogError { file: path.to_owned(), error })?)
        };
        *lock(&self.file) = file;
        Ok(())
    }

    /// Logs a line that was read.
    pub(super) fn input(&self, line: &str) {
        self.write('<', line);
    }

    /// Logs a line that was written.
    pub(super) fn output(&self, text: &str) {
        self.write('>', text);
    }

    fn write(&self, direction: char, text: &str) {
        // A browser has no files, and the code below would be linked.
        if cfg!(all(target_family = "wasm", feature = "web")) {
            return;
        }
        let mut file = lock(&self.file);
        let Some(open) = &mut *file else { return };
        let time = Timestamp::now();
        let lines: String = text.split('\n').map(|line| format!("{time:.6} {direction} {line}\n")).collect();
        if let Err(error) = open.write_all(lines.as_bytes()) {
            tracing::warn!("DebugLogFile is closed, because it cannot be written: {error}");
            *file = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a log, without their times.
    fn lines(path: &Path) -> Vec<String> {
        let text = std::fs::read_to_string(path).unwrap();
        let without_time = |line: &str| {
            let (time, rest) = line.split_once(' ').unwrap();
            time.parse::<Timestamp>().unwrap();
            rest.to_owned()
        };
        text.lines().map(without_time).collect()
    }

    #[test]
    fn each_line_has_its_time_and_direction() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a log");
        let log = SessionLog::default();
        log.input("before it is open");
        log.open(&path).unwrap();
        log.input("isready");
        log.clone().output("feature a\nfeature b");
        log.open(Path::new("")).unwrap();
        log.output("after it is closed");
        assert_eq!(lines(&path), ["< isready", "> feature a", "> feature b"]);
        log.open(&path).unwrap();
        log.input("quit");
        assert_eq!(lines(&path).len(), 4, "an existing file is continued");
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = SessionLog::default().open(&path).unwrap_err().to_string();
        assert!(error.ends_with("a pipe cannot be a log file"), "{error}");
    }

    #[test]
    fn a_log_that_cannot_be_opened_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let log = SessionLog::default();
        log.open(&path).unwrap();
        let error = log.open(&folder.path().join("missing/log")).unwrap_err().to_string();
        assert!(error.starts_with("DebugLogFile '") && error.contains("missing/log': "), "{error}");
        log.input("usi");
        assert_eq!(lines(&path), ["< usi"]);
    }
}
