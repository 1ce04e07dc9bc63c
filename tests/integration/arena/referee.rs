//! The ends of games, and the lines sent to engines.

use super::*;

/// A game of two engines that play given moves: how it ends.
fn ending(opening: &str, moves: &str, arguments: &[&str]) -> (String, String) {
    let folder = Folder::new();
    let (openings, record) = (folder.openings(opening), folder.path("games.jsonl"));
    let line = format!("'{moves}'");
    let engines = ["one", "two"].map(|name| format!("{} {line}", scripted(name, "line")));
    let common =
        ["--engine", &engines[0], "--engine", &engines[1], "--each", "movetime=2000", "--games", "2", "--openings"];
    stdout(&run(&[&common[..], &[&openings, "--record", &record], arguments].concat()));
    let records = folder.records();
    let text = |record: &Value, key: &str| record[key].as_str().expect("it is a text").to_owned();
    assert_eq!(text(&records[0], "result"), text(&records[1], "result"), "the same moves end the same way");
    (text(&records[0], "result"), text(&records[0], "detail"))
}

#[test]
fn the_runner_is_the_referee() {
    let perpetual = "1b1a 6b6a 1a1b 6a6b ".repeat(3);
    let quiet = "6a6b 5f5e 6b5b 5e4e 5b4b 4e3e";
    for (opening, moves, arguments, result, detail) in [
        ("5k/6/5P/6/6/K5 b G 1", "G*1b", &[][..], "1-0", "Black wins: checkmate"),
        ("5k/3G2/5P/6/6/K3R1 b - 1", "2f2b", &[], "1-0", "Black wins: no legal move"),
        ("6/R4k/6/6/6/K5 w - 1", &perpetual, &[], "0-1", "White wins: perpetual check"),
        (
            "K4R/6/6/6/6/1k4 b B2G2S2N2Prb 1",
            quiet,
            &["--impasse-plies", "6"],
            "1-0",
            "Black wins: impasse, 18 points to 10",
        ),
        ("K4R/6/6/6/6/1k4 b B2G2S2N2Prb 1", quiet, &[], "0-1", "White wins: resignation"),
        ("6/4K1/6/6/6/1k4 b - 1", "2b1a", &["--impasse-rule", "Try"], "1-0", "Black wins: try"),
        ("1K4/GGS3/6/6/6/5k b RBSN 1", "win", &["--impasse-rule", "Declaration"], "1-0", "Black wins: declaration"),
        ("1K4/GGS3/6/6/6/5k b RBSN 1", "win", &[], "0-1", "White wins: one: wrong declaration"),
        ("5k/6/3NG1/6/6/K5 b P 1", "P*1b", &[], "0-1", "White wins: one: illegal move P*1b"),
        ("startpos", "6e6d 1b1c 6d6c", &["--max-moves", "2"], "1/2-1/2", "draw: 2 moves were played"),
        ("startpos moves 6e6d", "- 1b1c", &[], "0-1", "White wins: resignation"),
    ] {
        let found = ending(opening, moves, arguments);
        // "resignation" marks the end of the moves: the side to move resigns.
        assert_eq!(found.1, detail, "{opening} {moves}");
        assert_eq!(found.0, result, "{opening} {moves}");
    }
}

/// The lines sent to a logging engine in the first game of a match.
fn sent(manner: &str, engine: &str, each: &str, arguments: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    let log = folder.path("log");
    let engine = format!("{}{engine}", scripted("log", &format!("{manner} {log}")));
    let fair = scripted("fair", "fair");
    let plan = ["--engine", &engine, "--engine", &fair, "--each", each, "--games", "2"];
    stdout(&run(&[&plan[..], arguments].concat()));
    let text = fs::read_to_string(&log).expect("the engine has written it");
    // The first process only introduced itself.
    let (_, lines) = text.split_once("\nquit\n").expect("it was told to quit");
    lines.lines().map(str::to_owned).collect()
}

#[test]
fn an_engine_is_sent_what_usi_says() {
    let options = ",option.level=5,option.bold=true,option.style=very risky,option.Clear It=";
    let lines = sent("log", &format!("{options},init=hello there"), "tc=10+0.5", &["--impasse-rule", "Try"]);
    let start = [
        "usi",
        "setoption name ImpasseRule value Try",
        "setoption name Level value 5",
        "setoption name Bold value true",
        "setoption name Style value Very Risky",
        "setoption name Clear It",
        "hello there",
        "isready",
        "usinewgame",
        "isready",
    ];
    assert_eq!(lines[..start.len()], start);
    let position = lines.iter().position(|line| line.starts_with("position")).expect("it was asked for a move");
    assert!(lines[position].starts_with("position startpos moves "), "{}", lines[position]);
    assert!(lines[position + 1].starts_with("go btime 10000 wtime "), "{}", lines[position + 1]);
    assert!(lines[position + 1].ends_with(" binc 500 winc 500"), "{}", lines[position + 1]);
    let tail: Vec<&str> = lines.iter().rev().take(2).map(String::as_str).collect();
    assert!(tail[0] == "quit" && tail[1].starts_with("gameover "), "{tail:?}");
}

#[test]
fn an_engine_may_spell_the_rule_in_capitals() {
    let lines = sent("upper", "", "nodes=1", &["--impasse-rule", "Try"]);
    assert_eq!(lines[..2], ["usi", "setoption name IMPASSERULE value TRY"]);
}

#[test]
fn an_engine_is_told_whether_it_has_won() {
    let folder = Folder::new();
    // The side to move moves a rook that does not exist.
    let openings = folder.openings("5k/6/6/6/6/K5 b P 1");
    let lines = sent("log", "", "nodes=1", &["--openings", &openings]);
    let told: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.starts_with("gameover")).collect();
    assert_eq!(told, ["gameover lose", "gameover win"]);
}

#[test]
fn an_engine_is_sent_what_uci_says() {
    let folder = Folder::new();
    let openings = folder.openings("startpos moves 1f1e 6a6b 1e1f 6b6a");
    let lines = sent("uci", ",proto=uci", "tc=10+0.5", &["--openings", &openings]);
    assert_eq!(lines[..4], ["uci", "setoption name ImpasseRule value Points12", "isready", "ucinewgame"]);
    let games: Vec<&str> = lines.iter().map(String::as_str).filter(|line| line.starts_with("position")).collect();
    assert_eq!(games[0], "position startpos moves f1f2 a6a5 f2f1 a5a6");
    assert_eq!(games[1], "position startpos moves f1f2 a6a5 f2f1 a5a6 f1f2 a6a5");
    assert!(lines.iter().any(|line| line.starts_with("go wtime 10000 btime 10000 winc 500 binc 500")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("quit"));

    let openings = folder.openings("r1nsgk/5p/6/6/P5/KGSNBR w - 1");
    let lines = sent("uci", ",proto=uci", "nodes=5", &["--openings", &openings]);
    assert!(lines.iter().any(|line| line == "position fen r1nsgk/5p/6/6/P5/KGSNBR[-] b - - 0 1"), "{lines:?}");
    assert!(lines.iter().any(|line| line == "go nodes 5"), "{lines:?}");
}
