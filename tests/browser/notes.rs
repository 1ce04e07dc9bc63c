//! Comments and marks.

use fantoccini::key::Key;

use crate::hands::Way;
use crate::server::tap;
use crate::{on_the_page, on_the_page_with};

#[test]
#[ignore = "needs chromedriver"]
fn marks_and_arrow_keys_work_right_after_a_comment() {
    on_the_page(|page| {
        page.play(Way::Clicks, "6e6d");
        // The field grew by some lines, and the marks have moved up with it.
        page.fill("textarea.comment", "a\nlong\nthought");
        page.point(Way::Clicks, &[".mark-button.mark-good"]);
        page.wait("document.querySelector('.move.current .mark.mark-good')");
        assert_eq!(page.value("document.querySelector('textarea.comment').value"), "a\nlong\nthought");
        // Arrow keys walk through the moves after a tab, and after a comment.
        page.resize(700, 900);
        page.press("#tab-engine");
        page.key(Key::Left);
        page.wait_ply(0);
        page.key(Key::Right);
        page.wait_ply(1);
        page.press("#tab-moves");
        page.fill("textarea.comment", "a thought");
        page.key(Key::Escape);
        page.key(Key::Left);
        page.wait_ply(0);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn an_unsent_comment_waits_for_the_study_that_it_was_written_for() {
    on_the_page_with(&tap(), |page, _| {
        let comments = "asked.filter(({ type }) => type === 'comment').map(({ text }) => text).join()";
        // Another study comes before the words are sent.
        page.run(
            "const own = told.study, field = document.querySelector('textarea.comment');
            window.own = own;
            field.focus();
            document.execCommand('insertText', false, 'a thought');
            say({ ...own, study: own.study + 1 });",
        );
        page.becomes("document.querySelector('textarea.comment').value", "");
        assert_eq!(page.text(comments), "");
        page.run("say(own)");
        page.becomes("document.querySelector('textarea.comment').value", "a thought");
        page.becomes(comments, "a thought");
        // It does not replace a comment that was written meanwhile.
        page.run(
            "document.execCommand('insertText', false, 's');
            say({ ...own, study: own.study + 1 });
            own.nodes[0].comment = 'other words';
            say(own);",
        );
        page.becomes("document.querySelector('textarea.comment').value", "other words");
        assert_eq!(page.text(comments), "a thought");
    });
}

mod site_too {
    use super::*;

    #[test]
    #[ignore = "needs chromedriver"]
    fn a_comment_outlives_a_reload_however_soon() {
        on_the_page(|page| {
            page.play(Way::Clicks, "6e6d");
            page.fill("textarea.comment", "a thought");
            page.reload();
            page.wait("document.querySelector('textarea.comment').value === 'a thought'");
        });
    }
}
