//! The main views of the page, one after the other.

use fantoccini::key::Key;

use crate::hands::Way;
use crate::page::{Page, button};

/// Black loses a rook for a pawn.
pub const BLUNDER: &str = "startpos moves 1f1b+ 1a1b";

/// Pastes [`BLUNDER`], and waits until it is there.
pub fn paste_blunder(page: &Page) {
    page.paste(BLUNDER);
    page.wait("document.querySelector(\"[data-ply='2']\")");
}

/// Opens a tool of the bar, which a narrow window keeps in a menu.
pub fn tool(page: &Page, key: &str) {
    if !page.is_shown(&button(key)) {
        page.press_key("bar.menu");
    }
    page.press_key(key);
}

/// Goes to a panel, which a narrow window keeps behind a tab.
pub fn panel(page: &Page, name: &str) {
    let tab = format!("#tab-{name}");
    if page.is_shown(&tab) {
        page.press(&tab);
    }
}

/// Begins a review of the game on the board.
pub fn begin_review(page: &Page, depth: &str) {
    panel(page, "review");
    page.choose("[data-tip='review.depth']", depth);
    page.press(".review .row:not([hidden]) button");
}

/// Waits until the review has ended.
pub fn wait_review(page: &Page) {
    page.wait("document.querySelector('.review-table td + td')?.textContent.endsWith('%')");
}

/// Reviews the game on the board, quickly.
pub fn review(page: &Page) {
    begin_review(page, "quick");
    wait_review(page);
    page.shown(".found");
}

/// Gives a game up.
pub fn resign(page: &Page) {
    page.press_key("play.resign");
    page.press_key("play.confirm");
    page.shown(&button("play.rematch"));
}

/// Puts up each main view and calls `look` with its name.
pub fn visit(page: &Page, mut look: impl FnMut(&str)) {
    page.key('n');
    page.shown("dialog");
    look("dialog-new");
    page.press_key("new.opponent.friend");
    page.press("dialog [type=submit]");
    page.shown(&button("play.resign"));
    page.play(Way::Clicks, "6e6d");
    page.run("scrollTo(0, 0)");
    look("play");
    page.press_key("play.stop");
    page.press_key("play.confirm");
    page.hidden(&button("play.resign"));
    panel(page, "engine");
    page.press(".engine .switch");
    page.wait("document.querySelectorAll('.engine .line').length === 3");
    look("analysis");
    page.press(".engine .switch");
    page.wait("document.querySelectorAll('.engine .line').length === 0");
    tool(page, "bar.edit");
    page.shown(".editor");
    look("editor");
    page.press(".editor [data-t='cancel']");
    page.hidden(".editor");
    paste_blunder(page);
    // The offer to restore the replaced study covers the bar of a small window.
    page.press(".notice.question [data-tip='close']");
    review(page);
    look("review");
    tool(page, "bar.problems");
    page.shown("[data-tip='problem.previous']");
    look("problem");
    page.press_key("problem.leave");
    page.hidden("[data-tip='problem.previous']");
    page.key(Key::Home);
    panel(page, "explorer");
    page.shown(".explored");
    look("explorer");
    panel(page, "moves");
    page.key('l');
    page.shown(".kept-game");
    look("dialog-library");
    close_dialog(page);
    for (name, key) in [("open", 'o'), ("share", 's'), ("keys", '?')] {
        page.key(key);
        page.shown("dialog");
        look(&format!("dialog-{name}"));
        close_dialog(page);
    }
    page.press_key("prefs.title");
    page.shown("dialog");
    look("dialog-preferences");
    close_dialog(page);
    panel(page, "engine");
    page.press_key("engines.title");
    page.shown("dialog");
    look("dialog-engines");
    close_dialog(page);
}

/// Closes the dialog that is shown.
pub fn close_dialog(page: &Page) {
    page.press("dialog [data-tip='close']");
    page.wait("!document.querySelector('dialog')");
}
