//! `Request`, which the page sends to the server, its settings of new games, and its parser, `Asked::parse`.

use serde::{Deserialize, Serialize};

use super::{HeaderView, LibraryQuery};
use crate::contest::Adjudication;
use crate::jsonl;
use crate::record::NodeId;
use crate::shogi::{Color, Move};

/// A request of the page. Each has an `id`, which the answer repeats: [`Asked`].
///
/// The page sends the name in the field `type`. [`Asked::parse`] turns it into the key of the other fields, because
/// serde would compile the parser of all fields twice for an internally tagged enum.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Request {
    Goto {
        node: NodeId,
    },
    Play {
        node: NodeId,
        #[serde(rename = "move")]
        mv: Move,
    },
    Delete {
        node: NodeId,
    },
    /// Restores the last deletion.
    Undelete {},
    /// Undoes the last edit of the study.
    Undo {},
    /// Reads a typed move, in any notation.
    ReadMove {
        node: NodeId,
        text: String,
    },
    /// Asks why a piece cannot go to a square, or anywhere. The piece is on a square, or, as `P*`, in the hand of a
    /// side.
    Why {
        node: NodeId,
        from: String,
        #[serde(default)]
        side: Option<Color>,
        #[serde(default)]
        to: Option<String>,
    },
    /// Restores the study that was replaced last.
    PutBack {},
    /// Lists games of the library.
    Library(LibraryQuery),
    /// Lists the numbers of all matching games.
    LibraryAll(LibraryQuery),
    OpenKept {
        game: u64,
    },
    RenameKept {
        game: u64,
        name: String,
    },
    DeleteKept {
        games: Vec<u64>,
    },
    /// Deletes games permanently.
    EraseKept {
        games: Vec<u64>,
    },
    /// Restores deleted games.
    RestoreKept {
        games: Vec<u64>,
    },
    ExportKept {
        games: Vec<u64>,
        format: String,
    },
    /// Adds the games of a file.
    Import {
        name: String,
        data: String,
        /// Whether another part of the file follows.
        #[serde(default)]
        more: bool,
    },
    /// Asks for the moves of the book and of games at a node.
    Explore {
        node: NodeId,
    },
    Promote {
        node: NodeId,
    },
    Mainline {
        node: NodeId,
    },
    Comment {
        node: NodeId,
        text: String,
    },
    Marks {
        node: NodeId,
        marks: Vec<String>,
    },
    Header {
        header: HeaderView,
    },
    New(NewGame),
    Resign {},
    Takeback {},
    Hint {},
    Declare {},
    Rematch {},
    Endgame {},
    Study {
        #[serde(default)]
        sfen: Option<String>,
    },
    Open {
        name: String,
        data: String,
        /// Adds its games to the chapters.
        #[serde(default)]
        add: bool,
    },
    OpenGame {
        game: u64,
    },
    /// Adds a chapter and opens it: the study on the board, or a new one from a position or the start.
    AddChapter {
        title: String,
        #[serde(default)]
        here: bool,
        #[serde(default)]
        sfen: Option<String>,
    },
    RenameChapter {
        game: u64,
        title: String,
    },
    /// Moves a chapter to this number in the list, from 0.
    MoveChapter {
        game: u64,
        to: usize,
    },
    DeleteChapter {
        game: u64,
    },
    /// Restores a deleted chapter: this one, or the last.
    RestoreChapter {
        #[serde(default)]
        game: Option<u64>,
    },
    Paste {
        text: String,
    },
    /// The study, or all chapters as one text.
    Export {
        format: String,
        #[serde(default)]
        all: bool,
    },
    Save {
        format: String,
        #[serde(default)]
        all: bool,
    },
    Analyse {
        on: bool,
        engine: usize,
        #[serde(default)]
        lines: Option<u32>,
    },
    Option {
        engine: usize,
        name: String,
        value: String,
    },
    Restart {
        engine: usize,
    },
    Threats {
        on: bool,
    },
    /// Whether the page is visible, which it is at first.
    Watch {
        on: bool,
    },
    /// Asks what is wrong with a position that is being set up.
    Edit {
        sfen: String,
    },
    Review {
        nodes: u64,
        /// Whether it is the one that was interrupted, which begins again only if its game is still on the board.
        #[serde(default)]
        resumes: bool,
    },
    StopReview {},
    Learn {
        node: NodeId,
        #[serde(rename = "move", default)]
        mv: Option<Move>,
    },
    SetPosition {
        sfen: String,
    },
    ProblemNext {
        plies: usize,
        #[serde(default)]
        number: Option<usize>,
    },
    ProblemMove {
        node: NodeId,
        #[serde(rename = "move")]
        mv: Move,
    },
    ProblemShow {},
    ProblemLeave {},
    ProblemSet {
        name: String,
        data: String,
    },
    /// Deletes a problem of the user's own set.
    ProblemDrop {
        number: usize,
    },
    /// Starts a task of a lesson, numbered from 0.
    Lesson {
        lesson: String,
        #[serde(default)]
        task: usize,
    },
    /// Removes a lesson that was opened from a file.
    LessonRemove {
        lesson: String,
    },
    /// Searches for a mate in this position, or at the cursor.
    Solve {
        #[serde(default)]
        sfen: Option<String>,
    },
    /// Ends the search for a mate, or closes its result.
    SolveStop {},
    /// Adds the solved position to the user's own problems.
    SolveKeep {},
}

/// A request with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The number, which the page increments.
    pub id: u64,
    pub request: Request,
}

impl Asked {
    /// Reads a message.
    ///
    /// # Errors
    /// The number, if it could be read, and the error.
    pub fn parse(text: &str) -> Result<Asked, (Option<u64>, String)> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|error| (None, error.to_string()))?;
        let serde_json::Value::Object(mut fields) = value else {
            return Err((None, "a message is a JSON object".to_owned()));
        };
        let id = fields.remove("id").and_then(|id| id.as_u64());
        let id = id.ok_or_else(|| (None, "a message has a whole number as its id".to_owned()))?;
        let Some(serde_json::Value::String(name)) = fields.remove("type") else {
            return Err((Some(id), "a message has its name as its type".to_owned()));
        };
        // From a text like everything else, because serde compiles a parser of all types for each kind of source.
        let request = jsonl::parse(serde_json::json!({ name: fields }).to_string().as_bytes());
        Ok(Asked { id, request: request.map_err(|error| (Some(id), error.message))? })
    }
}

/// The settings of a new game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewGame {
    #[serde(default)]
    pub sfen: Option<String>,
    #[serde(default)]
    pub handicap: Option<String>,
    pub black: SeatView,
    pub white: SeatView,
    #[serde(default)]
    pub clock: Option<ClockSetting>,
    #[serde(default)]
    pub impasse_rule: Option<String>,
    /// When the game ends before the rules end it.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// More than one game is a series of two engines, who change colours after each.
    #[serde(default = "one")]
    pub games: usize,
    /// Whether the game, or each pair of games, begins with an opening of the built-in list.
    #[serde(default)]
    pub openings: bool,
}

fn one() -> usize {
    1
}

/// The player of a colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatView {
    pub kind: SeatKind,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub engine: Option<usize>,
    /// The engine's name on the command line, by which a stored game finds it. Filled in by the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// From 0 to 20, the strongest.
    #[serde(default)]
    pub level: Option<u32>,
    /// A limit of its own, in place of the game's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<SeatLimit>,
}

/// How long an engine may think.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum SeatLimit {
    Clock(ClockSetting),
    /// For each move.
    Time {
        /// In seconds.
        time: f64,
    },
    /// For each move.
    Nodes {
        nodes: u64,
    },
    /// For each move, in plies.
    Depth {
        depth: u32,
    },
}

/// A person or a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatKind {
    Human,
    Engine,
}

/// The time control of a game, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    pub main: f64,
    #[serde(default)]
    pub byoyomi: f64,
    #[serde(default)]
    pub increment: f64,
}
