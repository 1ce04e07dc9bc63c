//! `State::new` and `State::handle`: passes each input and request to its method, and sends messages to pages.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Instant;

use super::engine::{Engine, EngineSetup};
use super::game_list::GameList;
use super::io::{ClientId, Input, JobProgress, JobResult, Now, Output};
use super::lessons::Lessons;
use super::level;
use super::library::TAGS;
use super::problems::Problems;
use super::replay;
use super::start::Restored;
use super::study::{FileContent, Study};
use super::{Answer, Library, Refusal, State};
use crate::board::messages::text::Text;
use crate::board::messages::{Asked, FormatView, HandicapView, Hello, Message, Request, VERSION};
use crate::book::Book;
use crate::record::Format;
use crate::shogi::{Color, Handicap, ImpasseRule, Position};

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
            library: Library { tag: tag % TAGS, ..Library::default() },
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
            problems: Problems::built_in(),
            dropped_problems: Vec::new(),
            reading: Vec::new(),
            problem: None,
            lessons: Lessons::default(),
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
            Input::TooLong(client) => self.refuse(client, None, Refusal::new("too-long")),
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

    fn hear(&mut self, client: ClientId, text: &str) {
        let Asked { id, request } = match Asked::parse(text) {
            Ok(asked) => asked,
            Err((id, error)) => {
                return self.refuse(client, id, Refusal::new("bad-message").with("error", error));
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
            Request::Edit { sfen } => self.check_position(client, id, &sfen),
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

    /// The number of a new process, search, job or task of the library.
    pub(super) fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    pub(super) fn refuse(&mut self, client: ClientId, id: Option<u64>, Refusal { code, text }: Refusal) {
        self.reply(client, &Message::Error { id, code, text });
    }

    /// Sends a message to one page.
    pub(super) fn reply(&mut self, client: ClientId, message: &Message) {
        if self.clients.contains(&client) {
            self.outputs.push(Output::Send { client, text: message.to_json() });
        }
    }

    /// Sends a message to every page.
    pub(super) fn tell(&mut self, message: &Message) {
        if !self.clients.is_empty() {
            self.outputs.push(Output::Broadcast(message.to_json()));
        }
    }

    pub(super) fn notice(&mut self, text: Text) {
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

    pub(super) fn hello(&self) -> Hello {
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
}
