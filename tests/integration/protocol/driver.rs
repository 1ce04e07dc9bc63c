//! An engine at the other end of two pipes, and a referee who reads everything that passes.
//!
//! A [`Session`] starts the engine, keeps a transcript, and fails with it. Every line of the engine is checked against
//! the protocol at once, in every test: the shape of each line, that moves are legal in the position that was sent,
//! that no search answers twice or reports after its answer. [`Session::play`] runs a story, a line a step:
//!
//! | step | means |
//! | --- | --- |
//! | `> LINE` | send |
//! | `< WORDS` | the next line begins with these words |
//! | `<< WORDS` | so does some line to come |
//! | `! TEXT` | the next line is an `info string error: …` that contains TEXT |
//! | `? TEXT` | the next line is an `info string …` that contains TEXT |
//! | `~ MS` | no line comes for MS milliseconds |
//! | `. MS` | wait MS milliseconds; lines that come meanwhile count for the next step |
//! | `=` | `isready` is answered, and nothing else is said before |
//! | `close` | the input ends |
//! | `exit` | the process ends in time, with status 0 |
//!
//! The lines in which a search reports its progress (`info depth …`) are not counted by any step. Every story ends with
//! `=`, every search answered, `> quit` and `exit`, unless it has an `exit` of its own.
//!
//! In UCI and CECP there is no referee: stories say more of what they expect. There `=` is the dialect's own question.

use std::io::{BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

mod referee;

use referee::Referee;
pub use referee::{Offer, read_option};

/// The time limit of an immediate answer. Generous: many tests may share two cores.
pub const PROMPT: Duration = Duration::from_secs(5);
/// The time limit of the process's exit; the specification says 0.5 s.
pub const EXIT: Duration = Duration::from_millis(1_000);
/// The number of transcript lines shown.
const SHOWN: usize = 80;

#[derive(Clone, Debug)]
pub struct Line {
    pub at: Instant,
    pub text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Usi,
    Uci,
    Cecp,
}

pub struct Session {
    /// The subject of the test, which heads a failure.
    pub story: String,
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<(Instant, Vec<u8>)>,
    errors: Arc<Mutex<Vec<u8>>>,
    error_reader: Option<JoinHandle<()>>,
    transcript: Vec<String>,
    pub start: Instant,
    unfinished: Vec<u8>,
    referee: Referee,
    language: Language,
    exited: bool,
}

impl Session {
    /// Starts the engine: the program that cargo has built, or another that JUDKINS_PROGRAM names.
    pub fn new(story: &str) -> Session {
        let program = std::env::var_os("JUDKINS_PROGRAM");
        Session::spawn(story, &mut Command::new(program.unwrap_or_else(|| crate::common::JUDKINS.into())))
    }

    /// Starts the engine, for another protocol.
    pub fn speaking(language: Language, story: &str) -> Session {
        let mut session = Session::new(story);
        session.language = language;
        session
    }

    /// Starts the engine by this command.
    pub fn spawn(story: &str, command: &mut Command) -> Session {
        let start = Instant::now();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut stdin = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        let mut stderr = child.stderr.take().expect("standard error is piped");
        let (input, to_write) = mpsc::channel::<Vec<u8>>();
        // A thread of its own: an engine that does not read must not hang the test.
        thread::spawn(move || {
            for bytes in to_write {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (to_read, output) = mpsc::channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let mut bytes = Vec::new();
                match stdout.read_until(b'\n', &mut bytes) {
                    Ok(read) if read > 0 && to_read.send((Instant::now(), bytes)).is_ok() => {}
                    _ => break,
                }
            }
        });
        let errors = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&errors);
        let error_reader = thread::spawn(move || {
            let mut buffer = [0; 4_096];
            while let Ok(read @ 1..) = stderr.read(&mut buffer) {
                kept.lock().expect("nobody panics here").extend_from_slice(&buffer[..read]);
            }
        });
        Session {
            story: story.to_owned(),
            child,
            input: Some(input),
            output,
            errors,
            error_reader: Some(error_reader),
            transcript: Vec::new(),
            start,
            unfinished: Vec::new(),
            referee: Referee::default(),
            language: Language::Usi,
            exited: false,
        }
    }

    /// Starts the engine, and has it ready.
    pub fn ready(story: &str) -> Session {
        let mut session = Session::new(story);
        session.play("> usi \n << usiok \n =");
        session
    }

    /// A field of the process's `/proc/PID/status`, such as `VmHWM` (KiB) or `Threads`.
    #[cfg(target_os = "linux")]
    pub fn status(&self, field: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("the process runs");
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':')).expect(field);
        line.split_whitespace().next().expect(field).parse().expect(field)
    }

    #[track_caller]
    pub fn fail(&self, message: &str) -> ! {
        let skipped = self.transcript.len().saturating_sub(SHOWN);
        let lines = self.transcript[skipped..].join("\n");
        let errors = self.errors.lock().map(|errors| String::from_utf8_lossy(&errors).into_owned()).unwrap_or_default();
        let errors = if errors.is_empty() { errors } else { format!("\n--- standard error\n{errors}") };
        panic!("\n=== {}\n*** {message}\n--- session ({skipped} earlier lines left out)\n{lines}{errors}\n", self.story)
    }

    /// Fails unless something holds.
    #[track_caller]
    pub fn check(&self, holds: bool, message: &str) {
        if !holds {
            self.fail(message);
        }
    }

    fn note(&mut self, at: Instant, arrow: char, text: &[u8]) {
        let millis = at.duration_since(self.start).as_secs_f64() * 1e3;
        let shown: String = String::from_utf8_lossy(&text[..text.len().min(240)]).escape_debug().collect();
        let cut = if text.len() > 240 { format!(" … ({} bytes)", text.len()) } else { String::new() };
        self.transcript.push(format!("{millis:9.1} {arrow} {shown}{cut}"));
    }

    /// Sends a line. Returns when.
    pub fn send(&mut self, line: &str) -> Instant {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    /// Sends bytes as they are. Returns when. Never blocks.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Instant {
        self.unfinished.extend_from_slice(bytes);
        while let Some(end) = self.unfinished.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.unfinished.drain(..=end).collect();
            if let Ok(line) = std::str::from_utf8(&line)
                && self.language == Language::Usi
            {
                self.referee.sent(line);
            }
        }
        let now = Instant::now();
        self.note(now, '>', bytes.strip_suffix(b"\n").unwrap_or(bytes));
        if let Some(input) = &self.input {
            // The answer shows whether it was read.
            let _ = input.send(bytes.to_vec());
        }
        now
    }

    /// Ends the engine's input.
    pub fn close(&mut self) -> Instant {
        self.input = None;
        let now = Instant::now();
        self.note(now, '>', b"(end of input)");
        now
    }

    /// The next line, if there is one before `deadline`. Search reports are lines too.
    #[track_caller]
    pub fn next(&mut self, deadline: Instant) -> Option<Line> {
        match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
            Ok((at, bytes)) => {
                self.note(at, '<', bytes.strip_suffix(b"\n").unwrap_or(&bytes));
                let checked = match self.language {
                    Language::Usi => self.referee.check(&bytes),
                    _ => String::from_utf8(bytes)
                        .map(|text| text.trim_end().to_owned())
                        .map_err(|error| error.to_string()),
                };
                match checked {
                    Ok(text) => Some(Line { at, text }),
                    Err(fault) => self.fail(&fault),
                }
            }
        }
    }

    /// The next line that is no search report, if there is one before `deadline`.
    #[track_caller]
    pub fn next_answer(&mut self, deadline: Instant) -> Option<Line> {
        while let Some(line) = self.next(deadline) {
            // An empty line only says that `isready` takes its time.
            let reports = match self.language {
                // `DEPTH SCORE TIME NODES MOVES`, and not a result, `1-0 {…}`.
                Language::Cecp => {
                    let numbers = line.text.split(' ').take(4).filter(|word| word.parse::<i64>().is_ok());
                    numbers.count() == 4
                }
                _ => line.text.starts_with("info depth "),
            };
            if !reports && !line.text.is_empty() {
                return Some(line);
            }
        }
        None
    }

    /// The next line that is no search report; it must begin with these words.
    #[track_caller]
    pub fn expect(&mut self, words: &str, timeout: Duration) -> Line {
        match self.next_answer(Instant::now() + timeout) {
            Some(line) if begins_with(&line.text, words) => line,
            Some(line) => self.fail(&format!("expected '{words}', got '{}'", line.text)),
            None => self.fail(&format!("expected '{words}', got nothing for {timeout:?}")),
        }
    }

    /// The next line that is no search report; it must be an error that contains `text`.
    #[track_caller]
    pub fn expect_error(&mut self, text: &str) {
        let line = self.expect("info string error:", PROMPT);
        let says = line.text["info string error:".len()..].trim().to_owned();
        self.check(!says.is_empty(), "the error says nothing");
        self.check(says.contains(text), &format!("expected an error that names '{text}', got '{}'", line.text));
    }

    /// All lines up to and including the first that begins with these words.
    #[track_caller]
    pub fn lines_until(&mut self, words: &str, timeout: Duration) -> Vec<Line> {
        let deadline = Instant::now() + timeout;
        let mut lines = Vec::new();
        loop {
            match self.next(deadline) {
                Some(line) => {
                    lines.push(line);
                    if begins_with(&lines[lines.len() - 1].text, words) {
                        return lines;
                    }
                }
                None => self.fail(&format!("expected '{words}' within {timeout:?}")),
            }
        }
    }

    /// There must be no line but search reports for this long.
    #[track_caller]
    pub fn expect_nothing(&mut self, duration: Duration) {
        if let Some(line) = self.next_answer(Instant::now() + duration) {
            self.fail(&format!("expected nothing for {duration:?}, got '{}'", line.text));
        }
    }

    /// Sends `go …` and waits for the answer: the move, and all that was reported before.
    #[track_caller]
    pub fn go(&mut self, limits: &str) -> (String, Vec<Line>) {
        self.send(format!("go {limits}").trim_end());
        let mut lines = self.lines_until("bestmove", 2 * PROMPT);
        let last = lines.pop().expect("it ends with the answer");
        (last.text.split(' ').nth(1).expect("a move").to_owned(), lines)
    }

    /// Sends a line, and waits for the best move. Returns how long that took.
    #[track_caller]
    pub fn time_to_move(&mut self, line: &str) -> Duration {
        let sent = self.send(line);
        self.expect("bestmove", PROMPT).at - sent
    }

    /// Fails unless the answer to `isready` (in CECP `ping`) is the next line, search reports aside.
    #[track_caller]
    pub fn sync(&mut self) {
        if self.language == Language::Cecp {
            self.send("ping 99");
            self.expect("pong 99", PROMPT);
            return;
        }
        self.send("isready");
        self.expect("readyok", PROMPT);
    }

    /// The process must end soon after `since`, with status 0; further output must be valid.
    #[track_caller]
    pub fn expect_exit(&mut self, since: Instant) {
        let status = loop {
            match self.child.try_wait().expect("the process can be waited for") {
                Some(status) => break status,
                None if since.elapsed() >= EXIT => self.fail(&format!("the process still runs after {EXIT:?}")),
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        self.exited = true;
        self.check(status.success(), &format!("the process ended with {status}"));
        while self.next(Instant::now() + PROMPT).is_some() {}
        if let Some(reader) = self.error_reader.take() {
            let _ = reader.join();
        }
        let errors = self.errors.lock().expect("nobody panics there").clone();
        self.check(!String::from_utf8_lossy(&errors).contains("panicked"), "something panicked");
    }

    /// Fails unless every search has been answered.
    #[track_caller]
    fn expect_answered(&mut self) {
        self.sync();
        let open = self.referee.unanswered();
        self.check(open == 0, &format!("{open} searches have not been answered"));
    }

    /// Ends a session in which every search has been answered.
    #[track_caller]
    pub fn quit(mut self) {
        self.expect_answered();
        let sent = self.send("quit");
        self.expect_exit(sent);
    }

    /// Plays the steps of a story. Returns how many reactions it saw.
    #[track_caller]
    pub fn play(&mut self, story: &str) -> usize {
        let mut reactions = 0;
        let mut last = Instant::now();
        for step in story.lines().map(str::trim).filter(|step| !step.is_empty()) {
            let (symbol, text) = step.split_once(' ').unwrap_or((step, ""));
            reactions += usize::from(!matches!(symbol, ">" | "." | "close"));
            match symbol {
                ">" => last = self.send(text),
                "<" => drop(self.expect(text, PROMPT)),
                "<<" => drop(self.lines_until(text, PROMPT)),
                "!" => self.expect_error(text),
                "?" => {
                    let said = self.expect("info string", PROMPT).text;
                    self.check(said.contains(text), &format!("expected a remark on '{text}', got '{said}'"));
                }
                "~" => self.expect_nothing(Duration::from_millis(text.parse().expect("milliseconds"))),
                "." => thread::sleep(Duration::from_millis(text.parse().expect("milliseconds"))),
                "=" => self.sync(),
                "close" => last = self.close(),
                "exit" => self.expect_exit(last),
                _ => panic!("no such step: {step}"),
            }
        }
        reactions
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if !self.exited {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Whether a line begins with these words, whole ones.
fn begins_with(line: &str, words: &str) -> bool {
    line.strip_prefix(words).is_some_and(|rest| words.ends_with(' ') || rest.is_empty() || rest.starts_with(' '))
}

/// Plays stories, each with an engine of its own, and fails at the end if any has failed.
#[track_caller]
pub fn play_all<S: AsRef<str>, T: AsRef<str>>(stories: impl IntoIterator<Item = (S, T)>) {
    play_all_in(Language::Usi, stories);
}

/// The same in another protocol.
#[track_caller]
pub fn play_all_in<S: AsRef<str>, T: AsRef<str>>(language: Language, stories: impl IntoIterator<Item = (S, T)>) {
    play_each(stories, |title, story| {
        let mut session = Session::speaking(language, title);
        let seen = session.play(story);
        if !session.exited {
            session.quit();
        }
        seen
    });
}

/// Plays stories that do not end the engine, one after another with the same engine: each is a new game. Options stay
/// as a story leaves them.
#[track_caller]
pub fn play_in_turn<S: AsRef<str>, T: AsRef<str>>(stories: impl IntoIterator<Item = (S, T)>) {
    play_in_turn_in(Language::Usi, stories);
}

/// The same in another protocol. CECP has no way back to a game without a time control.
#[track_caller]
pub fn play_in_turn_in<S: AsRef<str>, T: AsRef<str>>(language: Language, stories: impl IntoIterator<Item = (S, T)>) {
    let new_game = match language {
        Language::Usi => "> usinewgame \n > position startpos",
        Language::Uci => "> uci \n << uciok \n > ucinewgame \n > position startpos",
        Language::Cecp => panic!("stories in CECP have an engine of their own"),
    };
    let mut shared = None;
    play_each(stories, |title, story| {
        let mut session = shared.take().unwrap_or_else(|| Session::speaking(language, title));
        title.clone_into(&mut session.story);
        session.play(new_game);
        let seen = session.play(story);
        session.expect_answered();
        shared = Some(session);
        seen
    });
    shared.expect("the last story passed").quit();
}

/// Plays every story by `play`, which returns how many reactions it saw, and fails at the end if any has failed.
#[track_caller]
fn play_each<S: AsRef<str>, T: AsRef<str>>(
    stories: impl IntoIterator<Item = (S, T)>,
    mut play: impl FnMut(&str, &str) -> usize,
) {
    let (mut count, mut reactions, mut failed) = (0, 0, Vec::new());
    for (title, story) in stories {
        let (title, story) = (title.as_ref(), story.as_ref());
        count += 1;
        match catch_unwind(AssertUnwindSafe(|| play(title, story))) {
            Ok(seen) => reactions += seen,
            Err(_) => failed.push(title.to_owned()),
        }
    }
    println!("{count} stories, {reactions} reactions");
    assert!(failed.is_empty(), "{} of {count} stories failed (see above):\n  {}", failed.len(), failed.join("\n  "));
}
