//! How the study survives the end of the program: it is written down after every change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::study::Study;
use crate::board::messages::NewGame;
use crate::record::{EditError, Format, Header, NodeId, Notes, Reader, Record};
use crate::shogi::Move;

/// The version of [`Session`] in files.
const VERSION: u32 = 1;

/// The state that is stored besides the user's own file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    version: u32,
    #[serde(flatten)]
    pub study: SavedStudy,
    /// The study that it replaced, as earlier versions of the program wrote it; now [`super::earlier::Earlier`] has it.
    #[serde(default, skip_serializing)]
    pub replaced: Option<Box<SavedStudy>>,
    /// The mate problems that were solved, in SFEN.
    #[serde(default)]
    pub solved: BTreeSet<String>,
    /// The user's own mate problems, in lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problems: String,
    /// The numbers of the tasks that were done, by the names of their lessons.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lessons: BTreeMap<String, BTreeSet<usize>>,
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
    /// The time left on the clocks, in milliseconds.
    pub left: [u64; 2],
    /// The moves to the place where the game stands.
    pub moves: Vec<Move>,
}

/// The place to which moves lead, as far as they are in the tree.
pub fn place(record: &Record, moves: &[Move]) -> NodeId {
    moves.iter().try_fold(NodeId::ROOT, |id, &mv| record.child(id, mv).ok_or(id)).unwrap_or_else(|id| id)
}

impl Session {
    /// The session with this study, and with nothing learned.
    pub fn of(study: SavedStudy) -> Session {
        let (solved, problems, lessons) = Default::default();
        Session { version: VERSION, study, replaced: None, solved, problems, lessons }
    }

    /// The session as it is stored.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("records are JSON")
    }

    /// Reads a session. What is wrong is the error.
    pub fn parse(text: &str) -> Result<Session, String> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let Versioned { version } = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if version != VERSION {
            return Err(format!("its version is {version}, and this program reads {VERSION}"));
        }
        let session: Session = serde_json::from_str(text).map_err(|error| error.to_string())?;
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::state::study::StudyFile;
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
        Session::of(SavedStudy::of(study, None))
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
        let back = |session: &serde_json::Value| Session::parse(&session.to_string()).unwrap().study.study();
        assert_eq!(back(&session).unwrap().record, study.record);
        // Earlier versions of the program wrote the KIF alone.
        let fields = session.as_object_mut().unwrap();
        assert!(["header", "notes"].iter().all(|name| fields.remove(*name).is_some()));
        assert_eq!(back(&session).unwrap().record.len(), study.record.len());
    }

    #[test]
    fn a_study_comes_back_with_its_variations_and_its_place() {
        let study = study();
        let back = Session::parse(&session_of(&study).to_json()).unwrap().study.study().unwrap();
        assert_eq!(back.record, study.record);
        assert_eq!(back.record.moves_to(back.cursor), study.record.moves_to(study.cursor));
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
        other.record.delete(other.record[NodeId::ROOT].children()[0]).unwrap();
        assert!(session.study_of_file(&other).is_none());
    }
}
