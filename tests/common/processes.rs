//! Programs that tests start, and what these start.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The arguments that give a board the scripted engine, with this manner.
pub fn scripted_engine(manner: &str) -> [String; 2] {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/engine.sh");
    ["--engine".to_owned(), format!("cmd=/bin/sh,arg={script},arg={manner},name=script,patience=2")]
}

/// The engines of a board or match, and all that these have started, with their command lines.
pub fn engines_of(runner: u32) -> BTreeMap<String, String> {
    let mark = format!("JUDKINS_MATCH_ENGINE={runner}.");
    let text =
        |path: std::path::PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    let marked = processes.filter(|process| text(process.path().join("environ")).contains(&mark));
    let described = |process: std::fs::DirEntry| {
        (process.file_name().to_string_lossy().into_owned(), text(process.path().join("cmdline")).replace('\0', " "))
    };
    marked.map(described).collect()
}

/// Kills what a killed runner has left: what its engines have started.
pub fn kill_engines_of(runner: u32) {
    let _ = Command::new("kill").arg("-KILL").args(engines_of(runner).keys()).stderr(Stdio::null()).status();
}

/// Kills a board and all that it has started.
pub fn kill_with_engines(board: &mut Child) {
    let _ = board.kill();
    let _ = board.wait();
    kill_engines_of(board.id());
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
