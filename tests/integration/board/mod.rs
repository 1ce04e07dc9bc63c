//! The board as its pages see it. Most tests drive its state; those that need a process, a socket or HTTP run
//! `judkins board`.

mod chapters;
mod edits;
mod engines;
mod lessons;
mod library;
mod page;
mod play;
mod review;
mod safety;
mod series;
mod server;
pub mod state;
mod study;
