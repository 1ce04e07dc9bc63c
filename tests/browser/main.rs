//! The board's page in a real browser, headless Chromium.
//!
//! They need `chromedriver`, Chromium (and use `chromium-headless-shell` where it is installed), and the file `axe.min.js`
//! (npm: axe-core) that `JUDKINS_AXE` names: `cargo test --test browser -- --ignored --skip site::`.
//! `JUDKINS_BROWSER_PICTURES` names a folder for pictures of the main views.
//!
//! On the site that `scripts/web.sh OUT` makes, in place of a program's board:
//! `JUDKINS_SITE=OUT/site cargo test --test browser -- --ignored --skip server_only`.

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

/// Runs a test on the page of a board.
fn on_the_page_of(mut board: Board, test: impl FnOnce(&mut Page, &mut Board)) {
    let mut page = Page::open(&board.url);
    test(&mut page, &mut board);
    page.check_quiet();
}
