//! Records: every format out and in again, by text and by file.

use serde_json::{Value, json};

use crate::hands::Way;
use crate::on_the_page;
use crate::page::Page;
use crate::views::close_dialog;

/// The moves on the page: number, text, and how deep it lies in variations.
fn tree(page: &Page) -> Value {
    page.value(
        "[...document.querySelectorAll('.move')].map((move) => {\
            let depth = 0;\
            for (let at = move; at; at = at.parentElement.closest('.variation')) depth += 1;\
            const next = move.nextElementSibling;\
            const comment = next?.matches('.move-comment') ? next.textContent : '';\
            return [Number(move.dataset.ply), move.querySelector('.san').textContent, depth, comment];\
        })",
    )
}

/// The game in a format, as the dialog shows it.
fn export(page: &Page, format: &str) -> String {
    page.press_key("bar.share");
    page.shown("dialog textarea");
    page.wait("document.querySelector('dialog textarea').value");
    page.run("document.querySelector('dialog textarea').value = '';");
    page.press(&format!("[data-format='{format}']"));
    let text = page.wait("document.querySelector('dialog textarea').value");
    close_dialog(page);
    text.as_str().expect("it is text").to_owned()
}

fn make_tree(page: &Page) {
    for mv in ["6e6d", "1b1c", "6d6c"] {
        page.play(Way::Clicks, mv);
    }
    page.fill("textarea.comment", "a pawn on its way");
    page.press(".tree [data-ply='1']");
    page.wait_ply(1);
    page.play(Way::Clicks, "2a2b");
    page.play(Way::Clicks, "5f5e");
    page.wait_moves(5);
}

#[test]
#[ignore = "needs chromedriver"]
fn every_format_is_read_back_to_the_same_tree() {
    on_the_page(|page| {
        make_tree(page);
        page.wait("document.querySelector('.move-comment:not([hidden])')?.textContent");
        let whole = tree(page);
        let mut main_line = whole.as_array().expect("it is a list").clone();
        main_line.retain(|mv| mv[2] == 1);
        for mv in &mut main_line {
            mv[3] = json!("");
        }
        assert_eq!((main_line.len(), whole.as_array().map_or(0, Vec::len)), (3, 5));
        let formats = ["kif", "ki2", "pgn", "usi"].map(|format| (format, export(page, format)));
        for (format, text) in &formats {
            page.paste("startpos");
            page.wait_moves(0);
            page.paste(text);
            page.wait("document.querySelectorAll('.move').length > 0");
            // A bare line of moves has neither variations nor comments.
            let expected = if *format == "usi" { json!(main_line) } else { whole.clone() };
            assert_eq!(tree(page), expected, "{format}: {text}");
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_text_that_may_not_be_copied_is_selected_and_names_that_are_not_accepted_stay() {
    on_the_page(|page| {
        // A page that another device opens may not copy.
        page.run("Object.defineProperty(navigator, 'clipboard', { value: undefined });");
        page.key('s');
        page.press_key("share.text");
        page.wait(
            "(({ value, selectionStart, selectionEnd }) =>\
                value.includes('後手の持駒') && selectionStart === 0 && selectionEnd === value.length)\
                (document.querySelector('dialog textarea'))",
        );
        close_dialog(page);
        page.press(".record-name");
        page.fill("#field-black", "me");
        page.fill("#field-date", "yesterday");
        page.press("dialog [type=submit]");
        page.wait("document.querySelector('dialog .notice.trouble')?.textContent");
        assert_eq!(page.value("document.querySelector('#field-black').value"), "me");
        page.fill("#field-date", "2024-05-01");
        page.press("dialog [type=submit]");
        page.wait("!document.querySelector('dialog')");
        page.wait("document.querySelector('.record-name').textContent === 'me – ?'");
        // Nor does the dialog stay if nothing was changed.
        page.press(".record-name");
        page.shown("#field-black");
        page.press("dialog [type=submit]");
        page.wait("!document.querySelector('dialog')");
        page.resize(390, 844);
        page.press_key("bar.menu");
        page.press_key("header.title");
        page.shown("#field-black");
    });
}

mod site_too {
    use super::*;

    #[test]
    #[ignore = "needs chromedriver"]
    fn a_file_is_downloaded_and_dropped_on_the_page_to_be_opened() {
        let folder = tempfile::tempdir().expect("there is room");
        on_the_page(|page| {
            let path = folder.path().to_str().expect("it is text");
            page.developer("Browser.setDownloadBehavior", json!({"behavior": "allow", "downloadPath": path}));
            make_tree(page);
            let before = tree(page);
            page.press_key("bar.share");
            // English pages show PGN first.
            page.wait("document.querySelector('dialog textarea').value.includes('[Variant')");
            page.press("[data-format='kif']");
            page.wait("document.querySelector('dialog textarea').value.includes('手数')");
            page.press_key("share.download");
            page.press_words("SVG");
            page.press_words("PNG");
            let file = |end: &str| {
                page.patiently(end, || {
                    let entries = std::fs::read_dir(folder.path()).expect("it is there").filter_map(Result::ok);
                    let found = entries.map(|entry| entry.path()).find(|path| path.to_string_lossy().ends_with(end))?;
                    std::fs::read(found).ok().filter(|content| !content.is_empty())
                })
            };
            let (svg, png) = (String::from_utf8(file(".svg")).expect("it is text"), file(".png"));
            assert!(svg.starts_with("<svg") && svg.contains("to move"), "it has a caption: {svg}");
            assert!(png.starts_with(b"\x89PNG") && png.len() < 200_000, "{} bytes", png.len());
            let text = String::from_utf8(file(".kif")).expect("it is UTF-8");
            page.press("dialog [data-tip='close']");
            page.paste("startpos");
            page.wait_moves(0);
            // The dialog says that a file can be dropped.
            page.press_key("bar.open");
            page.drop_file("game.kif", &text);
            page.wait_moves(5);
            page.wait("!document.querySelector('dialog')");
            assert_eq!(tree(page), before);
        });
    }
}
