//! Files that a command reads and writes.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result, ensure};

use judkins::record::Format;

/// Refuses an output, before the work is done, for which there is no folder, or which is also an input, by whatever names:
/// writing it would destroy what was read.
pub fn check_output<'a>(output: Option<&Path>, inputs: impl IntoIterator<Item = &'a Path>) -> Result<()> {
    let Some(output) = output else { return Ok(()) };
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    ensure!(folder.is_dir(), "{}: there is no folder '{}'", output.display(), folder.display());
    let place = |path: &Path| resolved(path).with_context(|| path.display().to_string());
    let written = place(output)?;
    for input in inputs {
        ensure!(place(input)? != written, "{} is read: it cannot be written too", output.display());
    }
    Ok(())
}

/// The path that a name stands for, without links, whether there is a file or not.
pub fn resolved(name: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        found => return found,
    }
    let path = std::path::absolute(name)?;
    let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else { return Ok(path) };
    match fs::read_link(&path) {
        // A link to a file that is still to be made.
        Ok(target) => resolved(&folder.join(target)),
        Err(_) => Ok(fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()).join(file)),
    }
}

/// The extension of a file's name, in lower case.
pub fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// The format of records that a file's name stands for.
pub fn record_format(path: &Path) -> Option<Format> {
    match extension(path)?.as_str() {
        "kif" | "kifu" => Some(Format::Kif),
        "ki2" => Some(Format::Ki2),
        "pgn" => Some(Format::Pgn),
        "usi" => Some(Format::Usi),
        _ => None,
    }
}
