//! Narrow windows.

use serde_json::{Value, json};

use crate::hands::{Way, in_hand};
use crate::on_the_page;
use crate::page::{Page, button};
use crate::views;

/// Nothing is wider than the window, and every control can be scrolled to and pressed.
const CHECK: &str = "
    const problems = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) problems.push(`${scrollWidth} px wide`);
    const root = document.querySelector('dialog') ?? document.body;
    for (const control of root.querySelectorAll('button, input, select, textarea, a[href], summary, [role=slider]')) {
        if (!control.checkVisibility({ visibilityProperty: true })) continue;
        if (control.disabled || control.matches('.skip')) continue;
        control.scrollIntoView({ block: 'center', inline: 'nearest' });
        const box = control.getBoundingClientRect();
        const name = control.ariaLabel || control.textContent || control.id || control.outerHTML;
        const fits = box.left > -0.5 && box.right < clientWidth + 0.5;
        if (!fits) problems.push(`${name}: from ${box.left} to ${box.right}`);
        const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        const isHit = control.contains(hit) || hit?.contains(control);
        if (!isHit) problems.push(`${name} is covered by ${hit?.outerHTML.slice(0, 80)}`);
    }
    scrollTo(0, 0);
    return problems;";

pub fn check_layout(page: &Page, view: &str) {
    assert_eq!(page.run(CHECK), json!([]), "{view}");
}

#[test]
#[ignore = "needs chromedriver"]
fn windows_of_all_widths_reach_every_control_beside_a_game() {
    on_the_page(|page| {
        page.paste("startpos");
        page.play(Way::Taps, "6e6d");
        page.press_key("nav.previous");
        page.wait_ply(0);
        // Telephones, tablets, halves of screens.
        for width in [360, 375, 390, 412, 480, 600, 640, 768, 860, 1024, 1120, 1180, 1280] {
            page.resize(width, 640);
            check_layout(page, &format!("{width} pixels"));
        }
    });
}

/// Starts a game in which both sides have a piece of every kind in hand, and clocks.
fn start_with_full_hands(page: &Page, name: &str) {
    page.edit("5k/6/6/6/6/K5 b RBGSNPrbgsnp 1");
    page.press_key("editor.play");
    page.press_key("new.clock.calm");
    page.press(".more summary");
    page.fill("#field-new-name", name);
    page.press("dialog [type=submit]");
    page.wait("!document.querySelector('dialog')");
    page.shown(".clock");
}

#[test]
#[ignore = "needs chromedriver"]
fn a_telephone_on_its_side_reaches_the_pieces_in_hand_and_shows_the_clocks() {
    on_the_page(|page| {
        start_with_full_hands(page, "me");
        for (width, height) in [(667, 375), (720, 380), (844, 390), (915, 412), (683, 325), (960, 470)] {
            page.resize(width, height);
            check_layout(page, &format!("{width} by {height} pixels"));
            let fits = page.value(
                "[...document.querySelectorAll('.clock')].every((clock) => {\
                    const [own, plate] = [clock, clock.parentElement].map((each) => each.getBoundingClientRect());\
                    return own.top >= plate.top - 1 && own.bottom <= plate.bottom + 1;\
                })",
            );
            assert_eq!(fits, true, "{width} by {height} pixels");
            let square = page.value("document.querySelector('[data-square]').getBoundingClientRect().width");
            assert!(square.as_f64() > Some(29.0), "{width} by {height} pixels: a square has {square}");
            page.point(Way::Taps, &[&in_hand("black", 'R')]);
            page.shown(".hand-piece.selected[data-hand='R']");
            page.point(Way::Taps, &[&in_hand("black", 'R')]);
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_long_name_leaves_the_pieces_in_hand_their_room() {
    on_the_page(|page| {
        start_with_full_hands(page, "somebody with a very long name, which is cut");
        page.resize(390, 844);
        let width = page.value("document.querySelector('.hand-bottom .hand-piece').offsetWidth");
        assert!(width.as_f64() > Some(38.0), "{width}");
        check_layout(page, "a long name");
    });
}

/// The controls that are smaller than a finger.
const SMALL: &str = "
    const root = document.querySelector('dialog') ?? document.body;
    return [...root.querySelectorAll('button, select, input:not([type=checkbox], [type=range]), summary, [role=switch]')]
        .filter((control) => control.checkVisibility({ visibilityProperty: true }))
        // Six kinds of pieces in hand have to fit beside a name.
        .filter((control) => !control.matches('.hand-piece, .skip'))
        .map((control) => [control.ariaLabel || control.textContent || control.id, control.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 43.5 || height < 43.5)
        .map(([name, { width, height }]) => `${name}: ${width} by ${height}`);";

/// Makes the page that of a telephone or a tablet.
pub fn touch(page: &Page, width: u32, height: u32) {
    page.developer("Emulation.setTouchEmulationEnabled", json!({"enabled": true, "maxTouchPoints": 1}));
    page.resize(width, height);
    page.wait("matchMedia('(pointer: coarse)').matches");
}

pub fn check_sizes(page: &Page, view: &str) {
    assert_eq!(page.run(SMALL), json!([]), "{view}");
}

#[test]
#[ignore = "needs chromedriver"]
fn a_finger_reaches_every_control_and_sees_the_whole_board_in_a_window_of_320_pixels_and_on_a_tablet() {
    for (width, height) in [(320, 568), (1024, 740)] {
        on_the_page(|page| {
            touch(page, width, height);
            views::visit(page, |view| {
                let view = &format!("{view} at {width} pixels");
                check_sizes(page, view);
                check_layout(page, view);
                if view.starts_with("play") {
                    let board: Value = page.value(
                        "(({ left, right, top, bottom }) => ({ left, right, top, bottom }))\
                            (document.querySelector('.board').getBoundingClientRect())",
                    );
                    let edge = |name: &str| board[name].as_f64().expect("it is a number");
                    assert!(edge("left") >= 0.0 && edge("right") <= f64::from(width), "{board}");
                    assert!(edge("top") >= 0.0 && edge("bottom") <= f64::from(height), "{board}");
                    assert!(edge("right") - edge("left") > 240.0, "the board is small: {board}");
                }
            });
        });
    }
}

#[test]
#[ignore = "needs chromedriver"]
fn the_moves_stay_in_their_place_while_a_game_is_played_and_after_it() {
    on_the_page(|page| {
        for (width, language) in [(1280, "English"), (360, "English"), (1280, "Japanese"), (360, "Japanese")] {
            page.resize(width, 800);
            if (page.text("document.documentElement.lang") == "ja") != (language == "Japanese") {
                page.press_key("bar.language");
            }
            views::tool(page, "bar.new");
            page.press_key("new.opponent.engine");
            page.press("dialog [type=submit]");
            page.shown(&button("play.resign"));
            page.wait_moves(0);
            let top =
                || page.value("Math.round(document.querySelector('.tree').getBoundingClientRect().top + scrollY)");
            let at_first = top();
            page.play(if width < 600 { Way::Taps } else { Way::Clicks }, "6e6d");
            page.wait_moves(2);
            page.wait("!document.querySelector('.plate.thinking')");
            assert_eq!(top(), at_first, "after a move, {width} pixels, {language}");
            let takeback = || {
                let place = page.value(&format!(
                    "(({{ left, top }}) => [left, top + scrollY].map(Math.round))\
                        (document.querySelector({}).getBoundingClientRect())",
                    json!(button("play.takeback"))
                ));
                place.to_string()
            };
            let place = takeback();
            page.press_key("nav.previous");
            page.shown(&button("play.return"));
            assert_eq!((top(), takeback()), (at_first.clone(), place), "elsewhere, {width} pixels, {language}");
            page.press_key("play.return");
            views::resign(page);
            assert_eq!(top(), at_first, "after the end, {width} pixels, {language}");
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn what_ends_the_editor_is_seen_at_once() {
    on_the_page(|page| {
        for (width, height) in [(1280, 800), (1280, 600), (390, 844), (740, 360)] {
            page.resize(width, height);
            views::tool(page, "bar.edit");
            page.shown(&button("editor.done"));
            let bottom = format!(
                "document.querySelector({}).closest('button').getBoundingClientRect().bottom",
                json!(button("editor.done"))
            );
            if width > 600 {
                page.wait(&format!("{bottom} <= innerHeight"));
            }
            page.press(".editor [data-t='cancel']");
            page.hidden(".editor");
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_desktop_window_does_not_scroll() {
    on_the_page(|page| {
        let check = |view: &str| {
            for (width, height) in [(1280, 720), (1920, 1080), (900, 600), (1024, 768)] {
                page.resize(width, height);
                let over = page.value(
                    "(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>\
                        [scrollHeight - clientHeight, scrollWidth - clientWidth])(document.documentElement)",
                );
                assert_eq!(over, json!([0, 0]), "{view}, {width} by {height} pixels");
            }
        };
        check("start");
        // All tabs are there.
        page.paste(views::BLUNDER);
        views::review(page);
        check("review");
        page.press_key("bar.lessons");
        page.shown(".lesson-list");
        check("lessons");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn paper_has_the_board_and_the_moves_but_no_list_of_games_and_no_controls() {
    on_the_page(|page| {
        page.paste("[Variant \"judkins\"]\n\n1. P-6d *\n\n[Variant \"judkins\"]\n\n1. G-5e *\n\n");
        page.shown(".games-card");
        page.developer("Emulation.setEmulatedMedia", json!({"media": "print"}));
        for (selector, is_printed) in
            [(".board", true), (".tree", true), (".games-card", false), (".bar", false), (".walk", false)]
        {
            assert_eq!(page.is_shown(selector), is_printed, "{selector}");
        }
    });
}
