//! The state of the board, without I/O: [`State::handle`] takes an input and returns the outputs to carry out.
//!
//! It starts no thread and no process, and reads no clock and no file. [`super::server`] runs it behind a socket.

mod analysis;
mod chapters;
mod edit;
mod engine;
mod engines;
mod exercise;
mod explorer;
mod files;
mod game;
mod game_list;
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
use std::path::Path;
use std::time::{Duration, Instant};

use crate::board::messages::text::{self, Text, Value};
use crate::board::messages::{Asked, FormatView, HandicapView, Hello, Message, Request, StudyView, VERSION};
use crate::book::Book;
use crate::record::{EditError, Format, Impasse, NodeId};
use crate::shogi::{Color, Handicap, ImpasseRule, Move, Position};
use engine::Engine;
pub use engine::EngineSetup;
use game::Play;
pub use game_list::GameList;
use io::{ClientId, Input, JobProgress, JobResult, NotWritten, Now, Output, ProcessId};
pub use kept::ReadGames;
pub use lessons::LessonFile;
use library::Library;
pub use listed::{Followed, known_format};
use problem::Problem;
pub use problems::{Judgement, ReadProblems};
use replace::Replaced;
pub use replay::replay_html;
use review::Reviewing;
use saved::SavedStudy;
pub use saved_games::StoredGames;
use series::Series;
pub use session::{Session, earlier_studies};
use solve::Solving;
pub use start::Restored;
pub use study::{FileContent, Study, StudyFile};
use tasks::Task;

/// The time after which a running clock is stored again.
const SAVE_CLOCK: Duration = Duration::from_secs(5);

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
    problems: problems::Problems,
    /// The deleted problems of the user's own set, and when they were deleted; the last is at the end.
    dropped_problems: Vec<(Instant, problems::MateProblem)>,
    /// The problems that a page has sent and that are being read.
    reading: Vec<(io::JobId, Option<(ClientId, u64)>)>,
    problem: Option<Problem>,
    lessons: lessons::Lessons,
    solving: Option<Solving>,
    review: Option<Reviewing>,
    /// The nodes for each position of a review that was interrupted and has not begun again.
    interrupted_review: Option<u64>,
    /// When the session was stored last.
    saved_at: Instant,
    /// It could not be stored: its clock waits for the next change.
    stores_fail: bool,
}

impl State {
    /// The state with the opened content, or the last study. Its first outputs start the engines. `tag` is a random
    /// number that distinguishes the numbers of its games from those of simultaneous boards.
    pub fn new(
        opened: Option<FileContent>,
        engines: Vec<EngineSetup>,
        restored: Restored,
        tag: u64,
        now: Now,
    ) -> (State, Vec<Output>) {
        let mut state = State {
            clients: BTreeSet::new(),
            had_page: false,
            hidden: BTreeSet::new(),
            now,
            outputs: Vec::new(),
            study: Study::new(Position::startpos()),
            library: Library::new(tag),
            replay_files: replay::built_in(),
            book: Book::built_in(),
            replaced: None,
            offers_replaced: false,
            games: None,
            has_new_games: false,
            warnings: Vec::new(),
            engines: engines.into_iter().map(Engine::new).collect(),
            last_number: 0,
            rules: BTreeMap::new(),
            assistant: None,
            assistant_is_outdated: false,
            tasks: VecDeque::new(),
            threats: None,
            shows_threats: false,
            unwatched: None,
            is_paused: false,
            play: None,
            series: None,
            problems: problems::Problems::built_in(),
            dropped_problems: Vec::new(),
            reading: Vec::new(),
            problem: None,
            lessons: lessons::Lessons::default(),
            solving: None,
            review: None,
            interrupted_review: None,
            saved_at: now.instant,
            stores_fail: false,
        };
        state.put_up(opened, restored);
        (0..state.engines.len()).for_each(|id| state.start_engine(id));
        state.number_study();
        let outputs = std::mem::take(&mut state.outputs);
        (state, outputs)
    }

    /// Handles an input. The outputs must be carried out in order, before the next input.
    pub fn handle(&mut self, input: Input, now: Now) -> Vec<Output> {
        self.now = now;
        match input {
            Input::Joined(client) => {
                self.clients.insert(client);
                if !std::mem::replace(&mut self.had_page, true) {
                    self.start_waiting_clock();
                }
                self.greet(client);
                self.watch_changed();
            }
            Input::Left(client) => {
                self.clients.remove(&client);
                self.hidden.remove(&client);
                self.watch_changed();
                self.leave_library(client);
            }
            Input::TooLong(client) => {
                self.refuse(client, None, Refusal::new("too-long"));
            }
            Input::Request { client, text } => self.hear(client, &text),
            Input::Engine { process, report } => self.engine_reports(process, report),
            Input::Followed(followed) => self.followed(followed),
            Input::Progress { job, progress } => match progress {
                JobProgress::Review(progress) => self.review_goes_on(job, progress),
                JobProgress::Solve { nodes, plies } => self.solving_goes_on(job, nodes, plies),
            },
            Input::JobDone { job, result } => match result {
                JobResult::Judged(judgement) => self.judged(job, judgement),
                JobResult::Problems(problems) => self.problems_read(job, problems),
                JobResult::Games(games) => self.games_read(job, games),
                JobResult::Reviewed(result) => self.reviewed(job, result),
                JobResult::Solved(solved) => self.solved(job, solved),
            },
            Input::FileNotWritten { path, why } => self.file_not_written(&path, why),
            Input::NotStored(error) => {
                // It may have been the list, which is otherwise stored only when it changes.
                self.has_new_games = true;
                self.stores_fail = true;
                self.notice(Text::new("storage.none").with("why", error));
            }
            Input::Library { number, answer } => self.library_says(number, answer),
            Input::ReplayFiles(files) => self.replay_files = files,
            Input::Warning(text) => self.notice(Text::verbatim(text)),
            Input::Timer => {
                self.time_is_up();
                self.series_goes_on();
                self.pause_unwatched();
                if self.save_deadline().is_some_and(|deadline| deadline <= now.instant) {
                    self.save();
                }
            }
        }
        std::mem::take(&mut self.outputs)
    }

    /// The time at which the state needs [`Input::Timer`], unless another input comes before.
    pub fn deadline(&self) -> Option<Instant> {
        let deadlines = [self.time_deadline(), self.pause_deadline(), self.series_deadline(), self.save_deadline()];
        deadlines.into_iter().flatten().min()
    }

    /// The time at which a running clock is stored again: a board in the browser ends with its page.
    fn save_deadline(&self) -> Option<Instant> {
        self.time_deadline().filter(|_| !self.stores_fail).map(|_| self.saved_at + SAVE_CLOCK)
    }

    fn hear(&mut self, client: ClientId, text: &str) {
        let Asked { id, request } = match Asked::parse(text) {
            Ok(asked) => asked,
            Err((id, error)) => {
                let refusal = Refusal::new("bad-message").with("error", error);
                return self.refuse(client, id, refusal);
            }
        };
        if let Err(refusal) = self.answer(client, id, request) {
            self.refuse(client, Some(id), refusal);
        }
    }

    fn answer(&mut self, client: ClientId, id: u64, request: Request) -> Answer {
        match request {
            Request::Goto { node } => self.go_to(node),
            Request::Play { node, mv } => self.play_move(node, mv),
            Request::Delete { node } => self.delete(node),
            Request::Undelete {} => self.undelete(),
            Request::Undo {} => self.undo(client),
            Request::ReadMove { node, text } => self.read_move(client, id, node, &text),
            Request::Why { node, from, side, to } => self.say_why(client, id, node, (&from, side), to.as_deref()),
            Request::PutBack {} => self.put_back(),
            Request::Library(query) => self.list_library(client, id, &query, false),
            Request::LibraryAll(query) => self.list_library(client, id, &query, true),
            Request::OpenKept { game } => self.open_kept(client, id, game),
            Request::RenameKept { game, name } => self.rename_kept(client, id, game, &name),
            Request::DeleteKept { games } => self.delete_kept(client, id, games, true),
            Request::EraseKept { games } => self.erase_kept(client, id, games),
            Request::RestoreKept { games } => self.delete_kept(client, id, games, false),
            Request::ExportKept { games, format } => self.export_kept(client, id, games, &format),
            Request::Import { name, data, more } => self.import(client, id, &name, &data, more),
            Request::Explore { node } => self.explore(client, id, node),
            Request::Promote { node } => self.promote(node),
            Request::Mainline { node } => self.make_main(node),
            Request::Comment { node, text } => self.comment(node, &text),
            Request::Marks { node, marks } => self.mark(node, &marks),
            Request::Header { header } => self.set_header(header),
            Request::New(setting) => self.new_game(setting),
            Request::Resign {} => self.resign(),
            Request::Takeback {} => self.take_back(),
            Request::Hint {} => self.hint(client, id),
            Request::Declare {} => self.declare(),
            Request::Rematch {} => self.rematch(),
            Request::Endgame {} => self.end_game(),
            Request::Study { sfen } => self.new_study(sfen.as_deref()),
            Request::Open { name, data, add } => self.open(client, id, &name, &data, add),
            Request::OpenGame { game } => self.open_game(game),
            Request::AddChapter { title, here, sfen } => self.add_chapter(&title, here, sfen.as_deref()),
            Request::RenameChapter { game, title } => self.rename_chapter(game, &title),
            Request::MoveChapter { game, to } => self.move_chapter(game, to),
            Request::DeleteChapter { game } => self.delete_chapter(game),
            Request::RestoreChapter { game } => self.restore_chapter(game),
            Request::Paste { text } => self.paste(client, id, text),
            Request::Export { format, all } => self.export(client, id, &format, all),
            Request::Save { format, all } => self.save_as(client, id, &format, all),
            Request::Analyse { on, engine, lines } => self.analyse(on, engine, lines),
            Request::Option { engine, name, value } => self.set_option(engine, &name, &value),
            Request::Restart { engine } => self.restart(engine),
            Request::Threats { on } => self.show_threats(on),
            Request::Watch { on } => self.watch(client, on),
            Request::Edit { board, hands, side } => self.check_position(client, id, &board, &hands, side),
            Request::Review { nodes, resumes: false } => self.start_review(nodes),
            Request::Review { resumes: true, .. } => self.resume_review(),
            Request::StopReview {} => self.stop_review(),
            Request::Learn { node, mv } => self.learn(client, id, node, mv),
            Request::SetPosition { sfen } => self.set_position(&sfen),
            Request::ProblemNext { plies, number } => self.next_problem(plies, number),
            Request::ProblemMove { node, mv } => self.problem_move(node, mv),
            Request::ProblemShow {} => self.show_solution(),
            Request::ProblemLeave {} => self.leave_problem(),
            Request::ProblemSet { name, data } => self.read_problems(client, id, &name, &data),
            Request::ProblemDrop { number } => self.drop_own_problem(number),
            Request::Lesson { lesson, task } => self.start_lesson(&lesson, task),
            Request::LessonRemove { lesson } => self.remove_lesson(&lesson),
            Request::Solve { sfen } => self.solve(sfen.as_deref()),
            Request::SolveStop {} => self.stop_solving(),
            Request::SolveKeep {} => self.keep_solved(),
        }
    }

    // ---- Messages ----

    fn refuse(&mut self, client: ClientId, id: Option<u64>, Refusal { code, text }: Refusal) {
        self.reply(client, &Message::Error { id, code, text });
    }

    /// Sends a message to one page.
    fn reply(&mut self, client: ClientId, message: &Message) {
        if self.clients.contains(&client) {
            self.outputs.push(Output::Send { client, text: message.to_json() });
        }
    }

    /// Sends a message to every page.
    fn tell(&mut self, message: &Message) {
        if !self.clients.is_empty() {
            self.outputs.push(Output::Broadcast(message.to_json()));
        }
    }

    fn notice(&mut self, text: Text) {
        self.tell(&Message::Notice { text });
    }

    /// Sends the whole state to a page that has just connected.
    fn greet(&mut self, client: ClientId) {
        let mut messages = vec![
            Message::Hello(Box::new(self.hello())),
            self.study_message(),
            self.position_message(),
            self.game_message(),
            self.series_message(),
            self.review_message(),
            Message::Games { games: self.games.as_ref().map(GameList::view) },
            self.problem_message(),
            self.solve_message(),
        ];
        messages.extend((0..self.engines.len()).filter_map(|id| self.analysis_message(id)));
        messages.extend(Color::ALL.into_iter().filter_map(|color| self.thought_message(color)));
        messages.push(Message::Ready);
        messages.extend(self.warnings.iter().map(|text| Message::Notice { text: text.clone() }));
        messages.extend(std::mem::take(&mut self.offers_replaced).then_some(Message::Replaced));
        for message in messages {
            self.reply(client, &message);
        }
    }

    fn hello(&self) -> Hello {
        Hello {
            version: VERSION,
            engines: self.engines.iter().enumerate().map(|(id, engine)| engine.info(id)).collect(),
            handicaps: Handicap::ALL
                .map(|handicap| HandicapView { id: handicap.to_string(), sfen: handicap.sfen() })
                .to_vec(),
            // People play by the game's rules, not by those of a match program.
            impasse_rules: ImpasseRule::ALL
                .iter()
                .zip(ImpasseRule::NAMES)
                .filter(|(rule, _)| !rule.is_cute_chess_only())
                .map(|(_, &name)| name)
                .collect(),
            formats: Format::written().map(|format| FormatView { id: format.name(), label: format.label() }).collect(),
            problems: self.problems.counts(),
            lessons: self.lessons.entries(),
            levels: level::STRONGEST,
        }
    }

    // ---- Changes ----

    fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    fn study_message(&self) -> Message {
        let chapter = self.study.kept.id.filter(|_| self.games.as_ref().is_some_and(|games| games.has(&self.study)));
        Message::Study(StudyView { chapter, ..self.study.view() })
    }

    fn position_message(&self) -> Message {
        let position = view::position(&self.study.record, self.study.cursor);
        let mut position = position.expect("the cursor is a place in the tree");
        position.shows_threats = self.shows_threats;
        position.threats = match &self.threats {
            Some((node, moves)) if self.shows_threats && *node == self.study.cursor => Some(moves.clone()),
            _ => None,
        };
        Message::Position(Box::new(position))
    }

    /// Sends the position at the cursor, and has engines analyse it.
    fn position_changed(&mut self) {
        self.tell(&self.position_message());
        self.analyse_position();
        self.look_for_threats();
    }

    /// Sends a node that is new or has changed.
    fn node_changed(&mut self, node: NodeId) {
        if let Some(node) = view::node(&self.study.record, node) {
            self.tell(&Message::Node { node: Box::new(node) });
        }
    }

    fn header_changed(&mut self) {
        self.tell(&Message::Header { header: view::header(&self.study.record) });
    }

    /// Puts another study on the board. The review of the one before ends.
    fn set_study(&mut self, study: Study) {
        self.drop_review();
        self.show_study(study);
    }

    /// Shows a study, which may be a problem or the study that the problem covered.
    fn show_study(&mut self, study: Study) {
        self.forget_hints();
        self.drop_tasks();
        // Its node numbers have another meaning now.
        self.tell(&Message::Review { review: None });
        self.study = study;
        self.number_study();
        for analysis in self.engines.iter_mut().filter_map(|engine| engine.analysis.as_mut()) {
            (analysis.search_id, analysis.search_info) = (None, io::SearchInfo::default());
        }
        self.tell(&self.study_message());
        if self.review.is_some() || self.study.review.is_some() {
            self.tell(&self.review_message());
        }
        self.position_changed();
    }

    /// Gives the study on the board a number.
    fn number_study(&mut self) {
        if self.study.kept.identity().is_none() {
            self.study.kept.first_id = Some(self.next_game());
        }
    }

    /// The study, even while a problem is shown in its place.
    fn own_study(&self) -> &Study {
        self.problem.as_ref().map_or(&self.study, |problem| &problem.before)
    }

    fn own_study_mut(&mut self) -> &mut Study {
        self.problem.as_mut().map_or(&mut self.study, |problem| &mut problem.before)
    }

    /// Stores the session. It contains the user's study instead of a problem.
    fn save(&mut self) {
        let study = self.own_study();
        let game = self.play.as_ref().and_then(|play| play.saved(&study.record, self.now.instant));
        let mut saved = SavedStudy::of(study, game).with_series(self.series.as_ref());
        saved.reviewing = self.review.as_ref().map(|review| review.nodes).or(self.interrupted_review);
        let mut session = Session::of(saved);
        session.solved.clone_from(&self.problems.solved);
        session.problems = self.problems.own_text();
        session.lessons.clone_from(&self.lessons.done);
        session.opened_lessons = self.lessons.saved();
        session.problem = self.saved_problem();
        // Even if the program is killed, each study is in the session or in the library.
        session.unconfirmed.clone_from(&self.library.unconfirmed);
        session.replaced = self.replaced.as_ref().map(|replaced| Box::new(replaced.saved.clone()));
        // Stored first, so that a game that leaves the session is in the list.
        if std::mem::take(&mut self.has_new_games) {
            let replaced = self.replaced.as_ref().and_then(|replaced| replaced.games.as_ref());
            self.outputs.push(Output::StoreGames(StoredGames::of(self.games.as_ref(), replaced).to_json()));
        }
        self.outputs.push(Output::Store(session.to_json()));
        (self.saved_at, self.stores_fail) = (self.now.instant, false);
    }

    /// Writes the study to its file. Returns whether the file contains all of it, unless [`Input::FileNotWritten`]
    /// follows.
    fn save_file(&mut self) -> bool {
        let Some(file) = &self.study.file else { return false };
        match file.bytes(&self.study.record) {
            Ok(bytes) => {
                let (path, found) = (file.path.clone(), file.found.clone());
                self.outputs.push(Output::WriteFile { path, bytes, found });
                true
            }
            Err(error) => {
                let text = Text::verbatim(format!("{}: {error}", file.path.display()));
                self.notice(text);
                false
            }
        }
    }

    fn file_not_written(&mut self, path: &Path, why: NotWritten) {
        if self.study.file.as_ref().is_none_or(|file| file.path != path) {
            return;
        }
        let text = match why {
            NotWritten::Failed(error) => Text::verbatim(error),
            NotWritten::Changed => {
                // Do not let the next change overwrite the other program's content.
                self.study.file = None;
                let path = path.display();
                Text::new("file.changed").with("path", path.to_string())
            }
        };
        self.notice(text);
        self.set_unsaved(true);
        self.save();
    }

    fn set_unsaved(&mut self, unsaved: bool) {
        if self.study.unsaved != unsaved {
            self.study.unsaved = unsaved;
            self.tell(&Message::Files(self.study.files()));
        }
    }

    /// After a change of the record.
    fn changed(&mut self) {
        if self.problem.is_some() {
            return;
        }
        self.study.kept.is_current = false;
        if let Some(games) = &mut self.games
            && let Some(entry) = games.note_change(&self.study)
        {
            let total = games.count();
            self.tell(&Message::GamesAdded { games: vec![entry], total });
        }
        let unsaved = !self.save_file();
        self.set_unsaved(unsaved);
        self.save();
    }
}
