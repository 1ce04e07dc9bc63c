//! Lessons, taken by a beginner.

use fantoccini::key::Key;

use crate::hands::Way;
use crate::on_the_page;
use crate::page::{Page, button};
use crate::server::link;
use crate::views::resign;

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

#[test]
#[ignore = "needs chromedriver"]
fn a_complete_lesson_has_a_tick_and_lessons_of_a_file_stay_until_they_are_deleted() {
    on_the_page(|page| {
        page.press_key("bar.lessons");
        page.press("[data-lesson=pawn]");
        page.shown(".cell.goal[data-square='3d']");
        page.start(Way::Clicks, "3e3d");
        page.wait("document.querySelector('.lesson-card .status').textContent.includes('as in chess')");
        page.start(Way::Clicks, "3e3d");
        // The next lesson.
        page.shown(".cell.goal[data-square='3c']");
        page.press_key("lessons.list");
        page.becomes("document.querySelectorAll('.lesson-list li').length", 19);
        page.wait("document.querySelector('[data-lesson=pawn]').ariaLabel.includes('done')");
        page.press_key("lessons.leave");
        page.hidden(".lesson-card");
        let lesson = "[[lesson]]\nid = 'mine'\ntitle = 'Mine'\n[[lesson.task]]\ntext = 'Go up.'\n\
            sfen = 'k5/6/6/6/6/5K b - 1'\ngoal.visit = ['1e']";
        page.drop_file("mine.toml", lesson);
        page.shown(".cell.goal[data-square='1e']");
        page.reload();
        page.press_key("lessons.list");
        page.becomes("document.querySelectorAll('.lesson-list li').length", 20);
        page.press(".lesson-list .icon-button");
        page.becomes("document.querySelectorAll('.lesson-list li').length", 19);
        page.hidden(".lesson-list .icon-button");
    });
}

/// Waits until this side is at the bottom.
fn sits(page: &Page, sign: &str) {
    page.becomes("document.querySelector('.plate-bottom .plate-mark').textContent", sign);
}

#[test]
#[ignore = "needs chromedriver"]
fn the_board_is_turned_for_a_problem_and_back_after_it() {
    on_the_page(|page| {
        page.key('f');
        sits(page, "△");
        page.press_key("bar.problems");
        sits(page, "▲");
        page.reload();
        page.shown(&button("problem.leave"));
        page.press_key("problem.leave");
        sits(page, "△");
        // A new game from a problem or a lesson has its own side.
        for (begin, colour, sign) in [("bar.problems", "white", "△"), ("bar.lessons", "black", "▲")] {
            page.press_key(begin);
            if begin == "bar.lessons" {
                page.press("[data-lesson=mate]");
            }
            sits(page, "▲");
            page.press_key("bar.new");
            page.press_key(&format!("new.colour.{colour}"));
            page.press("dialog [type=submit]");
            page.shown(&button("play.resign"));
            sits(page, sign);
            resign(page);
            sits(page, sign);
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn problems_and_lessons_open_from_everywhere() {
    on_the_page(|page| {
        page.press_key("bar.lessons");
        page.press("[data-lesson=mate]");
        page.shown(".lesson-card .status");
        page.press_key("bar.problems");
        page.shown(&button("problem.leave"));
        for (open, shown) in [("bar.lessons", ".lesson-list"), ("bar.problems", "section[data-tip='problem.title']")] {
            page.press_key("bar.edit");
            page.shown(".editor");
            page.press_key(open);
            page.shown(shown);
            page.hidden(".editor");
        }
        // A press that changes nothing does not let another tab's study end an edit.
        page.press_key("bar.problems");
        page.press_key("problem.leave");
        page.press_key("bar.edit");
        page.shown(".editor");
        page.run(&link("other({ type: 'play', id: 1, node: 0, move: '6e6d' });"));
        page.run(&link("other({ type: 'study', id: 1 });"));
        page.wait_moves(0);
        page.shown(".editor");
    });
}
