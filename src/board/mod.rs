//! The board in the browser: a server on 127.0.0.1 for one user, whose page plays, analyses and keeps games.
//!
//! The truth is here: the study (a [record](crate::record) and a place in it), the game being played with its clocks, the
//! engines as processes, the problems. The page draws it. A single task, the `desk`, owns all of it and does one thing
//! after the other; sockets, engines and slow work send it events. Every change goes to every open page.
//!
//! | file | holds |
//! | --- | --- |
//! | `server`, `access`, `refusal`, `assets`, `socket` | HTTP, who may ask and what others are told, what is served, one page's connection |
//! | `messages`, `words`, `view` | what is said to the page, texts for people, records and positions as messages |
//! | `desk` | the state and what is asked of it, a file for each subject |
//! | `study`, `session` | the record that is edited, and how it survives the end of the program |
//! | `earlier` | games and studies that others have replaced |
//! | `game`, `level` | the game being played with its clocks, how engines are made weaker |
//! | `engine`, `driver` | engines, each a process with a thread that drives it |
//! | `library`, `problems` | the games of a file, mate problems |
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
//! | `[data-t="play.resign"]`, `[data-tip="bar.theme"]` | what is written or labelled with this key of `i18n.js`, in any language |
//! | `[data-format="kif"]`, `[data-brush="+R"]` | a format to save in, a piece of the editor |
//!
//! `performance.getEntriesByName("move")` has a measure of each move: from the press to the changed page.
//!
//! What the page sends can neither start a program nor name a file.

mod access;
mod assets;
mod desk;
mod driver;
mod earlier;
mod engine;
mod game;
mod level;
mod library;
pub mod messages;
mod problems;
mod refusal;
mod server;
mod session;
mod socket;
mod study;
mod view;
pub mod words;

pub use desk::Opened;
pub use server::{Server, ServerError};
pub use study::OpenError;
