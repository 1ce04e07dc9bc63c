//! The argument that names shards of self-play games or folders of them, and functions that look for shards in a folder.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;

use judkins::data::{HEAP_EXTENSION, PART_EXTENSION, SHARD_EXTENSION};

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

/// Whether there is a shard in a folder.
pub fn has_shards(folder: &Path) -> Result<bool> {
    Ok(!shards_in(folder)?.is_empty())
}

/// Whether there is a shard in a folder, or a part of one.
pub fn has_games(folder: &Path) -> Result<bool> {
    Ok(!files_in(folder, &[SHARD_EXTENSION, PART_EXTENSION])?.is_empty())
}

/// The shards in a folder, by name.
fn shards_in(folder: &Path) -> Result<Vec<PathBuf>> {
    files_in(folder, &[SHARD_EXTENSION])
}

/// The files in a folder with one of these extensions, by name.
fn files_in(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let has = |extension: &str| path.extension().is_some_and(|own| own == extension);
        let is_heap = has(HEAP_EXTENSION);
        ensure!(!is_heap, "{}: the shuffling of these games was interrupted: delete the folder", folder.display());
        if extensions.iter().any(|extension| has(extension)) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
