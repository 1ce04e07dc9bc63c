//! A folder in which shards are made, by one program at a time and all in the same way.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde_json::Value;

use super::folder_lock::{FolderLock, lock};
use super::shards::has_shards;
use judkins::atomic_file;
use judkins::difference::{differences, list};

/// The file that says how the shards beside it were made.
const SETTINGS: &str = "settings.json";

/// Makes the folder, or makes sure that the shards that are there were made with the same settings. The returned lock
/// keeps a second program out until it is dropped.
pub fn begin<S: Serialize>(folder: &Path, settings: &S) -> Result<FolderLock> {
    let lock = lock(folder)?;
    let path = folder.join(SETTINGS);
    if !path.exists() {
        write(&path, settings)?;
        return Ok(lock);
    }
    let text = atomic_file::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let then: Value = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    match &differences(&then, settings)[..] {
        [] => Ok(lock),
        differing => bail!(
            "the shards in {} were made with other settings: {}; give the same ones, or another --out",
            folder.display(),
            list(differing)
        ),
    }
}

/// As [`begin`], for shards that are all made anew: makes sure that there are none.
pub fn begin_anew<S: Serialize>(folder: &Path, settings: &S) -> Result<FolderLock> {
    let lock = lock(folder)?;
    ensure!(!has_shards(folder)?, "there are shards in {}: --out must hold none", folder.display());
    write(&folder.join(SETTINGS), settings)?;
    Ok(lock)
}

fn write<S: Serialize>(path: &Path, settings: &S) -> Result<()> {
    atomic_file::write(path, serde_json::to_string_pretty(settings)?.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}
