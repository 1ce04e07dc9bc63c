//! A board in a folder of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// The scripted engine.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/engine.sh");

/// A running board. It is killed at the end.
pub struct Board {
    child: Child,
    /// Where the page is, with its token.
    pub url: String,
    arguments: Vec<String>,
    folder: TempDir,
}

impl Board {
    /// A board with this program as its engine.
    pub fn start() -> Board {
        Board::with(&[])
    }

    /// A board with the scripted engine of this manner.
    pub fn scripted(manner: &str) -> Board {
        Board::with(&["--engine", &format!("cmd=/bin/sh,arg={SCRIPT},arg={manner},name=script,patience=2")])
    }

    fn with(arguments: &[&str]) -> Board {
        let folder = tempfile::tempdir().expect("there is room");
        let arguments: Vec<_> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let (child, url) = spawn(&arguments, "0", &folder);
        Board { child, url, arguments, folder }
    }

    /// The address without the token.
    pub fn origin(&self) -> &str {
        self.url.split("/?").next().unwrap_or_default()
    }

    /// Kills the program without a warning.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Kills its engines without a warning.
    pub fn kill_engines(&self) {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("it runs");
        let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok());
        let children: String = lists.collect();
        let status = Command::new("kill").arg("-KILL").args(children.split_whitespace()).status();
        assert!(status.is_ok_and(|status| status.success()), "engines run: {children}");
    }

    /// Starts it again on the same port, with the same data.
    pub fn restart(&mut self) {
        let port = self.origin().rsplit(':').next().unwrap_or_default().to_owned();
        (self.child, self.url) = spawn(&self.arguments, &port, &self.folder);
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(arguments: &[String], port: &str, folder: &TempDir) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_judkins"))
        .args(["board", "--no-open", "--port", port])
        .args(arguments)
        .env("XDG_DATA_HOME", folder.path())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let output = child.stdout.take().expect("it is piped");
    BufReader::new(output).read_line(&mut line).expect("it is text");
    assert!(line.contains("/?token="), "'{line}' is an address with a token");
    (child, line.trim_end().to_owned())
}
