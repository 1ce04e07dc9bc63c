//! Features of the site only: it keeps everything in the browser, works without a network, and updates itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;

use crate::hands::Way;
use crate::page::{Page, button};
use crate::server::site_folder;
use crate::static_host::StaticHost;
use crate::views::{begin_review, panel, paste_blunder, review};

/// The number of times the browser is killed.
const KILLS: u64 = 3;

const MOVES: [&str; 8] = ["6e6d", "1b1c", "6d6c", "1c1d", "5f5e", "2a2b", "4f4e", "3a3b"];

fn site() -> PathBuf {
    site_folder().expect("JUDKINS_SITE names the site: --skip site::")
}

/// A copy of the site, to be changed.
fn copy() -> TempDir {
    let copy = tempfile::tempdir().expect("there is room");
    let site = site();
    let status = Command::new("cp").arg("-r").arg(site.join(".")).arg(copy.path()).status();
    assert!(status.is_ok_and(|status| status.success()), "{site:?} is a folder");
    copy
}

fn edit(site: &TempDir, name: &str, change: impl FnOnce(String) -> String) {
    let path = site.path().join(name);
    let text = std::fs::read_to_string(&path).expect("the site has it");
    std::fs::write(path, change(text)).expect("there is room");
}

/// Gives a changed site its version, as scripts/web.sh does.
fn stamp(site: &TempDir) {
    let script = r#"
        files=$(sed -n 's/^const FILES = \[\(.*\)\];$/\1/p' service-worker.js | tr -d '",' | sed 's: \./ : index.html :')
        hash=$(cat $files | sha256sum | cut -c 1-16)
        sed -i "s|^const VERSION = .*|const VERSION = \"$hash\";|" service-worker.js
    "#;
    let status = Command::new("sh").args(["-euc", script]).current_dir(site.path()).status();
    assert!(status.is_ok_and(|status| status.success()), "the site has a list of its files");
}

fn on_the_site(site: &Path, test: impl FnOnce(&Page, &StaticHost)) {
    let host = StaticHost::start(site);
    let page = Page::open(&host.url);
    test(&page, &host);
    page.check_quiet();
}

/// Kills the browser with this profile without a warning.
fn kill_browser(profile: &Path) {
    // It names its computer and its number.
    let lock = std::fs::read_link(profile.join("SingletonLock")).expect("a browser runs");
    let number = lock.to_string_lossy().rsplit('-').next().map(str::to_owned).expect("it has a number");
    let status = Command::new("kill").args(["-KILL", &number]).status();
    assert!(status.is_ok_and(|status| status.success()), "{number} is its number");
}

/// The service worker that has everything.
fn wait_for_copy(page: &Page) {
    page.run_async("navigator.serviceWorker.ready.then(() => true)");
}

#[test]
#[ignore = "needs chromedriver and the site"]
fn it_works_at_the_root_too() {
    let host = StaticHost::start(&site());
    let page = Page::open(&host.root());
    page.play(Way::Clicks, "6e6d");
    page.check_quiet();
}

#[test]
#[ignore = "needs chromedriver and the site"]
fn storage_that_is_denied_or_full_is_said_and_the_game_goes_on() {
    for fault in [
        "Object.defineProperty(globalThis, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });",
        "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    ] {
        let site = copy();
        edit(&site, "assets/board-worker.js", |text| fault.to_owned() + &text);
        on_the_site(site.path(), |page, _| {
            page.play(Way::Clicks, "6e6d");
            page.wait("document.querySelector('.notice:not(.refusal)')?.textContent.includes('is not kept')");
            page.play(Way::Clicks, "1b1c");
        });
    }
}

#[test]
#[ignore = "needs chromedriver and the site"]
fn a_tab_goes_on_when_the_one_that_ran_the_board_is_closed() {
    on_the_site(&site(), |page, host| {
        let first = page.window();
        page.play(Way::Clicks, "6e6d");
        let second = page.new_tab(&host.url);
        page.wait_ply(1);
        // The board says to all pages that it runs again, and then to this one what there is.
        let listen = "const channel = new BroadcastChannel('judkins-board'); let began = false; \
            channel.onmessage = ({ data }) => { began ||= data.began; if (began && data.text) window.isBack = true; };";
        page.run(listen);
        page.switch_to(&first);
        page.close_tab();
        page.switch_to(&second);
        page.wait("window.isBack");
        page.wait("!document.querySelector('.outage:not([hidden])')");
        page.play(Way::Clicks, "1b1c");
        page.press(".engine .switch");
        page.wait("document.querySelectorAll('.engine .line').length === 3");
    });
}

#[test]
#[ignore = "needs chromedriver and the site"]
fn a_browser_that_is_killed_loses_at_most_the_last_move_or_the_last_game() {
    let host = StaticHost::start(&site());
    for kill in 0..KILLS {
        let profile = tempfile::tempdir().expect("there is room");
        let kill_and_open = |page: Page| {
            std::thread::sleep(Duration::from_millis(6 * kill));
            kill_browser(profile.path());
            drop(page);
            std::fs::remove_file(profile.path().join("SingletonLock")).ok();
            Page::open_in(profile.path(), &host.url)
        };
        let page = Page::open_in(profile.path(), &host.url);
        let count = 1 + usize::try_from(kill).expect("it is small");
        MOVES[..count].iter().for_each(|mv| page.play(Way::Clicks, mv));
        let page = kill_and_open(page);
        let kept = page.value("document.querySelectorAll('.move').length");
        assert!([count, count - 1].iter().any(|&count| kept == count), "{kept} of {count} moves are there");
        (4..=8).for_each(|count| page.paste(&format!("startpos moves {}", MOVES[..count].join(" "))));
        let page = kill_and_open(page);
        page.key('l');
        page.shown(".kept-game");
        let games = page.text("[...document.querySelectorAll('.kept-game')].map((game) => game.innerText).join()");
        let count = |count: usize| games.matches(&format!("moves: {count}")).count();
        assert!((4..=7).all(|plies| count(plies) == 1) && count(8) <= 1, "{games}");
    }
}

/// The page that took over used to know of it only when its board had started, and until then said of nothing that was
/// done on it that nobody heard it. While the first board started, the page was empty without a word.
#[test]
#[ignore = "needs chromedriver and the site"]
fn a_page_says_that_its_board_has_not_started_yet() {
    let site = copy();
    edit(&site, "assets/board-worker.js", |text| {
        let held = "const held = new Promise((done) => { new BroadcastChannel('start').onmessage = done; });\n";
        held.to_owned()
            + &text.replace("compile(file(\"judkins.wasm\"))", "held.then(() => compile(file(\"judkins.wasm\")))")
    });
    edit(&site, "assets/socket.js", |text| text.replace("SILENT_MS = 15_000", "SILENT_MS = 100"));
    let start = |page: &Page| {
        page.patiently("the board starts", || {
            page.run("new BroadcastChannel('start').postMessage(0);");
            (page.value("Boolean(document.body.dataset.ready)") == true && !page.is_shown(".outage")).then_some(())
        });
    };
    let host = StaticHost::start(site.path());
    let page = Page::blank();
    page.visit(&host.url);
    page.shown(".outage");
    start(&page);
    let first = page.window();
    page.play(Way::Clicks, "6e6d");
    let second = page.new_tab(&host.url);
    page.wait_ply(1);
    page.switch_to(&first);
    page.close_tab();
    page.switch_to(&second);
    page.shown(".outage");
    start(&page);
    page.play(Way::Clicks, "1b1c");
    page.wait_ply(2);
}

#[test]
#[ignore = "needs chromedriver and the site"]
fn a_database_that_the_browser_has_closed_is_opened_again() {
    let site = copy();
    edit(&site, "assets/board-worker.js", |text| {
        let close = "
            const opened = [];
            const { open } = IDBFactory.prototype;
            IDBFactory.prototype.open = function (...names) {
                const request = open.apply(this, names);
                request.addEventListener('success', () => opened.push(request.result));
                return request;
            };
            const closing = new BroadcastChannel('closing');
            closing.onmessage = () => {
                for (const each of opened.splice(0)) {
                    each.close();
                    each.onclose?.();
                }
                closing.postMessage('closed');
            };
        ";
        close.to_owned() + &text
    });
    on_the_site(site.path(), |page, _| {
        page.play(Way::Clicks, "6e6d");
        page.run_async(
            "new Promise((done) => { const closing = new BroadcastChannel('closing');
                closing.onmessage = () => done(true); closing.postMessage('close'); })",
        );
        page.play(Way::Clicks, "1b1c");
        page.reload();
        page.wait_ply(2);
    });
}

#[test]
#[ignore = "needs chromedriver and the site"]
fn it_opens_and_plays_without_a_network() {
    on_the_site(&site(), |page, host| {
        wait_for_copy(page);
        host.go_down();
        page.go_to(&format!("{}index.html", host.url));
        page.go_to(&host.url);
        page.play(Way::Clicks, "6e6d");
        page.press(".engine .switch");
        page.wait("document.querySelectorAll('.engine .line').length === 3");
    });
}

#[test]
#[ignore = "needs chromedriver and the site"]
fn a_new_version_replaces_the_old_one_as_a_whole_at_the_next_start() {
    let site = copy();
    let change = |from: &str, to: &str| {
        edit(&site, "index.html", |text| text.replace(&format!("<title>{from}"), &format!("<title>{to}")));
        edit(&site, "assets/main.js", |text| format!("{text}\nwindow.version = '{to}';"));
        stamp(&site);
    };
    on_the_site(site.path(), |page, host| {
        wait_for_copy(page);
        change("judkins", "new");
        let versions = "fetch(location.href).then((answer) => answer.text()).then((text) => [/<title>(\\w+)/.exec(text)[1], window.version ?? null])";
        page.go_to(&host.url);
        assert_eq!(page.run_async(versions), json!(["judkins", null]));
        page.patiently("it waits", || {
            let waits =
                page.run_async("navigator.serviceWorker.getRegistration().then(({ waiting }) => Boolean(waiting))");
            (waits == true).then_some(())
        });
        page.visit("about:blank");
        page.patiently("the new version is there", || {
            page.go_to(&host.url);
            let found = page.run_async(versions);
            let is_whole = [json!(["judkins", null]), json!(["new", "new"])].contains(&found);
            assert!(is_whole, "{found}");
            page.visit("about:blank");
            (found[0] == "new").then_some(())
        });
        page.go_to(&host.url);
    });
}

/// A host may have some files of a version before it has the others.
#[test]
#[ignore = "needs chromedriver and the site"]
fn files_of_two_versions_are_not_kept() {
    let site = copy();
    edit(&site, "assets/main.js", |text| format!("{text}\n// of another version"));
    on_the_site(site.path(), |page, _| {
        let state =
            "navigator.serviceWorker.getRegistration().then((it) => it && !it.installing && Boolean(it.active))";
        let is = |expected: bool| (page.run_async(state) == expected).then_some(());
        let gone = "navigator.serviceWorker.getRegistration().then((it) => it === undefined)";
        page.patiently("nothing is kept", || (page.run_async(gone) == true).then_some(()));
        stamp(&site);
        page.reload();
        page.patiently("everything is kept", || is(true));
    });
}

/// The network is the largest file. A review waits for it, and moves used to wait for the review.
#[test]
#[ignore = "needs chromedriver and the site"]
fn moves_are_played_while_a_review_waits_for_the_network() {
    let host = StaticHost::start(&site());
    host.hold_network(true);
    let page = Page::open(&host.url);
    paste_blunder(&page);
    panel(&page, "review");
    page.press(".review .row:not([hidden]) button");
    page.play(Way::Clicks, "6e6d");
    page.wait_ply(1);
    host.hold_network(false);
    page.shown(".found");
    page.check_quiet();
}

#[test]
#[ignore = "needs chromedriver and the site"]
fn a_review_that_a_reload_interrupted_begins_again() {
    on_the_site(&site(), |page, _| {
        paste_blunder(page);
        begin_review(page, "deep");
        page.shown(&button("review.stop"));
        let stored = "new Promise((done) => { const open = indexedDB.open('judkins'); open.onsuccess = () => { \
            const get = open.result.transaction('state').objectStore('state').get('session'); \
            get.onsuccess = () => { open.result.close(); done(get.result.includes('reviewing')); }; }; })";
        page.patiently("the review is stored", || (page.run_async(stored) == json!(true)).then_some(()));
        page.reload();
        panel(page, "review");
        page.shown(&button("review.stop"));
        page.press_key("review.stop");
        page.hidden(&button("review.stop"));
    });
}

#[test]
#[ignore = "needs chromedriver and the site"]
fn a_link_to_a_game_opens_it_in_another_browser() {
    on_the_site(&site(), |page, host| {
        // The text that would be copied.
        page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; };");
        page.paste(&format!("startpos moves {}", MOVES.join(" ")));
        page.key('s');
        page.press_key("share.game");
        let link = page.wait("window.copied").as_str().expect("it is text").to_owned();
        assert!(link.starts_with(&host.url), "{link}");
        let other = Page::open(&link);
        other.wait_moves(MOVES.len());
        other.go_to(&link[..link.len() - 9]);
        other.wait("document.querySelector('.notice:not(.refusal)')?.textContent.includes('damaged')");
        other.check_quiet();
    });
}

#[test]
#[ignore = "needs chromedriver and the site"]
fn deleted_games_are_listed_and_come_back_after_a_reload() {
    on_the_site(&site(), |page, _| {
        (1..=3).for_each(|count| page.paste(&format!("startpos moves {}", MOVES[..count].join(" "))));
        let open = |deleted: bool, games: &[usize]| {
            page.reload();
            page.key('l');
            page.shown("dialog .kept-game");
            if deleted {
                page.press("dialog label:has([data-t='library.bin'])");
            }
            wait_games(page, games);
        };
        let press = |row: usize, key: &str| {
            page.press(&format!("dialog li:nth-child({row}) input"));
            page.press_key(key);
        };
        open(false, &[3, 2, 1]);
        press(2, "library.delete");
        wait_games(page, &[3, 1]);
        press(2, "library.delete");
        wait_games(page, &[3]);
        open(true, &[2, 1]);
        press(2, "replace.undo");
        wait_games(page, &[2]);
        open(false, &[3, 1]);
        open(true, &[2]);
        press(1, "library.erase");
        page.press("dialog .primary");
        wait_games(page, &[]);
        open(false, &[3, 1]);
    });
}

/// Waits until the library lists games with these numbers of moves.
fn wait_games(page: &Page, plies: &[usize]) {
    let listed = "[...document.querySelectorAll('.kept-game')].map((game) => /moves: (\\d+)/.exec(game.innerText)[1])";
    page.becomes(&format!("{listed}.join()"), plies.iter().map(usize::to_string).collect::<Vec<_>>().join(","));
}

/// The engine's Worker used to end without telling the board, which then waited for it.
#[test]
#[ignore = "needs chromedriver and the site"]
fn an_engine_that_has_no_network_or_half_of_it_is_told_and_starts_again() {
    let site = copy();
    let network = site.path().join("assets/judkins.net");
    let whole = std::fs::read(&network).expect("the site has it");
    std::fs::remove_file(&network).expect("it is a copy");
    let host = StaticHost::start(site.path());
    let page = Page::open(&host.url);
    page.wait("document.querySelector('.broken').textContent.includes('404')");
    std::fs::write(&network, &whole[..whole.len() / 2]).expect("there is room");
    page.press(&format!(".broken {}", button("engines.restart")));
    page.wait("document.querySelector('.broken')?.textContent.includes('404') === false");
    page.shown(".broken");
    paste_blunder(&page);
    panel(&page, "review");
    page.press(".review .row:not([hidden]) button");
    page.wait("[...document.querySelectorAll('.notice')].some((each) => each.innerText.includes('cannot be fetched'))");
    std::fs::write(&network, whole).expect("there is room");
    // The board itself still works.
    review(&page);
    panel(&page, "engine");
    page.press(&format!(".broken {}", button("engines.restart")));
    page.press(".engine .switch");
    page.wait("document.querySelectorAll('.engine .line').length === 3");
    page.wait("document.querySelector('.outage').hidden");
}

/// The board works for one user on one thread, and a long job used to hold up the judge.
#[test]
#[ignore = "needs chromedriver and the site"]
fn a_move_of_a_problem_is_judged_during_a_review() {
    on_the_site(&site(), |page, _| {
        page.paste(&format!("startpos moves {}", MOVES.join(" ")));
        page.wait("document.querySelector(\"[data-ply='8']\")");
        begin_review(page, "deep");
        page.shown(&button("review.stop"));
        page.press_key("bar.problems");
        page.shown(&button("problem.leave"));
        // The first problem's solution.
        page.play(Way::Clicks, "3b2c");
        page.shown(".said.good");
        page.press_key("problem.leave");
        panel(page, "review");
        page.shown(&button("review.stop"));
        page.press_key("review.stop");
        page.hidden(&button("review.stop"));
    });
}
