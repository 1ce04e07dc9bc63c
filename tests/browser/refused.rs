//! Explanations of presses on the board that do nothing.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::{Way, in_hand, square};
use crate::page::Page;
use crate::server::Board;
use crate::views::resign;
use crate::{on_the_page, on_the_page_of};

/// The rook on 6a gives check. The gold and a pawn from hand can stop it, the silver cannot.
const CHECK: &str = "r4k/6/6/6/6/KG3S b P 1";
const CHECK_WORDS: &str = "You are in check from the rook on 6a. This does not stop it.";

/// Waits until this is said where screen readers hear it, and these squares are marked.
fn says(page: &Page, words: &str, marks: &[&str]) {
    page.becomes("document.querySelector('[role=status] .refusal:not([hidden])')?.textContent", words);
    page.becomes("[...document.querySelectorAll('.cell.cause')].map((cell) => cell.dataset.square)", json!(marks));
}

/// Whether nothing is said, and nothing marked.
pub fn is_silent(page: &Page) -> bool {
    !page.is_shown(".refusal") && !page.is_shown(".cell.cause")
}

/// Presses a square, in one of the ways to.
fn press(page: &Page, way: Way, name: &str) {
    if way == Way::Keys {
        page.focus_board();
        page.walk_to(name);
        page.key(Key::Enter);
    } else {
        page.point(way, &[&square(name)]);
    }
}

#[test]
#[ignore = "needs chromedriver"]
fn in_check_a_piece_that_cannot_help_says_so() {
    on_the_page(|page| {
        page.paste(CHECK);
        page.shown(".cell.check");
        for way in [Way::Clicks, Way::Taps, Way::Keys] {
            press(page, way, "1f");
            says(page, CHECK_WORDS, &["6a", "6f"]);
            // Picking up another piece ends it.
            press(page, way, "5f");
            page.shown(&format!("{}.target", square("6e")));
            assert!(is_silent(page), "{way:?}");
            // The gold can go there, and it is no help.
            press(page, way, "4f");
            says(page, CHECK_WORDS, &["6a", "6f"]);
            press(page, way, "5f");
            press(page, way, "5f");
        }
        page.start(Way::MouseDrag, "5f5e");
        says(page, CHECK_WORDS, &["6a", "6f"]);
        page.press_key("bar.language");
        press(page, Way::Clicks, "1f");
        says(page, "6一の飛車の王手です。これでは防げません。", &["6a", "6f"]);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn pieces_that_cannot_move_go_there_or_be_dropped_say_why() {
    on_the_page(|page| {
        for (sfen, name, words, marks) in [
            ("r4k/6/6/6/N5/K5 b - 1", "6e", "Pinned: you would be in check from the rook on 6a.", &["6a", "6f"][..]),
            ("5k/6/2b3/6/4P1/5K b - 1", "2e", "Pinned: you would be in check from the bishop on 4c.", &["4c", "1f"]),
            ("5k/4r1/6/6/r5/G4K b - 1", "1f", "The king has no safe square.", &["2b", "6e", "1f"]),
            ("5k/6/6/6/PP4/KG4 b - 1", "6f", "The king has no square to go to.", &[]),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "1b", "Black to move: this is White’s piece.", &[]),
            ("rbnsgk/5p/6/6/P5/KGSNBR w - 1", "6e", "White to move: this is Black’s piece.", &[]),
        ] {
            page.paste_position(sfen);
            press(page, Way::Clicks, name);
            says(page, words, marks);
        }
        // A press on an empty square is not refused, nor does it answer for the one before.
        page.press_key("nav.flip");
        page.paste(CHECK);
        page.shown(".cell.check");
        assert!(is_silent(page));
        press(page, Way::Clicks, "3c");
        assert!(is_silent(page));
        page.press_key("nav.flip");
        // On squares that a piece cannot go to.
        let start = "4gk/6/6/P5/6/K1R1S1 b NP 1";
        page.paste_position(start);
        for (way, mv, words, marks) in [
            (Way::Clicks, "4f1c", "The rook does not move there.", &[][..]),
            (Way::MouseDrag, "4f2f", "Your own piece stands there.", &[]),
            (Way::TouchDrag, "4f1f", "Another piece is in the way.", &[]),
            (Way::Clicks, "P*6b", "You have an unpromoted pawn on that file (nifu).", &["6d"]),
            (Way::MouseDrag, "P*2a", "Pieces are dropped on empty squares.", &[]),
            (Way::Keys, "N*4b", "A knight there could never move.", &[]),
            (Way::Taps, "P*5a", "A pawn there could never move.", &[]),
        ] {
            page.start(way, mv);
            says(page, words, marks);
            assert_eq!(page.sfen(), start);
        }
        let mate = "4nk/6/4G1/6/6/K5 b P 1";
        page.paste_position(mate);
        page.start(Way::Clicks, "P*1b");
        says(page, "A dropped pawn must not give mate.", &["1a"]);
        let start = "5k/3r2/6/6/6/2K3 b - 1";
        page.paste_position(start);
        page.start(Way::MouseDrag, "4f3f");
        says(page, "The king would be in check from the rook on 3b.", &["3b", "4f"]);
        // In hand.
        let start = "r4k/6/6/6/G5/K5 b Pp 1";
        page.paste_position(start);
        page.point(Way::Clicks, &[&in_hand("white", 'P')]);
        says(page, "Black to move: this is White’s piece.", &[]);
        page.point(Way::Taps, &[&in_hand("white", 'P')]);
        says(page, "Black to move: this is White’s piece.", &[]);
        page.focus_board();
        page.key('r');
        says(page, "No rook in hand.", &[]);
        // A knight's check cannot be blocked.
        let start = "5k/6/6/1n4/6/K5 b P 1";
        page.paste_position(start);
        let words = "You are in check from the knight on 5d. This does not stop it.";
        page.point(Way::Clicks, &[&in_hand("black", 'P')]);
        says(page, words, &["5d", "6f"]);
        page.focus_board();
        page.key('p');
        says(page, words, &["5d", "6f"]);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn pressing_out_of_turn_says_whose_turn_it_is() {
    on_the_page_of(Board::scripted("stall"), |page, _| {
        page.press_key("bar.new");
        page.press_key("new.clock.calm");
        page.press("dialog [type=submit]");
        page.wait("document.querySelector('.status').textContent === 'Your move'");
        page.start(Way::Clicks, "1f1e");
        page.wait_ply(2);
        page.wait("document.querySelector('.status').textContent === 'Your move'");
        page.start(Way::Clicks, "1e1f");
        page.wait("document.querySelector('.status').textContent.endsWith('is thinking…')");
        press(page, Way::Clicks, "1b");
        says(page, &page.text("document.querySelector('.status').textContent"), &[]);
        page.key(Key::Left);
        page.wait("document.querySelector('.status').textContent === 'You are looking back.'");
        assert!(is_silent(page));
        press(page, Way::Clicks, "6f");
        says(page, "You are looking back.", &[]);
        resign(page);
    });
}
