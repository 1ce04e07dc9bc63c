//! Lessons, and problems that the page solves and keeps.

use std::collections::HashSet;
use std::fs;

use serde_json::{Value, json};

use super::page::{Page, encoded};
use super::state::Board;
use crate::common::run;

fn task_of(page: &mut Page) -> Value {
    page.wait_for(|message| message["type"] == "problem" && !message["problem"]["lesson"].is_null())["problem"].clone()
}

fn hello_after(page: &mut Page, id: &str) -> Value {
    let hello = page.wait("hello");
    lesson_of(&hello, id)
}

fn lesson_of(hello: &Value, id: &str) -> Value {
    let lessons = hello["lessons"].as_array().expect("there are lessons");
    lessons.iter().find(|lesson| lesson["id"] == id).expect("it is one of them").clone()
}

#[test]
fn a_task_is_done_by_the_right_move_and_kept() {
    let (board, mut page) = Board::start().with_page();
    page.play("6e6d");
    page.ask(json!({"type": "lesson", "lesson": "king"}));
    let task = task_of(&mut page);
    assert_eq!((&task["state"], &task["lesson"]["marks"]), (&json!("playing"), &json!(["3e"])));
    assert_eq!(page.refused(json!({"type": "problemMove", "node": 0, "move": "4f4e"})), "wrong-move");
    assert_eq!(page.refused(json!({"type": "problemMove", "node": 0, "move": "4f4d"})), "illegal-move");
    assert_eq!(page.refused(json!({"type": "analyse", "on": true, "engine": 0, "lines": 1})), "in-problem");
    page.ask(json!({"type": "problemMove", "node": 0, "move": "4f3e"}));
    assert_eq!(hello_after(&mut page, "king")["done"], json!([0]));
    assert_eq!(task_of(&mut page)["state"], "solved");
    // The other side passes, until both squares were visited.
    page.ask(json!({"type": "lesson", "lesson": "king", "task": 1}));
    assert_eq!(task_of(&mut page)["lesson"]["marks"], json!(["2d", "2f"]));
    page.ask(json!({"type": "problemMove", "node": 0, "move": "4f3f"}));
    assert_eq!(task_of(&mut page)["lesson"]["marks"], json!(["2d", "2f"]));
    page.ask(json!({"type": "problemMove", "node": 0, "move": "3f4f"}));
    let far = task_of(&mut page)["text"].clone();
    assert_eq!((&far["key"], &far["args"]["left"]), (&json!("lesson.far"), &json!(2)));
    // A hint replaces the text about a wrong move.
    page.ask(json!({"type": "hint"}));
    let hinted = task_of(&mut page);
    assert_eq!((&hinted["text"]["args"]["text"], hinted["lesson"]["hint"].is_null()), (&json!(""), false));
    page.ask(json!({"type": "problemMove", "node": 0, "move": "3f2f"}));
    let task = task_of(&mut page);
    assert_eq!((&task["lesson"]["marks"], &task["text"]["key"]), (&json!(["2d"]), &json!("lesson.goOn")));
    // The task begins again after the program has ended.
    let (board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    assert_eq!(task_of(&mut page)["lesson"]["marks"], json!(["2d", "2f"]));
    page.ask(json!({"type": "problemLeave"}));
    page.wait_for(|message| message["type"] == "position" && message["last"] == "6e6d");
    let (_board, page) = Board::in_folder(board.kill(), &[]).with_page();
    assert_eq!(lesson_of(&page.hello, "king")["done"], json!([0]));
    assert_eq!(page.position["last"], "6e6d");
}

#[test]
fn a_task_after_moves_is_tried_at_their_end() {
    let (_board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "lesson", "lesson": "repetition"}));
    task_of(&mut page);
    page.ask(json!({"type": "goto", "node": 2}));
    assert_eq!(page.refused(json!({"type": "problemMove", "node": 2, "move": "6f6e"})), "looking-back");
    page.ask(json!({"type": "problemMove", "node": 12, "move": "6e6f"}));
    assert_eq!(task_of(&mut page)["state"], "solved");
}

#[test]
fn hints_lead_through_all_lessons() {
    let (board, mut page) = Board::start().with_page();
    for lesson in page.hello["lessons"].as_array().unwrap().clone() {
        if !lesson["games"][0].is_null() {
            continue;
        }
        for task in 0..lesson["tasks"].as_u64().unwrap() {
            page.ask(json!({"type": "lesson", "lesson": lesson["id"], "task": task}));
            let mut view = task_of(&mut page);
            while view["state"] == "playing" {
                page.follow_hint();
                view = task_of(&mut page);
                assert_eq!(view["lesson"]["task"], task, "{lesson}");
                assert_eq!(view["lesson"]["wrong"], Value::Null, "{lesson} {task}");
            }
        }
        let done = lesson_of(&board.page().hello, lesson["id"].as_str().unwrap())["done"].clone();
        assert_eq!(done.as_array().unwrap().len() as u64, lesson["tasks"], "{lesson}");
    }
}

#[test]
fn a_wrong_move_of_a_long_mate_is_taken_back_with_the_reply() {
    let sfen = "4k1/3+r1p/2R3/P1B3/KG2s1/3b2 b GSNn 49";
    let text = format!(
        "[[lesson]]\nid = 'mine'\ntitle = 'Mine'\n[[lesson.task]]\ntext = 'Mate.'\nsfen = '{sfen}'\ngoal.mate = 3\n\
         solution = '4c4a+ 3b4a G*2b'\nwrong.'G*' = {{ en = 'Keep the gold.', ja = '金を残しましょう。' }}\n"
    );
    let (board, mut page) = Board::of_file("mine.toml", text).with_page();
    // The file's lessons come first, and its first task is on the board.
    assert_eq!(page.hello["lessons"][0]["title"], "Mine");
    let task = task_of(&mut page);
    assert_eq!(task["sfen"], sfen);
    page.ask(json!({"type": "problemMove", "node": 0, "move": "G*2b"}));
    let task = task_of(&mut page);
    assert_eq!(task["state"], "playing");
    assert_eq!(task["lesson"]["wrong"]["en"], "Keep the gold.");
    assert_eq!(task["text"]["key"], "lesson.taken");
    assert_eq!(board.page().position["sfen"], sfen);
    for _ in 0..2 {
        page.follow_hint();
        task_of(&mut page);
    }
    assert_eq!(board.page().position["result"]["reason"], "checkmate");
}

#[test]
fn lessons_of_a_page_are_read_or_refused_with_the_place() {
    let (_board, mut page) = Board::start().with_page();
    let open = |text: &str| json!({"type": "open", "name": "a.toml", "data": encoded(text)});
    let head =
        "[[lesson]]\nid = \"king\"\ntitle = \"K\"\n[[lesson.task]]\ntext = \"T\"\nsfen = \"k5/6/6/6/6/5K b - 1\"\n";
    assert_eq!(page.refused(open(&format!("{head}goal.visit = [\"1a\"]"))), "bad-lessons");
    let count = page.hello["lessons"].as_array().unwrap().len();
    page.ask(json!({"type": "lesson", "lesson": "king"}));
    page.ask(json!({"type": "problemMove", "node": 0, "move": "4f3e"}));
    assert_eq!(hello_after(&mut page, "king")["done"], json!([0]));
    page.ask(open(&format!("{head}goal.visit = [\"1e\"]")));
    let hello = page.wait("hello");
    // One with the same name takes the place of the program's.
    assert_eq!((&hello["lessons"][0]["title"], hello["lessons"].as_array().unwrap().len()), (&json!("K"), count));
    assert_eq!(hello["lessons"][0]["done"], json!([]));
    page.ask(json!({"type": "problemMove", "node": 0, "move": "1f1e"}));
    assert_eq!(hello_after(&mut page, "king")["done"], json!([0]));
    // The same again stays done. While a game is played, it is said that lessons have come.
    page.begin_of_two_people();
    page.ask(open(&format!("{head}goal.visit = [\"1e\"]")));
    let notice = page.wait("notice");
    assert_eq!(notice["text"], json!({"key": "lessons.added", "args": {"count": 1}}));
    assert_eq!(hello_after(&mut page, "king")["done"], json!([0]));
}

#[test]
fn completed_tasks_belong_to_the_content_of_a_lesson() {
    let lesson = |square: &str| {
        format!(
            "[[lesson]]\nid = 'king'\ntitle = 'K'\n[[lesson.task]]\ntext = 'T'\nsfen = 'k5/6/6/6/6/5K b - 1'\n\
             goal.visit = ['{square}']\n"
        )
    };
    let (board, mut page) = Board::of_file("mine.toml", lesson("1e")).with_page();
    let path = board.folder.path().join("mine.toml");
    page.ask(json!({"type": "problemMove", "node": 0, "move": "1f1e"}));
    assert_eq!(hello_after(&mut page, "king")["done"], json!([0]));
    // It stays without the file, until it is removed. Then the program's lesson of that name is back.
    let (board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    assert_eq!(lesson_of(&page.hello, "king")["opened"], true);
    assert_eq!(lesson_of(&page.hello, "king")["done"], json!([0]));
    let remove = json!({"type": "lessonRemove", "lesson": "king"});
    page.ask(remove.clone());
    let king = hello_after(&mut page, "king");
    assert_eq!((&king["opened"], &king["done"]), (&json!(false), &json!([])));
    assert_eq!(page.refused(remove), "no-such-lesson");
    let board = Board::in_folder(board.kill(), &[]);
    assert_eq!(lesson_of(&board.page().hello, "king")["opened"], false);
    let board = Board::in_folder(board.kill(), &["mine.toml"]);
    assert_eq!(lesson_of(&board.page().hello, "king")["done"], json!([0]));
    fs::write(&path, lesson("2e")).unwrap();
    let board = Board::in_folder(board.kill(), &["mine.toml"]);
    assert_eq!(lesson_of(&board.page().hello, "king")["done"], json!([]));
}

#[test]
fn lessons_keep_their_problems_when_others_are_loaded() {
    let (_board, mut page) = Board::start().with_page();
    let lesson = json!({"type": "lesson", "lesson": "mate1"});
    page.ask(lesson.clone());
    let sfen = task_of(&mut page)["sfen"].clone();
    let set = "4k1/6/4G1/6/6/6 b G 1; mate 1; G*2b\n\n# a comment\nnonsense\n";
    page.ask(json!({"type": "problemSet", "name": "own.txt", "data": encoded(set)}));
    assert_eq!(page.wait("notice")["text"], json!({"key": "problem.unread", "args": {"count": 1, "line": 4}}));
    page.wait_for(|message| message["problem"]["of"] == 1 && message["problem"]["lesson"].is_null());
    page.ask(lesson);
    assert_eq!(task_of(&mut page)["sfen"], sfen);
}

#[test]
fn problems_of_a_file_stand_beside_those_of_the_program_and_stay() {
    let set = "# mine\n4k1/6/4G1/6/6/6 b G 1; mate 1; G*2b\n4rk/2+S2p/3+b2/1g3B/P1R3/1KS3 w g2n 66; mate 1; G*6f\n";
    let sets = |hello: &Value| hello["problems"].as_array().unwrap().clone();
    let own =
        |hello: &Value| sets(hello).iter().find(|set| set["plies"] == 0).map_or(json!(0), |set| set["count"].clone());
    let (board, mut page) = Board::of_file("mine.txt", set).with_page();
    let before = sets(&page.hello).len();
    // The position with its answer is no game, neither in a file nor pasted.
    let task = page.wait_for(|message| !message["problem"].is_null())["problem"].clone();
    assert_eq!((&task["set"], &task["number"]), (&json!(0), &json!(1)));
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    assert!(sets(&page.hello).len() >= before && own(&page.hello) == json!(2), "{}", page.hello["problems"]);
    page.ask(json!({"type": "paste", "text": "R3pk/5s/S1g3/6/K1+b1+r1/4G1 w Nbnp 56; mate 1"}));
    let task = page.wait_for(|message| message["problem"]["number"] == 3 || message["type"] == "error");
    assert_eq!(task["problem"]["set"], 0, "{task}");
}

#[test]
fn a_game_won_against_the_level_is_the_last_lesson() {
    let (_board, mut page) = Board::start().with_page();
    let seats = |level: u32| {
        let (human, engine) = (json!({"kind": "human"}), json!({"kind": "engine", "engine": 0, "level": level}));
        json!({"type": "new", "sfen": "5k/6/4G1/6/6/K5 b G 1", "black": human, "white": engine})
    };
    assert_eq!(lesson_of(&page.hello, "game")["games"], json!([0]));
    page.ask(seats(0));
    page.wait_for(|message| message["type"] == "position" && message["sfen"] == "5k/6/4G1/6/6/K5 b G 1");
    page.ask(json!({"type": "play", "node": 0, "move": "G*1b"}));
    assert_eq!(hello_after(&mut page, "game")["done"], json!([0]));
}

#[test]
fn problem_positions_are_accepted_solved_kept_and_deleted() {
    let (board, mut page) = Board::start().with_page();
    for (sfen, kingless) in [("4k1/6/4G1/6/6/6 b G 1", true), ("4k1/6/4G1/6/6/K5 b G 1", false)] {
        let verdict = page.answer(json!({"type": "edit", "sfen": sfen}));
        assert_eq!((&verdict["kingless"], &verdict["problems"]), (&json!(kingless), &json!([])));
    }
    let verdict = page.answer(json!({"type": "edit", "sfen": "4k1/6/4G1/6/6/6 w G 1"}));
    assert_eq!(verdict["problems"][0]["key"], "invalid.noKing");

    assert_eq!(page.refused(json!({"type": "solveKeep"})), "not-solved");
    let sfen = "4k1/6/4G1/6/6/6 b G 1";
    page.ask(json!({"type": "solve", "sfen": sfen}));
    assert_eq!(page.wait_for(|message| !message["solve"].is_null())["solve"]["state"], "running");
    let solve = page.wait_for(|message| message["solve"]["state"] == "mate")["solve"].clone();
    assert_eq!((&solve["plies"], &solve["unique"], &solve["text"]["usi"]), (&json!(1), &json!(true), &json!(["G*2b"])));
    page.ask(json!({"type": "solveKeep"}));
    let own = |hello: &Value| hello["problems"].as_array().unwrap().iter().find(|set| set["plies"] == 0).cloned();
    assert_eq!(own(&page.wait("hello")).unwrap()["count"], 1);
    // A file of others takes the place of the program's, and not of these.
    let (_board, mut page) = Board::in_folder(board.kill(), &[]).with_page();
    assert_eq!(own(&page.hello).unwrap()["count"], 1);
    page.ask(json!({"type": "problemNext", "plies": 0}));
    let problem = page.wait_for(|message| !message["problem"].is_null())["problem"].clone();
    assert_eq!((&problem["set"], &problem["plies"], &problem["sfen"]), (&json!(0), &json!(1), &json!(sfen)));
    page.ask(json!({"type": "problemMove", "node": 0, "move": "G*2b"}));
    assert_eq!(own(&page.wait("hello")).unwrap()["solved"], 1);
    assert_eq!(page.refused(json!({"type": "problemDrop", "number": 2})), "no-such-problem");
    page.ask(json!({"type": "problemDrop", "number": 1}));
    page.wait_for(|message| message["type"] == "problem" && message["problem"].is_null());
    assert!(own(&page.wait("hello")).is_none());
    page.ask(json!({"type": "undo"}));
    assert_eq!(own(&page.wait("hello")).unwrap()["count"], 1);
    assert_eq!(page.refused(json!({"type": "undo"})), "nothing-to-undo");
    // Each of several comes back.
    page.ask(json!({"type": "solve", "sfen": "1k4/6/1G4/6/6/6 b G 1"}));
    page.wait_for(|message| message["solve"]["state"] == "mate");
    page.ask(json!({"type": "solveKeep"}));
    assert_eq!(own(&page.wait("hello")).unwrap()["count"], 2);
    for _ in 0..2 {
        page.ask(json!({"type": "problemDrop", "number": 1}));
        page.wait("hello");
    }
    for count in 1..=2 {
        page.ask(json!({"type": "undo"}));
        assert_eq!(own(&page.wait("hello")).unwrap()["count"], count);
    }
}

#[test]
fn a_search_for_a_mate_is_stopped_and_closed() {
    let (_board, mut page) = Board::start().with_page();
    page.ask(json!({"type": "solve"}));
    page.wait_for(|message| message["solve"]["state"] == "running");
    page.ask(json!({"type": "solveStop"}));
    page.wait_for(|message| message["solve"]["state"] == "none" || message["solve"]["state"] == "unknown");
    page.ask(json!({"type": "solveStop"}));
    page.wait_for(|message| message["type"] == "solve" && message["solve"].is_null());
    assert_eq!(page.refused(json!({"type": "solveStop"})), "not-solved");
}

#[test]
fn a_search_for_a_mate_ends_when_something_else_begins() {
    let human = json!({"kind": "human"});
    for next in [
        json!({"type": "lesson", "lesson": "king"}),
        json!({"type": "problemNext", "plies": 1}),
        json!({"type": "new", "black": human, "white": human}),
    ] {
        let (_board, mut page) = Board::start().with_page();
        page.ask(json!({"type": "solve"}));
        page.ask(next);
        page.wait_for(|message| message["solve"]["state"] == "running");
        let solve = page.wait("solve");
        assert!(solve["solve"].is_null(), "{solve}");
    }
}

/// Both say the same of problems with a unique solution, with several, and with none.
#[test]
fn the_page_solves_as_the_command_line_does() {
    let (_board, mut page) = Board::start().with_page();
    let text = include_str!("../../data/no-mates.txt").to_owned() + include_str!("../../../src/board/state/mates.txt");
    let is_short = |line: &&str| (1..=5).any(|plies| line.contains(&format!("; mate {plies};")));
    let positions: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mates = positions.iter().copied().filter(is_short).take(6);
    let others = positions.iter().copied().filter(|line| line.contains("; no mate;")).take(2);
    // A rook dropped on any of three squares leads to mate in three plies.
    let cooked = "6/5k/2R3/6/6/K5 b R 1";
    let chosen: Vec<&str> = mates.chain(others).chain([cooked]).collect();
    assert_eq!(chosen.len(), 9);
    let mut verdicts = HashSet::new();
    for line in chosen {
        let sfen = line.split(';').next().unwrap().trim();
        page.ask(json!({"type": "solve", "sfen": sfen}));
        let is_answer = |message: &Value| !message["solve"].is_null() && message["solve"]["state"] != "running";
        let solve = page.wait_for(is_answer)["solve"].clone();
        let output = run(&["mate", "--unique", "--ascii", "--hash", "64", "--time", "60", sfen]);
        let output = String::from_utf8(output.stdout).unwrap();
        let Some(plies) = solve["plies"].as_u64() else {
            assert_eq!(solve["state"], "none", "{sfen}");
            assert!(output.contains("No mate ("), "{sfen}: {output}");
            continue;
        };
        verdicts.insert(solve["unique"].as_bool());
        let said = if solve["unique"] == true { "is unique" } else { "is not unique" };
        let moves: Vec<&str> = solve["text"]["usi"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        for words in [
            format!("Mate in {plies} {}", if plies == 1 { "ply" } else { "plies" }),
            format!("USI      {}\n", moves.join(" ")),
            format!("The solution {said}"),
        ] {
            assert!(output.contains(&words), "{sfen}: {words}\n{output}");
        }
        for rival in solve["rivals"].as_array().unwrap() {
            let western = rival["text"]["western"].as_str().unwrap();
            assert!(output.contains(&format!("{western} mates too")), "{sfen}: {western}\n{output}");
        }
        assert_eq!(solve["rivals"].as_array().unwrap().is_empty(), solve["unique"] == true, "{solve}");
    }
    assert_eq!(verdicts, HashSet::from([Some(true), Some(false)]));
}
