//! Setting up a position.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::{Way, square};
use crate::page::button;
use crate::server::Board;
use crate::{on_the_page, on_the_page_of};

#[test]
#[ignore = "needs chromedriver"]
fn a_position_is_set_up_piece_by_piece() {
    on_the_page(|page| {
        page.press_key("bar.edit");
        page.choose(".editor select", "6/6/6/6/6/6 b - 1");
        page.wait_sfen("6/6/6/6/6/6 b - 1");
        // A choice of what is there already is no edit to undo.
        page.choose(".editor select", "6/6/6/6/6/6 b - 1");
        page.key_with(Key::Control, 'z');
        page.wait_sfen("rbnsgk/5p/6/6/P5/KGSNBR b - 1");
        page.choose(".editor select", "6/6/6/6/6/6 b - 1");
        page.wait_sfen("6/6/6/6/6/6 b - 1");
        let put = |brush: &str, name: &str| {
            page.press(&format!("[data-brush='{brush}']"));
            page.point(Way::Clicks, &[&square(name)]);
        };
        // An impossible position is said to be one, in words, and cannot be used.
        page.wait("document.querySelector('.problems li')?.textContent.includes('king')");
        page.becomes(&format!("document.querySelector({}).disabled", json!(button("editor.done"))), true);
        put("K", "6f");
        put("k", "1a");
        put("+R", "3c");
        put("s", "2b");
        put("P", "6d");
        put("erase", "6d");
        page.wait_sfen("5k/4s1/3+R2/6/6/K5 b - 1");
        page.press("[data-brush='move']");
        page.point(Way::MouseDrag, &[&square("3c"), &square("4d")]);
        page.point(Way::MouseDrag, &[&square("2b"), ".bar .brand"]);
        page.wait_sfen("5k/6/6/2+R3/6/K5 b - 1");
        // A double press turns a piece over: the other side's, and promoted again.
        page.point(Way::DoubleClick, &[&square("4d")]);
        page.wait_sfen("5k/6/6/2r3/6/K5 b - 1");
        let hand = |piece: &str, step: &str| {
            page.press(&format!(".counter[aria-label='{piece}'] {}", button(step)));
        };
        hand("Black pawn", "plus");
        hand("Black pawn", "plus");
        hand("Black pawn", "minus");
        hand("White gold", "plus");
        page.press("[data-side='white']");
        page.wait_sfen("5k/6/6/2r3/6/K5 w Pg 1");
        // The rest to White: one rook, one pawn, one gold and the others' pairs.
        page.press(".hand-editor:nth-of-type(2) .link, .hand-editor + .hand-editor .link");
        page.wait_sfen("5k/6/6/2r3/6/K5 w Pr2b2g2s2np 1");
        // Undo takes the rest, or a moved piece, back at once.
        page.key_with(Key::Control, 'z');
        page.wait_sfen("5k/6/6/2r3/6/K5 w Pg 1");
        page.point(Way::MouseDrag, &[&square("4d"), &square("5d")]);
        page.wait_sfen("5k/6/6/1r4/6/K5 w Pg 1");
        page.press_key("keys.undo");
        page.wait_sfen("5k/6/6/2r3/6/K5 w Pg 1");
        page.press(".hand-editor:nth-of-type(2) .link, .hand-editor + .hand-editor .link");
        page.wait_sfen("5k/6/6/2r3/6/K5 w Pr2b2g2s2np 1");
        page.press_key("editor.done");
        page.hidden(".editor");
        page.wait_sfen("5k/6/6/2r3/6/K5 w Pr2b2g2s2np 1");
        page.play(Way::Clicks, "4d4f");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn what_is_wrong_is_said_in_both_languages_and_who_moves_is_chosen_by_keys_alone() {
    on_the_page(|page| {
        // Two pawns of Black are on one file, and the side that has moved is in check.
        page.edit("k5/P5/6/P5/6/K5 b - 1");
        page.press(".editor h2");
        page.wait("document.querySelectorAll('.problems li').length === 1");
        let english = page.text("document.querySelector('.problems').textContent");
        page.press_key("bar.language");
        page.wait("/[ぁ-ん]/.test(document.querySelector('.problems').textContent)");
        assert!(english.is_ascii() || english.contains('’'), "{english}");
        page.fill(".editor input.mono", "k5/6/6/6/6/K5 b 3P 1");
        page.press(".editor h2");
        page.wait("document.querySelector('.problems').textContent.includes('3')");
        page.press_key("cancel");
        page.hidden(".editor");
        page.press_key("bar.language");
        page.wait("document.documentElement.lang === 'en'");
        page.press_key("bar.edit");
        page.tab_to("[data-side='black']");
        page.key(Key::Right);
        page.wait("document.activeElement.matches('[data-side=white][aria-checked=true]')");
        page.wait("document.querySelector('.board').dataset.sfen.includes(' w ')");
        // The same holds in the dialogs.
        page.press_key("prefs.title");
        page.tab_to(".piece-set");
        let before = page.text("document.activeElement.dataset.set");
        page.key(Key::Right);
        page.wait(&format!("document.activeElement.matches('[data-set]:not([data-set={before}])[aria-checked=true]')"));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_mate_is_shown_only_at_its_position() {
    on_the_page(|page| {
        page.press_key("bar.edit");
        let set_up = |sfen: &str| {
            page.fill(".editor input.mono", sfen);
            page.press(".editor h2");
            page.wait_sfen(sfen);
        };
        set_up("5k/6/4RG/6/6/K5 b G 1");
        page.press_key("solve.start");
        page.wait("document.querySelector('.solve.good:not([hidden])')");
        set_up("5k/6/4R1/6/6/K5 b G 1");
        page.hidden(".solve");
        set_up("5k/6/4RG/6/6/K5 b G 1");
        page.shown(".solve.good");
        page.press_key("editor.done");
        page.hidden(".editor");
        page.shown(".solve.good");
        page.press(".solve .row button:nth-of-type(2)");
        page.wait_ply(1);
        page.hidden(".solve");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn what_is_set_up_is_kept_until_it_is_used() {
    on_the_page(|page| {
        let field = ".editor input.mono";
        page.edit("5k/6/6/2r3/6/K5 b - 1");
        page.press(".editor h2");
        // Unreadable text stays in the field and has no effect.
        page.fill(field, "5k/6/6/2r3/6/K5 nobody");
        page.press(".editor h2");
        page.wait("document.querySelector('.problems li')?.textContent === 'This is not an SFEN.'");
        page.press("[data-brush='erase']");
        page.wait(&format!("document.querySelector({}).disabled", json!(button("editor.done"))));
        assert_eq!(page.value(&format!("document.querySelector('{field}').value")), "5k/6/6/2r3/6/K5 nobody");
        page.press_key("plus");
        page.wait(&format!("document.querySelector('{field}').value === '5k/6/6/2r3/6/K5 b R 1'"));
        // It is lost only on demand.
        for open in ["bar.problems", "bar.lessons"] {
            page.press_key(open);
            page.press("dialog [data-t='cancel']");
            page.hidden("dialog");
            page.wait_sfen("5k/6/6/2r3/6/K5 b R 1");
        }
        // A record that cannot be read replaces nothing. What is pasted comes into the field once.
        page.run(
            "const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', 'pasted');\
             const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });\
             document.body.dispatchEvent(event); document.body.dataset.pasted = event.defaultPrevented;",
        );
        page.becomes("document.querySelector('dialog textarea').value", "pasted");
        page.becomes("document.body.dataset.pasted", "true");
        page.fill("dialog textarea", "this is no game");
        page.press("dialog [type=submit]");
        page.press_key("problem.leave");
        page.wait("document.querySelector('dialog .notice.trouble')?.textContent");
        page.press("dialog .dialog-head button");
        page.shown(".editor");
        page.press_key("editor.done");
        page.hidden(".editor");
        page.wait_sfen("5k/6/6/2r3/6/K5 b R 1");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn what_is_set_up_outlives_a_reload_and_what_another_tab_opens() {
    on_the_page_of(Board::start(), |page, board| {
        let sfen = "5k/6/6/2r3/6/K5 w P 1";
        page.edit(sfen);
        page.press(".editor h2");
        page.wait_sfen(sfen);
        page.reload();
        page.shown(".editor");
        page.wait_sfen(sfen);
        let first = page.window();
        page.new_tab(&board.url);
        page.play(Way::Clicks, "6e6d");
        page.paste("startpos moves 5f5e");
        page.wait_moves(1);
        page.switch_to(&first);
        page.wait("document.querySelector('.move .san')?.textContent.includes('5')");
        page.shown(".editor");
        assert_eq!(page.sfen(), sfen);
        // A file opened here closes the editor permanently.
        page.press_key("bar.open");
        page.fill("dialog textarea", "startpos");
        page.press("dialog [type=submit]");
        page.press_key("problem.leave");
        page.hidden(".editor");
        page.reload();
        assert!(!page.is_shown(".editor"));
    });
}
