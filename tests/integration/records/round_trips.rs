//! Written records are read back: the same tree, up to the limits of a format.

use judkins::record::{Format, NodeId, Record};
use judkins::shogi::{EndReason, GameScore};
use proptest::prelude::*;

use super::trees::{held, records};
use super::{WRITTEN, only, read, read_as};

/// Compares by parts, so that a failure says where.
fn assert_same(read: &Record, expected: &Record, text: &str) {
    assert_eq!(read.header, expected.header, "{text}");
    assert_eq!(read.start().to_string(), expected.start().to_string(), "{text}");
    let nodes = |record: &Record| -> Vec<_> {
        let node = |id| (record.moves_to(id), record[id].children().len(), record[id].notes().clone());
        record.walk().map(node).collect()
    };
    for (read, expected) in nodes(read).into_iter().zip(nodes(expected)) {
        assert_eq!(read, expected, "{text}");
    }
    assert_eq!(read, expected, "{text}");
}

/// `PROPTEST_CASES` asks for more.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(100)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_format_reads_what_it_wrote(record in records()) {
        for format in WRITTEN {
            let text = record.to_text(format).expect("it is written");
            // Of a game without tags the start of the text may be a comment in any words.
            let games = read_as(&text, format);
            prop_assert_eq!(games.len(), 1, "{}: {}", format, text);
            prop_assert_eq!(&games[0].problems[..], &[][..], "{}: {}", format, text);
            let read = games[0].record.as_ref().expect("it has a start");
            assert_same(read, &held(&record, format), &text);
            // Once more: the read record has only what the format can represent.
            prop_assert_eq!(read.to_text(format).expect("it is written"), text);
        }
    }

    #[test]
    fn formats_and_dialects_are_recognised(record in records()) {
        for format in WRITTEN {
            let text = record.to_text(format).expect("it is written");
            let read = only(&text);
            assert_same(&read, &held(&record, format), &text);
        }
    }

    #[test]
    fn files_of_many_games_are_taken_apart_again(records in prop::collection::vec(records(), 1..5)) {
        for format in WRITTEN {
            let text: String = records.iter().map(|record| record.to_text(format).expect("it is written")).collect();
            let games = read(&text);
            prop_assert_eq!(games.len(), records.len(), "{}: {}", format, text);
            for (game, record) in games.iter().zip(&records) {
                assert_same(game.record.as_ref().expect("it has a start"), &held(record, format), &text);
            }
        }
    }
}

#[test]
fn every_ending_survives_every_format() {
    let results = [None, Some(GameScore::Black), Some(GameScore::White), Some(GameScore::Draw)];
    let reasons = EndReason::ALL.iter().copied().map(Some).chain([None]);
    for (reason, result) in reasons.flat_map(|reason| results.map(|result| (reason, result))) {
        for line in ["startpos moves 6e6d", "startpos moves 6e6d 1b1c", "bishop", "bishop moves 1b1c"] {
            let mut record = only(line);
            (record.header.reason, record.header.result) = (reason, result);
            for format in WRITTEN.into_iter().filter(|format| *format != Format::Usi) {
                let text = record.to_text(format).expect("it is written");
                let header = only(&text).header;
                assert_eq!((header.reason, header.result), (reason, result), "{text}");
            }
        }
    }
}

#[test]
fn a_time_where_no_move_was_made_is_text() {
    for said in ["5.1s", "[%clk 0:09:59] a clock", "+0.35/12 1.0s, hello"] {
        let record = only(format!("[Event \"a\"]\n\n{{{said}}} 1. P-6d *\n"));
        assert_eq!(record[NodeId::ROOT].notes().comment, said);
        assert_same(&only(record.to_text(Format::Pgn).unwrap()), &record, said);
    }
}
