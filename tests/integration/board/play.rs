//! Games against engines, and mate problems.

use std::time::Duration;

use judkins::shogi::Position;
use serde_json::{Value, json};

use super::page::{Page, moves};
use super::state::{Board, Folder};

fn human() -> Value {
    json!({"kind": "human", "name": "me"})
}

fn engine(level: u32) -> Value {
    json!({"kind": "engine", "name": "", "engine": 0, "level": level})
}

#[test]
fn the_engine_answers_and_moves_are_taken_back() {
    let (board, mut page) = Board::start().with_page();
    let game = page.begin(json!({"black": human(), "white": engine(3), "impasseRule": "Try"}));
    assert_eq!((&game["waiting"], &game["clocks"]), (&json!("human"), &Value::Null));
    page.play("6e6d");
    let answer = page.wait_for(|message| message["type"] == "position" && message["side"] == "black");
    assert_eq!(answer["sfen"].as_str().unwrap().split(' ').next_back(), Some("3"));
    page.wait_for(|message| message["game"]["waiting"] == "human");
    assert_eq!(page.refused(json!({"type": "play", "node": 0, "move": "5f5e"})), "not-your-turn");
    page.ask(json!({"type": "takeback"}));
    let game = page.wait_for(|message| message["type"] == "game" && message["game"]["node"] == 0);
    assert_eq!(game["game"]["waiting"], "human");
    assert!(moves(&board.page().study).is_empty());
    let over = page.resign();
    let why = json!({"key": "reason.resignation"});
    let text = json!({"key": "end.won.why", "args": {"winner": {"key": "white"}, "why": why}});
    assert_eq!(over["game"]["result"]["text"], text);
    assert_eq!(over["game"]["suggestion"]["level"], 2);
    assert_eq!(page.refused(json!({"type": "takeback"})), "no-game");
    page.ask(json!({"type": "rematch"}));
    let again = page.ask(json!({"type": "rematch"}));
    let game = page.wait_for(|message| message["type"] == "game" && message["game"]["black"]["kind"] == "engine");
    assert_eq!(game["game"]["result"], Value::Null);
    let id = page.ask(json!({"type": "openGame", "game": 9}));
    let error = page.wait("error");
    assert_eq!(error["id"], id, "the second click, {again}, is passed over");
    page.wait_for(|message| message["game"]["waiting"] == "human");
}

#[test]
fn who_runs_out_of_time_loses() {
    let (board, mut page) = Board::start().with_page();
    let clock = json!({"main": 0.4, "byoyomi": 0, "increment": 0});
    let game = page.begin(json!({"black": human(), "white": engine(0), "clock": clock}));
    assert_eq!(game["running"], "black");
    assert_eq!(board.page().study["header"]["timeControl"], "0.4 s");
    assert!(game["clocks"]["black"]["main"].as_u64().unwrap() <= 400);
    let over = page.wait_for_result();
    assert_eq!(over["game"]["result"]["reason"], "time");
    assert_eq!(over["game"]["result"]["winner"], "white");
}

/// A move that came together with the end of the time, or just after it, used to be played after the end of the game,
/// which then had no result.
#[test]
fn a_move_that_comes_too_late_is_refused() {
    let (board, mut page) = Board::start().with_page();
    let clock = json!({"main": 1, "byoyomi": 0, "increment": 0});
    for is_noticed in [false, true] {
        page.begin(json!({"black": human(), "white": human(), "clock": clock}));
        board.advance(Duration::from_secs(2));
        if is_noticed {
            board.tick();
        }
        let late = json!({"type": "play", "node": 0, "move": "6e6d"});
        assert_eq!(page.refused(late.clone()), "game-over");
        let header = board.page().study["header"].clone();
        assert_eq!((&header["result"], &header["reason"]), (&json!("0-1"), &json!("time")), "{header}");
        // Later it is a move of the study.
        board.advance(Duration::from_secs(1));
        page.ask(late);
        page.wait_for(|message| message["type"] == "position" && message["side"] == "white");
    }
}

#[test]
fn an_engine_without_time_gets_a_margin_once() {
    let (_board, mut page) = Board::start().with_page();
    // The tests' engine takes 100 ms a move.
    let clock = json!({"main": 0.3, "byoyomi": 0, "increment": 0});
    let bare = "5k/6/6/6/6/K5 b P 1";
    page.begin(json!({"black": human(), "white": engine(20), "clock": clock, "sfen": bare}));
    for _ in 0..20 {
        let mv = page.position["legal"][0].as_str().unwrap_or_else(|| panic!("{}", page.position)).to_owned();
        page.play(&mv);
        let next = page.wait_for(|message| {
            !message["game"]["result"].is_null() || message["type"] == "position" && message["side"] == "black"
        });
        if next["type"] == "game" {
            assert_eq!(
                (&next["game"]["result"]["reason"], &next["game"]["result"]["winner"]),
                (&json!("time"), &json!("black"))
            );
            return;
        }
        page.position = next;
    }
    panic!("the engine plays on without time");
}

/// A moment in which the clock runs.
const THOUGHT: Duration = Duration::from_millis(20);

#[test]
fn the_end_of_a_game_takes_time_from_who_was_to_move_alone() {
    let (board, mut page) = Board::start().with_page();
    let clock = json!({"main": 100, "byoyomi": 0, "increment": 0});
    let mate_in_one = "4k1/6/4G1/6/6/K5 b G 1";
    page.begin(json!({"black": human(), "white": human(), "clock": clock, "sfen": mate_in_one}));
    board.advance(THOUGHT);
    page.play("G*2b");
    let over = page.wait_for_result();
    let left = |color: &str| over["game"]["clocks"][color]["main"].as_u64().unwrap();
    assert!(left("black") <= 99_980 && left("white") == 100_000, "{}", over["game"]["clocks"]);
    page.begin(json!({"black": human(), "white": human(), "clock": clock}));
    board.advance(THOUGHT);
    let over = page.resign();
    let left = |color: &str| over["game"]["clocks"][color]["main"].as_u64().unwrap();
    assert!(left("black") <= 99_980 && left("white") == 100_000, "{}", over["game"]["clocks"]);
}

#[test]
fn what_is_taken_back_gives_no_time() {
    let (_board, mut page) = Board::start().with_page();
    let clock = json!({"main": 0, "byoyomi": 0, "increment": 30});
    for is_put_back in [false, true] {
        let game = page.begin(json!({"black": human(), "white": human(), "clock": clock}));
        assert!(
            (29_000..=30_000).contains(&game["clocks"]["black"]["main"].as_u64().unwrap()),
            "the first move has some: {game}"
        );
        for mv in ["6e6d", "1b1c"] {
            page.play(mv);
        }
        if is_put_back {
            page.ask(json!({"type": "study"}));
            page.wait_for(|message| message["type"] == "game" && message["game"].is_null());
            page.ask(json!({"type": "putBack"}));
            page.wait_for(|message| message["type"] == "game" && message["game"].is_object());
        }
        page.ask(json!({"type": "takeback"}));
        page.ask(json!({"type": "takeback"}));
        let game = page.wait_for(|message| message["type"] == "game" && message["game"]["node"] == 0);
        for side in ["black", "white"] {
            assert!(game["game"]["clocks"][side]["main"].as_u64().unwrap() <= 30_000, "{game}");
        }
    }
}

#[test]
fn handicaps_declarations_and_hints() {
    let (_board, mut page) = Board::start().with_page();
    let game =
        page.begin(json!({"black": human(), "white": human(), "handicap": "two-pieces", "impasseRule": "Declaration"}));
    assert_eq!(game["toMove"], "white");
    let id = page.ask(json!({"type": "hint"}));
    let hint = page.wait("hint");
    assert_eq!(hint["id"], id);
    assert!(page.position["legal"].as_array().unwrap().contains(&hint["move"]));
    page.ask(json!({"type": "declare"}));
    let over = page.wait_for_result();
    assert_eq!(over["game"]["result"]["reason"], "wrong-declaration");
}

#[test]
fn a_hint_that_was_asked_for_on_another_board_is_forgotten() {
    let (_board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "hint"}));
    page.begin_of_two_people();
    let id = page.ask(json!({"type": "hint"}));
    let answer = page.wait_for(|message| ["hint", "error"].iter().any(|kind| message["type"] == *kind));
    assert_eq!((&answer["type"], &answer["id"]), (&json!("hint"), &json!(id)));
}

#[test]
fn a_game_goes_on_after_the_board_was_killed() {
    let (board, mut page) = Board::start().with_page();
    page.begin(json!({"black": human(), "white": engine(2), "clock": {"main": 600, "byoyomi": 10}}));
    page.play("1f1e");
    page.position = page.wait_for(|message| message["type"] == "position" && message["side"] == "black");
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    let game = page.wait("game");
    assert_eq!((&game["game"]["waiting"], &game["game"]["white"]["level"]), (&json!("human"), &json!(2)));
    let left = game["game"]["clocks"]["black"]["main"].as_u64().unwrap();
    assert!((500_000..=600_000).contains(&left), "{left}");
    let before = page.position["sfen"].clone();
    let mv = page.position["legal"][0].as_str().unwrap().to_owned();
    page.play(&mv);
    page.wait_for(|message| message["type"] == "position" && message["side"] == "black" && message["sfen"] != before);
}

/// A board in the browser ends with its page, and is not told.
#[test]
fn a_running_clock_is_stored_without_a_move() {
    let (board, mut page) = Board::start().with_page();
    page.begin(json!({"black": human(), "white": engine(2), "clock": {"main": 600, "byoyomi": 0}}));
    board.advance(Duration::from_secs(60));
    board.tick();
    let board = Board::in_folder(board.kill(), &[]);
    let game = board.page().wait("game");
    let left = game["game"]["clocks"]["black"]["main"].as_u64().unwrap();
    assert!((539_000..=540_000).contains(&left), "{left}");
}

#[test]
fn the_clock_of_a_person_stands_while_no_page_is_open_after_a_start() {
    let (board, mut page) = Board::start().with_page();
    page.begin(json!({"black": human(), "white": engine(2), "clock": {"main": 600, "byoyomi": 0}}));
    let left = |page: &mut Page| {
        let game = page.wait("game");
        game["game"]["clocks"]["black"]["main"].as_u64().expect("it has a clock")
    };
    // The library has the game when its last page goes. What is thought after that counts as well.
    drop(page);
    let page = board.page();
    board.advance(Duration::from_secs(300));
    drop(page);
    let board = Board::in_folder(board.kill(), &[]);
    board.advance(Duration::from_secs(3_600));
    board.tick();
    let mut page = board.page();
    let after_start = left(&mut page);
    assert!((299_000..=300_000).contains(&after_start), "{after_start}");
    board.advance(Duration::from_secs(60));
    assert!((239_000..=240_000).contains(&left(&mut board.page())));
    // The engine answers before a page has come.
    page.play("6e6d");
    let board = Board::in_folder(board.kill(), &[]);
    board.work();
    board.advance(Duration::from_secs(3_600));
    board.tick();
    let mut page = board.page();
    let game = page.wait("game");
    assert_eq!((&game["game"]["waiting"], &game["game"]["result"]), (&json!("human"), &Value::Null), "{game}");
    assert!((239_000..=240_000).contains(&game["game"]["clocks"]["black"]["main"].as_u64().unwrap()), "{game}");
}

#[test]
fn a_game_on_an_impossible_clock_does_not_keep_the_board_from_starting() {
    let (board, mut page) = Board::start().with_page();
    page.begin(json!({"black": human(), "white": human(), "clock": {"main": 600, "byoyomi": 10}}));
    page.play("1f1e");
    let mut folder = board.kill();
    let path = folder.path().join("judkins/study.json");
    let kept: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    for (pointer, value, is_played) in
        [("/game/setting/clock/byoyomi", json!(1.8e19), false), ("/game/left/1", json!(u64::MAX), true)]
    {
        let mut session = kept.clone();
        *session.pointer_mut(pointer).unwrap() = value;
        std::fs::write(folder.path().join("judkins/study.json"), session.to_string()).unwrap();
        let (board, mut page) = Board::in_folder(folder, &[]).with_page();
        assert_eq!(page.position["last"], "1f1e");
        assert_eq!(page.wait("game")["game"].is_object(), is_played, "{pointer}");
        folder = board.kill();
    }
}

#[test]
fn a_game_goes_on_after_a_file_was_looked_at() {
    let (board, mut page) = Board::start().with_page();
    page.begin(json!({"black": human(), "white": human(), "clock": {"main": 600, "byoyomi": 10}}));
    page.play("1f1e");
    let folder = board.kill();
    std::fs::write(folder.path().join("other.usi"), "startpos moves 6e6d\n").unwrap();
    let (board, mut page) = Board::in_folder(folder, &["other.usi"]).with_page();
    page.wait("replaced");
    page.go_to(1);
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    assert_eq!(page.position["last"], "1f1e");
    assert_eq!(page.wait("game")["game"]["running"], "white");
}

#[test]
fn problems_are_solved_failed_and_shown() {
    let (board, mut page) = Board::start().with_page();
    page.play("6e6d");
    page.ask(json!({"type": "problemNext", "plies": 3, "number": 1}));
    let problem = page.wait_for(|message| !message["problem"].is_null())["problem"].clone();
    assert_eq!((&problem["number"], &problem["of"], &problem["state"]), (&json!(1), &json!(25), &json!("playing")));
    assert_eq!(page.refused(json!({"type": "analyse", "on": true, "engine": 0, "lines": 1})), "in-problem");
    // Hints are the solution, against which the defender holds out as long as he can.
    for _ in 0..2 {
        page.follow_hint();
        page.wait_for(|message| message["type"] == "problem");
    }
    let position = board.page().position;
    assert_eq!(position["result"]["reason"], "checkmate");
    page.ask(json!({"type": "problemShow"}));
    page.wait_for(|message| message["problem"]["state"] == "shown");
    let (study, position) = board.page().state();
    assert_eq!((moves(&study).len(), &position["cursor"]), (3, &json!(1)));
    // It is tried again after the program has ended.
    let (board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    let problem = page.wait_for(|message| message["problem"]["plies"] == 3);
    assert_eq!((&problem["problem"]["state"], moves(&page.study).len()), (&json!("playing"), 0));
    page.ask(json!({"type": "problemLeave"}));
    page.wait_for(|message| message["type"] == "problem" && message["problem"].is_null());
    assert_eq!(moves(&board.page().study), ["6e6d"]);
}

/// After another first move that mates in time, the stored solution is no help.
#[test]
fn hints_mate_after_another_right_move() {
    let (_board, mut page) = Board::start().with_page();
    let mut others = 0;
    for (plies, number) in [3, 5].into_iter().flat_map(|plies| (1..=25).map(move |number| (plies, number))) {
        let begin = |page: &mut Page| {
            page.ask(json!({"type": "problemNext", "plies": plies, "number": number}));
            page.wait_for(|message| message["problem"]["number"] == number && message["problem"]["plies"] == plies)
        };
        let problem = begin(&mut page);
        let position: Position = problem["problem"]["sfen"].as_str().unwrap().parse().unwrap();
        page.ask(json!({"type": "hint"}));
        let stored = page.wait("hint")["move"].as_str().unwrap().to_owned();
        for mv in position.legal_moves() {
            if mv.to_string() == stored || !position.after(mv).in_check() {
                continue;
            }
            begin(&mut page);
            page.ask(json!({"type": "problemMove", "node": 0, "move": mv.to_string()}));
            let mut problem = page.wait("problem");
            if problem["problem"]["state"] != "playing" {
                continue;
            }
            while problem["problem"]["state"] == "playing" {
                page.follow_hint();
                problem = page.wait("problem");
            }
            assert_eq!(problem["problem"]["state"], "solved", "{position} {mv}: {problem}");
            others += 1;
        }
    }
    assert!(others > 5, "{others}");
}

#[test]
fn a_problem_waits_until_the_game_is_over() {
    let (_board, mut page) = Board::start().with_page();
    let clock = json!({"main": 100, "byoyomi": 0, "increment": 0});
    page.begin(json!({"black": human(), "white": engine(0), "clock": clock}));
    page.play("6e6d");
    assert_eq!(page.refused(json!({"type": "problemNext", "plies": 1})), "in-game");
    page.wait_for(|message| message["type"] == "position" && message["side"] == "black");
}

#[test]
fn a_problem_is_tried_again_from_an_earlier_place() {
    let (board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "problemNext", "plies": 3, "number": 1}));
    page.wait_for(|message| !message["problem"].is_null());
    page.ask(json!({"type": "hint"}));
    let first = page.wait("hint")["move"].clone();
    let attempt = json!({"type": "problemMove", "node": 0, "move": first});
    page.ask(attempt.clone());
    page.wait_for(|message| message["type"] == "problem");
    // It is the defender's turn after the first move.
    let defence = json!({"type": "problemMove", "node": 1, "move": first});
    assert_eq!(page.refused(defence), "not-your-turn");
    assert_eq!(page.refused(json!({"type": "delete", "node": 1})), "in-problem");
    page.ask(json!({"type": "goto", "node": 0}));
    page.ask(attempt);
    let problem = page.wait_for(|message| message["type"] == "problem");
    assert_eq!(problem["problem"]["text"], json!({"key": "problem.right", "args": {"plies": 1}}));
    page.follow_hint();
    page.wait_for(|message| message["problem"]["state"] == "solved");
    assert_eq!(moves(&board.page().study).len(), 3);
}

#[test]
fn solved_problems_are_counted_and_kept() {
    let (board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "problemNext", "plies": 1, "number": 1}));
    page.follow_hint();
    let solved = json!({"plies": 1, "count": 25, "solved": 1});
    assert_eq!(page.wait("hello")["problems"][0], solved);
    page.wait_for(|message| message["problem"]["state"] == "solved");
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    assert_eq!(page.hello["problems"][0], solved);
    page.ask(json!({"type": "problemNext", "plies": 1}));
    page.wait_for(|message| message["problem"]["number"] == 2);
}

#[test]
fn threats_are_not_shown_during_a_game() {
    let (board, mut page) = Board::start().with_page();
    assert_eq!(page.position["showsThreats"], false);
    page.ask(json!({"type": "threats", "on": true}));
    page.wait_for(|message| message["type"] == "position" && !message["threats"].is_null());
    assert_eq!(board.page().position["showsThreats"], true);
    page.begin_of_two_people();
    assert_eq!(page.position["showsThreats"], false);
    assert_eq!(page.refused(json!({"type": "threats", "on": true})), "in-game");
}

#[test]
fn a_game_that_was_replaced_is_put_back_and_goes_on() {
    let (_board, mut page) = Board::start().with_page();
    let clock = json!({"main": 100, "byoyomi": 0, "increment": 0});
    page.begin(json!({"black": human(), "white": engine(0), "clock": clock}));
    page.play("6e6d");
    let position = page.wait_for(|message| message["type"] == "position" && message["side"] == "black");
    page.ask(json!({"type": "setPosition", "sfen": "5k/6/6/6/6/K5 b - 1"}));
    page.wait_for(|message| message["type"] == "game" && message["game"].is_null());
    page.wait("replaced");
    page.ask(json!({"type": "putBack"}));
    page.position = page.wait_for(|message| message["type"] == "position" && message["sfen"] == position["sfen"]);
    let game = page.wait_for(|message| message["game"]["waiting"] == "human");
    assert!((90_000..100_000).contains(&game["game"]["clocks"]["black"]["main"].as_u64().unwrap()), "{game}");
    let mv = page.position["legal"][0].as_str().unwrap().to_owned();
    page.play(&mv);
    page.wait_for(|message| message["game"]["waiting"] == "human");
}

#[test]
fn a_game_goes_on_with_its_own_engine_or_waits_for_it() {
    let mut folder = Folder::from(tempfile::tempdir().unwrap());
    let start = |folder: Folder, engines: &[&str]| Board::with_engines(folder, &[], engines);
    let (board, mut page) = start(folder, &["strong", "weak"]).with_page();
    let engine = json!({"kind": "engine", "engine": 1, "level": 3});
    page.begin(json!({"black": human(), "white": engine}));
    folder = board.kill();
    let game = |page: &mut Page| page.wait("game")["game"]["white"].clone();
    // Another order, then another engine in its place.
    let board = start(folder, &["weak", "strong"]);
    assert_eq!(game(&mut board.page())["engine"], 0);
    folder = board.kill();
    let (board, mut page) = start(folder, &["strong", "other"]).with_page();
    let seat = game(&mut page);
    assert_eq!((&seat["engine"], &seat["program"]), (&Value::Null, &json!("weak")));
    page.play("6e6d");
    folder = board.kill();
    // It moves as soon as it is there again.
    let (board, mut page) = start(folder, &["other", "weak"]).with_page();
    assert_eq!(game(&mut page)["engine"], 1);
    page.wait_for(|message| message["game"]["waiting"] == "human");
    assert_eq!(moves(&board.page().study).len(), 2);
}

#[test]
fn a_game_whose_engine_is_missing_can_be_ended_and_is_not_played_again_by_another_one() {
    let (board, mut page) = Board::with_engines(tempfile::tempdir().unwrap(), &[], &["weak"]).with_page();
    page.begin(json!({"black": human(), "white": engine(3)}));
    let (_board, mut page) = Board::with_engines(board.kill(), &[], &["other"]).with_page();
    page.resign();
    assert_eq!(page.refused(json!({"type": "rematch"})), "no-such-engine");
}
