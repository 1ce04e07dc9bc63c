//! Inputs and outputs of the state, as values. A shell carries them to and from pages, engines, files and threads.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::kept::{LibraryAnswer, LibraryTask, ReadGames};
use super::listed::Followed;
pub use super::now::Now;
use super::problems::{Judgement, ReadProblems};
pub use super::replay::{Files, PATHS as REPLAY_PATHS, name_of};
use crate::board::messages::text::Text;
use crate::protocol::usi::{Go, OptionKind};
use crate::protocol::{Dialect, EngineDecision, ReplyInfo};
use crate::record::{Impasse, Record};
use crate::review::{Progress, Review};
use crate::score::{Bound, Score};
use crate::shogi::{Move, Position};

/// The minimum time between two updates of an analysis: at most ten per second.
pub const UPDATE_INTERVAL: Duration = Duration::from_millis(100);

pub type ClientId = u64;
/// A process, or a worker, that runs an engine.
pub type ProcessId = u64;
/// A computation beside the state.
pub type JobId = u64;

#[derive(Debug)]
pub enum Input {
    Joined(ClientId),
    Left(ClientId),
    /// A request of a page, in JSON.
    Request {
        client: ClientId,
        text: String,
    },
    /// A page has sent a message that is too long.
    TooLong(ClientId),
    Engine {
        process: ProcessId,
        report: Report,
    },
    /// Games of the followed file have been read.
    Followed(Followed),
    /// The progress of a job.
    Progress {
        job: JobId,
        progress: JobProgress,
    },
    /// A job has ended.
    JobDone {
        job: JobId,
        result: JobResult,
    },
    FileNotWritten {
        path: PathBuf,
        why: NotWritten,
    },
    NotStored(String),
    /// The library's answer to a task, or why there is none.
    Library {
        number: u64,
        answer: Result<LibraryAnswer, String>,
    },
    /// The files of the page that the program itself does not carry.
    ReplayFiles(Files),
    /// A warning for the user.
    Warning(String),
    /// The deadline of [`super::State::deadline`] has been reached.
    Timer,
}

#[derive(Debug)]
pub enum Output {
    /// Send a message to a page.
    Send { client: ClientId, text: String },
    /// Send a message to every page.
    Broadcast(String),
    /// Start an engine, by its number, with these options in addition to its own. `level` makes it weaker, if possible.
    StartEngine {
        process: ProcessId,
        engine: usize,
        settings: Vec<(String, String)>,
        level: Option<u32>,
        impasse: Option<Impasse>,
    },
    /// Give an engine an order. An engine that has ended ignores it.
    Order { process: ProcessId, order: Order },
    /// Let an engine end once it has carried out its orders.
    EndEngine(ProcessId),
    /// Compute something, and report [`Input::JobDone`].
    StartJob { job: JobId, kind: Job },
    /// Abort a job. It still reports what it has.
    StopJob(JobId),
    /// Read the games of a file, and follow it while it grows.
    Follow(PathBuf),
    /// Store the session, see `session.rs`, in place of the one before.
    Store(String),
    /// Store the chapters, see `saved_games.rs`, in place of those before; none if there are none.
    StoreGames(Option<String>),
    /// Give the library a task, which is answered by [`Input::Library`].
    Library { number: u64, task: LibraryTask },
    /// Write the user's file, unless another program has changed it since `found` was read or this program wrote it.
    WriteFile { path: PathBuf, bytes: Vec<u8>, found: Option<Arc<[u8]>> },
}

/// The reason why the user's file is not written.
#[derive(Debug)]
pub enum NotWritten {
    /// Another program has changed it.
    Changed,
    Failed(String),
}

/// A computation that takes too long for the state.
#[derive(Debug)]
pub enum Job {
    /// Judge a legal move of a mate problem, whose attacker has `plies` plies left including it.
    Judge {
        position: Box<Position>,
        mv: Move,
        plies: usize,
    },
    /// Read mate problems, and solve those without a solution.
    ReadProblems(String),
    ReadGames {
        name: String,
        bytes: Vec<u8>,
        now: Now,
    },
    /// Review a game with this number of nodes per position.
    Review {
        record: Box<Record>,
        nodes: u64,
    },
    /// Search for a mate, and for other mating moves.
    Solve(Box<Position>),
}

#[derive(Clone, Copy, Debug)]
pub enum JobProgress {
    Review(Progress),
    /// Nodes of the search for a mate, and the plies of the one found so far.
    Solve {
        nodes: u64,
        plies: Option<usize>,
    },
}

#[derive(Debug)]
pub enum JobResult {
    Judged(Judgement),
    Problems(ReadProblems),
    Games(ReadGames),
    Reviewed(Result<Box<Review>, String>),
    Solved(Solved),
}

/// The result of a search for a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    Mate {
        moves: Vec<Move>,
        /// Its length as players count it.
        plies: usize,
        /// Whether shorter mates are disproven.
        shortest: bool,
        /// Whether it is the only solution; none if undecided.
        unique: Option<bool>,
        /// Other moves that mate or may mate: the ply of the line that each replaces, and the plies of its mate.
        rivals: Vec<(usize, Move, Option<usize>)>,
    },
    NoMate,
    Unknown,
}

#[derive(Debug)]
pub enum Order {
    /// Begin a search; one under way is dropped.
    Search(Box<Search>),
    /// Stop the search and drop its result.
    Stop,
    Set {
        name: String,
        value: String,
    },
    /// Report the end of a game.
    GameOver(&'static str),
}

#[derive(Debug)]
pub struct Search {
    /// The number that its reports carry.
    pub id: u64,
    pub start: Position,
    pub moves: Vec<Move>,
    pub limit: Limit,
    /// The number of best lines.
    pub lines: u32,
}

#[derive(Debug)]
pub enum Limit {
    Infinite,
    /// Search for a move; `allowed` is the maximum time.
    Move {
        go: Go,
        allowed: Option<Duration>,
    },
}

/// A best line, as far as it is legal.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// From the point of view of the side to move.
    pub score: Score,
    pub bound: Bound,
    pub depth: Option<u32>,
    pub moves: Vec<Move>,
}

/// The results of a search so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchInfo {
    pub depth: Option<u32>,
    pub seldepth: Option<u32>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    /// The best lines, in their order; some may not be known yet.
    pub lines: Vec<Option<Line>>,
}

impl SearchInfo {
    /// Adds a line of an engine's output, on a search of `position`. Returns whether it changed what pages show.
    pub fn add(&mut self, info: ReplyInfo, position: &Position, dialect: Dialect) -> bool {
        const MOST_LINES: usize = 64;
        let index = info.multipv.unwrap_or(1).saturating_sub(1) as usize;
        if index == 0 {
            self.depth = info.depth.or(self.depth);
            self.seldepth = info.seldepth.or(self.seldepth);
        }
        self.nodes = info.nodes.or(self.nodes);
        self.nps = info.nps.or(self.nps);
        let Some(score) = info.score else { return info.nodes.is_some() };
        let moves = position.legal_prefix(info.pv.iter().map_while(|word| dialect.parse_move(word)));
        if moves.is_empty() || index >= MOST_LINES {
            return true;
        }
        if self.lines.len() <= index {
            self.lines.resize(index + 1, None);
        }
        let (score, bound) = (dialect.score(score), info.bound.unwrap_or(Bound::Exact));
        self.lines[index] = Some(Line { score, bound, depth: info.depth, moves });
        true
    }
}

#[derive(Debug)]
pub enum Report {
    /// It has introduced itself and is ready.
    Ready {
        name: String,
        author: String,
        options: Vec<(String, OptionKind)>,
    },
    /// It has begun a search (true), or ended one.
    Thinking(bool),
    Found {
        search_id: u64,
        search_info: SearchInfo,
    },
    /// Its decision, of a search for a move.
    Decided {
        search_id: u64,
        decision: EngineDecision,
        elapsed: Duration,
        search_info: SearchInfo,
    },
    /// It has ended, for this reason.
    Failed(Text),
}
