//! What the page and the server say to each other: JSON objects with a `type`.

use serde::{Deserialize, Serialize};

use super::words::Words;
use crate::record::NodeId;
use crate::shogi::{Color, Move};

/// The version of these messages.
pub const VERSION: u32 = 1;

/// What the page asks for. Each comes with an `id`, which the answer repeats: [`Asked`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
#[allow(missing_docs)] // The names say it, and the page's own documentation.
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
    Resign,
    Takeback,
    Hint,
    Declare,
    Rematch,
    Endgame,
    Study {
        #[serde(default)]
        sfen: Option<String>,
    },
    Open {
        name: String,
        data: String,
    },
    OpenGame {
        index: usize,
    },
    Paste {
        text: String,
    },
    Export {
        format: String,
        #[serde(default)]
        game: Option<usize>,
    },
    Save {
        format: String,
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
    Edit {
        board: Vec<Option<String>>,
        hands: Sides<HandView>,
        side: Side,
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
        #[serde(rename = "move")]
        mv: Move,
    },
    ProblemShow,
    ProblemLeave,
    ProblemSet {
        name: String,
        data: String,
    },
}

/// A request with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The number that the page counts up.
    pub id: u64,
    /// What is asked for.
    pub request: Request,
}

impl Asked {
    /// Reads a message.
    ///
    /// # Errors
    /// The number, if it could be read, and what is wrong.
    pub fn parse(text: &str) -> Result<Asked, (Option<u64>, String)> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|error| (None, error.to_string()))?;
        let serde_json::Value::Object(mut fields) = value else {
            return Err((None, "a message is a JSON object".to_owned()));
        };
        let id = fields.remove("id").and_then(|id| id.as_u64());
        let id = id.ok_or_else(|| (None, "a message has a whole number as its id".to_owned()))?;
        let request = serde_json::from_value(serde_json::Value::Object(fields));
        Ok(Asked { id, request: request.map_err(|error| (Some(id), error.to_string()))? })
    }
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[allow(missing_docs)]
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
}

/// Who plays a colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct SeatView {
    pub kind: SeatKind,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub engine: Option<usize>,
    /// 0 to 20, the strongest.
    #[serde(default)]
    pub level: Option<u32>,
}

/// A person or a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum SeatKind {
    Human,
    Engine,
}

/// Time for a game, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct ClockSetting {
    pub main: f64,
    #[serde(default)]
    pub byoyomi: f64,
    #[serde(default)]
    pub increment: f64,
}

/// A colour as the page names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Side {
    Black,
    White,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::Black => Side::Black,
            Color::White => Side::White,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        }
    }
}

/// Something of each colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Sides<T> {
    pub black: T,
    pub white: T,
}

impl<T> Sides<T> {
    /// Black's and White's.
    pub fn of(each: impl Fn(Color) -> T) -> Sides<T> {
        Sides { black: each(Color::Black), white: each(Color::White) }
    }

    /// A colour's.
    pub fn get(&self, color: Color) -> &T {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }
}

/// The pieces in a hand, by their letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE", default, deny_unknown_fields)]
#[allow(missing_docs)]
pub struct HandView {
    pub r: u8,
    pub b: u8,
    pub g: u8,
    pub s: u8,
    pub n: u8,
    pub p: u8,
}

/// What is known of a game besides its moves. What the page sends and nobody can change, it sends in vain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(missing_docs)]
pub struct HeaderView {
    pub black: Option<String>,
    pub white: Option<String>,
    pub event: Option<String>,
    pub site: Option<String>,
    pub round: Option<String>,
    pub date: Option<String>,
    pub time_control: Option<String>,
    pub impasse_rule: Option<String>,
    pub handicap: Option<String>,
    pub result: Option<String>,
    pub reason: Option<String>,
    pub detail: Option<String>,
}

/// A move in the three notations.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct MoveText {
    pub ja: String,
    pub western: String,
    pub usi: String,
}

/// A line in the three notations.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct LineText {
    pub ja: Vec<String>,
    pub western: Vec<String>,
    pub usi: Vec<String>,
}

/// A score from Black's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct ScoreView {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Plies; negative: Black is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    pub bound: crate::score::Bound,
    /// Black's chance to win.
    pub win: f64,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct EndView {
    pub reason: Option<crate::shogi::EndReason>,
    pub winner: Option<Side>,
    pub text: Words,
}

/// A place in the tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct NodeView {
    pub id: NodeId,
    pub parent: Option<NodeId>,
    pub ply: usize,
    #[serde(rename = "move")]
    pub mv: Option<Move>,
    pub text: Option<MoveText>,
    pub children: Vec<NodeId>,
    pub comment: String,
    pub marks: Vec<&'static str>,
    /// Milliseconds.
    pub time: Option<u64>,
    pub eval: Option<ScoreView>,
    pub end: Option<EndView>,
}

/// What stands at the cursor.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct PositionView {
    pub cursor: NodeId,
    pub sfen: String,
    pub board: Vec<Option<String>>,
    pub hands: Sides<HandView>,
    pub side: Side,
    pub check: Vec<String>,
    pub last: Option<Move>,
    pub legal: Vec<Move>,
    pub threats: Option<Vec<Move>>,
    pub result: Option<EndView>,
    pub points: Sides<u32>,
    pub may_declare: bool,
    /// How often the position has stood, this time included.
    pub repetition: usize,
}

/// What is left on a clock, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct ClockView {
    pub main: u64,
    pub byoyomi: u64,
    pub increment: u64,
}

/// A level that may suit the player better.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Suggestion {
    pub level: u32,
    pub text: Words,
}

/// The game being played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct GameView {
    pub black: SeatView,
    pub white: SeatView,
    pub node: NodeId,
    pub to_move: Side,
    pub clocks: Option<Sides<ClockView>>,
    pub running: Option<Side>,
    pub result: Option<EndView>,
    pub waiting: SeatKind,
    pub suggestion: Option<Suggestion>,
}

/// A line of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct LineView {
    pub multipv: u32,
    pub score: ScoreView,
    pub depth: Option<u32>,
    pub moves: Vec<Move>,
    pub text: LineText,
}

/// How an analysis stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct AnalysisView {
    pub engine: usize,
    pub on: bool,
    pub cursor: NodeId,
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub hashfull: Option<u32>,
    pub lines: Vec<LineView>,
}

/// An engine and how it does.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct EngineInfo {
    pub id: usize,
    pub name: String,
    pub author: String,
    pub state: EngineState,
    pub problem: Option<Words>,
    pub protocol: crate::arena::Dialect,
    pub options: Vec<OptionView>,
}

/// What an engine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum EngineState {
    Starting,
    Idle,
    Thinking,
    Dead,
}

/// An option as its engine declares it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct OptionView {
    pub name: String,
    pub kind: &'static str,
    pub value: String,
    pub default: String,
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub choices: Vec<String>,
    /// Shown, but not to be set from the page.
    pub locked: bool,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct GameEntry {
    pub index: usize,
    pub black: String,
    pub white: String,
    pub result: String,
    pub reason: String,
    pub plies: usize,
    pub date: Option<String>,
}

/// The games of an opened file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct GamesView {
    pub name: String,
    pub live: bool,
    pub games: Vec<GameEntry>,
    pub total: usize,
    pub current: Option<usize>,
}

/// A mate problem being solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct ProblemView {
    pub id: usize,
    pub plies: usize,
    pub sfen: String,
    pub number: usize,
    pub of: usize,
    pub state: ProblemState,
    pub text: Words,
}

/// How a problem stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum ProblemState {
    Playing,
    Solved,
    Failed,
    Shown,
}

/// Something with a name for programs and one for people.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct FormatView {
    pub id: &'static str,
    pub label: &'static str,
}

/// A handicap that can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct HandicapView {
    pub id: String,
    pub sfen: &'static str,
    pub names: Words,
}

/// Problems of a length.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct ProblemCount {
    pub plies: usize,
    pub count: usize,
    pub solved: usize,
}

/// What the study is called, and whether something of it is in no file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Files {
    pub name: Option<String>,
    pub unsaved: bool,
}

/// What the server can do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Hello {
    pub version: u32,
    pub name: String,
    pub engines: Vec<EngineInfo>,
    pub handicaps: Vec<HandicapView>,
    pub impasse_rules: &'static [&'static str],
    pub formats: Vec<FormatView>,
    pub problems: Vec<ProblemCount>,
    /// The strongest level.
    pub levels: u32,
    pub file: Option<String>,
    /// What not every build of the server can do.
    pub features: &'static [&'static str],
}

/// The whole tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct StudyView {
    pub rev: u64,
    pub header: HeaderView,
    pub start: String,
    pub nodes: Vec<NodeView>,
    pub cursor: NodeId,
    pub files: Files,
}

/// What the server says.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[allow(missing_docs)]
pub enum Message {
    Hello(Box<Hello>),
    Study(StudyView),
    Node {
        rev: u64,
        node: Box<NodeView>,
    },
    Removed {
        rev: u64,
        nodes: Vec<NodeId>,
    },
    Order {
        rev: u64,
        parent: NodeId,
        children: Vec<NodeId>,
    },
    Header {
        rev: u64,
        header: HeaderView,
    },
    Files(Files),
    Position(Box<PositionView>),
    Game {
        game: Option<Box<GameView>>,
    },
    Analysis(AnalysisView),
    Engine {
        engine: EngineInfo,
    },
    Games {
        games: Option<GamesView>,
    },
    GamesAdded {
        games: Vec<GameEntry>,
        total: usize,
    },
    Problem {
        problem: Option<ProblemView>,
    },
    Exported {
        id: u64,
        format: String,
        name: String,
        text: String,
    },
    Edited {
        id: u64,
        sfen: Option<String>,
        problems: Vec<Words>,
    },
    Hint {
        id: u64,
        #[serde(rename = "move")]
        mv: Move,
        text: MoveText,
    },
    Error {
        id: Option<u64>,
        code: &'static str,
        text: Words,
    },
    Notice {
        text: Words,
    },
}

impl Message {
    /// The message as it is sent.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("messages have string keys and finite numbers")
    }
}
