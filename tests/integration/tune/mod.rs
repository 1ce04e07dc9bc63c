//! Tuning through real pipes: an engine whose strength is known to the last Elo, runs that are killed, jobs.

mod stub;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use judkins::arena::{Job, JobResult, Rules};

use crate::common::processes::engines_of;
use crate::common::{
    Folder, JUDKINS, command, fail, failed, kill_after, refused, run_with_input, signal, succeed, wait_until,
};

/// The engine of [`stub`]: this very program, told to run one test that is none.
static STUB: LazyLock<String> = LazyLock::new(|| {
    let path = std::env::current_exe().expect("it has a path");
    format!("cmd={},args=--ignored --exact tune::stub::engine --nocapture,depth=1", path.display())
});

/// A folder, a file in it with these parameters to tune, and the folder of the run to come.
fn set_up(parameters: &str) -> (Folder, String, String) {
    let folder = Folder::new();
    let params = folder.file("tune.toml", &format!("[parameters]\n{parameters}\n"));
    let out = folder.path("run");
    (folder, params, out)
}

fn tune<'a>(engine: &'a str, params: &'a str, out: &'a str, iterations: &'a str) -> Vec<&'a str> {
    let plan = ["tune", "--engine", engine, "--params", params, "--iterations", iterations, "--out", out];
    [&plan[..], &["--concurrency", "2", "--seed", "3"]].concat()
}

/// The values in the last row of a run's table.
fn last_values(out: &Path) -> Vec<f64> {
    let table = fs::read_to_string(out.join("values.csv")).expect("the run has a table");
    let row = table.lines().last().expect("it has rows");
    row.split(',').skip(2).map(|value| value.parse().expect("a number")).collect()
}

#[test]
fn an_engine_of_known_strength_is_tuned() {
    let (_folder, params, out) = set_up("A = { step = 10 }\nB = { step = 10 }");
    let text = succeed(&tune(&STUB, &params, &out, "400"));
    assert!(text.contains("400 of 400 pairs"), "{text}");
    let values = last_values(Path::new(&out));
    let left = stub::loss(values[0] as i64, values[1] as i64) / stub::loss(100, 100);
    assert!(left < 0.1, "{values:?}: {left:.3} of the way to the top is left");

    let drawn = fs::read_to_string(Path::new(&out).join("curves.svg")).expect("there are curves");
    for part in ["<svg", "pairs of games", "400 pairs, the first engines scored"] {
        assert!(drawn.contains(part), "'{part}' is missing: {drawn}");
    }

    // The options of another engine would make a configuration that this program refuses.
    let config = Path::new(&out).join("engine.toml");
    let text = succeed(&["tune", "apply", &out]);
    let line = format!("    A {}\n", values[0].round());
    assert!(text.contains(&line) && text.contains("400 of 400 pairs"), "{line} is missing: {text}");
    assert!(text.contains("nothing is written") && !config.exists(), "{text}");
}

#[test]
fn values_for_this_program_become_its_configuration() {
    let (folder, params, out) = set_up("RfpMargin = {}\nSlowMover = { step = 5 }");
    let run = ["tune", "--params", &params, "--iterations", "1", "--each", "nodes=50,option.USI_Hash=1", "--out", &out];
    succeed(&run);
    // By itself it writes into the run's folder, where this program would not look.
    let text = succeed(&["tune", "apply", &out]);
    let config = Path::new(&out).join("engine.toml").display().to_string();
    assert!(Path::new(&config).is_absolute() && text.contains(&format!("written to {config}\n")), "{text}");
    assert!(
        text.contains(&format!("judkins --config {config}\n")) && text.contains("Without --config, this"),
        "{text}"
    );
    assert!(succeed(&["--config", &config]).is_empty());
    let config = folder.file("engine.toml", "# A line that stays.\n[options]\nThreads = 2\n");
    succeed(&["tune", "apply", &out, "--config", &config]);
    let written = fs::read_to_string(&config).expect("it is there");
    assert!(written.starts_with("# A line that stays.\n[options]\nThreads = 2\nSlowMover = "), "{written}");
    assert!(written.contains("[parameters]\nRfpMargin = "), "{written}");
    succeed(&["--config", &config]);
    // Names may be in any case. The file is written even if nobody reads the output.
    let config = folder.file("engine.toml", "[options]\nslowmover = 3\n");
    let (reader, writer) = std::io::pipe().expect("pipes can be made");
    drop(reader);
    let status = Command::new(JUDKINS).args(["tune", "apply", &out, "--config", &config]).stdout(writer).status();
    assert!(status.expect("the binary starts").success());
    let written = fs::read_to_string(&config).expect("it is there");
    assert!(written.starts_with("[options]\nslowmover = ") && !written.contains("SlowMover"), "{written}");
    assert!(written.contains("[parameters]\nRfpMargin = "), "{written}");
    // A file that would be refused stays as it is.
    for (wrong, error) in [
        ("[options]\nThraeds = 2\n", "line 2: no option is called 'Thraeds'"),
        ("options = 5\n", "engine.toml"),
        ("[[options]]\n", "engine.toml"),
    ] {
        let config = folder.file("engine.toml", wrong);
        let complaint = fail(&["tune", "apply", &out, "--config", &config], error);
        assert!(!complaint.contains("panicked"), "{complaint}");
        assert_eq!(fs::read_to_string(&config).expect("it is there"), wrong);
    }
}

#[test]
fn one_program_works_on_a_run_at_a_time() {
    let (folder, params, out) = set_up("A = { step = 10 }");
    let plan = tune(&STUB, &params, &out, "4");
    succeed(&plan);
    let lock = fs::File::create(Path::new(&out).join("lock")).expect("it can be written");
    lock.lock().expect("nobody else has it");
    for arguments in [&plan[..], &[&plan[..], &["--jobs"]].concat(), &["tune", "take", &out]] {
        fail(arguments, "another program writes into");
    }
    drop(lock);
    for command in ["take", "apply"] {
        fail(&["tune", command, &folder.path("empty")], "there is no run in ");
    }
    succeed(&plan);
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_is_no_success() {
    let (_folder, params, out) = set_up("A = { step = 10 }");
    for more in [&[][..], &["--dry-run", "--batch", "100000"]] {
        let mut command = command(&[&tune(&STUB, &params, &out, "100000")[..], more].concat());
        let child = command.spawn().expect("the binary starts");
        wait_until("its engines", || !engines_of(child.id()).is_empty());
        signal(child.id(), "-INT");
        failed(more, &child.wait_with_output().expect("it ends"), "interrupted");
    }
}

#[test]
fn a_run_that_is_killed_goes_on_as_if_nothing_had_been() {
    let (folder, params, _) = set_up("A = { step = 10 }\nB = { step = 10 }");
    let [whole, broken] = ["whole", "broken"].map(|name| folder.path(name));
    succeed(&tune(&STUB, &params, &whole, "120"));
    let mut kills = 0;
    for wait in (0..10).map(|round| 30 + 13 * (round * 7 % 11)) {
        kills += u32::from(kill_after(wait, &tune(&STUB, &params, &broken, "120")));
    }
    succeed(&tune(&STUB, &params, &broken, "120"));
    assert!(kills > 7, "only {kills} kills");
    for name in ["state.json", "values.csv"] {
        let [whole, broken] = [&whole, &broken].map(|out| fs::read_to_string(Path::new(out).join(name)).unwrap());
        assert_eq!(whole, broken, "{name}");
    }
    // A run that is over plays nothing more.
    succeed(&tune(&STUB, &params, &broken, "120"));
    assert_eq!(last_values(Path::new(&broken)), last_values(Path::new(&whole)));
}

#[test]
fn damaged_rows_of_the_table_are_dropped() {
    let (_folder, params, out) = set_up("A = { step = 10 }");
    succeed(&tune(&STUB, &params, &out, "12"));
    let table = Path::new(&out).join("values.csv");
    let rows = fs::read_to_string(&table).unwrap();
    let damaged: Vec<_> = rows.lines().map(|row| if row.starts_with("8,") { "8,50.00,abc" } else { row }).collect();
    fs::write(&table, damaged.join("\n")).unwrap();
    succeed(&tune(&STUB, &params, &out, "16"));
    let pairs = |text: &str| text.lines().map(|row| row.split(',').next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(pairs(&fs::read_to_string(&table).unwrap()), ["pairs", "4", "12", "16"]);
}

#[test]
fn another_run_is_refused_by_name() {
    let (folder, params, out) = set_up("A = {}");
    succeed(&tune(&STUB, &params, &out, "4"));
    for (text, part) in [
        ("[parameters]\nA = {}\nB = {}\n", "other settings: parameters A there, A B here; give"),
        ("[parameters]\nA = { step = 3 }\n", "other settings: A step 10.0 there, 3.0 here; give"),
        ("[parameters]\nC = {}\n", "no option 'C'"),
        ("[parameters]\n", "nothing to tune"),
        ("A = 3", "unknown field"),
    ] {
        let other = folder.file("other.toml", text);
        fail(&tune(&STUB, &other, &out, "4"), part);
    }
    let openings = folder.file("openings.txt", "startpos moves 6e6d 1b1c\n");
    let with_openings = [&tune(&STUB, &params, &out, "4")[..], &["--openings", &openings]].concat();
    fail(&with_openings, "other settings: another list of openings; give");
    let more = ["--batch", "2", "--each", "margin=60", "--impasse-plies", "30", "--draw", "movecount=3", "score=5"];
    let error = fail(&[&tune(&STUB, &params, &out, "3")[..], &more].concat(), "other settings: ");
    for part in [
        "iterations 4 there, 3 here, though a run only grows longer; ",
        "batch 4 there, 2 here; ",
        "each none there, margin=60 here; ",
        "rules.adjudication.draw none there, movecount=3,movenumber=0,score=5 here; ",
        "rules.impasse_plies 24 there, 30 here; ",
    ] {
        assert!(error.contains(part), "'{part}' is missing: {error}");
    }
    fs::write(Path::new(&out).join("state.json"), "{").unwrap();
    fail(&tune(&STUB, &params, &out, "4"), "is damaged");
}

#[test]
fn a_run_is_extended_by_more_iterations() {
    let (folder, params, _) = set_up("A = {}\nB = { step = 10 }");
    let [at_once, in_steps] = ["at once", "in steps"].map(|name| folder.path(name));
    for (out, lengths) in [(&at_once, &["20", "40"][..]), (&in_steps, &["20", "32", "40"])] {
        for length in lengths {
            let text = succeed(&tune(&STUB, &params, out, length));
            assert!(text.contains(&format!("{length} of {length} pairs")), "{text}");
        }
        fail(&tune(&STUB, &params, out, "20"), "other settings: iterations 40 there, 20 here, though");
    }
    for name in ["state.json", "values.csv"] {
        let [one, other] = [&at_once, &in_steps].map(|out| fs::read_to_string(Path::new(out).join(name)).unwrap());
        assert_eq!(one, other, "{name}");
    }
}

#[test]
fn a_run_that_was_begun_with_a_mistake_begins_again() {
    let (folder, params, out) = set_up("A = { step = 10 }");
    let dead = concat!("cmd=", env!("CARGO_MANIFEST_DIR"), "/tests/data/engine.sh,args=dead,depth=1");
    let level = folder.file("level.toml", "[parameters]\nLevel = { step = 1 }\n");
    let words = " exited with status 4 after it said 'no weights', before its first move; --recover";
    fail(&tune(dead, &level, &out, "4"), words);
    assert!(succeed(&tune(&STUB, &params, &out, "4")).contains("4 of 4 pairs"));
}

#[test]
fn an_option_that_the_engine_refuses_ends_the_run_before_its_first_game() {
    let (_folder, params, out) = set_up("RfpMargin = {}");
    for (each, error) in [
        (
            "nodes=50,option.EvalFile=/nowhere.net",
            "refused option.EvalFile=/nowhere.net; it says: error: EvalFile '/nowhere.net'",
        ),
        ("nodes=50,option.USI_Hash=0", "USI_Hash goes from 1 to "),
        ("nodes=50,option.Nonesuch=0", "it has no option 'Nonesuch'"),
    ] {
        for more in [&[][..], &["--dry-run"], &["--recover"]] {
            let run = ["tune", "--params", &params, "--iterations", "4", "--each", each, "--out", &out];
            let told = fail(&[&run[..], more].concat(), error);
            assert!(!Path::new(&out).exists(), "{told}");
        }
    }
}

#[test]
fn a_dry_run_shows_what_would_be_played() {
    let (_folder, params, out) = set_up("A = { step = 10 }");
    let mut arguments = tune(&STUB, &params, &out, "1000");
    arguments.push("--dry-run");
    let text = succeed(&arguments);
    assert!(text.contains("1000 pairs in batches of 4, 1000 left") && text.contains("0..200"), "{text}");
    assert!(text.contains("those left will take"), "{text}");
    assert!(!Path::new(&out).exists());
    // A run that is there goes on from its values.
    succeed(&tune(&STUB, &params, &out, "8"));
    let state = fs::read_to_string(Path::new(&out).join("state.json")).unwrap();
    let text = succeed(&[&tune(&STUB, &params, &out, "12")[..], &["--dry-run"]].concat());
    assert!(text.contains("12 pairs in batches of 4, 4 left"), "{text}");
    assert_eq!(fs::read_to_string(Path::new(&out).join("state.json")).unwrap(), state);
}

#[test]
fn a_job_that_cannot_be_played_is_refused() {
    let folder = Folder::new();
    let job = Job {
        engines: ["a", "b"].map(|name| format!("cmd={JUDKINS},name={name},nodes=400")),
        each: Vec::new(),
        openings: vec!["startpos moves 6e6d 1b1c".to_owned()],
        rules: Rules::default(),
        first_pair: 0,
        jitter: None,
        recover: false,
    };
    let refuse = |job: &str, words: &str| fail(&["match", "--job", &folder.file("job.json", job)], words);
    refuse(r#"{"engines": ["cmd=x,nodes=1"], "openings": []}"#, "");
    let refuse = |job: Job, words: &str| refuse(&serde_json::to_string(&job).unwrap(), words);
    let over = Job { openings: vec!["5k/5G/5P/6/6/K5 w - 1".to_owned()], ..job.clone() };
    refuse(over, "the game is over: Black wins: checkmate");
    // A job is unattended: an engine that rejects its settings must not continue without them.
    for (option, complaint) in
        [("USI_Hsh=1", "it has no option 'USI_Hsh'"), ("EvalFile=/nowhere.net", "error: EvalFile '/nowhere.net'")]
    {
        refuse(Job { each: vec![format!("option.{option}")], ..job.clone() }, complaint);
    }
}

#[test]
fn a_match_in_jobs_is_the_match() {
    let engines = [format!("cmd={JUDKINS},name=a,nodes=300"), format!("cmd={JUDKINS},name=b,nodes=500")];
    let folder = Folder::new();
    let record = folder.path("games.jsonl");
    let [one, other] = &engines;
    let plan = ["match", "--engine", one, "--engine", other, "--games", "6", "--seed", "8"];
    succeed(&[&plan[..], &["--record", &record]].concat());
    let mut plain: Vec<judkins::arena::GameRecord> = Vec::new();
    judkins::arena::read_records(Path::new(&record), |game| plain.push(game)).unwrap();
    let mut games = 0;
    for line in succeed(&[&plan[..], &["--jobs", "2"]].concat()).lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let first = line["first"].as_u64().unwrap() as usize;
        let path = folder.file("job.json", &line["job"].to_string());
        let result: JobResult = serde_json::from_str(&succeed(&["match", "--job", &path])).unwrap();
        for game in result.games {
            games += 1;
            let same = plain.iter().find(|plain| plain.game == game.game + first - 1).expect("the match has this game");
            assert_eq!((&same.moves, &same.opening, same.result), (&game.moves, &game.opening, game.result));
        }
    }
    assert_eq!(games, 6);

    // Games in the record are not requested again, and another match's record is rejected.
    let missing = ["--record", &record, "--resume", "--jobs", "2"];
    assert_eq!(succeed(&[&plan[..], &missing].concat()), "");
    let whole = fs::read_to_string(&record).unwrap();
    let without_last: String = whole.split_inclusive('\n').filter(|line| !line.contains("\"game\":6,")).collect();
    fs::write(&record, without_last).unwrap();
    let printed = succeed(&[&plan[..], &missing].concat());
    assert!(printed.starts_with("{\"first\":5,") && printed.lines().count() == 1, "{printed}");
    let changed = other.replace("nodes=500", "nodes=501");
    let others = ["match", "--engine", one, "--engine", &changed, "--games", "6", "--seed", "8"];
    fail(&[&others[..], &missing].concat(), "cannot be resumed");
}

/// Its results would be random, without anyone noticing.
#[test]
fn an_engine_that_fails_in_every_game_ends_the_run() {
    let (folder, params, out) = set_up("A = { step = 10 }");
    let script = folder.file(
        "engine.sh",
        "while read -r command rest; do case $command in
         usi) echo 'option name A type spin default 1 min 0 max 99'; echo usiok;;
         isready) echo readyok;;
         go) exit 3;;
         quit) exit 0;;
         esac; done",
    );
    let engine = format!("cmd=sh,arg={script},depth=1");
    let plan = tune(&engine, &params, &out, "400");
    fail(&plan, " exited with status 3, before its first move");
    let error = fail(&[&plan[..], &["--recover"]].concat(), "the engine failed in every game of a batch: ");
    assert!(error.contains("status 3"), "{error}");
    let table = fs::read_to_string(Path::new(&out).join("values.csv")).unwrap();
    assert_eq!(table.lines().count(), 1, "nothing is learned: {table}");
}

#[test]
fn a_run_that_others_play_is_the_run() {
    let (folder, params, _) = set_up("A = { step = 10 }\nB = { step = 10 }");
    let [own, others] = ["own", "others"].map(|name| folder.path(name));
    succeed(&tune(&STUB, &params, &own, "10"));
    let take = |text: &str| run_with_input(&["tune", "take", &others], text);
    for batch in [4, 4, 2, 0] {
        let printed = succeed(&[&tune(&STUB, &params, &others, "10")[..], &["--jobs"]].concat());
        assert_eq!(printed.lines().count(), batch);
        let (mut answers, mut failures, mut halves) = (String::new(), String::new(), String::new());
        for line in printed.lines() {
            let mut pair: serde_json::Value = serde_json::from_str(line).unwrap();
            let path = folder.file("job.json", &pair["job"].to_string());
            let result: JobResult = serde_json::from_str(&succeed(&["match", "--job", &path])).unwrap();
            pair["result"] = serde_json::to_value(&result).unwrap();
            answers += &format!("{pair}\n");
            let mut half = pair.clone();
            half["result"]["games"].as_array_mut().unwrap().pop();
            halves += &format!("{half}\n");
            for game in pair["result"]["games"].as_array_mut().unwrap() {
                game["reason"] = "crash".into();
                game["detail"] = "it fell over".into();
            }
            failures += &format!("{pair}\n");
        }
        if batch == 0 {
            break;
        }
        refused(&take(&halves), "line 1: a pair is two games");
        refused(&take(&failures), "the engine failed in every game of a batch: it fell over");
        assert!(take(&answers).status.success());
        // A batch is learned from once.
        let error = refused(&take(&answers), "");
        let words = ["the run's next", "the next batch of the run has", "the run is complete: 10 pairs were played"];
        assert!(words.iter().any(|words| error.contains(words)), "{error}");
    }
    assert_eq!(last_values(Path::new(&others)), last_values(Path::new(&own)));
    // Nothing is no batch.
    assert!(!take("").status.success());
}
