//! The board in the browser: a server on 127.0.0.1 for one user, whose page plays, analyses and keeps games.
//!
//! The truth is here: the study (a [record](crate::record) and a place in it), the game being played with its clocks, the
//! engines as processes, the problems. The page draws it. A single task, the `desk`, owns all of it and does one thing
//! after the other; sockets, engines and slow work send it events. Every change goes to every open page.
//!
//! | file | holds |
//! | --- | --- |
//! | `server`, `access`, `assets`, `socket` | HTTP, who may ask, what is served, one page's connection |
//! | `messages`, `words`, `view` | what is said to the page, texts for people, records and positions as messages |
//! | `desk` | the state and what is asked of it, a file for each subject |
//! | `study`, `session` | the record that is edited, and how it survives the end of the program |
//! | `game`, `level` | the game being played with its clocks, how engines are made weaker |
//! | `engine`, `driver` | engines, each a process with a thread that drives it |
//! | `library`, `problems` | the games of a file, mate problems |
//!
//! What the page sends can neither start a program nor name a file.

mod access;
mod assets;
mod desk;
mod driver;
mod engine;
mod game;
mod level;
mod library;
pub mod messages;
mod problems;
mod server;
mod session;
mod socket;
mod study;
mod view;
pub mod words;

pub use desk::Opened;
pub use server::{Server, ServerError};
pub use study::OpenError;
