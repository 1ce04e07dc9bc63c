//! How the study survives the end of the program: it is written down after every change.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::{io, iter};

use serde::{Deserialize, Serialize};

use super::earlier::Earlier;
use super::messages::NewGame;
use super::study::{Study, StudyFile};
use crate::record::{EditError, Format, Header, NodeId, Notes, Reader, Record};
use crate::shogi::Move;
use crate::whole_file;

/// The version of [`Session`] in files.
const VERSION: u32 = 1;

/// What is written down besides the user's own file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    version: u32,
    #[serde(flatten)]
    pub study: SavedStudy,
    /// What it had replaced, as earlier versions of the program wrote it; now [`Earlier`] has it.
    #[serde(default, skip_serializing)]
    pub replaced: Option<Box<SavedStudy>>,
    /// The mate problems that were solved, in SFEN.
    #[serde(default)]
    pub solved: BTreeSet<String>,
}

/// A study, and the game that is being played in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedStudy {
    name: Option<String>,
    /// The moves in KIF; what that cannot hold stands beside it.
    record: String,
    #[serde(default)]
    header: Option<Header>,
    /// Of each place, in the order of [`Record::walk`].
    #[serde(default)]
    notes: Vec<Option<Notes>>,
    cursor: Vec<Move>,
    file: Option<PathBuf>,
    unsaved: bool,
    pub game: Option<SavedGame>,
}

/// A game that is being played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedGame {
    pub setting: NewGame,
    /// What was left on the clocks, in milliseconds.
    pub left: [u64; 2],
    /// The moves to the place where the game stands.
    pub moves: Vec<Move>,
}

/// The place to which moves lead, as far as they are in the tree.
pub fn place(record: &Record, moves: &[Move]) -> NodeId {
    moves.iter().try_fold(NodeId::ROOT, |id, &mv| record.child(id, mv).ok_or(id)).unwrap_or_else(|id| id)
}

impl Session {
    /// The session with this study and these solved problems.
    pub fn of(study: SavedStudy, solved: BTreeSet<String>) -> Session {
        Session { version: VERSION, study, replaced: None, solved }
    }

    /// Reads a session. What is wrong is the error.
    fn parse(text: &[u8]) -> Result<Session, String> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let text = whole_file::without_mark(text);
        let Versioned { version } = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if version != VERSION {
            return Err(format!("its version is {version}, and this program reads {VERSION}"));
        }
        let session: Session = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        session.study.study().map(|_| ()).ok_or("its record is no KIF")?;
        Ok(session)
    }
}

impl SavedStudy {
    /// A study as it is written down.
    pub fn of(study: &Study, game: Option<SavedGame>) -> SavedStudy {
        let record = &study.record;
        let notes = |id| Some(record[id].notes()).filter(|notes| !notes.is_empty()).cloned();
        SavedStudy {
            name: study.name.clone(),
            record: record.to_text(Format::Kif).expect("KIF is a format that is written"),
            header: Some(record.header.clone()),
            notes: record.walk().map(notes).collect(),
            cursor: record.moves_to(study.cursor),
            file: study.file.as_ref().map(|file| file.path.clone()),
            unsaved: study.unsaved,
            game,
        }
    }

    /// The study that was written down.
    pub fn study(&self) -> Option<Study> {
        let game = Reader::with_format(self.record.as_bytes(), Format::Kif).ok()?.next()?.ok()?;
        let mut record = game.record?;
        if let Some(header) = &self.header {
            record.header = header.clone();
        }
        let places: Vec<NodeId> = record.walk().collect();
        if places.len() == self.notes.len() {
            for (id, notes) in places.into_iter().zip(&self.notes) {
                set_notes(&mut record, id, notes.clone().unwrap_or_default()).ok()?;
            }
        }
        let mut study = Study::of(record, self.name.clone());
        study.cursor = place(&study.record, &self.cursor);
        study.unsaved = self.unsaved;
        Some(study)
    }

    /// The study that was written down, if it is the one of this file: with what the file's format cannot hold.
    pub fn study_of_file(&self, of_file: &Study) -> Option<Study> {
        let file = of_file.file.as_ref()?;
        if self.file.as_ref() != Some(&file.path) {
            return None;
        }
        let study = self.study()?;
        // Somebody else may have written the file meanwhile.
        let is_same = file.bytes(&study.record).ok()? == file.bytes(&of_file.record).ok()?;
        is_same.then(|| Study { file: of_file.file.clone(), unsaved: false, ..study })
    }

    /// Whether another one has the same record.
    pub fn is_same(&self, other: &SavedStudy) -> bool {
        self.record == other.record && self.header == other.header && self.notes == other.notes
    }

    /// Whether all of it is in the file that was named on the command line.
    pub fn is_in_file(&self) -> bool {
        self.file.is_some() && !self.is_unsaved()
    }

    /// Whether something of it is nowhere else.
    pub fn is_unsaved(&self) -> bool {
        self.unsaved || self.game.is_some()
    }
}

fn set_notes(record: &mut Record, id: NodeId, notes: Notes) -> Result<(), EditError> {
    record.set_comment(id, &notes.comment)?;
    record.set_evaluation(id, notes.evaluation)?;
    record.set_glyphs(id, notes.glyphs)?;
    if id == NodeId::ROOT {
        return Ok(());
    }
    record.set_mark(id, notes.mark)?;
    record.set_time(id, notes.time)?;
    record.set_clock(id, notes.clock)
}

/// Writes files as soon as they change, so that a killed program loses nothing, and has a thread of its own wait for the
/// disk.
#[derive(Debug)]
pub struct Saver {
    unsynced: Option<Sender<(PathBuf, File)>>,
    thread: Option<JoinHandle<()>>,
    /// Where the session is kept, locked against another board; or why it is not.
    place: Result<(PathBuf, File), String>,
    /// What was written to the user's files last.
    written: BTreeMap<PathBuf, Vec<u8>>,
}

/// Why the user's file is not written.
#[derive(Debug)]
pub enum NotSaved {
    /// Another program has changed it.
    Changed(PathBuf),
    /// The system refuses, or the format does not hold the record.
    Failed(String),
}

/// More boards at a time than this keep no session.
const MOST_BOARDS: usize = 20;

impl Saver {
    /// A saver whose session lies in this folder; in no folder, it is not kept. `failed` hears of disks that do not take
    /// what was written.
    pub fn new(folder: Option<&Path>, failed: impl Fn(String) + Send + 'static) -> Saver {
        let place = folder.map_or_else(|| Err("there is no folder for it".to_owned()), free_place);
        let (unsynced, files) = channel();
        let thread = thread::spawn(move || sync(&files, failed));
        Saver { unsynced: Some(unsynced), thread: Some(thread), place, written: BTreeMap::new() }
    }

    /// Why no session is kept.
    pub fn trouble(&self) -> Option<&str> {
        self.place.as_ref().err().map(String::as_str)
    }

    /// The session that was written down last.
    ///
    /// # Errors
    /// Why it cannot be read, and where it lies now: under its name the next one will be written.
    pub fn last(&self) -> Result<Option<Session>, String> {
        let Ok((path, _)) = &self.place else { return Ok(None) };
        let read = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => Err(error.to_string()),
            Ok(text) => Session::parse(&text),
        };
        read.map(Some).map_err(|why| kept_aside(path, &why))
    }

    /// Writes the session down.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn save(&self, session: &Session) -> Result<(), String> {
        let Ok((path, _)) = &self.place else { return Ok(()) };
        let text = serde_json::to_vec(session).map_err(|error| format!("the study cannot be kept: {error}"))?;
        self.write(path, &text)
    }

    /// The earlier games that were written down last, and what is wrong with them.
    pub fn last_earlier(&self) -> (Earlier, Option<String>) {
        let Ok((path, _)) = &self.place else { return (Earlier::default(), None) };
        let path = earlier_of(path);
        let (earlier, why) = match whole_file::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return (Earlier::default(), None),
            Err(error) => (Earlier::default(), Some(error.to_string())),
            Ok(text) => Earlier::parse(&text),
        };
        (earlier, why.map(|why| kept_aside(&path, &why)))
    }

    /// Writes the earlier games down, if they have changed.
    ///
    /// # Errors
    /// Why they cannot be written.
    pub fn save_earlier(&self, earlier: &mut Earlier) -> Result<(), String> {
        let Ok((path, _)) = &self.place else { return Ok(()) };
        if let Some(text) = earlier.changed_text() {
            self.write(&earlier_of(path), text.as_bytes())?;
            earlier.is_written();
        }
        Ok(())
    }

    /// Writes a record to the user's file, if that holds what was last read or written here.
    ///
    /// # Errors
    /// [`NotSaved`]; the file stays as it is.
    pub fn save_file(&mut self, file: &StudyFile, record: &Record) -> Result<(), NotSaved> {
        let StudyFile { path, found, .. } = file;
        let bytes = file.bytes(record).map_err(|error| NotSaved::Failed(format!("{}: {error}", path.display())))?;
        let known = self.written.get(path).map(Vec::as_slice).or(found.as_deref());
        match whole_file::read(path) {
            Ok(there) if there == bytes => {}
            Ok(there) if Some(there.as_slice()) != known => return Err(NotSaved::Changed(path.clone())),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(NotSaved::Failed(cannot_write(path, &error)));
            }
            // One that is gone is written anew.
            _ => self.write(path, &bytes).map_err(NotSaved::Failed)?,
        }
        self.written.insert(path.clone(), bytes);
        Ok(())
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), String> {
        let file = whole_file::replace(path, bytes).map_err(|error| cannot_write(path, &error))?;
        if let Some(unsynced) = &self.unsynced {
            // The thread ends when this end of the channel is dropped.
            let _ = unsynced.send((path.to_owned(), file));
        }
        Ok(())
    }
}

impl Drop for Saver {
    /// Waits until everything is on the disk.
    fn drop(&mut self) {
        self.unsynced = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}

/// A place for a session that no other board has. The lock ends with the process, however that ends.
fn free_place(folder: &Path) -> Result<(PathBuf, File), String> {
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    let mut why = format!("there are {MOST_BOARDS} boards already");
    for number in 1..=MOST_BOARDS {
        let name = if number == 1 { "study".to_owned() } else { format!("study-{number}") };
        let path = folder.join(format!("{name}.lock"));
        match File::options().create(true).append(true).open(&path) {
            Ok(lock) if lock.try_lock().is_ok() => return Ok((folder.join(format!("{name}.json")), lock)),
            Ok(_) => {}
            Err(error) => why = cannot_write(&path, &error),
        }
    }
    Err(why)
}

/// Where the earlier games of a session lie.
fn earlier_of(session: &Path) -> PathBuf {
    session.with_extension("earlier.jsonl")
}

/// Has a file keep another name that cannot be read, and says so.
fn kept_aside(path: &Path, why: &str) -> String {
    match set_aside(path) {
        Ok(aside) => format!("{} cannot be read ({why}). It is kept as {}", path.display(), aside.display()),
        Err(error) => format!("{} cannot be read ({why}), nor renamed: {error}", path.display()),
    }
}

/// Renames a file that cannot be read; one that was set aside before stays.
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

/// Syncs files until no more come. Of several that followed each other under a name, only the last needs it.
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
    use std::time::Duration;

    use super::*;
    use crate::record::{Encoding, Evaluation, Mark};
    use crate::score::{Bound, Score};
    use crate::shogi::Position;

    fn study() -> Study {
        let mut study = Study::new(Position::startpos());
        let first = study.record.play(NodeId::ROOT, "6e6d".parse().unwrap()).unwrap();
        study.cursor = study.record.play(first, "1b1c".parse().unwrap()).unwrap();
        let other = study.record.play(first, "1a2b".parse().unwrap()).unwrap();
        study.record.set_mark(other, Some(Mark::Dubious)).unwrap();
        study.record.set_comment(first, "a comment").unwrap();
        study
    }

    fn session_of(study: &Study) -> Session {
        Session::of(SavedStudy::of(study, None), BTreeSet::new())
    }

    #[test]
    fn a_study_loses_nothing_that_kif_cannot_hold() {
        let mut study = study();
        let first = study.record.child(NodeId::ROOT, "6e6d".parse().unwrap()).unwrap();
        study.record.set_comment(first, "#深さ=7\n*a star").unwrap();
        study.record.set_time(first, Some(Duration::from_millis(951))).unwrap();
        study.record.set_clock(first, Some(Duration::from_millis(59_049))).unwrap();
        let line = ["1b1c", "5f5e"].map(|mv| mv.parse().unwrap()).to_vec();
        let score = Some(Score::Mate(-4));
        let evaluation = Evaluation { score, bound: Bound::Upper, depth: Some(7), nodes: Some(951), line };
        study.record.set_evaluation(first, Some(evaluation)).unwrap();
        study.record.header.time_controls = [Some("60+0".to_owned()), None];
        let mut session = serde_json::to_value(session_of(&study)).unwrap();
        let back = |session: &serde_json::Value| Session::parse(session.to_string().as_bytes()).unwrap().study.study();
        assert_eq!(back(&session).unwrap().record, study.record);
        // Earlier versions of the program wrote the KIF alone.
        let fields = session.as_object_mut().unwrap();
        assert!(["header", "notes"].iter().all(|name| fields.remove(*name).is_some()));
        assert_eq!(back(&session).unwrap().record.len(), study.record.len());
    }

    #[test]
    fn a_study_comes_back_with_its_variations_and_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let study = study();
        let saver = Saver::new(Some(folder.path()), |error| panic!("{error}"));
        assert!(saver.last().unwrap().is_none());
        saver.save(&session_of(&study)).unwrap();
        drop(saver);
        let saver = Saver::new(Some(folder.path()), |error| panic!("{error}"));
        let back = saver.last().unwrap().unwrap().study.study().unwrap();
        assert_eq!(back.record, study.record);
        assert_eq!(back.record.moves_to(back.cursor), study.record.moves_to(study.cursor));
        // Another board has a place of its own.
        assert!(Saver::new(Some(folder.path()), |_| {}).last().unwrap().is_none());
    }

    #[test]
    fn a_session_that_cannot_be_read_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let text = serde_json::to_string(&session_of(&study())).unwrap();
        let newer = text.replacen("\"version\":1", "\"version\":2", 1);
        for (damaged, name) in [(&text[..text.len() / 2], "study.json.damaged"), (&newer, "study.json.damaged-2")] {
            fs::write(folder.path().join("study.json"), damaged).unwrap();
            let error = Saver::new(Some(folder.path()), |_| {}).last().unwrap_err();
            assert!(error.ends_with(name), "{error}");
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), damaged);
        }
    }

    #[test]
    fn where_nothing_can_be_kept_it_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("judkins");
        fs::write(&taken, "no folder").unwrap();
        assert!(Saver::new(Some(&taken), |_| {}).trouble().unwrap().contains("cannot be written"));
        assert!(Saver::new(None, |_| {}).trouble().is_some());
        assert!(Saver::new(Some(folder.path()), |_| {}).trouble().is_none());
    }

    #[test]
    fn a_file_that_somebody_else_has_written_counts_more_than_the_session() {
        let mut study = study();
        study.file = Some(StudyFile {
            path: PathBuf::from("game.usi"),
            format: Format::Usi,
            encoding: Encoding::Utf8,
            found: None,
        });
        let session = SavedStudy::of(&study, None);
        assert!(session.study_of_file(&study).is_some());
        let mut other = study.clone();
        other.record.delete_after(NodeId::ROOT).unwrap();
        assert!(session.study_of_file(&other).is_none());
    }
}
