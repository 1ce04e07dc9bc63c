//! Typed moves, walking through moves with the wheel, undo, and the messages about them.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::Way;
use crate::on_the_page;
use crate::page::Page;

/// Types a move into the field and waits until it is played.
fn enter(page: &Page, text: &str) {
    page.key('m');
    page.wait("document.activeElement.matches('.typed input')");
    page.key_with(Key::Control, 'a');
    page.type_text(text);
    page.key(Key::Enter);
}

#[test]
#[ignore = "needs chromedriver"]
fn moves_are_typed_in_every_notation_and_said_with_their_origin() {
    on_the_page(|page| {
        for (ply, (text, said)) in [
            ("P-6d", "Black: pawn from 6e to 6d"),
            ("1b1c", "White: pawn from 1b to 1c"),
            ("５五金", "Black: gold from 5f to 5e"),
            ("Ge5", "White: gold from 2a to 2b"),
        ]
        .into_iter()
        .enumerate()
        {
            if ply > 0 {
                page.wait("document.activeElement.blur() ?? true");
            }
            enter(page, text);
            page.wait_ply(ply as u64 + 1);
            page.becomes("document.querySelector('.voice').textContent", said);
            page.wait("document.querySelector('.typed input').value === ''");
        }
        // A refused text is announced, and stays to be corrected.
        for (text, said) in [
            ("hello", "“hello” is not a move: type P-6d, 6e6d or ６四歩."),
            ("6d6b", "The pawn does not move there."),
            ("3d3c", "Nothing stands on 3d."),
        ] {
            page.wait("document.activeElement.blur() ?? true");
            enter(page, text);
            let words = format!(
                "[...document.querySelectorAll('.notices[role=status] .notice:not([hidden])')]\
                    .some((notice) => notice.textContent === {})",
                json!(said)
            );
            page.wait(&words);
            page.becomes("document.querySelector('.typed input').value", text);
        }
        assert_eq!(page.ply(), 4);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn the_last_edits_are_taken_back_with_a_key_and_the_wheel_walks_through_the_moves() {
    on_the_page(|page| {
        page.play(Way::Clicks, "6e6d");
        page.press("[data-tip='mark.!']");
        page.shown(".move .mark-good");
        page.wait("document.activeElement.blur() ?? true");
        page.key_with(Key::Control, 'z');
        page.wait("!document.querySelector('.move .mark-good')");
        page.key_with(Key::Control, 'z');
        page.wait_moves(0);
        page.wait("document.querySelector('.notices').textContent.includes('Undone.')");
        page.key_with(Key::Control, 'z');
        page.wait("document.querySelector('.notice.trouble').textContent === 'There is nothing to undo.'");
        // The wheel over the board.
        let turn = |delta: i32| {
            let (x, y) = page.centre(".board");
            let event = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": delta});
            page.developer("Input.dispatchMouseEvent", event);
        };
        page.play(Way::Clicks, "6e6d");
        page.play(Way::Clicks, "1b1c");
        turn(-120);
        page.wait_ply(1);
        turn(-120);
        page.wait_ply(0);
        // Fingers turn it in small steps.
        (0..5).for_each(|_| turn(10));
        page.wait_ply(1);
        turn(120);
        page.wait_ply(2);
    });
}
