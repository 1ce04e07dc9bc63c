//! The chapters of a study, in their list.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::Way;
use crate::page::{Page, button};
use crate::server::Board;
use crate::{on_the_page, on_the_page_of};

/// The titles in the list, in its order.
const TITLES: &str = "[...document.querySelectorAll('.game-row')].map((row) => [Number(row.children[0].textContent), row]).sort(([one], [other]) => one - other).map(([, row]) => row.children[1].textContent)";

fn wait_rows(page: &Page, titles: &[&str]) {
    page.becomes(TITLES, json!(titles));
}

fn add(page: &Page, title: &str, from: &str) {
    page.press_key("games.add");
    page.fill("dialog input", title);
    page.press_key(from);
    page.hidden("dialog");
}

#[test]
#[ignore = "needs chromedriver"]
fn a_game_alone_keeps_its_event_and_one_that_cannot_be_read_is_marked() {
    on_the_page(|page| {
        page.paste("[Event \"Cup\"]\n[Variant \"judkins\"]\n\n1. P-6d *");
        page.wait_moves(1);
        page.press("#tab-games");
        page.press_key("games.add");
        page.becomes("document.querySelector('dialog input').value", "Cup");
        page.press_key("games.start");
        page.hidden("dialog");
        wait_rows(page, &["Cup", "Chapter 2"]);
        // A game that cannot be read is marked in the list, and the reason is said.
        let game = "[Variant \"judkins\"]\n\n1. P-6d *\n\n";
        page.paste(&(game.to_owned() + &game.replace("]\n", "]\n[FEN \"nonsense\"]\n")));
        page.press("#tab-games");
        page.wait(&format!("!{TITLES}.includes('Cup')"));
        page.becomes("document.querySelectorAll('.game-row').length", 2);
        page.press(".game-row:not([aria-selected='true'])");
        page.wait("document.querySelector('.notice.trouble')?.textContent.startsWith('This game cannot be read: ')");
        page.shown(".game-row.chosen:not([aria-selected='true'])");
        // The one on the board is still known.
        page.shown(".game-row:not(.chosen)[aria-selected='true']");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_chapter_that_is_not_on_the_board_comes_back_beside_an_editor() {
    on_the_page_of(Board::start(), |page, board| {
        page.press("#tab-games");
        add(page, "first", "games.here");
        add(page, "second", "games.start");
        wait_rows(page, &["first", "second"]);
        page.wait("document.querySelector('.game-row[aria-selected=true]')?.children[1].textContent === 'second'");
        page.run("document.querySelector('.game-view').focus();");
        page.key(Key::Up);
        page.key(Key::Delete);
        wait_rows(page, &["second"]);
        page.press_key("bar.edit");
        page.shown(".editor");
        page.press_key("replace.undo");
        wait_rows(page, &["first", "second"]);
        // The next game that comes from elsewhere does not close it either.
        let first = page.window();
        page.new_tab(&board.url);
        page.paste("startpos moves 5f5e");
        page.wait_moves(1);
        page.switch_to(&first);
        page.wait("document.querySelector('.move .san')?.textContent.includes('5')");
        page.shown(".editor");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn each_of_several_deleted_chapters_can_be_put_back() {
    on_the_page(|page| {
        page.paste("startpos moves 6e6d\n\nstartpos moves 5f5e\n\nstartpos moves 4f4e\n");
        page.press("#tab-games");
        let all = page.value(TITLES);
        // Home and End go through the list, and not through the moves.
        page.run("document.querySelector('.game-view').focus();");
        let sfen = page.sfen();
        for (key, row) in [(Key::End, 3), (Key::Home, 1)] {
            page.key(key);
            page.becomes("document.querySelector('.game-row.chosen').firstChild.textContent", row.to_string());
        }
        assert_eq!(page.sfen(), sfen);
        for left in [2, 1] {
            page.run("document.querySelector('.game-view').focus();");
            // The next game is opened, and chosen, after one is deleted.
            page.shown(".game-row.chosen");
            page.key(Key::Delete);
            page.becomes("document.querySelectorAll('.game-row').length", left);
        }
        for there in [2, 3] {
            page.press_key("replace.undo");
            page.becomes("document.querySelectorAll('.game-row').length", there);
        }
        page.hidden(&button("replace.undo"));
        assert_eq!(page.value(TITLES), all);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn the_chapter_on_the_board_is_in_sight_in_a_long_list_after_a_reload() {
    on_the_page(|page| {
        page.paste(&"startpos moves 6e6d\n\n".repeat(200));
        page.shown(".game-view");
        let last = "[...document.querySelectorAll('.game-row')].find((row) => row.firstChild.textContent === '200')";
        page.run("document.querySelector('.game-view').scrollTop = 1e9;");
        page.wait(last);
        page.run(&format!("{last}.click();"));
        page.wait(&format!("{last}.ariaSelected === 'true'"));
        page.press("#tab-moves");
        page.reload();
        page.shown("#tab-moves[aria-selected='true']");
        page.press("#tab-games");
        page.wait(
            "(() => { const [view, row] = ['.game-view', '.game-row[aria-selected=true]'].map((name) => \
             document.querySelector(name)?.getBoundingClientRect()); \
             return row && row.top >= view.top && row.bottom <= view.bottom; })()",
        );
    });
}

mod site_too {
    use super::*;

    #[test]
    #[ignore = "needs chromedriver"]
    fn chapters_are_added_renamed_put_in_order_deleted_and_kept() {
        on_the_page(|page| {
            page.play(Way::Clicks, "6e6d");
            page.press("#tab-games");
            add(page, "first", "games.here");
            wait_rows(page, &["first"]);
            add(page, "", "games.start");
            wait_rows(page, &["first", "Chapter 2"]);
            // By the keyboard: the title, the order, and away with it.
            page.becomes(
                "document.querySelector('.game-row[aria-selected=true]').children[1].textContent",
                "Chapter 2",
            );
            page.run("document.querySelector('.game-view').focus();");
            page.key(Key::F2);
            page.fill("dialog input", "second");
            page.press("dialog [type=submit]");
            wait_rows(page, &["first", "second"]);
            page.press("[data-tip='games.up']");
            wait_rows(page, &["second", "first"]);
            page.run("document.querySelector('.game-view').focus();");
            page.key(Key::Delete);
            wait_rows(page, &["first"]);
            page.wait_ply(1);
            page.shown("[data-tip='library.delete']:disabled");
            page.press_key("replace.undo");
            wait_rows(page, &["second", "first"]);
            // All of them are one text.
            page.press_key("bar.share");
            page.press("[data-format='kif']");
            page.press("dialog label:has([data-t='share.all'])");
            page.wait("document.querySelector('dialog textarea').value.match(/棋戦：/g)?.length === 2");
            page.press("dialog [data-tip='close']");
            page.reload();
            page.press("#tab-games");
            wait_rows(page, &["second", "first"]);
            page.press(".game-row:not([aria-selected='true'])");
            page.wait_moves(1);
        });
    }
}
