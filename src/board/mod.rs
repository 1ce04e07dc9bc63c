//! The board in the browser: its page plays games, analyses and edits records. A server on 127.0.0.1 runs it for one
//! user, or a Worker of the page does.
//!
//! [`state`] holds all data: the study (a [record](crate::record) and a node in it), the running game with its clocks,
//! the analyses, the problems, the lessons. The page displays it. The state does no I/O: a shell passes requests of
//! pages and reports of engines to it, one at a time, and carries out the outputs. Every change goes to every open
//! page.
//!
//! | file | content |
//! | --- | --- |
//! | `messages` | requests of the page and messages to it, texts for people |
//! | `state` | the state and its operations, a file for each subject; `io` has its inputs and outputs |
//! | `jobs` | computations that take too long for the state |
//! | `server` | HTTP, sockets, engines as processes, files |
//! | `web` | the same in a Worker of the browser, without a server |
//! | `page` | the code that the browser runs |
//!
//! # For scripts that drive the page
//! These names are stable:
//!
//! | selector | is |
//! | --- | --- |
//! | `body[data-ready]` | the page, once everything is there |
//! | `.board[data-sfen]` | the board; the attribute is the position that it shows |
//! | `[data-square="5e"]` | a square; its classes `last`, `check`, `selected` and `target` are what is marked on it |
//! | `[data-hand="P"][data-color="black"]` | a piece in hand, hidden while there is none |
//! | `.promotion button` | while it is asked: to promote, then not to |
//! | `.move[data-ply="1"]` | a move of the tree, with its node in `data-node`; `.current` stands on the board |
//! | `[data-t="play.resign"]`, `[data-tip="bar.theme"]` | what is written or labelled with this key of `texts.js`, in any language |
//! | `[data-format="kif"]`, `[data-brush="+R"]` | a format to save in, a piece of the editor |
//!
//! `performance.getEntriesByName("move")` has a measure of each move: from the press to the updated page.
//!
//! A page can neither start a program nor name a file.

mod jobs;
pub mod messages;
#[cfg(feature = "board")]
pub mod server;
pub mod state;
pub mod web;

pub use state::replay_html;

/// A random number, which simultaneous boards are unlikely to share. The standard library seeds the keys of its hash
/// tables from the system.
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
