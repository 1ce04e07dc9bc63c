//! `judkins board` as a process with a folder of its own.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The arguments that give a board the scripted engine, with this manner.
pub fn scripted_engine(manner: &str) -> [String; 2] {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/engine.sh");
    ["--engine".to_owned(), format!("cmd=/bin/sh,arg={script},arg={manner},name=script,patience=2")]
}

/// Starts a board that keeps its study in this folder. Returns the first line that it prints.
pub fn spawn(arguments: &[impl AsRef<str>], port: &str, folder: &Path) -> (Child, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_judkins"))
        .args(["board", "--no-open", "--port", port])
        .args(arguments.iter().map(AsRef::as_ref))
        .env("XDG_DATA_HOME", folder)
        .current_dir(folder)
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
