//! `judkins board` as a browser sees it: over a real socket.

mod client;
mod engines;
mod play;
mod review;
mod safety;
mod study;
