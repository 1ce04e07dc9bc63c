use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::dialect::Dialect;
use super::introduction;
use super::logging::PROTOCOL;
use super::translation::{clocks, mate_request, response, search_request};
use super::xboard::Xboard;
use super::{Output, describe_evaluation, describe_game};
use crate::engine::bench::bench;
use crate::engine::{Engine, EngineError};
use crate::protocol::usi::{Answer, Checkmate, Command, CommandError, Go, MateLimit, Response};
use crate::shogi::diagram::Pieces;
use crate::shogi::perft_divide;

/// The longest line that is read, in bytes; a game of 200,000 moves fits. The rest of a longer one is passed over.
const MAX_INPUT: usize = 4 << 20;

/// While slow work goes on, an empty line says so this often.
const ALIVE_INTERVAL: Duration = Duration::from_secs(5);

/// How long a count or a bench may go on when `quit` or the end of the input has been read: a script that sends
/// `perft 5` and `quit` at once gets its answer, and the program still ends within half a second.
const GRACE: Duration = Duration::from_millis(350);

/// How often to look whether a job has ended.
const LOOK: Duration = Duration::from_millis(2);

/// Lines that are read ahead at most.
const LINES_AHEAD: usize = 16;

/// A conversation with a graphical program: reads commands, and lets the engine carry them out.
///
/// The first line decides on the language.
pub struct Session {
    engine: Engine,
    output: Output,
    dialect: Option<Dialect>,
    xboard: Option<Xboard>,
    job: Option<Job>,
    /// What was read while a job was under way, to be obeyed after it.
    pending: VecDeque<Line>,
    /// When everything must have ended, once that is known.
    deadline: Option<Instant>,
}

/// Something long that is no search: it runs on a thread of its own, so that input need not wait for it.
struct Job {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Job {
    fn start(work: impl FnOnce(&AtomicBool) + Send + 'static) -> Job {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        Job { stop, thread: std::thread::spawn(move || work(&seen)) }
    }

    fn finish(self) {
        self.stop.store(true, Ordering::Relaxed);
        if self.thread.join().is_err() {
            tracing::error!("a count or a bench ended with a panic");
        }
    }
}

/// What has been read.
pub(super) enum Line {
    Text(String),
    TooLong,
    End,
    Broken(io::Error),
    /// Nothing; but a search has something to say to the session.
    Wake,
}

/// Whether the conversation goes on.
#[derive(PartialEq, Eq)]
enum Flow {
    Continue,
    Quit,
}

impl Session {
    /// A conversation of this engine, which speaks to `output`.
    pub fn new(engine: Engine, output: Output) -> Session {
        Session { engine, output, dialect: None, xboard: None, job: None, pending: VecDeque::new(), deadline: None }
    }

    /// Reads and obeys until `quit` or the end of the input.
    ///
    /// # Errors
    /// Why the input cannot be read any more; its end is no error.
    pub fn run(&mut self, input: impl BufRead + Send + 'static) -> io::Result<()> {
        // Read on a thread of its own, so that `stop` is seen whatever is going on. At `quit` that thread may still be
        // waiting for a line; it ends with the program.
        let (sender, lines) = mpsc::sync_channel(LINES_AHEAD);
        let waker = sender.clone();
        std::thread::spawn(move || read_lines(input, &sender));
        loop {
            match self.pending.pop_front().or_else(|| lines.recv().ok()).unwrap_or(Line::End) {
                Line::End => {
                    self.deadline.get_or_insert_with(|| Instant::now() + GRACE);
                    break self.wait_for_job(&lines);
                }
                Line::Broken(error) => {
                    self.finish_job();
                    self.engine.finish();
                    return Err(error);
                }
                Line::TooLong => self.error(format_args!("a line of more than {MAX_INPUT} bytes is ignored")),
                Line::Wake => {}
                Line::Text(line) => {
                    tracing::debug!(target: PROTOCOL, "< {line}");
                    if self.dialect.is_none() {
                        self.choose_dialect(&line, &waker);
                    }
                    if self.obey(&line, &lines) == Flow::Quit {
                        break;
                    }
                }
            }
            if let Some(xboard) = &mut self.xboard {
                xboard.take_answers(&mut self.engine, &self.output);
            }
        }
        self.finish_job();
        self.engine.finish();
        Ok(())
    }

    /// Waits until a count or a bench has ended, unless it is told to stop. Other lines are put aside meanwhile.
    fn wait_for_job(&mut self, lines: &Receiver<Line>) {
        while let Some(job) = &self.job {
            let over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if over || job.thread.is_finished() {
                break;
            }
            let line = match lines.recv_timeout(LOOK) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => {
                    std::thread::sleep(LOOK);
                    continue;
                }
            };
            let word = match &line {
                Line::Text(text) => text.split_whitespace().next().unwrap_or_default(),
                Line::TooLong | Line::Wake => "",
                Line::End | Line::Broken(_) => "quit",
            };
            match word {
                "stop" => break,
                "quit" => self.deadline = Some(Instant::now() + GRACE),
                _ => {}
            }
            self.pending.push_back(line);
        }
        self.finish_job();
    }

    /// Ends a count or a bench, if one is under way.
    fn finish_job(&mut self) {
        if let Some(job) = self.job.take() {
            job.finish();
        }
    }

    fn choose_dialect(&mut self, line: &str, waker: &SyncSender<Line>) {
        self.dialect = Dialect::of_first_line(line);
        match self.dialect {
            Some(Dialect::Uci) => {
                self.engine.answer_with_moves_only();
                // What Cute Chess adjudicates.
                for (option, value) in [("ImpasseRule", "CuteChess"), ("ImpassePlies", "0")] {
                    if let Err(error) = self.engine.set_default(option, value) {
                        self.error(error);
                    }
                }
            }
            Some(Dialect::Cecp) => self.xboard = Some(Xboard::new(waker.clone())),
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

    fn obey(&mut self, line: &str, lines: &Receiver<Line>) -> Flow {
        if let Some(xboard) = &mut self.xboard {
            let goes_on = xboard.obey(line, &mut self.engine, &self.output);
            return if goes_on { Flow::Continue } else { Flow::Quit };
        }
        let command = match self.dialect().parse(line) {
            Ok(Some(command)) => command,
            Ok(None) => return Flow::Continue,
            Err(error) => {
                if matches!(error, CommandError::Position(_)) {
                    self.engine.refuse_position();
                }
                self.error(error);
                return Flow::Continue;
            }
        };
        match command {
            Command::Stop => self.finish_job(),
            Command::Quit => {
                self.deadline.get_or_insert_with(|| Instant::now() + GRACE);
                self.wait_for_job(lines);
            }
            // Whoever asks whether the engine is there does not want to wait for a count.
            Command::Usi | Command::IsReady => {}
            _ => self.wait_for_job(lines),
        }
        match command {
            Command::Usi => self.introduce(),
            Command::IsReady => self.get_ready(),
            Command::SetOption { name, value } => {
                if let Err(error) = self.engine.set_option(&name, value.as_deref()) {
                    self.error(error);
                }
            }
            Command::UsiNewGame => self.engine.new_game(),
            Command::Position { start, moves } => {
                if let Err(illegal) = self.engine.set_position(start.position(), &moves) {
                    let mv = self.dialect().move_text(illegal.0);
                    self.error(format_args!("position refused: illegal move {mv}"));
                }
            }
            Command::Go(go) => self.go(go),
            Command::GoMate(limit) => self.go_mate(limit),
            Command::Stop | Command::GameOver(_) => self.engine.stop(),
            Command::PonderHit(go) => self.engine.ponderhit(clocks(&go)),
            Command::Quit => return Flow::Quit,
            Command::Perft(depth) => self.perft(depth),
            Command::Bench => self.bench(),
            Command::Display => {
                self.describe(|session| session.engine.game().map(|game| describe_game(&game, Pieces::Letters)))
            }
            Command::Eval => self.describe(|session| {
                let (rule, network) = (session.engine.options().impasse_rule, session.engine.network());
                session.engine.game().map(|game| describe_evaluation(game.position(), rule, &network))
            }),
        }
        Flow::Continue
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
        if !self.engine.is_searching() {
            let (done, waiting) = mpsc::channel::<()>();
            let output = self.output.clone();
            let engine = &mut self.engine;
            let prepared = std::thread::scope(|scope| {
                scope.spawn(move || {
                    while waiting.recv_timeout(ALIVE_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                        output.line(Response::Alive);
                    }
                });
                let prepared = engine.prepare();
                drop(done);
                prepared
            });
            if let Err(error) = prepared {
                self.error(error);
            }
        }
        self.say(&Response::ReadyOk);
    }

    fn go(&mut self, go: Go) {
        let (output, dialect) = (self.output.clone(), self.dialect());
        if let Err(error) =
            self.engine.go(&search_request(go), move |event| output.line(dialect.text(&response(event))))
        {
            self.fail(&error, &Response::BestMove(Answer::Resign));
        }
    }

    fn go_mate(&mut self, limit: MateLimit) {
        let output = self.output.clone();
        if let Err(error) = self.engine.go_mate(mate_request(limit), move |event| output.line(response(event))) {
            self.fail(&error, &Response::Checkmate(Checkmate::Timeout));
        }
    }

    /// Every `go` has its answer, even where there is no memory to think in.
    fn fail(&self, error: &EngineError, answer: &Response) {
        self.error(error);
        self.say(answer);
    }

    fn perft(&mut self, depth: u32) {
        self.engine.finish();
        let Some(game) = self.engine.game() else { return self.error("there is no position") };
        let (position, output) = (game.position().clone(), self.output.clone());
        self.job = Some(Job::start(move |stop| {
            let mut total = u64::from(depth == 0);
            let finished = perft_divide(&position, depth, stop, |mv, nodes| {
                output.line(Response::Plain(format!("{mv}: {nodes}")));
                total += nodes;
            });
            if finished {
                output.line(Response::Plain(format!("\nNodes searched: {total}")));
            }
        }));
    }

    fn bench(&mut self) {
        self.engine.finish();
        let (output, evaluation) = (self.output.clone(), self.engine.evaluation());
        self.job = Some(Job::start(move |stop| {
            let done = bench(evaluation, stop, |line| output.line(Response::Plain(line)));
            match done {
                Ok(Some(result)) => output.line(Response::Plain(result.to_string())),
                Ok(None) => {}
                Err(error) => output.line(Response::InfoString(format!("error: {error}"))),
            }
        }));
    }

    fn describe(&self, describe: impl FnOnce(&Session) -> Option<String>) {
        match describe(self) {
            Some(text) => self.output.line(Response::Plain(text.trim_end().to_owned())),
            None => self.error("there is no position"),
        }
    }
}

/// Reads lines until there are no more, or nobody wants them.
fn read_lines(mut input: impl BufRead, lines: &SyncSender<Line>) {
    loop {
        let line = read_line(&mut input).unwrap_or_else(Line::Broken);
        let last = matches!(line, Line::End | Line::Broken(_));
        if lines.send(line).is_err() || last {
            return;
        }
    }
}

/// Reads a line of any bytes; what is not UTF-8 becomes replacement characters.
fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            // A last line without its end counts.
            break match (line.is_empty(), too_long) {
                (true, false) => Ok(Line::End),
                (_, true) => Ok(Line::TooLong),
                _ => Ok(Line::Text(String::from_utf8_lossy(&line).into_owned())),
            };
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        too_long |= line.len() + part.len() > MAX_INPUT;
        if !too_long {
            line.extend_from_slice(part);
        }
        let used = end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break Ok(if too_long { Line::TooLong } else { Line::Text(String::from_utf8_lossy(&line).into_owned()) });
        }
    }
}
