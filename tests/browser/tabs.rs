//! Several tabs, and pages from elsewhere.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::Way;
use crate::page::{Page, button};
use crate::server::{Board, link};
use crate::views::{begin_review, paste_blunder, wait_review};
use crate::{on_the_page, on_the_page_of};

/// Opens a game, as another tab does.
const ANOTHER_GAME: &str = "other({ type: 'paste', id: 1, text: 'startpos moves 6e6d 1b1c' });";

#[test]
#[ignore = "needs chromedriver"]
fn words_and_dialogs_outlive_what_another_tab_does_unless_they_are_of_its_game() {
    on_the_page(|page| {
        page.play(Way::Clicks, "6e6d");
        page.fill("textarea.comment", "half a");
        // Another tab plays on.
        page.run(&link("other({ type: 'play', id: 1, node: 1, move: '1b1c' });"));
        page.wait("document.querySelector('.move.current')?.dataset.ply === '2'");
        page.run("document.execCommand('insertText', false, ' thought'); document.activeElement.blur();");
        page.wait("document.querySelector('.move-comment:not([hidden])')?.textContent === 'half a thought'");
        page.becomes("document.querySelectorAll('.move-comment:not([hidden])').length", 1);
        page.becomes("document.querySelector('textarea.comment').value", "");
        page.press_key("nav.previous");
        page.wait("document.querySelector('textarea.comment').value === 'half a thought'");
        // On a fresh board, a dialog stays open unless it is of the game.
        page.paste("startpos");
        page.wait_moves(0);
        page.key('o');
        page.fill("dialog textarea", "half a game");
        page.run(&link(ANOTHER_GAME));
        page.wait_moves(2);
        page.becomes("document.querySelector('dialog textarea').value", "half a game");
        // Keys do nothing to the board below, wherever the focus is.
        page.run("document.activeElement.blur();");
        page.key(Key::Delete);
        page.key('n');
        page.becomes("document.querySelectorAll('dialog').length", 1);
        page.press("dialog [data-tip='close']");
        // The program answers in order, so a deletion would be seen by now.
        page.press_key("bar.edit");
        page.wait(&format!("!document.querySelector({}).disabled", json!(button("editor.done"))));
        page.wait_moves(2);
        page.press_key("cancel");
        page.press(".record-name");
        page.shown("dialog input");
        page.run(&link(ANOTHER_GAME));
        page.wait("!document.querySelector('dialog')");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_setting_of_one_tab_does_not_undo_those_of_another() {
    on_the_page_of(Board::start(), |page, board| {
        let first = page.window();
        page.new_tab(&board.url);
        page.press_key("bar.language");
        page.wait("document.documentElement.lang === 'ja'");
        page.switch_to(&first);
        page.key('f');
        page.reload();
        page.wait("document.documentElement.lang === 'ja' && document.querySelector('.plate-bottom .plate-mark')");
        page.becomes("document.querySelector('.plate-bottom .plate-mark').textContent", "△");
    });
}

/// The nodes that the analysis has looked at.
fn nodes(page: &Page) -> f64 {
    let count = "document.querySelector('.engine-facts').textContent.match(/([\\d.]+)([KMB]?) nodes/)";
    let number = page.wait(&format!("{count}?.[1]")).as_str().and_then(|number| number.parse::<f64>().ok());
    let unit = match page.text(&format!("{count}[2]")).as_str() {
        "K" => 1e3,
        "M" => 1e6,
        "B" => 1e9,
        _ => 1.0,
    };
    number.expect("it is a number") * unit
}

/// Answers every request with an empty page, from an origin of its own.
fn elsewhere() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let url = format!("http://{}/", listener.local_addr().expect("it has one"));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let lines = BufReader::new(&stream).lines().map_while(Result::ok);
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let body = "<!doctype html><link rel=icon href=data:,><title>elsewhere</title>";
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close",
                body.len()
            );
            let _ = write!(stream, "{head}\r\n\r\n{body}");
        }
    });
    url
}

#[test]
#[ignore = "needs chromedriver"]
fn analysis_outlives_a_reload_and_waits_while_no_page_is_there() {
    on_the_page_of(Board::start(), |page, board| {
        page.press(".engine .switch");
        page.wait("document.querySelectorAll('.engine .line').length === 3");
        // A page that is loaded again finds it going on.
        let before = nodes(page);
        page.reload();
        page.wait("document.querySelectorAll('.engine .line').length === 3");
        assert!(nodes(page) >= before, "it was begun anew");
        page.press_key("analysis.threats");
        page.wait("document.querySelectorAll('.engine .line').length === 3");
        // With another tab it continues.
        let first = page.window();
        page.new_tab(&board.url);
        page.close_tab();
        page.switch_to(&first);
        let before = nodes(page);
        page.patiently("it goes on", || (nodes(page) > before).then_some(()));
        page.visit("data:text/html,elsewhere");
        board.wait_for_rest();
        page.go_to(&board.url);
        page.wait("document.querySelector('.engine .switch').ariaChecked === 'true'");
        page.wait("document.querySelectorAll('.engine .line').length === 3");
        page.wait("document.querySelector('.arrow-threat')");
        // So it does where it was switched off meanwhile, and on again.
        page.press(".engine .switch");
        board.wait_for_rest();
        page.press(".engine .switch");
        page.wait("document.querySelectorAll('.engine .line').length === 3");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_review_goes_on_without_a_page() {
    on_the_page_of(Board::start(), |page, board| {
        paste_blunder(page);
        begin_review(page, "quick");
        page.wait("document.querySelector('.review-table td') || document.querySelector('.review progress').checkVisibility()");
        page.visit("data:text/html,elsewhere");
        page.go_to(&board.url);
        wait_review(page);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_page_of_another_origin_is_not_let_in() {
    on_the_page_of(Board::start(), |page, board| {
        // The cookie goes to every port of 127.0.0.1, so that it does not keep other pages out.
        let connect = format!(
            "new Promise((done) => {{\
                const socket = new WebSocket('{}/ws');\
                socket.onopen = () => done('open');\
                socket.onclose = () => done('closed');\
            }})",
            board.origin().replace("http", "ws")
        );
        assert_eq!(page.run_async(&connect), json!("open"));
        page.visit(&elsewhere());
        assert_eq!(page.run_async(&connect), json!("closed"));
        let read = format!("fetch('{}/', {{ credentials: 'include' }}).then(() => 'read')", board.origin());
        assert_ne!(page.run_async(&read), json!("read"));
        // The browser logs both refusals.
        page.complaints();
        page.go_to(&board.url);
    });
}

mod site_too {
    use super::*;

    #[test]
    #[ignore = "needs chromedriver"]
    fn two_tabs_show_the_same() {
        on_the_page_of(Board::start(), |page, board| {
            let first = page.window();
            let second = page.new_tab(&board.url);
            // What a tab asks for is answered to it alone.
            page.key('l');
            page.shown("dialog .kept-none");
            page.key(Key::Escape);
            page.play(Way::Clicks, "6e6d");
            page.switch_to(&first);
            page.wait_ply(1);
            page.play(Way::Clicks, "1b1c");
            page.press(".mark-button.mark-good");
            let sfen = page.sfen();
            page.switch_to(&second);
            page.wait_sfen(&sfen);
            page.wait("document.querySelector('.move.current .mark.mark-good')");
            page.press_key("nav.first");
            page.switch_to(&first);
            page.wait_ply(0);
        });
    }
}
