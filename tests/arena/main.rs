//! `judkins match`, driven as a person drives it: scripted engines that misbehave, and the engine itself.

#![cfg(unix)]

mod faults;
mod matches;
mod records;
mod referee;

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

use serde_json::Value;

const JUDKINS: &str = env!("CARGO_BIN_EXE_judkins");
const SCRIPTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/engine.sh");

/// A folder for a match, removed after the test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder for scratch files can be made"))
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("its name is UTF-8").to_owned()
    }

    /// A file of openings.
    fn openings(&self, text: &str) -> String {
        let path = self.file("openings.txt");
        fs::write(&path, text).expect("it can be written");
        path
    }

    /// How many games were recorded.
    fn lines(&self) -> usize {
        fs::read(self.file("games.jsonl")).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count())
    }

    /// The records of the match, in the order of their games.
    fn records(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.file("games.jsonl")).expect("the match was recorded");
        let mut records: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
        records.sort_by_key(|record| (record["game"].as_u64(), record["replay"].as_u64()));
        records
    }
}

fn start(arguments: &[&str]) -> Child {
    Command::new(JUDKINS)
        .arg("match")
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

fn run(arguments: &[&str]) -> Output {
    start(arguments).wait_with_output().expect("it ends")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("it is UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn scripted(name: &str, manner: &str) -> String {
    format!("cmd={SCRIPTED},name={name},args={manner}")
}

fn judkins(name: &str) -> String {
    format!("cmd={JUDKINS},name={name},option.USI_Hash=1")
}

/// How often each text comes up.
fn tally<'a>(texts: impl IntoIterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut tally = BTreeMap::new();
    texts.into_iter().for_each(|text| *tally.entry(text).or_default() += 1);
    tally
}

/// Whether a process runs whose command line has this in it.
fn is_running(part: &str) -> bool {
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok);
    processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok()).any(|line| {
        let line: Vec<u8> = line.into_iter().map(|byte| if byte == 0 { b' ' } else { byte }).collect();
        String::from_utf8_lossy(&line).contains(part)
    })
}

/// Waits for the end of all such processes: other tests may have some, too, for a while.
fn assert_ends(part: &str) {
    let end = Instant::now() + Duration::from_secs(20);
    while is_running(part) {
        assert!(Instant::now() < end, "'{part}' still runs");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until a condition holds, for a minute at most.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < end, "waited a minute for {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn interrupt(child: &Child) {
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is a kill");
    assert!(told.success());
}

/// A match of two scripted engines, `one` and `two`, from the start position.
fn scripted_match(folder: &Folder, manners: [&str; 2], arguments: &[&str]) -> String {
    let engines = [scripted("one", manners[0]), scripted("two", manners[1])];
    let (openings, record) = (folder.openings("startpos"), folder.file("games.jsonl"));
    let common = ["--engine", &engines[0], "--engine", &engines[1], "--openings", &openings, "--record", &record];
    stdout(&run(&[&common[..], arguments].concat()))
}

/// A match of the engine with itself, at so few nodes that it takes no time.
fn own_match(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let mut all = vec!["--engine".to_owned(), judkins("one"), "--engine".to_owned()];
    all.push(format!("{},nodes=300", judkins("two")));
    all.extend(["--each", "nodes=200", "--record"].map(str::to_owned));
    all.push(folder.file("games.jsonl"));
    all.extend(arguments.iter().map(|&argument| argument.to_owned()));
    all
}

fn run_all(arguments: &[String]) -> Output {
    run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The records of games, without their times.
fn essence(records: &[Value]) -> Vec<Vec<Value>> {
    let keys = ["game", "replay", "counts", "opening", "moves", "scores", "depths", "nodes", "result", "reason"];
    records.iter().map(|record| keys.iter().map(|key| record[key].clone()).collect()).collect()
}
