//! Serialisation of a study.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::reviewed::Reviewed;
use super::study::{Kept, Study};
use crate::board::messages::NewGame;
use crate::record::{Format, Header, NodeId, Notes, Reader, Record};
use crate::review::SavedReview;
use crate::shogi::{GameScore, Move};

/// A study, and the game that is being played in it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SavedStudy {
    pub name: Option<String>,
    /// The moves in KIF; the other fields have the data that KIF lacks.
    record: String,
    #[serde(default)]
    header: Option<Header>,
    /// The annotations of each node, in the order of [`Record::walk`].
    #[serde(default)]
    notes: Vec<Option<Notes>>,
    cursor: Vec<Move>,
    file: Option<PathBuf>,
    unsaved: bool,
    #[serde(default)]
    pub kept: Kept,
    pub game: Option<SavedGame>,
    /// The series of games whose score is shown with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<SavedSeries>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    review: Option<SavedReview>,
    /// The nodes for each position of a review under way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewing: Option<u64>,
}

/// A game that is being played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedGame {
    pub setting: NewGame,
    /// The time left on the clocks, in milliseconds.
    pub left: [u64; 2],
    /// The time left before each of the last moves, which may be taken back, in milliseconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<[u64; 2]>,
    /// The moves to the place where the game stands.
    pub moves: Vec<Move>,
}

/// A series as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedSeries {
    /// As it was asked for, with the engines' names: the first engine has Black.
    pub setting: NewGame,
    /// Chooses the openings.
    pub(super) seed: u64,
    /// Of the games that are over.
    pub(super) results: Vec<GameScore>,
    /// Their numbers in the library.
    pub(super) kept: Vec<u64>,
    pub(super) is_over: bool,
}

/// The node after these moves, as far as they are in the tree.
pub fn place(record: &Record, moves: &[Move]) -> NodeId {
    moves.iter().try_fold(NodeId::ROOT, |id, &mv| record.child(id, mv).ok_or(id)).unwrap_or_else(|id| id)
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
            kept: study.kept.clone(),
            game,
            series: None,
            review: study.review.as_ref().map(|review| review.saved()),
            reviewing: None,
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
                record.set_notes(id, notes.clone().unwrap_or_default()).ok()?;
            }
        }
        let mut study = Study::of(record, self.name.clone());
        study.review = self.review.as_ref().map(|saved| Arc::new(Reviewed::restored(&study.record, saved)));
        study.cursor = place(&study.record, &self.cursor);
        study.unsaved = self.unsaved;
        study.kept = self.kept.clone();
        Some(study)
    }

    /// The stored study, if it matches this file: with the data that the file's format lacks.
    pub fn study_of_file(&self, of_file: &Study) -> Option<Study> {
        let file = of_file.file.as_ref()?;
        if self.file.as_ref() != Some(&file.path) {
            return None;
        }
        let study = self.study()?;
        // Another program may have written the file meanwhile.
        let is_same = file.bytes(&study.record).ok()? == file.bytes(&of_file.record).ok()?;
        is_same.then(|| Study { file: of_file.file.clone(), unsaved: false, ..study })
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
