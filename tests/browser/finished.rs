//! The page after a finished game, once another study is on the board.

use fantoccini::key::Key;

use crate::hands::Way;
use crate::on_the_page;
use crate::page::{Page, button};
use crate::views::{panel, resign, review};

/// Two people play with clocks; Black loses a rook, and White gives up.
fn finish(page: &Page) {
    page.press_key("bar.new");
    page.press_key("new.opponent.friend");
    page.press_key("new.clock.calm");
    page.press("dialog [type=submit]");
    page.shown(&button("play.resign"));
    page.play(Way::Clicks, "1f1b+");
    page.play(Way::Clicks, "1a1b");
    resign(page);
    is_there(page);
}

/// Waits until the page says how the game ended.
fn is_there(page: &Page) {
    page.shown(&button("play.rematch"));
    page.shown(".plate.winner");
    page.shown(".clock");
}

/// Waits until nothing of the game is left.
fn is_gone(page: &Page) {
    page.hidden(&button("play.rematch"));
    page.hidden(".plate.winner");
    page.wait(
        "[...document.querySelectorAll('.plate-note')].every((note) => ['', 'to move'].includes(note.textContent))",
    );
    page.hidden(".clock");
}

#[test]
#[ignore = "needs chromedriver"]
fn how_a_game_ended_is_shown_at_its_last_move_only() {
    on_the_page(|page| {
        finish(page);
        page.press_key("bar.problems");
        page.shown("[data-tip='problem.previous']");
        is_gone(page);
        page.press_key("problem.leave");
        is_there(page);
        page.press_key("bar.edit");
        page.shown(".editor");
        is_gone(page);
        page.press_key("cancel");
        is_there(page);
        // Nor is it above its own lessons.
        review(page);
        page.press(".learn-start");
        page.shown("[data-t='learn.title']");
        is_gone(page);
        page.press_key("problem.leave");
        page.shown(&button("play.rematch"));
        page.key(Key::End);
        page.wait_ply(2);
        page.shown(".plate.winner");
        page.key(Key::Left);
        page.wait_ply(1);
        page.hidden(".plate.winner");
        page.shown(".plate-top.to-move");
        page.key(Key::Right);
        page.wait_ply(2);
        page.shown(".plate.winner");
        // Without its last move it has not ended.
        panel(page, "moves");
        page.key(Key::Delete);
        page.wait_ply(1);
        page.hidden(&button("play.rematch"));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_finished_game_says_nothing_above_what_is_opened_after_it() {
    on_the_page(|page| {
        for (record, moves) in [("startpos moves 6e6d", 1), ("startpos\nstartpos moves 6e6d 1b1c", 0)] {
            finish(page);
            page.paste(record);
            page.wait_moves(moves);
            is_gone(page);
        }
        page.press(".game-row:nth-child(2)");
        page.wait_moves(2);
        is_gone(page);
    });
}
