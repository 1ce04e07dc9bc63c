//! Faults outside the program: a full disk, a closed pipe, input that ends anywhere, a stopped process.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::thread;

use judkins::engine::{Engine, OptionTable};
use judkins::frontend::{Output, Session};

use crate::common::processes::engines_of;
use crate::common::{
    Folder, JUDKINS, command, output_with_input, refused, refused_as, signal, stderr, stdout, wait_until,
};

/// Two engines that take no time.
const MATCH: [&str; 7] = [
    "match",
    "--engine",
    concat!("cmd=", env!("CARGO_BIN_EXE_judkins"), ",name=one"),
    "--engine",
    concat!("cmd=", env!("CARGO_BIN_EXE_judkins"), ",name=two"),
    "--each",
    "nodes=200,option.USI_Hash=1,option.MateNodes=0",
];

/// Runs the program in a folder.
fn run(folder: &Folder, arguments: &[&str]) -> process::Output {
    command(arguments).current_dir(folder.path("")).output().expect("the binary starts")
}

/// Runs the program with a limit on file sizes, in blocks of 512 bytes, as on a full disk.
fn run_on_a_full_disk(folder: &Folder, blocks: u32, arguments: &[&str]) -> process::Output {
    Command::new("sh")
        .args(["-c", "ulimit -f \"$0\"; exec \"$@\"", &blocks.to_string(), JUDKINS])
        .args(arguments)
        .current_dir(folder.path(""))
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell")
}

/// Every file below a folder with its bytes, but empty ones: a lock is empty.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let bytes = fs::read(&path).expect("the file can be read");
            if !bytes.is_empty() {
                found.insert(path, bytes);
            }
        }
    }
    found
}

/// The moves of every game of a record, by the number of the game.
fn games(record: &str) -> BTreeMap<u64, String> {
    let text = fs::read_to_string(record).expect("the match was recorded");
    assert!(text.ends_with('\n'), "every line is whole");
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line is JSON"));
    lines
        .map(|game| {
            let moves: Vec<&str> =
                game["moves"].as_array().into_iter().flatten().filter_map(|mv| mv.as_str()).collect();
            assert!(!moves.is_empty(), "{game}");
            (game["game"].as_u64().expect("a game has a number"), moves.join(" "))
        })
        .collect()
}

#[test]
fn a_match_goes_on_after_the_disk_was_full() {
    let folder = Folder::new();
    let play = |record| [&MATCH[..], &["--games", "12", "--seed", "5", "--record", record]].concat();
    stdout(&run(&folder, &play("undisturbed.jsonl")));
    let output = run_on_a_full_disk(&folder, 16, &play("games.jsonl"));
    refused(&output, "games.jsonl");
    let record = folder.path("games.jsonl");
    assert!((1..12).contains(&games(&record).len()), "some games fit in 8 KiB, and not all");
    stdout(&run(&folder, &[&play("games.jsonl")[..], &["--resume"]].concat()));
    assert_eq!(games(&record), games(&folder.path("undisturbed.jsonl")));
}

#[test]
fn a_full_disk_leaves_no_half_file() {
    let folder = Folder::new();
    let datagen = |out| ["datagen", "--out", out, "--shards", "1", "--games", "100", "--nodes", "20"];
    stdout(&run(&folder, &datagen("data")));
    stdout(&run(&folder, &[&MATCH[..], &["--games", "2", "--record", "games.jsonl"]].concat()));
    folder.file("tune.toml", "[parameters]\nRfpMargin = {}\n");
    for output in ["game.kif", "report.html", "match.svg"] {
        folder.file(output, "what was there before");
    }
    let files = || files(Path::new(&folder.path("")));
    let before = files();
    let tune = "tune --params tune.toml --each nodes=20 --iterations 1 --out tuning";
    for command in [
        "convert games.jsonl game.kif --to kif",
        "review games.jsonl --nodes 1000 --report report.html --game 1",
        "review games.jsonl --nodes 1000 --annotate game.kif --game 1",
        "match --record games.jsonl --report match.svg",
        "datagen --out more --shards 1 --games 20 --nodes 20",
        "data shuffle data --out shuffled",
        "data rescore data --out rescored --nodes 20",
        "train data --out training --epochs 1 --batch 64",
        tune,
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        // A block is enough for what little a command writes first, and too little for the rest.
        let output = run_on_a_full_disk(&folder, 1, &arguments);
        let message = refused_as(command, &output, "");
        assert_eq!(message.matches("os error").count(), 1, "{command}: the cause is told once: {message}");
        let after = files();
        let whole = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            ["settings.json", "values.csv", "state.json", "losses.csv"].contains(&&*name)
        };
        for (path, bytes) in &after {
            assert!(before.get(path) == Some(bytes) || whole(path), "{command} left {} behind", path.display());
        }
        assert!(before.keys().all(|path| after.contains_key(path)), "{command} removed what was there");
    }
}

#[test]
fn a_device_is_written_to_and_stays_a_device() {
    let folder = Folder::new();
    folder.file("game.usi", "startpos moves 6e6d\n");
    let output = run(&folder, &["convert", "game.usi", "/dev/stdout", "--to", "pgn"]);
    stdout(&output);
    assert!(String::from_utf8_lossy(&output.stdout).contains("[Variant"), "{output:?}");
    if Path::new("/dev/full").exists() {
        let output = run(&folder, &["convert", "game.usi", "/dev/full", "--to", "pgn"]);
        refused(&output, "/dev/full: No space left");
    }
}

#[test]
fn a_session_goes_on_when_its_log_cannot_be_written() {
    let folder = Folder::new();
    let mut session = Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\"", JUDKINS])
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let lines = "setoption name DebugLogFile value log.txt\nusi\nisready\ngo nodes 1000\n";
    session.stdin.take().expect("it is piped").write_all(lines.as_bytes()).expect("it reads");
    let output = session.wait_with_output().expect("it ends");
    stdout(&output);
    assert!(String::from_utf8_lossy(&output.stdout).contains("\nbestmove "), "{output:?}");
    assert!(stderr(&output).contains("DebugLogFile is closed"), "{output:?}");
}

/// The output of a session in this process: hundreds of processes take long to start.
fn output_of_session(input: &str) -> String {
    let (output, stream) = io::pipe().expect("a pipe can be made");
    let reader = thread::spawn(|| io::read_to_string(output).expect("the engine writes UTF-8"));
    let engine = Engine::new(OptionTable::new(None, false).expect("the defaults exist")).expect("it starts");
    Session::new(engine, Output::new(stream, |_| {}))
        .expect("no log is opened")
        .run(io::Cursor::new(input.to_owned()))
        .expect("it reads");
    reader.join().expect("it does not panic")
}

#[test]
fn input_may_end_at_every_byte() {
    let session = "usi\nsetoption name USI_Hash value 1\nsetoption name MateNodes value 0\nisready\nusinewgame\n\
        position startpos moves 6e6d\ngo nodes 100\nisready\nposition sfen 5k/6/5P/6/6/K5 b G 1\ngo mate 1000\n\
        go infinite\nstop\ngo btime 100 wtime 100\nquit\n";
    for end in 0..=session.len() {
        let input = &session[..end];
        let text = output_of_session(input);
        if end % 16 == 0 {
            let output = output_with_input(&mut Command::new(JUDKINS), input);
            assert!(output.status.success() && output.stderr.is_empty(), "after {input:?}: {output:?}");
        }
        let answers = text.lines().filter(|line| line.starts_with("bestmove") || line.starts_with("checkmate"));
        let searches = input.split_inclusive('\n').filter(|line| line.starts_with("go ") && line.ends_with('\n'));
        // A line that has no end is a line all the same: `go node` is a search, too.
        let cut =
            input.lines().last().is_some_and(|line| line == "go" || line.starts_with("go ")) && !input.ends_with('\n');
        assert_eq!(answers.count(), searches.count() + usize::from(cut), "after {input:?}: {text}");
    }
}

#[test]
fn a_stopped_engine_loses_its_game_and_the_match_goes_on() {
    let folder = Folder::new();
    folder.file("openings.txt", "startpos\n");
    let [one, two] = ["one", "two"].map(|name| format!("cmd={JUDKINS},name={name},option.DebugLogFile={name}.log"));
    let play = ["--each", "movetime=200,margin=1000", "--games", "2", "--max-moves", "20"];
    let files = ["--openings", "openings.txt", "--record", "games.jsonl"];
    let arguments = [&["match", "--engine", &one, "--engine", &two][..], &play, &files].concat();
    let child = command(&arguments).current_dir(folder.path("")).spawn().expect("the binary starts");
    // An engine that has not moved yet would end the match.
    let has_moved = |name| fs::read_to_string(folder.path(name)).is_ok_and(|log| log.contains("bestmove"));
    wait_until("a move of each", || ["one.log", "two.log"].into_iter().all(has_moved));
    let stopped = engines_of(child.id()).into_keys().next().expect("engines play");
    signal(&stopped, "-STOP");
    let output = child.wait_with_output().expect("it ends");
    stdout(&output);
    let text = fs::read_to_string(folder.path("games.jsonl")).expect("the match was recorded");
    let lost = text.lines().filter(|line| line.contains("\"reason\":\"hang\"")).count();
    assert!(text.lines().count() == 2 && lost == 1, "{text}");
    assert!(!Path::new("/proc").join(&stopped).exists(), "the stopped engine was killed");
}
