//! What is pressed before the program has said what is legal.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::{Way, in_hand, square};
use crate::on_the_page_of;
use crate::page::{Page, button};
use crate::server::Board;

/// Positions arrive late, and what comes after them with them. Until then a page shows its own, without what is legal.
const LATE: &str = "const listen = WebSocket.prototype.addEventListener;
WebSocket.prototype.addEventListener = function (name, listener) {
    if (name !== 'message') return listen.call(this, name, listener);
    let before = Promise.resolve();
    return listen.call(this, name, (event) => {
        const wait = JSON.parse(event.data).type === 'position' ? 700 : 0;
        before = before.then(() => wait && new Promise((done) => setTimeout(done, wait))).then(() => listener(event));
    });
};";

/// Runs a test on a page to which positions come late.
fn with_late_positions(test: impl FnOnce(&Page)) {
    on_the_page_of(Board::start(), |page, board| {
        page.developer("Page.addScriptToEvaluateOnNewDocument", json!({"source": LATE}));
        page.go_to(&board.url);
        test(page);
    });
}

#[test]
fn moves_made_at_once_are_played() {
    with_late_positions(|page| {
        for way in [Way::Clicks, Way::Taps, Way::MouseDrag, Way::TouchDrag, Way::Keys] {
            page.paste("5k/G5/6/6/6/K5 b - 1");
            page.start(way, "6b6a");
            page.wait_sfen("G4k/6/6/6/6/K5 w - 2");
            page.start(way, "1a1b");
            page.wait_ply(2);
            page.wait_sfen("G5/5k/6/6/6/K5 b - 3");
        }
    });
}

#[test]
fn moves_made_at_once_are_played_in_a_game() {
    with_late_positions(|page| {
        page.key('n');
        page.press_key("new.opponent.friend");
        page.press("dialog [type=submit]");
        page.shown(&button("play.resign"));
        let moves = [(Way::Clicks, "6e6d"), (Way::Clicks, "1b1c"), (Way::MouseDrag, "6d6c"), (Way::Keys, "1c1d")];
        for ((way, mv), ply) in moves.into_iter().zip(1..) {
            page.start(way, mv);
            page.wait(&format!("document.querySelector('.board').dataset.sfen.endsWith(' {}')", ply + 1));
        }
        page.wait_ply(4);
    });
}

#[test]
fn a_drop_and_a_promotion_made_at_once_are_played() {
    with_late_positions(|page| {
        page.paste("5k/1R4/6/6/6/K5 b G 1");
        page.start(Way::Clicks, "G*3c");
        page.wait_sfen("5k/1R4/3G2/6/6/K5 w - 2");
        page.start(Way::Clicks, "1a2a");
        page.wait_ply(2);
        page.start(Way::Clicks, "5b5a");
        page.shown(".promotion");
        page.answer(Way::Clicks, true);
        page.wait_sfen("1+R2k1/6/3G2/6/6/K5 w - 4");
        page.wait_ply(3);
    });
}

#[test]
fn what_turns_out_not_to_be_legal_is_not_played() {
    with_late_positions(|page| {
        let start = "5k/6/6/P5/6/K5 b - 1";
        page.paste(start);
        page.point(Way::Clicks, &[&square("6d")]);
        // Nothing is marked of which nothing is known.
        page.shown(&format!("{}.selected", square("6d")));
        assert!(!page.is_shown(".cell.target"));
        page.shown(&format!("{}.target", square("6c")));
        page.paste(start);
        page.start(Way::Clicks, "6d6b");
        page.start(Way::Clicks, "6f1f");
        // The other side's piece is not picked up.
        page.point(Way::Clicks, &[&square("1a")]);
        assert!(!page.is_shown(".cell.selected"));
        page.point(Way::Clicks, &[&square("6f")]);
        page.shown(&format!("{}.target", square("5f")));
        assert_eq!((page.sfen().as_str(), page.ply()), (start, 0));
    });
}

#[test]
fn whoever_walks_on_makes_no_move_there() {
    with_late_positions(|page| {
        let start = "5k/6/6/6/6/K5 b G 1";
        page.paste(start);
        page.start(Way::Clicks, "6f5f");
        page.wait_sfen("5k/6/6/6/6/1K4 w G 2");
        page.start(Way::Clicks, "1a1b");
        page.key(Key::Home);
        page.wait_sfen(start);
        page.point(Way::Clicks, &[&in_hand("black", 'G')]);
        page.shown(&format!("{}.target", square("3c")));
        assert_eq!(page.value("document.querySelectorAll('.move').length"), 1);
    });
}
