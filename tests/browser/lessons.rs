//! Lessons, taken by a beginner.

use fantoccini::key::Key;

use crate::hands::Way;
use crate::on_the_page;
use crate::page::button;

#[test]
#[ignore = "needs chromedriver"]
fn the_first_visit_leads_to_the_lessons_which_go_on_by_themselves() {
    on_the_page(|page| {
        page.press_key("welcome.learn");
        page.shown(".cell.goal[data-square='3e']");
        // The other side's king says why it does not move, and a wrong move why it is wrong.
        page.start(Way::Clicks, "4f4e");
        page.wait("document.querySelector('.lesson-card.bad .status-more')?.textContent.includes('marked square')");
        page.start(Way::Clicks, "4f3e");
        page.shown(".cell.goal[data-square='2d']");
        page.press_key("bar.language");
        page.wait("document.querySelector('.lesson-card .status').textContent.includes('印は2つ')");
        page.press_key("bar.language");
        page.reload();
        page.shown(".cell.goal[data-square='2d']");
        page.tab_to(&button("lessons.list"));
        page.key(Key::Enter);
        page.wait("document.activeElement.matches('.lesson-list .primary:focus-visible')");
        page.wait("document.querySelector('[data-lesson=king]')?.textContent.includes('1 / 3')");
        page.press("[data-lesson=mate]");
        page.wait("document.querySelector('.lesson-card .status').textContent.includes('Drop the gold')");
        page.start(Way::Keys, "G*2b");
        page.wait("document.querySelector('.lesson-card .status').textContent.includes('Two rooks')");
        page.press_key("lessons.leave");
        page.wait("document.querySelector('.lesson-card').hidden && document.querySelector('.welcome').hidden");
    });
}
