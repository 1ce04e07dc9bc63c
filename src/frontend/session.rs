//! A session in USI or UCI: reads and carries out commands.

use std::io::{self, BufRead};
use std::time::{Duration, Instant};

use super::dialect::Dialect;
use super::input::{Input, Line, MAX_INPUT, Waker};
use super::jobs::Jobs;
use super::logging::PROTOCOL;
use super::setting::{SettingError, set_option};
use super::translation::{clocks, limits, response};
use super::xboard::Xboard;
use super::{Output, describe_evaluation, describe_game, introduction};
use crate::engine::{Effect, Engine, EngineError};
use crate::protocol::cecp;
use crate::protocol::usi::{BestMove, Checkmate, Command, CommandError, Go, Response};
use crate::shogi::diagram::Pieces;
use crate::shogi::{Game, ImpasseRule, MAX_PERFT_DEPTH};
use crate::work::with_signs_of_life;

/// The time between two empty lines while the engine is being prepared.
const ALIVE_INTERVAL: Duration = Duration::from_secs(5);

/// A session with a program: reads commands and lets the engine carry them out.
///
/// The first line determines the protocol: `uci`, `xboard`, or USI.
pub struct Session {
    engine: Engine,
    output: Output,
    /// None before the first line.
    dialect: Option<Dialect>,
    /// Set if the protocol is CECP.
    xboard: Option<Xboard>,
    jobs: Jobs,
    /// The last `go`, with the clocks of its ponder hit.
    asked: Go,
    /// When the last `isready` was answered.
    ready: Option<Instant>,
}

/// Whether the session continues.
#[derive(PartialEq, Eq)]
pub(super) enum Flow {
    Continue,
    Quit,
}

impl Session {
    /// Starts a session that responds on `output`, and opens the log of the engine's options.
    ///
    /// # Errors
    /// [`SettingError`] if the log cannot be opened.
    pub fn new(engine: Engine, output: Output) -> Result<Session, SettingError> {
        if let Err(error) = output.log().open(&engine.options().debug_log_file) {
            let configured = engine.option_table().error_of(Effect::Log, &error);
            return Err(configured.map_or_else(|| error.into(), |error| EngineError::from(error).into()));
        }
        Ok(Session {
            engine,
            output,
            dialect: None,
            xboard: None,
            jobs: Jobs::default(),
            asked: Go::default(),
            ready: None,
        })
    }

    /// Reads and carries out commands until `quit` or the end of the input.
    ///
    /// # Errors
    /// An I/O error of the input, or if there is no thread to read it. The end of the input is not an error.
    pub fn run(&mut self, stream: impl BufRead + Send + 'static) -> io::Result<()> {
        let mut input = Input::read(stream)?;
        let result = loop {
            let line = input.next_line();
            match self.take(line, &mut input) {
                Ok(Flow::Continue) => {}
                Ok(Flow::Quit) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        self.finish();
        result
    }

    /// Carries out a line of the input.
    pub(super) fn take(&mut self, line: Line, input: &mut Input) -> io::Result<Flow> {
        match line {
            Line::Text(line, arrival) => {
                tracing::debug!(target: PROTOCOL, "< {line}");
                self.output.log().input(&line);
                if self.dialect.is_none() {
                    self.choose_dialect(&line, input.waker());
                }
                if self.obey(&line, arrival, input) == Flow::Quit {
                    return Ok(Flow::Quit);
                }
            }
            Line::TooLong { .. } if self.xboard.is_some() => {
                self.output.line(cecp::Response::Error(format!("Error (more than {MAX_INPUT} bytes): a line")));
            }
            Line::TooLong { is_position } => {
                if is_position {
                    self.engine.refuse_position();
                }
                self.error(format_args!("a line of more than {MAX_INPUT} bytes is ignored"));
            }
            Line::Wake => {}
            Line::End => {
                self.jobs.end_soon();
                self.jobs.wait(input);
                return Ok(Flow::Quit);
            }
            Line::Broken(error) => return Err(error),
        }
        if let Some(xboard) = &mut self.xboard {
            xboard.take_answer(&mut self.engine, &self.output);
        }
        Ok(Flow::Continue)
    }

    /// Whether a line that arrives during work must wait for its end.
    #[cfg(target_family = "wasm")]
    pub(super) fn must_wait(&self, line: &Line) -> bool {
        let line = match line {
            Line::Text(line, _) => line,
            &Line::TooLong { is_position } => return is_position,
            Line::Wake | Line::End | Line::Broken(_) => return false,
        };
        match self.dialect().parse(line) {
            Ok(Some(Command::Usi | Command::IsReady)) => false,
            _ if self.jobs.is_running() => true,
            Ok(Some(command)) => matches!(
                command,
                Command::SetOption { .. }
                    | Command::UsiNewGame
                    | Command::Position { .. }
                    | Command::Go(_)
                    | Command::GoMate(_)
                    | Command::Perft(_)
                    | Command::Bench
            ),
            Err(error) => matches!(error, CommandError::Position(_)),
            Ok(None) => false,
        }
    }

    /// Sets a line aside until the running work has ended. Ends a search at once.
    #[cfg(target_family = "wasm")]
    pub(super) fn set_aside(&mut self, line: Line, input: &mut Input) {
        self.engine.stop();
        if self.jobs.set_aside(line, input) {
            self.jobs.finish();
        }
    }

    #[cfg(target_family = "wasm")]
    pub(super) fn stop(&mut self) {
        self.engine.stop();
    }

    /// Ends a job that is overdue after `quit`.
    #[cfg(target_family = "wasm")]
    pub(super) fn end_late_job(&mut self) {
        if self.jobs.is_overdue() {
            self.jobs.finish();
        }
    }

    pub(super) fn finish(&mut self) {
        self.jobs.finish();
        self.engine.finish();
    }

    fn choose_dialect(&mut self, line: &str, waker: Waker) {
        self.dialect = Dialect::of_first_line(line);
        match self.dialect {
            Some(Dialect::Uci) => {
                self.engine.answer_with_moves_only();
                // The rule by which Cute Chess ends games.
                if let Err(error) = self.engine.set_default("ImpasseRule", ImpasseRule::CuteChess.name()) {
                    self.error(error);
                }
            }
            Some(Dialect::Cecp) => self.xboard = Some(Xboard::new(waker)),
            Some(Dialect::Usi) | None => {}
        }
    }

    fn dialect(&self) -> Dialect {
        self.dialect.unwrap_or(Dialect::Usi)
    }

    fn say(&self, response: &Response) {
        self.output.line(self.dialect().text(response));
    }

    fn error(&self, error: impl std::fmt::Display) {
        self.say(&Response::InfoString(format!("error: {error}")));
    }

    fn obey(&mut self, line: &str, mut arrival: Instant, input: &mut Input) -> Flow {
        if let Some(xboard) = &mut self.xboard {
            let goes_on = xboard.obey(line, &mut self.engine, &self.output);
            return if goes_on { Flow::Continue } else { Flow::Quit };
        }
        let command = match self.dialect().parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Flow::Continue,
            Err(error) => {
                match error {
                    CommandError::Position(_) => self.engine.refuse_position(),
                    // The game is over, whatever its result.
                    CommandError::Malformed { command: "gameover", .. } => self.engine.stop(),
                    _ => {}
                }
                self.error(error);
                return Flow::Continue;
            }
        };
        match command {
            Command::Stop => self.jobs.finish(),
            Command::Quit => {
                self.jobs.end_soon();
                self.jobs.wait(input);
                return Flow::Quit;
            }
            // These are answered at once, even during perft or bench.
            Command::Usi | Command::IsReady => {}
            _ if self.jobs.is_running() => {
                self.jobs.wait(input);
                // The time of a search begins after the work before it.
                arrival = Instant::now();
            }
            _ => self.jobs.finish(),
        }
        self.carry_out(command, arrival);
        Flow::Continue
    }

    fn carry_out(&mut self, command: Command, arrival: Instant) {
        match command {
            Command::Usi => self.introduce(),
            Command::IsReady => self.get_ready(),
            Command::SetOption { name, value } => {
                self.engine.finish();
                if let Err(error) = set_option(&mut self.engine, self.output.log(), &name, value.as_deref()) {
                    self.error(error);
                }
            }
            Command::UsiNewGame => self.engine.new_game(),
            Command::Position { start, moves } => {
                if let Err(illegal) = self.engine.set_position(*start, &moves) {
                    let mv = self.dialect().move_text(illegal.0);
                    self.error(format_args!("position refused: illegal move {mv}"));
                }
            }
            Command::Go(go) => self.go(go, arrival),
            Command::GoMate(limit) => self.go_mate(limit),
            Command::Stop | Command::GameOver | Command::Quit => self.engine.stop(),
            Command::PonderHit(go) => {
                self.asked = std::mem::take(&mut self.asked).updated(&go);
                self.engine.ponderhit(clocks(&self.asked));
            }
            Command::Perft(depth) => self.perft(depth),
            Command::Bench => {
                self.engine.finish();
                self.jobs.bench(self.engine.evaluation(), self.output.clone());
            }
            Command::Display => self.describe(|_, game| Ok(describe_game(game, Pieces::Letters))),
            Command::Eval => self.describe(|engine, game| match game.position().kingless() {
                Some(color) => Err(format!("{color} has no king: there is no evaluation without it")),
                None => {
                    let rule = engine.options().impasse_rule;
                    Ok(describe_evaluation(game.position(), rule, &engine.network()))
                }
            }),
        }
    }

    fn introduce(&self) {
        let id = |what, text: &str| self.say(&Response::Id { what, text: text.to_owned() });
        id("name", introduction::NAME);
        id("author", introduction::AUTHOR);
        for (name, kind) in introduction::options(self.engine.option_table(), self.dialect()) {
            self.say(&Response::Option { name, kind });
        }
        self.say(&Response::UsiOk);
    }

    fn get_ready(&mut self) {
        if !self.engine.is_searching()
            && let Err(error) = self.prepare()
        {
            self.error(error);
        }
        self.say(&Response::ReadyOk);
        self.ready = Some(Instant::now());
    }

    /// Prepares the engine, sending empty lines meanwhile.
    fn prepare(&mut self) -> Result<(), EngineError> {
        let (engine, output) = (&mut self.engine, &self.output);
        with_signs_of_life(ALIVE_INTERVAL, || output.line(Response::Alive), || engine.prepare())
    }

    fn go(&mut self, go: Go, arrival: Instant) {
        // Only the mate solver accepts a position without a king.
        if go.mate.is_some() && self.engine.game().is_some_and(|game| game.position().kingless().is_some()) {
            return self.go_mate(go.movetime);
        }
        let (output, dialect) = (self.output.clone(), self.dialect());
        let tell = move |event| output.line(dialect.text(&response(event)));
        self.asked = go.clone();
        // No clock runs before the engine is ready, even if a script has sent all lines at once.
        let arrival = self.ready.map_or(arrival, |ready| ready.max(arrival));
        if let Err(error) = self.engine.go_since(arrival, &limits(go), tell) {
            self.fail(&error, &Response::BestMove(BestMove::Resign));
        }
    }

    fn go_mate(&mut self, time: Option<Duration>) {
        let (output, dialect) = (self.output.clone(), self.dialect());
        let tell = move |event| output.line(dialect.text(&response(event)));
        if let Err(error) = self.engine.go_mate(time, tell) {
            self.fail(&error, &Response::Checkmate(Checkmate::Timeout));
        }
    }

    /// Answers a `go` for which there is no thread or memory: programs wait for the answer to every `go`.
    fn fail(&self, error: &EngineError, answer: &Response) {
        self.error(error);
        self.say(answer);
    }

    fn perft(&mut self, depth: u32) {
        self.engine.finish();
        if depth > MAX_PERFT_DEPTH {
            return self.error(format_args!("perft takes a depth of at most {MAX_PERFT_DEPTH} plies, not {depth}"));
        }
        match self.engine.game() {
            Some(game) => self.jobs.perft(game.position().clone(), depth, self.dialect(), self.output.clone()),
            None => self.error("there is no position"),
        }
    }

    fn describe(&self, describe: impl FnOnce(&Engine, &Game) -> Result<String, String>) {
        let game = self.engine.game().ok_or_else(|| "there is no position".to_owned());
        match game.and_then(|game| describe(&self.engine, &game)) {
            Ok(text) => self.output.line(Response::Plain(text.trim_end().to_owned())),
            Err(error) => self.error(error),
        }
    }
}
