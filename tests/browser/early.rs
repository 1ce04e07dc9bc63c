//! Presses before the program has sent the legal moves.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::{Way, in_hand, square};
use crate::page::{Page, button};
use crate::server::{Board, link};
use crate::{on_the_page_of, on_the_page_with};

/// Delays positions, and later messages, on demand. Meanwhile a page shows its own position, without the legal moves.
const HOLD: &str = "const listen = Link.prototype.addEventListener;
Link.prototype.addEventListener = function (name, listener) {
    if (name !== 'message') return listen.call(this, name, listener);
    let before = Promise.resolve();
    return listen.call(this, name, (event) => {
        const held = said(event.data).type === 'position' && window.held;
        if (held) held.has = true;
        before = before.then(() => held).then(() => listener(event));
    });
};
window.hold = () => {
    const letBefore = window.letGo;
    window.held = new Promise((done) => { window.letGo = done; });
    letBefore?.();
};";

impl Page {
    /// Holds back positions from now on. The one held back before is let go, once it has come.
    fn hold(&self) {
        self.wait("!window.held || held.has");
        self.run("hold();");
    }

    /// Lets the position that is held back go, once it has come, and holds back no other.
    fn let_go(&self) {
        self.wait("held.has");
        self.run("held = null; letGo();");
    }
}

/// Runs a test on a page whose positions can be held back.
fn on_a_slow_page(test: impl FnOnce(&Page)) {
    on_the_page_with(&link(HOLD), |page, _| test(page));
}

#[test]
#[ignore = "needs chromedriver"]
fn moves_made_at_once_are_played() {
    on_a_slow_page(|page| {
        for way in [Way::Clicks, Way::Taps, Way::MouseDrag, Way::TouchDrag, Way::Keys] {
            page.hold();
            page.paste("5k/G5/6/6/6/K5 b - 1");
            page.start(way, "6b6a");
            page.hold();
            page.wait_sfen("G4k/6/6/6/6/K5 w - 2");
            page.start(way, "1a1b");
            page.let_go();
            page.wait_ply(2);
            page.wait_sfen("G5/5k/6/6/6/K5 b - 3");
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn moves_made_at_once_are_played_in_a_game() {
    on_a_slow_page(|page| {
        page.key('n');
        page.press_key("new.opponent.friend");
        page.press("dialog [type=submit]");
        page.shown(&button("play.resign"));
        page.hold();
        let moves = [(Way::Clicks, "6e6d"), (Way::Clicks, "1b1c"), (Way::MouseDrag, "6d6c"), (Way::Keys, "1c1d")];
        for ((way, mv), number) in moves.into_iter().zip(2..) {
            page.start(way, mv);
            // The first is played at once, each of the others when the position before it is let go.
            if number > 2 {
                page.hold();
            }
            page.wait(&format!("document.querySelector('.board').dataset.sfen.endsWith(' {number}')"));
        }
        page.let_go();
        page.wait_ply(4);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_drop_and_a_promotion_made_at_once_are_played() {
    on_a_slow_page(|page| {
        page.hold();
        page.paste("5k/1R4/6/6/6/K5 b G 1");
        page.start(Way::Clicks, "G*3c");
        page.let_go();
        page.wait_sfen("5k/1R4/3G2/6/6/K5 w - 2");
        // Its position would be the one held back next.
        page.wait_ply(1);
        page.play(Way::Clicks, "1a2a");
        page.hold();
        page.paste("5k/1R4/6/6/6/K5 b - 1");
        page.start(Way::Clicks, "5b5a");
        assert!(!page.asks_promotion());
        page.let_go();
        page.shown(".promotion");
        page.answer(Way::Clicks, true);
        page.wait_sfen("1+R3k/6/6/6/6/K5 w - 2");
        page.wait_ply(1);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn what_turns_out_not_to_be_legal_is_not_played() {
    on_a_slow_page(|page| {
        let start = "5k/6/6/P5/6/K5 b - 1";
        page.hold();
        page.paste(start);
        page.point(Way::Clicks, &[&square("6d")]);
        // Nothing is marked of which nothing is known.
        page.shown(&format!("{}.selected", square("6d")));
        assert!(!page.is_shown(".cell.target"));
        page.point(Way::Clicks, &[&square("6d")]);
        page.point(Way::Clicks, &[&square("1a")]);
        assert!(!page.is_shown(".cell.selected"), "it is not White's turn");
        page.start(Way::Clicks, "6d6b");
        page.start(Way::Clicks, "6f1f");
        page.point(Way::Clicks, &[&square("6d")]);
        page.let_go();
        page.shown(&format!("{}.target", square("6c")));
        assert_eq!((page.sfen().as_str(), page.ply()), (start, 0));
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_piece_that_turns_out_not_to_move_says_why() {
    on_a_slow_page(|page| {
        let refusal = "document.querySelector('.refusal:not([hidden])')?.textContent";
        for way in [Way::Clicks, Way::Taps, Way::Keys] {
            for (sfen, piece, words) in [
                ("r4k/6/6/6/N5/K5 b - 1", square("6e"), "Pinned: you would be in check from the rook on 6a."),
                ("5k/6/6/6/r5/K5 b P 1", in_hand("black", 'P'), "You are in check from the rook on 6e."),
            ] {
                page.hold();
                page.paste_position(sfen);
                match way {
                    Way::Keys if piece == square("6e") => {
                        page.focus_board();
                        page.walk_to("6e");
                        page.key(Key::Enter);
                    }
                    way => page.point(way, &[&piece]),
                }
                page.shown(".selected");
                page.let_go();
                page.wait(&format!("({refusal}).startsWith('{words}')"));
                assert!(!page.is_shown(".selected"), "{way:?}");
            }
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn whoever_walks_on_makes_no_move_there() {
    on_a_slow_page(|page| {
        let start = "5k/6/6/6/6/K5 b G 1";
        page.paste(start);
        page.hold();
        page.start(Way::Clicks, "6f5f");
        page.wait_sfen("5k/6/6/6/6/1K4 w G 2");
        page.start(Way::Clicks, "1a1b");
        page.key(Key::Home);
        page.wait_sfen(start);
        page.let_go();
        page.point(Way::Clicks, &[&in_hand("black", 'G')]);
        page.shown(&format!("{}.target", square("3c")));
        page.wait_moves(1);
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_move_is_not_played_where_one_has_gone_meanwhile() {
    on_a_slow_page(|page| {
        let start = "5k/6/6/6/6/K5 b - 1";
        page.paste(start);
        ["6f5f", "1a1b", "5f6f", "1b1a"].into_iter().for_each(|mv| page.play(Way::Clicks, mv));
        for (keys, ply) in [(vec![Key::End], 4), (vec![Key::Right, Key::Left], 0)] {
            // A fresh page has to ask for the legal moves of the position it goes to.
            page.reload();
            page.hold();
            page.key(Key::Home);
            page.wait_sfen(start);
            page.start(Way::Clicks, "6f5f");
            for key in keys {
                page.key(key);
            }
            page.let_go();
            page.point(Way::Clicks, &[&square("6f")]);
            page.shown(&format!("{}.target", square("5f")));
            page.wait_ply(ply);
            page.wait_moves(4);
            page.key(Key::End);
            page.wait_ply(4);
        }
    });
}

#[test]
#[ignore = "needs chromedriver"]
fn a_move_is_planned_while_the_engine_thinks() {
    on_a_slow_page(|page| {
        let arrow = "g.arrow-second";
        page.edit("5k/6/6/6/6/KG4 b - 1");
        page.press_key("editor.play");
        page.press("dialog [type=submit]");
        page.shown(&button("play.resign"));
        page.hold();
        page.start(Way::Clicks, "5f5e");
        page.wait_sfen("5k/6/6/6/1G4/K5 w - 2");
        // It is shown, and taken back by Escape, by its piece, and by the right button.
        let menu = "document.querySelector(\"[data-square='3c']\").dispatchEvent(new MouseEvent('contextmenu', { bubbles: true }));";
        let ways: [&dyn Fn(); 3] =
            [&|| page.key(Key::Escape), &|| page.point(Way::Clicks, &[&square("6f")]), &|| drop(page.run(menu))];
        for take_back in ways {
            page.start(Way::Clicks, "6f6e");
            page.shown(arrow);
            page.wait("[...document.querySelectorAll('.status-more')].some((words) => words.textContent.startsWith('Next: '))");
            take_back();
            page.hidden(arrow);
        }
        // Its target has a piece of one's own: nothing took that, and the move goes without a word.
        page.start(Way::Clicks, "6f5e");
        page.shown(arrow);
        page.let_go();
        page.wait_ply(2);
        page.hidden(arrow);
        page.wait("document.querySelector('.status').textContent === 'Your move'");
        assert!(!page.is_shown(".refusal"));
        // A legal one is played at once.
        page.hold();
        page.start(Way::Clicks, "5e5d");
        page.wait("document.querySelector('.board').dataset.sfen.endsWith(' w - 4')");
        page.start(Way::MouseDrag, "6f6e");
        page.shown(arrow);
        page.let_go();
        page.wait("document.querySelector(\"[data-ply='5'] .san\")?.textContent === 'K-6e'");
        page.hidden(arrow);
    });
}

mod site_too {
    use super::*;

    /// Holds back all that the program says, until it is let go.
    const HOLD_ALL: &str = "const listen = Link.prototype.addEventListener;
    const held = new Promise((done) => { window.letGo = done; });
    Link.prototype.addEventListener = function (name, listener) {
        return listen.call(this, name, name === 'message' ? (event) => held.then(() => listener(event)) : listener);
    };";

    #[test]
    #[ignore = "needs chromedriver"]
    fn nothing_is_shown_before_the_program_has_said_what_there_is() {
        on_the_page_of(Board::start(), |page, board| {
            page.play(Way::Clicks, "6e6d");
            let script = page.developer("Page.addScriptToEvaluateOnNewDocument", json!({"source": link(HOLD_ALL)}));
            for (width, height) in [(1280, 800), (375, 667)] {
                page.resize(width, height);
                page.visit(&board.url);
                page.wait("document.querySelector('.board')");
                let shown = "[...document.querySelectorAll('button, input, progress, textarea, .board, .hand, .card, .plate')]\
                    .filter((each) => each.checkVisibility({ visibilityProperty: true })).map((each) => each.outerHTML)";
                assert_eq!(page.value(shown), json!([]), "{width} by {height} pixels");
                // Nor does a key do anything.
                for key in ['n', 'o', 'b', '?'] {
                    page.key(key);
                }
                page.key(Key::Tab);
                assert_eq!(page.value("Boolean(document.querySelector('dialog'))"), false);
                assert_eq!(page.value("document.activeElement === document.body"), true);
                page.run("letGo();");
                page.wait("document.body.dataset.ready");
                page.shown(".board");
                page.wait_ply(1);
                assert!(!page.is_shown(".opening"));
            }
            page.developer("Page.removeScriptToEvaluateOnNewDocument", script);
        });
    }

    #[test]
    #[ignore = "needs chromedriver"]
    fn the_first_thing_that_is_shown_is_true() {
        // Record the content of every frame, from the first one on.
        let watch = "window.frames_seen = [];
            const look = () => {
                const board = document.querySelector('.board');
                if (board?.checkVisibility({ visibilityProperty: true }))
                    frames_seen.push([board.dataset.sfen, document.querySelectorAll('.hand-piece:not([hidden])').length,
                        [...document.querySelectorAll('button')].filter((each) => each.checkVisibility({ visibilityProperty: true })
                            && ['review.stop', 'play.rematch', 'problem.next'].includes(each.dataset.t)).length]);
                setTimeout(look);
            };
            look();";
        on_the_page_of(Board::start(), |page, board| {
            page.play(Way::Clicks, "6e6d");
            let sfen = page.sfen();
            page.developer("Page.addScriptToEvaluateOnNewDocument", json!({"source": watch}));
            page.go_to(&board.url);
            page.wait("frames_seen.length > 3");
            let all_true = format!(
                "frames_seen.every((seen) => JSON.stringify(seen) === JSON.stringify([{}, 0, 0]))",
                json!(sfen)
            );
            assert_eq!(page.value(&all_true), true, "{}", page.value("frames_seen"));
        });
    }
}
