//! Helpers that tests of several subjects share.

pub mod every_check;
pub mod processes;
pub mod slow_board;
pub mod slow_referee;
pub mod wild_moves;

use std::fmt::Debug;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use judkins::shogi::{Handicap, Position};
use tempfile::TempDir;

pub const JUDKINS: &str = env!("CARGO_BIN_EXE_judkins");

/// The start positions, without and with handicap, and those of `data/perft.epd`.
pub static STARTS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let known = include_str!("../data/perft.epd").lines().map(|line| {
        let sfen = line.split(';').next().expect("a line starts with an SFEN");
        sfen.parse().expect("every line holds a valid position")
    });
    let handicaps = Handicap::ALL.into_iter().map(Handicap::position);
    std::iter::once(Position::startpos()).chain(handicaps).chain(known).collect()
});

/// A folder for scratch files, removed after the test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for scratch files can be made"))
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("its name is UTF-8").to_owned()
    }

    /// Writes a file; returns its path.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("it can be written");
        path
    }
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(JUDKINS);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the binary starts")
}

pub fn run_with_input(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    output_with_input(&mut command(arguments), input)
}

pub fn output_with_input(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary starts");
    // A program that refuses its arguments ends without reading.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_ref());
    child.wait_with_output().expect("it ends")
}

/// Starts a command and kills it after this time, so that it can tidy nothing up. Returns whether it still ran then.
pub fn kill_after(millis: u64, arguments: &[&str]) -> bool {
    let mut child = command(arguments).stdout(Stdio::null()).spawn().expect("the binary starts");
    std::thread::sleep(Duration::from_millis(millis));
    let still_runs = child.try_wait().expect("it can be asked").is_none();
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    still_runs
}

/// Sends a signal, such as `-INT`.
pub fn signal(process: impl ToString, name: &str) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status().expect("there is a kill");
    assert!(sent.success());
}

/// Waits until a condition holds, for a minute at most.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < end, "waited a minute for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The output of a command that succeeded.
pub fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).expect("it is UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The output of a command that must succeed.
pub fn succeed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// The complaint of a command that must have failed with these words.
#[track_caller]
pub fn refused(output: &Output, words: &str) -> String {
    refused_as("the command", output, words)
}

/// The same for one of several commands; `what` says which one.
#[track_caller]
pub fn refused_as(what: impl Debug, output: &Output, words: &str) -> String {
    let error = stderr(output);
    // A panic ends with 101.
    let is_refused = output.status.code().is_some_and(|code| ![0, 101].contains(&code));
    assert!(is_refused, "{what:?}: it was not refused: {output:?}");
    assert!(error.contains(words), "{what:?}: '{words}' is not in {output:?}");
    error
}

/// The complaint of a command that must have ended with status 1 and these words.
#[track_caller]
pub fn failed(what: impl Debug, output: &Output, words: &str) -> String {
    assert_eq!(output.status.code(), Some(1), "{what:?}: {output:?}");
    refused_as(what, output, words)
}

/// The complaint of a command that must fail with these words.
#[track_caller]
pub fn fail(arguments: &[&str], words: &str) -> String {
    failed(arguments, &run(arguments), words)
}
