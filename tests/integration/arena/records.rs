//! The files of a match: records, texts, and resuming.

use std::time::{Duration, Instant};

use super::*;

#[test]
fn a_killed_match_goes_on_where_it_stood() {
    let undisturbed = Folder::new();
    stdout(&run(&own_match(&undisturbed, &["--games", "20"])));
    let folder = Folder::new();
    let (pgn, svg) = (folder.path("games.pgn"), folder.path("match.svg"));
    let arguments =
        own_match(&folder, &["--games", "20", "--concurrency", "3", "--resume", "--pgn", &pgn, "--report", &svg]);
    for lines in [2, 6, 12] {
        let mut child = start(&arguments);
        wait_until("games", || folder.lines() >= lines);
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        // As if the last line had been cut off, in the middle of a character.
        let record = folder.path("games.jsonl");
        let text = fs::read(&record).expect("it is there");
        fs::write(&record, [&text[..], b"{\"game\":9,\"name\":\"\xC3"].concat()).expect("it can be written");
    }
    let text = stdout(&run(&arguments));
    assert!(text.contains("one against two: 20 games"), "{text}");
    assert!(essence(&folder.records()) == essence(&undisturbed.records()), "no game is lost, doubled or different");
    let pgn = fs::read_to_string(pgn).expect("it was written");
    assert_eq!(pgn.matches("[Event ").count(), 20, "texts are written anew");
    // Once more: nothing is left to play, and the result is the same.
    assert!(text.ends_with(&stdout(&run(&arguments))), "{text}");
}

#[test]
fn a_record_is_read_whatever_a_power_loss_or_an_editor_left_at_its_end() {
    let folder = Folder::new();
    let arguments = own_match(&folder, &["--games", "4", "--resume"]);
    stdout(&run(&arguments));
    let (path, before) = (folder.path("games.jsonl"), folder.records());
    let whole = fs::read(&path).expect("it is there");
    for end in [&b""[..], b"\n\n", b"\n \r\n", b"\n\0\0\0\0", b"\n{\"game\":9,\"na"] {
        let text = [whole.trim_ascii_end(), end].concat();
        fs::write(&path, &text).expect("it can be written");
        let shown = stdout(&run(&["--record", &path]));
        assert!(shown.starts_with("one against two: 4 games"), "{end:?}: {shown}");
        // What goes on with it ends its last line first.
        stdout(&run(&own_match(&folder, &["--games", "6", "--resume"])));
        let text = fs::read_to_string(&path).expect("it is text");
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let games: Vec<Value> = lines.map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
        assert!(games.len() == 6 && games[..4] == before[..], "{end:?}: {text}");
    }
}

#[test]
fn a_record_is_neither_overwritten_nor_mixed_with_another_match() {
    let folder = Folder::new();
    stdout(&run(&own_match(&folder, &["--games", "2"])));
    let before = folder.records();
    refuse(&own_match(&folder, &["--games", "2"]), "--resume goes on with a record");
    for (arguments, difference) in [
        (&["--seed", "2"][..], "opened by "),
        (&["--impasse-plies", "30"], "played under the rules "),
        (&["--max-moves", "300"], "played under the rules "),
        (&["--resign", "movecount=3,score=900"], "played under the rules "),
        (&["--each", "margin=60,patience=5"], "played by one with margin 50, not 60; patience 60000, not 5000"),
        (&["--each", "option.USI_Hash=2,option.Threads=1"], "played by one with options.Threads none, not 1"),
    ] {
        let other = own_match(&folder, &[&["--games", "2", "--resume"], arguments].concat());
        let text = refuse(&other, "the records are of another match: game 1 was");
        assert!(text.contains(difference), "{arguments:?}: {text}");
    }
    assert_eq!(folder.records(), before);
    // More games of the same match are no other match.
    stdout(&run(&own_match(&folder, &["--games", "4", "--resume"])));
    assert_eq!((folder.records().len(), &folder.records()[..2]), (4, &before[..]));
}

#[test]
fn games_are_written_as_people_read_them() {
    let folder = Folder::new();
    let (pgn, usi, svg) = (folder.path("g.pgn"), folder.path("g.usi"), folder.path("g.svg"));
    let openings = folder.openings("startpos moves 6e6d\nr1nsgk/5p/6/6/P5/KGSNBR w - 1");
    let mut arguments = own_match(&folder, &["--games", "4", "--order", "sequential", "--openings", &openings]);
    arguments.extend(["--pgn", &pgn, "--usi", &usi, "--report", &svg].map(str::to_owned));
    let text = stdout(&run(&arguments));
    let games = fs::read_to_string(&pgn).expect("it was written");
    for part in [
        "[Event \"one against two\"]",
        "[Round \"1.2\"]",
        "[Variant \"judkins\"]",
        "\n\n1. P-6d ",
        "s, n=300} ",
        "\n\n1. ... ",
    ] {
        assert!(games.contains(part), "no '{part}' in {games}");
    }
    assert_eq!(games.matches("[SFEN \"r1nsgk/5p/6/6/P5/KGSNBR w - 1\"]").count(), 2);
    // Any reader of PGN finds who won: the player in `White` with 1-0.
    let tag = |game: &str, name: &str| {
        let rest = game.split_once(&format!("[{name} \"")).expect("every game has it").1;
        rest.split_once('"').expect("it is closed").0.to_owned()
    };
    let won = |game: &str| match tag(game, "Result").as_str() {
        "1-0" => Some(tag(game, "White")),
        "0-1" => Some(tag(game, "Black")),
        _ => None,
    };
    let by_tags: Vec<Option<String>> = games.split("[Event ").skip(1).map(won).collect();
    let by_record = folder.records().into_iter().map(|game| match game["result"].as_str().expect("it is text") {
        "1-0" => game["black"]["name"].as_str().map(str::to_owned),
        "0-1" => game["white"]["name"].as_str().map(str::to_owned),
        _ => None,
    });
    assert_eq!(by_tags, by_record.collect::<Vec<_>>());
    let picture = fs::read_to_string(&svg).expect("it was drawn");
    assert!(picture.starts_with("<svg") && picture.contains("one against two: 4 games"), "{picture}");
    // A USI file is a file of openings, if its games were not over: take the last move from each.
    let lines = fs::read_to_string(&usi).expect("it was written");
    assert_eq!(lines.lines().filter(|line| line.starts_with('#')).count(), 4);
    assert!(lines.contains("\nsfen r1nsgk/5p/6/6/P5/KGSNBR w - 1 moves "), "{lines}");
    // The games are the same in every format.
    let converted = |file: &str| succeed(&["convert", file, "--to", "usi"]);
    let bare: String = lines.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    assert_eq!((converted(&pgn), converted(&usi)), (bare.clone(), lines));
    let record = folder.path("games.jsonl");
    assert_eq!(converted(&record), bare);
    let output = crate::common::run(&["convert", &record, &record, "--to", "usi"]);
    refused(&output, "the record of a match");
    // The record alone says the same.
    let shown = stdout(&run(&["--record", &folder.path("games.jsonl"), "--pgn", &folder.path("again.pgn")]));
    assert!(text.ends_with(&shown), "{text}\n{shown}");
    let again = fs::read_to_string(folder.path("again.pgn")).expect("it was written");
    assert_eq!(again.len(), games.len());
    // A copy of the match is not a second one.
    let whole = fs::read_to_string(&record).expect("it was written");
    let doubled = folder.file("doubled.jsonl", &whole.repeat(2));
    refuse(&["--record", &doubled], "doubled.jsonl: the records hold game 1 twice");
}

#[test]
fn a_match_whose_output_nobody_reads_goes_on_and_is_recorded() {
    let folder = Folder::new();
    let arguments = own_match(&folder, &["--games", "8", "--verbose"]);
    let mut child = start(&arguments);
    drop(child.stdout.take());
    let status = child.wait().expect("it ends");
    assert!(status.code().is_some(), "it is not killed by a signal: {status:?}");
    assert_eq!(folder.records().len(), 8);
}

#[test]
fn texts_are_written_by_one_match_at_a_time() {
    let folder = Folder::new();
    let texts = folder.file("games.pgn", "");
    let written = fs::File::options().write(true).open(&texts).expect("it exists");
    written.lock().expect("nobody else has it");
    refuse(&own_match(&folder, &["--pgn", &texts]), "games.pgn: another program is writing it");
    // Several programs may write to a device.
    stdout(&run(&own_match(&folder, &["--games", "2", "--resume", "--pgn", "/dev/null"])));
}

#[test]
fn a_record_is_written_by_one_match_at_a_time() {
    let folder = Folder::new();
    let arguments = own_match(&folder, &["--games", "2000", "--resume"]);
    let child = start(&arguments);
    wait_until("games", || folder.lines() >= 2);
    refuse(&arguments, "games.jsonl: another program is writing it");
    signal(child.id(), "-INT");
    refused(&child.wait_with_output().expect("it ends"), "interrupted");
    // A record that was deleted would keep nothing.
    let child = start(&arguments);
    let before = folder.lines();
    wait_until("games", || folder.lines() > before);
    let text = fs::read_to_string(folder.path("games.jsonl")).expect("it is there");
    fs::remove_file(folder.path("games.jsonl")).expect("it is there");
    refused(&child.wait_with_output().expect("it ends"), "it was deleted");
    // A record that holds a game twice is refused.
    fs::write(folder.path("games.jsonl"), format!("{text}{text}")).expect("it can be written");
    refuse(&arguments, "twice");
}

#[test]
fn only_files_of_records_are_resumed_and_nothing_is_lost_to_an_error() {
    let folder = Folder::new();
    let (record, pgn) = (folder.path("games.jsonl"), folder.path("games.pgn"));
    for text in ["my only notes", "my only notes\n", "{\"game\":0}\n", "[]\n"] {
        fs::write(&record, text).expect("it can be written");
        fs::write(&pgn, "old games").expect("it can be written");
        let resumed = own_match(&folder, &["--games", "2", "--resume", "--pgn", &pgn]);
        let said = refuse(&resumed, "games.jsonl, line 1: ");
        assert!(!said.contains(" at line "), "the line is named once: {said}");
        assert_eq!(fs::read_to_string(&record).expect("it is there"), text);
        assert_eq!(fs::read_to_string(&pgn).expect("it is there"), "old games");
    }
    fs::write(&record, "").expect("it can be written");
    for (file, error) in [(&*record, "games.jsonl: there is no game in it"), ("/dev/zero", "line 1: it is longer than")]
    {
        refuse(&["--record", file], error);
    }
}

#[test]
fn a_record_is_no_output_under_any_name() {
    let folder = Folder::new();
    stdout(&run(&own_match(&folder, &["--games", "2"])));
    let record = folder.path("games.jsonl");
    let before = fs::read_to_string(&record).expect("it is there");
    let [link, dangling] = ["link.pgn", "dangling.pgn"].map(|name| folder.path(name));
    std::os::unix::fs::symlink("games.jsonl", &link).expect("it can be made");
    std::os::unix::fs::symlink("new.jsonl", &dangling).expect("it can be made");
    fs::create_dir(folder.path("inside")).expect("it can be made");
    for name in [&link, &folder.path("inside/../games.jsonl"), &record] {
        for option in ["--pgn", "--usi", "--report"] {
            refuse(&["--record", &record, option, name], "is asked for twice");
            assert_eq!(fs::read_to_string(&record).expect("it is there"), before, "{option} {name}");
        }
    }
    // Neither of them is there yet.
    let engines = [scripted("one", "fair"), scripted("two", "fair")];
    let plan = ["--engine", &engines[0], "--engine", &engines[1], "--each", "nodes=1", "--pgn", &dangling];
    refuse(&[&plan[..], &["--record", &folder.path("new.jsonl")]].concat(), "is asked for twice");
}

#[test]
fn a_match_that_cannot_begin_leaves_no_record_and_no_file_empty() {
    let folder = Folder::new();
    let (record, pgn) = (folder.path("games.jsonl"), folder.file("games.pgn", "old games"));
    let engines = [scripted("one", "fair"), scripted("two", "fair")];
    let plan = ["--engine", &engines[0], "--engine", &engines[1], "--record", &record, "--pgn", &pgn, "--games", "2"];
    for (arguments, error) in [
        (&["--each", "nodes=1,option.Nonesuch=1"][..], "it has no option 'Nonesuch'"),
        (&["--each", "nodes=1", "--report", "/no/such/folder/match.svg"], "/no/such/folder/match.svg: "),
        (&["--each", "nodes=1", "--usi", "/no/such/folder/games.usi"], "/no/such/folder/games.usi: "),
    ] {
        refuse(&[&plan[..], arguments].concat(), error);
        assert!(!fs::exists(&record).expect("it can be asked"), "{arguments:?}");
        assert_eq!(fs::read_to_string(&pgn).expect("it is there"), "old games", "{arguments:?}");
    }
    // The record of another match is not overwritten either, nor by a match without a record to continue.
    let refuses = |arguments: &[&str]| {
        refuse(&[&plan[..], arguments].concat(), "games.pgn exists");
        assert_eq!(fs::read_to_string(&pgn).expect("it is there"), "old games");
    };
    refuses(&["--each", "nodes=1"]);
    refuses(&["--each", "nodes=1", "--resume"]);
    // A match that cannot be shown leaves them, too.
    refuse(&["--record", &folder.path("typo.jsonl"), "--pgn", &pgn], "typo.jsonl");
    refuse(&["--record", &record, "--report", &pgn], "the name must end with .svg");
    assert_eq!(fs::read_to_string(&pgn).expect("it is there"), "old games");
    // The command with the mistakes mended.
    fs::remove_file(&pgn).expect("it is there");
    stdout(&run(&[&plan[..], &["--each", "nodes=1"]].concat()));
    assert_eq!(folder.records().len(), 2);
    // A continued match rewrites its own games only.
    let games = fs::read_to_string(&pgn).expect("it was written");
    fs::write(&pgn, &games[..50]).expect("it can be written");
    stdout(&run(&[&plan[..], &["--each", "nodes=1", "--resume"]].concat()));
    assert_eq!(fs::read_to_string(&pgn).expect("it was written"), games);
    fs::write(&pgn, "old games").expect("it can be written");
    refuses(&["--each", "nodes=1", "--resume"]);
    fs::remove_file(&pgn).expect("it is there");
    // A record may be a link to a file that is not there yet.
    let link = folder.path("link.jsonl");
    std::os::unix::fs::symlink(folder.path("elsewhere.jsonl"), &link).expect("it can be made");
    stdout(&run(&[&plan[..4], &["--each", "nodes=1", "--games", "2", "--record", &link]].concat()));
    assert!(fs::exists(folder.path("elsewhere.jsonl")).expect("it can be asked"));
}

#[test]
fn a_game_without_its_partner_is_said_to_be_left_out() {
    let folder = Folder::new();
    assert!(!stdout(&run(&own_match(&folder, &["--games", "2"]))).contains("unpaired"));
    let text = fs::read_to_string(folder.path("games.jsonl")).expect("it is there");
    let half = folder.file("half.jsonl", text.split_inclusive('\n').next().expect("it has a game"));
    let shown = stdout(&run(&["--record", &half]));
    assert!(shown.contains("unpaired   1 game, which"), "{shown}");
}

#[test]
fn mates_are_recorded_in_plies_whatever_an_engine_speaks() {
    let folder = Folder::new();
    let [usi, uci] = [judkins("usi"), format!("cmd={JUDKINS},name=uci,proto=uci,option.Hash=1,option.MateHash=1")];
    let record = folder.path("games.jsonl");
    let each = ["--each", "nodes=2000", "--games", "6", "--record", &record];
    stdout(&run(&[&["--engine", &usi, "--engine", &uci][..], &each].concat()));
    let mut far = 0;
    for game in folder.records() {
        for score in game["scores"].as_array().expect("it is a list") {
            let mate = score.as_str().and_then(|text| text.strip_prefix("mate "));
            let Some(plies) = mate.map(|plies| plies.parse::<i32>().expect("a number")) else { continue };
            // The mating side moves last.
            assert_eq!(plies % 2 != 0, plies > 0, "{game}");
            far += u32::from(plies > 1);
        }
    }
    assert!(far > 5, "only {far} mates were announced");
}

#[test]
fn a_record_with_two_engines_of_its_own_for_every_game_is_summed_up_in_no_time() {
    const GAMES: usize = 10_000;
    let folder = Folder::new();
    stdout(&run(&own_match(&folder, &["--games", "2"])));
    let mut game = folder.records().remove(0);
    for list in ["moves", "scores", "depths", "nodes", "times"] {
        game[list].as_array_mut().expect("it is a list").clear();
    }
    let lines = (1..=GAMES).map(|number| {
        game["game"] = number.into();
        game["black"]["name"] = format!("black {number}").into();
        game["white"]["name"] = format!("white {number}").into();
        format!("{game}\n")
    });
    let record = folder.file("games.jsonl", &lines.collect::<String>());
    let begin = Instant::now();
    let text = stdout(&run(&["--record", &record]));
    assert!(begin.elapsed() < Duration::from_secs(20), "it took {:?}", begin.elapsed());
    assert!(text.contains("black 1 against white 1: 1 game\n"));
}

#[test]
fn the_greatest_numbers_of_a_record_are_taken_as_they_are() {
    let folder = Folder::new();
    let arguments = own_match(&folder, &["--games", "2", "--resume", "--replay-draws", "4294967295"]);
    stdout(&run(&arguments));
    let record = folder.path("games.jsonl");
    let records = folder.records();
    let write = |records: &[Value]| {
        let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
        fs::write(&record, lines).expect("it can be written");
    };
    // The first game as if there could be only one more attempt.
    let mut replayed = records[0].clone();
    replayed["replay"] = (u32::MAX - 1).into();
    (replayed["result"], replayed["reason"], replayed["counts"]) =
        ("1/2-1/2".into(), "sennichite".into(), false.into());
    replayed["nodes"].as_array_mut().expect("it is a list").fill(u64::MAX.into());
    write(&[replayed.clone(), records[1].clone()]);
    assert!(stdout(&run(&arguments)).starts_with("one against two: 2 games"));
    (replayed["game"], replayed["counts"]) = (u64::MAX.into(), true.into());
    write(&[replayed]);
    stdout(&run(&["--record", &record]));
    // A score out of measure is left out.
    let mut games: Vec<Value> = [("1-0", 100), ("1-0", 100), ("0-1", 100), ("0-1", -100), ("1-0", i32::MIN)]
        .into_iter()
        .map(|(result, score)| {
            let mut game = records[0].clone();
            (game["result"], game["opening"]) = (result.into(), "startpos".into());
            game["scores"].as_array_mut().expect("it is a list").fill(Value::Null);
            game["scores"][0] = score.into();
            game
        })
        .collect();
    games.iter_mut().zip(1..).for_each(|(game, number)| game["game"] = number.into());
    let judged = |games: &[Value]| {
        write(games);
        succeed(&["data", "chance", &record]).lines().next().map(str::to_owned)
    };
    let with = judged(&games);
    // So is a game that does not count.
    games[4]["scores"][0] = 100.into();
    games[4]["counts"] = false.into();
    assert_eq!(with, judged(&games));
    games.pop();
    assert_eq!(with, judged(&games));
}

#[test]
fn the_order_of_the_records_makes_no_difference() {
    let folder = Folder::new();
    stdout(&run(&own_match(&folder, &["--games", "12", "--concurrency", "2"])));
    let record = folder.path("games.jsonl");
    let shown = || stdout(&run(&["--record", &record, "--sprt", "elo0=0", "elo1=300"]));
    let before = shown();
    assert!(before.starts_with("one against two: 12 games") && before.contains("LLR"), "{before}");
    let mut lines: Vec<String> =
        fs::read_to_string(&record).expect("it is there").lines().map(|line| format!("{line}\n")).collect();
    lines.reverse();
    fs::write(&record, lines.concat()).expect("it can be written");
    assert_eq!(shown(), before);
    // The test is for two engines.
    lines[0] = lines[0].replace("\"two\"", "\"three\"");
    fs::write(&record, lines.concat()).expect("it can be written");
    refuse(&["--record", &record, "--sprt", "elo0=0", "elo1=300"], "games.jsonl has 3");
    // These are for a match that is played.
    for option in ["--verbose", "--interval=1"] {
        refuse(&["--record", &record, option], "--engine");
    }
}
