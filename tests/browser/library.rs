//! The library of games and the explorer, with the program's database and with the browser's.

use fantoccini::key::Key;
use serde_json::json;

use crate::hands::Way;
use crate::page::{Page, button};
use crate::server::Board;
use crate::{on_the_page, on_the_page_of};

/// Has the open dialog add a file.
fn add_file(page: &Page, name: &str, text: &str) {
    let script = "const input = document.querySelector('dialog input[type=file]'); const data = new DataTransfer();\
        data.items.add(new File([arguments[1]], arguments[0])); input.files = data.files;\
        input.dispatchEvent(new Event('change'));";
    page.run_with(script, vec![json!(name), json!(text)]);
}

fn open(page: &Page) {
    page.key('l');
    page.shown("dialog .kept-rows li");
}

/// Waits until the list has this number of games.
fn wait_games(page: &Page, count: usize) {
    page.wait(&format!("document.querySelectorAll('dialog .kept-game').length === {count}"));
}

fn game(black: &str, moves: &str, end: &str) -> String {
    format!("[Black \"{black}\"]\n[White \"Dot\"]\n[Variant \"judkins\"]\n[Result \"{end}\"]\n\n{moves} {end}\n\n")
}

#[test]
#[ignore = "needs chromedriver"]
fn the_explorer_shows_shares_of_the_games_that_have_ended() {
    on_the_page(|page| {
        page.drop_file("two.pgn", &(game("Ada", "1. P-6d", "1-0") + &game("Bob", "1. P-6d", "*")));
        // The list of a new file comes to the front.
        page.shown(".games-card");
        page.press_key("tab.explorer");
        let first = "document.querySelector('[data-move=\"6e6d\"] .explored-games')";
        page.becomes(&format!("{first}?.innerText.replace(/\\s+/g, ' ')"), "in this file: 2 100%");
    });
}

#[test]
#[ignore = "needs chromedriver, and takes a minute"]
fn ten_thousand_games_are_searched_at_once() {
    on_the_page(|page| {
        let mut text = String::new();
        for number in 0..10_000 {
            let moves = ["1. P-6d P-1c 2. G-5e", "1. G-5e P-1c", "1. P-6d K-2b", "1. G-4e"][number % 4];
            let end = ["1-0", "0-1", "1/2-1/2"][number % 3];
            text += &game(&format!("player {}", number % 100), &format!("{moves} {{{number}}}"), end);
        }
        open(page);
        page.run(
            "window.started = performance.now(); const list = document.querySelector('dialog .kept-rows');\
            window.changed = null; new MutationObserver(() => { window.changed = performance.now(); }).observe(list, { childList: true });",
        );
        add_file(page, "many.pgn", &text);
        page.wait("document.querySelectorAll('dialog .kept-game').length === 100");
        println!("added: {} ms", page.value("Math.round(changed - started)"));
        page.press("dialog [data-tip='close']");
        page.reload();
        let look = "(async () => { const begin = performance.now();\
            document.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', bubbles: true }));\
            while (document.querySelectorAll('dialog .kept-game').length !== 100) await new Promise(requestAnimationFrame);\
            return performance.now() - begin; })()";
        let opened = page.run_async(look).as_f64().expect("it is a number");
        println!("opened: {opened:.0} ms");
        assert!(opened < 1500.0, "{opened} ms");
        for (what, change) in [
            (
                "player",
                "const it = document.querySelector('dialog [type=search]'); it.value = 'player 77'; it.dispatchEvent(new Event('input'))",
            ),
            (
                "result",
                "const it = document.querySelector('dialog [data-tip=\"library.result\"]'); it.value = '1/2-1/2'; it.dispatchEvent(new Event('change'))",
            ),
            ("position", "document.querySelector('dialog .toggle input').click()"),
            ("position again", "document.querySelector('dialog .toggle input').click()"),
        ] {
            let search = format!(
                "(async () => {{ const begin = performance.now(); const list = document.querySelector('dialog .kept-rows');\
                const drawn = new Promise((done) => new MutationObserver(done).observe(list, {{ childList: true }}));\
                {change}; await drawn; return performance.now() - begin; }})()"
            );
            let time = page.run_async(&search).as_f64().expect("it is a number");
            // Typing waits for 150 ms.
            println!("{what}: {time:.0} ms");
            assert!(time < 1500.0, "{what}: {time} ms");
        }
        page.press("dialog [data-tip='close']");
        page.play(Way::Clicks, "6e6d");
        page.press_key("tab.explorer");
        page.wait("document.querySelector('.explored-games')?.textContent.includes('2500')");
        assert!(page.is_shown(&button("tab.explorer")));
    });
}

mod site_too {
    use super::*;

    #[test]
    #[ignore = "needs chromedriver"]
    fn games_are_found_chosen_deleted_restored_and_opened_by_keys() {
        on_the_page_of(Board::start(), |page, board| {
            let files =
                game("Ada", "1. P-6d P-1c", "1-0") + &game("Bob", "1. P-6d", "0-1") + &game("Cid", "1. G-5e", "1-0");
            open(page);
            add_file(page, "three.pgn", &files);
            wait_games(page, 3);
            page.fill("dialog [type=search]", "ada");
            wait_games(page, 1);
            page.fill("dialog [type=search]", "");
            wait_games(page, 3);
            page.choose("dialog [data-tip='library.result']", "1-0");
            wait_games(page, 1);
            page.choose("dialog [data-tip='library.result']", "");
            page.choose("dialog [data-tip='library.order']", "black");
            page.wait("document.querySelector('dialog .kept-game')?.textContent.includes('Ada')");
            for (width, height) in [(320, 640), (1280, 757)] {
                page.resize(width, height);
                let wide = page.value(
                    "document.querySelector('.library').scrollWidth > document.querySelector('.library').clientWidth",
                );
                assert_eq!(wide, false, "at {width} pixels");
                let own = page.value("document.querySelector('.library').offsetWidth");
                assert_eq!(own, width.min(720), "on a telephone it takes the whole window");
            }
            // Down to the second one, which is deleted, and comes back.
            let focus = "document.querySelector('dialog .kept-game').focus();";
            page.run(focus);
            page.key(Key::Down);
            // Other keys leave the focus where it is.
            page.run("document.activeElement.closest('li').querySelector('input').focus()");
            page.key(Key::F8);
            page.wait("document.activeElement.matches('.kept-box input')");
            page.key(Key::Delete);
            wait_games(page, 2);
            assert!(!page.text("document.querySelector('dialog .kept-rows').textContent").contains("Bob"));
            page.run(focus);
            page.key(Key::Delete);
            wait_games(page, 1);
            for there in [2, 3] {
                page.press_key("replace.undo");
                wait_games(page, there);
            }
            page.press_key("library.all");
            page.wait("document.querySelectorAll('dialog .kept-box input:checked').length === 3");
            // A game that is not listed any more is not chosen, and is not deleted.
            page.fill("dialog [type=search]", "ada");
            wait_games(page, 1);
            page.run(focus);
            page.key(Key::Delete);
            wait_games(page, 0);
            page.fill("dialog [type=search]", "");
            wait_games(page, 2);
            page.press_key("replace.undo");
            wait_games(page, 3);
            page.press_key("library.all");
            page.wait("document.querySelectorAll('dialog .kept-box input:checked').length === 3");
            page.run(
                "window.saved = []; const click = HTMLAnchorElement.prototype.click;\
                HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };",
            );
            page.press_key("library.export");
            assert_eq!(page.wait("saved[0]"), "games.kif");
            page.run(focus);
            page.key(Key::Enter);
            page.wait("!document.querySelector('dialog')");
            page.wait_moves(2);
            // All are there the next time.
            page.loses_connection = true;
            board.kill();
            board.restart();
            page.go_to(&board.url);
            page.key(Key::Home);
            open(page);
            wait_games(page, 3);
            page.press("dialog .toggle input");
            wait_games(page, 3);
            page.press("dialog [data-tip='close']");
            page.press_key("tab.explorer");
            page.wait(
                "document.querySelector('[data-move=\"6e6d\"] .explored-games')?.textContent.includes('2 games')",
            );
            page.wait("document.querySelector('.explored-book')?.textContent");
            page.run("document.querySelector('[data-move=\"6e6d\"]').focus()");
            page.key(Key::Enter);
            page.wait_ply(1);
            page.wait("document.activeElement.matches('li:first-child .explored') && document.activeElement.dataset.move !== '6e6d'");
            page.wait("document.querySelector('[data-move=\"1b1c\"] .explored-games')?.textContent.includes('1 game')");
        });
    }
}
