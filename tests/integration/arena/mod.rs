//! `judkins match`, driven as a person drives it: scripted engines that misbehave, and the engine itself.

mod faults;
mod matches;
mod records;
mod referee;

use std::ffi::OsStr;
use std::fmt::Debug;
use std::fs;
use std::process::{Child, Output};

use serde_json::Value;

use crate::common::processes::engines_of;
use crate::common::{Folder, JUDKINS, command, refused, refused_as, signal, stderr, stdout, succeed, wait_until};

const SCRIPTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/engine.sh");

impl Folder {
    fn openings(&self, text: &str) -> String {
        self.file("openings.txt", text)
    }

    /// The number of recorded games.
    fn lines(&self) -> usize {
        fs::read(self.path("games.jsonl")).map_or(0, |text| text.iter().filter(|&&byte| byte == b'\n').count())
    }

    /// The records of the match, in the order of their games.
    fn records(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path("games.jsonl")).expect("the match was recorded");
        let mut records: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
        records.sort_by_key(|record| (record["game"].as_u64(), record["replay"].as_u64()));
        records
    }
}

fn start(arguments: &[impl AsRef<OsStr>]) -> Child {
    command(&["match"]).args(arguments).spawn().expect("the binary starts")
}

/// Runs a match to its end; nothing of its engines is left then.
fn run(arguments: &[impl AsRef<OsStr>]) -> Output {
    let child = start(arguments);
    let id = child.id();
    let output = child.wait_with_output().expect("it ends");
    wait_until("the end of what engines have started", || engines_of(id).is_empty());
    output
}

/// Runs a match that is refused with these words. Returns its complaint.
#[track_caller]
fn refuse(arguments: &[impl AsRef<OsStr> + Debug], words: &str) -> String {
    refused_as(arguments, &run(arguments), words)
}

fn scripted(name: &str, manner: &str) -> String {
    format!("cmd={SCRIPTED},name={name},args={manner}")
}

/// The engine itself, with small tables: the tests start hundreds of processes.
fn judkins(name: &str) -> String {
    format!("cmd={JUDKINS},name={name},option.USI_Hash=1,option.MateHash=1")
}

/// The arguments of a match of two scripted engines, `one` and `two`, from the start position.
fn scripted_pair(folder: &Folder, manners: [&str; 2], more: &[&str]) -> Vec<String> {
    let [one, two] = [scripted("one", manners[0]), scripted("two", manners[1])];
    let (openings, record) = (folder.openings("startpos"), folder.path("games.jsonl"));
    let common = ["--engine", &one, "--engine", &two, "--openings", &openings, "--record", &record];
    common.iter().chain(more).map(ToString::to_string).collect()
}

/// Plays such a match to its end.
fn scripted_match(folder: &Folder, manners: [&str; 2], more: &[&str]) -> String {
    stdout(&run(&scripted_pair(folder, manners, more)))
}

/// The arguments of a match of the engine with itself, at so few nodes that it takes no time.
fn own_match(folder: &Folder, more: &[&str]) -> Vec<String> {
    let (one, two) = (judkins("one"), format!("{},nodes=300", judkins("two")));
    let record = folder.path("games.jsonl");
    let common = ["--engine", &one, "--engine", &two, "--each", "nodes=200", "--record", &record];
    common.iter().chain(more).map(ToString::to_string).collect()
}

/// The records of games, without their times.
fn essence(records: &[Value]) -> Vec<Vec<Value>> {
    let keys = ["game", "replay", "counts", "opening", "moves", "scores", "depths", "nodes", "result", "reason"];
    records.iter().map(|record| keys.iter().map(|key| record[key].clone()).collect()).collect()
}
