//! Game records: written records are read back, errors are reported, and files of other programs are understood.

mod broken;
mod convert;
mod kakinoki;
mod pgn;
mod round_trips;
mod samples;
mod scale;
mod silence;
mod trees;

use std::io::Cursor;

use judkins::record::{Format, ReadGame, Reader, Record};

/// The formats that are written.
const WRITTEN: [Format; 6] =
    [Format::Usi, Format::Kif, Format::Ki2, Format::Pgn, Format::PgnFairy, Format::PgnCuteChess];

/// The games of a text in a format that is recognised.
fn read(text: impl AsRef<[u8]>) -> Vec<ReadGame> {
    let reader = Reader::new(Cursor::new(text.as_ref())).expect("the format is recognised");
    reader.collect::<Result<_, _>>().expect("memory can be read")
}

/// The games of a text in this format.
fn read_as(text: impl AsRef<[u8]>, format: Format) -> Vec<ReadGame> {
    let reader = Reader::with_format(Cursor::new(text.as_ref()), format).expect("memory can be read");
    reader.collect::<Result<_, _>>().expect("memory can be read")
}

fn problems(games: &[ReadGame]) -> Vec<String> {
    games.iter().flat_map(|game| &game.problems).map(ToString::to_string).collect()
}

/// The one game of a text, in which something may be wrong.
fn game(text: &str) -> (Record, Vec<String>) {
    let games = read(text);
    assert_eq!(games.len(), 1, "{text}");
    (games[0].record.clone().expect("it has a start"), problems(&games))
}

/// The one game of a text in which nothing is wrong.
fn only(text: impl AsRef<[u8]>) -> Record {
    let mut games = read(text);
    assert_eq!(games.len(), 1);
    let game = games.remove(0);
    assert_eq!(game.problems, []);
    game.record.expect("it has a start")
}

fn usi(record: &Record) -> String {
    judkins::record::usi::to_line(record)
}
