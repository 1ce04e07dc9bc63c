//! Games of self-play as files: made, killed and made again, looked at, mixed, scored anew.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use judkins::arena::Opening;
use judkins::data::ShardReader;

#[cfg(unix)]
use super::interrupted;
use crate::common::{Folder, JUDKINS, fail, failed, kill_after, run, signal, stderr, succeed};

/// Six shards of two short games, on this number of threads.
fn datagen<'a>(out: &'a str, threads: &'a str) -> Vec<&'a str> {
    ["datagen", "--out", out, "--shards", "6", "--games", "2", "--nodes", "60", "--hash", "1", "--threads", threads]
        .into()
}

fn shards(folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut shards: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("its entries too").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "games"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    shards.sort();
    shards
}

/// Copies a folder of shards, as if they had been made once more.
fn copy_folder(from: &str, to: &str) {
    fs::create_dir(to).expect("there is room");
    for entry in fs::read_dir(from).expect("the folder is there") {
        let entry = entry.expect("its entries too");
        fs::copy(entry.path(), Path::new(to).join(entry.file_name())).expect("it can be copied");
    }
}

#[test]
fn a_killed_run_continues_with_the_same_games() {
    let folder = Folder::new();
    let (undisturbed, disturbed) = (folder.path("undisturbed"), folder.path("disturbed"));
    let text = succeed(&datagen(&undisturbed, "1"));
    assert!(text.contains("0 of 6 shards are there") && text.contains("games      12: "), "{text}");
    let mut kills = 0;
    for millis in [1, 20, 60, 120, 200, 300] {
        kills += u32::from(kill_after(millis, &datagen(&disturbed, "2")));
    }
    assert!(kills > 0, "each run had ended before it was killed");
    succeed(&datagen(&disturbed, "2"));
    assert_eq!(shards(&undisturbed).len(), 6);
    assert!(shards(&undisturbed) == shards(&disturbed), "the games differ");
    let again = succeed(&datagen(&disturbed, "2"));
    assert!(again.contains("6 of 6 shards are there"), "{again}");
}

/// Under `nohup`, and with a reader that goes away.
#[cfg(unix)]
#[test]
fn a_long_command_outlives_its_terminal() {
    let folder = Folder::new();
    let out = folder.path("games");
    let long = ["--shards=1", "--games=50", "--nodes=200", "--interval=0.05", "--threads=1", "--hash=1"];
    let mut child = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$@\"", "sh", JUDKINS, "datagen", "--out", &out])
        .args(long)
        .stdout(Stdio::piped())
        .spawn()
        .expect("there is a shell");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    // The second one tells of progress.
    lines.nth(1).expect("it begins").expect("it is text");
    drop(lines);
    signal(child.id(), "-HUP");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(shards(&out).len(), 1);
}

#[test]
fn an_incomplete_shard_is_not_made_in_its_own_place() {
    let folder = Folder::new();
    let games = folder.path("games");
    succeed(&["datagen", "--out", &games, "--shards=1", "--games=2", "--nodes=20", "--hash=1"]);
    let [whole, part] = ["000000.games", "000000.part"].map(|name| format!("{games}/{name}"));
    fs::copy(&whole, &part).unwrap();
    for inputs in [&[&part[..]][..], &[&whole, &part]] {
        let rescore = ["data", "rescore", "--nodes=20", "--hash=1", "--out", &folder.path("new")];
        fail(&[&rescore[..], inputs].concat(), "000000.part: the name must end with .games");
    }
    fs::rename(&part, format!("{games}/000001.heap")).unwrap();
    fail(&["data", "stat", &games], "the shuffling of these games was interrupted");
}

#[test]
fn shards_of_other_settings_are_not_mixed_in() {
    let folder = Folder::new();
    let out = folder.path("games");
    let with_nodes =
        |nodes| ["datagen", "--out", &out, "--shards", "1", "--games", "1", "--hash", "1", "--nodes", nodes];
    succeed(&with_nodes("30"));
    fail(&with_nodes("31"), "made with other settings: nodes 30 there, 31 here; give");
    // Settings without games are replaced.
    fs::remove_file(Path::new(&out).join("000000.games")).expect("it is there");
    succeed(&with_nodes("31"));
    fail(&with_nodes("30"), "nodes 31 there, 30 here");
    // A damaged shard does not count as there.
    fs::write(Path::new(&out).join("000000.games"), "").expect("it is there");
    fail(&with_nodes("31"), "delete it to make it again");
}

#[test]
fn games_are_counted_mixed_and_scored_anew() {
    let folder = Folder::new();
    let [games, mixed, rescored] = ["games", "mixed", "rescored"].map(|name| folder.path(name));
    succeed(&datagen(&games, "2"));
    let stat = succeed(&["data", "stat", &games]);
    assert!(stat.starts_with("games      12: "), "{stat}");
    let shard = format!("{games}/000000.games");
    fail(&["data", "stat", &games, &shard.replace("/games/", "/games/../games/")], "000000.games is listed twice");
    succeed(&["data", "shuffle", "--out", &mixed, &games]);
    assert_eq!(succeed(&["data", "stat", &mixed]), stat, "the same games in another order");
    succeed(&["data", "rescore", "--nodes", "20", "--hash", "1", "--out", &rescored, &mixed]);
    let after = succeed(&["data", "stat", &rescored]);
    assert!(after.starts_with("games      12: "), "{after}");
    assert_ne!(after, stat, "the scores are others");
    let here = format!("{games}/../games");
    for command in ["shuffle", "rescore"] {
        for out in [&games, &here] {
            fail(&["data", command, "--out", out, &games], "the folder of the old shards");
        }
    }
}

#[test]
fn mixed_games_replace_no_others() {
    let folder = Folder::new();
    let [games, others, out] = ["games", "others", "out"].map(|name| folder.path(name));
    succeed(&datagen(&games, "2"));
    copy_folder(&games, &others);
    let before = shards(&others);
    fail(&["data", "shuffle", "--out", &others, &games], "there are shards in");
    assert!(shards(&others) == before);
    fs::create_dir(&out).unwrap();
    let lock = fs::File::create(Path::new(&out).join("lock")).unwrap();
    lock.lock().unwrap();
    let shuffle = ["data", "shuffle", "--out", &out, &games];
    fail(&shuffle, "another program writes into");
    assert!(shards(&out).is_empty());
    drop(lock);
    succeed(&shuffle);
    // Games of self-play do not go among them.
    let mixed = shards(&out);
    fail(&datagen(&out, "2"), "made with other settings");
    assert!(shards(&out) == mixed);
}

#[test]
fn new_scores_are_of_one_kind_and_of_every_shard() {
    let folder = Folder::new();
    let [games, others, out] = ["games", "others", "out"].map(|name| folder.path(name));
    succeed(&datagen(&games, "2"));
    copy_folder(&games, &others);
    let rescore = ["data", "rescore", "--hash", "1", "--out", &out];
    fail(&[&rescore[..], &[&games, &others]].concat(), "two shards have the name of");
    assert!(shards(&out).is_empty());
    succeed(&[&rescore[..], &["--nodes", "30", &games]].concat());
    fail(&[&rescore[..], &["--nodes", "20", &games]].concat(), "other settings: nodes 30 there, 20 here; give");
    // Existing shards are kept if they are of these games.
    let again = [&rescore[..], &["--nodes", "30"]].concat();
    succeed(&[&again[..], &[&games]].concat());
    fs::remove_dir_all(&others).unwrap();
    succeed(&[&datagen(&others, "2")[..], &["--seed", "3"]].concat());
    fail(&[&again[..], &[&others]].concat(), "has other games than");
    // A shard of another name would not be found again.
    let renamed = folder.path("renamed");
    fs::copy(Path::new(&games).join("000000.games"), &renamed).unwrap();
    fail(&[&again[..], &[&renamed]].concat(), "the name must end with .games");
    // Nobody knows how shards without settings were made.
    fs::remove_file(Path::new(&out).join("settings.json")).unwrap();
    fail(&[&again[..], &[&games]].concat(), "settings.json is missing");
}

/// The number of games, of 100, that a line of progress reports.
#[cfg(unix)]
fn done(line: &str) -> Option<usize> {
    line.split_once("/100 games, ")?.0.parse().ok()
}

#[test]
#[cfg(unix)]
fn an_interrupt_costs_a_batch_of_games_at_most() {
    let folder = Folder::new();
    let [whole, games, scored, rescored] = ["whole", "games", "scored", "rescored"].map(|name| folder.path(name));
    let datagen = |out| ["datagen", "--out", out, "--shards", "1", "--games", "100", "--nodes", "60", "--hash", "1"];
    let nodes = ["--nodes", "40", "--hash", "1"];
    let rescore = |out| [&["data", "rescore", &whole, "--out", out][..], &nodes].concat();
    succeed(&datagen(&whole));
    succeed(&rescore(&scored));
    for (command, said) in [
        (&datagen(&games)[..], "interrupted: the same command goes on; "),
        (&rescore(&rescored), "interrupted: the same command goes on"),
    ] {
        let (line, error) = interrupted(command, |line| done(line) >= Some(45));
        assert!(line.contains(" elapsed, ") && line.ends_with(" left"), "{line}");
        assert!(error.contains(said) && !error.contains("; 0 games"), "{error}");
    }
    // Another command does not write over it.
    let part = fs::read(Path::new(&games).join("000000.part")).unwrap();
    fail(&["data", "shuffle", &whole, "--out", &games], "made with other settings");
    assert_eq!(fs::read(Path::new(&games).join("000000.part")).unwrap(), part);
    for (out, again, whole) in [(&games, datagen(&games).to_vec(), &whole), (&rescored, rescore(&rescored), &scored)] {
        let part = Path::new(out).join("000000.part");
        let kept = ShardReader::open(&part).expect("what was done is kept").games();
        assert!((40..100).contains(&kept), "{kept} games");
        // Kept shards are not generated again.
        let text = succeed(&[&again[..], &["--interval", "0.001"]].concat());
        assert!(text.lines().find_map(done).is_some_and(|first| first >= kept), "{text}");
        assert!(shards(out) == shards(whole) && !part.exists(), "the games differ");
    }
}

#[test]
fn shards_can_be_made_elsewhere() {
    let folder = Folder::new();
    let [games, jobs, rescored, elsewhere] = ["games", "jobs", "rescored", "elsewhere"].map(|name| folder.path(name));
    let options = ["--games", "2", "--nodes", "30", "--hash", "1"];
    let datagen = |out, more: &[&'static str]| [&["datagen", "--out", out][..], &options, more].concat();
    succeed(&datagen(&games, &["--shards", "2"]));
    succeed(&datagen(&jobs, &["--shards", "1"]));
    let missing = succeed(&datagen(&jobs, &["--shards", "2", "--jobs"]));
    assert_eq!(missing, "{\"name\":\"000001.games\",\"number\":1}\n");
    let made = run(&datagen("-", &["--first", "1", "--shards", "2"]));
    assert!(made.stdout == shards(&games)[1].1, "the games differ");
    fail(&datagen("-", &["--shards", "2"]), "--out - is for a single shard");

    let rescore = |file, out| ["data", "rescore", file, "--out", out, "--nodes", "20", "--hash", "1"];
    succeed(&rescore(&games, &rescored));
    let missing = succeed(&[&rescore(&games, &elsewhere)[..], &["--jobs"]].concat());
    assert!(missing.lines().count() == 2 && missing.contains("\"name\":\"000001.games\""), "{missing}");
    let shard = fs::File::open(Path::new(&games).join("000001.games")).expect("it is there");
    let made = Command::new(JUDKINS).args(rescore("-", "-")).stdin(shard).output().expect("the binary starts");
    assert!(made.stdout == shards(&rescored)[1].1, "{}", stderr(&made));
    fail(&rescore(&games, "-"), "--out - is for a single shard");
}

#[test]
fn games_go_to_other_trainers_and_come_back() {
    let folder = Folder::new();
    let [games, text, again, bad] = ["games", "games.txt", "again", "bad"].map(|name| folder.path(name));
    succeed(&datagen(&games, "2"));
    succeed(&["data", "export", &games, "--out", &text]);
    let lines = fs::read_to_string(&text).unwrap();
    assert_eq!(succeed(&["data", "export", &games]), lines);
    let said = succeed(&["data", "import", &text, "--out", &again, "--games", "2"]);
    assert!(said.starts_with("12 games, 6 shards in "), "{said}");
    assert!(shards(&again) == shards(&games), "the games differ");
    fail(&["data", "import", &text, "--out", &again], "there are shards in");
    // As many positions as there are to learn from.
    let quiet = succeed(&["data", "export", &games, "--quiet"]).lines().count();
    let stat = succeed(&["data", "stat", &games]);
    assert!(stat.contains(&format!(" of which {quiet} (")), "{quiet}: {stat}");
    // Of an import that fails nothing is left, and nothing else is deleted. Here its second part cannot be written.
    let out = folder.path("out");
    let inside = |name: &str| Path::new(&out).join(name);
    fs::create_dir_all(inside("000001.part")).unwrap();
    fs::write(inside("download.part"), "").unwrap();
    fs::write(inside("settings.json"), serde_json::json!({"imported": [text]}).to_string()).unwrap();
    fail(&["data", "import", &text, "--out", &out, "--games", "2"], "000001.part");
    assert!(!inside("000000.part").exists() && inside("download.part").exists());
    // Of a text that cannot be read nothing is left.
    fs::write(&text, lines + "a\tb\tc\td\n").unwrap();
    let error = fail(&["data", "import", &text, "--out", &bad], "games.txt: line ");
    assert!(error.contains("'a'") && !Path::new(&bad).exists(), "{error}");
    fs::write(&text, b"# Latin-1\n\xe4\n").unwrap();
    fail(&["data", "import", &text, "--out", &bad], "games.txt: line 2: it is not UTF-8");
    fs::write(&text, "# game Points12 24 checkmate black\n# game Points12 24 checkmate white\n").unwrap();
    fail(&["data", "import", &text, "--out", &bad], "games.txt: line 1: a game without moves");
}

#[test]
fn damage_is_found() {
    let folder = Folder::new();
    let games = folder.path("games");
    succeed(&datagen(&games, "2"));
    let path = Path::new(&games).join("000003.games");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let output = run(&["data", "verify", &games]);
    failed("verify", &output, "damaged: 1 of 6 shards");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("2 games, sound").count(), 5, "{text}");
    assert!(text.contains("000003.games: the games are damaged"), "{text}");
    fail(&["data", "stat", &folder.path("nothing")], "No such file");
}

#[test]
fn openings_are_level_distinct_and_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    let [one, two, few] = ["one.txt", "two.txt", "few.txt"].map(|name| folder.path(name));
    let make = |out: &str, count: &str, threads: &str| {
        succeed(&["data", "openings", "--out", out, "--count", count, "--threads", threads, "--nodes", "30"])
    };
    let text = make(&one, "50", "1");
    assert!(text.ends_with(&format!("50 openings in {one}\n")), "{text}");
    make(&two, "50", "2");
    make(&few, "20", "1");
    let [one, two, few] = [&one, &two, &few].map(|file| fs::read_to_string(file).expect("it was written"));
    assert!(one == two && one.starts_with(&few) && few.lines().count() == 20, "{one}");
    let openings: Vec<Opening> = one.lines().map(|line| Opening::parse(line).expect("it is legal")).collect();
    assert_eq!(openings.iter().map(|opening| opening.end().key()).collect::<HashSet<_>>().len(), 50);
    // One ply has few positions.
    let out = folder.path("x");
    let few = ["data", "openings", "--out", &out, "--random", "0-1", "--nodes", "1", "--count", "400"];
    fail(&few, "different openings found after 0 to 1 random moves");
}

#[test]
#[cfg(unix)]
fn problems_come_of_games_and_each_of_them_once() {
    let folder = Folder::new();
    let [games, problems, few] = ["0", "problems.txt", "few.txt"].map(|name| folder.path(name));
    succeed(&["datagen", "--out", &games, "--shards", "1", "--games", "40", "--nodes", "60", "--hash", "1"]);
    // The same games give other positions each time, and some again.
    let folders: Vec<String> = (0..8).map(|number| folder.path(&number.to_string())).collect();
    for copy in &folders[1..] {
        fs::create_dir(copy).unwrap();
        fs::copy(Path::new(&games).join("000000.games"), Path::new(copy).join("000000.games")).unwrap();
    }
    let folders = folders.iter().map(String::as_str);
    let mates = ["data", "mates"].into_iter().chain(folders).chain(["--longest", "3", "--out"]).collect::<Vec<_>>();
    let text = succeed(&[&mates[..], &[&problems]].concat());
    let lines = fs::read_to_string(&problems).unwrap();
    // A position is the same at another move.
    let place = |line: &'_ str| line.split(' ').take(3).map(str::to_owned).collect::<Vec<_>>();
    let mut positions: Vec<_> = lines.lines().map(place).collect();
    let found = positions.len();
    positions.sort_unstable();
    positions.dedup();
    assert!(positions.len() == found && found > 5, "{text}{lines}");
    assert!(text.contains("no mate: ") && text.contains("\nmate in 3: "), "{text}");
    // Those without a mate show in the exit status.
    let solved = String::from_utf8(run(&["mate", &problems]).stdout).expect("it is UTF-8");
    assert_eq!(solved.matches("  mate ").count(), lines.matches("; mate ").count(), "{solved}{lines}");

    // An interrupt keeps the problems so far.
    let is_due = |line: &String| line.contains(" problem") && !line.contains(", 0 problems");
    let (_, error) = interrupted(&[&mates[..], &[&few]].concat(), is_due);
    let kept = fs::read_to_string(&few).expect("it was written").lines().count();
    assert!(error.contains("interrupted: ") && (1..=found).contains(&kept), "{kept} of {found}: {error}");
}

#[test]
fn networks_are_compared_on_positions_that_searches_visit() {
    let folder = Folder::new();
    let [games, set, again] = ["games", "set.epd", "again.epd"].map(|name| folder.path(name));
    succeed(&datagen(&games, "2"));
    let make = |out: &str| {
        let nodes = ["--nodes", "100", "--score-nodes", "300", "--hash", "1"];
        succeed(&[&["data", "test-set", &games, "--out", out, "--count", "60"][..], &nodes].concat())
    };
    let text = make(&set);
    assert!(text.contains("positions of 12 games in "), "{text}");
    make(&again);
    let [lines, again] = [&set, &again].map(|file| fs::read_to_string(file).expect("it was written"));
    assert!(lines == again && lines.lines().count() > 40, "{lines}");
    assert!(lines.lines().all(|line| line.contains("id \"games/00000")), "games of two folders differ: {lines}");
    let table = succeed(&["net", "score", &set, "network", "handwritten", "network"]);
    let row = |start: &str| table.lines().filter(|line| line.starts_with(start)).collect::<Vec<_>>();
    assert_eq!((row("network").len(), row("handwritten").len(), row("  difference").len()), (2, 1, 2), "{table}");
    assert!(row("  difference")[1].contains("+0.00000 ± 0.00000") && row("  difference")[0].contains(" ± "), "{table}");
    assert!(row("positions")[0].ends_with(&lines.lines().count().to_string()), "{table}");
    let broken = folder.file("broken.epd", "startpos\n");
    fail(&["net", "score", &broken, "network"], "broken.epd, line 1: a position of a test set is");
}
