//! A session with XBoard: the engine keeps the game and the clocks, and plays one side of it.

mod search;
mod time_control;

use super::dialect::Dialect;
use super::input::Waker;
use super::setting::set_option;
use super::{Output, introduction};
use crate::engine::{Engine, OptionKind, Verdict};
use crate::protocol::cecp::{Command, Response};
use crate::protocol::uci::move_text;
use crate::search::{Limits, Report};
use crate::shogi::{Color, Game, Move, Position};
use search::{Purpose, Search};
use time_control::TimeControl;

const VARIANT: &str = "judkins";

/// The part of `memory` that is reserved for other uses than tables, in MiB.
const OVERHEAD: i64 = 16;

/// The greatest part of `memory` for the mate solver's table, in MiB. It gets a quarter of the tables' memory at most.
const MAX_MATE_HASH: i64 = 64;

/// The side that the engine plays for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// No side: moves are only recorded.
    Force,
    /// This one.
    Playing(Color),
    /// No side: the engine analyses the position on the board.
    Analyzing,
}

pub(super) struct Xboard {
    game: Game,
    mode: Mode,
    /// Whether the game has ended, so that no side is to move.
    over: bool,
    /// Whether the last board was refused: the position is not the user's, and no move is played in it.
    is_stale: bool,
    time_control: TimeControl,
    post: bool,
    /// Whether to think during the opponent's time.
    ponder: bool,
    /// The reply that the engine expects.
    hint: Option<Move>,
    /// Pings during the search for a move: they are answered after it.
    pings: Vec<String>,
    search: Search,
}

impl Xboard {
    /// The state before the first command. Searches wake the session when they have answered.
    pub(super) fn new(waker: Waker) -> Xboard {
        Xboard {
            game: Game::new(Position::startpos()),
            mode: Mode::Force,
            over: false,
            is_stale: false,
            time_control: TimeControl::default(),
            post: false,
            ponder: false,
            hint: None,
            pings: Vec::new(),
            search: Search::new(waker),
        }
    }

    /// Carries out a line. Returns whether the session continues.
    pub(super) fn obey(&mut self, line: &str, engine: &mut Engine, output: &Output) -> bool {
        let goes_on = self.carry_out(line, engine, output);
        self.answer_pings(output);
        goes_on
    }

    fn answer_pings(&mut self, output: &Output) {
        if self.search.purpose() != Purpose::Move {
            self.pings.drain(..).for_each(|number| output.line(Response::Pong(number)));
        }
    }

    fn carry_out(&mut self, line: &str, engine: &mut Engine, output: &Output) -> bool {
        // Handle an answer that came before this line first.
        self.take_answer(engine, output);
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
            Command::Ping(number) => self.pings.push(number),
            Command::Variant(name) if name == VARIANT => {
                self.take_up(Position::startpos(), &[], engine, output);
                output.line(Response::Setup);
            }
            Command::Variant(name) => output.line(Response::Error(format!("Error (unknown variant): {name}"))),
            Command::New => {
                self.search.halt(engine);
                engine.new_game();
                self.time_control.begin_game();
                if self.mode != Mode::Analyzing {
                    self.mode = Mode::Playing(Color::White);
                }
                self.prepare(engine, output);
                self.take_up(Position::startpos(), &[], engine, output);
            }
            Command::SetBoard(Ok(position)) => self.take_up(*position, &[], engine, output),
            Command::SetBoard(Err(error)) => {
                self.search.halt(engine);
                (self.is_stale, self.hint) = (true, None);
                output.line(Response::UserError(format!("Illegal position: {error}")));
            }
            Command::Force => {
                self.search.halt(engine);
                self.mode = Mode::Force;
            }
            Command::Go => {
                self.search.halt(engine);
                self.mode = Mode::Playing(self.game.position().side_to_move());
                // XBoard lets people continue after a result.
                self.over = false;
                // If the game is over, the result answers `go`.
                if !self.claim_end(output) {
                    self.think(engine, output);
                }
            }
            Command::PlayOther => {
                self.search.halt(engine);
                self.mode = Mode::Playing(!self.game.position().side_to_move());
                self.over = false;
                self.ponder(engine, output);
            }
            Command::UserMove(mv) => self.user_move(mv, engine, output),
            Command::MoveNow if self.search.purpose() == Purpose::Move => engine.stop(),
            Command::MoveNow => {}
            Command::Undo => self.take_back(1, engine, output),
            Command::Remove => self.take_back(2, engine, output),
            Command::Level(level) => {
                self.time_control.set_level(level);
                self.ponder_anew(engine, output);
            }
            Command::MoveTime(time) => {
                self.time_control.set_movetime(time);
                self.ponder_anew(engine, output);
            }
            Command::Depth(depth) => {
                self.time_control.depth = Some(depth);
                self.ponder_anew(engine, output);
            }
            Command::Time(time) => self.time_control.clocks[0] = Some(time),
            Command::OpponentTime(time) => self.time_control.clocks[1] = Some(time),
            Command::Hint => {
                if let Some(hint) = self.hint.filter(|&hint| self.game.position().is_legal(hint)) {
                    output.line(Response::Hint(hint));
                }
            }
            Command::Hard => {
                self.ponder = true;
                if self.search.purpose() == Purpose::Nothing {
                    self.ponder(engine, output);
                }
            }
            Command::Easy => {
                self.ponder = false;
                if matches!(self.search.purpose(), Purpose::Pondering(_)) {
                    self.search.halt(engine);
                }
            }
            Command::Post => self.show_thinking(true),
            Command::NoPost => self.show_thinking(false),
            Command::Analyze => {
                self.search.halt(engine);
                self.mode = Mode::Analyzing;
                self.think(engine, output);
            }
            Command::ExitAnalysis => {
                self.search.halt(engine);
                self.mode = Mode::Force;
            }
            Command::Status => self.tell_status(output),
            Command::Result => {
                self.search.halt(engine);
                self.over = true;
            }
            Command::Memory(mebibytes) => {
                let tables = (mebibytes - OVERHEAD).max(2);
                let mate_hash = (tables / 4).clamp(1, MAX_MATE_HASH);
                for (option, size) in [("MateHash", mate_hash), ("USI_Hash", tables - mate_hash)] {
                    self.set_option(option, Some(&size.to_string()), engine, output);
                }
                self.prepare(engine, output);
            }
            Command::Cores(cores) => {
                self.set_option("Threads", Some(&cores.to_string()), engine, output);
                self.prepare(engine, output);
            }
            Command::Option { name, value } => {
                let value = value.map(|value| option_value(engine, &name, value));
                self.set_option(&name, value.as_deref(), engine, output);
            }
        }
        true
    }

    /// Plays the answer of a search, if there is one.
    pub(super) fn take_answer(&mut self, engine: &mut Engine, output: &Output) {
        self.play_answer(engine, output);
        self.answer_pings(output);
    }

    fn play_answer(&mut self, engine: &mut Engine, output: &Output) {
        let Some(verdict) = self.search.take_answer() else { return };
        match verdict {
            Verdict::Move { best, ponder } => {
                if let Err(illegal) = self.game.play(best) {
                    // A bug: the search found the move in this position.
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

    /// Sets the game: a start position and the moves played.
    fn take_up(&mut self, start: Position, moves: &[Move], engine: &mut Engine, output: &Output) {
        self.search.halt(engine);
        let (rule, plies) = (engine.options().impasse_rule, engine.options().impasse_plies);
        self.game = Game::new(start).with_impasse(rule, plies);
        moves.iter().try_for_each(|&mv| self.game.play(mv)).expect("the game has been played before");
        (self.over, self.is_stale, self.hint) = (false, false, None);
        if self.mode == Mode::Analyzing {
            self.think(engine, output);
        }
    }

    /// Allocate memory and threads now: in the game it would cost time on the clock.
    fn prepare(&mut self, engine: &mut Engine, output: &Output) {
        if self.search.purpose() == Purpose::Nothing
            && let Err(error) = engine.prepare()
        {
            output.line(Response::UserError(error.to_string()));
        }
    }

    fn show_thinking(&mut self, post: bool) {
        self.post = post;
        if self.search.purpose() != Purpose::Analysis {
            self.search.show(post);
        }
    }

    fn take_back(&mut self, plies: usize, engine: &mut Engine, output: &Output) {
        if self.is_stale {
            return;
        }
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
        if self.is_stale || !self.game.position().is_legal(mv) {
            return refuse(move_text(mv));
        }
        if self.search.purpose() == Purpose::Move {
            let why = Some("it is not your turn");
            return output.line(Response::IllegalMove { why, text: move_text(mv) });
        }
        let expected = self.search.purpose() == Purpose::Pondering(mv);
        if !expected {
            self.search.halt(engine);
        }
        self.game.play(mv).expect("it is legal");
        self.hint = None;
        match self.mode {
            Mode::Force => {}
            Mode::Analyzing => self.think(engine, output),
            Mode::Playing(_) => {
                if self.claim_end(output) {
                    self.search.halt(engine);
                } else if expected {
                    self.search.ponderhit(self.limits().clocks, engine);
                } else {
                    self.think(engine, output);
                }
            }
        }
    }

    /// Reports the result if the game is over. Returns whether it is.
    fn claim_end(&mut self, output: &Output) -> bool {
        let Some(result) = self.game.result().filter(|_| !self.is_stale) else { return false };
        self.over = true;
        output.line(Response::Result { winner: result.winner, reason: result.explained().to_string() });
        true
    }

    /// Starts a search of the position, if the mode requires one and there is a legal move.
    fn think(&mut self, engine: &mut Engine, output: &Output) {
        let to_move = self.game.position().side_to_move();
        let (purpose, limits) = match self.mode {
            Mode::Force => return,
            Mode::Analyzing => (Purpose::Analysis, Limits { infinite: true, ..Limits::default() }),
            Mode::Playing(color) if color == to_move && !self.over => (Purpose::Move, self.limits()),
            Mode::Playing(_) => return,
        };
        if self.is_stale || !self.game.position().has_legal_move() {
            return;
        }
        self.start(purpose, &limits, &[], engine, output);
    }

    /// Starts to ponder, if pondering is on and there is an expected reply.
    fn ponder(&mut self, engine: &mut Engine, output: &Output) {
        let position = self.game.position();
        let waits = self.mode == Mode::Playing(!position.side_to_move());
        let Some(expected) = self.hint.filter(|&hint| position.is_legal(hint)) else { return };
        if self.ponder && waits && !self.over && !self.is_stale && position.after(expected).has_legal_move() {
            let limits = Limits { ponder: true, ..self.limits() };
            self.start(Purpose::Pondering(expected), &limits, &[expected], engine, output);
        }
    }

    /// Ponders with the limits that are in force now.
    fn ponder_anew(&mut self, engine: &mut Engine, output: &Output) {
        if matches!(self.search.purpose(), Purpose::Pondering(_)) {
            self.ponder(engine, output);
        }
    }

    fn start(&mut self, purpose: Purpose, limits: &Limits, more: &[Move], engine: &mut Engine, output: &Output) {
        self.search.halt(engine);
        self.search.show(self.post || purpose == Purpose::Analysis);
        if let Err(error) = self.search.start(purpose, limits, &self.game, more, output.clone(), engine) {
            output.line(Response::UserError(error.to_string()));
            if purpose == Purpose::Move {
                self.over = true;
                output.line(Response::Resign);
            }
        }
    }

    /// The limits of the engine's next move.
    fn limits(&self) -> Limits {
        let side = match self.mode {
            Mode::Playing(side) => side,
            Mode::Force | Mode::Analyzing => self.game.position().side_to_move(),
        };
        self.time_control.limits(&self.game, side)
    }

    fn tell_status(&self, output: &Output) {
        if self.mode == Mode::Analyzing {
            // XBoard asks every second and waits for the answer, even if nothing has been found yet.
            let found = |report: Report| (report.time, report.nodes, report.depth);
            let (time, nodes, depth) = self.search.report().map_or_else(Default::default, found);
            output.line(Response::Status { time, nodes, depth });
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, engine: &mut Engine, output: &Output) {
        let before = self.search.purpose();
        match set_option(engine, output.log(), name, value) {
            Ok(()) => {
                let (rule, plies) = (engine.options().impasse_rule, engine.options().impasse_plies);
                self.game = self.game.clone().with_impasse(rule, plies);
            }
            Err(error) => output.line(Response::Error(format!("Error ({error}): option {name}"))),
        }
        // A refused option leaves the search running; any other ends it. Then restart an analysis, and play the
        // move found so far.
        match before {
            _ if engine.is_searching() => {}
            Purpose::Analysis => self.think(engine, output),
            Purpose::Pondering(_) => self.search.halt(engine),
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
