//! Files that a command reads and writes.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;

use judkins::atomic_file::{read_input, resolved};

/// Rejects an output, before any work is done, that is `-` or a folder, whose folder does not exist, or which is also
/// an input under any name: writing it would destroy the input.
pub fn check_output<'a>(output: Option<&Path>, inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    let Some(output) = output else { return Ok(()) };
    ensure!(!is_stream(output), "standard output (-) cannot be the output file here");
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(folder.is_dir(), "{}: there is no folder '{}'", output.display(), folder.display());
    ensure!(!output.is_dir(), "{} is a folder", output.display());
    for input in inputs {
        ensure!(!is_same_file(input, output)?, "{} is read: it cannot be written too", output.display());
    }
    Ok(())
}

/// Whether a path is `-`, standard input or output.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// The file to write; none for standard output, which `-` stands for too.
pub fn output_file(out: Option<&Path>) -> Option<&Path> {
    out.filter(|path| !is_stream(path))
}

/// Opens a file to read; `-` is standard input.
pub fn open_input(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Ok(if is_stream(path) { Box::new(io::stdin().lock()) } else { Box::new(BufReader::new(File::open(path)?)) })
}

/// Reads a JSON value, from standard input if the path is `-`.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let read = || -> Result<T> { Ok(serde_json::from_str(&read_input(path)?)?) };
    read().with_context(|| path.display().to_string())
}

/// Whether two names refer to the same file.
pub fn is_same_file(one: &Path, other: &Path) -> Result<bool> {
    Ok(place(one)? == place(other)?)
}

fn place(path: &Path) -> Result<PathBuf> {
    resolved(path).with_context(|| path.display().to_string())
}

/// The extension of a file's name, in lower case.
pub fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}
