//! Game records in every format: a record that was read is written, and read again with the same moves.

#![no_main]

use judkins::record::{Format, Reader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    // A capital letter names the format, for corpora that can be read; anything else has it recognised.
    let reader = match Format::ALL.get(usize::from(choice.wrapping_sub(b'A'))) {
        Some(&format) => Reader::with_format(text, format).ok(),
        None => Reader::new(text).ok(),
    };
    let Some(reader) = reader else { return };
    for game in reader {
        let Some(record) = game.expect("memory can be read").record else { continue };
        for format in Format::ALL {
            let Ok(written) = record.to_text(format) else { continue };
            let again = Reader::with_format(written.as_bytes(), format).expect("it has just been written");
            let games: Vec<_> = again.map(|game| game.expect("memory can be read")).collect();
            let [game] = games.as_slice() else { panic!("{} games in {written}", games.len()) };
            assert!(game.problems.is_empty(), "{:?} in {written}", game.problems);
            let same = game.record.as_ref().expect("a game was written");
            assert_eq!(same.start(), record.start(), "{written}");
            assert!(same.main_moves().eq(record.main_moves()), "{written}");
            if matches!(format, Format::Kif | Format::Pgn) {
                assert_eq!(same.walk().count(), record.walk().count(), "{written}");
            }
        }
    }
});
