//! A folder used by one program at a time.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use judkins::atomic_file::is_deleted;

/// The name of the locked file in the folder.
const NAME: &str = "lock";

/// Keeps other programs out of a folder until it is dropped. Removes the folder if it has created it and it is
/// otherwise empty.
pub struct FolderLock {
    _file: File,
    made: Option<PathBuf>,
}

/// Creates the folder if it does not exist, and locks it.
pub fn lock(folder: &Path) -> Result<FolderLock> {
    let made = (!folder.exists()).then(|| folder.to_owned());
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(NAME);
    // Another program's file of this name keeps its content.
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    match file.try_lock() {
        // The other program has removed the folder since the file was opened, and a third may have made it again.
        Ok(()) if file.metadata().is_ok_and(|found| is_deleted(&found)) => {
            bail!("another program has just removed {}", folder.display())
        }
        Ok(()) => Ok(FolderLock { _file: file, made }),
        Err(TryLockError::WouldBlock) => bail!("another program writes into {}", folder.display()),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", path.display())),
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        let Some(folder) = &self.made else { return };
        let is_alone = fs::read_dir(folder).is_ok_and(|entries| entries.count() == 1);
        // A folder that cannot be removed stays: another error is already reported, or nothing can be done about it.
        if is_alone && fs::remove_file(folder.join(NAME)).is_ok() {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn an_empty_folder_goes_with_its_lock() {
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join("made");
        drop(lock(&made).unwrap());
        assert!(!made.exists());
        let filled = lock(&made).unwrap();
        assert!(lock(&made).is_err(), "it is locked");
        fs::write(made.join("a"), "").unwrap();
        drop(filled);
        fs::remove_file(made.join("a")).unwrap();
        drop(lock(&made).unwrap());
        assert!(made.exists(), "it was there before");
    }

    #[test]
    fn a_folder_that_comes_and_goes_is_never_locked_twice() {
        let folder = tempfile::tempdir().unwrap();
        let (made, holders) = (folder.path().join("made"), AtomicUsize::new(0));
        let locked = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for lock in (0..500).filter_map(|_| lock(&made).ok()) {
                        assert_eq!(holders.fetch_add(1, Ordering::Relaxed), 0);
                        locked.fetch_add(1, Ordering::Relaxed);
                        thread::yield_now();
                        holders.fetch_sub(1, Ordering::Relaxed);
                        drop(lock);
                    }
                });
            }
        });
        assert!(locked.into_inner() > 0);
    }
}
