//! Replacing the study on the board: not during a game, and not permanently.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::Way;
use crate::page::{Page, button};
use crate::server::{Board, link};
use crate::views::{close_dialog, resign};
use crate::{on_the_page, on_the_page_of};

/// Starts a game between two people, and plays a move of it.
fn start(page: &Page) {
    page.key('n');
    page.press_key("new.opponent.friend");
    page.press("dialog [type=submit]");
    page.shown(&button("play.resign"));
    page.play(Way::Clicks, "6e6d");
}

#[test]
#[ignore = "needs chromedriver"]
fn a_running_game_is_replaced_only_by_someone_who_was_asked() {
    on_the_page(|page| {
        start(page);
        let sfen = page.sfen();
        page.becomes("document.querySelector(\".menu button:has([data-t='bar.problems'])\").disabled", true);
        // A knight that is not in hand opens no dialog.
        for key in ['b', 'n'] {
            page.key(key);
        }
        page.key(Key::Enter);
        page.run("document.activeElement.blur();");
        assert_eq!(page.value("Boolean(document.querySelector('dialog'))"), false);
        page.key('n');
        page.shown("dialog");
        page.key(Key::Enter);
        page.shown(&button("replace.yes"));
        // The focus is on the way out.
        page.key(Key::Enter);
        page.hidden(&button("replace.yes"));
        close_dialog(page);
        page.drop_file("game.usi", "startpos moves 5f5e");
        page.press_key("replace.no");
        page.wait("!document.querySelector('dialog')");
        assert_eq!(page.sfen(), sfen);
        page.drop_file("game.usi", "startpos moves 5f5e");
        page.press_key("replace.yes");
        page.wait("document.querySelector('.record-name').textContent === 'game.usi'");
        page.hidden(&button("play.resign"));
        page.press_key("replace.undo");
        page.wait_sfen(&sfen);
        page.shown(&button("play.resign"));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn moves_that_an_edited_position_has_replaced_are_put_back() {
    on_the_page(|page| {
        page.play(Way::Clicks, "6e6d");
        page.fill("textarea.comment", "a thought");
        page.wait("document.querySelector('.move-comment:not([hidden])')?.textContent");
        page.press_key("bar.edit");
        page.press_key("editor.done");
        page.wait_moves(0);
        page.press_key("replace.undo");
        page.wait_ply(1);
        page.becomes("document.querySelector('textarea.comment').value", "a thought");
        // Undo can be undone.
        page.press_key("replace.undo");
        page.wait_moves(0);
    });
}

/// The offer disappears; the last board can be put back later.
#[test]
#[ignore = "needs chromedriver"]
fn the_previous_board_can_be_opened() {
    on_the_page(|page| {
        page.play(Way::Clicks, "6e6d");
        let sfen = page.sfen();
        page.drop_file("game.usi", "startpos moves 5f5e");
        page.wait("document.querySelector('.record-name').textContent === 'game.usi'");
        page.reload();
        page.key('o');
        page.press_key("replace.last");
        page.wait_sfen(&sfen);
        assert_eq!(page.value("Boolean(document.querySelector('dialog'))"), false);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn pasted_and_visited_links_are_opened_or_offered() {
    on_the_page(|page| {
        let address = "https://example.org/judkins/";
        page.paste(&format!(" {address}#sfen=5k%2F6%2F6/2%2BR3/6/K5_b%20-_1&x=1\n"));
        page.wait_sfen("5k/6/6/2+R3/6/K5 b - 1");
        page.key('o');
        // zlib and base64url of `startpos moves 6e6d 1b1c`.
        page.fill("dialog textarea", &format!("{address}#game=eNorLkksKinIL1bIzS9LLVYwSzVLUTBMMkzmAgB7zQhx"));
        page.press("dialog [type=submit]");
        // What is on the board would be lost.
        page.press_key("link.open");
        page.wait_moves(2);
        // So it would be by a link that is visited in a page that is open.
        page.run("location.hash = '#sfen=5k/6/6/6/6/K5_b_P_1';");
        page.press_key("link.open");
        page.wait_sfen("5k/6/6/6/6/K5 b P 1");
        page.becomes("location.hash", "");
        // A damaged one is refused, and the next one is read.
        page.run("location.hash = '#sfen=5k%2';");
        page.press_key("link.open");
        page.wait("[...document.querySelectorAll('.notice')].some((each) => each.innerText.includes('5k%2'))");
        page.press_key("bar.edit");
        page.shown(".editor");
        page.run("location.hash = '#sfen=5k/6/6/6/+P5/K5%20b%20-%201';");
        page.press_key("link.open");
        page.wait_sfen("5k/6/6/6/+P5/K5 b - 1");
        page.hidden(".editor");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_text_is_read_once_and_stays_if_it_cannot_be_read() {
    on_the_page(|page| {
        page.play(Way::Clicks, "6e6d");
        let sent = "window.sent = []; const before = Link.prototype[send];\
            Link.prototype[send] = function (data) { sent.push(said(data).type); before.call(this, data); };";
        page.run(&link(sent));
        page.key('o');
        page.fill("dialog textarea", "startpos moves 5f5e");
        let press = "for (const _ of [1, 2]) document.querySelector('dialog [type=submit]').click();";
        page.run(press);
        page.wait("!document.querySelector('dialog')");
        assert_eq!(page.value("sent.filter((type) => type === 'paste').length"), 1);
        // An unreadable text stays, and can be sent again.
        page.key('o');
        page.fill("dialog textarea", "this is no game");
        for tries in 2..=3 {
            page.press("dialog [type=submit]");
            page.wait(&format!("sent.filter((type) => type === 'paste').length === {tries}"));
            page.wait("document.querySelector('dialog .notice.trouble')?.textContent");
            assert_eq!(page.value("document.querySelector('dialog textarea').value"), "this is no game");
            page.press("dialog .notice.trouble button");
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
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
            page.press_key("play.confirm");
            page.hidden(&button("play.stop"));
        }
    });
}

/// The games in the dialog, in words.
fn kept(page: &Page) -> Vec<String> {
    page.key('l');
    page.shown("dialog .kept-game");
    let rows = page.value("[...document.querySelectorAll('.kept-game')].map((row) => row.innerText)");
    serde_json::from_value(rows).expect("they are texts")
}

/// Opens a game by its place in the list, once the list is there.
fn open_kept(page: &Page, place: usize) {
    page.press(&format!("dialog li:nth-child({}) .kept-game", place + 1));
    page.wait("!document.querySelector('dialog')");
}

/// Plays these moves in a game between two people from the start, and resigns.
fn play_and_resign(page: &Page, moves: &[&str]) {
    page.shown(&button("play.stop"));
    moves.iter().for_each(|mv| page.play(Way::Clicks, mv));
    resign(page);
}

mod site_too {
    use super::*;

    #[test]
    #[ignore = "needs chromedriver"]
    fn whatever_replaces_something_keeps_it() {
        on_the_page(|page| {
            page.play(Way::Clicks, "5f5e");
            page.paste("startpos moves 6e6d 1b1c");
            page.wait_moves(2);
            page.drop_file("game.usi", "startpos moves 5f5e");
            page.wait_moves(1);
            page.key(Key::End);
            page.wait_ply(1);
            page.play(Way::Clicks, "1b1c");
            page.play(Way::Clicks, "4f4e");
            page.wait_moves(3);
            page.edit("5k/6/6/6/6/K5 b G 1");
            page.press_key("editor.done");
            page.hidden(".editor");
            page.wait_sfen("5k/6/6/6/6/K5 b G 1");
            page.press_key("open.fresh");
            page.wait_moves(0);
            page.play(Way::Clicks, "6e6d");
            start(page);
            // The page says that the game continues when it is opened again.
            page.key('o');
            page.fill("dialog textarea", "startpos moves 5f5e 1b1c 4f4e 2a2b 6e6d");
            page.press("dialog [type=submit]");
            page.press_key("replace.yes");
            page.wait_moves(5);
            let rows = kept(page);
            let expected = [
                ("Study", "moves: 5"),
                ("under way", "moves: 1"),
                ("Study", "moves: 1"),
                ("Position", "20"),
                ("game.usi", "moves: 3"),
                ("Study", "moves: 2"),
                ("Study", "moves: 1"),
            ];
            assert_eq!(rows.len(), expected.len(), "{rows:?}");
            for (row, (name, count)) in rows.iter().zip(expected) {
                assert!(row.contains(name) && row.contains(count), "{rows:?}");
            }
            open_kept(page, 3);
            page.wait_sfen("5k/6/6/6/6/K5 b G 1");
            kept(page);
            open_kept(page, 1);
            page.shown(&button("play.resign"));
        });
    }

    #[test]
    #[ignore = "needs chromedriver"]
    fn no_finished_game_is_lost_by_new_games_and_rematches() {
        on_the_page_of(Board::start(), |page, board| {
            let games: [&[&str]; 4] = [&["6e6d", "1b1c"], &["5f5e"], &["6e6d", "1b1c", "6d6c"], &["4f4e", "2a2b"]];
            page.key('n');
            page.press_key("new.opponent.friend");
            page.press("dialog [type=submit]");
            play_and_resign(page, games[0]);
            page.press_key("play.rematch");
            play_and_resign(page, games[1]);
            page.press(&format!(".said {}", button("bar.new")));
            page.press("dialog [type=submit]");
            play_and_resign(page, games[2]);
            page.press_key("play.rematch");
            play_and_resign(page, games[3]);
            let rows = kept(page);
            let counts = ["moves: 2", "moves: 3", "moves: 1", "moves: 2"];
            assert_eq!(rows.len(), 4, "{rows:?}");
            assert!(rows.iter().zip(counts).all(|(row, count)| row.contains(count)), "{rows:?}");
            assert!(rows.iter().all(|row| row.contains("resignation")), "{rows:?}");
            open_kept(page, 3);
            page.wait_moves(2);
            // All are there the next time.
            page.loses_connection = true;
            board.kill();
            board.restart();
            page.go_to(&board.url);
            page.wait_moves(2);
            assert_eq!(kept(page).len(), 4);
            open_kept(page, 2);
            page.wait_moves(1);
            page.key(Key::End);
            page.wait("document.querySelector('.plate.winner')");
        });
    }
}
