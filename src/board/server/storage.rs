//! The state's stored texts and the user's file, on disk.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::{io, iter};

use super::worker::Worker;
use crate::atomic_file;
use crate::board::state::Restored;
use crate::board::state::io::NotWritten;
use crate::work::ThreadError;

/// Writes files as soon as they change, so that nothing is lost if the program is killed. A separate thread syncs them
/// to disk.
#[derive(Debug)]
pub struct Storage {
    /// Dropping it waits until everything is on disk. It stands before `place`, whose lock must outlast it.
    unsynced: Worker<(PathBuf, File)>,
    /// The locked path of the session, or the reason why it is not kept.
    place: Result<(PathBuf, File), String>,
    /// The last bytes written to each of the user's files.
    written: BTreeMap<PathBuf, Vec<u8>>,
}

/// The number of simultaneous boards that keep a session.
const MOST_BOARDS: usize = 20;

impl Storage {
    /// A storage whose session is in this folder; without a folder it is not kept. `failed` is called if a file cannot
    /// be synced to disk.
    ///
    /// # Errors
    /// [`ThreadError`] if there is no thread for that.
    pub fn new(folder: Option<&Path>, failed: impl Fn(String) + Send + 'static) -> Result<Storage, ThreadError> {
        let place = folder.map_or_else(|| Err("there is no folder for it".to_owned()), free_place);
        let unsynced = Worker::start(move |files| sync(&files, failed))?;
        Ok(Storage { unsynced, place, written: BTreeMap::new() })
    }

    /// Reads the texts that the program stored last. A damaged one is renamed. If the system does not let one be read
    /// now, it stays, and nothing is stored, since that would replace it.
    pub fn restore(&mut self) -> Restored {
        let mut restored = Restored::default();
        let mut unreadable = None;
        if let Ok((session, _)) = &self.place {
            let paths = [session.clone(), games_of(session), earlier_of(session)];
            let texts = paths.each_ref().map(|path| match atomic_file::read_to_string(path) {
                Ok(text) => Ok(Some(text)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(error.to_string()),
                Err(error) => {
                    unreadable = Some(format!("{} cannot be read: {error}", path.display()));
                    Ok(None)
                }
            });
            restored.read(texts, |number, why| kept_aside(&paths[number], why));
        }
        if let Some(why) = unreadable {
            restored.warn("storage.session", "what was on the board last is not there", &why);
            self.place = Err(why);
        }
        if let Err(why) = &self.place {
            restored.warn("storage.none", "the board is not kept for the next time", why);
        }
        restored
    }

    /// Stores the session.
    ///
    /// # Errors
    /// The reason why it cannot be written.
    pub fn store(&self, session: &str) -> Result<(), String> {
        let Ok((path, _)) = &self.place else { return Ok(()) };
        self.write(path, session.as_bytes())?;
        // The session contains the studies read from it.
        remove(&earlier_of(path))
    }

    /// Stores the chapters, if there are any.
    ///
    /// # Errors
    /// The reason why they cannot be written.
    pub fn store_games(&self, games: Option<&str>) -> Result<(), String> {
        let Ok((path, _)) = &self.place else { return Ok(()) };
        let path = games_of(path);
        games.map_or_else(|| remove(&path), |games| self.write(&path, games.as_bytes()))
    }

    /// Writes the user's file if its content is still what was last read or written here.
    ///
    /// # Errors
    /// [`NotWritten`]; the file stays as it is.
    pub fn write_file(&mut self, path: &Path, bytes: Vec<u8>, found: Option<&[u8]>) -> Result<(), NotWritten> {
        let known = self.written.get(path).map(Vec::as_slice).or(found);
        match atomic_file::read(path) {
            Ok(there) if there == bytes => {}
            Ok(there) if Some(there.as_slice()) != known => return Err(NotWritten::Changed),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(NotWritten::Failed(cannot_write(path, &error)));
            }
            // A deleted file is written again.
            _ => self.write(path, &bytes).map_err(NotWritten::Failed)?,
        }
        self.written.insert(path.to_owned(), bytes);
        Ok(())
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), String> {
        let file = atomic_file::replace(path, bytes).map_err(|error| cannot_write(path, &error))?;
        self.unsynced.order((path.to_owned(), file));
        Ok(())
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}

/// A session path that no other board uses. The lock ends with the process.
fn free_place(folder: &Path) -> Result<(PathBuf, File), String> {
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    let mut why = format!("there are {MOST_BOARDS} boards already");
    for number in 1..=MOST_BOARDS {
        let name = if number == 1 { "study".to_owned() } else { format!("study-{number}") };
        let path = folder.join(format!("{name}.lock"));
        // Windows cannot lock a file that is open only for appending.
        let lock = File::options().create(true).write(true).truncate(false).open(&path);
        match lock.map_err(TryLockError::Error).and_then(|lock| lock.try_lock().map(|()| lock)) {
            Ok(lock) => return Ok((folder.join(format!("{name}.json")), lock)),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => why = cannot_write(&path, &error),
        }
    }
    Err(why)
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(path, &error)),
        _ => Ok(()),
    }
}

/// The file of the chapters.
fn games_of(session: &Path) -> PathBuf {
    session.with_extension("chapters.json")
}

/// The file in which earlier versions of the program kept replaced studies.
fn earlier_of(session: &Path) -> PathBuf {
    session.with_extension("earlier.jsonl")
}

/// Renames a damaged file, and returns a message about it.
fn kept_aside(path: &Path, why: &str) -> String {
    match set_aside(path) {
        Ok(aside) => format!("{} cannot be read ({why}). It is kept as {}", path.display(), aside.display()),
        Err(error) => format!("{} cannot be read ({why}), nor renamed: {error}", path.display()),
    }
}

/// Renames a damaged file without replacing one renamed before.
fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let mut aside = path.with_added_extension("damaged");
    let mut number = 1;
    while aside.exists() {
        number += 1;
        aside = path.with_added_extension(format!("damaged-{number}"));
    }
    fs::rename(path, &aside)?;
    Ok(aside)
}

/// Syncs files until the channel is closed. Of several versions of a file, only the last needs it.
fn sync(files: &Receiver<(PathBuf, File)>, failed: impl Fn(String)) {
    while let Ok(first) = files.recv() {
        let newest: BTreeMap<PathBuf, File> = iter::once(first).chain(files.try_iter()).collect();
        for (path, file) in newest {
            if let Err(error) = file.sync_all() {
                failed(cannot_write(&path, &error));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SESSION: &str = r#"{"version":1,"name":null,"record":"手合割：ジャドケンス将棋\n","header":null,"notes":[],"cursor":[],"file":null,"unsaved":true,"kept":{"id":null,"colour":null,"level":null,"date":null,"is_current":false},"game":null,"replaced":null,"unconfirmed":[],"solved":[]}"#;

    fn open(folder: &Path) -> Storage {
        Storage::new(Some(folder), |error| panic!("{error}")).unwrap()
    }

    #[test]
    fn what_is_stored_is_restored() {
        let folder = tempfile::tempdir().unwrap();
        let mut storage = open(folder.path());
        assert!(storage.restore().session.is_none());
        storage.store(SESSION).unwrap();
        drop(storage);
        let mut storage = open(folder.path());
        let restored = storage.restore();
        assert_eq!(restored.session.map(|session| session.to_json()), Some(SESSION.to_owned()));
        assert_eq!(restored.warnings, Vec::new());
        // Another board has a separate session.
        assert!(open(folder.path()).restore().session.is_none());
    }

    #[test]
    fn a_damaged_session_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let newer = SESSION.replacen("\"version\":1", "\"version\":2", 1);
        for (damaged, name) in [(&SESSION[..SESSION.len() / 2], "study.json.damaged"), (&newer, "study.json.damaged-2")]
        {
            fs::write(folder.path().join("study.json"), damaged).unwrap();
            let warnings = open(folder.path()).restore().warnings;
            assert!(format!("{warnings:?}").contains(&format!("/{name}\"")), "{warnings:?}");
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), damaged);
        }
    }

    #[test]
    fn a_session_that_cannot_be_read_now_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("study.json"), SESSION).unwrap();
        // The system does not let a folder be read as a file.
        let chapters = folder.path().join("study.chapters.json");
        fs::create_dir(&chapters).unwrap();
        let mut storage = open(folder.path());
        let restored = storage.restore();
        assert!(restored.session.is_some(), "the rest is restored");
        assert_eq!(restored.warnings.len(), 2, "{:?}", restored.warnings);
        storage.store("another session").unwrap();
        storage.store_games(Some("chapters")).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("study.json")).unwrap(), SESSION);
        assert!(chapters.is_dir());
    }

    #[test]
    fn where_nothing_can_be_kept_it_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("judkins");
        fs::write(&taken, "no folder").unwrap();
        assert!(format!("{:?}", open(&taken).restore().warnings).contains("cannot be written"));
        assert_eq!(Storage::new(None, |_| {}).unwrap().restore().warnings.len(), 1);
        assert!(open(folder.path()).restore().warnings.is_empty());
    }
}
