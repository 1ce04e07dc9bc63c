//! Promotions and drops.

use fantoccini::key::Key;

use crate::hands::{Way, in_hand, square};
use crate::on_the_page;
use crate::refused::is_silent;

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
            page.run("document.activeElement.blur();");
            page.key(Key::Home);
            page.wait_sfen(start);
        }
        page.start(Way::Clicks, "5b5a");
        page.shown(".promotion");
        let visibility = page.text("getComputedStyle(document.querySelector('.area .arrows')).visibility");
        assert_eq!(visibility, "hidden", "arrows would cover the answers");
        page.key(Key::Escape);
        page.hidden(".promotion");
        assert_eq!(page.sfen(), start);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn the_cursor_stays_where_it_was_left_enter_is_answered_and_escape_puts_a_piece_back() {
    on_the_page(|page| {
        page.key('b');
        page.key(Key::Left);
        let cursor = "document.querySelector('.cell.cursor')?.dataset.square";
        page.wait(cursor);
        let left = page.value(cursor);
        assert_ne!(left, "3d");
        page.run("document.activeElement.blur();");
        page.hidden(".cell.cursor");
        page.key('b');
        page.becomes(cursor, left);
        // There is nothing to pick up on an empty square.
        page.focus_board();
        page.walk_to("4c");
        page.key(Key::Enter);
        page.wait("document.querySelector('.refusal').textContent === 'Nothing stands on 4c.'");
        // A piece that was picked up with the mouse, with the focus elsewhere.
        page.run("document.activeElement.blur();");
        page.point(Way::Clicks, &[&square("6e")]);
        page.shown(".cell.selected");
        page.key(Key::Escape);
        page.hidden(".cell.selected");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn no_promotion_is_asked_for_without_a_choice_and_drops_go_where_they_may() {
    on_the_page(|page| {
        // A pawn must promote on the last rank, outside the zone it cannot, and a gold never does.
        for (start, mv, after) in [
            ("5k/P5/6/6/6/K5 b - 1", "6b6a", "+P4k/6/6/6/6/K5 w - 2"),
            ("5k/6/6/P5/6/K5 b - 1", "6d6c", "5k/6/P5/6/6/K5 w - 2"),
            ("5k/G5/6/6/6/K5 b - 1", "6b6a", "G4k/6/6/6/6/K5 w - 2"),
        ] {
            page.paste_position(start);
            page.start(Way::Clicks, mv);
            assert!(!page.asks_promotion(), "{start}");
            page.wait_sfen(after);
        }
        // Pieces from the hand.
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

/// Positions with a promotion to be asked for: in the middle, and at an edge, where the answers lie elsewhere.
const PROMOTIONS: [(&str, &str); 2] = [("5k/1R4/6/6/6/K5 b - 1", "5b5a"), ("5k/R5/6/6/6/1K4 b - 1", "6b6a")];

#[test]
#[ignore = "needs chromedriver"]
fn a_question_whether_to_promote_waits_for_a_fresh_press_and_ends_with_its_position() {
    on_the_page(|page| {
        for (start, mv) in PROMOTIONS {
            for way in [Way::Clicks, Way::Taps] {
                page.paste_position(start);
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
        // A key that is held down does not answer either.
        let (start, mv) = PROMOTIONS[0];
        for key in ["Enter", " "] {
            page.paste_position(start);
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
        // Another position ends the question.
        page.paste_position(PROMOTIONS[0].0);
        page.start(Way::Clicks, "5b5a");
        page.shown(".promotion");
        page.press_key("nav.flip");
        page.hidden(".promotion");
        page.press_key("nav.flip");
        page.start(Way::Clicks, "5b5a");
        page.shown(".promotion");
        page.paste("5k/6/6/6/6/K5 b R 1");
        page.hidden(".promotion");
        // Where nothing is asked, the second press of a double click is not refused.
        let start = "5k/6/6/P5/6/K5 b - 1";
        page.paste_position(start);
        page.point(Way::Clicks, &[&square("6d")]);
        page.shown(&format!("{}.target", square("6c")));
        let now = page.now();
        page.press_at(Way::Clicks, &square("6c"), now, 1);
        page.press_at(Way::Clicks, &square("6c"), now + 0.1, 2);
        page.wait_ply(1);
        assert!(is_silent(page));
        // A press where the piece was put down answers a moment later. Its times are ahead of the clock: later parts
        // would go back in time.
        let (start, mv) = PROMOTIONS[1];
        for way in [Way::MouseDrag, Way::TouchDrag] {
            let press = if way == Way::MouseDrag { Way::Clicks } else { Way::Taps };
            page.paste_position(start);
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
