//! What takes the place of what is on the board: not a game that is being played, and not for good.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::Way;
use crate::on_the_page;
use crate::page::{Page, button};

/// Starts a game between two people, and plays a move of it.
fn start(page: &Page) {
    page.key('n');
    page.press_key("new.opponent.friend");
    page.press("dialog [type=submit]");
    page.shown(&button("play.resign"));
    page.play(Way::Clicks, "6e6d");
}

#[test]
fn a_running_game_is_replaced_only_by_someone_who_was_asked() {
    on_the_page(|page| {
        start(page);
        let sfen = page.sfen();
        assert_eq!(page.value("document.querySelector(\".menu button:has([data-t='bar.problems'])\").disabled"), true);
        // A knight that is not in hand opens no dialog.
        for key in ['b', 'n'] {
            page.key(key);
        }
        page.key(Key::Enter);
        page.run("document.activeElement.blur();", vec![]);
        assert_eq!(page.value("Boolean(document.querySelector('dialog'))"), false);
        page.key('n');
        page.shown("dialog");
        page.key(Key::Enter);
        page.shown(&button("replace.yes"));
        // The focus is on the way out.
        page.key(Key::Enter);
        page.hidden(&button("replace.yes"));
        page.press("dialog [data-tip='close']");
        page.wait("!document.querySelector('dialog')");
        let drop = "const dataTransfer = new DataTransfer();\
            dataTransfer.items.add(new File(['startpos moves 5f5e'], 'game.usi'));\
            for (const name of ['dragenter', 'dragover', 'drop'])\
                document.body.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));";
        page.run(drop, vec![]);
        page.press_key("replace.no");
        page.wait("!document.querySelector('dialog')");
        assert_eq!(page.sfen(), sfen);
        page.run(drop, vec![]);
        page.press_key("replace.yes");
        page.wait("document.querySelector('.record-name').textContent === 'game.usi'");
        page.hidden(&button("play.resign"));
        page.press_key("replace.undo");
        page.wait_sfen(&sfen);
        page.shown(&button("play.resign"));
    });
}

#[test]
fn moves_that_an_edited_position_has_replaced_are_put_back() {
    on_the_page(|page| {
        page.play(Way::Clicks, "6e6d");
        page.fill("textarea.comment", "a thought");
        page.wait("document.querySelector('.move-comment:not([hidden])')?.textContent");
        page.press_key("bar.edit");
        page.press_key("editor.done");
        page.wait("document.querySelectorAll('.move').length === 0");
        page.press_key("replace.undo");
        page.wait_ply(1);
        assert_eq!(page.value("document.querySelector('textarea.comment').value"), "a thought");
        page.hidden(&button("replace.undo"));
    });
}

#[test]
fn a_link_is_offered_in_a_page_that_is_open() {
    on_the_page(|page| {
        page.run("location.hash = '#sfen=5k/6/6/6/6/K5_b_P_1';", vec![]);
        page.press_key("link.open");
        page.wait_sfen("5k/6/6/6/6/K5 b P 1");
        assert_eq!(page.value("location.hash"), "");
    });
}

#[test]
fn a_text_is_read_once_however_often_it_is_pressed() {
    on_the_page(|page| {
        page.play(Way::Clicks, "6e6d");
        let sent = "window.sent = []; const { send } = WebSocket.prototype;\
            WebSocket.prototype.send = function (data) { sent.push(JSON.parse(data).type); send.call(this, data); };";
        page.run(sent, vec![]);
        page.key('o');
        page.fill("dialog textarea", "startpos moves 5f5e");
        let press = "for (const _ of [1, 2]) document.querySelector('dialog [type=submit]').click();";
        page.run(press, vec![]);
        page.wait("!document.querySelector('dialog')");
        assert_eq!(page.value("sent.filter((type) => type === 'paste').length"), 1);
        // What cannot be read can be sent again.
        page.key('o');
        page.fill("dialog textarea", "this is no game");
        for tries in 2..=3 {
            page.press("dialog [type=submit]");
            page.wait(&format!("sent.filter((type) => type === 'paste').length === {tries}"));
            page.press("dialog .notice.trouble button");
        }
    });
}

#[test]
fn what_is_offered_covers_nothing_that_is_needed_next() {
    on_the_page(|page| {
        for (width, height) in [(1280, 757), (740, 360), (360, 740)] {
            page.resize(width, height);
            page.paste("startpos moves 6e6d");
            start(page);
            page.shown(".notice.question");
            // It lets presses through, but not looks.
            let covered = page.value(
                "((notice) => [...document.querySelectorAll('.walk button, .hand, .plate, .cell, .said button')]\
                    .filter((each) => each.checkVisibility()).filter((each) => {\
                        const { x, y, width, height } = each.getBoundingClientRect();\
                        const [across, down] = [x + width / 2, y + height / 2];\
                        return notice.left < across && across < notice.right && notice.top < down && down < notice.bottom;\
                    }).map((each) => each.className || each.textContent))\
                    (document.querySelector('.notice.question').getBoundingClientRect())",
            );
            assert_eq!(covered, json!([]), "{width} by {height} pixels");
            page.press_key("play.stop");
            page.press_key("play.sure");
            page.hidden(&button("play.stop"));
        }
    });
}
