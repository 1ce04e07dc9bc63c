//! A folder in which shards are made, by one program at a time and all in the same way.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;

use judkins::whole_file;

/// The file that says how the shards beside it were made.
const SETTINGS: &str = "settings.json";

/// Makes the folder, or makes sure that the shards that are there were made with the same settings. The returned lock
/// keeps a second program out until it is dropped.
pub fn begin<S: Serialize + DeserializeOwned + PartialEq>(folder: &Path, settings: &S) -> Result<File> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let lock = lock(folder)?;
    let path = folder.join(SETTINGS);
    if !path.exists() {
        whole_file::write(&path, serde_json::to_string_pretty(settings)?.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        return Ok(lock);
    }
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let there: S = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    ensure!(there == *settings, "the shards in {} were made with other settings:\n{text}", folder.display());
    Ok(lock)
}

fn lock(folder: &Path) -> Result<File> {
    let path = folder.join("lock");
    let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => bail!("another program writes into {}", folder.display()),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", path.display())),
    }
}
