//! Edits that are taken back, and moves that are typed.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::page::{Page, moves};
use super::state::Board;

#[test]
fn every_edit_is_taken_back_the_last_first() {
    let (board, mut page) = Board::start().with_page();
    assert_eq!(page.refused(json!({"type": "undo"})), "nothing-to-undo");
    let state = || {
        let mut study = board.page().study;
        // The cursor shows the undone edit.
        for name in ["cursor", "files"] {
            study[name] = Value::Null;
        }
        study
    };
    page.play("6e6d");
    page.play("1b1c");
    page.go_to(1);
    let mut states = vec![state()];
    let variation = page.ask(json!({"type": "play", "node": 1, "move": "1a2b"}));
    page.wait_for(|message| message["type"] == "position" && message["last"] == "1a2b");
    states.push(state());
    for (request, told) in [
        (json!({"type": "promote", "node": 3}), "order"),
        (json!({"type": "comment", "node": 3, "text": "one"}), "node"),
        (json!({"type": "marks", "node": 2, "marks": ["!"]}), "node"),
        (json!({"type": "header", "header": {"black": "me", "event": "cup"}}), "header"),
        (json!({"type": "mainline", "node": 2}), "order"),
        (json!({"type": "delete", "node": 3}), "removed"),
    ] {
        page.ask(request);
        page.wait(told);
        states.push(state());
    }
    assert!(variation > 0 && states.windows(2).all(|pair| pair[0] != pair[1]));
    states.pop();
    while let Some(before) = states.pop() {
        page.undo();
        assert_eq!(state(), before);
    }
    // The two moves that were played first.
    page.undo();
    page.undo();
    assert_eq!(moves(&board.page().study).len(), 0);
    assert_eq!(page.refused(json!({"type": "undo"})), "nothing-to-undo");
}

#[test]
fn a_comment_that_was_sent_in_parts_is_one_edit_and_one_goes_to_what_is_taken_back() {
    let (board, mut page) = Board::start().with_page();
    page.play("6e6d");
    page.play("1b1c");
    for text in ["w", "wo", "word"] {
        page.comment(1, text);
    }
    page.undo();
    let study = board.page().study;
    assert_eq!((&study["nodes"][1]["comment"], &study["cursor"]), (&json!(""), &json!(1)));
}

#[test]
fn a_comment_and_what_is_drawn_or_written_later_are_edits_of_their_own() {
    let (board, mut page) = Board::start().with_page();
    page.play("6e6d");
    for (text, pause) in [("word", 0), ("word [%csl Ga1]", 0), ("word more [%csl Ga1]", 60)] {
        board.advance(Duration::from_secs(pause));
        page.comment(1, text);
    }
    for before in ["word [%csl Ga1]", "word", ""] {
        page.undo();
        assert_eq!(board.page().study["nodes"][1]["comment"], before);
    }
}

#[test]
fn a_study_that_was_written_in_usi_is_not_lost_with_its_variations() {
    let (_board, mut page) = Board::start().with_page();
    page.play("6e6d");
    page.comment(1, "a word");
    page.ask(json!({"type": "save", "format": "usi"}));
    page.wait("exported");
    page.ask(json!({"type": "study"}));
    page.wait("replaced");
    assert_eq!(page.put_back()["nodes"][1]["comment"], "a word");
}

#[test]
fn what_changes_nothing_is_no_edit() {
    let (board, mut page) = Board::start().with_page();
    page.play("6e6d");
    for request in [
        json!({"type": "promote", "node": 1}),
        json!({"type": "mainline", "node": 1}),
        json!({"type": "comment", "node": 1, "text": ""}),
        json!({"type": "marks", "node": 1, "marks": []}),
        json!({"type": "header", "header": {}}),
    ] {
        page.ask(request);
    }
    page.undo();
    assert_eq!(moves(&board.page().study).len(), 0);
    assert_eq!(page.refused(json!({"type": "undo"})), "nothing-to-undo");
}

#[test]
fn what_was_put_back_after_a_move_is_not_lost_with_it() {
    let (board, mut page) = Board::start().with_page();
    page.play("6e6d");
    page.play("1b1c");
    page.comment(1, "of a place that is gone");
    page.ask(json!({"type": "delete", "node": 1}));
    page.position = page.wait_for(|message| message["type"] == "position" && message["cursor"] == 0);
    page.play("6e6d");
    page.ask(json!({"type": "undelete"}));
    page.wait("study");
    page.undo();
    assert_eq!(moves(&board.page().study).len(), 0);
    page.undo();
    assert_eq!(moves(&board.page().study), ["6e6d", "1b1c"]);
    // The move that was played again is another place than that of the comment, and of the move that was played first.
    page.undo();
    assert_eq!(moves(&board.page().study), ["6e6d"]);
    assert_eq!(page.refused(json!({"type": "undo"})), "nothing-to-undo");
}

#[test]
fn nothing_is_taken_back_during_a_game_or_from_another_study() {
    let (_board, mut page) = Board::start().with_page();
    page.play("6e6d");
    page.begin_study();
    assert_eq!(page.refused(json!({"type": "undo"})), "nothing-to-undo");
    page.begin_of_two_people();
    assert_eq!(page.refused(json!({"type": "undo"})), "in-game");
}

#[test]
fn a_move_is_read_as_it_is_typed() {
    let (_board, mut page) = Board::start().with_page();
    let mut read = |text: &str| {
        page.ask(json!({"type": "readMove", "node": 0, "text": text}));
        page.wait_for(|message| ["moveRead", "error"].iter().any(|kind| message["type"] == *kind))
    };
    for text in ["6e6d", "P-6d", "p-6d", "P-64", "６四歩", "▲６四歩(65)", "Pa3", " a2a3 "] {
        assert_eq!(read(text)["move"], "6e6d", "{text}");
    }
    // The page says why it is not legal.
    assert_eq!(read("6e6c")["move"], "6e6c");
    for (text, code) in [("P-6c", "illegal-move"), ("hello", "no-move"), ("△６四歩", "illegal-move")] {
        let error = read(text);
        assert_eq!((&error["code"], &error["text"]["args"]["move"]), (&json!(code), &json!(text)));
    }
    assert_eq!(page.refused(json!({"type": "readMove", "node": 9, "text": "6e6d"})), "no-such-node");
    page.play("1f1b+");
    page.ask(json!({"type": "readMove", "node": 1, "text": "同玉"}));
    assert_eq!(page.wait("moveRead")["move"], "1a1b");
}

#[test]
fn the_elo_of_this_programs_levels_is_told() {
    let (_board, mut page) = Board::start().with_page();
    let elos = match page.hello["engines"][0]["elos"].clone() {
        Value::Null => page.wait_for(|message| !message["engine"]["elos"].is_null())["engine"]["elos"].clone(),
        known => known,
    };
    let elos: Vec<u64> = serde_json::from_value(elos).unwrap();
    assert_eq!((elos.len(), elos[0], elos[20]), (21, 500, 2_430));
}

#[test]
fn japanese_records_say_nothing_in_english() {
    let (_board, mut page) = Board::start().with_page();
    let human = json!({"kind": "human", "name": "私"});
    let clock = json!({"main": 600, "byoyomi": 0, "increment": 0});
    let game = page.begin(json!({"black": human, "white": human, "handicap": "bishop", "clock": clock}));
    assert_eq!(game["toMove"], "white");
    page.resign();
    let text = page.export("kif");
    // The board has a letter before White's pieces, as Kakinoki wrote it.
    let shown = text.lines().filter(|line| !line.starts_with(['#', '|']) && !line.starts_with("持ち時間"));
    let is_english = |line: &str| line.chars().any(|c| c.is_ascii_alphabetic());
    let english: Vec<&str> = shown.filter(|line| is_english(line)).collect();
    assert!(english.is_empty(), "{english:?}");
    assert!(text.contains("入玉規定：点数法（12点）、24手\n"), "{text}");
    assert!(["下手：私\n", "上手：私\n", "下手の勝ち"].iter().all(|it| text.contains(it)), "{text}");
    assert!(!text.contains("先手") && !text.contains("後手"), "{text}");
}

#[test]
fn why_a_piece_cannot_go_somewhere_is_said_with_the_squares_that_are_the_cause() {
    let (_board, mut page) = Board::start().with_page();
    for (sfen, from, to, key, squares) in [
        ("r4k/6/6/6/6/KG3S b P 1", "1f", None, "check", vec!["6a", "6f"]),
        ("r4k/6/6/6/6/KG3S b P 1", "5f", Some("4f"), "check", vec!["6a", "6f"]),
        ("r4k/6/6/6/N5/K5 b - 1", "6e", None, "pinned", vec!["6a", "6f"]),
        ("5k/4r1/6/6/r5/G4K b - 1", "1f", None, "trapped", vec!["2b", "6e", "1f"]),
        ("5k/3r2/6/6/6/2K3 b - 1", "4f", Some("3f"), "unsafe", vec!["3b", "4f"]),
        ("5k/6/6/6/PP4/KG4 b - 1", "6f", None, "nowhere", vec![]),
        ("5k/6/6/6/PP4/KG4 b - 1", "1a", None, "other", vec![]),
        ("4gk/6/6/P5/6/K1R1S1 b NP 1", "4f", Some("1c"), "move", vec![]),
        ("4gk/6/6/P5/6/K1R1S1 b NP 1", "4f", Some("2f"), "own", vec![]),
        ("4gk/6/6/P5/6/K1R1S1 b NP 1", "4f", Some("1f"), "blocked", vec![]),
        ("4gk/6/6/P5/6/K1R1S1 b NP 1", "P*", Some("6b"), "nifu", vec!["6d"]),
        ("4gk/6/6/P5/6/K1R1S1 b NP 1", "P*", Some("2a"), "occupied", vec![]),
        ("4gk/6/6/P5/6/K1R1S1 b NP 1", "N*", Some("4b"), "stuck", vec![]),
        ("4gk/6/6/P5/6/K1R1S1 b NP 1", "R*", None, "none", vec![]),
        ("4nk/6/4G1/6/6/K5 b P 1", "P*", Some("1b"), "pawnMate", vec!["1a"]),
    ] {
        page.ask(json!({"type": "study", "sfen": sfen}));
        page.position = page.wait_for(|message| message["type"] == "position" && message["sfen"] == sfen);
        page.ask(json!({"type": "why", "node": 0, "from": from, "side": "black", "to": to}));
        let why = page.wait("why");
        assert_eq!(why["text"]["key"], format!("refused.{key}"), "{from} {to:?} {sfen}");
        let mut found: Vec<&str> =
            why["squares"].as_array().unwrap().iter().map(|each| each.as_str().unwrap()).collect();
        let mut squares = squares;
        found.sort_unstable();
        squares.sort_unstable();
        assert_eq!(found, squares, "{from} {to:?} {sfen}");
    }
    assert_eq!(page.refused(json!({"type": "why", "node": 0, "from": "P"})), "bad-message");
}

/// The nodes that a page has, by their numbers.
type Nodes = BTreeMap<u64, Value>;

fn nodes_of(study: &Value) -> Nodes {
    study["nodes"].as_array().unwrap().iter().map(|node| (node["id"].as_u64().unwrap(), node.clone())).collect()
}

/// Takes the changes that are told once all that was asked for is done: a request that is refused comes after it.
fn follow(page: &mut Page, nodes: &mut Nodes) {
    let id = page.ask(json!({"type": "goto", "node": 9999}));
    page.wait_for(|message| {
        // As the page does: the parent is not told again.
        let mut put = |node: &Value| {
            if let Some(parent) = node["parent"].as_u64().and_then(|parent| nodes.get_mut(&parent)) {
                let children = parent["children"].as_array_mut().unwrap();
                if !children.contains(&node["id"]) {
                    children.push(node["id"].clone());
                }
            }
            nodes.insert(node["id"].as_u64().unwrap(), node.clone());
        };
        match message["type"].as_str().unwrap() {
            "node" => put(&message["node"]),
            "nodes" => message["nodes"].as_array().unwrap().iter().for_each(put),
            "removed" => message["nodes"].as_array().unwrap().iter().for_each(|id| {
                nodes.remove(&id.as_u64().unwrap());
            }),
            "order" => {
                let parent = nodes.get_mut(&message["parent"].as_u64().unwrap()).unwrap();
                parent["children"] = message["children"].clone();
            }
            "study" => *nodes = nodes_of(message),
            _ => {}
        }
        message["type"] == "error" && message["id"] == id
    });
}

#[test]
fn a_page_that_follows_the_changes_after_a_game_has_what_a_new_page_is_told() {
    let (board, mut page) = Board::start().with_page();
    page.begin_of_two_people();
    page.play("6e6d");
    page.play("1b1c");
    page.resign();
    let mut nodes = nodes_of(&board.page().study);
    for request in [
        json!({"type": "play", "node": 2, "move": "5f5e"}),
        json!({"type": "undo"}),
        json!({"type": "play", "node": 1, "move": "1a2b"}),
        json!({"type": "promote", "node": 4}),
        json!({"type": "play", "node": 4, "move": "5f5e"}),
        json!({"type": "mainline", "node": 2}),
        json!({"type": "delete", "node": 2}),
        json!({"type": "undelete"}),
    ] {
        page.ask(request.clone());
        follow(&mut page, &mut nodes);
        assert_eq!(nodes, nodes_of(&board.page().study), "{request}");
    }
}
