//! Engines that misbehave lose, with the reason recorded, and the match goes on.

use super::*;

/// A match of a misbehaving engine against a fair one: every game is lost by the first for the same reason, whichever
/// colour it has, and the fair one, which has all the time that a busy machine may take, goes on playing.
fn loses(manner: &str, limit: &str, reason: &str, detail: &str) {
    let folder = Folder::new();
    let arguments = ["--each", limit, "--games", "4", "--concurrency", "2"];
    let text = scripted_match(&folder, [manner, PATIENT], &arguments);
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

/// A fair engine with more time than `--each` says.
const PATIENT: &str = "slow,movetime=20000";

/// Soon over, and more than a move takes on a busy machine.
const QUICK: &str = "movetime=1000,patience=1";

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
    loses("stall", QUICK, "hang", "one did not answer within 1050 ms, nor to stop");
    loses("stubborn", QUICK, "hang", "one did not answer");
    loses("half", QUICK, "hang", "one did not answer");
    loses("orphan", QUICK, "hang", "one did not answer");
    // Without a clock, `patience` is the limit.
    loses("stall", "nodes=100,patience=1", "hang", "one did not answer within 1000 ms");
    loses("close", QUICK, "closed-output", "one closed its output");
    (98701..=98706).for_each(|seconds| assert_ends(&format!("sleep {seconds}")));
}

#[test]
fn an_engine_that_answers_late_loses() {
    loses("late", QUICK, "time", "of 1000");
    loses("late", "byoyomi=1000", "time", "of 1000");
}

#[test]
fn what_a_move_took_is_off_the_clock_at_the_next() {
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
    let text = scripted_match(&Folder::new(), ["flood", PATIENT], &["--each", "movetime=1000", "--games", "2"]);
    assert!(text.contains("+0 =0 -2"), "{text}");
}

#[test]
fn other_output_of_an_engine_is_skipped() {
    let text = scripted_match(&Folder::new(), ["chat", "fair"], &["--each", "movetime=20000", "--games", "2"]);
    assert!(text.contains("endings    sennichite 2") && text.contains("length     median 12 plies"), "{text}");
}

#[test]
fn errors_about_options_are_reported_before_the_match() {
    let folder = Folder::new();
    let one = format!("{},option.EvalFile=/nowhere/at-all.net", judkins("one"));
    let two = judkins("two");
    let arguments = ["--engine", &one, "--engine", &two, "--each", "nodes=50", "--games", "2"];
    let output = run(&[&arguments[..], &["--record", &folder.file("games.jsonl")]].concat());
    let told = stderr(&output);
    assert!(told.contains("one says: error: EvalFile '/nowhere/at-all.net': No such file"), "{told}");
    assert!(output.status.success() && !told.contains("two says"), "{told}");
}
