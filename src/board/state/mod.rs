//! The state of the board, without I/O: [`State::handle`] takes an input and returns the outputs to carry out.
//!
//! It starts no thread and no process, and reads no clock and no file. [`super::server`] runs it behind a socket.
//!
//! This file has its data; its methods are in the other files, by subject.

mod analysis;
mod changes;
mod chapters;
mod edit;
mod engine;
mod engines;
mod exercise;
mod explorer;
mod files;
mod game;
mod game_list;
mod handle;
pub mod io;
pub mod kept;
mod lessons;
pub mod level;
mod library;
mod listed;
mod now;
mod play;
mod problem;
mod problems;
mod refused;
mod replace;
mod replay;
mod review;
mod reviewed;
mod saved;
mod saved_games;
mod series;
mod session;
mod setting;
mod solve;
mod start;
mod study;
mod tasks;
mod teaching;
mod thoughts;
mod undo;
mod view;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Instant;

use crate::board::messages::text::{self, Text, Value};
use crate::board::messages::{ProblemState, ReviewView, SolveView};
use crate::book::Book;
use crate::contest::{Opening, Standings};
use crate::record::{EditError, Format, Impasse, NodeId};
use crate::shogi::{ImpasseRule, Move, Position};
use engine::Engine;
pub use engine::EngineSetup;
use game::Play;
use game_list::GameList;
use io::{ClientId, JobId, Now, Output, ProcessId};
use kept::KeptGame;
pub use kept::ReadGames;
pub use lessons::LessonFile;
use lessons::{LessonTask, Lessons};
pub use listed::{Followed, known_format};
pub use problems::{Judgement, ReadProblems};
use problems::{MateProblem, Problems};
pub use replay::replay_html;
use saved::{SavedSeries, SavedStudy};
pub use start::Restored;
pub use study::{FileContent, Study, StudyFile};

/// The reason why a request is rejected. Nothing has changed.
#[derive(Debug)]
pub struct Refusal {
    code: &'static str,
    text: Text,
}

impl Refusal {
    /// A refusal whose text stands under its code in the languages.
    fn new(code: &'static str) -> Refusal {
        Refusal { code, text: Text::new(text::error_key(code)) }
    }

    fn with(self, name: &'static str, value: impl Into<Value>) -> Refusal {
        Refusal { text: self.text.with(name, value), ..self }
    }
}

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Refusal {
        match error {
            EditError::NoSuchNode => Refusal::new("no-such-node"),
            EditError::Illegal(illegal) => Refusal::new("illegal-move").with("move", illegal.0.to_string()),
            EditError::IsRoot => Refusal::new("is-root"),
        }
    }
}

/// The outcome of a request.
type Answer = Result<(), Refusal>;

#[derive(Debug)]
pub struct State {
    clients: BTreeSet<ClientId>,
    /// Whether a page has come since the start.
    had_page: bool,
    /// The clients whose pages are not visible.
    hidden: BTreeSet<ClientId>,
    /// The arrival time of the current input.
    now: Now,
    outputs: Vec<Output>,

    study: Study,
    library: Library,
    /// The files of the page, for a game that is saved as one.
    replay_files: replay::Files,
    book: Book,
    /// The study that was on the board before.
    replaced: Option<Replaced>,
    /// Whether the first page is offered to restore part of the last session.
    offers_replaced: bool,
    games: Option<GameList>,
    /// The list has to be stored with the next session.
    has_new_games: bool,
    /// The warnings for every page that connects.
    warnings: Vec<Text>,

    engines: Vec<Engine>,
    /// Processes, searches and jobs share a sequence of numbers.
    last_number: u64,
    /// The impasse rules of which the processes were told last.
    rules: BTreeMap<ProcessId, Option<Impasse>>,
    /// Runs tasks beside analyses and games.
    assistant: Option<ProcessId>,
    /// Whether its options have changed since it was started.
    assistant_is_outdated: bool,
    tasks: VecDeque<Task>,
    /// The threats at a node, if they are shown.
    threats: Option<(NodeId, Vec<Move>)>,
    shows_threats: bool,

    /// The time since which no page is visible, once a page has been.
    unwatched: Option<Instant>,
    /// Whether analyses wait for a page to come.
    is_paused: bool,

    play: Option<Play>,
    series: Option<Series>,
    problems: Problems,
    /// The deleted problems of the user's own set, and when they were deleted; the last is at the end.
    dropped_problems: Vec<(Instant, MateProblem)>,
    /// The problems that a page has sent and that are being read.
    reading: Vec<(JobId, Option<(ClientId, u64)>)>,
    problem: Option<Problem>,
    lessons: Lessons,
    solving: Option<Solving>,
    review: Option<Reviewing>,
    /// The nodes for each position of a review that was interrupted and has not begun again.
    interrupted_review: Option<u64>,
    /// When the session was stored last.
    saved_at: Instant,
    /// It could not be stored: its clock waits for the next change.
    stores_fail: bool,
}

/// The state's view of the library.
#[derive(Debug, Default)]
struct Library {
    /// Games that the database has not confirmed. The session also has them, so that they survive the program.
    unconfirmed: Vec<KeptGame>,
    /// The newest task that saves them, and whether one has failed.
    saving: u64,
    fails: bool,
    waiting: BTreeMap<u64, Waiting>,
    last_id: u64,
    /// The low bits of the numbers that it gives.
    tag: u64,
    /// The parts of files that pages are sending, by page and name.
    parts: BTreeMap<(ClientId, String), Vec<u8>>,
    /// Files that are being read.
    reading: Vec<(JobId, ClientId, u64)>,
}

/// The use of an answer of the database.
#[derive(Debug)]
enum Waiting {
    Save,
    /// It goes to a page, under the number of its request.
    Reply(ClientId, u64),
    /// As `Reply`; whether a game was being played then.
    Open(ClientId, u64, bool),
    Export(ClientId, u64, Format),
    Import {
        client: ClientId,
        id: u64,
        games: usize,
        problem: Option<Text>,
    },
    Explore(ClientId, u64, NodeId),
}

/// A study that another one has replaced.
#[derive(Debug)]
struct Replaced {
    /// The study with its file and its review, if it was on the board of this process.
    study: Study,
    saved: SavedStudy,
    /// The list that was replaced with it.
    games: Option<GameList>,
}

/// A problem on the board.
#[derive(Debug)]
struct Problem {
    /// The study to restore afterwards.
    before: Study,
    /// The set: the length of its mates, or the user's own.
    set: usize,
    plies: usize,
    number: usize,
    state: ProblemState,
    text: Text,
    solution: Vec<Move>,
    /// The attacker's moves in the positions after the judge's replies.
    next_moves: Vec<(Position, Move)>,
    /// The job that judges the last move, and the node of the move.
    judging: Option<(JobId, NodeId)>,
    /// The task of a lesson that it is.
    lesson: Option<LessonTask>,
    /// A review of the study has ended meanwhile.
    has_new_review: bool,
}

#[derive(Debug)]
struct Series {
    saved: SavedSeries,
    rule: ImpasseRule,
    /// One for each pair of games.
    openings: Vec<Opening>,
    standings: Standings,
    /// When the next game begins; none while one is played.
    next: Option<Instant>,
}

#[derive(Debug)]
struct Reviewing {
    job: JobId,
    /// For each position.
    nodes: u64,
    since: Instant,
    view: ReviewView,
}

/// A search for a mate, or its result.
#[derive(Debug)]
struct Solving {
    job: JobId,
    position: Position,
    view: SolveView,
}

/// A short search.
#[derive(Debug)]
struct Task {
    node: NodeId,
    /// The search running for it.
    search_id: Option<u64>,
    kind: TaskKind,
}

#[derive(Debug)]
enum TaskKind {
    /// A good move, for the page that asked.
    Hint { client: ClientId, id: u64 },
    /// The other side's best moves if the mover passed.
    Threats,
    /// The value of a legal move, for [`State::tried`].
    Try { client: ClientId, id: u64, mv: Move },
}
