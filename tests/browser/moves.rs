//! Promotions and drops.

use fantoccini::key::Key;

use crate::hands::{Way, in_hand, square};
use crate::on_the_page;

#[test]
#[ignore = "needs chromedriver"]
fn a_promotion_is_asked_for_at_the_square() {
    on_the_page(|page| {
        let start = "5k/1R4/6/6/6/K5 b - 1";
        page.paste(start);
        for (way, promotes, after) in [
            (Way::Clicks, true, "1+R3k/6/6/6/6/K5 w - 2"),
            (Way::Taps, false, "1R3k/6/6/6/6/K5 w - 2"),
            (Way::Keys, true, "1+R3k/6/6/6/6/K5 w - 2"),
            (Way::Keys, false, "1R3k/6/6/6/6/K5 w - 2"),
        ] {
            page.start(way, "5b5a");
            page.shown(".promotion");
            let boxes = page.value(
                "['.promotion', '[data-square=\"5a\"]']\
                    .map((each) => document.querySelector(each).getBoundingClientRect())\
                    .map(({ left, right, top, bottom }) => [left, right, top, bottom])",
            );
            let side = |element: usize, side: usize| boxes[element][side].as_f64().expect("it is a number");
            assert!(
                side(0, 0) <= side(1, 0) && side(0, 1) >= side(1, 1) && side(0, 2) < side(1, 3),
                "{way:?}: {boxes}"
            );
            page.answer(way, promotes);
            page.wait_sfen(after);
            page.wait_ply(1);
            page.key(Key::Home);
            page.run("document.activeElement.blur();", vec![]);
            page.key(Key::Home);
            page.wait_sfen(start);
        }
        page.start(Way::Clicks, "5b5a");
        page.key(Key::Escape);
        page.hidden(".promotion");
        assert_eq!(page.sfen(), start);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn escape_puts_a_piece_back_that_was_picked_up_with_the_mouse() {
    on_the_page(|page| {
        page.point(Way::Clicks, &[&square("6e")]);
        page.shown(".cell.selected");
        page.key(Key::Escape);
        page.hidden(".cell.selected");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn the_cursor_of_the_keyboard_stays_where_it_was_left() {
    on_the_page(|page| {
        page.key('b');
        page.key(Key::Left);
        let cursor = "document.querySelector('.cell.cursor')?.dataset.square";
        page.wait(cursor);
        let left = page.value(cursor);
        assert_ne!(left, "3d");
        page.run("document.activeElement.blur();", vec![]);
        page.hidden(".cell.cursor");
        page.key('b');
        page.becomes(cursor, left);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_promotion_is_not_asked_for_where_there_is_no_choice() {
    on_the_page(|page| {
        // A pawn must promote on the last rank, outside the zone it cannot, and a gold never does.
        for (start, mv, after) in [
            ("5k/P5/6/6/6/K5 b - 1", "6b6a", "+P4k/6/6/6/6/K5 w - 2"),
            ("5k/6/6/P5/6/K5 b - 1", "6d6c", "5k/6/P5/6/6/K5 w - 2"),
            ("5k/G5/6/6/6/K5 b - 1", "6b6a", "G4k/6/6/6/6/K5 w - 2"),
        ] {
            page.paste(start);
            page.wait_sfen(start);
            page.start(Way::Clicks, mv);
            assert!(!page.asks_promotion(), "{start}");
            page.wait_sfen(after);
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn pieces_are_dropped_from_the_hand_where_they_may_be() {
    on_the_page(|page| {
        page.paste("5k/6/6/6/6/K5 b 2RP 1");
        page.shown(&in_hand("black", 'P'));
        // Not onto pieces, and a pawn not onto the last rank.
        for (kind, targets) in [('R', 34), ('P', 29)] {
            for count in [targets, 0] {
                page.point(Way::Clicks, &[&in_hand("black", kind)]);
                page.becomes("document.querySelectorAll('.cell.target').length", count);
            }
        }
        let count = "document.querySelector('[data-hand=R][data-color=black] .hand-count').textContent";
        page.becomes(count, "2");
        page.play(Way::Clicks, "R*4d");
        page.wait_sfen("5k/6/6/2R3/6/K5 w RP 2");
        page.becomes(count, "");
        page.play(Way::MouseDrag, "1a2a");
        page.play(Way::TouchDrag, "P*3c");
        page.hidden(&in_hand("black", 'P'));
        page.play(Way::Clicks, "2a1a");
        page.play(Way::Keys, "R*2f");
        page.wait_sfen("5k/6/3P2/2R3/6/K3R1 w - 6");
        page.hidden(&in_hand("black", 'R'));
        page.shown(&square("2f"));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_question_whether_to_promote_ends_with_its_position() {
    on_the_page(|page| {
        page.paste("5k/1R4/6/6/6/K5 b - 1");
        page.start(Way::Clicks, "5b5a");
        page.shown(".promotion");
        page.press_key("nav.flip");
        page.hidden(".promotion");
        page.press_key("nav.flip");
        page.start(Way::Clicks, "5b5a");
        page.shown(".promotion");
        page.paste("5k/6/6/6/6/K5 b R 1");
        page.hidden(".promotion");
    });
}

/// Positions with a promotion to be asked for: in the middle, and at an edge, where the answers lie elsewhere.
const PROMOTIONS: [(&str, &str); 2] = [("5k/1R4/6/6/6/K5 b - 1", "5b5a"), ("5k/R5/6/6/6/1K4 b - 1", "6b6a")];

#[test]
#[ignore = "needs chromedriver"]
fn a_double_click_that_moves_a_piece_does_not_answer_whether_it_promotes() {
    on_the_page(|page| {
        for (start, mv) in PROMOTIONS {
            for way in [Way::Clicks, Way::Taps] {
                page.paste(start);
                page.wait_sfen(start);
                page.point(way, &[&square(&mv[..2])]);
                page.shown(&format!("{}.target", square(&mv[2..])));
                let now = page.now();
                for (count, seconds) in [(1, 0.0), (2, 0.1), (3, 0.2)] {
                    page.press_at(way, &square(&mv[2..]), now + seconds, count);
                    assert!(page.asks_promotion(), "{start} {way:?}: press {count} is no answer");
                    assert_eq!(page.sfen(), start);
                }
                page.answer(way, false);
                page.wait_ply(1);
                assert!(!page.sfen().contains("+R"), "{start} {way:?}");
            }
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_press_where_the_piece_was_put_down_answers_a_moment_later() {
    on_the_page(|page| {
        let (start, mv) = PROMOTIONS[1];
        for way in [Way::MouseDrag, Way::TouchDrag] {
            let press = if way == Way::MouseDrag { Way::Clicks } else { Way::Taps };
            page.paste(start);
            page.start(way, mv);
            page.shown(".promotion");
            // At the edge, the square of the move is that of an answer.
            let now = page.now();
            page.press_at(press, ".promotion button:first-child", now + 5.0, 1);
            page.wait_ply(1);
            assert!(page.sfen().starts_with("+R"), "{way:?}");
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_key_that_is_held_down_does_not_answer_whether_a_piece_promotes() {
    on_the_page(|page| {
        let (start, mv) = PROMOTIONS[0];
        for key in ["Enter", " "] {
            page.paste(start);
            page.wait_sfen(start);
            page.focus_board();
            page.walk_to(&mv[..2]);
            page.key(Key::Enter);
            page.shown(&format!("{}.target", square(&mv[2..])));
            page.walk_to(&mv[2..]);
            page.hold_key(key);
            assert!(page.asks_promotion(), "'{key}'");
            assert_eq!(page.sfen(), start);
            // A fresh press is an answer.
            page.key(if key == "Enter" { Key::Enter } else { Key::Space });
            page.wait_ply(1);
            page.wait_sfen("1+R3k/6/6/6/6/K5 w - 2");
        }
    });
}
