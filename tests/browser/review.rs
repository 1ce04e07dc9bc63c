//! A review, and learning from it.

use fantoccini::key::Key;

use crate::hands::Way;
use crate::on_the_page;
use crate::page::{Page, button};
use crate::server::link;
use crate::views::{BLUNDER, begin_review, panel, paste_blunder, review, wait_review};

/// Begins a review, does something else, and waits for its end.
fn meanwhile(page: &Page, action: impl Fn()) {
    paste_blunder(page);
    begin_review(page, "quick");
    action();
    wait_review(page);
}

#[test]
#[ignore = "needs chromedriver"]
fn a_review_that_ends_leaves_the_editor_open() {
    on_the_page(|page| {
        meanwhile(page, || {
            page.press_key("bar.edit");
            page.choose(".editor select", "6/6/6/6/6/6 b - 1");
        });
        page.wait_sfen("6/6/6/6/6/6 b - 1");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_review_that_ends_lets_one_write_on() {
    on_the_page(|page| {
        meanwhile(page, || {
            panel(page, "moves");
            page.fill("textarea.comment", "a tho");
        });
        let written =
            "((field) => field === document.activeElement && field.value)(document.querySelector('.comment'))";
        assert_eq!(page.value(written), "a tho");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn what_is_opened_after_a_review_has_its_moves() {
    on_the_page(|page| {
        let has_moves = || {
            page.shown(".tree");
            page.shown("textarea.comment");
            page.play(Way::Clicks, "6e6d");
            page.shown(".move[data-ply='1']");
        };
        let after_review = |action: &dyn Fn()| {
            paste_blunder(page);
            review(page);
            page.hidden(".tree");
            action();
            page.wait_moves(0);
            has_moves();
        };
        after_review(&|| page.press_key("open.fresh"));
        after_review(&|| {
            page.edit("rbnsgk/5p/6/6/P5/KGSNBR b - 1");
            page.press_key("editor.done");
        });
        // Another page does the same, and the list of a file keeps the tabs.
        page.paste(&format!("{BLUNDER}\nstartpos\n"));
        page.press("#tab-moves");
        page.wait("document.querySelector(\"[data-ply='2']\")");
        review(page);
        page.run(&link(
            "other({ type: 'openGame', id: 1, game: Number(document.querySelectorAll('.game-row')[1].dataset.game) });",
        ));
        page.wait_moves(0);
        page.shown("#tab-moves[aria-selected='true']");
        has_moves();
        // In a narrow window the tab has the curve, too; a wide one shows that beside the moves.
        page.paste("startpos moves 6e6d 1b1c");
        page.resize(390, 844);
        page.press("#tab-review");
        page.hidden(".tree");
        page.resize(1280, 800);
        has_moves();
    });
}

mod site_too {
    use super::*;

    #[test]
    #[ignore = "needs chromedriver"]
    fn a_blunder_is_found_shown_explained_and_can_be_played_better() {
        on_the_page(|page| {
            page.press_key("prefs.title");
            page.press("[data-tip='prefs.notation'] button:last-child");
            page.press("dialog [data-tip='close']");
            paste_blunder(page);
            page.key(Key::End);
            page.play(Way::Clicks, "6e6d");
            review(page);
            page.shown(".found-card .mark.mark-blunder");
            page.shown(".curve .dot.mark-blunder");
            page.wait("document.querySelector('.curve-line').getAttribute('d').startsWith('M')");
            // Every sign is explained.
            let explained = |words: &str| {
                page.wait(&format!("document.querySelector('.found-card p').innerText.includes('{words}')"));
            };
            explained("□ Only move");
            page.press_key("bar.language");
            explained("□ この一手");
            page.press_key("bar.language");
            explained("□ Only move");
            page.press(".found-card .found");
            page.wait_ply(1);
            page.wait("document.querySelector('.learn-start').title.includes('Black')");
            page.press(".learn-start");
            page.wait("document.querySelector('.said:not([hidden]) p').textContent.startsWith('Black played')");
            page.wait_ply(0);
            page.start(Way::Clicks, "1f1b+");
            page.answer(Way::Keys, true);
            page.shown(".said.bad");
            // The move is not in the tree, from which this would take another one.
            page.key_with(Key::Control, 'z');
            page.press_key("problem.retry");
            page.press_key("problem.show");
            let best =
                page.wait("document.querySelector('.said:not([hidden]) p').textContent.match(/^Best is (\\S+)/)?.[1]");
            let best = best.as_str().expect("it is text");
            page.wait("document.querySelector('.arrows').childElementCount");
            page.start(Way::Clicks, best);
            if page.asks_promotion() {
                page.answer(Way::Keys, best.ends_with('+'));
            }
            page.shown(".said.good");
            // The tree has not changed.
            assert_eq!(page.value("document.querySelectorAll('.move').length"), 3);
            page.press_key("problem.leave");
            page.hidden(&button("problem.leave"));
            // An exercise waits while a position is set up.
            panel(page, "review");
            page.press(".learn-start");
            page.press_key("bar.edit");
            page.shown(".editor");
            page.hidden(".said");
            page.press_key("cancel");
            page.shown(".said");
        });
    }
}
