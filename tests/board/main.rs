//! `judkins board` as a browser sees it: over a real socket.

#[path = "../common/board_process.rs"]
mod board_process;
mod client;
mod engines;
mod play;
mod review;
mod safety;
mod study;
