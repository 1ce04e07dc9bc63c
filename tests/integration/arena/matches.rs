//! Pairings, openings, the length of a match, and how it ends.

use std::collections::HashSet;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::processes::kill_engines_of;

use super::*;

#[test]
fn the_same_seed_gives_the_same_games_however_many_are_played_at_a_time() {
    let folders = [Folder::new(), Folder::new(), Folder::new()];
    let played: Vec<_> = folders
        .iter()
        .zip(["1", "2", "5"])
        .map(|(folder, concurrency)| {
            stdout(&run(&own_match(folder, &["--games", "8", "--seed", "7", "--concurrency", concurrency])));
            essence(&folder.records())
        })
        .collect();
    assert_eq!(played[0].len(), 8);
    assert!(played[0] == played[1] && played[0] == played[2]);
    let mut openings: Vec<&str> = played[0].iter().map(|game| game[3].as_str().expect("it is a text")).collect();
    openings.sort_unstable();
    let games: Vec<usize> = openings.chunk_by(|one, other| one == other).map(|same| same.len()).collect();
    assert_eq!(games, [2; 4], "pairs share openings: {openings:?}");
    let other = Folder::new();
    stdout(&run(&own_match(&other, &["--games", "8", "--seed", "8"])));
    assert_ne!(essence(&other.records()), played[0], "another seed gives other openings");
}

#[test]
fn an_interrupt_ends_the_match_cleanly() {
    let folder = Folder::new();
    let arguments = own_match(&folder, &["--games", "2000", "--concurrency", "2"]);
    let child = start(&arguments);
    wait_until("games", || folder.lines() >= 4);
    signal(child.id(), "-INT");
    let output = child.wait_with_output().expect("it ends");
    refused(&output, "interrupted: --resume goes on");
    let text = String::from_utf8_lossy(&output.stdout);
    let games = folder.records().len();
    assert!(text.contains(&format!("Stopped after {games} of 2000 games.\none against two: {games} games")), "{text}");
}

/// A match of slow engines under way.
fn slow_match(folder: &Folder) -> Child {
    let more = ["--each", "movetime=500", "--games", "20000", "--concurrency", "2"];
    let child = start(&scripted_pair(folder, ["slow", "slow"], &more));
    wait_until("games", || folder.lines() >= 4);
    child
}

/// Sends a signal to a runner's engines and to all that they have started, and then to itself.
fn signal_with_engines(runner: u32, name: &str) {
    let (engines, runner) = (engines_of(runner), runner.to_string());
    // Some have ended meanwhile.
    let _ = Command::new("kill").arg(name).args(engines.keys()).arg(runner).stderr(Stdio::null()).status();
}

#[test]
fn an_engine_that_is_terminated_before_its_match_has_not_crashed() {
    let folder = Folder::new();
    let child = slow_match(&folder);
    // As a service manager does, or the scheduler of a cluster.
    signal_with_engines(child.id(), "-TERM");
    refused(&child.wait_with_output().expect("it ends"), "interrupted: --resume goes on");
    let records = folder.records();
    assert!(records.iter().all(|record| record["reason"] == "sennichite"), "{records:?}");
}

#[test]
fn a_suspended_match_loses_no_game_on_time() {
    let folder = Folder::new();
    let child = slow_match(&folder);
    signal(child.id(), "-STOP");
    thread::sleep(Duration::from_millis(1_500));
    let games = folder.lines();
    signal(child.id(), "-CONT");
    wait_until("further games", || folder.lines() >= games + 4);
    signal(child.id(), "-INT");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(" games with the moves of another"), "all begin alike: {text}");
    let records = folder.records();
    assert!(records.iter().all(|record| record["reason"] == "sennichite"), "{records:?}");
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
    // A part of a match cannot be played with other replays.
    let others = ["--each", "movetime=1000", "--games", "2", "--replay-draws", "1", "--resume"];
    refuse(&scripted_pair(&folder, ["fair", "fair"], &others), "game 1 was played with more --replay-draws");
    // An adjudicated draw stands.
    let folder = Folder::new();
    scripted_match(&folder, ["fair", "fair"], &[&arguments[..], &["--max-moves", "4"]].concat());
    assert_eq!(folder.records().len(), 2);
}

#[test]
fn of_several_lines_the_first_ones_exact_score_counts() {
    let folder = Folder::new();
    scripted_match(&folder, ["lines", "fair"], &["--each", "movetime=1000", "--games", "2"]);
    let game = &folder.records()[0];
    let said = ["scores", "depths", "nodes"].map(|list| game[list][0].clone());
    assert_eq!(said, [50, 3, 90].map(Value::from));
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
fn handicap_games_begin_with_white() {
    let folder = Folder::new();
    stdout(&run(&own_match(&folder, &["--games", "2", "--handicap", "bishop"])));
    for record in folder.records() {
        assert_eq!(record["opening"], "sfen r1nsgk/5p/6/6/P5/KGSNBR w - 1");
    }
}

#[test]
fn games_of_any_format_are_openings() {
    let folder = Folder::new();
    let (usi, openings) = (folder.file("games.usi", "startpos moves 6e6d 1b1c 5f5e\n"), "startpos moves 6e6d 1b1c");
    for name in ["games.pgn", "games.kif", "games.ki2", "games.usi"] {
        let file = folder.path(name);
        succeed(&["convert", &usi, &file]);
        let record = folder.path("games.jsonl");
        stdout(&run(&own_match(&folder, &["--games", "2", "--openings", &file, "--opening-plies", "2"])));
        assert!(folder.records().iter().all(|record| record["opening"] == openings), "{name}");
        fs::remove_file(record).expect("it is there");
    }
}

#[test]
fn a_clock_for_so_many_moves_tells_how_many_are_left() {
    let folder = Folder::new();
    let log = folder.path("log");
    let engine = format!("log {log},tc=2/100");
    scripted_match(&folder, [&engine, "fair"], &["--each", "st=20", "--games", "2"]);
    let told = fs::read_to_string(log).expect("it was written");
    let mut searches = told.lines().filter(|line| line.starts_with("go "));
    assert_eq!(searches.next(), Some("go btime 100000 wtime 0 byoyomi 0 movestogo 2"), "{told}");
    assert!(searches.next().is_some_and(|line| line.ends_with(" movestogo 1")), "{told}");
    assert!(searches.next().is_some_and(|line| line.ends_with(" movestogo 2")), "{told}");
    assert_eq!(folder.records()[0]["black"]["limit"], "tc=2/100");
}

#[test]
fn more_threads_than_cores_are_warned_of() {
    let engines = ["one", "two"].map(|name| scripted(name, "threads"));
    let folder = Folder::new();
    let openings = folder.openings("startpos");
    let plan = ["--engine", &engines[0], "--engine", &engines[1], "--openings", &openings, "--games", "4"];
    let more = ["--concurrency", "9", "--each", "movetime=1000,option.threads=50000"];
    let output = run(&[&plan[..], &more].concat());
    // Two pairs are two games at a time.
    let told = "--concurrency 2 × Threads 50000 is more than the ";
    assert!(output.status.success() && stderr(&output).contains(told), "{output:?}");
}

#[test]
fn impossible_matches_are_refused_before_the_first_game() {
    let folder = Folder::new();
    let over = folder.file("over.usi", "5k/6/5P/6/6/K5 b G 1 moves G*1b\n");
    let notes = folder.file("notes.txt", "my notes\n");
    let bad_openings = folder.openings("startpos\nnonsense");
    let fair = scripted("fair", "fair");
    let two = [fair.as_str(), &scripted("two", "fair")];
    let refuses = |engines: &[&str], arguments: &[&str], error: &str| {
        let mut all = arguments.to_vec();
        engines.iter().for_each(|&engine| all.extend(["--engine", engine]));
        refuse(&all, error);
    };
    for (engines, arguments, error) in [
        (&[][..], &[][..], "--engine is missing"),
        (&two[..1], &["--each", "nodes=5"], "a match needs two engines"),
        (&[&fair, &fair], &["--each", "nodes=5"], "two engines are called fair"),
        (&["cmd=x name=fair", &fair], &["--each", "nodes=5"], "a comma goes before name, not a space: cmd=x,name="),
        (&[&fair, "cmd=/no/such/engine"], &["--each", "nodes=5"], "there is no program '/no/such/engine'"),
        (&[&fair, "cmd=no-such-engine"], &["--each", "nodes=5"], "there is no program 'no-such-engine'"),
        (&two, &[], "fair: a limit is missing"),
        (&two, &["--each", "tc=inf"], "fair: a limit is missing"),
        (&two, &["--each", "tc=40/"], "tc: '' is not a time; write seconds, 1:30,"),
        (&two, &["--each", "nodes=5,option.Nonesuch=1"], "fair: it has no option 'Nonesuch'"),
        (&two, &["--each", "nodes=5,option.Level=10"], "Level goes from 0 to 9, which '10' does not lie in"),
        (&two, &["--each", "nodes=5,option.Bold=yes"], "Bold is true or false, not 'yes'"),
        (&two, &["--each", "nodes=5,option.Style=Wild"], "Style cannot be 'Wild', only Solid, Very Risky"),
        (&two, &["--each", "nodes=5,stderr=/no/such/folder/log"], "fair cannot be started"),
        (&two, &["--each", "nodes=5,dir=/no/such/folder"], "fair cannot be started"),
        (&[], &["--record", &notes, "--seed", "2"], "--engine"),
        (&[], &["--record", &notes, "--max-moves", "2"], "a record has the rules of its match"),
    ] {
        refuses(engines, arguments, error);
    }
    for (arguments, error) in [
        (&["--games", "7"][..], "--games is 7: games come in pairs"),
        (&["--games", "1000000000000"], "games come in pairs, at most"),
        (&["--openings", &bad_openings], "line 2, column 1: 'startpos', an SFEN"),
        (&["--openings", "/no/such/file"], "/no/such/file: "),
        (&["--openings", &notes], "is not a file of openings, which may be in PGN, KIF"),
        (&["--openings", &over], "the game is over: Black wins: checkmate; --opening-plies N"),
        (&["--sprt", "elo0=5", "elo1=0"], "elo0 must be less than elo1"),
        (&["--sprt", "elo0=5"], "--sprt needs elo1="),
        (&["--sprt", "elo0=0", "elo1=1e12"], "neither further from zero than 1000"),
        (&["--draw", "movecount=0", "score=5"], "--draw: movecount takes a whole number from 1, not '0'"),
        (&["--draw", "score=5"], "--draw needs movecount="),
        (&["--resign", "movecount=1", "score=-5"], "--resign: score takes centipawns from 0, not '-5'"),
        (&["--resign", "movecount=x", "score=5"], "--resign: movecount takes a whole number from 1, not 'x'"),
        (
            &["--resign", "movecount=3", "score=5", "speed=1"],
            "unknown key 'speed' in --resign; the keys are movecount, score, twosided",
        ),
        (&["--record", "/tmp/x", "--pgn", "/tmp/x"], "/tmp/x is asked for twice"),
        (&["--impasse-plies", "1001"], "1001"),
        (
            &["--impasse-rule", "CuteChess"],
            "ImpasseRule cannot be the match's 'CuteChess', only Points12, Try, Declaration; with proto=uci it may know it",
        ),
    ] {
        refuses(&two, &[&["--each", "nodes=5"], arguments].concat(), error);
    }
}

#[test]
fn nodes_vary_from_pair_to_pair_and_a_resumed_match_is_the_same() {
    let folder = Folder::new();
    let openings = folder.openings("startpos");
    let play = |more: &[&str]| {
        let arguments = ["--node-jitter", "10", "--seed", "7", "--games", "12", "--openings", &openings];
        stdout(&run(&own_match(&folder, &[&arguments[..], more].concat())));
        folder.records()
    };
    let records = play(&[]);
    let limits: Vec<[&str; 2]> = records
        .iter()
        .map(|record| {
            ["one", "two"].map(|name| {
                let color = if record["black"]["name"] == name { "black" } else { "white" };
                record[color]["limit"].as_str().expect("it is a text")
            })
        })
        .collect();
    assert!(limits.chunks(2).all(|pair| pair[0] == pair[1]), "{limits:?}");
    let nodes = |text: &str| text.strip_prefix("nodes=").expect("a limit").parse::<f64>().expect("a number");
    for [one, two] in &limits {
        assert!((180.0..=220.0).contains(&nodes(one)) && (nodes(one) * 1.5 - nodes(two)).abs() < 2.0, "{one} {two}");
    }
    let distinct: HashSet<_> = limits.iter().map(|[one, _]| *one).collect();
    let games: HashSet<_> = records.iter().map(|record| record["moves"].to_string()).collect();
    assert!(distinct.len() > 3 && games.len() > 4, "{} limits, {} games", distinct.len(), games.len());
    // Without its last games, the match goes on with the same ones.
    let record = folder.path("games.jsonl");
    let text = fs::read_to_string(&record).expect("it is there");
    fs::write(&record, text.split_inclusive('\n').take(5).collect::<String>()).expect("it can be written");
    assert_eq!(essence(&play(&["--resume"])), essence(&records));
    let fewer = ["--games", "12", "--openings", &openings, "--resume"];
    refuse(&own_match(&folder, &fewer), "cannot be resumed with other settings");
}

#[test]
fn a_job_has_the_limits_and_audits_of_its_match() {
    let folder = Folder::new();
    let openings = folder.openings("startpos");
    let rule = ["--resign", "movecount=1", "score=100", "audit=50"];
    let arguments = ["--node-jitter", "10", "--games", "4", "--openings", &openings];
    let arguments = [&arguments[..], &rule].concat();
    let text = stdout(&run(&own_match(&folder, &arguments)));
    let records = folder.records();
    assert!(text.contains("  audit ") && text.contains(" played on after --resign applied: its winner +"), "{text}");
    let adjudicated = records.iter().map(|record| record["reason"] == "adjudicated-win");
    assert_eq!(adjudicated.collect::<Vec<_>>(), [true, true, false, false], "{text}");
    let shown = stdout(&run(&["--record", &folder.path("games.jsonl")]));
    assert!(shown.contains("  audit "), "{shown}");
    let mut list = own_match(&folder, &[&arguments[..], &["--jobs", "1"]].concat());
    let record = list.iter().position(|text| text == "--record").expect("there is one");
    list.drain(record..record + 2);
    let jobs = stdout(&run(&list));
    let line: Value = serde_json::from_str(jobs.lines().nth(1).expect("two pairs")).expect("it is JSON");
    let job = folder.file("job.json", &line["job"].to_string());
    let played: Value = serde_json::from_str(&stdout(&run(&["--job", &job]))).expect("it is JSON");
    for (game, of_match) in [(0, 2), (1, 3)] {
        for key in ["moves", "black", "white", "result"] {
            assert_eq!(played["games"][game][key], records[of_match][key]);
        }
    }
}

#[test]
fn a_test_that_would_count_copies_is_refused() {
    let folder = Folder::new();
    let openings = folder.openings("startpos moves 6e6d 1b1c 5f5e\nstartpos moves 5f5e 1b1c 6e6d");
    let engines = [scripted("one", "threads"), scripted("two", "threads")];
    let play = |each: &str, more: &[&str]| {
        let plan = ["--engine", &engines[0], "--engine", &engines[1], "--openings", &openings, "--each", each];
        let games = if more.contains(&"--games") { &[][..] } else { &["--games", "4"] };
        run(&[&plan[..], games, &["--sprt", "elo0=0", "elo1=5"], more].concat())
    };
    refused(&play("nodes=1000", &[]), "only 1 of 2 pairs would differ; --node-jitter 10 varies");
    let error = refused(&play("depth=3", &[]), "give more --openings");
    assert!(!error.contains("--node-jitter"), "{error}");
    for (each, more) in [
        ("nodes=1000", &["--node-jitter", "10"][..]),
        ("movetime=1000", &[]),
        ("nodes=1000,tc=100", &[]),
        ("nodes=1000,option.Threads=2", &[]),
    ] {
        let output = play(each, more);
        assert!(output.status.success(), "{each}: {}", stderr(&output));
    }
    // Of 40 pairs some have the same limits, and all have the same opening.
    let jitter = ["--node-jitter", "10", "--games", "80"];
    refused(&play("nodes=100", &jitter), "of 40 pairs would differ; a larger --node-jitter or more nodes");
    // Only the openings that are played count.
    folder.openings("startpos moves 5f5e\nstartpos moves 5f5e\nstartpos moves 4f4e\nstartpos moves 6e6d");
    refused(&play("nodes=100", &["--order", "sequential"]), "only 1 of 2 pairs would differ");
    refused(&play("depth=3", &["--node-jitter", "10"]), "--node-jitter varies nodes=, which no engine has");
}

#[test]
fn a_second_interrupt_ends_engines_that_hang_too() {
    let folder = Folder::new();
    let arguments = scripted_pair(&folder, ["forever", "fair"], &["--each", "nodes=1"]);
    let run_until = |end: fn(&mut Child)| {
        let mut child = start(&arguments);
        let runs = |id, part: &str| engines_of(id).values().any(|line| line.contains(part));
        wait_until("the engine to hang", || runs(child.id(), "sleep 98709"));
        end(&mut child);
        child.wait().expect("it ends");
        wait_until("the engine to end", || !runs(child.id(), "forever"));
        child.id()
    };
    let interrupted = run_until(|child| (0..2).for_each(|_| signal(child.id(), "-INT")));
    wait_until("the end of what the engine has started", || engines_of(interrupted).is_empty());
    assert_eq!(folder.lines(), 0, "an engine that the runner kills does not crash");
    // A killed runner can take only the engine itself with it.
    kill_engines_of(run_until(|child| child.kill().expect("it ends")));
}

#[test]
fn an_engine_is_found_from_a_folder_of_its_own() {
    let folder = Folder::new();
    fs::create_dir(folder.path("elsewhere")).expect("it can be made");
    let engine = format!("cmd=tests/data/engine.sh,name=moved,args=fair,dir={}", folder.path("elsewhere"));
    let (fair, openings) = (scripted("fair", "fair"), folder.openings("startpos"));
    let engines = ["--engine", &engine, "--engine", &fair];
    let text = stdout(&run(&[&engines[..], &["--each", "nodes=1", "--games=2", "--openings", &openings]].concat()));
    assert!(text.contains("endings    sennichite 2"), "{text}");
}
