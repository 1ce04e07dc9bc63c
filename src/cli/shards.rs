use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;

use judkins::data::{HEAP_EXTENSION, SHARD_EXTENSION};

/// Shards on the command line.
#[derive(Args)]
pub struct ShardFiles {
    /// Shards, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl ShardFiles {
    /// The paths of the shards, those in folders sorted by name.
    ///
    /// # Errors
    /// If a folder cannot be read or contains no shard, or if a shard is listed twice.
    pub fn paths(&self) -> Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for path in &self.files {
            if path.is_dir() {
                let shards = shards_in(path)?;
                ensure!(!shards.is_empty(), "no shards of games (*.{SHARD_EXTENSION}) in {}", path.display());
                paths.extend(shards);
            } else {
                paths.push(path.clone());
            }
        }
        let mut seen = HashSet::new();
        for path in &paths {
            // Two paths may lead to one file. A missing one is reported when it is read.
            let file = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            ensure!(seen.insert(file), "{} is listed twice", path.display());
        }
        Ok(paths)
    }
}

/// Whether a path is `-`, standard input or output.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether there is a shard in a folder.
pub fn has_shards(folder: &Path) -> Result<bool> {
    Ok(!shards_in(folder)?.is_empty())
}

/// The shards in a folder, by name.
fn shards_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let is_heap = path.extension().is_some_and(|extension| extension == HEAP_EXTENSION);
        ensure!(!is_heap, "{}: the shuffling of these games was interrupted: delete the folder", folder.display());
        if path.extension().is_some_and(|extension| extension == SHARD_EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
