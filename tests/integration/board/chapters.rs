//! The chapters of a study.

use std::fs;

use serde_json::{Value, json};

use super::page::{Page, encoded, moves};
use super::state::Board;

/// The titles of the list.
fn titles(page: &Page) -> Vec<&str> {
    page.games().iter().map(|game| game["title"].as_str().unwrap_or("-")).collect()
}

fn id(page: &Page, number: usize) -> Value {
    page.games()[number]["id"].clone()
}

/// Adds a chapter from the start position.
fn add(page: &mut Page, title: &str) {
    page.ask(json!({"type": "addChapter", "title": title}));
    page.study = page.wait("study");
    page.position = page.wait("position");
}

fn export(page: &mut Page, format: &str) -> Value {
    page.ask(json!({"type": "export", "format": format, "all": true}));
    page.wait("exported")
}

/// A board and a page with three chapters: `one`, whose first move is 6e6d, the empty `two`, and `three` with 5f5e.
fn study() -> (Board, Page) {
    let (board, mut page) = Board::start().with_page();
    page.play("6e6d");
    page.ask(json!({"type": "addChapter", "title": "one", "here": true}));
    page.wait_for(|message| message["type"] == "header" && message["header"]["event"] == "one");
    add(&mut page, "two");
    add(&mut page, "three");
    page.play("5f5e");
    page.wait("gamesAdded");
    (board, page)
}

/// Opens the first chapter, and goes to its last move.
fn open_at_its_end(page: &mut Page) {
    page.study = page.open_game(0);
    page.position = page.wait("position");
    page.go_to(1);
}

#[test]
fn chapters_are_added_renamed_and_put_in_order() {
    let (_board, mut page) = study();
    assert_eq!(titles(&page), ["one", "two", "three"]);
    assert_eq!(page.games()[2]["plies"], 1, "the list shows what is played on the board");
    // A position is a chapter, too; the title may be empty.
    let sfen = "5k/6/6/6/6/K5 b G 1";
    page.ask(json!({"type": "addChapter", "title": " ", "sfen": sfen}));
    assert_eq!(page.wait("study")["start"], sfen);
    assert_eq!(titles(&page), ["one", "two", "three", "-"]);
    // The one on the board, and another one.
    let [first, last] = [id(&page, 0), id(&page, 3)];
    page.ask(json!({"type": "renameChapter", "game": last, "title": "four"}));
    page.wait_for(|message| message["type"] == "header" && message["header"]["event"] == "four");
    page.ask(json!({"type": "undo"}));
    page.wait_for(|message| message["type"] == "header" && message["header"]["event"].is_null());
    page.ask(json!({"type": "renameChapter", "game": first, "title": "first"}));
    page.wait("games");
    page.ask(json!({"type": "moveChapter", "game": last, "to": 0}));
    page.wait("games");
    assert_eq!(titles(&page), ["-", "first", "two", "three"]);
    let study = page.open_game(1);
    assert_eq!((moves(&study), &study["header"]["event"]), (vec!["6e6d".to_owned()], &json!("first")));
    // What is not there, or is there already.
    for wrong in [
        json!({"type": "moveChapter", "game": last, "to": 4}),
        json!({"type": "renameChapter", "game": 5, "title": ""}),
        json!({"type": "addChapter", "title": "", "here": true}),
        json!({"type": "deleteChapter", "game": 5}),
    ] {
        assert_eq!(page.refused(wrong), "game-gone");
    }
    assert_eq!(page.refused(json!({"type": "restoreChapter"})), "nothing-deleted");
    let long = "x".repeat(2_000);
    assert_eq!(page.refused(json!({"type": "renameChapter", "game": first, "title": long})), "too-long");
    assert_eq!(page.refused(json!({"type": "addChapter", "title": "", "sfen": "x"})), "bad-sfen");
}

#[test]
fn the_first_chapter_is_what_was_on_the_board() {
    let (_board, mut page) = Board::start().with_page();
    page.play("6e6d");
    add(&mut page, "new");
    assert_eq!((titles(&page), moves(&page.study).len()), (vec!["-", "new"], 0));
    assert_eq!(moves(&page.open_game(0)), ["6e6d"]);
    assert_eq!(page.refused(json!({"type": "putBack"})), "nothing-replaced");
}

#[test]
fn a_deleted_chapter_is_restored_with_its_changes() {
    let (_board, mut page) = study();
    let three = id(&page, 2);
    page.ask(json!({"type": "deleteChapter", "game": three}));
    // The one before takes its place.
    assert_eq!(page.wait("study")["header"]["event"], "two");
    let one = id(&page, 0);
    page.ask(json!({"type": "deleteChapter", "game": one}));
    page.wait("games");
    assert_eq!(titles(&page), ["two"]);
    let two = id(&page, 0);
    assert_eq!(page.refused(json!({"type": "deleteChapter", "game": two})), "game-gone");
    page.ask(json!({"type": "restoreChapter"}));
    page.wait("games");
    page.ask(json!({"type": "restoreChapter"}));
    let study = page.wait("study");
    assert_eq!((moves(&study), &study["chapter"]), (vec!["5f5e".to_owned()], &three));
    assert_eq!(titles(&page), ["one", "two", "three"]);
    assert_eq!(page.refused(json!({"type": "putBack"})), "nothing-replaced");
}

#[test]
fn chapters_of_a_full_disk_are_stored_once_there_is_room() {
    let (board, mut page) = Board::start().with_page();
    board.fill_disk(true);
    add(&mut page, "one");
    add(&mut page, "two");
    assert_eq!(page.wait("notice")["text"]["key"], "storage.none");
    board.fill_disk(false);
    page.play("6e6d");
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    page.wait("games");
    assert_eq!(titles(&page).last(), Some(&"two"));
}

#[test]
fn chapters_outlive_the_program_and_are_not_written_at_each_move() {
    let (board, mut page) = study();
    open_at_its_end(&mut page);
    let stored = board.folder.path().join("judkins/study.chapters.json");
    let before = fs::read_to_string(&stored).unwrap();
    page.play("1b1c");
    assert_eq!(fs::read_to_string(&stored).unwrap(), before);
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    page.wait("games");
    assert_eq!(titles(&page), ["one", "two", "three"]);
    assert_eq!(
        (moves(&page.study), &page.study["chapter"]),
        (vec!["6e6d".to_owned(), "1b1c".to_owned()], &id(&page, 0))
    );
    // The list has what the session had.
    assert_eq!(moves(&page.open_game(2)), ["5f5e"]);
    assert_ne!(fs::read_to_string(&stored).unwrap(), before);
    assert_eq!(moves(&page.open_game(0)), ["6e6d", "1b1c"]);
    // Without chapters there is no file of them.
    page.ask(json!({"type": "paste", "text": "startpos moves 4f4e"}));
    page.wait("replaced");
    page.paste("startpos moves 4f4e 2a2b");
    page.wait("replaced");
    assert!(!stored.exists());
}

#[test]
fn a_file_of_many_games_comes_back_after_the_program_has_ended() {
    let (board, mut page) = Board::start().with_page();
    let text = "1. P-6d 0-1 1. G-4e 1-0\n\n[Event \"café\"]\n[Variant \"judkins\"]\n\n1. G-5e *\n";
    page.open("some.pgn", text);
    page.wait("study");
    assert_eq!(page.games().len(), 3);
    page.comment(1, "mine");
    page.open_game(2);
    let before = page.games().to_vec();
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    page.wait("games");
    assert_eq!(page.games(), before);
    for (number, comment) in [(0, "mine"), (1, ""), (2, "")] {
        let study = page.open_game(number);
        assert_eq!((&study["nodes"][1]["comment"], &study["chapter"]), (&json!(comment), &id(&page, number)));
    }
}

#[test]
fn all_chapters_are_one_file_whose_games_are_chapters_again() {
    for format in ["kif", "pgn"] {
        let (_board, mut page) = study();
        let before = page.games().to_vec();
        let file = export(&mut page, format);
        assert_eq!(file["name"], format!("game.{format}"));
        // Another study takes them in.
        let (_board, mut page) = Board::start().with_page();
        add(&mut page, "mine");
        let data = encoded(file["text"].as_str().unwrap());
        page.ask(json!({"type": "open", "name": "three", "data": data, "add": true}));
        assert_eq!(moves(&page.wait("study")), ["6e6d"], "{format}");
        assert_eq!(titles(&page), ["mine", "one", "two", "three"]);
        for (ours, theirs) in page.games()[1..].iter().zip(&before) {
            assert_eq!((&ours["plies"], &ours["black"]), (&theirs["plies"], &theirs["black"]), "{format}");
        }
        // What was changed is in the file, too: the game on the board and another one.
        page.comment(1, "first");
        page.open_game(3);
        page.comment(1, "second");
        let text = export(&mut page, format)["text"].to_string();
        assert!(text.contains("first") && text.contains("second"), "{text}");
    }
}

#[test]
fn a_game_that_cannot_be_read_is_left_out_and_said_to_be() {
    let (_board, mut page) = Board::start().with_page();
    // The first that can be read is put on the board.
    assert_eq!(moves(&page.paste("sfen rubbish\nstartpos moves 1f1e\nstartpos moves 5f5e\n")), ["1f1e"]);
    assert_eq!(page.wait("notice")["text"]["key"], "record.partial");
    assert_eq!(page.games().len(), 3);
    page.paste("startpos moves 6e6d\nsfen rubbish\nstartpos moves 5f5e\n");
    assert_eq!(page.games().len(), 3);
    page.ask(json!({"type": "save", "format": "usi", "all": true}));
    let notice = page.wait("notice");
    assert_eq!(notice["text"], json!({"key": "games.unread", "args": {"count": 1}}));
    assert_eq!(page.wait("exported")["text"], "startpos moves 6e6d\nstartpos moves 5f5e\n");
}

#[test]
fn chapters_that_were_replaced_come_back_also_the_next_time() {
    let (board, mut page) = study();
    page.ask(json!({"type": "paste", "text": "startpos moves 4f4e"}));
    page.wait("replaced");
    let mut board = Board::in_folder(board.kill(), &[]);
    for _ in 0..2 {
        let mut page = board.page();
        assert_eq!(page.wait("games")["games"], Value::Null);
        let study = page.put_back();
        assert_eq!((moves(&study), titles(&page)), (vec!["5f5e".to_owned()], vec!["one", "two", "three"]));
        page.ask(json!({"type": "paste", "text": "startpos moves 4f4e 2a2b"}));
        page.wait("replaced");
        board = Board::in_folder(board.kill(), &[]);
    }
}

#[test]
fn chapters_stay_as_they_are_during_a_game() {
    let (_board, mut page) = study();
    page.begin_of_two_people();
    let one = id(&page, 0);
    for request in [
        json!({"type": "addChapter", "title": ""}),
        json!({"type": "renameChapter", "game": one, "title": ""}),
        json!({"type": "moveChapter", "game": one, "to": 1}),
        json!({"type": "deleteChapter", "game": one}),
        json!({"type": "restoreChapter"}),
    ] {
        assert_eq!(page.refused(request), "in-game");
    }
    // The chapter that the game replaced has its changes; so has the game, once it is one.
    page.play("4f4e");
    page.resign();
    page.ask(json!({"type": "addChapter", "title": "the game", "here": true}));
    page.wait_for(|message| message["type"] == "header" && message["header"]["event"] == "the game");
    page.wait("gamesAdded");
    assert_eq!(titles(&page), ["one", "two", "three", "the game"]);
    assert_eq!(moves(&page.open_game(2)), ["5f5e"]);
    assert_eq!(moves(&page.open_game(3)), ["4f4e"]);
}

#[test]
fn a_study_that_is_no_chapter_is_not_saved_with_them() {
    let (_board, mut page) = study();
    page.ask(json!({"type": "setPosition", "sfen": judkins::shogi::Position::startpos().to_string()}));
    page.study = page.wait("study");
    page.position = page.wait("position");
    page.play("4f4e");
    page.ask(json!({"type": "save", "format": "kif", "all": true}));
    page.wait("exported");
    page.open_game(0);
    assert_eq!(moves(&page.put_back()), ["4f4e"]);
}

#[test]
fn a_new_study_closes_the_list_which_can_be_put_back() {
    let (_board, mut page) = study();
    page.ask(json!({"type": "study"}));
    page.wait_for(|message| message["type"] == "games" && message["games"].is_null());
    page.ask(json!({"type": "putBack"}));
    page.wait_for(|message| message["type"] == "games" && message["games"].is_object());
}

#[test]
fn a_chapter_is_exported_with_its_changes_during_a_problem() {
    let (_board, mut page) = study();
    page.ask(json!({"type": "problemNext", "plies": 3}));
    page.wait_for(|message| message["type"] == "problem" && !message["problem"].is_null());
    let text = export(&mut page, "usi")["text"].to_string();
    assert!(text.contains("5f5e"), "{text}");
}

#[test]
fn a_chapter_that_was_on_the_board_keeps_its_last_moves_when_a_file_takes_its_place() {
    let (board, mut page) = study();
    open_at_its_end(&mut page);
    page.play("1b1c");
    fs::write(board.folder.path().join("other.usi"), "startpos moves 4f4e").unwrap();
    let (_board, mut page) = Board::in_folder(board.kill(), &["other.usi"]).with_page();
    assert_eq!(moves(&page.put_back()), ["6e6d", "1b1c"]);
    page.open_game(2);
    assert_eq!(moves(&page.open_game(0)), ["6e6d", "1b1c"]);
}

#[test]
fn undo_takes_back_edits_of_the_chapter_on_the_board_and_deletions_of_chapters_in_their_order() {
    let (board, mut page) = study();
    let state = || {
        let mut page = board.page();
        page.wait("games");
        let titles: Vec<String> = titles(&page).into_iter().map(str::to_owned).collect();
        (titles.join(" "), moves(&page.study).join(" "))
    };
    let undo = |page: &mut Page| {
        page.undo();
        state()
    };
    let [one, two, three] = [0, 1, 2].map(|number| id(&page, number));
    let mut states = vec![state()];
    for request in [
        json!({"type": "renameChapter", "game": one, "title": "first"}),
        json!({"type": "openGame", "game": one}),
        json!({"type": "play", "node": 1, "move": "1b1c"}),
        // The next one takes its place.
        json!({"type": "deleteChapter", "game": one}),
        json!({"type": "play", "node": 0, "move": "4f4e"}),
        json!({"type": "deleteChapter", "game": three}),
    ] {
        page.ask(request);
        states.push(state());
    }
    assert_eq!(states.pop(), Some(("two".to_owned(), "4f4e".to_owned())));
    for _ in 0..4 {
        assert_eq!(undo(&mut page), states.pop().unwrap());
    }
    assert_eq!(undo(&mut page), ("one two three".to_owned(), "6e6d".to_owned()), "the chapter was renamed");
    // A chapter with an earlier edit is on the board when others are deleted, and then deleted itself.
    page.ask(json!({"type": "openGame", "game": two}));
    page.ask(json!({"type": "play", "node": 0, "move": "5f5e"}));
    let mut states = vec![state()];
    for game in [&three, &two] {
        page.ask(json!({"type": "deleteChapter", "game": game}));
        states.push(state());
    }
    states.pop();
    while let Some(before) = states.pop() {
        assert_eq!(undo(&mut page), before);
    }
    assert_eq!(undo(&mut page).1, "");
}

#[test]
fn each_deleted_chapter_can_be_restored() {
    let (board, mut page) = study();
    let [one, two, three] = [0, 1, 2].map(|number| id(&page, number));
    for game in [&one, &two] {
        page.ask(json!({"type": "deleteChapter", "game": game}));
        page.wait("games");
    }
    assert_eq!(page.refused(json!({"type": "restoreChapter", "game": three})), "nothing-deleted");
    page.ask(json!({"type": "restoreChapter", "game": one}));
    page.wait("games");
    assert_eq!(titles(&page), ["one", "three"]);
    assert_eq!(page.refused(json!({"type": "restoreChapter", "game": one})), "nothing-deleted");
    // During a game, which the one that was on the board replaces.
    page.ask(json!({"type": "deleteChapter", "game": three}));
    page.wait_for(|message| message["type"] == "study" && message["chapter"] == one);
    page.begin_of_two_people();
    page.ask(json!({"type": "restoreChapter", "game": two}));
    assert_eq!(page.refused(json!({"type": "restoreChapter"})), "in-game");
    page.ask(json!({"type": "restoreChapter", "game": three}));
    page.wait_for(|message| message["type"] == "study" && message["chapter"] == three);
    let mut page = board.page();
    page.wait("games");
    assert_eq!(titles(&page), ["one", "two", "three"]);
    assert_eq!(page.refused(json!({"type": "restoreChapter"})), "nothing-deleted");
}

#[test]
fn chapters_stay_with_their_study_when_a_file_was_opened_meanwhile() {
    let (board, _) = study();
    fs::write(board.folder.path().join("other.usi"), "startpos moves 4f4e").unwrap();
    let (board, mut page) = Board::in_folder(board.kill(), &["other.usi"]).with_page();
    page.go_to(1);
    let board = Board::in_folder(board.kill(), &["other.usi"]);
    assert_eq!(board.page().wait("games")["games"], Value::Null);
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    page.wait_for(|message| message["type"] == "games" && !message["games"].is_null());
    assert_eq!(titles(&page), ["one", "two", "three"]);
    assert_eq!(moves(&page.study), ["5f5e"]);
}

#[test]
fn a_restored_chapter_that_was_opened_from_the_library_is_as_on_the_board() {
    let (_board, mut page) = study();
    let three = id(&page, 2);
    page.ask(json!({"type": "deleteChapter", "game": three}));
    page.wait("study");
    page.ask(json!({"type": "openKept", "game": three}));
    page.study = page.wait_for(|message| message["type"] == "study" && moves(message) == ["5f5e"]);
    page.position = page.wait("position");
    page.ask(json!({"type": "play", "node": 1, "move": "1b1c"}));
    page.ask(json!({"type": "problemNext", "plies": 3}));
    page.ask(json!({"type": "restoreChapter", "game": three}));
    page.wait_for(|message| message["type"] == "study" && message["chapter"] == three);
    assert_eq!(titles(&page), ["one", "two", "three"]);
    page.ask_for_game(0);
    page.wait_for(|message| message["type"] == "study" && moves(message) == ["6e6d"]);
    page.ask_for_game(2);
    page.wait_for(|message| message["type"] == "study" && moves(message) == ["5f5e", "1b1c"]);
}

#[test]
fn a_list_is_put_back_beside_a_game_that_is_played() {
    let (_board, mut page) = study();
    page.begin_of_two_people();
    page.play("4f4e");
    page.open("other.usi", "startpos moves 1f1e");
    page.wait("replaced");
    page.ask(json!({"type": "library"}));
    let rows = page.wait("library")["rows"].clone();
    let game = rows.as_array().unwrap().iter().find(|row| row["playing"] == true).expect("it goes on");
    page.ask(json!({"type": "openKept", "game": game["id"]}));
    page.wait_for(|message| message["type"] == "study" && moves(message) == ["4f4e"]);
    page.ask(json!({"type": "putBack"}));
    page.wait_for(|message| message["type"] == "games" && !message["games"].is_null());
    assert_eq!(titles(&page), ["one", "two", "three"]);
    assert_eq!(page.refused(json!({"type": "addChapter", "title": ""})), "in-game");
}

#[test]
fn put_back_restores_the_list_though_its_chapter_is_on_the_board_again() {
    let (_board, mut page) = study();
    let three = id(&page, 2);
    page.open("other.usi", "startpos moves 4f4e");
    page.wait("replaced");
    page.ask(json!({"type": "openKept", "game": three}));
    assert_eq!(moves(&page.wait("study")), ["5f5e"]);
    page.ask(json!({"type": "putBack"}));
    page.wait_for(|message| message["type"] == "games" && !message["games"].is_null());
    assert_eq!(titles(&page), ["one", "two", "three"]);
}
