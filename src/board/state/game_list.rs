//! The games of a file, as a list to choose from.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::Path;

use super::study::Study;
use super::view;
use crate::atomic_file;
use crate::board::messages::{GameEntry, GamesView, Tally};
use crate::record::{Format, Problem, ReadGame, Reader, Record};
use crate::shogi::{GameScore, Move, Position};

/// The number of games reported at once.
const MOST_AT_ONCE: usize = 500;

/// Where a game lies in its text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    start: u64,
    length: u64,
}

#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// In its text, from which it is read when it is opened.
    Text(Span),
    /// It shares a line with another one: here as it was read.
    Read(Box<ReadGame>),
}

/// A game of a file: its location, its list entry, and the moves of its main line, each with the position's key.
#[derive(Debug)]
pub(crate) struct Listed {
    place: Place,
    entry: GameEntry,
    played: Vec<(u64, Move)>,
}

#[derive(Debug)]
pub struct GameList {
    name: String,
    text: Vec<u8>,
    format: Format,
    live: bool,
    games: Vec<Listed>,
    /// Games as they were changed, which the file does not have.
    changed: BTreeMap<usize, Study>,
    pub current: Option<usize>,
}

#[derive(Debug)]
pub struct ListedGame {
    /// The changed study, if it was changed.
    pub study: Study,
    /// The problem of its unreadable part.
    pub problem: Option<Problem>,
}

/// Games read from a file that is followed.
#[derive(Debug)]
pub struct Followed {
    /// The text that these games and those that follow are in, to be added to what was read before.
    text: Vec<u8>,
    pub(crate) format: Format,
    pub(crate) games: Vec<Listed>,
    /// The file was begun anew.
    pub is_new: bool,
}

impl GameList {
    /// The games of a text; none if it holds fewer than two.
    pub fn of_text(name: &str, text: Vec<u8>) -> Option<GameList> {
        let reader = Reader::new(text.as_slice()).ok()?;
        let format = reader.format();
        let starts = line_starts(&text);
        let games = entries(reader, &starts, text.len() as u64, 0);
        if games.len() < 2 {
            return None;
        }
        let name = name.to_owned();
        Some(GameList { name, text, format, live: false, games, changed: BTreeMap::new(), current: None })
    }

    /// The games of a file that are still to be read.
    pub fn of_file(path: &Path) -> GameList {
        GameList {
            name: path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            text: Vec::new(),
            format: Format::Match,
            live: true,
            games: Vec::new(),
            changed: BTreeMap::new(),
            current: None,
        }
    }

    /// The list for the page.
    pub fn view(&self) -> GamesView {
        GamesView {
            name: self.name.clone(),
            live: self.live,
            games: self.games.iter().map(|game| game.entry.clone()).collect(),
            total: self.games.len(),
            current: self.current,
        }
    }

    /// Adds games that were found. Returns the new ones, or none if the whole list must be shown again.
    pub fn add(&mut self, followed: Followed) -> Option<Vec<GameEntry>> {
        let is_first = self.games.is_empty() || followed.is_new;
        self.format = followed.format;
        self.live = followed.format == Format::Match;
        if followed.is_new {
            self.games.clear();
            self.text.clear();
            self.changed.clear();
            self.current = None;
        }
        self.text.extend_from_slice(&followed.text);
        let from = self.games.len();
        self.games.extend(
            followed
                .games
                .into_iter()
                .enumerate()
                .map(|(index, game)| Listed { entry: GameEntry { index: from + index, ..game.entry }, ..game }),
        );
        (!is_first).then(|| self.games[from..].iter().map(|game| game.entry.clone()).collect())
    }

    /// The number of the game that [`GameList::game`] gives this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let number = name.strip_prefix(&self.name)?.strip_prefix(" #")?;
        number.parse::<usize>().ok()?.checked_sub(1)
    }

    /// How many games there are.
    pub fn count(&self) -> usize {
        self.games.len()
    }

    /// Keeps the current game as it was changed, for as long as the list is there. Returns whether it has this name.
    pub fn keep(&mut self, name: &str, study: &Study) -> bool {
        let Some(index) = self.index_of(name).filter(|&index| self.current == Some(index)) else { return false };
        self.changed.insert(index, study.clone());
        true
    }

    pub fn game(&self, index: usize) -> Option<ListedGame> {
        let Listed { place, .. } = self.games.get(index)?;
        let name = format!("{} #{}", self.name, index + 1);
        if let Some(study) = self.changed.get(&index) {
            return Some(ListedGame { study: study.clone(), problem: None });
        }
        let game = match place {
            Place::Read(game) => (**game).clone(),
            Place::Text(span) => self.read(*span)?,
        };
        let study = Study::of(game.record?, Some(name));
        Some(ListedGame { study, problem: game.problems.into_iter().next() })
    }

    /// The moves played at a position and the results of their games, the most-played first.
    pub fn played_at(&self, position: &Position) -> Vec<(Move, Tally)> {
        let key = position.key();
        let mut moves: Vec<(Move, Tally)> = Vec::new();
        for game in &self.games {
            // Count each game once per move.
            let mut counted = Vec::new();
            for &(_, mv) in game.played.iter().filter(|(place, _)| *place == key) {
                if !counted.contains(&mv) {
                    counted.push(mv);
                }
            }
            for mv in counted {
                let index = moves.iter().position(|(known, _)| *known == mv).unwrap_or_else(|| {
                    moves.push((mv, Tally::default()));
                    moves.len() - 1
                });
                let tally = &mut moves[index].1;
                tally.games += 1;
                tally.black += usize::from(game.entry.result == GameScore::Black.text());
                tally.white += usize::from(game.entry.result == GameScore::White.text());
                tally.draws += usize::from(game.entry.result == GameScore::Draw.text());
            }
        }
        moves.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.games));
        moves
    }

    fn read(&self, span: Span) -> Option<ReadGame> {
        let text = self.text.get(span.start as usize..)?.get(..span.length as usize)?;
        Reader::with_format(text, self.format).ok()?.next()?.ok()
    }
}

/// Where each line starts, in bytes. Lines end as readers of records have it: with `\n`, `\r\n` or `\r`.
fn line_starts(text: &[u8]) -> Vec<u64> {
    let mut starts = vec![0];
    for (index, &byte) in text.iter().enumerate() {
        if byte == b'\n' || byte == b'\r' && text.get(index + 1) != Some(&b'\n') {
            starts.push(index as u64 + 1);
        }
    }
    starts
}

/// The list entry of each game, and its location.
fn entries<R: BufRead>(reader: Reader<R>, starts: &[u64], end: u64, offset: u64) -> Vec<Listed> {
    let mut games: Vec<Listed> = Vec::new();
    let mut before: Option<ReadGame> = None;
    for game in reader.map_while(Result::ok) {
        let start = starts.get(game.line.saturating_sub(1)).copied().unwrap_or(end);
        if let Some(Listed { place: Place::Text(last), .. }) = games.last_mut() {
            last.length = (start + offset).saturating_sub(last.start);
        }
        // An unreadable game keeps its place, so that numbers are those of the file.
        let entry = entry(games.len(), game.record.as_ref());
        let played = game.record.as_ref().map(played).unwrap_or_default();
        if !game.shares_line {
            let place = Place::Text(Span { start: start + offset, length: end - start });
            games.push(Listed { place, entry, played });
            before = Some(game);
            continue;
        }
        if let (Some(Listed { place: last, .. }), Some(before)) = (games.last_mut(), before.take()) {
            *last = Place::Read(Box::new(before));
        }
        games.push(Listed { place: Place::Read(Box::new(game)), entry, played });
    }
    games
}

/// The moves of the main line, each with the key of its position.
fn played(record: &Record) -> Vec<(u64, Move)> {
    let mut position = record.start().clone();
    let step = |mv| {
        let key = position.key();
        position.play_unchecked(mv);
        (key, mv)
    };
    record.main_moves().map(step).collect()
}

fn entry(index: usize, record: Option<&Record>) -> GameEntry {
    let header = record.map(view::header).unwrap_or_default();
    GameEntry {
        index,
        black: header.black.unwrap_or_else(|| "?".to_owned()),
        white: header.white.unwrap_or_else(|| "?".to_owned()),
        result: header.result.unwrap_or_else(|| "*".to_owned()),
        reason: header.reason.unwrap_or_default(),
        plies: record.map_or(0, |record| record.main_line().count()),
        date: header.date,
    }
}

/// The format of a file that is followed, once enough of it is there to tell.
pub fn known_format(text: &[u8]) -> Option<Format> {
    let is_line_begun = atomic_file::without_mark(text).starts_with(b"{") && !text.contains(&b'\n');
    if is_line_begun { None } else { Reader::new(text).ok().map(|reader| reader.format()) }
}

impl Followed {
    /// The games of a text that follows `offset` bytes of its file, in parts that are reported one by one. `is_new`:
    /// the file was begun anew.
    pub fn parts(text: Vec<u8>, format: Format, offset: u64, is_new: bool) -> Vec<Followed> {
        let starts = line_starts(&text);
        let mut games = match Reader::with_format(text.as_slice(), format) {
            Ok(reader) => entries(reader, &starts, text.len() as u64, offset),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_again_in_their_text() {
        let text = "startpos moves 6e6d\n\nstartpos moves 6e6d 1b1c\nrook\n";
        let library = GameList::of_text("some.usi", text.into()).unwrap();
        let plies: Vec<usize> = library.view().games.iter().map(|game| game.plies).collect();
        assert_eq!(plies, [1, 2, 0]);
        for (index, plies) in plies.into_iter().enumerate() {
            assert_eq!(library.game(index).unwrap().study.record.main_line().count(), plies);
        }
        assert!(library.game(3).is_none());
        assert!(GameList::of_text("one.usi", b"startpos\n".to_vec()).is_none());
    }

    #[test]
    fn a_pgn_of_several_games_is_cut_between_them() {
        let game = |moves: &str| format!("[Variant \"judkins\"]\n[Black \"a\"]\n[White \"b\"]\n\n{moves} *\n\n");
        let text = game("1. P-6d P-1c") + &game("1. G-5e");
        let library = GameList::of_text("some.pgn", text.into_bytes()).unwrap();
        assert_eq!(library.game(1).unwrap().study.record.main_line().count(), 1);
        assert_eq!(library.game(0).unwrap().study.record.main_line().count(), 2);
    }

    #[test]
    fn games_on_one_line_are_kept_apart() {
        let text = "1. P-6d\n1-0 1. G-4e P-1c 0-1 1. P-6d P-1c 2. G-5e *\n1. G-4e *\n";
        let library = GameList::of_text("some.pgn", text.into()).unwrap();
        let plies = |index: usize| library.game(index).unwrap().study.record.main_line().count();
        assert_eq!([0, 1, 2, 3].map(plies), [1, 2, 3, 1]);
    }
}
