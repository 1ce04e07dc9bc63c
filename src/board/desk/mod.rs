//! The owner of the state: events in, messages out, one after the other.

mod analysis;
mod deletion;
mod earlier;
mod edit;
mod engines;
mod errands;
mod files;
mod play;
mod problem;
mod review;
mod start;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::{mpsc, oneshot};

use super::driver::Report;
use super::earlier::Earlier;
use super::engine::{Engine, ProcessId, Running};
use super::game::Play;
use super::library::{Followed, Library};
use super::messages::{Asked, FormatView, HandicapView, Hello, Message, Request, VERSION};
use super::problems::{Judgement, Problems};
use super::session::{NotSaved, SavedStudy, Saver, Session};
use super::socket::{ClientId, Outbox};
use super::study::{self, FileContent, OpenError, Study};
use super::words::{self, Words};
use super::{level, view};
use crate::arena::{EngineSpec, kill_all_engines};
use crate::record::{EditError, NodeId};
use crate::review::{Progress, Review};
use crate::shogi::{Handicap, ImpasseRule, Move, Position};
use deletion::Deletion;
use errands::Errand;
use problem::Problem;
pub use review::Reviewed;
use review::Reviewing;

/// What stands on the board at the start.
#[derive(Debug, Default)]
pub struct Opened(Option<FileContent>);

impl Opened {
    /// What was there when the program ended last.
    pub fn last_study() -> Opened {
        Opened(None)
    }

    /// A file: a game, which every change is written to; games to choose from; or a match, followed while it is played.
    ///
    /// # Errors
    /// [`OpenError`] if the file cannot be read, or holds no game.
    pub fn file(path: &Path) -> Result<Opened, OpenError> {
        study::open(path).map(|content| Opened(Some(content)))
    }
}

/// Something that happened.
#[derive(Debug)]
pub enum Event {
    /// A page has come.
    Joined { client: ClientId, outbox: Outbox },
    /// A page has gone.
    Left { client: ClientId },
    /// A page has said something.
    Said { client: ClientId, text: Utf8Bytes },
    /// A page has sent a message that is too long.
    TooLong { client: ClientId },
    /// An engine has done something.
    Engine { process: ProcessId, report: Report },
    /// Games of a followed file have been read.
    Followed(Followed),
    /// A move in a problem has been judged.
    Judged { ticket: u64, judgement: Judgement },
    /// The user's own problems have been read.
    ProblemsRead { client: ClientId, id: u64, problems: Problems },
    /// A review has come further.
    Reviewing { ticket: u64, progress: Progress },
    /// A review has ended.
    Reviewed { ticket: u64, result: Result<Box<Review>, String> },
    /// Something that could not be saved.
    NotSaved(String),
}

/// Why a request is refused. Nothing has changed.
#[derive(Debug)]
pub struct Refusal {
    code: &'static str,
    text: Words,
}

impl Refusal {
    fn new(code: &'static str, en: impl Into<String>, ja: impl Into<String>) -> Refusal {
        Refusal { code, text: Words::new(en, ja) }
    }
}

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Refusal {
        match error {
            EditError::NoSuchNode => {
                Refusal::new("no-such-node", "That move is not there any more.", "その手はもうありません。")
            }
            EditError::Illegal(illegal) => Refusal::new(
                "illegal-move",
                format!("{} is not a legal move here.", illegal.0),
                "その手は合法手ではありません。",
            ),
            EditError::IsRoot => {
                Refusal::new("is-root", "The start of the game stays where it is.", "開始局面は変えられません。")
            }
        }
    }
}

/// The outcome of a request.
type Answer = Result<(), Refusal>;

/// The state, and who sees it.
pub struct Desk {
    clients: BTreeMap<ClientId, Outbox>,
    events: mpsc::Sender<Event>,
    /// Set when everything is to end.
    stop: Arc<AtomicBool>,

    study: Study,
    /// What was deleted of the study, the oldest first.
    deletions: Vec<Deletion>,
    /// Nothing has changed since the last deletion.
    deletes_in_row: bool,
    /// What other studies have replaced, and is in no file.
    earlier: Earlier,
    /// The first page that comes is told that something of the last session can be put back.
    offers_replaced: bool,
    rev: u64,
    saver: Saver,
    /// The file that was named on the command line.
    file: Option<String>,
    library: Option<Library>,
    /// What every page is to know that comes.
    trouble: Option<Words>,

    engines: Vec<Engine>,
    /// Processes and searches are numbered in one row.
    last_number: u64,
    /// Runs errands beside analyses and games.
    assistant: Option<Running>,
    errands: VecDeque<Errand>,
    /// Whether threats are shown, and what they are at which place.
    threats: Option<(NodeId, Vec<Move>)>,
    shows_threats: bool,

    /// Since when no page is there, once one has been.
    unwatched: Option<Instant>,
    /// Whether analyses wait for a page to come.
    is_paused: bool,

    play: Option<Play>,
    problems: Problems,
    problem: Option<Problem>,
    review: Option<Reviewing>,
}

impl Desk {
    /// A desk with what was opened, or what was there last. The engines are started.
    pub fn new(opened: Opened, engines: Vec<EngineSpec>, folder: Option<PathBuf>, events: mpsc::Sender<Event>) -> Desk {
        let not_saved = events.clone();
        let saver = Saver::new(folder.as_deref(), move |error| {
            let _ = not_saved.blocking_send(Event::NotSaved(error));
        });
        let mut desk = Desk {
            clients: BTreeMap::new(),
            events,
            stop: Arc::new(AtomicBool::new(false)),
            study: Study::new(Position::startpos()),
            deletions: Vec::new(),
            deletes_in_row: false,
            earlier: Earlier::default(),
            offers_replaced: false,
            rev: 0,
            saver,
            file: None,
            library: None,
            trouble: None,
            engines: engines.into_iter().map(Engine::new).collect(),
            last_number: 0,
            assistant: None,
            errands: VecDeque::new(),
            threats: None,
            shows_threats: false,
            unwatched: None,
            is_paused: false,
            play: None,
            problems: Problems::built_in(),
            problem: None,
            review: None,
        };
        (0..desk.engines.len()).for_each(|id| desk.start_engine(id));
        desk.put_up(opened);
        desk
    }

    /// Handles one event after the other until it is told to end.
    pub async fn run(mut self, mut arrived: mpsc::Receiver<Event>, mut ended: oneshot::Receiver<()>) {
        loop {
            let deadline = [self.deadline(), self.pause_deadline()].into_iter().flatten().min();
            let sleep = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = &mut ended => break,
                event = arrived.recv() => {
                    if let Some(event) = event {
                        self.take(event);
                    }
                }
                () = sleep => {
                    self.time_is_up();
                    self.pause_unwatched();
                }
            }
        }
        self.stop.store(true, Ordering::Relaxed);
        self.drop_review();
        // Drivers that wait to report end when the channel closes.
        drop(arrived);
        self.end_engines();
        kill_all_engines();
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Joined { client, outbox } => {
                self.clients.insert(client, outbox);
                self.greet(client);
                self.watched();
            }
            Event::Left { client } => {
                self.clients.remove(&client);
                if self.clients.is_empty() {
                    self.unwatched = Some(Instant::now());
                }
            }
            Event::TooLong { client } => {
                self.refuse(
                    client,
                    None,
                    Refusal::new("too-long", "The message is too long.", "メッセージが長すぎます。"),
                );
            }
            Event::Said { client, text } => self.hear(client, &text),
            Event::Engine { process, report } => self.engine_reports(process, report),
            Event::Followed(followed) => self.followed(followed),
            Event::Judged { ticket, judgement } => self.judged(ticket, judgement),
            Event::ProblemsRead { client, id, problems } => self.problems_read(client, id, problems),
            Event::Reviewing { ticket, progress } => self.review_goes_on(ticket, progress),
            Event::Reviewed { ticket, result } => self.reviewed(ticket, result),
            Event::NotSaved(error) => self.notice(Words::verbatim(error)),
        }
    }

    fn hear(&mut self, client: ClientId, text: &str) {
        let Asked { id, request } = match Asked::parse(text) {
            Ok(asked) => asked,
            Err((id, error)) => {
                let text = format!("The message cannot be read: {error}");
                return self.refuse(
                    client,
                    id,
                    Refusal::new("bad-message", text, format!("読めないメッセージです：{error}")),
                );
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
            Request::Undelete => self.undelete(),
            Request::PutBack => self.put_back(),
            Request::Earlier => self.list_earlier(client, id),
            Request::OpenEarlier { game } => self.open_earlier(game),
            Request::Promote { node } => self.promote(node),
            Request::Mainline { node } => self.make_main(node),
            Request::Comment { node, text } => self.comment(node, &text),
            Request::Marks { node, marks } => self.mark(node, &marks),
            Request::Header { header } => self.set_header(header),
            Request::New(setting) => self.new_game(setting),
            Request::Resign => self.resign(),
            Request::Takeback => self.take_back(),
            Request::Hint => self.hint(client, id),
            Request::Declare => self.declare(),
            Request::Rematch => self.rematch(),
            Request::Endgame => self.end_game(),
            Request::Study { sfen } => self.new_study(sfen.as_deref()),
            Request::Open { name, data } => self.open(&name, &data),
            Request::OpenGame { index } => self.open_game(index),
            Request::Paste { text } => self.paste(text),
            Request::Export { format, game } => self.export(client, id, &format, game),
            Request::Save { format } => self.save_as(client, id, &format),
            Request::Analyse { on, engine, lines } => self.analyse(on, engine, lines),
            Request::Option { engine, name, value } => self.set_option(engine, &name, &value),
            Request::Restart { engine } => self.restart(engine),
            Request::Threats { on } => self.show_threats(on),
            Request::Edit { board, hands, side } => self.check_position(client, id, &board, &hands, side),
            Request::Review { nodes } => self.start_review(nodes),
            Request::StopReview => self.stop_review(),
            Request::Learn { node, mv } => self.learn(client, id, node, mv),
            Request::SetPosition { sfen } => self.new_study(Some(&sfen)),
            Request::ProblemNext { plies, number } => self.next_problem(plies, number),
            Request::ProblemMove { node, mv } => self.problem_move(node, mv),
            Request::ProblemShow => self.show_solution(),
            Request::ProblemLeave => self.leave_problem(),
            Request::ProblemSet { name, data } => self.read_problems(client, id, &name, &data),
        }
    }

    // ---- What is said ----

    fn refuse(&mut self, client: ClientId, id: Option<u64>, Refusal { code, text }: Refusal) {
        self.reply(client, &Message::Error { id, code, text });
    }

    /// Sends a message to one page.
    fn reply(&mut self, client: ClientId, message: &Message) {
        let Some(outbox) = self.clients.get(&client) else { return };
        if !outbox.send(message.to_json().into()) {
            // The page lags too far behind: dropping its outbox ends the connection.
            self.clients.remove(&client);
        }
    }

    /// Sends a message to every page.
    fn tell(&mut self, message: &Message) {
        if self.clients.is_empty() {
            return;
        }
        let text = Utf8Bytes::from(message.to_json());
        self.clients.retain(|_, outbox| outbox.send(text.clone()));
    }

    fn notice(&mut self, text: Words) {
        self.tell(&Message::Notice { text });
    }

    /// Sends the whole state to a page that has just connected.
    fn greet(&mut self, client: ClientId) {
        let mut messages = vec![
            Message::Hello(Box::new(self.hello())),
            Message::Study(self.study.view(self.rev)),
            self.position_message(),
            self.game_message(),
            self.review_message(),
            Message::Games { games: self.library.as_ref().map(Library::view) },
            self.problem_message(),
        ];
        messages.extend((0..self.engines.len()).filter_map(|id| self.analysis_message(id)));
        messages.push(Message::Ready);
        messages.extend(self.trouble.clone().map(|text| Message::Notice { text }));
        messages.extend(std::mem::take(&mut self.offers_replaced).then_some(Message::Replaced));
        for message in messages {
            self.reply(client, &message);
        }
    }

    fn hello(&self) -> Hello {
        let format = |id, label| FormatView { id, label };
        Hello {
            version: VERSION,
            name: format!("judkins {}", env!("CARGO_PKG_VERSION")),
            engines: self.engines.iter().enumerate().map(|(id, engine)| engine.info(id)).collect(),
            handicaps: Handicap::ALL
                .map(|handicap| HandicapView {
                    id: handicap.to_string(),
                    sfen: handicap.sfen(),
                    names: words::handicap(handicap),
                })
                .to_vec(),
            // People play by the game's rules, not by those of a program for matches.
            impasse_rules: ImpasseRule::NAMES.iter().copied().filter(|&name| name != "CuteChess").collect(),
            formats: vec![
                format("kif", "KIF"),
                format("ki2", "KI2"),
                format("pgn", "PGN"),
                format("pgn-fairy", "PGN (Fairy-Stockfish)"),
                format("pgn-cutechess", "PGN (Cute Chess)"),
                format("usi", "USI"),
            ],
            problems: self.problems.counts(),
            levels: level::STRONGEST,
            file: self.file.clone(),
            features: &["review", "undelete"],
        }
    }

    // ---- What changes ----

    fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// The next revision of the study.
    fn next_rev(&mut self) -> u64 {
        self.rev += 1;
        self.rev
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
        let rev = self.next_rev();
        if let Some(node) = view::node(&self.study.record, node) {
            self.tell(&Message::Node { rev, node: Box::new(node) });
        }
    }

    /// Sends the header, which has changed.
    fn header_changed(&mut self) {
        let rev = self.next_rev();
        self.tell(&Message::Header { rev, header: view::header(&self.study.record) });
    }

    /// Puts another study on the board.
    fn set_study(&mut self, study: Study) {
        self.forget_hints();
        self.drop_errands();
        self.drop_review();
        // Its numbers mean other places now.
        self.tell(&Message::Review { review: None });
        self.deletions.clear();
        self.study = study;
        for analysis in self.engines.iter_mut().filter_map(|engine| engine.analysis.as_mut()) {
            analysis.ticket = None;
        }
        self.next_rev();
        self.tell(&Message::Study(self.study.view(self.rev)));
        if self.study.review.is_some() {
            self.tell(&self.review_message());
        }
        self.position_changed();
    }

    /// Writes the session down. Problems are not in it: what stood before them is.
    fn save(&mut self) {
        let study = self.problem.as_ref().map_or(&self.study, |problem| &problem.before);
        let game = self.play.as_ref().and_then(|play| play.saved(&study.record, Instant::now()));
        let session = Session::of(SavedStudy::of(study, game), self.problems.solved.clone());
        // Whenever the program is killed, each study is in the session or in the list.
        let saved = self.saver.save_earlier(&mut self.earlier).and_then(|()| self.saver.save(&session));
        let saved = saved.and_then(|()| {
            self.earlier.release();
            self.saver.save_earlier(&mut self.earlier)
        });
        if let Err(error) = saved {
            self.notice(Words::verbatim(error));
        }
    }

    /// Writes the study to its file. Returns whether the file has all of it.
    fn save_file(&mut self) -> bool {
        let Some(file) = &self.study.file else { return false };
        let text = match self.saver.save_file(file, &self.study.record) {
            Ok(()) => return true,
            Err(NotSaved::Failed(error)) => Words::verbatim(error),
            Err(NotSaved::Changed(path)) => {
                // What the other program wrote is not overwritten by the next change either.
                self.study.file = None;
                let path = path.display();
                Words::new(
                    format!("Another program has changed {path}, so it is not written any more: save a copy."),
                    format!("{path}は他のプログラムが変更したため、上書きしません。別に保存してください。"),
                )
            }
        };
        self.notice(text);
        false
    }

    /// After a change of the record.
    fn changed(&mut self) {
        self.deletes_in_row = false;
        if self.problem.is_some() {
            return;
        }
        let unsaved = !self.save_file();
        if self.study.unsaved != unsaved {
            self.study.unsaved = unsaved;
            self.tell(&Message::Files(self.study.files()));
        }
        self.save();
    }
}
