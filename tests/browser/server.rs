//! A board in a folder of its own.

use std::process::{Child, Command};

use tempfile::TempDir;

use crate::board_process::{scripted_engine, spawn};

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
        Board::with(Vec::new())
    }

    /// A board with the scripted engine of this manner.
    pub fn scripted(manner: &str) -> Board {
        Board::with(scripted_engine(manner).into())
    }

    /// A board with two scripted engines of this manner: "script" and "other".
    pub fn scripted_pair(manner: &str) -> Board {
        let one = scripted_engine(manner);
        let other = one.clone().map(|argument| argument.replace("name=script", "name=other"));
        Board::with([one, other].concat())
    }

    /// A board with this program as two engines.
    pub fn pair() -> Board {
        let engine = |name| format!("cmd={},name={name},option.Threads=1", env!("CARGO_BIN_EXE_judkins"));
        Board::with(["one", "two"].into_iter().flat_map(|name| ["--engine".to_owned(), engine(name)]).collect())
    }

    fn with(arguments: Vec<String>) -> Board {
        let folder = tempfile::tempdir().expect("there is room");
        let (child, url) = spawn(&arguments, "0", folder.path());
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
        (self.child, self.url) = spawn(&self.arguments, &port, self.folder.path());
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
