//! The board's page in a real browser, headless Chromium.
//!
//! They need `chromedriver`, Chromium (and use `chromium-headless-shell` where it is installed), and the file
//! `axe.min.js` (npm: axe-core) that `JUDKINS_AXE` names: `cargo test --test browser -- --ignored --skip site::`.
//! `JUDKINS_BROWSER_PICTURES` names a folder for pictures of the main views.
//!
//! Tests in a `site_too` run on the site that `scripts/web.sh OUT` makes, too, in place of a program's board. What they
//! exercise is other code there: a Worker runs the board, a channel connects tabs, and IndexedDB keeps games.
//! `JUDKINS_SITE=OUT/site cargo test --test browser -- --ignored site:: site_too::`.

mod accessibility;
mod analysis;
mod chapters;
mod drawing;
mod driver;
mod early;
mod editor;
mod finished;
mod hands;
mod language;
mod layout;
mod lessons;
mod library;
mod moves;
mod notes;
mod page;
mod play;
#[path = "../common/processes.rs"]
mod processes;
mod records;
mod refused;
mod replaced;
mod review;
mod server;
mod server_only;
mod shared;
mod sides;
mod site;
mod speed;
mod static_host;
mod tabs;
mod typed;
mod views;
mod watched;

use page::Page;
use server::Board;

/// Runs a test on the page of a fresh board, and checks that the browser has nothing to complain of.
fn on_the_page(test: impl FnOnce(&Page)) {
    on_the_page_of(Board::start(), |page, _| test(page));
}

/// As [`on_the_page`], with a script that runs before the page's own.
fn on_the_page_with(script: &str, test: impl FnOnce(&Page, &Board)) {
    let board = Board::start();
    let page = Page::open_with(script, &board.url);
    test(&page, &board);
    page.check_quiet();
}

/// Runs a test on the page of a board.
fn on_the_page_of(mut board: Board, test: impl FnOnce(&mut Page, &mut Board)) {
    let mut page = Page::open(&board.url);
    test(&mut page, &mut board);
    page.check_quiet();
}
