//! `judkins match`, driven as a person drives it: scripted engines that misbehave, and the engine itself.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

const JUDKINS: &str = env!("CARGO_BIN_EXE_judkins");
const SCRIPTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/engine.sh");

/// A folder for a match, which goes away with it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("judkins-match-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("the folder for scratch files can be written");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("its name is UTF-8").to_owned()
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

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
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

/// Waits until something is so.
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

/// A match of a misbehaving engine against a fair one: every game is lost by the first for the same reason, whichever
/// colour it has, and the fair one goes on playing.
fn loses(manner: &str, limit: &str, reason: &str, detail: &str) {
    let folder = Folder::new();
    let arguments = ["--each", limit, "--games", "4", "--concurrency", "2"];
    let text = scripted_match(&folder, [manner, "slow"], &arguments);
    let records = folder.records();
    assert_eq!(records.len(), 4, "{manner}: {text}");
    for record in &records {
        let lost = if record["black"]["name"] == "one" { "0-1" } else { "1-0" };
        assert_eq!((&record["result"], &record["reason"]), (&lost.into(), &reason.into()), "{manner}: {record}");
        let found = record["detail"].as_str().expect("it is a text");
        assert!(found.contains(detail), "{manner}: '{found}' has no '{detail}'");
    }
    assert!(text.contains("+0 =0 -4"), "{manner}: {text}");
}

const QUICK: &str = "movetime=150,patience=1";

#[test]
fn an_engine_whose_process_ends_loses() {
    loses("crash", QUICK, "crash", "one was killed by signal 11");
    loses("exit", QUICK, "crash", "one exited with status 3");
    loses("cut", QUICK, "crash", "one exited with status 0 in the middle of a line");
    // What it has started holds its output open, and has left its group.
    loses("parent", QUICK, "crash", "one was killed by signal 11");
    assert_ends("sleep 98708");
}

#[test]
fn an_engine_that_never_starts_loses_and_the_match_goes_on() {
    loses("gone", QUICK, "crash", "one exited with status 1");
    loses("mute", QUICK, "no-start", "one did not answer to 'usi' within 1 s");
    loses("unready", QUICK, "no-start", "one did not answer to 'isready' within 1 s");
}

#[test]
fn an_engine_that_does_not_answer_loses_and_nothing_of_it_is_left() {
    loses("stall", QUICK, "hang", "one did not answer within 200 ms, nor to stop");
    loses("stubborn", QUICK, "hang", "one did not answer");
    loses("half", QUICK, "hang", "one did not answer");
    loses("orphan", QUICK, "hang", "one did not answer");
    // Without a clock, patience is what there is.
    loses("stall", "nodes=100,patience=1", "hang", "one did not answer within 1000 ms");
    loses("close", QUICK, "closed-output", "one closed its output");
    (98701..=98706).for_each(|seconds| assert_ends(&format!("sleep {seconds}")));
}

#[test]
fn an_engine_that_answers_late_loses() {
    loses("late", QUICK, "time", "one used ");
    // What the first move took is off the clock already.
    loses("late", "tc=0.3,margin=0", "time", "of 2");
    loses("late", "byoyomi=150", "time", "of 150");
}

#[test]
fn a_margin_forgives_an_engine_that_is_late() {
    let arguments = ["--each", "movetime=150,margin=5000", "--games", "2"];
    let text = scripted_match(&Folder::new(), ["late", "fair"], &arguments);
    assert!(text.contains("endings    sennichite 2"), "{text}");
}

#[test]
fn an_engine_that_cheats_or_talks_nonsense_loses() {
    loses("cheat", QUICK, "illegal-move", "illegal move 6e6c");
    loses("nonsense", QUICK, "nonsense", "one answered 'bestmove banana'");
    loses("binary", QUICK, "nonsense", "one answered 'bestmove ");
    loses("empty", QUICK, "nonsense", "one answered 'bestmove '");
    loses("declare", QUICK, "wrong-declaration", "wrong declaration");
    loses("resign", QUICK, "resignation", "resignation");
}

#[test]
fn an_engine_that_answers_unasked_loses() {
    loses("twice", QUICK, "unasked-move", "one sent 'bestmove ");
    loses("deaf", QUICK, "unasked-move", "one sent 'bestmove ");
}

#[test]
fn an_engine_that_floods_its_output_loses() {
    loses("endless", "movetime=5000", "flood", "one flooded its output");
    // A quick shell may reach the limit, a slow one runs out of time.
    let text = scripted_match(&Folder::new(), ["flood", "fair"], &["--each", "movetime=500", "--games", "2"]);
    assert!(text.contains("+0 =0 -2"), "{text}");
}

#[test]
fn what_an_engine_says_besides_is_passed_over() {
    let text = scripted_match(&Folder::new(), ["chat", "fair"], &["--each", "movetime=1000", "--games", "2"]);
    assert!(text.contains("endings    sennichite 2") && text.contains("length     median 12 plies"), "{text}");
}

/// A game of two engines that play given moves: how it ends.
fn ending(opening: &str, moves: &str, arguments: &[&str]) -> (String, String) {
    let folder = Folder::new();
    let (openings, record) = (folder.openings(opening), folder.file("games.jsonl"));
    let line = format!("'{moves}'");
    let engines = ["one", "two"].map(|name| format!("{} {line}", scripted(name, "line")));
    let common =
        ["--engine", &engines[0], "--engine", &engines[1], "--each", "movetime=2000", "--games", "2", "--openings"];
    let output = run(&[&common[..], &[&openings, "--record", &record], arguments].concat());
    stdout(&output);
    let records = folder.records();
    let text = |record: &Value, key: &str| record[key].as_str().expect("it is a text").to_owned();
    assert_eq!(text(&records[0], "result"), text(&records[1], "result"), "the same moves end the same way");
    (text(&records[0], "result"), text(&records[0], "detail"))
}

#[test]
fn the_runner_is_the_referee() {
    let perpetual = "1b1a 6b6a 1a1b 6a6b ".repeat(3);
    let quiet = "6a6b 5f5e 6b5b 5e4e 5b4b 4e3e";
    for (opening, moves, arguments, result, detail) in [
        ("5k/6/5P/6/6/K5 b G 1", "G*1b", &[][..], "1-0", "Black wins: checkmate"),
        ("5k/3G2/5P/6/6/K3R1 b - 1", "2f2b", &[], "1-0", "Black wins: no legal move"),
        ("6/R4k/6/6/6/K5 w - 1", &perpetual, &[], "0-1", "White wins: perpetual check"),
        (
            "K4R/6/6/6/6/1k4 b B2G2S2N2Prb 1",
            quiet,
            &["--impasse-plies", "6"],
            "1-0",
            "Black wins: impasse, 18 points to 10",
        ),
        ("K4R/6/6/6/6/1k4 b B2G2S2N2Prb 1", quiet, &[], "0-1", "White wins: resignation"),
        ("6/4K1/6/6/6/1k4 b - 1", "2b1a", &["--impasse-rule", "Try"], "1-0", "Black wins: try"),
        ("1K4/GGS3/6/6/6/5k b RBSN 1", "win", &["--impasse-rule", "Declaration"], "1-0", "Black wins: declaration"),
        ("1K4/GGS3/6/6/6/5k b RBSN 1", "win", &[], "0-1", "White wins: wrong declaration"),
        ("5k/6/3NG1/6/6/K5 b P 1", "P*1b", &[], "0-1", "White wins: illegal move P*1b"),
        ("startpos", "6e6d 1b1c 6d6c", &["--max-moves", "2"], "1/2-1/2", "draw: 2 moves were played"),
        ("startpos moves 6e6d", "- 1b1c", &[], "0-1", "White wins: resignation"),
    ] {
        let found = ending(opening, moves, arguments);
        // "resignation" stands for the end of the moves: the side that would have to play gives up.
        assert_eq!(found.1, detail, "{opening} {moves}");
        assert_eq!(found.0, result, "{opening} {moves}");
    }
}

/// What a logging engine was sent in the first game of a match.
fn sent(manner: &str, engine: &str, each: &str, arguments: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    let log = folder.file("log");
    let engine = format!("{}{engine}", scripted("log", &format!("'{manner} {log}'")).replace('\'', ""));
    let mut all = vec!["--engine", &engine];
    let fair = scripted("fair", "fair");
    all.extend(["--engine", &fair, "--each", each, "--games", "2"]);
    all.extend(arguments);
    stdout(&run(&all));
    let text = fs::read_to_string(&log).expect("the engine has written it");
    // The first process only introduced itself.
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let quit = lines.iter().position(|line| line == "quit").expect("it was told to quit");
    lines[quit + 1..].to_vec()
}

#[test]
fn an_engine_is_sent_what_usi_says() {
    let lines =
        sent("log", ",option.level=5,option.Clear It=,init=hello there", "tc=10+0.5", &["--impasse-rule", "Try"]);
    let start = [
        "usi",
        "setoption name ImpasseRule value Try",
        "setoption name Level value 5",
        "setoption name Clear It",
        "hello there",
        "isready",
        "usinewgame",
        "isready",
    ];
    assert_eq!(lines[..start.len()], start);
    let position = lines.iter().position(|line| line.starts_with("position")).expect("it was asked for a move");
    assert!(lines[position].starts_with("position startpos moves "), "{}", lines[position]);
    assert!(lines[position + 1].starts_with("go btime 10000 wtime "), "{}", lines[position + 1]);
    assert!(lines[position + 1].ends_with(" binc 500 winc 500"), "{}", lines[position + 1]);
    let tail: Vec<&str> = lines.iter().rev().take(2).map(String::as_str).collect();
    assert!(tail[0] == "quit" && tail[1].starts_with("gameover "), "{tail:?}");
}

#[test]
fn an_engine_is_sent_what_uci_says() {
    let folder = Folder::new();
    let openings = folder.openings("startpos moves 1f1e 6a6b 1e1f 6b6a");
    let lines = sent("uci", ",proto=uci", "tc=10+0.5", &["--openings", &openings]);
    assert_eq!(lines[..4], ["uci", "setoption name ImpasseRule value Points12", "isready", "ucinewgame"]);
    let games: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.starts_with("position")).collect();
    assert_eq!(games[0], "position startpos moves f1f2 a6a5 f2f1 a5a6");
    assert_eq!(games[1], "position startpos moves f1f2 a6a5 f2f1 a5a6 f1f2 a6a5");
    assert!(lines.iter().any(|line| line.starts_with("go wtime 10000 btime 10000 winc 500 binc 500")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("quit"));

    let openings = folder.openings("r1nsgk/5p/6/6/P5/KGSNBR w - 1");
    let lines = sent("uci", ",proto=uci", "nodes=5", &["--openings", &openings]);
    assert!(lines.iter().any(|line| line == "position fen r1nsgk/5p/6/6/P5/KGSNBR[-] b - - 0 1"), "{lines:?}");
    assert!(lines.iter().any(|line| line == "go nodes 5"), "{lines:?}");
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

/// What a record says of a game, apart from times.
fn essence(records: &[Value]) -> Vec<Vec<Value>> {
    let keys = ["game", "replay", "counts", "opening", "moves", "scores", "depths", "nodes", "result", "reason"];
    records.iter().map(|record| keys.iter().map(|key| record[key].clone()).collect()).collect()
}

#[test]
fn the_same_seed_gives_the_same_games_however_many_are_played_at_a_time() {
    let folders = [Folder::new(), Folder::new(), Folder::new()];
    let played: Vec<_> = folders
        .iter()
        .zip(["1", "2", "5"])
        .map(|(folder, concurrency)| {
            stdout(&run_all(&own_match(folder, &["--games", "20", "--seed", "7", "--concurrency", concurrency])));
            essence(&folder.records())
        })
        .collect();
    assert_eq!(played[0].len(), 20);
    assert!(played[0] == played[1] && played[0] == played[2]);
    let openings = tally(played[0].iter().map(|game| game[3].as_str().expect("it is a text")));
    assert!(openings.len() == 10 && openings.values().all(|&games| games == 2), "pairs share openings: {openings:?}");
    let other = Folder::new();
    stdout(&run_all(&own_match(&other, &["--games", "20", "--seed", "8"])));
    assert_ne!(essence(&other.records()), played[0], "another seed gives other openings");
}

#[test]
fn a_killed_match_goes_on_where_it_stood() {
    let undisturbed = Folder::new();
    stdout(&run_all(&own_match(&undisturbed, &["--games", "40"])));
    let folder = Folder::new();
    let (pgn, svg) = (folder.file("games.pgn"), folder.file("match.svg"));
    let arguments =
        own_match(&folder, &["--games", "40", "--concurrency", "3", "--resume", "--pgn", &pgn, "--report", &svg]);
    for lines in [3, 11, 24] {
        let mut child = start(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        wait_until("games", || folder.lines() >= lines);
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        // As if the last line had been cut off, in the middle of a character.
        let record = folder.file("games.jsonl");
        let text = fs::read(&record).expect("it is there");
        fs::write(&record, [&text[..], b"{\"game\":9,\"name\":\"\xC3"].concat()).expect("it can be written");
    }
    let text = stdout(&run_all(&arguments));
    assert!(text.contains("one against two: 40 games"), "{text}");
    assert!(essence(&folder.records()) == essence(&undisturbed.records()), "no game is lost, doubled or different");
    let pgn = fs::read_to_string(pgn).expect("it was written");
    assert_eq!(pgn.matches("[Event ").count(), 40, "texts are written anew");
    // Once more: nothing is left to play, and the result is the same.
    assert!(text.ends_with(&stdout(&run_all(&arguments))), "{text}");
}

#[test]
fn a_record_is_neither_overwritten_nor_mixed_with_another_match() {
    let folder = Folder::new();
    stdout(&run_all(&own_match(&folder, &["--games", "2"])));
    let before = folder.records();
    let output = run_all(&own_match(&folder, &["--games", "2"]));
    assert!(!output.status.success() && stderr(&output).contains("--resume goes on with a record"), "{output:?}");
    for arguments in [
        &["--games", "2", "--resume", "--seed", "2"][..],
        &["--games", "2", "--resume", "--impasse-plies", "30"],
        &["--games", "2", "--resume", "--max-moves", "300"],
        &["--games", "2", "--resume", "--resign", "movecount=3,score=900"],
        &["--games", "2", "--resume", "--each", "margin=60"],
        &["--games", "2", "--resume", "--each", "option.USI_Hash=2,margin=9,option.Threads=1"],
    ] {
        let output = run_all(&own_match(&folder, arguments));
        let text = stderr(&output);
        assert!(!output.status.success() && text.contains("the records are of another match"), "{arguments:?}: {text}");
    }
    assert_eq!(folder.records(), before);
    // More games of the same match are no other match.
    stdout(&run_all(&own_match(&folder, &["--games", "4", "--resume"])));
    assert_eq!((folder.records().len(), &folder.records()[..2]), (4, &before[..]));
}

#[test]
fn an_interrupt_ends_the_match_cleanly() {
    let folder = Folder::new();
    let arguments = own_match(&folder, &["--games", "2000", "--concurrency", "2"]);
    let child = start(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    wait_until("games", || folder.lines() >= 4);
    interrupt(&child);
    let asked = Instant::now();
    let text = stdout(&child.wait_with_output().expect("it ends"));
    assert!(asked.elapsed() < Duration::from_secs(5), "it took {:?}", asked.elapsed());
    let games = folder.records().len();
    assert!(text.contains(&format!("Stopped after {games} of 2000 games.\none against two: {games} games")), "{text}");
}

#[test]
fn games_without_a_contest_are_played_again_with_colours_reversed() {
    let folder = Folder::new();
    let arguments = ["--each", "movetime=1000", "--games", "2", "--replay-draws", "2"];
    let text = scripted_match(&folder, ["fair", "fair"], &arguments);
    let black = |record: &Value| record["black"]["name"].as_str().expect("it is a text").to_owned();
    let played: Vec<_> = folder
        .records()
        .iter()
        .map(|record| (record["game"].as_u64(), black(record), record["counts"].as_bool()))
        .collect();
    let game = |game, black: &str, counts| (Some(game), black.to_owned(), Some(counts));
    assert_eq!(
        played,
        [
            game(1, "one", false),
            game(1, "two", false),
            game(1, "one", true),
            game(2, "two", false),
            game(2, "one", false),
            game(2, "two", true),
        ]
    );
    assert!(text.contains("one against two: 2 games") && text.contains("replayed   4 games"), "{text}");
    // An adjudicated draw stands.
    let folder = Folder::new();
    scripted_match(&folder, ["fair", "fair"], &[&arguments[..], &["--max-moves", "4"]].concat());
    assert_eq!(folder.records().len(), 2);
}

#[test]
fn a_test_stops_the_match_when_it_has_decided() {
    for (first, second, verdict) in [("resign", "fair", "H0 accepted"), ("fair", "resign", "H1 accepted")] {
        let folder = Folder::new();
        let limits = ["--each", "movetime=1000", "--games", "1000", "--concurrency", "2"];
        let test = ["--sprt", "elo0=0", "elo1=100", "alpha=0.05", "beta=0.05", "model=logistic"];
        let text = scripted_match(&folder, [first, second], &[&limits[..], &test].concat());
        assert!(text.contains(verdict) && folder.records().len() < 200, "{text}");
    }
}

#[test]
fn more_engines_play_a_round_robin_or_a_gauntlet() {
    let folder = Folder::new();
    let openings = folder.openings("startpos");
    let engines = [scripted("weak", "resign"), scripted("fair", "fair"), scripted("same", "fair")];
    let mut arguments = vec!["--each", "movetime=1000", "--games", "4", "--openings", &openings, "--concurrency", "2"];
    engines.iter().for_each(|engine| arguments.extend(["--engine", engine]));
    let text = stdout(&run(&arguments));
    for part in ["weak against fair: 4 games", "weak against same: 4 games", "fair against same: 4 games"] {
        assert!(text.contains(part), "{text}");
    }
    let first = text.lines().find(|line| line.starts_with("  1.")).expect("there is a table");
    assert!(first.contains("fair") && first.contains("75.0 %"), "{text}");
    arguments.push("--gauntlet");
    let text = stdout(&run(&arguments));
    assert!(text.contains("weak against same: 4 games") && !text.contains("fair against same"), "{text}");
}

#[test]
fn games_are_written_as_people_read_them() {
    let folder = Folder::new();
    let (pgn, usi, svg) = (folder.file("g.pgn"), folder.file("g.usi"), folder.file("g.svg"));
    let openings = folder.openings("startpos moves 6e6d\nr1nsgk/5p/6/6/P5/KGSNBR w - 1");
    let mut arguments = own_match(&folder, &["--games", "4", "--order", "sequential", "--openings", &openings]);
    arguments.extend(["--pgn", &pgn, "--usi", &usi, "--report", &svg].map(str::to_owned));
    let text = stdout(&run_all(&arguments));
    let games = fs::read_to_string(&pgn).expect("it was written");
    for part in [
        "[Event \"one against two\"]",
        "[Round \"1.2\"]",
        "[Variant \"judkins\"]",
        "\n\n1. P-6d ",
        "s} ",
        "\n\n1. ... ",
    ] {
        assert!(games.contains(part), "no '{part}' in {games}");
    }
    assert_eq!(games.matches("[SFEN \"r1nsgk/5p/6/6/P5/KGSNBR w - 1\"]").count(), 2);
    let picture = fs::read_to_string(&svg).expect("it was drawn");
    assert!(picture.starts_with("<svg") && picture.contains("one against two: 4 games"), "{picture}");
    // A USI file is a file of openings, if its games were not over: take the last move from each.
    let lines = fs::read_to_string(&usi).expect("it was written");
    assert_eq!(lines.lines().filter(|line| line.starts_with('#')).count(), 4);
    assert!(lines.contains("\nsfen r1nsgk/5p/6/6/P5/KGSNBR w - 1 moves "), "{lines}");
    // The record alone says the same.
    let shown = stdout(&run(&["--record", &folder.file("games.jsonl"), "--pgn", &folder.file("again.pgn")]));
    assert!(text.ends_with(&shown), "{text}\n{shown}");
    let again = fs::read_to_string(folder.file("again.pgn")).expect("it was written");
    assert_eq!(again.len(), games.len());
}

#[test]
fn handicap_games_begin_with_white() {
    let folder = Folder::new();
    stdout(&run_all(&own_match(&folder, &["--games", "2", "--handicap", "bishop"])));
    for record in folder.records() {
        assert_eq!(record["opening"], "sfen r1nsgk/5p/6/6/P5/KGSNBR w - 1");
    }
}

#[test]
fn what_cannot_be_played_is_refused_before_the_first_game() {
    let folder = Folder::new();
    let bad_openings = folder.openings("startpos\nnonsense");
    let fair = scripted("fair", "fair");
    let two = [fair.as_str(), &scripted("two", "fair")];
    for (engines, arguments, error) in [
        (&[][..], &[][..], "--engine is missing"),
        (&two[..1], &["--each", "nodes=5"], "a match needs two engines"),
        (&[&fair, &fair], &["--each", "nodes=5"], "two engines are called fair"),
        (&two, &[], "fair: a limit is missing"),
        (&two, &["--each", "nodes=5", "--games", "7"], "--games is 7: games come in pairs"),
        (&[&fair, "cmd=/no/such/engine"], &["--each", "nodes=5"], "there is no program '/no/such/engine'"),
        (&[&fair, "cmd=no-such-engine"], &["--each", "nodes=5"], "there is no program 'no-such-engine'"),
        (&two, &["--each", "nodes=5,option.Nonesuch=1"], "fair: it has no option 'Nonesuch'"),
        (&two, &["--each", "nodes=5,option.Level=10"], "Level goes from 0 to 9, which '10' does not lie in"),
        (&two, &["--each", "nodes=5,option.Style=Wild"], "Style cannot be 'Wild', only Solid, Very Risky"),
        (&two, &["--each", "nodes=5", "--openings", &bad_openings], "line 2: position refused"),
        (&two, &["--each", "nodes=5", "--openings", "/no/such/file"], "/no/such/file: "),
        (&two, &["--each", "nodes=5", "--sprt", "elo0=5", "elo1=0"], "elo0 must be less than elo1"),
        (&two, &["--each", "nodes=5", "--sprt", "elo0=5"], "--sprt needs elo1="),
        (&two, &["--each", "nodes=5,stderr=/no/such/folder/log"], "fair cannot be started"),
        (&two, &["--each", "nodes=5,dir=/no/such/folder"], "fair cannot be started"),
        (&two, &["--each", "nodes=5", "--sprt", "elo0=0", "elo1=1e12"], "neither further from zero than 1000"),
        (&two, &["--each", "nodes=5", "--games", "1000000000000"], "games come in pairs, at most"),
        (&two, &["--each", "nodes=5", "--draw", "movecount=0", "score=5"], "movecount cannot be '0'"),
        (&two, &["--each", "nodes=5", "--resign", "movecount=1", "score=-5"], "score cannot be '-5'"),
        (&two, &["--each", "nodes=5", "--record", "/tmp/x", "--pgn", "/tmp/x"], "/tmp/x is asked for twice"),
        (&two, &["--each", "nodes=5", "--draw", "score=5"], "--draw needs movecount="),
        (&two, &["--each", "nodes=5", "--resign", "movecount=x", "score=5"], "movecount cannot be 'x'"),
        (
            &two,
            &["--each", "nodes=5", "--resign", "movecount=3", "score=5", "speed=1"],
            "'speed' is not one of its keys",
        ),
    ] {
        let mut all = Vec::new();
        engines.iter().for_each(|engine| all.extend(["--engine", engine]));
        all.extend(arguments);
        let output = run(&all);
        let text = stderr(&output);
        assert!(!output.status.success() && text.contains(error), "{all:?}: '{error}' is not in '{text}'");
    }
}

#[test]
fn a_second_interrupt_ends_engines_that_hang_too() {
    let folder = Folder::new();
    let engines = [scripted("one", "forever"), scripted("two", "fair")];
    let openings = folder.openings("startpos");
    let arguments = ["--engine", &engines[0], "--engine", &engines[1], "--each", "nodes=1", "--openings", &openings];
    for end in
        [|child: &mut Child| (0..2).for_each(|_| interrupt(child)), |child: &mut Child| child.kill().expect("it ends")]
    {
        let mut child = start(&arguments);
        wait_until("the engine to hang", || is_running("sleep 98709"));
        end(&mut child);
        child.wait().expect("it ends");
        // A killed runner can take only the engine itself with it.
        assert_ends(&format!("{SCRIPTED} forever"));
    }
    let _ = Command::new("pkill").args(["-f", "sleep 98709"]).status();
}

#[test]
fn a_match_whose_output_nobody_reads_goes_on_and_is_recorded() {
    let folder = Folder::new();
    let arguments = own_match(&folder, &["--games", "8", "--verbose"]);
    let mut child = start(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    drop(child.stdout.take());
    let status = child.wait().expect("it ends");
    assert!(status.code().is_some(), "it is not killed by a signal: {status:?}");
    assert_eq!(folder.records().len(), 8);
}

#[test]
fn a_record_is_written_by_one_match_at_a_time() {
    let folder = Folder::new();
    let arguments = own_match(&folder, &["--games", "2000", "--resume"]);
    let child = start(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    wait_until("games", || folder.lines() >= 2);
    let second = run_all(&arguments);
    assert!(!second.status.success() && stderr(&second).contains("another match is writing it"), "{second:?}");
    interrupt(&child);
    stdout(&child.wait_with_output().expect("it ends"));
    // Whatever way they came there: the same game twice is refused.
    let text = fs::read_to_string(folder.file("games.jsonl")).expect("it is there");
    fs::write(folder.file("games.jsonl"), format!("{text}{text}")).expect("it can be written");
    let output = run_all(&arguments);
    assert!(!output.status.success() && stderr(&output).contains("twice"), "{output:?}");
}

#[test]
fn only_files_of_records_are_resumed_and_nothing_is_lost_to_an_error() {
    let folder = Folder::new();
    let (record, pgn) = (folder.file("games.jsonl"), folder.file("games.pgn"));
    for text in ["my only notes", "my only notes\n", "{\"game\":0}\n", "[]\n"] {
        fs::write(&record, text).expect("it can be written");
        fs::write(&pgn, "old games").expect("it can be written");
        let output = run_all(&own_match(&folder, &["--games", "2", "--resume", "--pgn", &pgn]));
        assert!(!output.status.success() && stderr(&output).contains("games.jsonl, line 1: "), "{text}: {output:?}");
        assert_eq!(fs::read_to_string(&record).expect("it is there"), text);
        assert_eq!(fs::read_to_string(&pgn).expect("it is there"), "old games");
    }
}

#[test]
fn the_order_of_the_records_makes_no_difference() {
    let folder = Folder::new();
    stdout(&run_all(&own_match(&folder, &["--games", "12", "--concurrency", "2"])));
    let record = folder.file("games.jsonl");
    let shown = || stdout(&run(&["--record", &record, "--sprt", "elo0=0", "elo1=300"]));
    let before = shown();
    assert!(before.starts_with("one against two: 12 games") && before.contains("LLR"), "{before}");
    let mut lines: Vec<String> =
        fs::read_to_string(&record).expect("it is there").lines().map(|line| format!("{line}\n")).collect();
    lines.reverse();
    fs::write(&record, lines.concat()).expect("it can be written");
    assert_eq!(shown(), before);
}

#[test]
fn an_engine_is_found_from_a_folder_of_its_own() {
    let folder = Folder::new();
    fs::create_dir(folder.file("elsewhere")).expect("it can be made");
    let engine = format!("cmd=tests/data/engine.sh,name=moved,args=fair,dir={}", folder.file("elsewhere"));
    let fair = scripted("fair", "fair");
    let openings = folder.openings("startpos");
    let text = stdout(&run(&[
        "--engine",
        &engine,
        "--engine",
        &fair,
        "--each",
        "nodes=1",
        "--games",
        "2",
        "--openings",
        &openings,
    ]));
    assert!(text.contains("endings    sennichite 2"), "{text}");
}
