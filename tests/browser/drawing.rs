//! Arrows and circles on the board, and the sounds of moves.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::Way;
use crate::on_the_page;
use crate::page::Page;

/// Waits until this number of drawn arrows and circles is on the board.
fn wait_shapes(page: &Page, arrows: usize, circles: usize) {
    page.wait(&format!(
        "document.querySelectorAll('.arrows g[class*=drawn]').length === {arrows}\
            && document.querySelectorAll('.arrows .circle').length === {circles}"
    ));
}

#[test]
#[ignore = "needs chromedriver"]
fn what_is_drawn_stays_with_its_move() {
    on_the_page(|page| {
        page.play(Way::Clicks, "6e6d");
        page.fill("textarea.comment", "Look here.");
        page.draw(Way::Clicks, "1b", "1c");
        wait_shapes(page, 1, 0);
        page.draw(Way::Taps, "3a", "4c");
        page.draw(Way::Taps, "6d", "6d");
        wait_shapes(page, 2, 1);
        // A long press on a piece has not picked it up.
        assert_eq!(page.value("document.querySelectorAll('.cell.selected').length"), 0);
        page.focus_board();
        page.walk_to("4f");
        page.key('d');
        page.walk_to("4e");
        page.key('D');
        wait_shapes(page, 3, 1);
        // Escape ends one that was begun, and so does another move.
        page.key('d');
        wait_shapes(page, 3, 2);
        page.key(Key::Escape);
        wait_shapes(page, 3, 1);
        page.key('d');
        wait_shapes(page, 3, 2);
        page.press_key("nav.previous");
        wait_shapes(page, 0, 0);
        page.press_key("nav.next");
        wait_shapes(page, 3, 1);
        page.reload();
        wait_shapes(page, 3, 1);
        let comment = "document.querySelector('.move-comment:not([hidden])')?.textContent === 'Look here.'";
        page.wait(comment);
        // A format that keeps comments keeps them.
        page.press_key("bar.share");
        page.press("[data-format='pgn']");
        let text = page.wait("document.querySelector('dialog textarea').value.match(/Look[^}]*(?=})/)?.[0]");
        assert_eq!(text, "Look here. [%csl G6d] [%cal G1b1c,G3a4c,R4f4e]");
        let record = page.text("document.querySelector('dialog textarea').value");
        page.press("dialog [data-tip='close']");
        page.paste("startpos");
        page.paste(&record);
        page.press_key("nav.last");
        wait_shapes(page, 3, 1);
        // The same again takes it away.
        page.draw(Way::Clicks, "1b", "1c");
        page.draw(Way::Clicks, "6d", "6d");
        wait_shapes(page, 2, 0);
        page.wait(comment);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn moves_are_silent_until_sounds_are_wanted() {
    on_the_page(|page| {
        let count = "window.tones = 0; const { start } = OscillatorNode.prototype;\
            OscillatorNode.prototype.start = function (...when) { tones += 1; start.apply(this, when); };";
        page.run(count);
        page.play(Way::Clicks, "1f1e");
        assert_eq!(page.value("tones"), 0);
        page.press_key("prefs.title");
        page.choose("#field-prefs-volume", "50");
        // The choice is heard.
        page.wait("tones === 1");
        page.press("dialog [data-tip='close']");
        // A capture, and the check that it gives, have two tones each.
        for (mv, tones) in [("1b1c", 2), ("1e1c", 6), ("1a2b", 7)] {
            page.play(Way::Clicks, mv);
            page.wait(&format!("tones === {tones}"));
        }
        // A move that is taken back is no other capture.
        for tones in [8, 9] {
            page.press_key("nav.previous");
            page.wait(&format!("tones === {tones}"));
        }
        let settings = page.value("JSON.parse(localStorage['judkins-board']).volume");
        assert_eq!(settings, json!(50));
    });
}
