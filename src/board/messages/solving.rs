use serde::{Deserialize, Serialize};

use super::text::Text;
use super::{LineText, MoveText};
use crate::shogi::Move;

/// A mate problem being solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProblemView {
    /// The set that it is from: that of its length, or 0 for the user's own.
    pub set: usize,
    pub plies: usize,
    pub sfen: String,
    pub number: usize,
    pub of: usize,
    pub state: ProblemState,
    pub text: Text,
    pub lesson: Option<LessonView>,
}

/// How a problem stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProblemState {
    Playing,
    Solved,
    Failed,
    Shown,
}

/// Problems of a length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProblemCount {
    pub plies: usize,
    pub count: usize,
    pub solved: usize,
}

/// A text of a file: in one language, or in each of the page's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
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
    /// Why the last move was wrong, if the file says it.
    pub wrong: Option<Words>,
    /// The squares to be visited.
    pub marks: Vec<String>,
}

/// A lesson in the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LessonEntry {
    pub id: String,
    pub title: Words,
    pub tasks: usize,
    pub done: Vec<usize>,
    /// The level of the game that it asks to win.
    pub game: Option<u32>,
}

/// How the search for a mate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SolveState {
    Running,
    Mate,
    None,
    Unknown,
}

/// A search for a mate, and what it found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolveView {
    pub sfen: String,
    pub state: SolveState,
    pub nodes: u64,
    /// Of the mate found so far, as players count it.
    pub plies: Option<usize>,
    /// Whether shorter mates are disproven.
    pub shortest: bool,
    pub moves: Vec<Move>,
    pub text: LineText,
    /// Whether the solution is the only one, the last move aside; none if that is open.
    pub unique: Option<bool>,
    /// Other moves that mate, or may.
    pub rivals: Vec<RivalView>,
}

/// A move that mates in place of the solution's, or may.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RivalView {
    /// The place of the solution's move, from 1.
    pub ply: usize,
    pub text: MoveText,
    /// An upper bound of the mate's length; none if it is open.
    pub plies: Option<usize>,
}
