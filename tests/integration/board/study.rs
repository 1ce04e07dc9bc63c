//! The study: edited, shared, and kept.

use std::fs;
use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};

use super::page::{Page, moves};
use super::server::Server;
use super::state::Board;

#[test]
fn a_page_that_comes_is_told_what_there_is() {
    let (_board, page) = Board::start().with_page();
    assert_eq!(page.hello["version"], 4);
    assert_eq!(page.hello["handicaps"][0]["id"], "bishop");
    assert_eq!(page.hello["problems"][0], json!({"plies": 1, "count": 25, "solved": 0}));
    assert_eq!(page.study["start"], "rbnsgk/5p/6/6/P5/KGSNBR b - 1");
    assert_eq!(page.study["nodes"].as_array().unwrap().len(), 1);
    assert_eq!(page.position["legal"].as_array().unwrap().len(), 20);
    assert_eq!(page.position["board"][30], "K");
    assert_eq!(page.position["impasse"], Value::Null);
}

#[test]
fn moves_are_played_deleted_and_promoted() {
    let (board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "play", "node": 0, "move": "6e6d"}));
    let node = page.wait("node")["node"].clone();
    assert_eq!((&node["parent"], &node["ply"], &node["move"]), (&json!(0), &json!(1), &json!("6e6d")));
    assert_eq!(node["text"], json!({"ja": "▲６四歩", "western": "P-6d", "usi": "6e6d"}));
    page.position = page.wait("position");
    assert_eq!(page.position["cursor"], node["id"]);
    let first = node["id"].clone();
    page.play("1b1c");
    page.ask(json!({"type": "play", "node": first, "move": "1a2b"}));
    let other =
        page.wait_for(|message| message["type"] == "node" && message["node"]["move"] == "1a2b")["node"]["id"].clone();
    page.ask(json!({"type": "promote", "node": other}));
    let order = page.wait("order");
    assert_eq!((&order["parent"], &order["children"][0]), (&first, &other));
    page.ask(json!({"type": "marks", "node": other, "marks": ["?!"]}));
    page.ask(json!({"type": "comment", "node": other, "text": " a comment "}));
    page.wait_for(|message| message["node"]["marks"] == json!(["?!"]) && message["node"]["comment"] == "a comment");
    page.ask(json!({"type": "delete", "node": other}));
    assert_eq!(page.wait("removed")["nodes"], json!([other]));
    assert_eq!(page.wait("position")["cursor"], first);
    page.ask(json!({"type": "header", "header": {"black": "me", "date": "2024-05-01"}}));
    assert_eq!(page.wait("header")["header"]["date"], "2024-05-01");
    let study = board.page().study;
    assert_eq!((moves(&study), &study["header"]["black"]), (vec!["6e6d".into(), "1b1c".into()], &json!("me")));
}

#[test]
fn what_was_deleted_comes_back() {
    let (board, mut page) = Board::start().with_page();
    assert_eq!(page.refused(json!({"type": "undelete"})), "nothing-deleted");
    for mv in ["6e6d", "1b1c", "5f5e", "2a2b"] {
        page.play(mv);
    }
    let before = board.page().study;
    // All that was deleted in a row comes back at once.
    page.ask(json!({"type": "delete", "node": 3}));
    page.wait("removed");
    page.ask(json!({"type": "delete", "node": 2}));
    page.wait("removed");
    page.ask(json!({"type": "undelete"}));
    let study = page.wait("study");
    assert_eq!((&study["nodes"], &study["cursor"]), (&before["nodes"], &before["cursor"]));
    // Later changes stay, and earlier deletions wait.
    page.ask(json!({"type": "delete", "node": 4}));
    page.ask(json!({"type": "marks", "node": 1, "marks": ["!"]}));
    page.ask(json!({"type": "delete", "node": 3}));
    page.ask(json!({"type": "comment", "node": 1, "text": "a change"}));
    page.ask(json!({"type": "undelete"}));
    let study = page.wait("study");
    assert_eq!(moves(&study), ["6e6d", "1b1c", "5f5e"]);
    assert_eq!((&study["nodes"][1]["comment"], &study["nodes"][1]["marks"]), (&json!("a change"), &json!(["!"])));
    page.ask(json!({"type": "undelete"}));
    assert_eq!(moves(&page.wait("study")).len(), 4);
    assert_eq!(page.refused(json!({"type": "undelete"})), "nothing-deleted");
}

#[test]
fn a_record_that_goes_on_does_not_say_that_the_game_ended_later() {
    let (_board, mut page) = Board::start().with_page();
    let study = page.paste("[Result \"0-1\"]\n[EndReason \"resignation\"]\n\n1. P-6d P-1c (1... R-5a) 0-1\n");
    assert_eq!(study["header"]["reason"], "resignation");
    let end = &study["nodes"].as_array().unwrap().iter().find(|node| !node["end"].is_null()).unwrap()["id"];
    page.ask(json!({"type": "play", "node": end, "move": "6d6c"}));
    let header = page.wait("header");
    assert_eq!((&header["header"]["result"], &header["header"]["reason"]), (&json!(null), &json!(null)));
    let node = page.wait_for(|message| message["node"]["id"] == *end && !message["node"]["formerEnd"].is_null());
    assert_eq!((&node["node"]["formerEnd"]["key"], &node["node"]["comment"]), (&json!("end.won.why"), &json!("")));
    // The library still has its result.
    let row = page.answer(json!({"type": "library"}))["rows"][0].clone();
    assert_eq!((&row["result"], &row["reason"], &row["plies"]), (&json!("0-1"), &json!("resignation"), &json!(3)));
    // A comment of the user that reads like an end is no end, and stays as it is.
    page.ask(json!({"type": "comment", "node": end, "text": "Black wins"}));
    let text = page.export("kif");
    assert!(text.contains("\n*#終局=△勝ち（投了）\n*Black wins\n"), "{text}");
    for format in ["kif", "ki2", "pgn"] {
        let text = page.export(format);
        let other = Board::start();
        let mut reader = other.page();
        let study = reader.paste(&text);
        let former = study["nodes"].as_array().unwrap().iter().find(|node| !node["formerEnd"].is_null());
        assert_eq!(former.map(|node| &node["comment"]), Some(&json!("Black wins")), "{text}");
    }
}

#[test]
fn a_game_whose_further_move_is_deleted_ends_where_it_did() {
    let (_board, mut page) = Board::start().with_page();
    let study = page.paste("startpos moves 6e6d 1b1c resign");
    let end = study["cursor"].clone();
    let end = if end == 0 { json!(2) } else { end };
    let result = study["header"]["result"].clone();
    assert!(result.is_string(), "{study}");
    page.ask(json!({"type": "play", "node": end, "move": "5f5e"}));
    page.wait_for(|message| message["node"]["id"] == end && !message["node"]["formerEnd"].is_null());
    page.ask(json!({"type": "delete", "node": 3}));
    page.wait_for(|message| message["type"] == "header" && message["header"]["result"] == result);
    page.wait_for(|message| message["node"]["id"] == end && message["node"]["formerEnd"].is_null());
}

#[test]
fn a_game_of_a_list_keeps_its_changes() {
    let (_board, mut page) = Board::start().with_page();
    page.paste("startpos moves 6e6d\nstartpos moves 5f5e 1b1c\n");
    page.comment(1, "mine");
    assert_eq!(moves(&page.open_game(1)), ["5f5e", "1b1c"]);
    let study = page.open_game(0);
    assert_eq!(study["nodes"][1]["comment"], "mine", "{study}");
    assert_eq!(study["files"]["unsaved"], true, "{study}");
}

#[test]
fn a_game_of_a_list_that_was_changed_is_not_said_to_be_replaced() {
    let (_board, mut page) = Board::start().with_page();
    // The first game is on the board.
    let study = page.paste("startpos moves 6e6d\nstartpos moves 5f5e 1b1c\n");
    assert_eq!(study["chapter"], page.games()[0]["id"]);
    page.comment(1, "mine");
    page.ask_for_game(1);
    page.ask_for_game(0);
    page.ask_for_game(1);
    assert_eq!(page.refused(json!({"type": "putBack"})), "nothing-replaced");
}

#[test]
fn two_games_on_a_line_are_two_games() {
    let (_board, mut page) = Board::start().with_page();
    assert_eq!(moves(&page.paste("1. P-6d 0-1 1. G-4e 1-0")), ["6e6d"]);
    let study = page.open_game(1);
    assert_eq!((moves(&study).len(), &study["header"]["result"]), (1, &json!("0-1")));
    assert_ne!(moves(&study), ["6e6d"]);
}

#[test]
fn two_pages_see_the_same() {
    let board = Board::start();
    let (mut one, mut other) = (board.page(), board.page());
    one.play("6e6d");
    let seen = other.wait_for(|message| message["type"] == "position" && message["last"] == "6e6d");
    assert_eq!(seen, one.position);
    other.position = seen;
    other.play("1b1c");
    assert_eq!(one.wait_for(|message| message["last"] == "1b1c"), other.position);
    assert_eq!(board.page().state(), board.page().state());
}

/// Edits to lose: a move is played, and every other one is commented on.
fn edit(page: &mut Page, turn: usize) -> (String, Option<String>) {
    let legal = page.position["legal"].as_array().expect("the game goes on");
    let mv = legal[turn % legal.len()].as_str().expect("moves are text").to_owned();
    page.play(&mv);
    if turn % 2 == 1 {
        return (mv, None);
    }
    let comment = format!("comment {turn}");
    page.ask(json!({"type": "comment", "node": page.position["cursor"], "text": comment}));
    page.wait_for(|message| message["node"]["comment"] == comment);
    (mv, Some(comment))
}

/// The moves of the main line with their comments.
fn commented_moves(study: &Value) -> Vec<(String, Option<String>)> {
    let comment = |node: &Value| node["comment"].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let comments: Vec<_> = study["nodes"].as_array().expect("a study has nodes")[1..].iter().map(comment).collect();
    moves(study).into_iter().zip(comments).collect()
}

#[test]
fn a_board_that_is_killed_at_20_moments_loses_at_most_the_last_change() {
    let mut board = Server::start();
    let mut edits: Vec<(String, Option<String>)> = Vec::new();
    for moment in 0..20_usize {
        let mut page = board.page();
        for turn in 0..=moment % 3 {
            edits.push(edit(&mut page, moment + turn));
        }
        // From at once to after the last change is written.
        std::thread::sleep(Duration::from_millis(moment as u64 * 7 % 20));
        board = Server::in_folder(board.kill(), &[]);
        let (study, position) = board.page().state();
        let kept = commented_moves(&study);
        let is_whole = kept == edits;
        let (last, before) = edits.split_last().expect("a move was played");
        let lacks_comment = || last.1.is_some() && kept == [before, &[(last.0.clone(), None)]].concat();
        assert!(is_whole || lacks_comment() || last.1.is_none() && kept == before, "{kept:?} of {edits:?}");
        assert_eq!(position["last"].as_str(), kept.last().map(|(mv, _)| mv.as_str()), "the cursor stands at the end");
        edits = kept;
    }
}

#[test]
fn a_file_gets_every_change_and_what_it_cannot_hold_is_kept_beside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.usi");
    let (board, mut page) = Board::in_folder(folder, &["game.usi"]).with_page();
    assert_eq!(page.study["files"]["name"], "game.usi");
    page.play("6e6d");
    page.play("1b1c");
    page.comment(1, "kept");
    assert_eq!(fs::read_to_string(&path).unwrap(), "startpos moves 6e6d 1b1c\n");
    let board = Board::in_folder(board.kill(), &["game.usi"]);
    let (study, position) = board.page().state();
    assert_eq!((&study["nodes"][1]["comment"], &position["last"]), (&json!("kept"), &json!("1b1c")));
}

#[test]
fn walking_through_a_file_leaves_it_as_it_is() {
    let kif = "# written by another program\n手合割：ジャドケンス将棋\n先手：山田\n手数----指手---------消費時間--\n\
               \u{20}  1 ６四歩(65)\n&しおり\n   2 １三歩(12)\n";
    let (board, mut page) = Board::of_file("game.kif", kif).with_page();
    let path = board.folder.path().join("game.kif");
    page.go_to(1);
    assert_eq!(fs::read_to_string(&path).unwrap(), kif);
    // The place is kept all the same.
    let board = Board::in_folder(board.kill(), &["game.kif"]);
    assert_eq!(board.page().position["cursor"], 1);
}

#[test]
fn what_another_program_writes_into_a_file_is_not_overwritten() {
    let (board, mut page) = Board::of_file("game.usi", "startpos moves 6e6d\n").with_page();
    let path = board.folder.path().join("game.usi");
    page.go_to(1);
    page.play("1b1c");
    page.comment(1, "written");
    assert_eq!(fs::read_to_string(&path).unwrap(), "startpos moves 6e6d 1b1c\n");
    let others = "startpos moves 5f5e\n";
    fs::write(&path, others).unwrap();
    page.play("5f5e");
    let notice = page.wait("notice");
    assert_eq!(notice["text"]["key"], "file.changed", "{notice}");
    assert_eq!(page.wait("files")["unsaved"], true);
    page.play("2a2b");
    assert_eq!(fs::read_to_string(&path).unwrap(), others);
    let board = Board::in_folder(board.kill(), &[]);
    assert_eq!(moves(&board.page().study), ["6e6d", "1b1c", "5f5e", "2a2b"]);
}

#[test]
fn a_file_keeps_its_dialect_and_its_encoding() {
    let fairy = "[White \"one\"]\n[Black \"two\"]\n[Variant \"judkins\"]\n\n1. Pa3 Pf4 *\n";
    let kif = "手合割：ジャドケンス将棋\n先手：山田\n手数----指手---------消費時間--\n   1 ６四歩(65)\n";
    let (utf_8, shift_jis) = (encoding_rs::UTF_8, encoding_rs::SHIFT_JIS);
    for (name, text, encoding, kept) in [
        ("fairy.pgn", fairy, utf_8, ["[White \"one\"]", "Pa3"]),
        ("game.kif", kif, shift_jis, ["encoding=Shift_JIS", "先手：山田"]),
    ] {
        let (board, mut page) = Board::of_file(name, encoding.encode(text).0).with_page();
        page.comment(1, "a comment");
        let bytes = fs::read(board.folder.path().join(name)).unwrap();
        let written = encoding.decode(&bytes).0;
        assert!(kept.into_iter().chain(["a comment"]).all(|words| written.contains(words)), "{written}");
    }
}

#[test]
fn a_short_link_has_the_players_and_the_result() {
    let (_board, mut page) = Board::start().with_page();
    let tags = "[Black \"Ada\"]\n[White \"Dot\"]\n[Event \"A cup\"]\n[Annotator \"Bob\"]\n[Variant \"judkins\"]\n[Result \"1-0\"]";
    let moves = "1. P-6d {a comment} (1. P-5d {another}) P-1c { [%eval 1.5/7] } 2. G-5e 1-0";
    page.paste(&format!("{tags}\n\n{moves}"));
    let text = page.export("brief");
    for kept in ["[Black \"Ada\"]", "[White \"Dot\"]", "[Event \"A cup\"]", "\n1. P-6d P-1c 2. G-5e 1-0\n"] {
        assert!(text.contains(kept), "{text}");
    }
    assert!(!text.contains("Annotator"), "{text}");
}

#[test]
fn players_keep_their_own_times_when_the_event_is_named() {
    let (_board, mut page) = Board::start().with_page();
    let times = "[BlackTimeControl \"nodes=2000\"]\n[WhiteTimeControl \"nodes=300\"]";
    let mut header = page.paste(&format!("[Variant \"judkins\"]\n{times}\n\n1. P-6d *"))["header"].clone();
    header["event"] = json!("a cup");
    page.ask(json!({"type": "header", "header": header}));
    page.wait("header");
    let text = page.export("pgn");
    assert!(text.contains(times) && text.contains("a cup"), "{text}");
}

#[test]
fn records_are_opened_pasted_and_exported() {
    let (_board, mut page) = Board::start().with_page();
    assert_eq!(moves(&page.paste("startpos moves 6e6d 1b1c 5f5e")).len(), 3);
    for format in ["kif", "ki2", "pgn", "pgn-fairy", "pgn-cutechess", "usi"] {
        let text = page.export(format);
        assert_eq!(moves(&page.paste(&text)), ["6e6d", "1b1c", "5f5e"], "{format}");
    }
    page.ask(json!({"type": "export", "format": "html"}));
    let exported = page.wait("exported");
    assert_eq!(exported["name"], "game.html");
    assert!(exported["text"].as_str().unwrap().starts_with("<!doctype html>"));
    // Two games in a file make a list.
    page.open("/some/where/two.usi", "startpos moves 6e6d\nrook\n");
    let games = page.wait_for(|message| message["type"] == "games" && !message["games"].is_null());
    assert_eq!((&games["games"]["name"], page.games().len()), (&json!("two.usi"), 2));
    page.ask_for_game(1);
    page.wait_for(|message| message["type"] == "study" && message["start"] == "1bnsgk/5p/6/6/P5/KGSNBR w - 1");
}

#[test]
fn a_game_whose_end_is_deleted_has_no_result() {
    let (board, mut page) = Board::start().with_page();
    let study = page.paste("[Variant \"judkins\"]\n[Result \"0-1\"]\n\n1. P-6d P-1c 2. G-5e 0-1\n");
    let last = study["nodes"][3].clone();
    assert_eq!((&study["header"]["result"], &last["end"]["winner"]), (&json!("1-0"), &json!("black")));
    page.ask(json!({"type": "delete", "node": last["id"]}));
    assert_eq!(page.wait("header")["header"]["result"], json!(null));
    let study = board.page().study;
    assert_eq!(study["nodes"][2]["end"], json!(null));
    page.ask(json!({"type": "undelete"}));
    assert_eq!(page.wait("study")["header"]["result"], "1-0");
}

#[test]
fn a_match_is_followed_while_it_is_played() {
    let line = |mv: &str| {
        format!(
            "{{\"black\":{{\"name\":\"a\"}},\"white\":{{\"name\":\"b\"}},\"moves\":[\"{mv}\"],\"result\":\"1-0\"}}\n"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let second = line("5f5e");
    let (begun, rest) = second.split_at(9);
    fs::write(&path, line("6e6d") + begun).unwrap();
    let grow = |text: String| {
        let mut file = fs::File::options().append(true).open(&path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    let board = Server::in_folder(folder, &["games.jsonl"]);
    let mut page = board.page();
    let has_games = |message: &Value, count| message["games"]["games"].as_array().is_some_and(|it| it.len() == count);
    let games = page.wait_for(|message| has_games(message, 1));
    assert_eq!(games["games"]["live"], true);
    // The rest of a line that was being written, and another game.
    grow(rest.to_owned() + &line("4f5e"));
    let added = page.wait("gamesAdded");
    assert_eq!((added["games"].as_array().map(Vec::len), page.games().len()), (Some(2), 3));
    page.ask_for_game(2);
    page.wait_for(|message| message["type"] == "study" && moves(message) == ["4f5e"]);
    page.ask_for_game(1);
    page.wait_for(|message| message["type"] == "study" && moves(message) == ["5f5e"]);
    // Games of the match do not join another list, and are there when their own is put back.
    page.comment(1, "mine");
    page.ask(json!({"type": "paste", "text": "startpos moves 4f4e\nstartpos moves 4f5e\n"}));
    page.wait_for(|message| has_games(message, 2));
    grow(line("4f4e"));
    page.ask(json!({"type": "putBack"}));
    while page.games().len() < 4 {
        page.wait_for(|message| message["type"] == "games" || message["type"] == "gamesAdded");
    }
    page.ask_for_game(3);
    page.wait_for(|message| message["type"] == "study" && moves(message) == ["4f4e"]);
}

#[test]
fn impossible_positions_are_said_to_be_so() {
    let (_board, mut page) = Board::start().with_page();
    let no_king = json!({"key": "invalid.noKing", "args": {"side": {"key": "black"}}});
    let too_many = json!({"key": "invalid.tooMany", "args": {"count": 3, "piece": {"key": "piece.P"}}});
    for (sfen, problems) in [
        ("k5/6/6/6/6/6 w P 1", json!([no_king])),
        ("k5/6/6/6/6/5K w PPP 1", json!([too_many])),
        ("k5/6/6/6/6/5K w P 1", json!([])),
    ] {
        assert_eq!(page.answer(json!({"type": "edit", "sfen": sfen}))["problems"], problems, "{sfen}");
    }
    assert_eq!(page.refused(json!({"type": "edit", "sfen": "k5/6/6/6/6/5K w PPPP 1"})), "bad-message");
    page.ask(json!({"type": "setPosition", "sfen": "k5/6/6/6/6/5K w P 1"}));
    page.wait_for(|message| message["type"] == "study" && message["start"] == "k5/6/6/6/6/5K w P 1");
}

#[test]
fn what_was_replaced_and_is_in_no_file_is_put_back() {
    let (_board, mut page) = Board::start().with_page();
    let text = "startpos moves 6e6d\nrook\n";
    page.open("two.usi", text);
    page.comment(1, "a thought");
    // Its list goes with it, and comes back with it.
    page.open("other.usi", text);
    page.wait("replaced");
    // A game without changes is not kept, and does not take the place of the one that is.
    page.ask_for_game(1);
    page.wait_for(|message| message["type"] == "study" && message["header"]["handicap"] == "rook");
    page.ask(json!({"type": "putBack"}));
    assert_eq!(page.wait("games")["games"]["name"], "two.usi");
    let study = page.wait("study");
    assert_eq!(study["nodes"][1]["comment"], "a thought");
    assert_eq!(study["files"], json!({"name": "two.usi #1", "unsaved": true}));
    assert_eq!(page.refused(json!({"type": "putBack"})), "nothing-replaced");
}

/// To play through a file used to write it, without what its format has beside the moves.
#[test]
fn a_file_keeps_its_players_and_its_end_and_is_written_only_when_it_changes() {
    let text = "# found in a newspaper\n# 1. one - two 0-1 White wins: resignation\nstartpos moves 6e6d 1b1c resign\n";
    let (board, mut page) = Board::of_file("game.usi", text).with_page();
    let path = board.folder.path().join("game.usi");
    page.go_to(0);
    page.play("6e6d");
    page.ask(json!({"type": "marks", "node": 1, "marks": []}));
    page.ask(json!({"type": "comment", "node": 1, "text": ""}));
    let header = board.page().study["header"].clone();
    page.ask(json!({"type": "header", "header": header}));
    page.play("1b1c");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    page.go_to(1);
    page.play("1a2b");
    let written = fs::read_to_string(&path).unwrap();
    assert_eq!(written, "# 1. one - two 0-1 White wins: resignation\nstartpos moves 6e6d 1b1c resign\n");
}

#[test]
fn a_file_that_was_replaced_is_put_back_and_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.usi");
    let (_board, mut page) = Board::in_folder(folder, &["game.usi"]).with_page();
    page.play("6e6d");
    page.ask(json!({"type": "study"}));
    page.wait("replaced");
    page.ask(json!({"type": "putBack"}));
    page.position = page.wait_for(|message| message["type"] == "position" && message["last"] == "6e6d");
    page.play("1b1c");
    assert_eq!(fs::read_to_string(&path).unwrap(), "startpos moves 6e6d 1b1c\n");
}

#[test]
fn what_a_named_file_takes_the_place_of_stays_for_the_next_time_without_one() {
    let (board, mut page) = Board::start().with_page();
    for mv in ["6e6d", "1b1c", "5f5e"] {
        page.play(mv);
    }
    let folder = board.kill();
    fs::write(folder.path().join("other.usi"), "startpos moves 6e6d\n").unwrap();
    fs::write(folder.path().join("third.usi"), "startpos moves 5f5e\n").unwrap();
    let walk = |folder, file: &str, is_offered: bool| {
        let (board, mut page) = Board::in_folder(folder, &[file]).with_page();
        if is_offered {
            page.wait("replaced");
        }
        page.go_to(1);
        board
    };
    let board = walk(folder, "other.usi", true);
    let board = walk(board.kill(), "other.usi", false);
    let board = walk(board.kill(), "third.usi", false);
    let board = Board::in_folder(board.kill(), &[]);
    assert_eq!(moves(&board.page().study), ["6e6d", "1b1c", "5f5e"]);
    // Beside a file, it can be put back at once.
    let board = walk(board.kill(), "other.usi", false);
    let mut page = board.page();
    assert_eq!(moves(&page.put_back()), ["6e6d", "1b1c", "5f5e"]);
}

#[test]
fn what_is_pasted_twice_leaves_what_was_there_first_to_be_put_back() {
    let (_board, mut page) = Board::start().with_page();
    page.play("6e6d");
    for _ in 0..2 {
        page.ask(json!({"type": "paste", "text": "startpos moves 5f5e 1b1c"}));
        page.wait("replaced");
    }
    assert_eq!(moves(&page.put_back()), ["6e6d"]);
    // A changed study is worth keeping.
    assert_eq!(moves(&page.put_back()), ["5f5e", "1b1c"]);
    page.ask(json!({"type": "comment", "node": 1, "text": "mine"}));
    page.ask(json!({"type": "paste", "text": "rook"}));
    page.wait("replaced");
    page.ask(json!({"type": "putBack"}));
    page.wait_for(|message| message["type"] == "study" && message["nodes"][1]["comment"] == "mine");
}

#[test]
fn what_is_wrong_with_a_record_is_said_with_its_place() {
    let (_board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "paste", "text": "what"}));
    let error = page.wait("error");
    let unknown = json!({"key": "record.unknownFormat"});
    assert_eq!(error["text"]["args"]["problem"], unknown, "{error}");
    page.ask(json!({"type": "paste", "text": "{\n\"header\": {},\n\"moves\": [{}]}"}));
    assert_eq!(page.wait("error")["text"]["args"]["problem"], unknown);
    page.ask(json!({"type": "paste", "text": "startpos moves 6e6d 6e6d"}));
    let notice = page.wait("notice");
    let place = &notice["text"]["args"]["problem"]["args"];
    assert_eq!((&place["line"], &place["column"]), (&json!(1), &json!(21)), "{notice}");
    page.ask(json!({"type": "study", "sfen": "P4k/6/6/6/6/K5 b - 1"}));
    let args = json!({"side": {"key": "black"}, "piece": {"key": "piece.P"}, "square": {"square": "6a"}});
    assert_eq!(page.wait("error")["text"], json!({"key": "invalid.deadPiece", "args": args}));
}
