//! Messages after the end of an engine or of the program, and the address for other devices.

use std::process::Command;

use crate::hands::Way;
use crate::on_the_page_of;
use crate::page::button;
use crate::server::Board;

#[test]
#[ignore = "needs chromedriver"]
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
#[ignore = "needs chromedriver"]
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

/// Whether it is said that the program is away.
const LOST: &str = "document.querySelector('.outage').checkVisibility()";

#[test]
#[ignore = "needs chromedriver"]
fn a_page_and_a_comment_written_in_it_survive_the_end_of_the_program() {
    on_the_page_of(Board::start(), |page, board| {
        page.loses_connection = true;
        page.play(Way::Clicks, "6e6d");
        page.play(Way::Clicks, "1b1c");
        let sfen = page.sfen();
        board.kill();
        page.wait(LOST);
        assert_eq!(page.sfen(), sfen);
        // Earlier actions are not reported as undone.
        assert_eq!(page.value("document.querySelectorAll('.notice:not([hidden])').length"), 0);
        // One can write and look around, but nothing can be moved.
        page.fill("textarea.comment", "a thought");
        page.press_key("nav.previous");
        page.wait_ply(1);
        page.press_key("nav.next");
        page.wait_ply(2);
        board.restart();
        // The program opens its address in a new tab. That lets the old one in again, too.
        let old = page.window();
        let new = page.new_tab(&board.url);
        page.wait_sfen(&sfen);
        page.wait_ply(2);
        page.switch_to(&old);
        page.wait(&format!("!{LOST}"));
        page.play(Way::Clicks, "5f5e");
        page.press_key("nav.previous");
        page.wait_ply(2);
        page.wait("document.querySelector('textarea.comment').value === 'a thought'");
        page.press_key("nav.next");
        page.wait_ply(3);
        let is_kept = "document.querySelector('.move-comment:not([hidden])')?.textContent === 'a thought'";
        page.wait(is_kept);
        page.switch_to(&new);
        page.wait_ply(3);
        page.wait(is_kept);
    });
}

/// Whether it is said that the address of this page is an old one.
const REFUSED: &str = "document.querySelector(\".outage:not([hidden]) [data-t='connection.refused.do']\")";

#[test]
#[ignore = "needs chromedriver"]
fn after_a_restart_an_old_page_says_what_to_do_until_the_new_address_is_opened() {
    on_the_page_of(Board::start(), |page, board| {
        page.loses_connection = true;
        page.play(Way::Clicks, "6e6d");
        let old = page.window();
        let old_url = board.url.clone();
        board.kill();
        page.wait(LOST);
        board.restart();
        page.wait(REFUSED);
        let words = "document.querySelector('.outage').textContent";
        page.wait(&format!("{words}.startsWith('The program was restarted')"));
        // It covers nothing, and follows the language.
        let [end, start] = [".outage", ".plate-top"]
            .map(|selector| page.value(&format!("document.querySelector('{selector}').getBoundingClientRect()")));
        assert!(end["bottom"].as_f64() <= start["top"].as_f64(), "{end} {start}");
        page.press_key("bar.language");
        page.wait(&format!("{words}.startsWith('プログラムが再起動され')"));
        page.press_key("bar.language");
        // Reloaded, it is a page that says the same.
        page.visit(&old_url);
        assert_eq!(page.value("document.querySelector('h1').textContent"), "This address does not open the board");
        assert_eq!(
            page.value("getComputedStyle(document.querySelector('h1')).fontSize"),
            "22px",
            "its style is let in"
        );
        assert_eq!(page.value("document.documentElement.scrollWidth <= innerWidth"), true);
        // The new address works in every tab, whatever the tab's own address.
        let new = page.new_tab(&board.url);
        page.switch_to(&old);
        page.go_to(&old_url);
        page.wait_ply(1);
        page.play(Way::Clicks, "1b1c");
        page.switch_to(&new);
        page.wait_ply(2);
        assert!(!page.is_shown(".outage"));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_tab_that_was_refused_goes_on_where_the_new_address_is_opened_in_it() {
    on_the_page_of(Board::start(), |page, board| {
        page.loses_connection = true;
        page.resize(375, 667);
        for turn in 0..2 {
            board.kill();
            board.restart();
            page.wait(REFUSED);
            page.go_to(&board.url);
            page.hidden(".outage");
            page.reload();
            page.play(Way::Taps, ["6e6d", "1b1c"][turn]);
        }
    });
}

#[test]
#[ignore = "needs chromedriver and zbarimg"]
fn the_qr_code_opens_the_board_on_another_device() {
    let folder = tempfile::tempdir().expect("there is room");
    on_the_page_of(Board::listening("127.0.0.2"), |page, board| {
        page.press_key("bar.share");
        page.press("dialog summary");
        page.wait("document.querySelector('dialog .code')?.naturalWidth");
        let picture = folder.path().join("code.png");
        std::fs::write(&picture, page.picture_of("dialog .code")).expect("there is room");
        let read = Command::new("zbarimg").args(["--quiet", "--raw"]).arg(&picture).output().expect("zbarimg starts");
        let url = String::from_utf8_lossy(&read.stdout).trim().to_owned();
        assert_eq!(url, board.url.replace("127.0.0.1", "127.0.0.2"));
        page.press("dialog [data-tip='close']");
        page.go_to(&url);
        page.play(Way::Clicks, "6e6d");
    });
}
