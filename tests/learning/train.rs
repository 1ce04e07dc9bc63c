//! Training: a network of games, another of that, and what is refused.

use std::fs;
use std::path::Path;

use judkins::eval::nnue::Network;

use crate::{Folder, fails, succeeds};

fn network(path: &str) -> (Network, String) {
    Network::read(Path::new(path)).expect("it is a network")
}

#[test]
fn a_network_comes_of_games_and_another_of_the_network() {
    let folder = Folder::new();
    let [games, out, again] = ["games", "first", "second"].map(|name| folder.join(name));
    succeeds(&[
        "datagen",
        "--out",
        &games,
        "--shards",
        "2",
        "--evaluation",
        "handwritten",
        "--games",
        "150",
        "--nodes",
        "30",
        "--hash",
        "1",
    ]);

    let train = ["train", games.as_str(), "--batch", "500", "--epochs", "2"];
    let text = succeeds(&[&train[..], &["--out", &out, "--note", "a toy"]].concat());
    assert!(text.contains("of 300 games to learn from"), "{text}");
    assert!(text.contains("rounding changes scores by") && text.contains("network.net"), "{text}");
    let (first, note) = network(&format!("{out}/network.net"));
    assert!(note.starts_with("a toy\n") && note.contains("--epochs 2 --batch 500"), "{note}");
    assert!(note.contains("data: 300 games") && note.contains("epoch 2 of 2: loss 0."), "{note}");
    let table = fs::read_to_string(format!("{out}/losses.csv")).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(fs::read_to_string(format!("{out}/losses.svg")).unwrap().contains("loss by epoch"));

    // What was made is not made again by accident, but can be gone on with.
    let refused = fails(&[&train[..], &["--out", &out]].concat());
    assert!(refused.contains("--resume"), "{refused}");
    let refused = fails(&[&train[..], &["--out", &out, "--resume", "--lambda", "0.3"]].concat());
    assert!(refused.contains("--lambda: ") && refused.contains("another lambda: 0.7, not 0.3"), "{refused}");
    fs::remove_file(format!("{out}/network.net")).unwrap();
    succeeds(&[&train[..], &["--out", &out, "--resume", "--note", "a toy"]].concat());
    let long = "x".repeat(40_000);
    let error = fails(&[&train[..], &["--out", &out, "--resume", "--note", &long]].concat());
    assert!(error.contains("--note has 40000 bytes; 32768 are allowed"), "{error}");
    assert_eq!(network(&format!("{out}/network.net")), (first.clone(), note));

    let start = format!("{out}/network.net");
    succeeds(&[&train[..], &["--out", &again, "--start", &start]].concat());
    let (second, note) = network(&format!("{again}/network.net"));
    assert!(second != first && note.contains("--start network.net"), "{note}");
}

#[test]
fn what_cannot_be_learned_from_is_named() {
    let folder = Folder::new();
    let [out, file] = ["out", "a.games"].map(|name| folder.join(name));
    fs::write(&file, "These are no games, whatever the name says.").unwrap();
    let refused = fails(&["train", &file, "--out", &out]);
    assert!(refused.contains("a.games: not a shard of games"), "{refused}");
    let refused = fails(&["train", &file, "--out", &out, "--rate", "0"]);
    assert!(refused.contains("--rate: the learning rate must be above 0"), "{refused}");
    let refused = fails(&["train", &file, "--out", &out, "--start", &file]);
    assert!(refused.contains("a.games: not a network file"), "{refused}");
    let refused = fails(&["train", &file, "--out", &out, "--threads", "0"]);
    assert!(refused.contains("--threads"), "{refused}");
    let lock = fs::File::create(format!("{out}/lock")).unwrap();
    lock.lock().unwrap();
    let refused = fails(&["train", &file, "--out", &out]);
    assert!(refused.contains("another program writes into"), "{refused}");
}
