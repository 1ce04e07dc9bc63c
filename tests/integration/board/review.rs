//! A review, and learning from it.

use serde_json::{Value, json};

use super::page::{Page, moves};
use super::state::Board;

/// A board and a page with a game in which Black gives a rook for a pawn.
fn blundered() -> (Board, Page) {
    let (board, mut page) = Board::start().with_page();
    page.play("1f1b+");
    page.play("1a1b");
    (board, page)
}

/// The review of the game on the board.
fn reviewed(page: &mut Page, nodes: u32) -> Value {
    page.ask(json!({"type": "review", "nodes": nodes}));
    page.wait_for(|message| message["review"]["state"] == "done")["review"].clone()
}

#[test]
fn a_game_is_reviewed_and_a_blunder_can_be_played_better() {
    assert_eq!(Board::start().page().refused(json!({"type": "review", "nodes": 1000})), "no-moves");
    let (board, mut page) = blundered();
    assert_eq!(page.refused(json!({"type": "review", "nodes": 0})), "bad-nodes");
    page.ask(json!({"type": "review", "nodes": 3000}));
    page.wait_for(|message| message["review"]["state"] == "running");
    let review = page.wait_for(|message| message["review"]["state"] == "done")["review"].clone();
    let blunder = &review["moves"][0];
    assert_eq!((&blunder["ply"], &blunder["mark"], &blunder["node"]), (&json!(1), &json!("blunder"), &json!(1)));
    assert!(blunder["loss"].as_f64().unwrap() > 0.3);
    assert_eq!(review["players"]["black"]["blunders"], 1);
    let study = board.page().study;
    assert!(study["nodes"][1]["eval"]["win"].as_f64().unwrap() < 0.5);
    let text = page.export("pgn").replace('\n', " ");
    assert!(text.contains("1. Rx1b+ $4 {") && text.contains("{blunder: ") && text.contains("} (1. "), "{text}");
    assert_eq!(board.page().study["nodes"].as_array().unwrap().len(), 3, "the tree stays as it is");
    let id = page.ask(json!({"type": "learn", "node": 1, "move": blunder["best"]}));
    let learned = page.wait("learned");
    assert_eq!((&learned["id"], &learned["best"], &learned["good"]), (&json!(id), &json!(true), &json!(true)));
    page.ask(json!({"type": "learn", "node": 1, "move": "1f1b+"}));
    let learned = page.wait("learned");
    assert_eq!((&learned["best"], &learned["good"]), (&json!(false), &json!(false)));
    assert!(learned["loss"].as_f64().unwrap() > 0.2);
    assert_eq!(page.refused(json!({"type": "learn", "node": 2, "move": "6e6c"})), "illegal-move");

    // It took its time: it is there again after a problem, and after another game that was a mistake.
    page.ask(json!({"type": "problemNext", "plies": 1}));
    page.wait_for(|message| message["type"] == "review" && message["review"].is_null());
    page.ask(json!({"type": "problemLeave"}));
    assert_eq!(page.wait_for(|message| message["review"].is_object())["review"], review);
    page.ask(json!({"type": "paste", "text": "startpos moves 6e6d"}));
    page.wait_for(|message| message["type"] == "review" && message["review"].is_null());
    page.ask(json!({"type": "putBack"}));
    assert_eq!(page.wait_for(|message| message["review"].is_object())["review"], review);

    // And when the game comes from the library, and the next time.
    page.ask(json!({"type": "paste", "text": "startpos moves 6e6d"}));
    page.wait_for(|message| message["type"] == "review" && message["review"].is_null());
    let list = page.answer(json!({"type": "library"}));
    let game = list["rows"].as_array().unwrap().iter().find(|game| game["plies"] == 2).expect("it is kept");
    page.ask(json!({"type": "openKept", "game": game["id"]}));
    assert_eq!(page.wait_for(|message| message["review"].is_object())["review"], review);
    // The library exports the review, and knows the game again.
    for (format, mark) in [("pgn", "{blunder: "), ("kif", "*悪手: ")] {
        let file = page.answer(json!({"type": "exportKept", "games": [game["id"]], "format": format}));
        let text = file["text"].as_str().unwrap();
        assert!(text.contains(mark), "{text}");
        let imported = page.import("own", text);
        assert_eq!((&imported["count"], &imported["known"]), (&json!(0), &json!(1)), "{text}");
    }
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    assert_eq!(page.wait_for(|message| message["review"].is_object())["review"], review);
    page.ask(json!({"type": "learn", "node": 1, "move": blunder["best"]}));
    assert_eq!(page.wait("learned")["best"], true);
}

#[test]
fn a_finished_review_changes_moves_and_leaves_the_study_as_it_is() {
    let (_board, mut page) = Board::start().with_page();
    page.paste("startpos moves 6e6d 1b1c");
    page.ask(json!({"type": "review", "nodes": 1000}));
    let mut came = Vec::new();
    page.wait_for(|message| {
        came.push(message.clone());
        message["review"]["state"] == "done"
    });
    let of_type = |kind: &str| came.iter().filter(|message| message["type"] == kind).collect::<Vec<_>>();
    // Sending the whole study would close the user's editor, dialogs, or unfinished comment.
    assert!(of_type("study").is_empty());
    let changed = of_type("nodes");
    let nodes = changed[0]["nodes"].as_array().unwrap();
    assert!(nodes.len() == 2 && nodes.iter().all(|node| node["eval"].is_object()), "{nodes:?}");
}

/// A site asks for it when its network is there. Another game may be on the board by then.
#[test]
fn a_review_is_resumed_only_if_one_was_interrupted() {
    let (_board, mut page) = Board::start().with_page();
    page.play("1f1b+");
    page.ask(json!({"type": "review", "nodes": 1000, "resumes": true}));
    assert_eq!(page.refused(json!({"type": "stopReview"})), "no-review");
}

/// On a site a review that was interrupted begins again when a problem may already cover the game.
#[test]
fn a_review_begins_while_a_problem_is_shown() {
    let (_board, mut page) = Board::start().with_page();
    page.paste("startpos moves 6e6d 1b1c 5f5e");
    page.ask(json!({"type": "problemNext", "plies": 1}));
    page.wait_for(|message| message["problem"].is_object());
    page.ask(json!({"type": "review", "nodes": 1000}));
    page.ask(json!({"type": "problemLeave"}));
    let review = page.wait_for(|message| message["review"]["state"] == "done")["review"].clone();
    assert_eq!(review["moves"].as_array().unwrap().len(), 3);
}

#[test]
fn the_end_of_a_game_is_told_in_place_of_a_score() {
    let (board, mut page) = Board::start().with_page();
    page.paste("sfen 4k1/6/4G1/6/6/K5 b G 1 moves G*2b");
    let review = reviewed(&mut page, 1000);
    let mating = &review["moves"][0];
    assert_eq!((&mating["end"]["reason"], &mating["end"]["winner"]), (&json!("checkmate"), &json!("black")));
    assert_eq!(
        (&mating["before"]["mate"], &mating["after"]),
        (&json!(1), &json!({"bound": "exact", "win": 1.0, "end": true}))
    );
    assert_eq!(board.page().study["nodes"][1]["eval"], json!(null));
}

#[test]
fn a_missed_mate_is_named_with_its_line() {
    let (_board, mut page) = Board::start().with_page();
    // Black mates in 3 plies, and moves the rook away instead.
    page.paste("sfen 3Rnk/4gp/1Bg3/1b1N2/P5/K5 b R2S 47 moves 3a3b");
    let review = reviewed(&mut page, 3000);
    let missed = &review["moves"][0];
    assert_eq!(missed["missedMate"], 3);
    assert_eq!(missed["line"]["moves"].as_array().unwrap().len(), 3);
    assert_eq!(missed["best"], missed["line"]["moves"][0]);
    // The comment on a deleted move is not exported.
    page.ask(json!({"type": "delete", "node": missed["node"]}));
    let text = page.export("kif");
    assert!(!text.contains("missed"), "{text}");
}

/// A look at a problem used to end the review without a word, and to forget the edits.
#[test]
fn a_review_and_the_edits_outlast_a_problem() {
    let (board, mut page) = blundered();
    page.ask(json!({"type": "review", "nodes": 1000}));
    page.ask(json!({"type": "problemNext", "plies": 1}));
    let shown = page.wait_for(|message| message["type"] == "problem")["problem"].clone();
    page.comment(0, "about the problem");
    page.ask(json!({"type": "problemLeave"}));
    let review = page.wait_for(|message| message["review"]["state"] == "done")["review"].clone();
    assert!(!shown.is_null() && review["moves"].as_array().unwrap().len() == 2, "{review}");
    assert!(board.page().study["nodes"][1]["eval"].is_object(), "the moves have their evaluations");
    for count in [1, 0] {
        page.undo();
        assert_eq!(moves(&board.page().study).len(), count);
    }
    assert_eq!(page.refused(json!({"type": "undo"})), "nothing-to-undo");
}

#[test]
fn a_review_that_ends_behind_a_problem_stays_with_its_study() {
    let (board, mut page) = blundered();
    page.ask(json!({"type": "review", "nodes": 1000}));
    page.ask(json!({"type": "problemNext", "plies": 1}));
    page.wait_for(|message| !message["problem"].is_null());
    // Work is done in its order: the review has ended before this is answered.
    page.ask(json!({"type": "library"}));
    page.wait("library");
    page.paste("startpos moves 6e6d");
    page.ask(json!({"type": "putBack"}));
    let review = page.wait_for(|message| message["review"].is_object())["review"].clone();
    assert_eq!((&review["state"], moves(&board.page().study).len()), (&json!("done"), 2), "{review}");
    // Nor is it lost if the program ends first.
    page.play("6e6d");
    page.ask(json!({"type": "review", "nodes": 2000}));
    page.ask(json!({"type": "problemNext", "plies": 1}));
    page.ask(json!({"type": "library"}));
    page.wait("library");
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    page.ask(json!({"type": "problemLeave"}));
    let review = page.wait_for(|message| message["review"].is_object())["review"].clone();
    assert_eq!((&review["state"], review["moves"].as_array().unwrap().len()), (&json!("done"), 3), "{review}");
}

#[test]
fn an_interrupted_review_begins_again_and_a_stopped_one_replaces_nothing() {
    let (board, mut page) = blundered();
    // A double click asks twice; other nodes are refused.
    page.ask(json!({"type": "review", "nodes": 1000}));
    page.ask(json!({"type": "review", "nodes": 1000}));
    page.wait_for(|message| message["review"]["state"] == "running");
    assert_eq!(page.refused(json!({"type": "review", "nodes": 2000})), "in-review");
    let board = Board::in_folder(board.kill(), &[]);
    let review = board.page().wait_for(|message| message["review"]["state"] == "done")["review"].clone();
    assert_eq!(review["moves"].as_array().unwrap().len(), 2, "{review}");
    // One that has ended, or was stopped, does not; nor does a stopped one take the place of a whole one.
    let mut page = board.page();
    page.ask(json!({"type": "review", "nodes": 100_000}));
    page.ask(json!({"type": "stopReview"}));
    let running = |message: &Value| message["review"]["state"] == "running";
    page.wait_for(running);
    assert_eq!(page.wait_for(|message| message["review"].is_object() && !running(message))["review"], review);
    let board = Board::in_folder(board.kill(), &[]);
    assert_eq!(board.page().wait_for(|message| message["review"].is_object())["review"], review);
}
