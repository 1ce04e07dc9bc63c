//! Views of mate problems, lessons and mate searches, part of the server's messages.

use serde::{Deserialize, Serialize};

use super::text::Text;
use super::{LineText, MoveText};
use crate::shogi::Move;

/// A mate problem being solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProblemView {
    /// The set: the length of its mates, or 0 for the user's own.
    pub set: usize,
    pub plies: usize,
    pub sfen: String,
    pub number: usize,
    pub of: usize,
    pub state: ProblemState,
    pub text: Text,
    pub lesson: Option<LessonView>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProblemState {
    Playing,
    Solved,
    Failed,
    Shown,
}

/// The number of problems of a length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProblemCount {
    pub plies: usize,
    pub count: usize,
    pub solved: usize,
}

/// A text of a file: in one language, or in each of the page's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a text is \"in one language\", or it has en and ja")]
pub enum Words {
    One(String),
    Each { en: String, ja: String },
}

/// A lesson's task on the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LessonView {
    pub id: String,
    pub title: Words,
    pub task: usize,
    pub of: usize,
    pub text: Words,
    pub hint: Option<Words>,
    pub done: Option<Words>,
    /// The file's explanation of the last, wrong move.
    pub wrong: Option<Words>,
    /// The squares to visit.
    pub marks: Vec<String>,
}

/// A lesson in the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LessonEntry {
    pub id: String,
    pub title: Words,
    pub tasks: usize,
    pub done: Vec<usize>,
    /// For each task the level of the game to win, if it is one.
    pub games: Vec<Option<u32>>,
    /// It comes from a file, and can be removed.
    pub opened: bool,
}

/// The state of a mate search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SolveState {
    Running,
    Mate,
    None,
    Unknown,
}

/// A mate search and its result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolveView {
    pub sfen: String,
    pub state: SolveState,
    pub nodes: u64,
    /// The length of the mate found so far, as players count it.
    pub plies: Option<usize>,
    /// Whether shorter mates are disproven.
    pub shortest: bool,
    pub moves: Vec<Move>,
    pub text: LineText,
    /// Whether the solution is unique, except for the last move; none if undecided.
    pub unique: Option<bool>,
    /// Other moves that mate or may mate.
    pub rivals: Vec<RivalView>,
}

/// A move that mates or may mate in place of the solution's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RivalView {
    /// The ply of the solution's move, from 1.
    pub ply: usize,
    pub text: MoveText,
    /// An upper bound of the mate's length; none if undecided.
    pub plies: Option<usize>,
}
