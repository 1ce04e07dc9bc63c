//! Access control, and invalid input.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use super::server::Server;
use super::state::Board;
use crate::common::{refused_as, run};

#[test]
fn only_who_has_the_token_is_served_and_only_under_the_servers_own_name() {
    let board = Server::with(&[]);
    let host = format!("Host: 127.0.0.1:{}\r\n", board.port);
    let token = format!("/?token={}", board.token);
    let page = board.get(&token, &host);
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    let head = page.to_ascii_lowercase();
    for part in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin",
        "cache-control: no-store",
        "httponly; samesite=strict",
    ] {
        assert!(head.contains(part), "{part} is missing in {page}");
    }
    let cookie = format!("Cookie: judkins-{}={}\r\n", board.port, board.token);
    assert!(board.get("/assets/board.css", &(host.clone() + &cookie)).starts_with("HTTP/1.1 200"));
    assert!(board.get("/assets/../mod.rs", &(host.clone() + &cookie)).starts_with("HTTP/1.1 404"));
    assert!(board.get("/assets/%2e%2e%2fmod.rs", &(host.clone() + &cookie)).starts_with("HTTP/1.1 404"));
    for (path, headers) in [
        ("/", host.as_str()),
        ("/?token=", &host),
        ("/assets/main.js", &host),
        ("/ws", &host),
        (&token, "Host: evil.example\r\n"),
        (&token, "Host: 127.0.0.1\r\n"),
        (&token, ""),
    ] {
        let answer = board.get(path, headers);
        let is_refused = answer.starts_with("HTTP/1.1 403") || answer.starts_with("HTTP/1.1 400");
        assert!(is_refused, "{path} {headers}: {answer}");
    }
}

#[test]
fn whoever_is_not_let_in_is_told_what_to_do() {
    let board = Server::with(&[]);
    let host = format!("Host: 127.0.0.1:{}\r\n", board.port);
    let old = format!("Cookie: judkins-{}={}\r\n", board.port, "0".repeat(32));
    let address = format!("http://127.0.0.1:{}/?token=", board.port);
    for (headers, title) in [
        (host.clone(), "This address does not open the board"),
        (host.clone() + &old, "This address does not open the board"),
        (format!("{host}Accept-Language: ja,en;q=0.5\r\n"), "このアドレスでは盤を開けません"),
        ("Host: evil.example\r\n".to_owned(), "This name does not open the board"),
    ] {
        for path in ["/", "/?token=0", "/assets/main.js"] {
            let answer = board.get(path, &headers);
            assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
            assert!(answer.contains(title) && answer.contains(&address), "{answer}");
            assert!(!answer.contains(&board.token) && !answer.contains("<script"), "{answer}");
            let head = answer.to_ascii_lowercase();
            assert!(head.contains("content-security-policy: default-src 'none'; style-src 'nonce-"), "{answer}");
            assert!(!head.contains("set-cookie") && head.contains("x-content-type-options: nosniff"), "{answer}");
        }
    }
    // The new address takes the place of an old cookie.
    let answer = board.get(&format!("/?token={}", board.token), &(host + &old));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains(&format!("set-cookie: judkins-{}={}", board.port, board.token)), "{answer}");
}

#[test]
fn pages_from_elsewhere_get_no_socket_and_too_long_messages_an_error() {
    let board = Server::with(&[]);
    let own = format!("http://127.0.0.1:{}", board.port);
    assert!(board.connect(&[("Origin", &own)]).is_ok());
    for origin in ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1"] {
        let refusal = board.connect(&[("Origin", origin)]).unwrap_err();
        assert!(refusal.contains("403"), "{origin}: {refusal}");
    }
    let refusal = board.connect(&[("Host", "evil.example")]).unwrap_err();
    assert!(refusal.contains("403"), "{refusal}");
    let mut page = board.page();
    page.say(&format!("{{\"id\":1,\"type\":\"paste\",\"text\":\"{}\"}}", "x".repeat(9 << 20)));
    assert_eq!(page.wait("error")["code"], "too-long");
}

#[test]
fn the_first_line_comes_at_once() {
    // 200 ms are asked for; a machine that is busy with tests gets far more.
    assert!(Server::start().first_line < Duration::from_secs(10));
}

#[test]
fn a_session_that_cannot_be_read_is_kept_and_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("judkins");
    std::fs::create_dir(&kept).unwrap();
    let newer = "{\"version\":2,\"study\":\"in some other way\"}";
    std::fs::write(kept.join("study.json"), newer).unwrap();
    let (board, mut page) = Board::in_folder(folder, &[]).with_page();
    let notice = page.wait("notice");
    assert!(notice["text"]["args"]["why"].as_str().unwrap().contains("its version is 2"), "{notice}");
    page.play("6e6d");
    let kept = board.folder.path().join("judkins");
    assert_eq!(std::fs::read_to_string(kept.join("study.json.damaged")).unwrap(), newer);
    let board = Board::in_folder(board.kill(), &[]);
    assert_eq!(board.page().position["last"], "6e6d");
}

#[test]
fn a_board_that_keeps_nothing_says_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("judkins"), "no folder").unwrap();
    let board = Board::in_folder(folder, &[]);
    let notice = board.page().wait("notice");
    assert_eq!(notice["text"]["key"], "storage.none", "{notice}");
}

/// Requests of every kind, most of them in place.
fn requests() -> Vec<Value> {
    let human = json!({"kind": "human", "name": "x"});
    vec![
        json!({"type": "goto", "node": 0}),
        json!({"type": "play", "node": 0, "move": "6e6d"}),
        json!({"type": "delete", "node": 7}),
        json!({"type": "promote", "node": 1}),
        json!({"type": "mainline", "node": 1}),
        json!({"type": "comment", "node": 1, "text": "x"}),
        json!({"type": "marks", "node": 1, "marks": ["!?"]}),
        json!({"type": "header", "header": {"black": "a", "white": null}}),
        json!({"type": "new", "black": human, "white": {"kind": "engine", "engine": 9}, "clock": null}),
        json!({"type": "resign"}),
        json!({"type": "takeback"}),
        json!({"type": "declare"}),
        json!({"type": "rematch"}),
        json!({"type": "open", "name": "../../x.kif", "data": "AAAA"}),
        json!({"type": "openGame", "game": 3}),
        json!({"type": "addChapter", "title": "x", "here": true}),
        json!({"type": "addChapter", "title": "x", "sfen": "k5/6/6/6/6/K5 b - 1"}),
        json!({"type": "renameChapter", "game": 1, "title": "x"}),
        json!({"type": "moveChapter", "game": 1, "to": 1}),
        json!({"type": "deleteChapter", "game": 1}),
        json!({"type": "restoreChapter"}),
        json!({"type": "export", "format": "kif"}),
        json!({"type": "option", "engine": 0, "name": "EvalFile", "value": "/etc/passwd"}),
        json!({"type": "edit", "sfen": "6 b - 1"}),
        json!({"type": "putBack"}),
        json!({"type": "openKept", "game": 1}),
        json!({"type": "library", "words": "x", "here": true, "order": "plies"}),
        json!({"type": "renameKept", "game": 1, "name": "x"}),
        json!({"type": "deleteKept", "games": [1, 2]}),
        json!({"type": "exportKept", "games": [1], "format": "kif"}),
        json!({"type": "import", "name": "../x", "data": "AAAA", "more": true}),
        json!({"type": "explore", "node": 1}),
        json!({"type": "problemMove", "node": 0, "move": "6e6d"}),
        json!({"type": "problemShow"}),
        json!({"type": "problemDrop", "number": 1}),
        json!({"type": "lesson", "lesson": "king", "task": 1}),
        json!({"type": "solveKeep"}),
    ]
}

#[test]
fn nonsense_gets_a_typed_error_and_changes_nothing() {
    let (board, mut page) = Board::start().with_page();
    page.play("6e6d");
    let before = board.page().state();
    let deep = "[".repeat(100_000);
    for text in ["", "{", "null", "[]", "{}", "{\"id\":1}", "{\"id\":-1,\"type\":\"resign\"}", &deep, "\u{0}"] {
        page.say(text);
        let error = page.wait("error");
        assert_eq!(error["code"], "bad-message", "{text:.20}");
        assert!(error["text"]["key"].is_string());
    }
    for (request, code) in [
        (json!({"type": "fly"}), "bad-message"),
        (json!({"type": "goto", "node": "1"}), "bad-message"),
        (json!({"type": "goto", "node": 99}), "no-such-node"),
        (json!({"type": "goto", "node": 0, "file": "/etc/passwd"}), "bad-message"),
        (json!({"type": "play", "node": 0, "move": "6e6c"}), "illegal-move"),
        (json!({"type": "play", "node": 0, "move": "9z"}), "bad-message"),
        (json!({"type": "delete", "node": 0}), "is-root"),
        (json!({"type": "marks", "node": 1, "marks": ["#"]}), "bad-mark"),
        (json!({"type": "header", "header": {"date": "tomorrow"}}), "bad-date"),
        (json!({"type": "resign"}), "no-game"),
        (json!({"type": "takeback"}), "no-game"),
        (json!({"type": "putBack"}), "nothing-replaced"),
        (json!({"type": "openKept", "game": 1}), "game-gone"),
        (json!({"type": "openKept", "game": "../study.json"}), "bad-message"),
        (json!({"type": "library", "order": "1; DROP TABLE game"}), "bad-message"),
        (json!({"type": "exportKept", "games": [1], "format": "kif"}), "game-gone"),
        (json!({"type": "exportKept", "games": [1], "format": "docx"}), "bad-format"),
        (json!({"type": "import", "name": "x", "data": "AAAA"}), "bad-record"),
        (json!({"type": "explore", "node": 9}), "no-such-node"),
        (json!({"type": "problemMove", "node": 0, "move": "6e6d"}), "no-problem"),
        (json!({"type": "problemNext", "plies": 2}), "no-such-problem"),
        (json!({"type": "problemDrop", "number": 1}), "no-such-problem"),
        (json!({"type": "lesson", "lesson": "tea"}), "no-such-lesson"),
        (json!({"type": "lesson", "lesson": "king", "task": 99}), "no-such-lesson"),
        (json!({"type": "lesson", "lesson": "game"}), "no-such-lesson"),
        (json!({"type": "solve", "sfen": "k5/6/6/6/6/6 w - 1"}), "bad-position"),
        (json!({"type": "solveStop"}), "not-solved"),
        (json!({"type": "open", "name": "x.toml", "data": "AAAA"}), "bad-lessons"),
        (json!({"type": "openGame", "game": 0}), "game-gone"),
        (json!({"type": "export", "format": "docx"}), "bad-format"),
        (json!({"type": "study", "sfen": "6/6/6/6/6/6 b - 1"}), "bad-position"),
        (json!({"type": "study", "sfen": "what"}), "bad-sfen"),
        (json!({"type": "paste", "text": "\u{1}\u{2}"}), "bad-record"),
        (json!({"type": "open", "name": "x", "data": "*"}), "bad-message"),
        (json!({"type": "analyse", "on": true, "engine": 1, "lines": 1}), "no-such-engine"),
        (json!({"type": "analyse", "on": true, "engine": 0, "lines": 500}), "bad-lines"),
        (json!({"type": "restart", "engine": 5}), "no-such-engine"),
    ] {
        assert_eq!(page.refused(request.clone()), code, "{request}");
    }
    assert_eq!(board.page().state(), before);
}

/// `JUDKINS_MUTATIONS` says how many messages; a hundred thousand take some seconds.
#[test]
fn mutated_messages_leave_the_engine_playing() {
    let rounds = std::env::var("JUDKINS_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(5_000);
    let (_board, mut page) = Board::start().with_page();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let kinds = requests().into_iter().map(|mut request| {
        request["id"] = json!(0);
        request.to_string()
    });
    let kinds: Vec<String> = kinds.collect();
    let mut last = 0;
    for round in 0..rounds {
        let mut bytes = kinds[random.next_u32() as usize % kinds.len()].clone().into_bytes();
        for _ in 0..random.next_u32() % 4 {
            let place = random.next_u32() as usize % bytes.len();
            match random.next_u32() % 3 {
                0 => bytes[place] = random.next_u32() as u8,
                1 => drop(bytes.remove(place)),
                _ => bytes.insert(place, b"{}[]\",:0-e"[random.next_u32() as usize % 10]),
            }
        }
        page.say(&String::from_utf8_lossy(&bytes));
        if round % 100 == 0 {
            // The board answers in any case.
            last = page.ask(json!({"type": "export", "format": "usi"}));
            page.wait_for(|message| message["type"] == "exported" && message["id"] == last);
        }
    }
    assert!(last > 0);
    let seat = |kind: &str| json!({"kind": kind, "engine": 0, "name": ""});
    page.ask(json!({"type": "new", "black": seat("human"), "white": seat("engine"), "clock": null}));
    page.position = page.wait_for(|message| message["type"] == "position" && message["last"].is_null());
    page.wait_for(|message| message["type"] == "game" && message["game"]["waiting"] == "human");
    page.play("1f1e");
    page.wait_for(|message| message["type"] == "position" && message["side"] == "black");
}

/// Sends a request to an address of this machine: the head of the answer, or none if nothing listens there.
fn asked_at(address: &str, port: u16, request: &str) -> Option<String> {
    let mut stream = TcpStream::connect((address, port)).ok()?;
    write!(stream, "GET {request}\r\nConnection: close\r\n\r\n").expect("it is read");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it is text");
    Some(answer)
}

#[test]
fn other_devices_are_let_in_at_the_address_that_is_named_and_at_no_other() {
    let alone = Server::with(&[]);
    assert_eq!(asked_at("127.0.0.2", alone.port, "/ HTTP/1.1\r\nHost: 127.0.0.2"), None);

    let board = Server::with(&["--listen", "127.0.0.2"]);
    let (port, token) = (board.port, &board.token);
    let page = |address: &str, host: &str| {
        let answer = asked_at(address, port, &format!("/?token={token} HTTP/1.1\r\nHost: {host}:{port}"));
        answer.map(|answer| answer.split(' ').nth(1).expect("it has a status").to_owned())
    };
    assert_eq!(page("127.0.0.2", "127.0.0.2").as_deref(), Some("200"));
    assert_eq!(page("127.0.0.1", "127.0.0.1").as_deref(), Some("200"));
    assert_eq!(page("127.0.0.2", "127.0.0.3").as_deref(), Some("403"));
    assert_eq!(page("127.0.0.3", "127.0.0.2"), None);
    let answer = asked_at("127.0.0.2", port, &format!("/ HTTP/1.1\r\nHost: 127.0.0.2:{port}")).expect("it listens");
    assert!(
        answer.contains(&format!("http://127.0.0.2:{port}/?token=")) && !answer.contains(token.as_str()),
        "{answer}"
    );
    assert!(board.connect(&[("Origin", &format!("http://127.0.0.2:{port}"))]).is_ok());
    assert!(board.connect(&[("Origin", &format!("http://127.0.0.3:{port}"))]).is_err());
    let shown = asked_at("127.0.0.2", port, &format!("/phone?token={token} HTTP/1.1\r\nHost: 127.0.0.2:{port}"));
    assert!(shown.is_some_and(|shown| shown.contains(&format!("http://127.0.0.2:{port}/?token={token}"))));
}

#[test]
fn an_address_that_is_none_of_this_machine_is_refused_in_words() {
    for (address, words) in [("0.0.0.0", "name one address"), ("::", "name one address"), ("phone", "192.168.1.5")] {
        refused_as(address, &run(&["board", "--no-open", "--port", "0", "--listen", address]), words);
    }
}
