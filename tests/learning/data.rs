//! Games of self-play as files: made, killed and made again, looked at, mixed, scored anew.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::{Folder, JUDKINS, fails, succeeds};

/// Six shards of two short games, by so many threads.
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

#[test]
fn whatever_kills_it_the_same_games_are_made() {
    let folder = Folder::new();
    let (undisturbed, disturbed) = (folder.join("undisturbed"), folder.join("disturbed"));
    let text = succeeds(&datagen(&undisturbed, "1"));
    assert!(text.contains("0 of 6 shards are there") && text.contains("games      12: "), "{text}");
    for millis in [1, 20, 60, 120, 200, 300] {
        let mut child = Command::new(JUDKINS)
            .args(datagen(&disturbed, "2"))
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary starts");
        sleep(Duration::from_millis(millis));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    succeeds(&datagen(&disturbed, "2"));
    assert_eq!(shards(&undisturbed).len(), 6);
    assert!(shards(&undisturbed) == shards(&disturbed), "the games differ");
    let again = succeeds(&datagen(&disturbed, "2"));
    assert!(again.contains("6 of 6 shards are there"), "{again}");
}

#[test]
fn shards_of_other_settings_are_not_mixed_in() {
    let folder = Folder::new();
    let out = folder.join("games");
    let with_nodes =
        |nodes| ["datagen", "--out", &out, "--shards", "1", "--games", "1", "--hash", "1", "--nodes", nodes];
    succeeds(&with_nodes("30"));
    let error = fails(&with_nodes("31"));
    assert!(error.contains("made with other settings: nodes 30 there, 31 here; give"), "{error}");
}

#[test]
fn games_are_counted_mixed_and_scored_anew() {
    let folder = Folder::new();
    let [games, mixed, rescored] = ["games", "mixed", "rescored"].map(|name| folder.join(name));
    succeeds(&datagen(&games, "2"));
    let stat = succeeds(&["data", "stat", &games]);
    assert!(stat.starts_with("games      12: "), "{stat}");
    succeeds(&["data", "shuffle", "--out", &mixed, &games]);
    assert_eq!(succeeds(&["data", "stat", &mixed]), stat, "the same games in another order");
    succeeds(&["data", "rescore", "--nodes", "20", "--hash", "1", "--out", &rescored, &mixed]);
    let after = succeeds(&["data", "stat", &rescored]);
    assert!(after.starts_with("games      12: "), "{after}");
    assert_ne!(after, stat, "the scores are others");
    let here = format!("{games}/../games");
    for command in ["shuffle", "rescore"] {
        for out in [&games, &here] {
            let error = fails(&["data", command, "--out", out, &games]);
            assert!(error.contains("the folder of the old shards"), "{error}");
        }
    }
}

#[test]
fn mixed_games_replace_no_others() {
    let folder = Folder::new();
    let [games, others, out] = ["games", "others", "out"].map(|name| folder.join(name));
    for games in [&games, &others] {
        succeeds(&datagen(games, "2"));
    }
    let before = shards(&others);
    let error = fails(&["data", "shuffle", "--out", &others, &games]);
    assert!(error.contains("there are shards in") && shards(&others) == before, "{error}");
    fs::create_dir(&out).unwrap();
    let lock = fs::File::create(Path::new(&out).join("lock")).unwrap();
    lock.lock().unwrap();
    let shuffle = ["data", "shuffle", "--out", &out, &games];
    let error = fails(&shuffle);
    assert!(error.contains("another program writes into") && shards(&out).is_empty(), "{error}");
    drop(lock);
    succeeds(&shuffle);
    // Games of self-play do not go among them.
    let mixed = shards(&out);
    assert!(fails(&datagen(&out, "2")).contains("settings.json") && shards(&out) == mixed);
}

#[test]
fn a_start_that_cannot_be_is_refused() {
    let folder = Folder::new();
    let error = fails(&["datagen", "--out", &folder.join("games"), "--start-score=-1"]);
    assert!(error.contains("--start-score is at least 0"), "{error}");
}

#[test]
fn new_scores_are_of_one_kind_and_of_every_shard() {
    let folder = Folder::new();
    let [games, others, out] = ["games", "others", "out"].map(|name| folder.join(name));
    for games in [&games, &others] {
        succeeds(&datagen(games, "2"));
    }
    let rescore = ["data", "rescore", "--hash", "1", "--out", &out];
    let error = fails(&[&rescore[..], &[&games, &others]].concat());
    assert!(error.contains("two shards have the name of") && shards(&out).is_empty(), "{error}");
    succeeds(&[&rescore[..], &["--nodes", "30", &games]].concat());
    let error = fails(&[&rescore[..], &["--nodes", "20", &games]].concat());
    assert!(error.contains("other settings: nodes 30 there, 20 here; give"), "{error}");
    // What is there is kept, if it is of these games.
    let again = [&rescore[..], &["--nodes", "30"]].concat();
    succeeds(&[&again[..], &[&games]].concat());
    fs::remove_dir_all(&others).unwrap();
    succeeds(&[&datagen(&others, "2")[..], &["--seed", "3"]].concat());
    let error = fails(&[&again[..], &[&others]].concat());
    assert!(error.contains("has other games than"), "{error}");
}

#[test]
fn damage_is_found() {
    let folder = Folder::new();
    let games = folder.join("games");
    succeeds(&datagen(&games, "2"));
    let path = Path::new(&games).join("000003.games");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let text = fails(&["data", "verify", &games]);
    assert_eq!(text.matches("2 games, sound").count(), 5, "{text}");
    assert!(text.contains("000003.games: the games are damaged") && text.contains("1 of 6 shards"), "{text}");
    assert!(fails(&["data", "stat", &folder.join("nothing")]).contains("No such file"));
}
