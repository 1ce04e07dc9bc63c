//! The HTML file that replays a game.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::hands::Way;
use crate::on_the_page;
use crate::page::Page;
use crate::views::{BLUNDER, review};

/// The page of the game on the board, as it is downloaded.
fn saved_page(page: &Page, folder: &Path) -> PathBuf {
    let path = folder.to_str().expect("it is text");
    page.developer("Browser.setDownloadBehavior", json!({"behavior": "allow", "downloadPath": path}));
    page.press_key("bar.share");
    page.press_key("share.page");
    page.patiently("the page is saved", || {
        let entries = std::fs::read_dir(folder).expect("it is there").filter_map(Result::ok);
        let mut found =
            entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "html"));
        found.find(|path| std::fs::read_to_string(path).is_ok_and(|text| text.ends_with("</html>\n")))
    })
}

mod site_too {
    use super::*;

    #[test]
    #[ignore = "needs chromedriver"]
    fn a_saved_page_replays_the_game_with_its_review_from_the_disk() {
        let folder = tempfile::tempdir().expect("there is room");
        on_the_page(|page| {
            page.paste(BLUNDER);
            page.press_key("nav.last");
            page.fill("textarea.comment", "</script> & so on");
            page.draw(Way::Clicks, "1b", "6b");
            page.wait("document.querySelector('.arrow-drawn-G')");
            review(page);
            let path = saved_page(page, folder.path());
            let (sfen, score) = (page.sfen(), page.text("document.querySelector('.review-table td + td').textContent"));
            page.check_quiet();

            page.visit(&format!("file://{}", path.display()));
            page.wait("document.body.dataset.ready");
            page.picture("saved-page");
            page.wait(&format!("document.querySelector('.review-table td + td')?.textContent === '{score}'"));
            page.shown(".move .mark-blunder");
            page.shown(".curve .dot.mark-blunder");
            page.wait("document.querySelector('.move-comment:not([hidden])').textContent === '</script> & so on'");
            page.key(fantoccini::key::Key::End);
            page.wait_sfen(&sfen);
            page.wait("document.querySelector('.arrow-drawn-G')");
            // The better line is in it.
            page.press(".found-card .better");
            page.wait("document.querySelector('.variation .move.current')");
            page.press_key("bar.language");
            page.wait("document.documentElement.lang === 'ja'");
            page.resize(320, 600);
            assert_eq!(page.value("document.documentElement.scrollWidth"), 320);
            assert_eq!(page.complaints(), Vec::<String>::new());
            assert_eq!(page.value("performance.getEntriesByType('resource').length"), 0, "it loads nothing");
        });
    }
}
