//! The edited record, and a node in it.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::lessons::LessonFile;
use super::reviewed::Reviewed;
use super::view;
use crate::board::messages::{Files, StudyView};
use crate::book::Book;
use crate::record::{
    Branch, EditError, Encoding, Format, FormerEnd, Header, Mark, NodeId, NotWritten, Problem, Record, usi,
};
use crate::review::{Language, annotate};
use crate::shogi::{Color, Move, Position};

/// A record on the board.
#[derive(Clone, Debug)]
pub struct Study {
    pub record: Record,
    pub cursor: NodeId,
    /// The name of its file.
    pub name: Option<String>,
    /// The file to which every change is written.
    pub file: Option<StudyFile>,
    /// Whether there are changes that are in no file of the user.
    pub unsaved: bool,
    /// The review of it that ended last.
    pub review: Option<Arc<Reviewed>>,
    pub kept: Kept,
    /// The edits that can be undone and when they were made, the oldest first.
    pub edits: VecDeque<(Instant, Edit)>,
}

/// The link from a study to its game in the library, and to its chapter in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    pub id: Option<u64>,
    /// The number of a study that was on the board before the library or the list had it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_id: Option<u64>,
    /// The colour of a person who played against an engine, and the engine's level.
    pub colour: Option<Color>,
    pub level: Option<u32>,
    /// The day on which it was kept first, if its header has none.
    pub date: Option<String>,
    /// Whether the library has all of it.
    pub is_current: bool,
}

impl Kept {
    /// A number that no other study has, and that stays when the library gets it.
    pub fn identity(&self) -> Option<u64> {
        self.first_id.or(self.id)
    }
}

/// The file of a record, as it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyFile {
    pub path: PathBuf,
    pub format: Format,
    pub encoding: Encoding,
    /// The bytes found in it; none if it did not exist.
    pub found: Option<Arc<[u8]>>,
}

impl StudyFile {
    /// The record in the file's format. If Shift-JIS lacks a character, the whole file is written in UTF-8.
    pub fn bytes(&self, record: &Record) -> Result<Vec<u8>, NotWritten> {
        let text = match self.format {
            // A line of moves alone would lose the players and the end, which the file may have.
            Format::Usi => usi::to_whole_text(record),
            format => record.to_text(format)?,
        };
        Ok(self.encoding.encode(&text).unwrap_or_else(|_| text.into_bytes()))
    }
}

impl Study {
    /// A study that begins here.
    pub fn new(start: Position) -> Study {
        Study::of(Record::new(start), None)
    }

    /// A study at the end of a line.
    pub fn along(start: &Position, moves: &[Move]) -> Result<Study, EditError> {
        let mut study = Study::new(start.clone());
        for &mv in moves {
            study.cursor = study.record.play(study.cursor, mv)?;
        }
        Ok(study)
    }

    pub fn of(record: Record, name: Option<String>) -> Study {
        let (cursor, file, review) = (NodeId::ROOT, None, None);
        Study { record, cursor, name, file, unsaved: false, review, kept: Kept::default(), edits: VecDeque::new() }
    }

    /// The record with the comments of its review in this language.
    pub fn annotated(&self, language: Language) -> Cow<'_, Record> {
        match &self.review {
            Some(review) => {
                let mut record = self.record.clone();
                annotate(&mut record, &review.moves, language);
                Cow::Owned(record)
            }
            None => Cow::Borrowed(&self.record),
        }
    }

    /// Whether it has moves, a comment, or a position of its own.
    pub fn has_content(&self) -> bool {
        let record = &self.record;
        let is_own = || *record.start() != Position::startpos() && record.handicap().is_none();
        !record.is_empty() || !record[NodeId::ROOT].notes().comment.is_empty() || is_own()
    }

    /// The name and the state, as the page shows them.
    pub fn files(&self) -> Files {
        Files { name: self.name.clone(), unsaved: self.unsaved }
    }

    /// The whole study for the page.
    pub fn view(&self) -> StudyView {
        StudyView {
            study: self.kept.identity(),
            chapter: None,
            header: view::header(&self.record),
            start: self.record.start().to_string(),
            nodes: view::tree(&self.record),
            cursor: self.cursor,
            files: self.files(),
        }
    }
}

/// An edit of the study, with the data before it.
#[derive(Clone, Debug)]
pub enum Edit {
    /// A move was added.
    Added(NodeId),
    Deleted(Deletion),
    Comment(NodeId, String),
    Mark(NodeId, Option<Mark>),
    Header(Box<Header>),
    /// The moves after these places were put into another order.
    Order(Vec<(NodeId, Vec<NodeId>)>),
}

impl Edit {
    /// Whether its node still exists. A move that was deleted and played again is another node.
    pub fn is_of(&self, record: &Record) -> bool {
        let is_there = |node: NodeId| record.get(node).is_some();
        match self {
            Edit::Added(node) | Edit::Comment(node, _) | Edit::Mark(node, _) => is_there(*node),
            Edit::Deleted(deletion) => deletion.branch.parent().is_some_and(is_there),
            Edit::Header(_) => true,
            Edit::Order(orders) => orders.iter().any(|(parent, _)| is_there(*parent)),
        }
    }
}

/// Moves that were deleted.
#[derive(Clone, Debug)]
pub struct Deletion {
    pub branch: Branch,
    /// The node on the board before the deletion.
    pub cursor: NodeId,
    /// The end of the game and its last move, if that was deleted.
    pub end: Option<(NodeId, FormerEnd)>,
}

#[derive(Debug)]
pub enum FileContent {
    /// A game, in a file that can be written.
    Study(Box<Study>),
    /// Games to choose from, in a file that is only read.
    Games(PathBuf),
    /// A game that could be read in part, and why not further. The file is only read.
    Part(Box<Study>, Problem),
    /// Lessons, which stand before the program's own.
    Lessons(LessonFile),
    /// Mate problems, as text.
    Problems(String),
    /// A book to look moves up in.
    Book(Book),
}
