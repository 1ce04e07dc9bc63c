//! Engines that play each other: their thoughts, their limits, and series of games.

use std::collections::HashSet;
use std::time::Duration;

use judkins::contest::Pentanomial;
use serde_json::{Value, json};

use super::page::Page;
use super::server::Server;
use super::state::Board;

fn engine(limit: Value) -> Value {
    json!({"kind": "engine", "engine": 0, "level": 3, "limit": limit})
}

fn depth(depth: u32) -> Value {
    json!({"kind": "depth", "depth": depth})
}

/// Two engines, of which the first looks further.
fn game(games: usize) -> Value {
    let adjudication = json!({"max_moves": 120});
    json!({"type": "new", "black": engine(depth(3)), "white": engine(depth(1)), "games": games, "openings": true,
        "adjudication": adjudication})
}

fn series(page: &mut Page, is_it: impl Fn(&Value) -> bool) -> Value {
    page.wait_for(|message| message["type"] == "series" && is_it(&message["series"]))["series"].clone()
}

#[test]
fn the_limits_of_each_side_reach_its_engine() {
    let (board, mut page) = Board::start().with_page();
    let clock = json!({"kind": "clock", "main": 60, "byoyomi": 0, "increment": 2});
    for (black, white) in
        [(json!({"kind": "nodes", "nodes": 700}), depth(2)), (json!({"kind": "time", "time": 0.5}), clock)]
    {
        page.ask(json!({"type": "new", "black": engine(black), "white": engine(white)}));
        page.wait_for(|message| message["type"] == "thought" && message["side"] == "white");
    }
    let limits = board.limits();
    assert_eq!((limits[0].nodes, limits[0].depth, limits[0].movetime), (Some(700), None, None));
    assert_eq!((limits[1].nodes, limits[1].depth, limits[1].movetime), (None, Some(2), None));
    let second = limits.iter().position(|go| go.movetime.is_some()).expect("the second game began");
    assert_eq!(limits[second].movetime, Some(Duration::from_millis(500)));
    let clock = &limits[second + 1];
    assert_eq!((clock.wtime, clock.winc), (Some(Duration::from_secs(60)), Some(Duration::from_secs(2))));
    let header = board.page().study["header"].clone();
    assert_eq!(header["timeControl"], "movetime=500");
    for limit in [depth(0), json!({"kind": "nodes", "nodes": 0}), json!({"kind": "time", "time": 0})] {
        assert_eq!(
            page.refused(json!({"type": "new", "black": engine(limit), "white": engine(depth(1))})),
            "bad-clock"
        );
    }
}

#[test]
fn one_game_of_two_engines_begins_with_an_opening_too() {
    let (_board, mut page) = Board::start().with_page();
    page.ask(game(1));
    let study = page.wait("study");
    let opening = study["nodes"].as_array().unwrap().len() - 1;
    assert!(opening > 0 && study["cursor"] == opening, "{study}");
    // It is played from there.
    page.wait_for(|message| message["type"] == "node" && message["node"]["ply"] == opening + 1);
}

#[test]
fn what_engines_thought_of_a_game_is_not_shown_in_a_problem() {
    let (board, mut page) = Board::start().with_page();
    let sfen = "4k1/6/4G1/6/6/K5 b G 1";
    page.ask(json!({"type": "new", "sfen": sfen, "black": engine(depth(2)), "white": engine(depth(1))}));
    page.wait("thought");
    page.wait_for_result();
    page.ask(json!({"type": "problemNext", "plies": 3}));
    page.wait_for(|message| !message["problem"].is_null());
    // A page that comes is told of the problem alone.
    board.page().wait_for(|message| {
        assert_ne!(message["type"], "thought");
        message["type"] == "ready"
    });
}

#[test]
fn both_engines_say_what_they_think_of_the_move_they_are_at() {
    let (board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "new", "black": engine(depth(2)), "white": engine(depth(1))}));
    for (side, node) in [("black", 0), ("white", 1)] {
        let message = page.wait("thought");
        assert_eq!((&message["side"], &message["thought"]["cursor"]), (&json!(side), &json!(node)));
        let line = &message["thought"]["lines"][0];
        assert!(line["score"]["win"].is_number(), "{line}");
        assert!(!line["moves"].as_array().unwrap().is_empty());
        let node = page.wait_for(|message| message["type"] == "node" && message["node"]["ply"] == node + 1);
        assert_eq!(node["node"]["eval"], line["score"], "the record keeps it");
    }
    // A page that comes later is told, too.
    let mut other = board.page();
    assert_eq!(other.wait("thought")["side"], "black");
    // A person's opponent keeps it to itself.
    page.ask(json!({"type": "new", "black": {"kind": "human"}, "white": engine(depth(1))}));
    page.position = page.wait_for(|message| message["type"] == "position" && message["cursor"] == 0);
    page.play("6e6d");
    page.wait_for(|message| {
        assert_ne!(message["type"], "thought");
        message["game"]["waiting"] == "human"
    });
}

#[test]
fn a_series_has_the_elo_and_the_error_of_a_match_with_the_same_results() {
    const GAMES: usize = 20;
    let (board, mut page) = Board::start().with_page();
    page.ask(game(GAMES));
    let mut half_points = Vec::new();
    let mut openings = Vec::new();
    for number in 0..GAMES {
        let begun =
            page.wait_for(|message| message["type"] == "game" && message["game"]["waiting"] == "engine")["game"]
                .clone();
        let first = if number % 2 == 0 { "black" } else { "white" };
        assert_eq!(begun[first]["limit"], depth(3), "colours alternate");
        openings.push(begun["node"].clone());
        let over = page.wait_for(|message| message["type"] == "game" && !message["game"]["result"].is_null());
        half_points.push(match over["game"]["result"]["winner"].as_str() {
            Some(winner) => 2 * u32::from(winner == first),
            None => 1,
        });
        let told = series(&mut page, |series| !series.is_null());
        let played: u64 = ["wins", "draws", "losses"].iter().map(|name| told[name].as_u64().unwrap()).sum();
        assert_eq!(played as usize, number + 1);
        let mut pairs = Pentanomial::default();
        half_points.chunks_exact(2).for_each(|pair| pairs.add(pair.iter().sum()));
        // A few pairs, or pairs that all ended alike, say nothing about the strength.
        let estimate = pairs.estimate().filter(|estimate| estimate.has_interval() && estimate.elo_error.is_finite());
        assert_eq!(told["estimate"], json!(estimate.map(|estimate| estimate.to_string().replace('-', "−"))));
        assert_eq!(told["los"], json!(estimate.map(|estimate| estimate.los)));
        assert_eq!(told["running"], number + 1 < GAMES);
    }
    assert!(half_points.iter().any(|points| *points != half_points[0]), "the results vary: {half_points:?}");
    assert!(openings.chunks_exact(2).all(|pair| pair[0] == pair[1]));
    let told = series(&mut board.page(), |_| true);
    let kept = told["kept"].as_array().unwrap().clone();
    assert_eq!(kept.len(), GAMES);
    // Every game is in the library, and all of them make one file.
    let file = page.answer(json!({"type": "exportKept", "games": kept, "format": "pgn"}));
    let text = file["text"].as_str().unwrap();
    assert_eq!(text.matches("[Event ").count(), GAMES);
    assert_eq!(text.matches("[Result \"1/2-1/2\"]").count(), half_points.iter().filter(|points| **points == 1).count());
    assert!(text.contains("[Round \"10.2\"]") && text.contains("[WhiteTimeControl \"depth=1\"]"), "{text}");
}

#[test]
fn a_series_is_broken_off_and_keeps_its_score() {
    let (_board, mut page) = Board::start().with_page();
    page.ask(game(1000));
    let told = series(&mut page, |series| series["kept"].as_array().is_some_and(|kept| kept.len() >= 2));
    page.ask(json!({"type": "endgame"}));
    let over = series(&mut page, |series| series["running"] == false);
    assert_eq!((&over["wins"], &over["kept"]), (&told["wins"], &told["kept"]));
    // Its games stay; the score goes with the board.
    page.ask(json!({"type": "study"}));
    assert!(series(&mut page, |_| true).is_null());
    for wrong in [json!({"games": 0}), json!({"games": 1001}), json!({"adjudication": {"max_moves": 0}})] {
        let mut game = game(2);
        game.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        assert_eq!(page.refused(game), "bad-message");
    }
    let mut with_person = game(2);
    with_person["white"] = json!({"kind": "human"});
    assert_eq!(page.refused(with_person), "bad-message");
}

#[test]
fn a_series_goes_on_after_the_program_has_ended() {
    let mut board = Board::start();
    board.page().ask(game(6));
    let kept = |series: &Value| series["kept"].as_array().cloned().unwrap_or_default();
    let mut before = Vec::new();
    // Between two games, then while one is played.
    for is_played in [false, true] {
        let mut page = board.page();
        before = kept(&series(&mut page, |series| kept(series).len() > before.len()));
        if is_played {
            page.wait_for(|message| message["game"]["waiting"] == "engine");
        }
        board = Board::in_folder(board.kill(), &[]);
        let after = kept(&series(&mut board.page(), |_| true));
        assert!(after.starts_with(&before), "{before:?} became {after:?}");
    }
    let over = series(&mut board.page(), |series| series["running"] == false);
    let ids: HashSet<u64> = kept(&over).iter().filter_map(Value::as_u64).collect();
    let played: u64 = ["wins", "draws", "losses"].iter().map(|name| over[name].as_u64().unwrap()).sum();
    assert_eq!((kept(&over).len(), ids.len(), played), (6, 6, 6));
    // A series that is over keeps its score.
    let board = Board::in_folder(board.kill(), &[]);
    assert_eq!(series(&mut board.page(), |_| true), over);
}

#[test]
fn a_series_ends_when_an_engine_fails_before_its_first_move() {
    let board = Server::with(&["--engine", "cmd=/no/such/program,name=missing"]);
    let mut page = board.page();
    let seat = json!({"kind": "engine", "engine": 0});
    page.ask(json!({"type": "new", "black": seat, "white": seat, "games": 6}));
    let over = series(&mut page, |series| series["running"] == false);
    let played: u64 = ["wins", "draws", "losses"].iter().filter_map(|name| over[name].as_u64()).sum();
    assert_eq!(played, 1, "{over}");
}

#[test]
fn a_series_goes_on_where_it_is_put_back() {
    let mut board = Board::start();
    // From another study in this process, and from a file that the program was started with.
    for is_file in [false, true] {
        let mut page = board.page();
        page.ask(game(6));
        let begun = |series: &Value| series["running"] == true && series["kept"] != json!([]);
        let before = series(&mut page, begun);
        page.wait_for(|message| message["game"]["waiting"] == "engine");
        if is_file {
            let folder = board.kill();
            std::fs::write(folder.path().join("game.usi"), "position startpos moves 6e6d\n").unwrap();
            board = Board::in_folder(folder, &["game.usi"]);
            page = board.page();
            assert!(page.wait("series")["series"].is_null());
            page.wait("replaced");
        } else {
            page.ask(json!({"type": "study"}));
            page.wait("replaced");
        }
        page.ask(json!({"type": "putBack"}));
        let told = series(&mut page, |series| !series.is_null());
        let kept = |series: &Value| series["kept"].as_array().cloned().unwrap_or_default();
        assert!(kept(&told).starts_with(&kept(&before)) && told["running"] == true, "{before} {told}");
        let over = series(&mut page, |series| series["running"] == false);
        assert_eq!(kept(&over).len(), 6, "{over}");
    }
}

#[test]
fn a_series_waits_for_an_engine_that_is_missing() {
    let (board, mut page) = Board::with_engines(tempfile::tempdir().unwrap(), &[], &["one", "two"]).with_page();
    let seat = |engine: usize| json!({"kind": "engine", "engine": engine, "limit": depth(1)});
    page.ask(json!({"type": "new", "black": seat(0), "white": seat(1), "games": 4}));
    let before = series(&mut page, |series| series["kept"].as_array().is_some_and(|kept| !kept.is_empty()));
    let (board, mut page) = Board::with_engines(board.kill(), &[], &["one", "three"]).with_page();
    let waiting = series(&mut page, |_| true);
    assert_eq!((&waiting["names"], &waiting["running"]), (&before["names"], &json!(true)));
    let is_missing = |seat: &Value| seat["program"] == "two" && seat["engine"].is_null();
    page.wait_for(|message| ["black", "white"].iter().any(|side| is_missing(&message["game"][side])));
    let board = Board::with_engines(board.kill(), &[], &["two", "one"]);
    let over = series(&mut board.page(), |series| series["running"] == false);
    assert_eq!((&over["names"], over["kept"].as_array().map(Vec::len)), (&before["names"], Some(4)));
}
