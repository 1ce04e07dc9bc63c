//! The names of the sides, the side to move, and the meaning of scores, marks and levels, in words.

use serde_json::{Value, json};

use crate::hands::Way;
use crate::page::{Page, button};
use crate::server::tap;
use crate::views::close_dialog;
use crate::{on_the_page, on_the_page_with};

/// All that is read on the page or aloud.
const WORDS: &str = "document.body.innerText + [...document.querySelectorAll('[aria-label], [title]')]\
    .map((each) => `${each.ariaLabel} ${each.title}`).join(' ')";

/// Starts a game between two people.
fn start(page: &Page, handicap: &str) {
    page.press_key("bar.new");
    page.press_key("new.opponent.friend");
    page.choose("#field-new-start", handicap);
    page.press("dialog [type=submit]");
    page.shown(&button("play.resign"));
    page.wait("!document.querySelector('dialog')");
}

#[test]
#[ignore = "needs chromedriver"]
fn the_sides_of_a_handicap_game_have_their_own_names_in_japanese() {
    on_the_page(|page| {
        page.press_key("bar.language");
        start(page, "two-pieces");
        page.wait("document.querySelector('.status').textContent === '上手番'");
        let names = "[...document.querySelectorAll('.plate-name')].map((name) => name.textContent).sort().join(' ')";
        page.wait(&format!("{names} === '上手 下手'"));
        page.wait(&format!("!/先手|後手/.test({WORDS})"));
        // The side to move is written next to the name.
        page.wait("document.querySelector('.plate.to-move .plate-note').textContent === '手番'");
        page.press_key("play.stop");
        page.press_key("play.confirm");
        page.hidden(&button("play.resign"));
        start(page, "");
        page.wait("document.querySelector('.status').textContent === '先手番'");
        page.wait(&format!("!/上手|下手/.test({WORDS})"));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_mate_is_counted_in_moves_in_english_and_in_plies_in_japanese() {
    on_the_page_with(&tap(), |page, _| {
        for (mate, english, in_full, japanese) in [
            (5, "+M3", "Black mates in 3 moves (5 plies)", "+5手詰"),
            (-1, "−M1", "White mates in 1 move (1 ply)", "−1手詰"),
            (2, "+M1", "Black mates in 1 move (2 plies)", "+2手で詰み"),
        ] {
            let line = json!({"score": {"mate": mate, "bound": "exact", "win": 1.0},
                "moves": ["6e6d"], "text": {"ja": ["▲６四歩"], "western": ["P-6d"], "usi": ["6e6d"]}});
            let analysis = json!({"type": "analysis", "engine": 0, "on": true, "cursor": 0, "depth": 9, "seldepth": 9,
                "nodes": 9, "nps": 9, "lines": [line]});
            page.run_with("say(arguments[0])", vec![analysis]);
            let score = |text: &str| format!("document.querySelector('.line-score')?.textContent === '{text}'");
            page.wait(&score(english));
            page.wait(&format!("document.querySelector('.line-score').title.startsWith('{in_full}')"));
            page.press_key("bar.language");
            page.wait(&score(japanese));
            page.press_key("bar.language");
            page.wait(&score(english));
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn engines_have_a_curve_each_levels_their_own_words_and_usi_says_what_it_leaves_out() {
    on_the_page(|page| {
        page.hidden(".curve-card");
        page.play(Way::Clicks, "6e6d");
        page.play(Way::Clicks, "1b1c");
        page.shown(".curve-card");
        page.hidden(".curve");
        let moves = "1. P-6d {[%eval 3.0]} P-1c {[%eval -3.0]} 2. G-5e {[%eval 3.0]} G-2b {[%eval -3.0]}";
        page.paste(&format!("[Variant \"judkins\"]\n[Black \"one\"]\n[White \"two\"]\n\n{moves} *\n"));
        page.shown(".curve");
        let ys = |colour: &str| -> Value {
            let line = format!("document.querySelector('.curve-line.curve-{colour}').getAttribute('d')");
            page.value(&format!("[...{line}.matchAll(/ ([\\d.]+)/g)].map(([, y]) => Number(y) < 50)"))
        };
        page.wait("document.querySelector('.curve-line.curve-white').getAttribute('d')");
        // Each is level; one curve of both would go up and down.
        assert_ne!(ys("black"), ys("white"));
        assert_eq!(ys("black")[0], ys("black")[1]);
        page.wait("document.querySelector('.curve-key').innerText.replace(/\\s+/g, ' ').includes('▲ one')");
        page.key('s');
        page.shown("dialog");
        page.hidden("[data-t='share.left']");
        page.press("[data-format='usi']");
        page.shown("[data-t='share.left']");
        page.press("[data-format='kif']");
        page.hidden("[data-t='share.left']");
        close_dialog(page);
        page.press_key("bar.new");
        let words = |level: u32| {
            let set = "const slider = document.querySelector('#field-new-level'); slider.value = arguments[0];\
                slider.dispatchEvent(new Event('input'));";
            page.run_with(set, vec![json!(level)]);
            page.text("document.querySelector('.level-note p').textContent")
        };
        page.patiently("the Elo is known", || Some(()).filter(|()| words(6).starts_with("Elo ")));
        let all: Vec<String> = (0..=20).map(words).collect();
        let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len(), "{all:?}");
        assert!(all[20].starts_with("Elo 2430 · "), "{all:?}");
    });
}
