//! The runner's side of USI and UCI: handshake, options and timed searches of an engine, and its possible faults.

use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::process::{Output, Process};
use super::{EngineSpec, Rules};
use crate::protocol::usi::{Go, OptionKind};
use crate::protocol::{Dialect, EngineDecision, Reply};
use crate::score::{Bound, Score};
use crate::shogi::{Move, Position};
use crate::time_control::Clock;

/// The number of lines for one move beyond which an engine is flooding its output.
const MAX_LINES: u64 = 1_000_000;
const MAX_BYTES: usize = 256 << 20;

/// The time for a late engine to answer `stop` before it is killed.
const STOP_GRACE: Duration = Duration::from_millis(1_000);

/// The time to wait for the exit status of a process that has closed its output.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// The interval at which a wait checks whether the match was stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// The time to wait after the end of an engine for a request to stop the match: the system may end both, the engine
/// first.
const STOP_DELAY: Duration = Duration::from_millis(300);

/// A longer wait for `STOP_INTERVAL` is a suspension of the program, for instance by Ctrl-Z.
const SUSPENSION: Duration = Duration::from_millis(500);

/// A fault of an engine. `Display` continues a sentence that begins with the engine's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It did not answer `usi` or `isready` in time.
    #[error("did not answer to '{question}' within {} s", .patience.as_secs_f64())]
    NoStart {
        /// The line to which it did not answer.
        question: &'static str,
        patience: Duration,
    },
    #[error("{0}")]
    Crashed(String),
    /// The process is running but has closed its output.
    #[error("closed its output")]
    ClosedOutput,
    /// It gave no answer, not even a late one.
    #[error("did not answer within {} ms, nor to stop", .0.as_millis())]
    Hung(Duration),
    /// The answer came too late.
    #[error("used {} ms of {}", rounded_up(*.used), .allowed.as_millis())]
    OutOfTime { used: Duration, allowed: Duration },
    /// It wrote more than allowed for one answer, or a line that is too long.
    #[error("flooded its output")]
    Flooded,
    /// A `bestmove` that cannot be read.
    #[error("answered 'bestmove {}'", shortened(.0))]
    UnreadableMove(String),
    /// A `bestmove` without a `go`.
    #[error("sent 'bestmove {}' unasked", shortened(.0))]
    UnaskedMove(String),
}

/// A time in whole milliseconds, rounded up so that a time over the limit is not shown as the limit.
fn rounded_up(time: Duration) -> u128 {
    time.as_nanos().div_ceil(1_000_000)
}

/// A word of an engine, shortened and escaped for display.
fn shortened(word: &str) -> String {
    const MOST: usize = 40;
    let mut text: String = word.chars().take(MOST).flat_map(char::escape_default).collect();
    if word.chars().count() > MOST {
        text.push('…');
    }
    text
}

/// A line of an engine, shortened and without control characters, for display.
fn printable(line: &str) -> String {
    const MOST: usize = 200;
    line.chars().take(MOST).map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Fault(Fault),
    /// The process cannot be started, which is no fault of the engine.
    Spawn(String),
    /// The match was stopped.
    Stopped,
}

/// The reason why an engine cannot play in a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnfitEngine {
    /// It lacks an option, or the option does not accept the value.
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Refusal(#[from] Refusal),
    #[error("{0}")]
    Spawn(String),
    /// It committed a fault before its first move.
    #[error("{0}, before its first move")]
    Failed(String),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

/// The reason why an option of a spec cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{engine}: {message}")]
pub struct OptionError {
    engine: String,
    message: String,
}

/// A rejected option of an engine's spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{engine} refused {option}; it says: {words}")]
pub struct Refusal {
    engine: String,
    option: String,
    words: String,
}

/// An engine's answer with the information that it sent before.
#[derive(Clone, Debug)]
pub(crate) struct Thought {
    pub decision: EngineDecision,
    pub elapsed: Duration,
    /// The last score that is not a bound, from the engine's point of view.
    pub score: Option<Score>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// A running engine that has answered `usi`.
#[derive(Debug)]
pub(crate) struct Player {
    spec: Arc<EngineSpec>,
    process: Process,
    /// The name it reported.
    pub identity: String,
    pub author: String,
    options: Vec<(String, OptionKind)>,
    is_new: bool,
    /// The errors that it reported while its options were set.
    errors: Vec<String>,
    /// The time for which this program was suspended while it waited for the engine.
    suspended: Duration,
}

/// An option's choice of this value in any case, as the engine spells it.
fn choice<'a>(choices: &'a [String], value: &str) -> Option<&'a String> {
    choices.iter().find(|choice| choice.eq_ignore_ascii_case(value))
}

impl Player {
    /// Starts an engine and reads its options.
    pub fn start(spec: &Arc<EngineSpec>, stop: &AtomicBool) -> Result<Player, Failure> {
        let process = Process::start(spec)
            .map_err(|error| Failure::Spawn(format!("{} cannot be started ({}): {error}", spec.name, spec.command)))?;
        let mut player = Player {
            spec: Arc::clone(spec),
            process,
            identity: String::new(),
            author: String::new(),
            options: Vec::new(),
            is_new: true,
            errors: Vec::new(),
            suspended: Duration::ZERO,
        };
        let word = if spec.dialect == Dialect::Usi { "usi" } else { "uci" };
        player.send(format!("{word}\n"));
        let mut options = Vec::new();
        let (mut identity, mut author) = (String::new(), String::new());
        player.wait_for(word, stop, |_, reply| {
            match reply {
                Reply::Introduced => return true,
                Reply::Name(name) => identity = name,
                Reply::Author(name) => author = name,
                Reply::Option { name, kind } => options.push((name, kind)),
                _ => {}
            }
            false
        })?;
        (player.options, player.identity, player.author) = (options, identity, author);
        Ok(player)
    }

    /// The options it offers.
    pub fn options(&self) -> &[(String, OptionKind)] {
        &self.options
    }

    /// Checks that the spec's options exist and accept their values. An `ImpasseRule` that the spec does not set must
    /// accept the match's rule.
    pub fn check_options(&self, rules: &Rules) -> Result<(), OptionError> {
        let refuse = |message| Err(OptionError { engine: self.spec.name.clone(), message });
        let (name, rule) = ("ImpasseRule", rules.impasse_rule.to_string());
        if !self.is_set(name)
            && let Some((_, OptionKind::Combo { choices, .. })) = self.option(name)
            && choice(choices, &rule).is_none()
        {
            let is_uci_only = rules.impasse_rule.is_cute_chess_only() && self.spec.dialect == Dialect::Usi;
            let remedy = if is_uci_only { "; with proto=uci it may know it" } else { "" };
            return refuse(format!("{name} cannot be the match's '{rule}', only {}{remedy}", choices.join(", ")));
        }
        for (name, value) in &self.spec.options {
            let Some((name, kind)) = self.option(name) else {
                return refuse(format!("it has no option '{name}'; init=setoption … sends what it does not list"));
            };
            match kind {
                OptionKind::Check { .. } if !matches!(value.as_str(), "true" | "false") => {
                    return refuse(format!("{name} is true or false, not '{value}'"));
                }
                OptionKind::Spin { min, max, .. }
                    if !value.parse::<i64>().is_ok_and(|value| (*min..=*max).contains(&value)) =>
                {
                    return refuse(format!("{name} goes from {min} to {max}, which '{value}' does not lie in"));
                }
                OptionKind::Combo { choices, .. } if choice(choices, value).is_none() => {
                    return refuse(format!("{name} cannot be '{value}', only {}", choices.join(", ")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether the spec sets this option.
    fn is_set(&self, name: &str) -> bool {
        self.spec.options.iter().any(|(other, _)| other.eq_ignore_ascii_case(name))
    }

    /// The engine's option of this name.
    fn option(&self, name: &str) -> Option<&(String, OptionKind)> {
        self.options.iter().find(|(other, _)| other.eq_ignore_ascii_case(name))
    }

    /// Sets the options, once. [`Player::refusal`] then tells whether the engine rejected one.
    pub fn set_up(&mut self, rules: &Rules, stop: &AtomicBool) -> Result<(), Failure> {
        if !std::mem::take(&mut self.is_new) {
            return Ok(());
        }
        self.set_options(rules);
        self.send("isready\n".to_owned());
        let mut errors = Vec::new();
        self.wait_for("isready", stop, |text, reply| {
            // The protocols define no error message. This is judkins' own; other engines' lines need not be errors.
            let said = text.trim_start().strip_prefix("info string").map(str::trim_start);
            errors.extend(said.filter(|said| said.starts_with("error:")).map(printable));
            reply == Reply::Ready
        })?;
        self.errors = errors;
        Ok(())
    }

    /// The option that the engine rejected, for instance because of an unreadable file, and without which it would
    /// play.
    pub fn refusal(&self) -> Option<Refusal> {
        let first = self.errors.first()?;
        let options = &self.spec.options;
        let text = |(name, value): &(String, String)| format!("option.{name}={value}");
        let words = first.to_lowercase();
        let named = options.iter().find(|(name, _)| words.contains(&name.to_lowercase())).map(text);
        let option = match (named, &options[..]) {
            (Some(named), _) => named,
            (None, [only]) => text(only),
            (None, []) => "what it was sent".to_owned(),
            (None, several) => format!("one of {}", several.iter().map(text).collect::<Vec<_>>().join(", ")),
        };
        Some(Refusal { engine: self.spec.name.clone(), option, words: self.errors.join("; ") })
    }

    /// Prepares the engine for a game.
    pub fn new_game(&mut self, rules: &Rules, stop: &AtomicBool) -> Result<(), Failure> {
        self.set_up(rules, stop)?;
        // Wait for slow preparations before the clocks run.
        self.send(match self.spec.dialect {
            Dialect::Usi => "usinewgame\n".to_owned(),
            Dialect::Uci => "ucinewgame\n".to_owned(),
        });
        self.send("isready\n".to_owned());
        self.wait_for("isready", stop, |_, reply| reply == Reply::Ready)
    }

    fn set_options(&mut self, rules: &Rules) {
        // Send the match's rules to engines that have the options.
        let told = rules.engine_options().into_iter().filter(|(name, value)| {
            let takes = |kind: &OptionKind| match kind {
                OptionKind::Combo { choices, .. } => choice(choices, value).is_some(),
                _ => true,
            };
            !self.is_set(name) && self.option(name).is_some_and(|(_, kind)| takes(kind))
        });
        let own = self.spec.options.iter().cloned();
        let mut lines = String::new();
        for (name, value) in told.map(|(name, value)| (name.to_owned(), value)).chain(own) {
            lines += &self.option_line(&name, &value);
        }
        self.spec.init.iter().for_each(|line| lines += &format!("{line}\n"));
        if !lines.is_empty() {
            self.send(lines);
        }
    }

    fn option_line(&self, name: &str, value: &str) -> String {
        // In the engine's spelling, because some engines compare names and values case-sensitively.
        let (name, kind) = self.option(name).map_or((name, None), |(name, kind)| (name.as_str(), Some(kind)));
        let value = match kind {
            Some(OptionKind::Combo { choices, .. }) => choice(choices, value).map_or(value, String::as_str),
            _ => value,
        };
        match kind {
            Some(OptionKind::Button) => format!("setoption name {name}\n"),
            _ => format!("setoption name {name} value {value}\n"),
        }
    }

    /// Sets an option while the engine is idle.
    #[cfg(feature = "board")]
    pub fn set_option(&self, name: &str, value: &str) {
        self.send(self.option_line(name, value));
    }

    /// Skips output until the expected reply.
    fn wait_for(
        &mut self,
        question: &'static str,
        stop: &AtomicBool,
        mut is_it: impl FnMut(&str, Reply) -> bool,
    ) -> Result<(), Failure> {
        let mut budget = Budget::default();
        let until = Instant::now() + self.spec.patience;
        while let Some((text, _)) = self.next(until, stop)? {
            budget.take(&text)?;
            if is_it(&text, Reply::parse(&text)) {
                return Ok(());
            }
        }
        Err(Fault::NoStart { question, patience: self.spec.patience }.into())
    }

    /// The engine's next line; none if the time is up.
    pub fn next(&mut self, mut until: Instant, stop: &AtomicBool) -> Result<Option<(String, Instant)>, Failure> {
        let mut has_exited = false;
        loop {
            let now = Instant::now();
            if stop.load(Ordering::Relaxed) {
                return Err(Failure::Stopped);
            }
            let output = self.process.next(until.min(now + STOP_INTERVAL));
            let waited = now.elapsed();
            if waited > SUSPENSION {
                self.suspended += waited;
                until += waited;
            }
            match output {
                Some(Output::Line { text, at }) => {
                    tracing::trace!(engine = self.spec.name, "< {text}");
                    return Ok(Some((text, at)));
                }
                Some(Output::TooLong) => return Err(Fault::Flooded.into()),
                Some(Output::Closed { unfinished }) => return Err(self.ended(unfinished, stop)),
                None if now >= until => return Ok(None),
                // A child process may hold the output open. The engine's own last lines arrive by the next poll.
                None if has_exited => return Err(self.ended(false, stop)),
                None => has_exited = self.process.exit_status(Duration::ZERO).is_some(),
            }
        }
    }

    fn ended(&mut self, unfinished: bool, stop: &AtomicBool) -> Failure {
        let until = Instant::now() + STOP_DELAY;
        while Instant::now() < until {
            if Process::is_killed() || stop.load(Ordering::Relaxed) {
                return Failure::Stopped;
            }
            thread::sleep(STOP_INTERVAL);
        }
        let in_mid_line = if unfinished { " in the middle of a line" } else { "" };
        match self.process.exit_status(EXIT_GRACE) {
            Some(status) => {
                let complaint = printable(&self.process.complaint(EXIT_GRACE));
                let said = if complaint.is_empty() { complaint } else { format!(" after it said '{complaint}'") };
                Fault::Crashed(format!("{}{in_mid_line}{said}", ended_words(status)))
            }
            None => Fault::ClosedOutput,
        }
        .into()
    }

    /// Sends lines, each with a line end.
    pub fn send(&self, lines: String) {
        lines.lines().for_each(|line| tracing::trace!(engine = self.spec.name, "> {line}"));
        self.process.send(lines);
    }

    /// Lets the engine think about the position after these moves, for the time that the clock allows plus the
    /// remaining margin.
    pub fn think(
        &mut self,
        start: &Position,
        moves: &[Move],
        go: &Go,
        clock: &Clock,
        stop: &AtomicBool,
    ) -> Result<Thought, Failure> {
        let mut budget = Budget::default();
        // Discard output since the last answer. A second answer that arrives later still, by microseconds, is mistaken
        // for the next: USI has no safe way to synchronise, because `isready` makes some engines clear their state.
        while let Some((text, _)) = self.next(Instant::now(), stop)? {
            budget.take(&text)?;
            if let Reply::BestMove(unasked) = Reply::parse(&text) {
                return Err(Fault::UnaskedMove(unasked).into());
            }
        }

        let lines = format!("{}\n{}\n", self.spec.dialect.position_line(start, moves), self.spec.dialect.go_line(go));
        let (begin, suspended) = (Instant::now(), self.suspended);
        self.send(lines);
        let allowed = clock.allowed();
        let limit = allowed.map_or(self.spec.patience, |allowed| allowed + clock.lends(self.spec.margin));
        let (mut until, mut is_late) = (begin + limit, false);
        let mut thought = Thought {
            decision: EngineDecision::Resign,
            elapsed: Duration::ZERO,
            score: None,
            depth: None,
            nodes: None,
        };
        loop {
            let Some((text, at)) = self.next(until + (self.suspended - suspended), stop)? else {
                if is_late {
                    return Err(Fault::Hung(limit).into());
                }
                is_late = true;
                until = Instant::now() + STOP_GRACE - (self.suspended - suspended);
                self.send("stop\n".to_owned());
                continue;
            };
            budget.take(&text)?;
            match Reply::parse(&text) {
                Reply::Info(info) if info.multipv.is_none_or(|line| line == 1) => {
                    thought.nodes = info.nodes.or(thought.nodes);
                    thought.depth = info.depth.or(thought.depth);
                    if matches!(info.bound, None | Some(Bound::Exact)) {
                        thought.score = info.score.map(|score| self.spec.dialect.score(score)).or(thought.score);
                    }
                }
                Reply::BestMove(word) => {
                    // A suspended program reads late what the engine wrote in time.
                    let suspended = self.suspended - suspended;
                    thought.elapsed = at.saturating_duration_since(begin).saturating_sub(suspended);
                    if thought.elapsed > limit {
                        let allowed = allowed.unwrap_or(self.spec.patience);
                        return Err(Fault::OutOfTime { used: thought.elapsed, allowed }.into());
                    }
                    thought.decision = self.spec.dialect.decision(&word).ok_or(Fault::UnreadableMove(word))?;
                    return Ok(thought);
                }
                _ => {}
            }
        }
    }

    /// Sends the result with `gameover`, which UCI lacks.
    pub fn game_over(&self, word: &str) {
        if self.spec.dialect == Dialect::Usi {
            self.send(format!("gameover {word}\n"));
        }
    }

    /// Lets the engine exit by itself.
    pub fn quit(self) {
        self.process.quit();
    }
}

/// Counts the engine's output for one answer.
#[derive(Default)]
struct Budget {
    lines: u64,
    bytes: usize,
}

impl Budget {
    fn take(&mut self, line: &str) -> Result<(), Fault> {
        self.lines += 1;
        self.bytes += line.len();
        if self.lines > MAX_LINES || self.bytes > MAX_BYTES { Err(Fault::Flooded) } else { Ok(()) }
    }
}

/// The exit status of a process, in words.
fn ended_words(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was killed by signal {signal}");
    }
    status.code().map_or("ended".to_owned(), |code| format!("exited with status {code}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_may_have_so_many_lines_and_so_many_bytes() {
        let mut budget = Budget::default();
        for _ in 0..MAX_LINES {
            assert_eq!(budget.take(""), Ok(()));
        }
        assert_eq!(budget.take(""), Err(Fault::Flooded));

        let mut budget = Budget::default();
        let line = "x".repeat(MAX_BYTES / 4);
        for _ in 0..4 {
            assert_eq!(budget.take(&line), Ok(()));
        }
        assert_eq!(budget.take(""), Ok(()));
        assert_eq!(budget.take("x"), Err(Fault::Flooded));
    }

    #[test]
    fn faults_are_told_in_words() {
        let late = Fault::OutOfTime { used: Duration::from_nanos(100_000_001), allowed: Duration::from_millis(100) };
        assert_eq!(late.to_string(), "used 101 ms of 100");
        let word = "x".repeat(40);
        assert_eq!(Fault::UnreadableMove(word.clone()).to_string(), format!("answered 'bestmove {word}'"));
        assert_eq!(Fault::UnaskedMove(word.clone() + "yz").to_string(), format!("sent 'bestmove {word}…' unasked"));
        assert_eq!(Fault::UnreadableMove("\u{1b}".to_owned()).to_string(), r"answered 'bestmove \u{1b}'");
    }
}
