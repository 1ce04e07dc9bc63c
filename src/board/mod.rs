//! The board in the browser: its page plays, analyses and keeps games. A server on 127.0.0.1 runs it for one user, or a
//! Worker of the page does.
//!
//! The truth is in [`state`]: the study (a [record](crate::record) and a place in it), the game being played with its
//! clocks, the analyses, the problems, the lessons. The page draws it. The state does no I/O: a shell carries requests
//! of pages and reports of engines to it, one after the other, and carries out what it returns. Every change goes to
//! every open page.
//!
//! | file | holds |
//! | --- | --- |
//! | `messages` | requests of the page and messages to it, texts for people |
//! | `state` | the state and what is asked of it, a file for each subject; `io` has its inputs and outputs |
//! | `jobs` | computations that take too long for the state |
//! | `server` | HTTP, sockets, engines as processes, files |
//! | `web` | the same in a Worker of the browser, without a server |
//! | `page` | what the browser runs |
//!
//! # For scripts that drive the page
//! These names stay as they are:
//!
//! | selector | is |
//! | --- | --- |
//! | `body[data-ready]` | the page, once everything is there |
//! | `.board[data-sfen]` | the board; the attribute is the position that it shows |
//! | `[data-square="5e"]` | a square; its classes `last`, `check`, `selected` and `target` are what is marked on it |
//! | `[data-hand="P"][data-color="black"]` | a piece in hand, hidden while there is none |
//! | `.promotion button` | while it is asked: to promote, then not to |
//! | `.move[data-ply="1"]` | a move of the tree, with its node in `data-node`; `.current` stands on the board |
//! | `[data-t="play.resign"]`, `[data-tip="bar.theme"]` | what is written or labelled with this key of `en.js`, in any language |
//! | `[data-format="kif"]`, `[data-brush="+R"]` | a format to save in, a piece of the editor |
//!
//! `performance.getEntriesByName("move")` has a measure of each move: from the press to the changed page.
//!
//! What the page sends can neither start a program nor name a file.

mod jobs;
pub mod messages;
#[cfg(feature = "board")]
pub mod server;
pub mod state;
pub mod web;

pub use state::replay_html;

/// A number that boards at the same time hardly share. The standard library draws the keys of its hash tables from the
/// system.
fn random_tag() -> u64 {
    std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), ())
}

/// The time for an input of the state.
fn now() -> state::io::Now {
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    state::io::Now { instant: std::time::Instant::now(), date: today(), millis: since_1970.as_millis() as u64 }
}

/// The user's local date.
#[cfg(not(all(target_family = "wasm", feature = "web")))]
fn today() -> crate::record::Date {
    let date = jiff::Zoned::now().date();
    crate::record::Date::new(date.year() as u16, date.month() as u8, date.day() as u8)
        .expect("the calendar's dates are dates")
}

#[cfg(all(target_family = "wasm", feature = "web"))]
fn today() -> crate::record::Date {
    #[link(wasm_import_module = "judkins")]
    // SAFETY: worker.js has a function of this name and type.
    unsafe extern "C" {
        /// Year, month and day as digits: 20261125.
        safe fn local_date() -> u32;
    }
    let date = local_date();
    crate::record::Date::new((date / 10_000) as u16, (date / 100 % 100) as u8, (date % 100) as u8)
        .expect("the calendar's dates are dates")
}
