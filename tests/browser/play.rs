//! Games, by every kind of hand.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::{Way, square};
use crate::page::{Page, button};
use crate::server::Board;
use crate::{on_the_page, on_the_page_of};

/// A mate in three: a promotion that can be declined, a capture, and a drop.
const MATE: &str = "3Rnk/4gp/1Bg3/1b1N2/P5/K5 b R2S 1";
const MATE_MOVES: [&str; 3] = ["3a2a+", "1a2a", "R*3a"];

/// Sets the position up and starts a game between two people from it.
fn start_mate(page: &Page) {
    page.edit(MATE);
    page.press_key("editor.play");
    page.press_key("new.opponent.friend");
    page.press("dialog [type=submit]");
    page.wait_sfen(MATE);
    page.shown(&button("play.resign"));
}

fn play_mate(page: &Page, ways: &[Way]) {
    for (mv, &way) in MATE_MOVES.iter().zip(ways.iter().cycle()) {
        page.play(way, mv);
    }
    page.wait("/^Black.*checkmate/.test(document.querySelector('.status').textContent)");
    page.wait("document.querySelector('.voice').textContent.includes('checkmate')");
    page.shown(".cell.check[data-square='2a']");
}

#[test]
#[ignore = "needs chromedriver"]
fn two_people_play_to_mate_by_touch_on_a_telephone_either_way_and_by_dragging() {
    on_the_page(|page| {
        page.resize(667, 375);
        ["6e6d", "1b1c"].iter().for_each(|mv| page.play(Way::Taps, mv));
        page.resize(1280, 800);
        start_mate(page);
        page.resize(390, 844);
        play_mate(page, &[Way::Taps]);
        page.resize(1280, 800);
        start_mate(page);
        play_mate(page, &[Way::MouseDrag, Way::TouchDrag, Way::MouseDrag]);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_game_is_set_up_and_played_to_mate_by_keys_alone() {
    on_the_page(|page| {
        page.key('e');
        page.tab_to(".editor input.mono");
        page.key_with(Key::Control, 'a');
        page.type_text(MATE);
        page.key(Key::Tab);
        page.tab_to(&button("editor.play"));
        page.key(Key::Enter);
        page.tab_to("dialog [role=radio]");
        page.key(Key::Right);
        page.tab_to("dialog [type=submit]");
        page.key(Key::Enter);
        page.wait_sfen(MATE);
        page.shown(&button("play.resign"));
        page.wait("document.activeElement.matches('.board')");
        play_mate(page, &[Way::Keys]);
    });
}

/// Plays a move that is legal, whichever: the first piece that can be picked up goes to the first square it can go to.
fn play_any(page: &Page) {
    let ply = page.ply();
    let own = page.value(
        "[...document.querySelectorAll('[data-square]')].filter((cell) => /^.., (Black|White)/.test(cell.ariaLabel))\
            .map((cell) => cell.dataset.square)",
    );
    for name in own.as_array().expect("it is a list") {
        page.point(Way::Clicks, &[&square(name.as_str().expect("it is a name"))]);
        if page.value("Boolean(document.querySelector('.cell.target'))") == true {
            break;
        }
    }
    page.point(Way::Clicks, &[".cell.target"]);
    if page.asks_promotion() {
        page.answer(Way::Keys, true);
    }
    page.wait(&format!("document.querySelector('[data-ply=\"{}\"]')", ply + 1));
}

/// The program refuses such a clock, after the page has closed the dialog.
#[test]
#[ignore = "needs chromedriver"]
fn a_game_whose_clock_has_no_time_has_none() {
    on_the_page(|page| {
        page.press_key("bar.new");
        page.press_key("new.opponent.friend");
        page.press_key("new.clock.own");
        for name in ["main", "byoyomi", "increment"] {
            page.fill(&format!("#field-{name}"), "0");
        }
        page.press("dialog [type=submit]");
        page.shown(&button("play.resign"));
        page.hidden(".clock");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_problem_is_tried_again_from_where_one_has_walked_back_to() {
    on_the_page(|page| {
        page.press_key("bar.problems");
        page.shown("[data-tip='problem.length']");
        page.choose("[data-tip='problem.length']", "3");
        page.wait_sfen(&MATE.replace(" 1", " 47"));
        page.start(Way::Clicks, MATE_MOVES[0]);
        page.answer(Way::Keys, true);
        page.wait_ply(2);
        // A right move gets an answer, also of a screen reader.
        page.wait(
            "document.querySelector('.said:not([hidden]) [role=status]').textContent.includes('Right. Now mate in')",
        );
        page.key(Key::Delete);
        page.key(Key::Home);
        page.wait_ply(0);
        page.becomes("document.querySelector('.said:not([hidden]) .status-more').textContent", "");
        // Another try from the start, and not where the one before stood.
        page.start(Way::Clicks, "R*4b");
        page.wait_ply(1);
        page.wait("document.querySelector('.said:not([hidden]) .status').textContent === 'Not this way'");
        page.wait_moves(3);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn who_solves_a_problem_sits_below() {
    on_the_page(|page| {
        let below = |mark: &str| {
            page.wait(&format!("document.querySelector('.plate-bottom .plate-mark').textContent === '{mark}'"))
        };
        page.press_key("bar.problems");
        page.shown("[data-tip='problem.previous']");
        // The first problem of this length in which White mates.
        for _ in 0..25 {
            if page.value("/ w /.test(document.querySelector('.board').dataset.sfen)") == true {
                break;
            }
            let sfen = page.sfen();
            page.press("[data-tip='problem.next']");
            page.wait(&format!("document.querySelector('.board').dataset.sfen !== '{sfen}'"));
        }
        below("△");
        page.press_key("problem.leave");
        below("▲");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn times_are_rounded_down() {
    on_the_page(|page| {
        let texts = page.run_async(
            "import('/assets/names.js').then(({ clockText, timeText }) =>\
                [...[10_000, 9_999, 9_960, 50, 0].map(clockText), ...[9_999, 59_700].map(timeText)])",
        );
        assert_eq!(texts, json!(["0:10", "0:09.9", "0:09.9", "0:00.0", "0:00.0", "9.9s", "59s"]));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn nothing_is_taken_back_before_one_has_moved() {
    on_the_page(|page| {
        page.press_key("bar.new");
        page.press_key("new.colour.white");
        page.press("dialog [type=submit]");
        page.wait("document.querySelector('.status')?.textContent === 'Your move'");
        let disabled = format!("document.querySelector({}).disabled", json!(button("play.takeback")));
        page.becomes(&disabled, true);
        play_any(page);
        page.wait(&format!("!{disabled}"));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn two_engines_play_each_other() {
    on_the_page_of(Board::scripted_pair("slow"), |page, _| {
        page.press_key("bar.new");
        page.press_key("new.opponent.watch");
        // The engines only know moves of the start position.
        page.press("dialog label:has([data-t='new.openings'])");
        page.press("dialog [type=submit]");
        // They repeat a position soon.
        page.wait("document.querySelectorAll('.move').length > 0");
        page.wait("/script/.test(document.querySelector('.plate-bottom .plate-name').textContent)");
        page.wait("/other/.test(document.querySelector('.plate-top .plate-name').textContent)");
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_hint_that_comes_late_is_not_shown_at_another_move() {
    on_the_page_of(Board::start(), |page, board| {
        page.play(Way::Clicks, "6e6d");
        page.key('h');
        page.key(Key::Left);
        page.wait_ply(0);
        board.wait_for_rest();
        assert_eq!(page.value("document.querySelector('.arrows').childElementCount"), 0);
    });
}

mod site_too {
    use super::*;

    #[test]
    #[ignore = "needs chromedriver"]
    fn the_engine_plays_along_and_moves_are_taken_back() {
        on_the_page(|page| {
            page.press_key("bar.new");
            page.press("#field-new-level");
            page.key(Key::Home);
            page.wait("document.querySelector('.level-note output').textContent === '0'");
            page.press("dialog [type=submit]");
            page.wait("document.querySelector('.plate-name').textContent.endsWith(' Lv0')");
            let start = page.sfen();
            for round in 1..=3 {
                page.wait("document.querySelector('.status').textContent === 'Your move'");
                play_any(page);
                page.wait_ply(2 * round);
            }
            page.wait("document.querySelector('.status').textContent === 'Your move'");
            for round in (0..3).rev() {
                page.press_key("play.takeback");
                page.wait_ply(2 * round);
            }
            page.wait_sfen(&start);
            page.run("document.querySelector('.voice').textContent = '';");
            page.press_key("play.hint");
            page.wait("document.querySelector('.arrows').childElementCount");
            page.wait("document.querySelector('.voice').textContent.startsWith('Black: ')");
            let place = |key| {
                page.value(&format!(
                    "(({{ left, top }}) => [left, top])(document.querySelector({}).getBoundingClientRect())",
                    json!(button(key))
                ))
            };
            let before = place("play.resign");
            page.press_key("play.resign");
            // It asks first, and stays where it is.
            assert_eq!(place("play.confirm"), before);
            page.press_key("play.confirm");
            page.wait("document.querySelector('.status').textContent === 'You lost'");
            page.press_key("play.rematch");
            page.shown(&button("play.resign"));
            // The colours change, and so does who sits below.
            page.wait("document.querySelector('.plate-bottom .plate-mark').textContent === '△'");
        });
    }
}
