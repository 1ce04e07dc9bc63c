//! The games of a list, and how they are found in a text.

use std::io::BufRead;

use super::study::Study;
use super::view;
use crate::atomic_file;
use crate::board::messages::GameEntry;
use crate::record::{Format, ReadGame, Reader, Record};
use crate::shogi::Move;

/// The number of games reported at once.
const MOST_AT_ONCE: usize = 500;

/// Where a game lies in the list's text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: u64,
    pub length: u64,
    pub format: Format,
    /// The number of lines before it in its file.
    pub before: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// In its text, from which it is read when it is opened.
    Text(Span),
    /// It shares a line with another one: here as it was read.
    Read(Box<ReadGame>),
    /// As the user made or changed it.
    Study(Box<Study>),
}

/// A game of a list: its location, its list entry, and the moves of its main line, each with the position's key.
#[derive(Debug)]
pub(crate) struct Listed {
    pub place: Place,
    pub entry: GameEntry,
    pub(super) played: Vec<(u64, Move)>,
    /// It has changed on the board since it was put there.
    pub(super) is_changed: bool,
}

impl Listed {
    /// A game whose place is known, under this number.
    pub(super) fn new(id: u64, place: Place, record: Option<&Record>) -> Listed {
        let played = record.map(played).unwrap_or_default();
        Listed { place, entry: entry(id, record), played, is_changed: false }
    }

    pub(super) fn of_study(study: Study) -> Listed {
        let id = study.kept.id.expect("a chapter has a number");
        let (entry, played) = (entry(id, Some(&study.record)), played(&study.record));
        Listed { place: Place::Study(Box::new(study)), entry, played, is_changed: false }
    }
}

/// Games read from a file that is followed.
#[derive(Debug)]
pub struct Followed {
    /// The text that these games and those that follow are in, to be added to what was read before.
    pub(super) text: Vec<u8>,
    pub(crate) format: Format,
    pub(crate) games: Vec<Listed>,
    /// The file was begun anew.
    pub is_new: bool,
}

/// Where each line starts, in bytes. Lines end as readers of records have it: with `\n`, `\r\n` or `\r`.
pub(super) fn line_starts(text: &[u8]) -> Vec<u64> {
    let mut starts = vec![0];
    for (index, &byte) in text.iter().enumerate() {
        if byte == b'\n' || byte == b'\r' && text.get(index + 1) != Some(&b'\n') {
            starts.push(index as u64 + 1);
        }
    }
    starts
}

/// The list entry of each game, and its location.
pub(super) fn entries<R: BufRead>(
    reader: Reader<R>,
    format: Format,
    starts: &[u64],
    end: u64,
    (offset, before): (u64, usize),
) -> Vec<Listed> {
    let mut games: Vec<Listed> = Vec::new();
    let mut last_read: Option<ReadGame> = None;
    for game in reader.map_while(Result::ok) {
        let start = starts.get(game.line.saturating_sub(1)).copied().unwrap_or(end);
        if let Some(Listed { place: Place::Text(last), .. }) = games.last_mut() {
            last.length = (start + offset).saturating_sub(last.start);
        }
        // An unreadable game keeps its place, so that numbers are those of the file.
        if !game.shares_line {
            let before = before + game.line.saturating_sub(1);
            let place = Place::Text(Span { start: start + offset, length: end - start, format, before });
            games.push(Listed::new(0, place, game.record.as_ref()));
            last_read = Some(game);
            continue;
        }
        if let (Some(Listed { place, .. }), Some(read)) = (games.last_mut(), last_read.take()) {
            *place = Place::Read(Box::new(read));
        }
        let record = game.record.clone();
        games.push(Listed::new(0, Place::Read(Box::new(game)), record.as_ref()));
    }
    games
}

/// The format of a file that is followed, once enough of it is there to tell.
pub fn known_format(text: &[u8]) -> Option<Format> {
    let is_line_begun = atomic_file::without_mark(text).starts_with(b"{") && !text.contains(&b'\n');
    if is_line_begun { None } else { Reader::new(text).ok().map(|reader| reader.format()) }
}

impl Followed {
    /// The games of a text that follows these bytes and lines of its file, in parts that are reported one by one.
    /// `is_new`: the file was begun anew.
    pub fn parts(text: Vec<u8>, format: Format, offset: (u64, usize), is_new: bool) -> Vec<Followed> {
        let starts = line_starts(&text);
        let mut games = match Reader::with_format(text.as_slice(), format) {
            Ok(reader) => entries(reader, format, &starts, text.len() as u64, offset),
            Err(_) => Vec::new(),
        };
        let mut parts = vec![Followed { text, format, games: Vec::new(), is_new }];
        while !games.is_empty() {
            let rest = games.split_off(games.len().min(MOST_AT_ONCE));
            let games = std::mem::replace(&mut games, rest);
            match parts.last_mut() {
                Some(part) if part.games.is_empty() => part.games = games,
                _ => parts.push(Followed { text: Vec::new(), format, games, is_new: false }),
            }
        }
        parts
    }
}

/// The moves of the main line, each with the key of its position.
fn played(record: &Record) -> Vec<(u64, Move)> {
    record.start().walk(record.main_moves()).map(|(position, mv)| (position.key(), mv)).collect()
}

pub(super) fn entry(id: u64, record: Option<&Record>) -> GameEntry {
    let header = record.map(view::header).unwrap_or_default();
    let (result, reason) = record.map(view::outcome).unwrap_or_default();
    GameEntry {
        id,
        title: header.event,
        black: header.black.unwrap_or_else(|| "?".to_owned()),
        white: header.white.unwrap_or_else(|| "?".to_owned()),
        result: result.unwrap_or_else(|| "*".to_owned()),
        reason: reason.unwrap_or_default(),
        plies: record.map_or(0, |record| record.main_line().count()),
        date: header.date,
    }
}
