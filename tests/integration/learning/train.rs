//! Training: a network from games, another one from that network, and rejected input.

use std::fs;
use std::path::Path;

use judkins::eval::nnue::Network;

#[cfg(unix)]
use super::interrupted;
use crate::common::{Folder, fail, succeed};

fn network(path: &str) -> (Network, String) {
    Network::read(Path::new(path)).expect("it is a network")
}

#[test]
fn a_network_comes_of_games_and_another_of_the_network() {
    let folder = Folder::new();
    let [games, out, again] = ["games", "first", "second"].map(|name| folder.path(name));
    let datagen = ["datagen", "--out", &games, "--shards=2", "--games=150", "--nodes=30", "--hash=1"];
    succeed(&[&datagen[..], &["--evaluation", "handwritten"]].concat());

    let train = ["train", games.as_str(), "--batch", "500", "--epochs", "2"];
    let text = succeed(&[&train[..], &["--out", &out, "--note", "a toy"]].concat());
    assert!(text.contains("of 300 games to learn from"), "{text}");
    assert!(text.contains("rounding changes scores by") && text.contains("network.net"), "{text}");
    let (first, note) = network(&format!("{out}/network.net"));
    assert!(note.starts_with("a toy\n") && note.contains("--epochs 2 --batch 500"), "{note}");
    assert!(note.contains("data: 300 games") && note.contains("epoch 2 of 2: loss 0."), "{note}");
    let table = fs::read_to_string(format!("{out}/losses.csv")).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(fs::read_to_string(format!("{out}/losses.svg")).unwrap().contains("loss by epoch"));

    // A finished training is not repeated by accident, but can be continued.
    fail(&[&train[..], &["--out", &out]].concat(), "--resume");
    // Before the data is read.
    fail(&["train", "no.games", "--out", &again, "--resume"], "there is no training to resume: ");
    let resume = [&train[..], &["--out", &out, "--resume"]].concat();
    let error = fail(&[&resume[..], &["--lambda", "0.3"]].concat(), "other settings: lambda 0.7 there, 0.3 here");
    assert!(error.contains("--resume: "), "{error}");
    fs::remove_file(format!("{out}/network.net")).unwrap();
    succeed(&resume);
    let long = "x".repeat(40_000);
    fail(&[&resume[..], &["--note", &long]].concat(), "--note has 40000 bytes; 32768 are allowed");
    assert_eq!(network(&format!("{out}/network.net")), (first.clone(), note));
    // A finished training keeps a new note.
    succeed(&[&resume[..], &["--note", "another note"]].concat());

    // More epochs extend it, and fewer do not.
    let more = ["train", &games, "--batch", "500", "--out", &out, "--resume", "--epochs"];
    let text = succeed(&[&more[..], &["3"]].concat());
    assert!(
        text.contains("3 epochs, 2 until now: the learning rate goes from 1.") && text.contains("e-5 to "),
        "{text}"
    );
    let (_, note) = network(&format!("{out}/network.net"));
    assert!(
        note.starts_with("another note\n")
            && note.contains("\nextended after epoch 2, from 2 epochs\n")
            && note.contains("epoch 3 of 3: loss"),
        "{note}"
    );
    fail(&[&more[..], &["2"]].concat(), "--epochs: the training to resume has 3 epochs, which can become more");

    let start = format!("{out}/network.net");
    succeed(&[&train[..], &["--out", &again, "--start", &start]].concat());
    let (second, note) = network(&format!("{again}/network.net"));
    assert!(second != first && note.contains("--start network.net"), "{note}");
    // A network without its checkpoint, as somebody else's is, is not replaced either.
    fs::remove_file(format!("{again}/checkpoint")).unwrap();
    let start = format!("{again}/network.net");
    fail(&[&train[..], &["--out", &again, "--start", &start]].concat(), "network.net exists: give another --out");
    assert_eq!(network(&start), (second, note));
}

#[test]
#[cfg(unix)]
fn an_interrupt_has_the_last_word() {
    let folder = Folder::new();
    let [games, out] = ["games", "out"].map(|name| folder.path(name));
    succeed(&["datagen", "--out", &games, "--shards", "1", "--games", "100", "--nodes", "30", "--hash", "1"]);
    for (batch, before, said) in [
        ("1", "before ", "interrupted in the first epoch: nothing is kept"),
        ("16", "     1  ", "interrupted in epoch "),
    ] {
        let train = ["train", &games, "--out", &out, "--batch", batch, "--epochs", "100000"];
        let mut is_later = false;
        let (line, error) = interrupted(&train, |line| {
            // Then it is in the next epoch, of which it tells too.
            is_later |= line.starts_with(before);
            is_later && line.contains(" positions, epoch ")
        });
        assert!(line.contains(" positions/s, "), "{line}");
        assert!(error.contains(said), "{error}");
        let has_epoch = batch == "16";
        assert_eq!(Path::new(&out).exists(), has_epoch, "{error}");
    }
}

#[test]
fn unusable_inputs_are_named() {
    let folder = Folder::new();
    let (out, file) = (folder.path("out"), folder.file("a.games", "These are no games, whatever the name says."));
    fail(&["train", &file, "--out", &out], "a.games: not a shard of games");
    fail(&["train", &file, "--out", &out, "--rate", "0"], "--rate: the learning rate must be above 0");
    fail(&["train", &file, "--out", &out, "--start", &file], "a.games: not a network file");
    assert!(!Path::new(&out).exists(), "an empty folder is left");
    fs::create_dir(&out).unwrap();
    let lock = fs::File::create(format!("{out}/lock")).unwrap();
    lock.lock().unwrap();
    fail(&["train", &file, "--out", &out], "another program writes into");
}
