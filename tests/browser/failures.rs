//! What the page says when an engine or the program itself ends.

use crate::hands::Way;
use crate::on_the_page_of;
use crate::page::button;
use crate::server::Board;

#[test]
fn an_engine_killed_in_the_middle_of_an_analysis_is_said_to_be_and_starts_again() {
    on_the_page_of(Board::start(), |page, board| {
        page.play(Way::Clicks, "6e6d");
        let sfen = page.sfen();
        page.press(".engine .switch");
        page.wait("document.querySelectorAll('.engine .line').length === 3");
        board.kill_engines();
        page.shown(".broken");
        page.wait("document.querySelector('.broken').textContent.includes('killed by signal')");
        assert_eq!((page.sfen(), page.ply()), (sfen.clone(), 1));
        page.press(&format!(".broken {}", button("engines.restart")));
        page.hidden(".broken");
        page.wait("!document.querySelector('.engine .switch').disabled");
        if page.value("document.querySelector('.engine .switch').ariaChecked") == "false" {
            page.press(".engine .switch");
        }
        page.wait("document.querySelectorAll('.engine .line').length === 3");
        // Where the button was, the mouse may be over a line now, whose position is shown then.
        page.point(Way::Clicks, &[".bar .brand"]);
        page.wait_sfen(&sfen);
        page.wait_ply(1);
    });
}

#[test]
fn an_engine_that_crashes_in_a_game_is_said_to_and_the_game_can_go_on() {
    on_the_page_of(Board::scripted("crash"), |page, _| {
        page.press_key("bar.new");
        page.press("dialog [type=submit]");
        page.wait("document.querySelector('.status').textContent === 'Your move'");
        page.start(Way::Clicks, "1f1e");
        page.wait_ply(2);
        page.start(Way::Clicks, "1e1f");
        page.wait("document.querySelector('.status').textContent === 'This engine has stopped.'");
        page.wait("document.querySelector('.status-more').textContent.includes('killed by signal')");
        // It moves as at the start of a game, once it is started again.
        page.press_key("play.takeback");
        page.wait_ply(2);
        page.press_key("play.takeback");
        page.wait_ply(0);
        page.wait("document.querySelector('.status').textContent === 'Your move'");
        page.start(Way::Clicks, "1f1e");
        page.press_key("engines.restart");
        page.wait_ply(2);
    });
}

/// Whether it is said that the connection is lost.
const LOST: &str = "[...document.querySelectorAll('.notice:not([hidden])')]
    .some((each) => each.textContent.includes('does not answer'))";

#[test]
fn a_page_survives_the_end_of_the_program() {
    on_the_page_of(Board::start(), |page, board| {
        page.loses_connection = true;
        page.play(Way::Clicks, "6e6d");
        page.play(Way::Clicks, "1b1c");
        let sfen = page.sfen();
        board.kill();
        page.wait(LOST);
        assert_eq!(page.sfen(), sfen);
        // What was done before is not said to be undone.
        assert_eq!(page.value("document.querySelectorAll('.notice:not([hidden])').length"), 1);
        // One can look around, but nothing can be moved.
        page.press_key("nav.previous");
        page.wait_ply(1);
        page.press_key("nav.next");
        page.wait_ply(2);
        board.restart();
        // The program opens its address in a new tab. That lets the old one in again, too.
        let old = page.window();
        let new = page.new_tab();
        page.go_to(&board.url);
        assert_eq!((page.sfen(), page.ply()), (sfen.clone(), 2));
        page.switch_to(&old);
        page.wait(&format!("!{LOST}"));
        page.play(Way::Clicks, "5f5e");
        page.switch_to(&new);
        page.wait_ply(3);
    });
}

#[test]
fn a_comment_that_is_written_while_the_program_is_away_is_kept() {
    on_the_page_of(Board::start(), |page, board| {
        page.loses_connection = true;
        page.play(Way::Clicks, "6e6d");
        board.kill();
        page.wait(LOST);
        page.fill("textarea.comment", "a thought");
        page.press_key("nav.previous");
        page.wait_ply(0);
        board.restart();
        // A new tab's cookie lets the old one in again, too.
        let old = page.window();
        page.new_tab();
        page.go_to(&board.url);
        page.switch_to(&old);
        page.wait(&format!("!{LOST}"));
        page.press_key("nav.next");
        page.wait_ply(1);
        page.wait("document.querySelector('textarea.comment').value === 'a thought'");
        page.wait("document.querySelector('.move-comment:not([hidden])')?.textContent === 'a thought'");
    });
}
