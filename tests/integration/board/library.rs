//! The library of games: adding and finding them.

use std::fs;
use std::time::{Duration, Instant};

use judkins::board::messages::LibraryQuery;
use judkins::board::messages::text::Text;
use judkins::board::server::Library;
use judkins::board::state::io::Now;
use judkins::board::state::kept::{KeptGame, LibraryAnswer, LibraryTask, Search};
use judkins::board::state::{ReadGames, Study};
use judkins::book::Book;
use judkins::record::{Date, NodeId, Record};
use judkins::shogi::{Color, GameScore, Move, Position};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

use super::page::{Page, encoded, moves};
use super::server::Server;
use super::state::{Board, TAG};
use crate::common::wild_moves::wild_moves;

/// The games that a query finds.
fn listed(page: &mut Page, mut query: Value) -> Vec<Value> {
    query["type"] = json!("library");
    let list = page.answer(query);
    assert_eq!(list["type"], "library", "{list}");
    list["rows"].as_array().expect("it is a list").clone()
}

/// The numbers of moves of the games, the newest first.
fn plies(page: &mut Page) -> Vec<u64> {
    listed(page, json!({})).iter().map(|game| game["plies"].as_u64().expect("it is a number")).collect()
}

fn open(page: &mut Page, game: &Value) -> Value {
    page.ask(json!({"type": "openKept", "game": game["id"]}));
    page.wait("study")
}

/// The library may take seconds to answer.
#[test]
fn a_game_that_was_asked_for_before_another_began_does_not_interrupt_it() {
    let (board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "paste", "text": "startpos moves 6e6d"}));
    page.ask(json!({"type": "paste", "text": "startpos moves 5f5e 1b1c"}));
    let kept = listed(&mut page, json!({}));
    let id = page.ask(json!({"type": "openKept", "game": kept.last().expect("it was replaced")["id"]}));
    let human = json!({"kind": "human"});
    page.ask(json!({"type": "new", "black": human, "white": human}));
    let error = page.wait_for(|message| message["id"] == id);
    assert_eq!(error["code"], "in-game", "{error}");
    assert!(moves(&board.page().study).is_empty());
    // A page that asks during the game may interrupt it.
    assert!(!moves(&open(&mut page, &kept[kept.len() - 1])).is_empty());
}

#[test]
fn a_game_that_is_pasted_again_is_listed_once_until_it_is_changed() {
    let (_board, mut page) = Board::start().with_page();
    for text in ["6e6d 1b1c", "5f5e", "6e6d 1b1c"] {
        page.paste(&format!("startpos moves {text}"));
    }
    assert_eq!(plies(&mut page), [1, 2]);
    page.ask(json!({"type": "play", "node": 2, "move": "1f1e"}));
    page.wait("node");
    assert_eq!(plies(&mut page), [3, 1, 2]);
}

#[test]
fn all_that_was_replaced_can_be_opened_also_the_next_time() {
    let (board, mut page) = Board::start().with_page();
    for text in ["6e6d", "6e6d 1b1c", "6e6d 1b1c 5f5e", "6e6d 1b1c 5f5e 2a2b"] {
        page.paste(&format!("startpos moves {text}"));
    }
    page.comment(1, "mine");
    let games = listed(&mut page, json!({}));
    assert_eq!(plies(&mut page), [4, 3, 2, 1]);
    assert_eq!(moves(&open(&mut page, &games[3])).len(), 1);
    // It is listed once, wherever it stands.
    assert_eq!(plies(&mut page), [4, 3, 2, 1]);
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    assert_eq!((moves(&page.study).len(), plies(&mut page)), (1, vec![4, 3, 2, 1]));
    let study = open(&mut page, &games[0]);
    assert_eq!((moves(&study).len(), &study["nodes"][1]["comment"]), (4, &json!("mine")));
    // A game changed after it was opened is the same game.
    page.ask(json!({"type": "play", "node": 4, "move": "1f1e"}));
    page.wait("node");
    assert_eq!(plies(&mut page), [5, 3, 2, 1]);
    let first = listed(&mut page, json!({})).remove(0);
    assert_eq!(first["id"], games[0]["id"]);
}

#[test]
fn finished_stopped_and_replaced_games_are_kept_with_all_that_is_known_of_them() {
    let (_board, mut page) = Board::start().with_page();
    let human = json!({"kind": "human", "name": "Ada"});
    let begin = |page: &mut Page, level: u32| {
        page.ask(json!({"type": "new", "black": human, "white": {"kind": "engine", "engine": 0, "level": level}}));
        page.position = page.wait_for(|message| message["type"] == "position" && message["cursor"] == 0);
        page.wait_for(|message| message["game"]["waiting"] == "human");
        page.play("6e6d");
        page.wait_for(|message| message["game"]["waiting"] == "human" && message["game"]["node"] == 2);
    };
    begin(&mut page, 3);
    page.resign();
    begin(&mut page, 4);
    page.ask(json!({"type": "endgame"}));
    begin(&mut page, 5);
    page.ask(json!({"type": "study"}));
    page.wait("replaced");
    let facts = |game: &Value| {
        let names = ["black", "level", "colour", "result", "reason", "plies", "date", "playing"];
        names.map(|name| game[name].clone())
    };
    let games: Vec<_> = listed(&mut page, json!({})).iter().map(facts).collect();
    let game = |level: u32, result: Value, reason: Value, playing: bool| {
        [json!("Ada"), json!(level), json!("black"), result, reason, json!(2), json!("2024-05-01"), json!(playing)]
    };
    let none = Value::Null;
    assert_eq!(games[2], game(3, json!("0-1"), json!("resignation"), false));
    assert_eq!(games[1], game(4, none.clone(), json!("interrupted"), false));
    assert_eq!(games[0], game(5, none.clone(), none, true));
    // An unfinished game continues.
    let first = listed(&mut page, json!({})).remove(0);
    open(&mut page, &first);
    page.wait_for(|message| message["game"]["waiting"] == "human");
}

#[test]
fn games_are_found_sorted_renamed_deleted_and_restored() {
    let (_board, mut page) = Board::start().with_page();
    let game = |black: &str, white: &str, date: &str, moves: &str, end: &str| {
        format!(
            "[Event \"{black}'s cup\"]\n[Black \"{black}\"]\n[White \"{white}\"]\n[Date \"{date}\"]\n[Result \"{end}\"]\n[Variant \"judkins\"]\n\n{moves} {end}\n\n"
        )
    };
    let text = game("Ada", "Érik", "2023.05.06", "1. P-6d P-1c 2. G-5e", "1-0")
        + &game("Bob", "ada", "2024.01.02", "1. P-6d", "0-1")
        + &game("Cid", "Dot", "2022.01.02", "1. G-5e", "1/2-1/2");
    let imported = page.import("some.pgn", &text);
    assert_eq!((&imported["count"], &imported["known"]), (&json!(3), &json!(0)), "{imported}");
    // The same file again adds nothing.
    let again = page.import("some.pgn", &text);
    assert_eq!((&again["count"], &again["known"]), (&json!(0), &json!(3)), "{again}");
    let blacks = |page: &mut Page, query: Value| {
        let games = listed(page, query);
        games.iter().map(|game| game["black"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (query, expected) in [
        (json!({"order": "black", "ascending": true}), vec!["Ada", "Bob", "Cid"]),
        (json!({"order": "white", "ascending": true}), vec!["Bob", "Cid", "Ada"]),
        (json!({"order": "date"}), vec!["Bob", "Ada", "Cid"]),
        (json!({"order": "plies"}), vec!["Ada", "Cid", "Bob"]),
        (json!({"words": "ADA", "order": "date"}), vec!["Bob", "Ada"]),
        (json!({"words": "érik"}), vec!["Ada"]),
        (json!({"words": "Erik"}), vec!["Ada"]),
        (json!({"words": "ada 2024"}), vec!["Bob"]),
        (json!({"words": "Ａｄａ　２０２４"}), vec!["Bob"]),
        (json!({"words": "ada's CUP"}), vec!["Ada"]),
        (json!({"words": "2024.01"}), vec!["Bob"]),
        (json!({"words": "2023/5/6"}), vec!["Ada"]),
        (json!({"words": "ada%"}), vec![]),
        (json!({"result": "1/2-1/2"}), vec!["Cid"]),
        (json!({"result": "*"}), vec![]),
        (json!({"here": true, "order": "black", "ascending": true}), vec!["Ada", "Bob", "Cid"]),
        (json!({"first": 2, "order": "black", "ascending": true}), vec!["Cid"]),
    ] {
        assert_eq!(blacks(&mut page, query.clone()), expected, "{query}");
    }
    page.play("6e6d");
    let here = json!({"here": true, "order": "black", "ascending": true, "words": "a"});
    assert_eq!(blacks(&mut page, here), ["Ada", "Bob"]);
    assert_eq!(listed(&mut page, json!({"words": "dot"}))[0]["event"], "Cid's cup");
    let games = listed(&mut page, json!({"order": "black", "ascending": true, "words": "ada"}));
    let ada = games[0]["id"].clone();
    page.answer(json!({"type": "renameKept", "game": ada, "name": "The best of all"}));
    assert_eq!(listed(&mut page, json!({"words": "best"}))[0]["name"], "The best of all");
    assert_eq!(open(&mut page, &games[0])["files"]["name"], "The best of all");
    page.answer(json!({"type": "deleteKept", "games": [ada]}));
    assert_eq!(listed(&mut page, json!({"words": "ada"})).len(), 1);
    page.answer(json!({"type": "restoreKept", "games": [ada]}));
    assert_eq!(listed(&mut page, json!({"words": "ada"})).len(), 2);
    // All that are found are written as one file, and read back.
    let all = page.answer(json!({"type": "libraryAll", "words": "ada"}));
    for (format, name) in [("kif", "games.kif"), ("pgn", "games.pgn"), ("usi", "games.usi")] {
        let twice = [all["games"].as_array().unwrap().clone(), vec![all["games"][0].clone()]].concat();
        let file = page.answer(json!({"type": "exportKept", "games": twice, "format": format}));
        assert_eq!(file["name"], name);
        let read = ReadGames::of(name, file["text"].as_str().unwrap().as_bytes(), now());
        let mut plies: Vec<usize> = read.games.iter().map(|game| game.row.plies).collect();
        plies.sort();
        assert_eq!((plies, read.problem), (vec![1, 3], None), "{format}");
        // The renamed games are known by their moves and players.
        if format != "usi" {
            let again = page.import(name, file["text"].as_str().unwrap());
            assert_eq!((&again["count"], &again["known"]), (&json!(0), &json!(2)), "{format}: {again}");
        }
    }
}

#[test]
fn a_file_may_come_in_parts_and_what_cannot_be_read_of_it_is_said() {
    let (_board, mut page) = Board::start().with_page();
    let text = "startpos moves 6e6d\nstartpos moves 6e6d 6e6d\n";
    let (one, two) = text.split_at(30);
    let [one, two] = [one, two].map(encoded);
    let part = json!({"type": "import", "name": "some.usi", "data": one, "more": true});
    page.answer(part.clone());
    // One that is refused takes those before it with it.
    assert_eq!(page.refused(json!({"type": "import", "name": "some.usi", "data": "?"})), "bad-message");
    page.answer(part);
    let done = page.answer(json!({"type": "import", "name": "some.usi", "data": two}));
    let problem = &done["problem"]["args"];
    assert_eq!((&done["count"], &problem["problem"]["args"]["line"]), (&json!(1), &json!(2)), "{done}");
    assert_eq!(problem["games"], json!([{"key": "verbatim", "args": {"text": "#2"}}]));
    assert_eq!(listed(&mut page, json!({}))[0]["name"], "some.usi #1");
    // Of many the first are named.
    let broken = "startpos\n".to_owned() + &"startpos moves 6e6e\n".repeat(6);
    let named = &page.import("more.usi", &broken)["problem"]["args"]["games"];
    let named: Vec<&Value> = named.as_array().unwrap().iter().map(|game| &game["args"]["text"]).collect();
    assert_eq!(named, ["#2", "#3", "#4", "#5", "#6", "…"]);
    let only = page.import("only.usi", "startpos moves 6e6d 5f5e 6d6e\n");
    assert_eq!(only["problem"]["key"], "record.problem", "{only}");
}

#[test]
fn a_study_behind_a_problem_is_renamed_and_put_up_as_it_is() {
    let (_board, mut page) = Board::start().with_page();
    page.paste("startpos moves 6e6d");
    let game = listed(&mut page, json!({})).remove(0);
    assert_eq!(game["id"].as_u64().unwrap() % 2048, TAG);
    // The library has this only once the study is replaced.
    page.comment(1, "newer");
    page.ask(json!({"type": "problemNext", "plies": 1}));
    page.wait_for(|message| !message["problem"].is_null());
    page.answer(json!({"type": "renameKept", "game": game["id"], "name": "mine"}));
    let study = open(&mut page, &game);
    assert_eq!((&study["nodes"][1]["comment"], &study["files"]["name"]), (&json!("newer"), &json!("mine")));
    // The one that was replaced, too.
    page.begin_study();
    page.answer(json!({"type": "renameKept", "game": game["id"], "name": "ours"}));
    assert_eq!(page.put_back()["files"]["name"], "ours");
}

#[test]
fn searches_and_files_have_bounds() {
    let query = LibraryQuery { words: "a ".repeat(50_000), first: usize::MAX, ..LibraryQuery::default() };
    let search = Search::of(&query, &Position::startpos());
    assert_eq!((search.words.len(), search.first), (20, i64::MAX as usize));
    let read = ReadGames::of("many.jsonl", "{\"game\":1}\n".repeat(100_001).as_bytes(), now());
    assert_eq!(read.problem, Some(Text::new("error.too-long")));
}

#[test]
fn a_chapter_of_a_position_is_kept_without_a_move() {
    let (_board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "addChapter", "sfen": "4nk/1K3p/3b2/3S+b1/P5/1S4 b 2R2Gn 101", "title": "endgame"}));
    page.wait("study");
    page.begin_study();
    assert_eq!(plies(&mut page), [0]);
}

#[test]
fn a_session_of_an_earlier_version_still_has_what_it_had_replaced() {
    let (board, mut page) = Board::start().with_page();
    for mv in ["6e6d", "1b1c"] {
        page.play(mv);
    }
    let folder = board.kill();
    let path = folder.path().join("judkins/study.json");
    let mut session: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let mut old = session.clone();
    for name in ["version", "solved", "replaced", "unconfirmed", "kept"] {
        old.as_object_mut().unwrap().remove(name);
    }
    session["replaced"] = old.clone();
    fs::write(&path, session.to_string()).unwrap();
    // There was a list beside it, too, with the first move alone.
    let kif: Vec<&str> = old["record"].as_str().unwrap().lines().filter(|line| !line.starts_with("   2 ")).collect();
    old["record"] = json!(kif.join("\n"));
    (old["cursor"], old["notes"]) = (json!([]), json!([]));
    let list = format!("{{\"version\":1,\"dropped\":0}}\n{}\n", json!({"game": {}, "study": old}));
    let list_path = folder.path().join("judkins/study.earlier.jsonl");
    fs::write(&list_path, list).unwrap();
    let (board, mut page) = Board::in_folder(folder, &[]).with_page();
    page.position["cursor"] = json!(2);
    page.play("5f5e");
    assert_eq!(plies(&mut page), [3, 2, 1]);
    let board = Board::in_folder(board.kill(), &[]);
    assert_eq!(plies(&mut board.page()), [3, 2, 1]);
    assert!(!list_path.exists());
}

#[test]
fn what_was_changed_in_the_games_of_a_list_outlives_the_list() {
    let text = "startpos moves 6e6d\nstartpos moves 5f5e 1b1c\nstartpos\n";
    let (board, mut page) = Board::start().with_page();
    page.paste(text);
    // The first one twice: it is the same game.
    for (game, comment) in [(1, "mine 1"), (0, "mine"), (2, ""), (0, "mine 0")] {
        page.open_game(game);
        if !comment.is_empty() {
            page.comment(1, comment);
        }
    }
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    let mut comments: Vec<String> = Vec::new();
    for game in listed(&mut page, json!({})) {
        if page.study["nodes"][1]["comment"].is_string() && comments.is_empty() {
            comments.push(page.study["nodes"][1]["comment"].as_str().unwrap().to_owned());
        } else {
            comments.push(open(&mut page, &game)["nodes"][1]["comment"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(comments, ["mine 0", "mine 1"]);
}

#[test]
fn what_the_library_does_not_confirm_is_saved_the_next_time() {
    let (board, mut page) = Board::start().with_page();
    page.paste("startpos moves 6e6d 1b1c");
    // The board is killed before it hears of the library.
    page.ask(json!({"type": "paste", "text": "startpos moves 5f5e"}));
    let folder = board.kill();
    let session = fs::read_to_string(folder.path().join("judkins/study.json")).unwrap();
    assert!(session.contains("\"unconfirmed\":[{"), "{session}");
    let (board, mut page) = Board::in_folder(folder, &[]).with_page();
    assert_eq!(plies(&mut page), [1, 2]);
    let session = fs::read_to_string(board.folder.path().join("judkins/study.json")).unwrap();
    assert!(session.contains("\"unconfirmed\":[]"), "{session}");
}

#[test]
fn a_library_of_a_newer_version_is_refused_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    drop(Library::open(folder.path()).unwrap());
    let path = folder.path().join("library.db");
    let mut bytes = fs::read(&path).unwrap();
    // The user version is a number of four bytes there.
    assert_eq!(bytes[60..64], [0, 0, 0, 1]);
    bytes[63] = 2;
    fs::write(&path, &bytes).unwrap();
    let error = Library::open(folder.path()).unwrap_err();
    assert!(error.ends_with("library.db: its version is 2, and this program reads 1"), "{error}");
    fs::write(&path, &bytes[..2000]).unwrap();
    assert!(Library::open(folder.path()).is_err());
    assert_eq!(fs::read(&path).unwrap(), &bytes[..2000]);
}

#[test]
fn the_explorer_knows_the_book_and_how_games_ended() {
    let (_board, mut page) = Board::start().with_page();
    let games = ["1. P-6d P-1c 1-0", "1. P-6d K-2b 0-1", "1. P-6d P-1c 2. G-5e 1/2-1/2", "1. G-5e 1-0"];
    page.import("some.pgn", &games.map(|game| format!("[Variant \"judkins\"]\n\n{game}\n\n")).concat());
    let explored = page.answer(json!({"type": "explore", "node": 0}));
    let moves = explored["moves"].as_array().unwrap();
    let found = |mv: &str| moves.iter().find(|known| known["move"] == mv).unwrap();
    assert_eq!(found("6e6d")["library"], json!({"games": 3, "black": 1, "white": 1, "draws": 1}));
    assert_eq!(found("5f5e")["library"]["games"], 1);
    // It says of the book what `judkins book show` says.
    let start = Position::startpos();
    let book = Book::built_in();
    let known: Vec<(String, Option<i64>)> =
        book.moves(&start).iter().map(|known| (known.mv.to_string(), known.score.map(i64::from))).collect();
    let said = moves.iter().filter(|known| !known["book"].is_null());
    let said: Vec<_> =
        said.map(|known| (known["move"].as_str().unwrap().to_owned(), known["book"]["score"]["cp"].as_i64())).collect();
    assert!(!known.is_empty());
    assert_eq!((&said, start.side_to_move()), (&known, Color::Black));
    // As deep as its own replies go.
    let plies = found(&known[0].0)["book"]["plies"].as_u64().unwrap();
    let mut position = start.after(known[0].0.parse().unwrap());
    for _ in 1..plies {
        position = position.after(book.moves(&position)[0].mv);
    }
    assert!(plies >= 60 || book.moves(&position).is_empty());
    // Nobody looks moves up in a game.
    page.begin_of_two_people();
    assert_eq!(page.refused(json!({"type": "explore", "node": 0})), "in-game");
}

#[test]
fn the_explorer_works_with_a_book_and_with_a_match_named_on_the_command_line() {
    let book = "#YANEURAOU-DB2016 1.00\nsfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\n4f4e 2a2b 31 12 5\n";
    let (_board, mut page) = Board::of_file("my.book", book).with_page();
    let explored = page.answer(json!({"type": "explore", "node": 0}));
    let known = &explored["moves"][0];
    assert_eq!(explored["moves"].as_array().unwrap().len(), 1);
    assert_eq!((&known["move"], &known["book"]["depth"]), (&json!("4f4e"), &json!(12)));
    // The last study is there, beside a book.
    page.play("6e6d");
    page.open("two.usi", "startpos moves 6e6d\nrook\n");
    page.wait("study");
    let explored = page.answer(json!({"type": "explore", "node": 0}));
    let played = explored["moves"].as_array().unwrap().iter().find(|known| known["move"] == "6e6d").unwrap();
    assert_eq!(played["file"]["games"], 1, "{played}");
}

fn now() -> Now {
    Now { instant: Instant::now(), date: Date::new(2024, 5, 1).unwrap(), millis: 1_700_000_000_000 }
}

/// A game with this number of moves, which others differ from.
fn wild_game(number: u64, plies: usize) -> Vec<Move> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
    std::iter::repeat_with(|| wild_moves(&mut random, plies)).find(|moves| moves.len() == plies).expect("it is endless")
}

/// The same in USI, as a line.
fn usi(number: u64) -> String {
    let moves: Vec<String> = wild_game(number, 20).iter().map(Move::to_string).collect();
    format!("startpos moves {}\n", moves.join(" "))
}

/// This number of games, each of 40 moves.
fn games(count: u64) -> Vec<KeptGame> {
    let game = |number: u64| {
        let mut record = Record::new(Position::startpos());
        wild_game(number, 40).into_iter().fold(NodeId::ROOT, |at, mv| record.play(at, mv).unwrap());
        let header = &mut record.header;
        header.players = [Some(format!("player-{}", number % 100)), Some(format!("other {number}"))];
        header.date = Date::new(2000 + number as u16 % 30, 1, 2);
        header.result = [GameScore::Black, GameScore::White, GameScore::Draw].get(number as usize % 3).copied();
        KeptGame::of(&Study::of(record, None), None, now()).with_id(number + 1)
    };
    (0..count).map(game).collect()
}

fn timed<T>(what: &str, most: Duration, run: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let value = run();
    let time = begin.elapsed();
    println!("{what}: {:.1} ms", 1000.0 * time.as_secs_f64());
    assert!(time <= most, "{what} took {time:?}");
    value
}

#[test]
#[ignore = "takes a minute"]
fn ten_thousand_games_are_opened_and_searched_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(10_000);
    let place = games[77].places[9].0;
    let mut library = Library::open(folder.path()).unwrap();
    timed("10,000 games saved", Duration::from_secs(60), || library.run(LibraryTask::Save { games }).unwrap());
    drop(library);
    let open = || Library::open(folder.path()).unwrap();
    // Wide limits: they are for what takes time by the square of the games.
    let mut library = timed("opened", Duration::from_secs(10), open);
    let size = fs::metadata(folder.path().join("library.db")).unwrap().len();
    println!("{:.1} MB", size as f64 / 1e6);
    let start = Position::startpos();
    let most = Duration::from_secs(5);
    for (what, query, key, expected) in [
        ("first page", json!({}), None, 10_000),
        ("player", json!({"words": "PLAYER-77"}), None, 100),
        ("result", json!({"result": "0-1"}), None, 3333),
        ("date", json!({"words": "2007-01", "order": "white"}), None, 334),
        ("position", json!({"here": true}), Some(place), 0),
        ("start position", json!({"here": true, "order": "black", "first": 5000}), None, 10_000),
    ] {
        let query: LibraryQuery = serde_json::from_value(query).unwrap();
        let mut search = Search::of(&query, &start);
        search.key = key.or(search.key);
        let answer = timed(what, most, || library.run(LibraryTask::List(search)).unwrap());
        let LibraryAnswer::List { total, rows } = answer else { panic!("{answer:?}") };
        assert!(total == expected || key.is_some() && (1..10).contains(&total), "{what}: {total}");
        assert_eq!(rows.len(), total.min(100));
    }
    let key = judkins::board::state::kept::place_key(&start);
    timed("explorer at the start", most, || library.run(LibraryTask::Explore { key }).unwrap());
}

/// Killed at any moment, it has all games that it has said are there, and each of them whole.
#[test]
#[ignore = "starts the program 20 times"]
fn a_killed_program_loses_no_game_and_has_no_half_ones() {
    let mut folder = tempfile::tempdir().unwrap();
    let mut said = 0;
    for round in 0..20u64 {
        let server = Server::in_folder(folder, &[]);
        let mut page = server.page();
        let text: String = (0..40).map(|number| usi(1000 * round + number)).collect();
        page.paste(&usi(1000 * round + 999));
        said += 1;
        let id = page.ask(json!({"type": "import", "name": "some.usi", "data": encoded(&text)}));
        if round % 2 == 0 {
            page.wait_for(|message| message["type"] == "imported" && message["id"] == id);
            said += 40;
        } else {
            std::thread::sleep(Duration::from_micros(1500 * round));
        }
        folder = server.kill();
    }
    let server = Server::in_folder(folder, &[]);
    let mut page = server.page();
    let list = page.answer(json!({"type": "library"}));
    let total = list["total"].as_u64().unwrap();
    println!("{total} games, of which {said} were confirmed");
    assert!(total >= said && (total - said).is_multiple_of(40), "{total} games, and {said} were confirmed");
    let all = page.answer(json!({"type": "libraryAll"}));
    let file = page.answer(json!({"type": "exportKept", "games": all["games"], "format": "usi"}));
    let lines: Vec<&str> = file["text"].as_str().unwrap().lines().collect();
    assert_eq!(lines.len() as u64, total);
    assert!(lines.iter().all(|line| line.split(' ').count() == 22), "each has 20 moves");
}

#[test]
fn deleted_games_are_listed_restored_and_deleted_for_good() {
    let (_board, mut page) = Board::start().with_page();
    page.import("some.usi", "startpos moves 6e6d\nstartpos moves 6e6d 1b1c\n");
    let games = listed(&mut page, json!({}));
    let deleted = |page: &mut Page| listed(page, json!({"deleted": true}));
    assert_eq!((games.len(), deleted(&mut page).len()), (2, 0));
    let [long, short] = [&games[0], &games[1]].map(|game| json!([game["id"]]));
    page.answer(json!({"type": "deleteKept", "games": [games[0]["id"], games[1]["id"]]}));
    assert_eq!((plies(&mut page).len(), deleted(&mut page).len()), (0, 2));
    page.answer(json!({"type": "restoreKept", "games": short}));
    assert_eq!((plies(&mut page).len(), deleted(&mut page).len()), (1, 1));
    // One that is not deleted is not erased.
    for (game, left) in [(short, 1), (long.clone(), 0), (long, 0)] {
        page.answer(json!({"type": "eraseKept", "games": game}));
        assert_eq!(deleted(&mut page).len(), left);
    }
    assert_eq!((plies(&mut page).len(), deleted(&mut page).len()), (1, 0));
}

#[test]
fn a_game_that_is_deleted_before_the_library_has_it_can_be_restored() {
    let folder = tempfile::tempdir().expect("there is room");
    // No database can be made there.
    let place = folder.path().join("judkins/library.db");
    fs::create_dir_all(&place).expect("it can be made");
    let (board, mut page) = Board::in_folder(folder, &[]).with_page();
    for text in ["startpos moves 6e6d", "startpos moves 6e6d 1b1c"] {
        page.paste(text);
    }
    let session = fs::read_to_string(board.folder.path().join("judkins/study.json")).expect("it is stored");
    let session: Value = serde_json::from_str(&session).expect("it is JSON");
    let game = session["unconfirmed"][0]["row"]["id"].clone();
    assert_eq!(page.refused(json!({"type": "deleteKept", "games": [game]})), "library");
    drop(page);
    let folder = board.kill();
    fs::remove_dir(&place).expect("it is empty");
    let (_board, mut page) = Board::in_folder(folder, &[]).with_page();
    assert_eq!(listed(&mut page, json!({"deleted": true}))[0]["id"], game);
    page.answer(json!({"type": "restoreKept", "games": [game]}));
    assert!(listed(&mut page, json!({})).iter().any(|row| row["id"] == game));
}

#[test]
fn put_back_takes_the_newest_state_of_a_game() {
    let (board, mut page) = Board::start().with_page();
    page.paste("startpos moves 6e6d");
    for is_here in [true, false] {
        page.begin_study();
        let game = listed(&mut page, json!({})).remove(0);
        let study = open(&mut page, &game);
        page.position = page.wait("position");
        let node = study["nodes"].as_array().unwrap().len() - 1;
        let before = moves(&study).len();
        let mv = ["1b1c", "5f5e"][before - 1];
        page.ask(json!({"type": "play", "node": node, "move": mv}));
        page.wait("node");
        if !is_here {
            page.answer(json!({"type": "save", "format": "kif"}));
            page.begin_study();
        }
        page.ask(json!({"type": "putBack"}));
        // An answer that comes after it.
        listed(&mut page, json!({}));
        assert_eq!(moves(&board.page().study).len(), before + 1, "{is_here}");
    }
}

#[test]
fn a_study_without_a_date_gets_it_once() {
    let study = Study::of(Record::new(Position::startpos()), None);
    let first = KeptGame::of(&study, None, now());
    let later = Now { date: Date::new(2031, 2, 3).expect("it is a day"), ..now() };
    let again = Study { kept: first.study.kept.clone(), ..study };
    assert_eq!(KeptGame::of(&again, None, later).row.date, first.row.date);
}

#[test]
fn pasted_games_are_kept_as_one_is() {
    let (_board, mut page) = Board::start().with_page();
    let games = "startpos moves 6e6d 1b1c\nstartpos moves 1f1e\nstartpos moves 5f5e 1b1c 6e6d\n";
    let first = page.paste(games)["chapter"].clone();
    page.begin_study();
    let kept = listed(&mut page, json!({"order": "plies", "ascending": true}));
    assert_eq!(kept.iter().map(|game| &game["plies"]).collect::<Vec<_>>(), [1, 2, 3]);
    // Each is there once, whether or not it was opened.
    assert_eq!(kept[1]["id"], first);
    assert_eq!(moves(&open(&mut page, &kept[2])).len(), 3);
    // A name that one got before it was opened stays.
    page.paste("startpos moves 6e6d\nstartpos moves 4f4e\n");
    let other = listed(&mut page, json!({"order": "kept"})).into_iter().find(|game| game["plies"] == 1).unwrap();
    page.answer(json!({"type": "renameKept", "game": other["id"], "name": "mine"}));
    open(&mut page, &other);
    page.ask(json!({"type": "play", "node": 1, "move": "1b1c"}));
    page.wait("node");
    let named = listed(&mut page, json!({})).into_iter().find(|game| game["id"] == other["id"]).unwrap();
    assert_eq!((&named["name"], &named["plies"]), (&json!("mine"), &json!(2)));
    // Those of a file are in the file.
    page.open("two.usi", "startpos moves 3f2d\nstartpos moves 6e6d\n");
    page.wait("study");
    page.begin_study();
    assert_eq!(listed(&mut page, json!({})).len(), 5);
}

#[test]
fn the_game_that_is_played_is_not_deleted() {
    let (_board, mut page) = Board::start().with_page();
    page.paste("startpos moves 6e6d 1b1c");
    let human = json!({"kind": "human"});
    page.ask(json!({"type": "new", "black": human, "white": human}));
    page.position = page.wait_for(|message| message["type"] == "position" && message["cursor"] == 0);
    page.play("6e6d");
    let games: Vec<Value> = listed(&mut page, json!({})).iter().map(|game| game["id"].clone()).collect();
    let id = games[0].clone();
    assert_eq!(page.refused(json!({"type": "deleteKept", "games": [id]})), "in-game");
    // Others are.
    page.answer(json!({"type": "deleteKept", "games": games}));
    let left = listed(&mut page, json!({}));
    assert_eq!((left.len(), &left[0]["id"]), (1, &id));
    page.ask(json!({"type": "endgame"}));
    page.wait_for(|message| message["type"] == "game" && message["game"].is_null());
    page.answer(json!({"type": "deleteKept", "games": [id]}));
    assert!(listed(&mut page, json!({})).is_empty());
}

#[test]
fn a_deleted_game_does_not_come_back_unchanged() {
    let (_board, mut page) = Board::start().with_page();
    page.begin_of_two_people();
    page.play("6e6d");
    page.resign();
    let games = listed(&mut page, json!({}));
    page.answer(json!({"type": "deleteKept", "games": [games[0]["id"]]}));
    page.ask(json!({"type": "endgame"}));
    page.wait_for(|message| message["type"] == "game" && message["game"].is_null());
    assert_eq!(listed(&mut page, json!({})), Vec::<Value>::new());
}

#[test]
fn a_result_stays_when_another_line_becomes_the_main_line() {
    let (_board, mut page) = Board::start().with_page();
    page.paste("[Site \"Norwich\"]\n[Black \"Ada\"]\n[Result \"0-1\"]\n[EndReason \"resignation\"]\n[Variant \"judkins\"]\n\n1. P-6d P-1c 0-1\n");
    page.ask(json!({"type": "play", "node": 0, "move": "5f5e"}));
    page.wait("node");
    page.ask(json!({"type": "promote", "node": 3}));
    page.wait("order");
    let games = listed(&mut page, json!({}));
    assert_eq!((&games[0]["plies"], &games[0]["result"]), (&json!(1), &json!("0-1")), "{games:?}");
    for (words, found) in [("norwich resignation", 1), ("投了", 1), ("checkmate", 0), ("1/2", 0)] {
        assert_eq!(listed(&mut page, json!({"words": words})).len(), found, "{words}");
    }
}
