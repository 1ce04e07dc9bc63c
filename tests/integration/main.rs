//! The program and the library from outside, a module for each subject: one program, which is linked once.

#[cfg(unix)]
mod arena;
mod board;
mod book;
mod cli;
#[path = "../common/mod.rs"]
mod common;
mod exactness;
mod learning;
mod mate;
#[cfg(unix)]
mod outside;
mod perft;
mod position_text;
mod properties;
mod protocol;
mod races;
mod readme;
mod records;
mod review;
mod rules;
mod search;
mod structure;
mod tune;
mod two_engines;
