//! The engine as XBoard sees it: it keeps the game and the clocks, and plays one side of it by itself.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::Output;
use super::dialect::Dialect;
use super::introduction;
use super::session::Line;
use crate::engine::{Engine, Event, GameClocks, OptionKind, SearchRequest, Verdict};
use crate::protocol::cecp::{Command, Level, Response, Thinking};
use crate::protocol::uci::move_text;
use crate::search::Report;
use crate::shogi::{Color, Game, Move, Position};

/// The variant's name.
const VARIANT: &str = "judkins";

/// What `memory` counts besides the table, in MiB.
const OVERHEAD: i64 = 16;

/// Without any time control, a move takes so long.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Whom the engine plays for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Nobody: moves are only noted.
    Force,
    /// This side.
    Playing(Color),
    /// Nobody: it thinks about whatever stands on the board.
    Analyzing,
}

/// What a search under way is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Nothing,
    /// To be played.
    Move,
    /// To be ready if this is the opponent's move.
    Pondering(Move),
    Analysis,
}

/// What searches tell, from their own threads.
#[derive(Default)]
struct Mailbox {
    answer: Option<(u64, Verdict)>,
    report: Option<Report>,
}

/// A game as XBoard directs it.
pub(super) struct Xboard {
    game: Game,
    mode: Mode,
    purpose: Purpose,
    /// Which search is under way: the answers of earlier ones do not count.
    search: u64,
    /// Nobody is to move any more.
    over: bool,
    level: Option<Level>,
    movetime: Option<Duration>,
    depth: Option<u32>,
    /// What is left to the engine and to its opponent, as XBoard said last.
    clocks: [Option<Duration>; 2],
    /// Whether to show thoughts.
    post: bool,
    /// Whether to think on the opponent's time.
    ponder: bool,
    /// The move that the engine would expect.
    hint: Option<Move>,
    mailbox: Arc<Mutex<Mailbox>>,
    waker: SyncSender<Line>,
}

impl Xboard {
    /// Before the first command. Searches wake the session through `waker` when they have their answer.
    pub(super) fn new(waker: SyncSender<Line>) -> Xboard {
        Xboard {
            game: Game::new(Position::startpos()),
            mode: Mode::Force,
            purpose: Purpose::Nothing,
            search: 0,
            over: false,
            level: None,
            movetime: None,
            depth: None,
            clocks: [None; 2],
            post: false,
            ponder: false,
            hint: None,
            mailbox: Arc::default(),
            waker,
        }
    }

    /// Obeys a line. Says whether the conversation goes on.
    pub(super) fn obey(&mut self, line: &str, engine: &mut Engine, output: &Output) -> bool {
        // An answer that came before this line counts before it.
        self.take_answers(engine, output);
        let command = match Command::parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return true,
            Err(error) => {
                output.line(Response::Error(error.to_string()));
                return true;
            }
        };
        match command {
            Command::Xboard | Command::Nothing => {}
            Command::Protover => output.line(Response::Features {
                name: introduction::NAME.to_owned(),
                options: introduction::options(engine.option_table(), Dialect::Cecp),
            }),
            Command::Quit => return false,
            Command::Ping(number) => output.line(Response::Pong(number)),
            Command::Variant(name) if name == VARIANT => {
                self.take_up(Position::startpos(), &[], engine, output);
                output.line(Response::Setup);
            }
            Command::Variant(name) => output.line(Response::Error(format!("Error (unknown variant): {name}"))),
            Command::New => {
                self.halt(engine);
                engine.new_game();
                (self.depth, self.mode, self.clocks) = (None, Mode::Playing(Color::White), [None; 2]);
                self.take_up(Position::startpos(), &[], engine, output);
            }
            Command::SetBoard(Ok(position)) => self.take_up(*position, &[], engine, output),
            Command::SetBoard(Err(error)) => {
                output.line(Response::UserError(format!("Illegal position: {error}")));
            }
            Command::Force => {
                self.halt(engine);
                self.mode = Mode::Force;
            }
            Command::Go => {
                self.halt(engine);
                self.mode = Mode::Playing(self.game.position().side_to_move());
                // Whoever asks for a move hears why there is none.
                if !self.claim_end(output) {
                    self.think(engine, output);
                }
            }
            Command::PlayOther => {
                self.halt(engine);
                self.mode = Mode::Playing(!self.game.position().side_to_move());
                self.ponder(engine, output);
            }
            Command::UserMove(mv) => self.user_move(mv, engine, output),
            Command::MoveNow if self.purpose == Purpose::Move => engine.stop(),
            Command::MoveNow => {}
            Command::Undo => self.take_back(1, engine, output),
            Command::Remove => self.take_back(2, engine, output),
            Command::Level(level) => (self.level, self.movetime) = (Some(level), None),
            Command::MoveTime(time) => (self.level, self.movetime) = (None, Some(time)),
            Command::Depth(depth) => self.depth = Some(depth),
            Command::Time(time) => self.clocks[0] = Some(time),
            Command::OpponentTime(time) => self.clocks[1] = Some(time),
            Command::Hint => {
                if let Some(hint) = self.hint.filter(|&hint| self.game.position().is_legal(hint)) {
                    output.line(Response::Hint(hint));
                }
            }
            Command::Hard => {
                self.ponder = true;
                if self.purpose == Purpose::Nothing {
                    self.ponder(engine, output);
                }
            }
            Command::Easy => {
                self.ponder = false;
                if matches!(self.purpose, Purpose::Pondering(_)) {
                    self.halt(engine);
                }
            }
            Command::Post => self.post = true,
            Command::NoPost => self.post = false,
            Command::Analyze => {
                self.halt(engine);
                self.mode = Mode::Analyzing;
                self.think(engine, output);
            }
            Command::ExitAnalysis => {
                self.halt(engine);
                self.mode = Mode::Force;
            }
            Command::Status => self.tell_status(output),
            Command::Result => {
                self.halt(engine);
                self.over = true;
            }
            Command::Memory(mebibytes) => {
                let hash = (mebibytes - OVERHEAD).max(1);
                self.set_option("USI_Hash", Some(&hash.to_string()), engine, output);
            }
            Command::Cores(cores) => self.set_option("Threads", Some(&cores.to_string()), engine, output),
            Command::Option { name, value } => {
                let value = value.map(|value| option_value(engine, &name, value));
                self.set_option(&name, value.as_deref(), engine, output);
            }
        }
        true
    }

    /// Takes what searches have answered since the last time.
    pub(super) fn take_answers(&mut self, engine: &mut Engine, output: &Output) {
        let answer = self.mailbox().answer.take();
        let Some((search, verdict)) = answer else { return };
        if search != self.search || self.purpose != Purpose::Move {
            return;
        }
        self.purpose = Purpose::Nothing;
        match verdict {
            Verdict::Move { best, ponder } => {
                if let Err(illegal) = self.game.play(best) {
                    // It has just been found in this very position.
                    tracing::error!("the engine's own move was refused: {illegal}");
                    return;
                }
                output.line(Response::Move(best));
                self.hint = ponder;
                if !self.claim_end(output) {
                    self.ponder(engine, output);
                }
            }
            Verdict::Win => {
                let winner = Some(self.game.position().side_to_move());
                self.over = true;
                output.line(Response::Result { winner, reason: "declaration".to_owned() });
            }
            Verdict::Resign | Verdict::Mate(_) | Verdict::NoMate | Verdict::MateUnknown => {
                self.over = true;
                output.line(Response::Resign);
            }
        }
    }

    fn mailbox(&self) -> std::sync::MutexGuard<'_, Mailbox> {
        self.mailbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a search; its answer does not count.
    fn halt(&mut self, engine: &mut Engine) {
        engine.finish();
        self.search += 1;
        self.purpose = Purpose::Nothing;
        *self.mailbox() = Mailbox::default();
    }

    /// Takes up a game that has come so far.
    fn take_up(&mut self, start: Position, moves: &[Move], engine: &mut Engine, output: &Output) {
        self.halt(engine);
        let (rule, plies) = (engine.options().impasse_rule, engine.options().impasse_plies);
        self.game = Game::new(start).with_impasse(rule, plies);
        for &mv in moves {
            self.game.play(mv).expect("it was played before");
        }
        (self.over, self.hint) = (false, None);
        if self.mode == Mode::Analyzing {
            self.think(engine, output);
        }
    }

    fn take_back(&mut self, plies: usize, engine: &mut Engine, output: &Output) {
        let played = self.game.moves();
        let kept = played[..played.len().saturating_sub(plies)].to_vec();
        self.take_up(self.game.start().clone(), &kept, engine, output);
    }

    fn user_move(&mut self, mv: Result<Move, String>, engine: &mut Engine, output: &Output) {
        let refuse = |text: String| output.line(Response::IllegalMove { why: None, text });
        let mv = match mv {
            Ok(mv) => mv,
            Err(text) => return refuse(text),
        };
        if !self.game.position().is_legal(mv) {
            return refuse(move_text(mv));
        }
        if self.purpose == Purpose::Move {
            let why = Some("it is not your turn");
            return output.line(Response::IllegalMove { why, text: move_text(mv) });
        }
        let expected = self.purpose == Purpose::Pondering(mv);
        if !expected {
            self.halt(engine);
        }
        self.game.play(mv).expect("it is legal");
        match self.mode {
            Mode::Force => {}
            Mode::Analyzing => self.think(engine, output),
            Mode::Playing(_) => {
                if self.claim_end(output) {
                    self.halt(engine);
                } else if expected {
                    self.purpose = Purpose::Move;
                    engine.ponderhit(self.request().clocks);
                } else {
                    self.think(engine, output);
                }
            }
        }
    }

    /// Says how the game has ended, if it has. Where the engine only looks on, the program decides.
    fn claim_end(&mut self, output: &Output) -> bool {
        let Some(result) = self.game.result() else { return false };
        self.over = true;
        output.line(Response::Result { winner: result.winner, reason: result.explained().to_string() });
        true
    }

    /// Thinks about the position, if there is anything to think about.
    fn think(&mut self, engine: &mut Engine, output: &Output) {
        let to_move = self.game.position().side_to_move();
        let (purpose, request) = match self.mode {
            Mode::Force => return,
            Mode::Analyzing => (Purpose::Analysis, SearchRequest { infinite: true, ..SearchRequest::default() }),
            Mode::Playing(color) if color == to_move && !self.over => (Purpose::Move, self.request()),
            Mode::Playing(_) => return,
        };
        if !self.game.position().has_legal_move() {
            return;
        }
        self.start(purpose, &request, &[], engine, output);
    }

    /// Thinks on the opponent's time, if that is wanted and there is a move to expect.
    fn ponder(&mut self, engine: &mut Engine, output: &Output) {
        let position = self.game.position();
        let waits = self.mode == Mode::Playing(!position.side_to_move());
        let Some(expected) = self.hint.filter(|&hint| position.is_legal(hint)) else { return };
        if self.ponder && waits && !self.over && position.after(expected).has_legal_move() {
            let request = SearchRequest { ponder: true, ..self.request() };
            self.start(Purpose::Pondering(expected), &request, &[expected], engine, output);
        }
    }

    fn start(
        &mut self,
        purpose: Purpose,
        request: &SearchRequest,
        more: &[Move],
        engine: &mut Engine,
        output: &Output,
    ) {
        self.halt(engine);
        let moves = [self.game.moves(), more].concat();
        if let Err(illegal) = engine.set_position(self.game.start().clone(), &moves) {
            return tracing::error!("the game's own move was refused: {illegal}");
        }
        self.purpose = purpose;
        let (search, mailbox, waker) = (self.search, Arc::clone(&self.mailbox), self.waker.clone());
        let shown = (self.post || purpose == Purpose::Analysis).then(|| output.clone());
        let started = engine.go(request, move |event| {
            let mut mailbox = mailbox.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::Info(report) => {
                    if let Some(output) = &shown {
                        output.line(thinking(&report));
                    }
                    mailbox.report = Some(report);
                }
                Event::MateSearch(_) => {}
                Event::Error(text) => tracing::warn!("{text}"),
                Event::Done(verdict) => {
                    mailbox.answer = Some((search, verdict));
                    // If there are lines to read, the session is awake.
                    let _ = waker.try_send(Line::Wake);
                }
            }
        });
        if let Err(error) = started {
            self.purpose = Purpose::Nothing;
            output.line(Response::UserError(error.to_string()));
        }
    }

    /// The engine's limits for its next move.
    fn request(&self) -> SearchRequest {
        let mut request = SearchRequest { depth: self.depth.map(|depth| depth as usize), ..SearchRequest::default() };
        match (self.movetime, self.level) {
            (Some(time), _) => request.movetime = Some(time),
            (None, Some(level)) => request.clocks = self.game_clocks(level),
            (None, None) if self.depth.is_none() => request.movetime = Some(DEFAULT_TIME),
            (None, None) => {}
        }
        request
    }

    /// The clocks of a game under this time control, as XBoard announced them last.
    fn game_clocks(&self, level: Level) -> GameClocks {
        let ours = match self.mode {
            Mode::Playing(color) => color,
            Mode::Force | Mode::Analyzing => self.game.position().side_to_move(),
        };
        let [own, other] = self.clocks.map(|clock| Some(clock.unwrap_or(level.base)));
        let first = self.game.start().side_to_move();
        let played = (self.game.moves().len() + usize::from(first == ours)) as u32 / 2;
        GameClocks {
            time: if ours == Color::Black { [own, other] } else { [other, own] },
            increment: [Some(level.increment); 2],
            byoyomi: None,
            moves_to_go: (level.moves > 0).then(|| level.moves - played % level.moves),
        }
    }

    fn tell_status(&self, output: &Output) {
        if self.purpose == Purpose::Analysis {
            // XBoard asks every second and waits for the answer, also when nothing has been found yet.
            let found = |report: &Report| (report.time, report.nodes, report.depth);
            let (time, nodes, depth) = self.mailbox().report.as_ref().map_or_else(Default::default, found);
            output.line(Response::Status { time, nodes, depth });
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, engine: &mut Engine, output: &Output) {
        let before = self.purpose;
        let result = engine.set_option(name, value);
        match result {
            Ok(()) => {
                let (rule, plies) = (engine.options().impasse_rule, engine.options().impasse_plies);
                self.game = self.game.clone().with_impasse(rule, plies);
            }
            Err(error) => output.line(Response::Error(format!("Error ({error}): option {name}"))),
        }
        // Options are set between searches: what was thought about is thought about again, or played now.
        match before {
            Purpose::Analysis => self.think(engine, output),
            Purpose::Pondering(_) => self.halt(engine),
            Purpose::Move | Purpose::Nothing => {}
        }
    }
}

/// CECP writes 1 and 0 for true and false.
fn option_value(engine: &Engine, name: &str, value: String) -> String {
    let options = engine.option_table().list();
    let is_check = options
        .iter()
        .any(|option| option.name.eq_ignore_ascii_case(name) && matches!(option.kind, OptionKind::Check { .. }));
    match value.as_str() {
        "1" if is_check => "true".to_owned(),
        "0" if is_check => "false".to_owned(),
        _ => value,
    }
}

fn thinking(report: &Report) -> Response {
    Response::Thinking(Thinking {
        depth: report.depth,
        score: report.score,
        time: report.time,
        nodes: report.nodes,
        pv: report.pv.clone(),
    })
}
