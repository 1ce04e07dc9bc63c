//! Engines that misbehave lose, with the reason recorded, and the match continues.

use super::*;

/// Plays a misbehaving engine against a fair one, a game with either colour: see [`loses_all`].
fn loses(manner: &str, limit: &str, reason: &str, detail: &str) {
    loses_all(2, manner, limit, reason, detail);
}

/// Plays a misbehaving engine against a fair one: the first loses every game for the same reason, with either colour,
/// and the fair one, with ample time for a busy machine, continues to play.
fn loses_all(games: usize, manner: &str, limit: &str, reason: &str, detail: &str) {
    let folder = Folder::new();
    let count = games.to_string();
    let arguments = ["--each", limit, "--games", &count, "--concurrency", "2"];
    let text = scripted_match(&folder, [manner, PATIENT], &arguments);
    let records = folder.records();
    assert_eq!(records.len(), games, "{manner}: {text}");
    let black = records.iter().filter(|record| record["black"]["name"] == "one").count();
    assert_eq!(black, games / 2, "{manner}: {text}");
    assert_lost(&records, reason, detail);
    assert!(text.contains(&format!("+0 =0 -{games}")), "{manner}: {text}");
}

/// The first engine has lost all these games for this reason.
fn assert_lost(records: &[Value], reason: &str, detail: &str) {
    for record in records {
        let lost = if record["black"]["name"] == "one" { "0-1" } else { "1-0" };
        assert_eq!((&record["result"], &record["reason"]), (&lost.into(), &reason.into()), "{record}");
        assert!(record["detail"].as_str().is_some_and(|found| found.contains(detail)), "no '{detail}' in {record}");
    }
}

/// A fair engine with more time than `--each` says.
const PATIENT: &str = "slow,movetime=20000";

/// Soon over, and more than a move takes on a busy machine.
const QUICK: &str = "movetime=1000,patience=1";

#[test]
fn an_engine_whose_process_ends_loses() {
    // Two games at a time, and the match continues.
    loses_all(4, "crash", QUICK, "crash", "one was killed by signal 11");
    loses("exit", QUICK, "crash", "one exited with status 3");
    loses("cut", QUICK, "crash", "one exited with status 0 in the middle of a line");
    // Its child process holds its output open, and has left its process group.
    loses("parent", QUICK, "crash", "one was killed by signal 11");
}

/// Faults of an engine before its first move, with the reason and its text.
const EARLY_FAULTS: [(&str, &str, &str); 5] = [
    ("gone", "crash", "one exited with status 1"),
    ("mute", "no-start", "one did not answer to 'usi' within 1 s"),
    ("unready", "no-start", "one did not answer to 'isready' within 1 s"),
    ("dead", "crash", "one exited with status 4 after it said 'no weights'"),
    ("babble", "nonsense", "one answered 'bestmove (none)'"),
];

#[test]
fn an_engine_that_fails_before_its_first_move_ends_the_match_without_a_result() {
    let folder = Folder::new();
    for (manner, _, words) in EARLY_FAULTS {
        let error = refuse(&scripted_pair(&folder, [manner, PATIENT], &["--each", QUICK]), words);
        assert!(error.contains("before its first move; --recover counts such games as lost"), "{manner}: {error}");
        assert_eq!(folder.lines(), 0, "{manner}");
    }
    // The command with the mistake mended.
    let mended = scripted_match(&folder, ["fair", PATIENT], &["--each", QUICK, "--games=2"]);
    assert!(mended.contains("one against two: 2 games"), "{mended}");
}

#[test]
fn an_engine_that_never_makes_a_move_gives_no_result_even_if_the_match_goes_on() {
    for (manner, reason, words) in EARLY_FAULTS {
        let folder = Folder::new();
        let report = folder.path("report.svg");
        let more = ["--each", QUICK, "--recover", "--games=4", "--concurrency=2", "--report", &report];
        let text = scripted_match(&folder, [manner, PATIENT], &more);
        let records = folder.records();
        assert_eq!(records.len(), 4, "{manner}: {text}");
        assert_lost(&records, reason, words);
        let report = fs::read_to_string(report).expect("it was drawn");
        for text in [text, report] {
            assert!(text.contains("no result: one never made a move") && !text.contains("Elo"), "{manner}: {text}");
        }
    }
    // Nor do two such engines, of which each wins half of the games.
    let folder = Folder::new();
    let more = ["--recover", "--games=60", "--sprt", "elo0=-100", "elo1=0", "--each", QUICK];
    let text = scripted_match(&folder, ["gone", "gone"], &more);
    assert!(folder.records().len() == 60 && text.contains("no result: one never made a move"), "{text}");
    // As many lost games would decide a test.
    let folder = Folder::new();
    let text = scripted_match(&folder, ["gone", PATIENT], &[&more[..], &["--concurrency=2"]].concat());
    assert!(folder.records().len() == 60 && text.contains("no result\n") && !text.contains("accepted"), "{text}");
}

#[test]
fn a_match_recovers_from_a_fault_before_a_move() {
    let folder = Folder::new();
    let failing = format!("once {}", folder.path("failed"));
    let text = scripted_match(&folder, [&failing, PATIENT], &["--each", QUICK, "--recover", "--games=4"]);
    let reasons: Vec<Value> = folder.records().iter().map(|record| record["reason"].clone()).collect();
    assert_eq!(reasons, ["crash", "sennichite", "sennichite", "sennichite"]);
    assert!(text.contains("crash 1") && text.contains("Elo") && !text.contains("no result"), "{text}");
}

#[test]
fn an_engine_that_ends_between_two_games_loses_none_by_it() {
    let folder = Folder::new();
    scripted_match(&folder, ["over", "fair"], &["--each", QUICK, "--games", "4"]);
    let reasons: Vec<Value> = folder.records().iter().map(|record| record["reason"].clone()).collect();
    assert_eq!(reasons, ["sennichite"; 4]);
}

#[test]
fn an_engine_that_does_not_answer_loses_and_nothing_of_it_is_left() {
    std::thread::scope(|scope| {
        for (engine, limits, reason, detail) in [
            ("stall", QUICK, "hang", "one did not answer within 1050 ms, nor to stop"),
            ("stubborn", QUICK, "hang", "one did not answer"),
            ("half", QUICK, "hang", "one did not answer"),
            ("orphan", QUICK, "hang", "one did not answer"),
            // Without a clock, `patience` is the limit.
            ("stall", "nodes=100,patience=1", "hang", "one did not answer within 1000 ms"),
            ("close", QUICK, "closed-output", "one closed its output"),
        ] {
            scope.spawn(move || loses(engine, limits, reason, detail));
        }
    });
}

#[test]
fn an_engine_that_answers_late_loses() {
    loses("late", QUICK, "time", "of 1000");
    loses("late", "byoyomi=1000", "time", "of 1000");
}

#[test]
fn the_time_of_a_move_is_off_the_clock_at_the_next() {
    let folder = Folder::new();
    scripted_match(&folder, ["late", PATIENT], &["--each", "tc=1,margin=0", "--games", "2"]);
    for record in folder.records() {
        let detail = record["detail"].as_str().expect("it is a text");
        let (_, left) = detail.rsplit_once(" of ").expect("it says how much there was");
        assert!(left.parse::<u32>().expect("it is a time") < 1000, "{record}");
    }
}

#[test]
fn a_margin_forgives_an_engine_that_is_late() {
    let arguments = ["--each", "movetime=1000,margin=20000", "--games", "2"];
    let text = scripted_match(&Folder::new(), ["late", "fair"], &arguments);
    assert!(text.contains("endings    sennichite 2"), "{text}");
}

#[test]
fn a_clock_is_overdrawn_by_the_margin_at_most() {
    let folder = Folder::new();
    // Six moves of 20 ms each, of which the margin forgives every one, but not all.
    let arguments = ["--each", "tc=0.01,margin=70", "--games", "2"];
    scripted_match(&folder, ["slow", "slow"], &arguments);
    for record in folder.records() {
        assert_eq!(record["reason"], "time", "{record}");
    }
}

#[test]
fn an_engine_that_cheats_or_talks_nonsense_loses() {
    loses("cheat", QUICK, "illegal-move", "one: illegal move 6e6c");
    loses("nonsense", QUICK, "nonsense", "one answered 'bestmove banana'");
    loses("binary", QUICK, "nonsense", "one answered 'bestmove ");
    loses("empty", QUICK, "nonsense", "one answered 'bestmove '");
    loses("declare", QUICK, "wrong-declaration", "one: wrong declaration");
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
    let text = scripted_match(&Folder::new(), ["flood", PATIENT], &["--each", "movetime=1000", "--games", "2"]);
    assert!(text.contains("+0 =0 -2"), "{text}");
}

#[test]
fn other_output_of_an_engine_is_skipped() {
    let text = scripted_match(&Folder::new(), ["chat", "fair"], &["--each", "movetime=20000", "--games", "2"]);
    assert!(text.contains("endings    sennichite 2") && text.contains("length     median 12 plies"), "{text}");
}

#[test]
fn an_option_that_an_engine_refuses_ends_the_match_before_the_first_game() {
    let folder = Folder::new();
    let lost = folder.path("lost");
    for (engine, error) in [
        (
            format!("{},option.EvalFile=/nowhere/at-all.net", judkins("one")),
            "one refused option.EvalFile=/nowhere/at-all.net; it says: error: EvalFile '/nowhere/at-all.net': No such file",
        ),
        (
            format!("{},option.Bold=true,option.Level=5", scripted("one", "fussy")),
            "one refused option.Level=5; it says: error: Level: not this one",
        ),
        // The first process of it takes what the second one refuses.
        (
            format!("{},option.Bold=true,option.Level=5", scripted("one", &format!("sour {lost}"))),
            "one refused one of option.Bold=true, option.Level=5; it says: error: it is too late for that",
        ),
    ] {
        let (two, record) = (judkins("two"), folder.path("games.jsonl"));
        let engines = ["--engine", &engine, "--engine", &two];
        // An engine that recovers from faults does not play with other options than the requested ones.
        let more = ["--each", "nodes=50", "--games", "2", "--recover", "--record", &record];
        refuse(&[&engines[..], &more].concat(), error);
        assert_eq!(folder.lines(), 0);
    }
}

#[test]
fn other_messages_than_option_errors_do_not_end_the_match() {
    let arguments = ["--each", "movetime=1000,option.Level=5", "--games", "2"];
    let text = scripted_match(&Folder::new(), ["wordy", "fair"], &arguments);
    assert!(text.contains("endings    sennichite 2"), "{text}");
}
