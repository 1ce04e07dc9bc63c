//! Opening books.

#![no_main]

use judkins::engine::Book;
use judkins::shogi::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(book) = Book::parse(text) {
        let _ = book.probe(&Position::startpos());
    }
});
