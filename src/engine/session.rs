use std::io::{self, BufRead};
use std::sync::mpsc;
use std::time::Duration;

use super::bench::bench;
use super::logging::PROTOCOL;
use super::{Engine, EngineError, Event, Output, Verdict, describe_evaluation, describe_game};
use crate::protocol::usi::{
    Answer, Checkmate, Command, CommandError, Go, Info, InfoBound, InfoScore, MateLimit, Response,
};
use crate::search::score::Score;
use crate::search::{Bound, Report};
use crate::shogi::diagram::Pieces;
use crate::shogi::{perft, perft_divide};

/// The longest line that is read, in bytes; a game of 200,000 moves fits. The rest of a longer one is passed over.
const MAX_INPUT: usize = 4 << 20;

/// While slow work goes on, an empty line says so this often.
const ALIVE_INTERVAL: Duration = Duration::from_secs(5);

/// A conversation with a graphical program: reads commands, and lets the engine carry them out.
pub struct Session {
    engine: Engine,
    output: Output,
}

/// What has been read.
enum Line {
    Text(String),
    TooLong,
    End,
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
        Session { engine, output }
    }

    /// Reads and obeys until `quit` or the end of the input.
    ///
    /// # Errors
    /// Why the input cannot be read any more; its end is no error.
    pub fn run(&mut self, mut input: impl BufRead) -> io::Result<()> {
        loop {
            match read_line(&mut input)? {
                Line::End => break,
                Line::TooLong => self.error(format_args!("a line of more than {MAX_INPUT} bytes is ignored")),
                Line::Text(line) => {
                    tracing::debug!(target: PROTOCOL, "< {line}");
                    if self.obey(&line) == Flow::Quit {
                        break;
                    }
                }
            }
        }
        self.engine.finish();
        Ok(())
    }

    fn error(&self, error: impl std::fmt::Display) {
        self.output.line(Response::InfoString(format!("error: {error}")));
    }

    fn obey(&mut self, line: &str) -> Flow {
        let command = match Command::parse(line) {
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
            Command::Usi => self.introduce(),
            Command::IsReady => self.get_ready(),
            Command::SetOption { name, value } => {
                if let Err(error) = self.engine.set_option(&name, value.as_deref()) {
                    self.error(error);
                }
            }
            Command::UsiNewGame => self.engine.new_game(),
            Command::Position { start, moves } => {
                if let Err(error) = self.engine.set_position(start.position(), &moves) {
                    self.error(format_args!("position refused: {error}"));
                }
            }
            Command::Go(go) => self.go(&go),
            Command::GoMate(limit) => self.go_mate(limit),
            Command::Stop | Command::GameOver(_) => self.engine.stop(),
            Command::PonderHit(go) => self.engine.ponderhit(&go),
            Command::Quit => return Flow::Quit,
            Command::Perft(depth) => self.perft(depth),
            Command::Bench => self.bench(),
            Command::Display => {
                self.describe(|session| session.engine.game().map(|game| describe_game(game, Pieces::Letters)))
            }
            Command::Eval => self.describe(|session| {
                let rule = session.engine.options().impasse_rule();
                session.engine.game().map(|game| describe_evaluation(game.position(), rule))
            }),
        }
        Flow::Continue
    }

    fn introduce(&self) {
        let id = |what, text: &str| self.output.line(Response::Id { what, text: text.to_owned() });
        id("name", concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")));
        id("author", "the judkins maintainers");
        for (name, kind) in self.engine.option_table().list() {
            self.output.line(Response::Option { name, kind });
        }
        self.output.line(Response::UsiOk);
    }

    fn get_ready(&mut self) {
        if !self.engine.is_searching() {
            let (done, waiting) = mpsc::channel::<()>();
            let output = self.output.clone();
            let engine = &mut self.engine;
            let prepared = std::thread::scope(|scope| {
                scope.spawn(move || {
                    while waiting.recv_timeout(ALIVE_INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
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
        self.output.line(Response::ReadyOk);
    }

    fn go(&mut self, go: &Go) {
        let output = self.output.clone();
        if let Err(error) = self.engine.go(go, move |event| output.line(response(event))) {
            self.fail(&error, Response::BestMove(Answer::Resign));
        }
    }

    fn go_mate(&mut self, limit: MateLimit) {
        let output = self.output.clone();
        if let Err(error) = self.engine.go_mate(limit, move |event| output.line(response(event))) {
            self.fail(&error, Response::Checkmate(Checkmate::Timeout));
        }
    }

    /// Every `go` has its answer, even where there is no memory to think in.
    fn fail(&self, error: &EngineError, answer: Response) {
        self.error(error);
        self.output.line(answer);
    }

    fn perft(&mut self, depth: u32) {
        self.engine.finish();
        let Some(game) = self.engine.game() else { return self.error("there is no position") };
        let mut total = 0;
        for (mv, nodes) in perft_divide(game.position(), depth) {
            self.output.line(Response::Plain(format!("{mv}: {nodes}")));
            total += nodes;
        }
        // Depth 0 has no moves to divide by.
        let total = if depth == 0 { perft(game.position(), 0) } else { total };
        self.output.line(Response::Plain(format!("\nNodes searched: {total}")));
    }

    fn bench(&mut self) {
        self.engine.finish();
        let output = &self.output;
        let done = bench(|number, sfen, nodes| {
            output.line(Response::Plain(format!("{number:>2} {nodes:>9} {sfen}")));
        });
        match done {
            Ok(result) => self.output.line(Response::Plain(result.to_string())),
            Err(error) => self.error(error),
        }
    }

    fn describe(&self, describe: impl FnOnce(&Session) -> Option<String>) {
        match describe(self) {
            Some(text) => self.output.line(Response::Plain(text.trim_end().to_owned())),
            None => self.error("there is no position"),
        }
    }
}

/// What a search tells, as the protocol says it.
fn response(event: Event) -> Response {
    match event {
        Event::Info(report) => Response::Info(info(report)),
        Event::Error(text) => Response::InfoString(format!("error: {text}")),
        Event::Done(Verdict::Move { best, ponder }) => Response::BestMove(Answer::Move { best, ponder }),
        Event::Done(Verdict::Resign) => Response::BestMove(Answer::Resign),
        Event::Done(Verdict::Win) => Response::BestMove(Answer::Win),
        Event::Done(Verdict::Mate(line)) => Response::Checkmate(Checkmate::Mate(line)),
        Event::Done(Verdict::NoMate) => Response::Checkmate(Checkmate::NoMate),
        Event::Done(Verdict::MateUnknown) => Response::Checkmate(Checkmate::Timeout),
    }
}

fn info(report: Report) -> Info {
    Info {
        depth: report.depth,
        seldepth: report.seldepth,
        multipv: report.multipv,
        score: match report.score {
            Score::Centipawns(score) => InfoScore::Centipawns(score),
            Score::Mate(plies) => InfoScore::Mate(plies),
        },
        bound: match report.bound {
            Bound::Exact => InfoBound::Exact,
            Bound::Lower => InfoBound::Lower,
            Bound::Upper => InfoBound::Upper,
        },
        nodes: report.nodes,
        nps: report.nps(),
        hashfull: report.hashfull,
        time: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
        pv: report.pv,
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
