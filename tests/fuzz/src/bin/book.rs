//! Opening books, as text and in the compact form.

#![no_main]

use judkins::book::{CompactBook, TextBook};
use judkins::shogi::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let position = Position::startpos();
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(book) = TextBook::parse(text)
    {
        book.moves(&position);
    }
    if let Ok(book) = CompactBook::from_bytes(bytes.to_vec()) {
        book.moves(&position);
    }
});
