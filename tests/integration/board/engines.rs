//! Engines: analysis, options, and bad manners.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::processes::engines_of;
use crate::common::{JUDKINS, signal, wait_until};

use super::page::Page;
use super::server::Server;
use super::state::Board;

fn analyse(page: &mut Page, on: bool, lines: u32) {
    page.ask(json!({"type": "analyse", "on": on, "engine": 0, "lines": lines}));
}

/// The first engine, once it has introduced itself.
fn ready_engine(page: &mut Page) -> Value {
    let engine = page.hello["engines"][0].clone();
    if engine["state"] == "idle" {
        return engine;
    }
    page.wait_for(|message| message["type"] == "engine" && message["engine"]["state"] == "idle")["engine"].clone()
}

#[test]
fn an_analysis_follows_the_cursor() {
    let (_board, mut page) = Board::start().with_page();
    analyse(&mut page, true, 3);
    let found =
        page.wait_for(|message| message["type"] == "analysis" && message["lines"].as_array().unwrap().len() == 3);
    let line = &found["lines"][0];
    assert!(page.position["legal"].as_array().unwrap().contains(&line["moves"][0]));
    assert_eq!(line["text"]["usi"], line["moves"]);
    assert!(line["score"]["win"].as_f64().unwrap() > 0.0 && found["nodes"].as_u64().unwrap() > 0);
    let mv = line["moves"][0].as_str().unwrap().to_owned();
    let after = page.play(&mv);
    let found = page.wait_for(|message| {
        message["type"] == "analysis"
            && message["cursor"] == after["cursor"]
            && !message["lines"].as_array().unwrap().is_empty()
    });
    assert!(after["legal"].as_array().unwrap().contains(&found["lines"][0]["moves"][0]));
    analyse(&mut page, false, 3);
    page.wait_for(|message| message["type"] == "analysis" && message["on"] == false);
    page.wait_for(|message| message["type"] == "engine" && message["engine"]["state"] == "idle");
}

#[test]
fn options_are_set_within_their_range_and_files_are_locked() {
    let (_board, mut page) = Board::start().with_page();
    let engine = ready_engine(&mut page);
    let option = |engine: &Value, name: &str| {
        engine["options"].as_array().unwrap().iter().find(|option| option["name"] == name).unwrap().clone()
    };
    for name in ["EvalFile", "BookFile", "DebugLogFile"] {
        assert_eq!(option(&engine, name)["locked"], true);
        assert_eq!(page.refused(json!({"type": "option", "engine": 0, "name": name, "value": "x"})), "bad-option");
    }
    for value in ["0", "x", "9999999", "2\nquit"] {
        assert_eq!(
            page.refused(json!({"type": "option", "engine": 0, "name": "Threads", "value": value})),
            "bad-option"
        );
    }
    page.ask(json!({"type": "option", "engine": 0, "name": "USI_Hash", "value": "8"}));
    let set =
        page.wait_for(|message| message["type"] == "engine" && option(&message["engine"], "USI_Hash")["value"] == "8");
    assert_eq!(option(&set["engine"], "USI_Hash")["default"], "64");
}

#[test]
fn an_engine_has_the_name_that_the_user_or_else_the_engine_gave() {
    let unnamed = concat!("cmd=", env!("CARGO_MANIFEST_DIR"), "/tests/data/engine.sh,args=fair");
    for (board, name) in [(Server::with(&["--engine", unnamed]), "scripted fair"), (Server::scripted("fair"), "script")]
    {
        let mut page = board.page();
        let engine = ready_engine(&mut page);
        assert_eq!((&engine["name"], &engine["author"]), (&json!(name), &json!("the tests")));
    }
}

#[test]
fn an_engine_is_told_of_its_options() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let board = Server::scripted(&format!("log,arg={}", log.display()));
    let mut page = board.page();
    ready_engine(&mut page);
    page.ask(json!({"type": "option", "engine": 0, "name": "Level", "value": "7"}));
    let heard = || std::fs::read_to_string(&log).unwrap();
    wait_until("the engine to hear it", || heard().lines().any(|line| line == "setoption name Level value 7"));
}

#[test]
fn an_engine_that_misbehaves_is_said_to_and_the_game_goes_on_with_it_started_again() {
    for (manner, words) in [
        ("crash", "was killed by signal"),
        ("exit", "exited with status 3"),
        ("nonsense", "banana"),
        ("close", "engine.closedOutput"),
        ("endless", "engine.flooded"),
    ] {
        let board = Server::scripted(manner);
        let mut page = board.page();
        let seat = |kind: &str| json!({"kind": kind, "name": "", "engine": 0});
        page.begin(json!({"black": seat("human"), "white": seat("engine")}));
        page.play("1f1e");
        page.position = page.wait_for(|message| message["type"] == "position" && message["last"] == "6a6b");
        // Its second move is where it misbehaves.
        page.play("1e1f");
        let engine = page.wait_for(|message| message["type"] == "engine" && message["engine"]["state"] == "dead");
        let problem = &engine["engine"]["problem"];
        assert!(problem.to_string().contains(words), "{manner}: {problem}");
        // A fresh one moves as at the start of a game: the moves played are taken back first.
        for _ in 0..2 {
            page.ask(json!({"type": "takeback"}));
        }
        page.position = page.wait_for(|message| message["type"] == "position" && message["last"].is_null());
        page.ask(json!({"type": "restart", "engine": 0}));
        page.play("1f1e");
        page.wait_for(|message| message["type"] == "position" && message["last"] == "6a6b");
    }
}

#[test]
fn engines_that_do_not_start_are_said_to() {
    let missing = Server::with(&["--engine", "cmd=/no/such/program,name=missing"]);
    for board in [missing, Server::scripted("gone"), Server::scripted("mute")] {
        let mut page = board.page();
        let mut engine = page.hello["engines"][0].clone();
        if engine["state"] != "dead" {
            engine = page.wait_for(|message| message["engine"]["state"] == "dead")["engine"].clone();
        }
        assert!(engine["problem"]["key"].is_string());
        page.play("6e6d");
    }
}

#[test]
fn nothing_is_left_when_the_board_ends() {
    let mut board = Server::scripted("orphan");
    let mut page = board.page();
    page.play("6e6d");
    analyse(&mut page, true, 1);
    page.wait_for(|message| message["type"] == "analysis" && message["on"] == true);
    page.wait_for(|message| message["type"] == "engine" && message["engine"]["state"] != "starting");
    signal(board.process(), "-INT");
    assert!(board.wait().success());
    assert_eq!(engines_of(board.process()), BTreeMap::new());
    // The library has the game, and it is not saved again over what another board changes in it.
    let session = fs::read_to_string(board.folder.path().join("judkins/study.json")).unwrap();
    assert!(session.contains("6e6d") && session.contains("\"unconfirmed\":[]"), "{session}");
}

/// Nodes a second that the engine reports after some seconds of `go infinite` in a pipe.
fn speed_in_a_pipe(seconds: u64) -> f64 {
    let mut engine =
        Command::new(JUDKINS).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = engine.stdin.take().expect("it is piped");
    let output = BufReader::new(engine.stdout.take().expect("it is piped"));
    // As many as the board gives it.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let begin = format!("usi\nsetoption name Threads value {threads}\nisready\nposition startpos\ngo infinite\n");
    input.write_all(begin.as_bytes()).expect("it reads");
    std::thread::sleep(Duration::from_secs(seconds));
    input.write_all(b"stop\nquit\n").expect("it reads");
    let lines: Vec<String> = output.lines().map_while(Result::ok).collect();
    engine.wait().expect("it ends");
    let words = lines.iter().rev().find_map(|line| line.split_once(" nps ")).expect("it reports its speed").1;
    words.split(' ').next().and_then(|nps| nps.parse().ok()).expect("it is a number")
}

/// Nodes a second that the page shows after some seconds of analysis.
fn speed_in_the_page(seconds: u64) -> f64 {
    let board = Server::start();
    let mut page = board.page();
    analyse(&mut page, true, 1);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut last = 0.0;
    while Instant::now() < end {
        let found = page.wait("analysis");
        last = found["nps"].as_f64().unwrap_or(last);
    }
    last
}

#[test]
#[ignore = "measures for a minute on an idle machine: cargo test --release --test integration -- --ignored board::engines"]
fn analysis_in_the_page_searches_as_fast_as_in_a_pipe() {
    let (mut pipe, mut page) = (0.0, 0.0);
    for _ in 0..6 {
        pipe += speed_in_a_pipe(5);
        page += speed_in_the_page(5);
    }
    let share = page / pipe;
    println!("{:.0} nodes/s in a pipe, {:.0} in the page: {:.1} %", pipe / 6.0, page / 6.0, 100.0 * share);
    assert!(share >= 0.98);
}

#[test]
fn the_programs_own_options_come_with_their_explanation() {
    let board = Board::start();
    let engine = ready_engine(&mut board.page());
    let options = engine["options"].as_array().expect("they are a list");
    let threads = options.iter().find(|option| option["name"] == "Threads").expect("it is there");
    assert_eq!(threads["about"], "Threads that search, up to 512.");
}

#[test]
fn an_engine_that_failed_in_a_game_plays_and_analyses_in_the_next_one() {
    let board = Server::scripted("crash");
    let mut page = board.page();
    let seat = |kind: &str| json!({"kind": kind, "engine": 0});
    let new = json!({"type": "new", "black": seat("human"), "white": seat("engine")});
    page.ask(new.clone());
    page.position = page.wait_for(|message| message["type"] == "position");
    page.play("1f1e");
    page.position = page.wait_for(|message| message["type"] == "position" && message["last"] == "6a6b");
    page.play("1e1f");
    page.wait_for(|message| message["type"] == "engine" && !message["engine"]["problem"].is_null());
    page.ask(new);
    page.wait_for(|message| message["type"] == "engine" && message["engine"]["state"] == "idle");
    let engine = board.page().hello["engines"][0].clone();
    assert_eq!((&engine["problem"], &engine["state"]), (&Value::Null, &json!("idle")));
}

/// The other one's move was not taken, and nobody was to move any more.
#[test]
fn an_engine_that_fails_while_the_other_thinks_holds_up_its_own_move_only() {
    let (board, mut page) = Board::start().with_page();
    let engine = json!({"kind": "engine", "engine": 0});
    page.ask(json!({"type": "new", "black": engine, "white": engine}));
    page.wait_for(|message| message["game"]["waiting"] == "engine");
    board.fail();
    page.wait_for(|message| message["game"]["node"] == 1);
    page.ask(json!({"type": "restart", "engine": 0}));
    page.wait_for(|message| message["game"]["node"] == 2);
}

/// To start an engine may take longer than its move may.
#[test]
fn the_clock_of_an_engine_runs_once_it_searches() {
    let (board, mut page) = Board::start().with_page();
    let clock = json!({"main": 0, "byoyomi": 1, "increment": 0});
    page.ask(
        json!({"type": "new", "black": {"kind": "engine", "engine": 0}, "white": {"kind": "human"}, "clock": clock}),
    );
    page.wait_for(|message| message["game"]["waiting"] == "engine");
    board.advance(Duration::from_secs(60));
    board.tick();
    page.wait_for(|message| message["game"]["node"] == 1);
    board.advance(Duration::from_secs(60));
    board.tick();
    let game = page.wait_for_result()["game"].clone();
    assert_eq!(game["result"]["reason"], "time", "{game}");
}

/// An analysis went on with the rule of the study that was on the board when its engine was started.
#[test]
fn engines_know_the_impasse_rule_of_the_study() {
    let (board, mut page) = Board::start().with_page();
    let rule = |board: &Board| {
        let options = board.options();
        options.iter().rev().find(|(name, _)| name == "ImpasseRule").map(|(_, value)| value.clone())
    };
    page.ask(json!({"type": "analyse", "on": true, "engine": 0, "lines": 1}));
    page.wait_for(|message| message["type"] == "analysis" && message["depth"].is_number());
    assert_eq!(rule(&board), None);
    let human = json!({"kind": "human"});
    page.ask(json!({"type": "new", "black": human, "white": human, "impasseRule": "Try"}));
    page.ask(json!({"type": "endgame"}));
    for (request, expected) in [
        (json!({"type": "analyse", "on": true, "engine": 0, "lines": 1}), "Try"),
        (json!({"type": "paste", "text": "startpos moves 6e6d"}), "Points12"),
    ] {
        page.ask(request);
        page.wait_for(|message| message["type"] == "analysis" && message["depth"].is_number());
        assert_eq!(rule(&board).as_deref(), Some(expected));
    }
}

#[test]
fn options_that_change_during_a_hint_hold_for_the_next_one() {
    let (board, mut page) = Board::start().with_page();
    let before = board.processes();
    for (changes, started) in [(false, 1), (true, 1), (false, 2), (false, 2)] {
        let id = page.ask(json!({"type": "hint"}));
        if changes {
            page.ask(json!({"type": "option", "engine": 0, "name": "DrawValueBlack", "value": "50"}));
        }
        page.wait_for(|message| message["type"] == "hint" && message["id"] == id);
        assert_eq!(board.processes() - before, started);
    }
}

/// The number of lines is chosen beside the analysis; an option would work against it.
#[test]
fn the_number_of_lines_is_no_option() {
    let (_board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "analyse", "on": true, "engine": 0, "lines": 2}));
    let has_options =
        |message: &Value| message["engine"]["options"].as_array().is_some_and(|options| !options.is_empty());
    let engine = page.wait_for(|message| message["type"] == "engine" && has_options(message));
    let names = engine["engine"]["options"].as_array().unwrap().iter().map(|option| option["name"].as_str().unwrap());
    assert!(names.clone().any(|name| name == "USI_Hash") && !names.clone().any(|name| name.contains("MultiPV")));
}
