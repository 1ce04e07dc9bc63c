//! A folder of shards, written by one program at a time and with the same settings.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde_json::Value;

use super::folder_lock::{FolderLock, lock};
use super::shards::{has_games, has_shards};
use judkins::atomic_file;
use judkins::counted::counted;
use judkins::difference::{differences, list};

/// The file with the settings of the shards next to it.
const SETTINGS: &str = "settings.json";

/// Creates the folder, or checks that the existing shards were made with the same settings. The returned lock keeps
/// other programs out until it is dropped.
pub fn begin<S: Serialize>(folder: &Path, settings: &S) -> Result<FolderLock> {
    let lock = lock(folder)?;
    write_or_compare(folder, settings)?;
    Ok(lock)
}

/// As [`begin`], for a folder without existing shards. Parts of shards must be of an earlier run of the same command.
pub fn begin_anew<S: Serialize>(folder: &Path, settings: &S) -> Result<FolderLock> {
    let lock = lock(folder)?;
    ensure!(!has_shards(folder)?, "there are shards in {}: --out must hold none", folder.display());
    write_or_compare(folder, settings)?;
    Ok(lock)
}

/// Makes a folder for new shards, and makes sure that they do not replace the input, under any name of the folder.
pub fn make_apart(inputs: &[PathBuf], out: &Path) -> Result<()> {
    let whole = |path: &Path| fs::canonicalize(path).with_context(|| path.display().to_string());
    let inputs = inputs.iter().map(|input| whole(input)).collect::<Result<Vec<_>>>()?;
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let out = whole(out)?;
    ensure!(inputs.iter().all(|input| input.parent() != Some(&out)), "--out is the folder of the old shards");
    Ok(())
}

/// The number of shards that need not be made any more, in words.
pub fn shards_there(there: usize, all: usize) -> String {
    format!("{there} of {} {} there", counted(all, "shard"), if all == 1 { "is" } else { "are" })
}

/// Writes the settings, or compares them with those of the games in the folder.
fn write_or_compare<S: Serialize>(folder: &Path, settings: &S) -> Result<()> {
    let path = folder.join(SETTINGS);
    // A run that failed before its first game left its settings only: replace them.
    if !has_games(folder)? {
        return atomic_file::write(&path, serde_json::to_string_pretty(settings)?.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()));
    }
    ensure!(
        path.exists(),
        "{} is missing, which says how these shards were made: put it back, or give another --out",
        path.display()
    );
    let text = atomic_file::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let then: Value = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    match &differences(&then, settings)[..] {
        [] => Ok(()),
        differing => bail!(
            "the shards in {} were made with other settings: {}; give the same ones, or another --out",
            folder.display(),
            list(differing)
        ),
    }
}
