//! Lines of the engines, while they are pointed at.

use serde_json::{Value, json};

use crate::hands::Way;
use crate::page::Page;
use crate::server::{Board, tap};
use crate::{on_the_page, on_the_page_of, on_the_page_with};

/// The text of an engine's first line.
fn line(page: &Page, engine: usize) -> String {
    page.text(&format!("document.querySelectorAll('.engine')[{engine}].querySelector('.line').textContent"))
}

/// Waits until an engine's first line is another one.
fn goes_on(page: &Page, engine: usize) {
    let before = line(page, engine);
    page.patiently("the line goes on", || Some(()).filter(|()| line(page, engine) != before));
}

/// Moves the mouse onto an element.
fn hover(page: &Page, selector: &str) {
    let (x, y) = page.centre(selector);
    page.developer("Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": x, "y": y}));
}

#[test]
#[ignore = "needs chromedriver"]
fn a_line_goes_on_under_the_mouse_and_the_focus_and_threats_lie_above_best_moves() {
    on_the_page(|page| {
        page.press(".engine .switch");
        page.shown(".line-move");
        hover(page, ".line-move");
        page.shown(".board.ghost");
        for _ in 0..2 {
            goes_on(page, 0);
        }
        page.shown(".board.ghost");
        hover(page, ".bar .brand");
        page.hidden(".board.ghost");
        page.tab_to(".line-move");
        goes_on(page, 0);
        page.shown(".board.ghost");
        // A threat lies above the best moves, and is thinner.
        page.press_key("analysis.threats");
        page.wait("document.querySelector('.arrow-best') && document.querySelector('.arrow-threat')");
        page.wait("document.querySelector('.arrows').lastElementChild.matches('.arrow-threat')");
        let half = |kind: &str| {
            let outline =
                format!("document.querySelector('.arrows > .arrow-{kind}:last-of-type path, .arrow-{kind} path')");
            page.value(&format!("Math.abs(Number({outline}.getAttribute('d').split(/[L ]/)[3]))")).as_f64()
        };
        let best = page.value(
            "Math.max(...[...document.querySelectorAll('.arrow-best path')]\
                .map((path) => Math.abs(Number(path.getAttribute('d').split(/[L ]/)[3]))))",
        );
        assert!(half("threat") < best.as_f64(), "{:?} {best}", half("threat"));
    });
}

/// An analysis of the start position whose first line has these moves.
fn analysis(moves: &[&str]) -> Value {
    let line = |moves: &[&str]| {
        let text = json!({"ja": moves, "western": moves, "usi": moves});
        json!({"score": {"cp": 10, "win": 0.5}, "moves": moves, "text": text})
    };
    json!({"type": "analysis", "engine": 0, "on": true, "cursor": 0, "lines": [line(moves), line(&["1f1e"])]})
}

#[test]
#[ignore = "needs chromedriver"]
fn the_board_shows_the_line_as_it_stands_and_a_click_plays_what_was_pressed() {
    on_the_page_with(&tap(), |page, _| {
        let say = |moves: &[&str]| page.run_with("say(arguments[0])", vec![analysis(moves)]);
        say(&["6e6d", "1b1c", "6d6c"]);
        page.shown(".line-move");
        hover(page, ".line-move:nth-child(2)");
        page.wait_sfen("rbnsgk/6/5p/P5/6/KGSNBR b - 3");
        say(&["5f5e", "2a2b", "4f5e"]);
        page.wait_sfen("rbns1k/4gp/6/6/PG4/K1SNBR b - 3");
        // The pressed move is played, even if the engine changes it before the button is released.
        page.run_with(
            "const [message] = arguments;\
                document.querySelector('.line-move').addEventListener('pointerdown', () => say(message));",
            vec![analysis(&["1f1e"])],
        );
        page.point(Way::Clicks, &[".line-move"]);
        page.wait_ply(1);
        page.wait_sfen("rbnsgk/5p/6/6/PG4/K1SNBR w - 2");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn lines_outlive_new_counts_of_problems_and_end_with_an_ellipsis_where_cut_off() {
    on_the_page_with(&tap(), |page, _| {
        page.run_with("say(arguments[0])", vec![analysis(&["6e6d", "1b1c"])]);
        page.shown(".line-move");
        page.run("say(told.hello)");
        page.run_async("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
        assert!(page.is_shown(".line-move"));
        let moves = ["1f1e", "6a6b", "1e1f", "6b6a"].repeat(15);
        page.run_with("say(arguments[0])", vec![analysis(&moves)]);
        page.shown(".line-move");
        let cut =
            "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('.line-moves'))";
        let clamp = "getComputedStyle(document.querySelector('.line-moves')).webkitLineClamp";
        page.becomes(cut, true);
        page.becomes(clamp, "2");
        // A move that the keys go to is seen.
        page.tab_to(".line-move");
        page.wait(&format!("!{cut}"));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_page_that_connects_unseen_says_so() {
    let hide = "Object.defineProperty(document, 'hidden', { get: () => true });";
    on_the_page_with(&(hide.to_owned() + &tap()), |page, _| {
        page.wait("asked.some(({ type, on }) => type === 'watch' && on === false)");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn every_line_goes_on_when_a_second_engine_is_switched_on() {
    on_the_page_of(Board::pair(), |page, _| {
        page.press(".engine .switch");
        page.shown(".line-move");
        hover(page, ".line-move");
        page.press(".engine + .engine .switch");
        page.shown(".engine + .engine .line-move");
        for engine in [0, 1] {
            goes_on(page, engine);
        }
    });
}
