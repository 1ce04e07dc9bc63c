//! `judkins review`, as a person runs it, and the library below it.

mod endings;
mod missed_mates;

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;

use judkins::record::{Encoding, Format, NodeId, Reader, Record};
use judkins::review::{Budget, Language, MoveMark, MoveReview, Review, Reviewer, annotate};
use judkins::shogi::{ImpasseRule, Position};

use crate::common::{Folder, JUDKINS, run, stdout, succeed};

/// Black gives the rook away on move 3, and White takes it.
const BLUNDER: &str = "startpos moves 6e6d 2a2b 1f1b+ 1a1b 6d6c 1b1a\n";

static BLUNDER_REVIEW: LazyLock<Review> = LazyLock::new(|| {
    let reviewer = Reviewer { budget: Budget::Nodes(20_000), ..Reviewer::default() };
    reviewer.review(&record(BLUNDER), &AtomicBool::new(false), &|_| {}).unwrap()
});

/// Black mates in 3 plies, and moves the rook away instead.
const MISSED: &str = "sfen 3Rnk/4gp/1Bg3/1b1N2/P5/K5 b R2S 47 moves 3a3b\n";

/// A file that is removed with its folder.
fn file(text: &str) -> (Folder, String) {
    let folder = Folder::new();
    let path = folder.file("game.usi", text);
    (folder, path)
}

fn json(text: &str, arguments: &[&str]) -> Value {
    let (_folder, path) = file(text);
    let printed = succeed(&[&["review", &path, "--json", "--nodes", "20000"], arguments].concat());
    serde_json::from_str(&printed).expect("it prints JSON")
}

fn record(text: &str) -> Record {
    let game = Reader::new(text.as_bytes()).unwrap().next().unwrap().unwrap();
    assert!(game.problems.is_empty(), "{:?}", game.problems);
    game.record.unwrap()
}

/// The review of a game by searches of this many nodes.
fn review_of(record: &Record, nodes: u64, impasse_rule: ImpasseRule) -> Review {
    let reviewer = Reviewer { budget: Budget::Nodes(nodes), hash: 1, impasse_rule, ..Reviewer::default() };
    reviewer.review(record, &AtomicBool::new(false), &|_| {}).expect("there are threads")
}

/// A record with a review of the same main line, whose nodes may differ.
fn annotated(record: &Record, review: &Review) -> Record {
    let places = record.main_line().zip(&review.moves);
    let moves: Vec<MoveReview> = places.map(|(node, mv)| MoveReview { node, ..mv.clone() }).collect();
    let mut annotated = record.clone();
    annotate(&mut annotated, &moves, Language::English);
    annotated
}

#[test]
fn json_has_an_entry_for_every_move_and_names_blunders() {
    let review = json(BLUNDER, &["--threads", "1"]);
    assert_eq!(review, json(BLUNDER, &["--threads", "3"]), "threads change nothing");
    let moves = review["moves"].as_array().unwrap();
    let usi: Vec<&str> = moves.iter().map(|mv| mv["usi"].as_str().unwrap()).collect();
    assert_eq!(usi, ["6e6d", "2a2b", "1f1b+", "1a1b", "6d6c", "1b1a"]);
    assert!((1..).zip(moves).all(|(ply, mv)| mv["ply"] == ply));
    let mut marks = BTreeMap::new();
    for mv in moves {
        *marks.entry(mv["mark"].as_str().unwrap_or("none").to_owned()).or_insert(0) += 1;
        for key in ["score", "before", "best", "loss", "chance", "chance_before"] {
            assert!(!mv[key].is_null(), "{key} is missing: {mv}");
        }
        let loss = mv["chance_before"].as_f64().unwrap() - mv["chance"].as_f64().unwrap();
        assert!((loss - mv["loss"].as_f64().unwrap()).abs() < 1e-3, "{mv}");
    }
    assert!(marks.contains_key("blunder"), "{marks:?}");
    assert_eq!(review["players"]["black"]["moves"], 3);
    assert_eq!(review["complete"], true);
}

#[test]
fn missed_mates_are_named_with_their_length_and_longer_ones_are_none() {
    let review = json(MISSED, &[]);
    assert_eq!(review["moves"][0]["missed_mate"], 3, "{review}");
    assert_eq!(review["moves"][0]["missed_mate_line"].as_array().unwrap().len(), 3);
    // Black leaves a mate in 1 for one in 3 that cannot be stopped.
    let longer = json("sfen 4k1/6/4G1/6/6/K5 b G 1 moves 6f5f\n", &[]);
    assert_eq!(longer["moves"][0]["missed_mate"], Value::Null, "{longer}");
    let mate_in_one = json("sfen 4k1/6/4G1/6/6/K5 b G 1 moves G*2b\n", &[]);
    assert_eq!(mate_in_one["moves"][0]["missed_mate"], Value::Null);
    assert_eq!(mate_in_one["moves"][0]["before"], "mate 1");
    // The king flees to the square that wins under this rule.
    let flight = "sfen 5K/2R3/6/1B1g2/6/1k4 b GS 1 moves 1a1b\n";
    assert_eq!(json(flight, &["--impasse-rule", "Try"])["moves"][0]["missed_mate"], Value::Null);
}

#[test]
fn a_mate_is_a_ply_longer_before_its_move() {
    let review = json("sfen 1b3S/2B2k/3R2/6/6/K5 b P 1 moves 3c3b 1b1a P*1b 1a2a 4b3a+\n", &[]);
    let moves = review["moves"].as_array().unwrap().iter();
    let pairs: Vec<_> = moves.map(|mv| (mv["before"].as_str().unwrap(), mv["score"].as_str())).collect();
    let expected = [
        ("mate 5", Some("mate 4")),
        ("mate -4", Some("mate -3")),
        ("mate 3", Some("mate 2")),
        ("mate -2", Some("mate -1")),
        ("mate 1", None),
    ];
    assert_eq!(pairs, expected);
}

#[test]
fn a_player_without_moves_has_no_accuracy() {
    let review = json("startpos moves 6e6d\n", &[]);
    assert!(review["players"]["black"]["accuracy"].is_f64());
    assert_eq!(review["players"]["white"]["moves"], 0);
    assert_eq!(review["players"]["white"]["accuracy"], Value::Null);
    let (_folder, path) = file("startpos moves 6e6d\n");
    assert!(succeed(&["review", &path, "--nodes", "1000"]).contains("△ White: no moves\n"));
}

#[test]
fn a_missed_declaration_is_told() {
    let text = "sfen 1K4/GGS3/6/6/6/5k b 2RBN 1 moves 5a4a\n";
    assert_eq!(json(text, &["--impasse-rule", "Declaration"])["moves"][0]["missed_declaration"], true);
    assert_eq!(json(text, &[])["moves"][0]["missed_declaration"], false);
}

#[test]
fn an_interrupted_review_keeps_what_is_done() {
    let (record, stop) = (record(BLUNDER), AtomicBool::new(false));
    let reviewer = Reviewer { budget: Budget::Nodes(20_000), threads: 1, ..Reviewer::default() };
    let review = reviewer
        .review(&record, &stop, &|progress| {
            // The mates of six moves, and three searches.
            stop.fetch_or(progress.done >= 36, Ordering::Relaxed);
        })
        .unwrap();
    assert!(!review.complete);
    assert!(review.moves.iter().any(|mv| mv.loss.is_some()) && review.moves.iter().any(|mv| mv.loss.is_none()));
    // All seven positions have a score, but not all are looked at again.
    stop.store(false, Ordering::Relaxed);
    let review = reviewer
        .review(&record, &stop, &|progress| {
            stop.fetch_or(progress.done > 76, Ordering::Relaxed);
        })
        .unwrap();
    assert!(!review.complete && review.moves.iter().all(|mv| mv.loss.is_some()));
}

/// The histories of all positions together would take gigabytes; this game ends and continues 300 times.
#[test]
#[cfg(target_os = "linux")]
fn a_very_long_game_is_reviewed_in_little_memory() {
    let walk = ["6f6e", "1a1b", "6e6f", "1b1a"].into_iter().cycle().take(4_000).collect::<Vec<_>>().join(" ");
    let (_folder, path) = file(&format!("sfen 5k/6/6/6/6/K5 b - 1 moves {walk}\n"));
    let review = "review \"$0\" --time 3 --hash 1 --threads 1 --json";
    let limited = format!("ulimit -v 1000000; exec '{JUDKINS}' {review}");
    let output = Command::new("sh").args(["-c", &limited, &path]).output().expect("there is a shell");
    let review: Value = serde_json::from_str(&stdout(&output)).expect("it prints JSON");
    assert_eq!(review["moves"].as_array().map(Vec::len), Some(4_000));
}

#[test]
fn annotations_become_marks_comments_and_variations() {
    let mut record = record(BLUNDER);
    let review = BLUNDER_REVIEW.clone();
    let blunder = review.moves.iter().find(|mv| mv.mark == Some(MoveMark::Blunder)).expect("there is one");
    annotate(&mut record, &review.moves, Language::English);
    let notes = record[blunder.node].notes();
    assert_eq!(notes.mark, MoveMark::Blunder.sign());
    assert!(notes.comment.starts_with("blunder: ") && notes.evaluation.is_some(), "{notes:?}");
    let parent = record[blunder.node].parent().unwrap();
    let variation = *record[parent].children().last().unwrap();
    assert_eq!(record[variation].mv(), Some(blunder.best[0]));
    let main: Vec<String> = record.main_moves().map(|mv| mv.to_string()).collect();
    assert_eq!(main.join(" "), "6e6d 2a2b 1f1b+ 1a1b 6d6c 1b1a", "the game itself stays");
}

#[test]
fn annotations_are_in_the_language_of_their_readers() {
    let fresh = record(BLUNDER);
    let mut review = BLUNDER_REVIEW.clone();
    review.moves[0].mark = Some(MoveMark::Only);
    let mut english = fresh.clone();
    annotate(&mut english, &review.moves, Language::English);
    let mut japanese = fresh;
    annotate(&mut japanese, &review.moves, Language::Japanese);
    let comments = |record: &Record| -> Vec<String> {
        record.walk().map(|id| record[id].notes().comment.clone()).filter(|comment| !comment.is_empty()).collect()
    };
    let (ours, theirs) = (comments(&english), comments(&japanese));
    assert_eq!(ours.len(), theirs.len());
    assert!(ours[0].starts_with("only move: ") && theirs[0].starts_with("この一手: "), "{ours:?} {theirs:?}");
    assert!(theirs.iter().all(|comment| !comment.chars().any(|c| c.is_ascii_alphabetic())), "{theirs:?}");
    // Each takes the place of the other.
    annotate(&mut japanese, &review.moves, Language::English);
    assert_eq!(japanese, english);
    annotate(&mut english, &review.moves, Language::Japanese);
    assert_eq!(comments(&english), theirs);
}

#[test]
fn a_second_review_takes_the_place_of_the_first() {
    let mut record = record(BLUNDER);
    let mut review = BLUNDER_REVIEW.clone();
    let blunder = review.moves.iter().position(|mv| mv.mark == Some(MoveMark::Blunder)).expect("there is one");
    let node = review.moves[blunder].node;
    record.set_comment(node, "Too hasty.\nbrilliant: said one who lost").unwrap();
    annotate(&mut record, &review.moves, Language::English);
    let once = record.clone();
    annotate(&mut record, &review.moves, Language::English);
    assert_eq!(record, once);
    review.moves[blunder].mark = Some(MoveMark::Mistake);
    review.moves[blunder].missed_mate = None;
    annotate(&mut record, &review.moves, Language::English);
    let notes = record[node].notes();
    assert_eq!(notes.mark, MoveMark::Mistake.sign());
    let lines: Vec<&str> = notes.comment.lines().collect();
    assert_eq!(lines[..2], ["Too hasty.", "brilliant: said one who lost"]);
    assert!(lines.len() == 3 && lines[2].starts_with("mistake: "), "{lines:?}");
}

/// Better lines of earlier reviews stayed, and so did their words for good moves.
#[test]
fn an_annotated_file_is_annotated_anew_as_if_it_had_not_been() {
    let mut fresh = record(BLUNDER);
    let second = fresh.main_line().nth(1).unwrap();
    fresh.set_comment(second, "Everybody plays this.\nonly move, he thought").unwrap();
    let third = fresh.play(second, "6f6e".parse().unwrap()).unwrap();
    fresh.set_comment(third, "quieter").unwrap();
    let [long, short] = [20_000, 1_000].map(|nodes| review_of(&fresh, nodes, ImpasseRule::default()));
    for format in [Format::Kif, Format::Ki2, Format::Pgn, Format::PgnFairy, Format::PgnCuteChess] {
        let annotated = |record: &Record, review: &Review| annotated(record, review).to_text(format).unwrap();
        let once = annotated(&fresh, &long);
        assert!(once.contains("better line: ") && once.contains("quieter"), "{once}");
        assert_eq!(annotated(&record(&once), &long), once, "{format}");
        let quick = annotated(&fresh, &short);
        assert_ne!(quick, once, "both find the same: the test shows nothing");
        assert_eq!(annotated(&record(&quick), &long), once, "{format}");
    }
}

#[test]
fn additions_to_a_better_line_stay() {
    let mut record = record(BLUNDER);
    let mut review = BLUNDER_REVIEW.clone();
    let blunder = review.moves.iter().position(|mv| mv.mark == Some(MoveMark::Blunder)).expect("there is one");
    review.moves[blunder].best = ["5f5e", "1b1c"].map(|mv| mv.parse().unwrap()).to_vec();
    annotate(&mut record, &review.moves, Language::English);
    let node = review.moves[blunder].node;
    let better = *record[record[node].parent().unwrap()].children().last().unwrap();
    assert!(record[better].notes().comment.starts_with("better line: "), "{:?}", record[better].notes());
    let deeper = *record[better].children().first().unwrap();
    record.set_comment(deeper, "I saw this.").unwrap();
    review.moves[blunder].mark = None;
    annotate(&mut record, &review.moves, Language::English);
    assert_eq!(record[better].notes().comment, "", "it is nobody's line but the reader's now");
    assert_eq!(record[deeper].notes().comment, "I saw this.");
    assert_eq!(record[node].notes().mark, None);
}

#[test]
fn comments_of_people_that_begin_as_those_of_a_review_stay() {
    let mut record = record(BLUNDER);
    let end = record.main_end();
    let comment = "終局：20時15分\ngame over by a silly blunder";
    record.set_comment(end, comment).unwrap();
    for language in [Language::English, Language::Japanese] {
        annotate(&mut record, &BLUNDER_REVIEW.moves, language);
        assert!(record[end].notes().comment.starts_with(comment), "{}", record[end].notes().comment);
    }
}

/// A line of fewer moves than are shown used to be deleted with the moves that were added to it.
#[test]
fn a_short_better_line_that_a_person_made_longer_stays() {
    let plain = record(BLUNDER);
    for length in 1..=3 {
        let mut review = BLUNDER_REVIEW.clone();
        for mv in &mut review.moves {
            mv.mark = mv.mark.filter(|&mark| mark == MoveMark::Blunder);
            mv.missed_mate = None;
            mv.best.truncate(length);
        }
        for format in [Format::Kif, Format::Ki2, Format::Pgn, Format::PgnFairy, Format::PgnCuteChess] {
            let anew = |record: &Record| annotated(&self::record(&record.to_text(format).unwrap()), &review);
            let once = anew(&plain);
            assert_eq!(anew(&once).to_text(format), once.to_text(format));
            let mut longer = once.clone();
            let end = |record: &Record, &id: &NodeId| id != record.main_end() && record[id].children().is_empty();
            let end = once.walk().find(|id| end(&once, id)).expect("there is a better line");
            let Some(&mv) = longer.position(end).unwrap().legal_moves().first() else { continue };
            longer.play(end, mv).unwrap();
            assert!(anew(&longer).to_text(format) != once.to_text(format), "{format}, {length} moves and one more");
        }
    }
}

/// A file of Cute Chess became one of other moves and colours, and one in Shift-JIS was written in UTF-8.
#[test]
fn a_file_annotated_in_its_place_stays_in_its_format_and_encoding() {
    let record = record(BLUNDER);
    let folder = Folder::new();
    let japanese = Encoding::ShiftJis.encode(&record.to_text(Format::Kif).unwrap()).unwrap();
    let text = |format| record.to_text(format).unwrap().into_bytes();
    for (name, bytes, format, encoding) in [
        ("a.pgn", text(Format::PgnFairy), Format::PgnFairy, Encoding::Utf8),
        ("b.pgn", text(Format::PgnCuteChess), Format::PgnCuteChess, Encoding::Utf8),
        ("c.kif", japanese, Format::Kif, Encoding::ShiftJis),
    ] {
        let path = folder.path(name);
        std::fs::write(&path, bytes).unwrap();
        succeed(&["review", &path, "--nodes", "2000", "--annotate", &path]);
        let annotated = std::fs::read(&path).unwrap();
        let mut games = Reader::new(annotated.as_slice()).unwrap();
        let game = games.next().unwrap().unwrap();
        assert_eq!((game.format, games.encoding(), game.problems), (format, encoding, vec![]));
        assert!(game.record.unwrap().main_moves().eq(record.main_moves()));
    }
}

/// However short the time, every move gets a judgement, and however long it never is too long for a clock.
#[test]
fn any_time_will_do() {
    let record = record(BLUNDER);
    for time in [Duration::ZERO, Duration::from_millis(1), Duration::from_millis(300)] {
        let reviewer = Reviewer { budget: Budget::Time(time), hash: 1, ..Reviewer::default() };
        let review = reviewer.review(&record, &AtomicBool::new(false), &|_| {}).unwrap();
        assert!(review.complete && review.moves.iter().all(|mv| mv.loss.is_some()), "{time:?}");
    }
    let stop = AtomicBool::new(false);
    let reviewer = Reviewer { budget: Budget::Time(Duration::MAX), hash: 1, ..Reviewer::default() };
    let review = reviewer.review(&record, &stop, &|_| stop.store(true, Ordering::Relaxed)).unwrap();
    assert!(!review.complete);
}

#[test]
fn files_are_written_and_bad_ones_told_by_status() {
    let (folder, path) = file(BLUNDER);
    let [kif, html] = ["out.kif", "out.html"].map(|name| folder.path(name));
    succeed(&["review", &path, "--nodes", "2000", "--annotate", &kif]);
    assert!(Reader::new(std::fs::read(&kif).unwrap().as_slice()).unwrap().next().unwrap().unwrap().problems.is_empty());
    succeed(&["review", &path, "--nodes", "2000", "--report", &html]);
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("\"mark\":\"blunder\""), "the review is in it");
    let output = run(&["review", &path, "--nodes", "2000", "--report", &html.replace(".html", ".svg")]);
    assert!(!output.status.success(), "a report is a page");
    let status = |path: &str| run(&["review", path, "--nodes", "2000"]).status.code();
    assert_eq!(status("/no/such/file"), Some(2));
    let (_folder, broken) = file("startpos moves 6e6d 6e6d\n");
    assert_eq!(status(&broken), Some(1));
    let (_folder, nonsense) = file("What is this?\n");
    assert_eq!(status(&nonsense), Some(2));
}

#[test]
fn a_file_of_several_games_gets_a_line_each_and_a_summary() {
    let (_folder, path) = file(&BLUNDER.repeat(2));
    let text = succeed(&["review", &path, "--nodes", "2000"]);
    assert_eq!(text.lines().filter(|line| line.contains("blunders)")).count(), 2, "{text}");
    assert!(text.contains("accuracy  lost a move"), "{text}");
}

#[test]
fn a_game_without_moves_and_one_that_is_over_are_reviewed() {
    let start = Record::new(Position::startpos());
    let review = review_of(&start, 2_000, ImpasseRule::default());
    assert!(review.moves.is_empty() && review.complete);
    let mut mated = Record::new("4k1/6/4G1/6/6/K5 b G 1".parse().unwrap());
    mated.play(NodeId::ROOT, "G*2b".parse().unwrap()).unwrap();
    let review = review_of(&mated, 2_000, ImpasseRule::default());
    assert_eq!(review.moves[0].loss, Some(0.0));
}
