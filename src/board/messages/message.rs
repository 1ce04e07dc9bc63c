//! `Message`, which the server sends to the page, with its views of the study, the game, the engines and the review.

use serde::Serialize;

use super::solving::{LessonEntry, ProblemCount, ProblemView, SolveView};
use super::text::Text;
use super::{
    ExploredMove, HandView, HeaderView, LibraryRow, LineText, MoveText, ScoreView, SeatKind, SeatView, SeriesView,
    Sides,
};
use crate::protocol::Dialect;
use crate::record::NodeId;
use crate::review::MoveMark;
use crate::shogi::{Color, EndReason, Move};

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndView {
    pub reason: Option<EndReason>,
    pub winner: Option<Color>,
    pub text: Text,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeView {
    pub id: NodeId,
    pub parent: Option<NodeId>,
    pub ply: usize,
    #[serde(rename = "move")]
    pub mv: Option<Move>,
    pub text: Option<MoveText>,
    pub children: Vec<NodeId>,
    pub comment: String,
    /// The end of the game here, after which it was continued.
    #[serde(rename = "formerEnd", skip_serializing_if = "Option::is_none")]
    pub former_end: Option<Text>,
    pub marks: Vec<&'static str>,
    /// In milliseconds.
    pub time: Option<u64>,
    pub eval: Option<ScoreView>,
    pub end: Option<EndView>,
}

/// The position at the cursor.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PositionView {
    pub cursor: NodeId,
    pub sfen: String,
    pub board: Vec<Option<String>>,
    pub hands: Sides<HandView>,
    pub side: Color,
    pub check: Vec<String>,
    pub last: Option<Move>,
    pub legal: Vec<Move>,
    /// Whether threats are shown, once they are found.
    pub shows_threats: bool,
    pub threats: Option<Vec<Move>>,
    pub result: Option<EndView>,
    /// Only while both kings stand in their zones and the rule counts points.
    pub impasse: Option<ImpasseView>,
    pub may_declare: bool,
    /// The number of occurrences of the position, including this one.
    pub repetition: usize,
}

/// An impasse to come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ImpasseView {
    /// The number of plies without a capture or a promotion after which points are counted; 0 while only a check
    /// delays the count.
    pub plies: u32,
    /// The points of Black and of White.
    pub black: u32,
    pub white: u32,
}

/// The remaining times of a clock, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClockView {
    pub main: u64,
    pub byoyomi: u64,
}

/// A level that may suit the player better.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suggestion {
    pub level: u32,
    pub text: Text,
}

/// The game being played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GameView {
    pub black: SeatView,
    pub white: SeatView,
    pub node: NodeId,
    pub to_move: Color,
    pub clocks: Option<Sides<Option<ClockView>>>,
    pub running: Option<Color>,
    pub result: Option<EndView>,
    pub waiting: SeatKind,
    pub suggestion: Option<Suggestion>,
}

/// A line of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineView {
    pub score: ScoreView,
    pub moves: Vec<Move>,
    pub text: LineText,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisView {
    pub engine: usize,
    pub on: bool,
    pub cursor: NodeId,
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub lines: Vec<LineView>,
}

/// An engine and its state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineInfo {
    pub id: usize,
    pub name: String,
    pub author: String,
    pub state: EngineState,
    pub problem: Option<Text>,
    pub protocol: Dialect,
    pub options: Vec<OptionView>,
    /// The Elo of each level, if known.
    pub elos: Option<Vec<u32>>,
}

/// The activity of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineState {
    Starting,
    Idle,
    Thinking,
    Dead,
}

/// An option as its engine declares it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionView {
    pub name: String,
    pub kind: &'static str,
    pub value: String,
    pub default: String,
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub choices: Vec<String>,
    /// Whether it is only shown: the page cannot set it.
    pub locked: bool,
    /// Its explanation, in English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameEntry {
    pub id: u64,
    pub title: Option<String>,
    pub black: String,
    pub white: String,
    pub result: String,
    pub reason: String,
    pub plies: usize,
    pub date: Option<String>,
}

/// The chapters of the study, or the games of an opened file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GamesView {
    pub name: String,
    pub live: bool,
    pub games: Vec<GameEntry>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReviewedMove {
    pub node: NodeId,
    pub ply: usize,
    pub before: ScoreView,
    pub after: ScoreView,
    /// The end of the game, if the move ends it.
    pub end: Option<EndView>,
    /// The loss of winning chance.
    pub loss: f64,
    pub best: Option<Move>,
    pub best_text: Option<MoveText>,
    pub line: ReviewLine,
    pub mark: Option<MoveMark>,
    /// The plies of a missed mate.
    pub missed_mate: Option<usize>,
}

/// A better line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewLine {
    pub moves: Vec<Move>,
    pub text: LineText,
}

/// The summary of a player's moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReviewedPlayer {
    /// 0 to 1.
    pub accuracy: f64,
    pub loss: f64,
    pub blunders: usize,
    pub mistakes: usize,
    pub inaccuracies: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewState {
    Running,
    Done,
    Stopped,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewView {
    pub state: ReviewState,
    /// Positions.
    pub done: u64,
    pub of: u64,
    /// The estimated seconds left.
    pub left: f64,
    pub moves: Vec<ReviewedMove>,
    /// None for a player without moves.
    pub players: Option<Sides<Option<ReviewedPlayer>>>,
    pub turning: Vec<NodeId>,
}

/// An item with an identifier and a name for display.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FormatView {
    pub id: &'static str,
    pub label: &'static str,
}

/// A selectable handicap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HandicapView {
    pub id: String,
    pub sfen: &'static str,
}

/// The name of the study, and whether parts of it are in no file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Files {
    pub name: Option<String>,
    pub unsaved: bool,
}

/// The server's capabilities.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    pub version: u32,
    pub engines: Vec<EngineInfo>,
    pub handicaps: Vec<HandicapView>,
    pub impasse_rules: Vec<&'static str>,
    pub formats: Vec<FormatView>,
    pub problems: Vec<ProblemCount>,
    pub lessons: Vec<LessonEntry>,
    /// The strongest level.
    pub levels: u32,
}

/// The whole tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyView {
    /// A number that no other study has, also after a restart of the program.
    pub study: Option<u64>,
    /// Its number, if it is a chapter.
    pub chapter: Option<u64>,
    pub header: HeaderView,
    pub start: String,
    pub nodes: Vec<NodeView>,
    pub cursor: NodeId,
    pub files: Files,
}

/// A message of the server.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Message {
    Hello(Box<Hello>),
    Study(StudyView),
    Node {
        node: Box<NodeView>,
    },
    /// Nodes that changed together.
    Nodes {
        nodes: Vec<NodeView>,
    },
    Removed {
        nodes: Vec<NodeId>,
    },
    Order {
        parent: NodeId,
        children: Vec<NodeId>,
    },
    Header {
        header: HeaderView,
    },
    Files(Files),
    Position(Box<PositionView>),
    Game {
        game: Option<Box<GameView>>,
    },
    Analysis(AnalysisView),
    /// What an engine thinks, or thought of its last move, while two of them play.
    Thought {
        side: Color,
        thought: AnalysisView,
    },
    Series {
        series: Option<SeriesView>,
    },
    Engine {
        engine: EngineInfo,
    },
    Review {
        review: Option<ReviewView>,
    },
    Games {
        games: Option<GamesView>,
    },
    Learned {
        id: u64,
        good: bool,
        best: bool,
        loss: f64,
    },
    /// Games of the list that are new or have changed.
    GamesAdded {
        games: Vec<GameEntry>,
    },
    Problem {
        problem: Option<ProblemView>,
    },
    Solve {
        solve: Option<SolveView>,
    },
    Exported {
        id: u64,
        name: String,
        text: String,
    },
    Edited {
        id: u64,
        problems: Vec<Text>,
        /// The attacker has no king: it is a mate problem, and not playable.
        kingless: bool,
    },
    Hint {
        id: u64,
        node: NodeId,
        #[serde(rename = "move")]
        mv: Move,
    },
    /// A typed move; it may be illegal.
    MoveRead {
        id: u64,
        #[serde(rename = "move")]
        mv: Move,
    },
    /// The reason why a piece cannot go somewhere, and the squares that cause it.
    Why {
        id: u64,
        text: Text,
        squares: Vec<String>,
    },
    Error {
        id: Option<u64>,
        code: &'static str,
        text: Text,
    },
    Notice {
        text: Text,
    },
    /// The study on the board was replaced, and can be put back.
    Replaced,
    /// Games of the library.
    Library {
        id: u64,
        rows: Vec<LibraryRow>,
        total: usize,
        /// The game on the board.
        current: Option<u64>,
    },
    /// The numbers of all games that match a query.
    LibraryAll {
        id: u64,
        games: Vec<u64>,
    },
    /// The library was changed.
    LibraryDone {
        id: u64,
    },
    /// Games were added to it.
    Imported {
        id: u64,
        count: usize,
        /// The number of games that the library already had.
        known: usize,
        /// The games that were not read completely, and the problem of the first one.
        problem: Option<Text>,
    },
    /// The moves of the book and of games at a node.
    Explored {
        id: u64,
        moves: Vec<ExploredMove>,
    },
    /// A newly connected page has received everything.
    Ready,
}

impl Message {
    /// The message as it is sent.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("messages have string keys and finite numbers")
    }
}
