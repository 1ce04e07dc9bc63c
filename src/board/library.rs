//! The games of a file, as a list to choose from.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::messages::{GameEntry, GamesView};
use super::view;
use crate::record::{Format, Problem, ReadGame, Reader, Record};
use crate::whole_file;

/// How often a file is looked at that may grow.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);

/// So many games are told of at once.
const MOST_AT_ONCE: usize = 500;

/// Where a game lies in its text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    start: u64,
    length: u64,
}

/// Where a game is.
#[derive(Clone, Debug)]
enum Place {
    /// In its text, from which it is read when it is opened.
    Text(Span),
    /// It shares a line with another one: here as it was read.
    Read(Box<ReadGame>),
}

/// Where the games are read from.
#[derive(Debug)]
enum Source {
    Text(Arc<[u8]>),
    File(PathBuf),
}

/// The games of a file.
#[derive(Debug)]
pub struct Library {
    name: String,
    source: Source,
    format: Format,
    live: bool,
    games: Vec<(Place, GameEntry)>,
    /// Games as they were changed, which the file does not have.
    changed: BTreeMap<usize, Record>,
    pub current: Option<usize>,
}

/// A game of a list.
#[derive(Debug)]
pub struct ListedGame {
    pub record: Record,
    /// What it is called.
    pub name: String,
    /// Whether it has changes that its file does not have.
    pub is_changed: bool,
    /// What could not be read of it.
    pub problem: Option<Problem>,
}

/// What has been found in a file that is followed.
#[derive(Debug)]
pub struct Followed {
    format: Format,
    games: Vec<(Place, GameEntry)>,
    /// The file was begun anew.
    pub is_new: bool,
}

impl Library {
    /// The games of a text; none if it holds fewer than two.
    pub fn of_text(name: &str, text: Vec<u8>) -> Option<Library> {
        let reader = Reader::new(text.as_slice()).ok()?;
        let format = reader.format();
        let starts = line_starts(&text);
        let games = entries(reader, &starts, text.len() as u64, 0);
        if games.len() < 2 {
            return None;
        }
        let source = Source::Text(text.into());
        Some(Library {
            name: name.to_owned(),
            source,
            format,
            live: false,
            games,
            changed: BTreeMap::new(),
            current: None,
        })
    }

    /// The games of a file that are still to be read.
    pub fn of_file(path: &Path) -> Library {
        Library {
            name: path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            source: Source::File(path.to_owned()),
            format: Format::Match,
            live: true,
            games: Vec::new(),
            changed: BTreeMap::new(),
            current: None,
        }
    }

    /// As the page shows it.
    pub fn view(&self) -> GamesView {
        GamesView {
            name: self.name.clone(),
            live: self.live,
            games: self.games.iter().map(|(_, entry)| entry.clone()).collect(),
            total: self.games.len(),
            current: self.current,
        }
    }

    /// Adds what was found; the games that are new, or none if the list has to be shown anew.
    pub fn add(&mut self, followed: Followed) -> Option<Vec<GameEntry>> {
        let is_first = self.games.is_empty() || followed.is_new;
        self.format = followed.format;
        self.live = followed.format == Format::Match;
        if followed.is_new {
            self.games.clear();
            self.changed.clear();
            self.current = None;
        }
        let from = self.games.len();
        self.games.extend(
            followed
                .games
                .into_iter()
                .enumerate()
                .map(|(index, (place, entry))| (place, GameEntry { index: from + index, ..entry })),
        );
        (!is_first).then(|| self.games[from..].iter().map(|(_, entry)| entry.clone()).collect())
    }

    /// The number of the game that [`Library::game`] gives this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        let number = name.strip_prefix(&self.name)?.strip_prefix(" #")?;
        number.parse::<usize>().ok()?.checked_sub(1)
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Keeps the current game as it was changed, for as long as the list is there. Returns whether it has this name.
    pub fn keep(&mut self, name: &str, record: &Record) -> bool {
        let Some(index) = self.index_of(name).filter(|&index| self.current == Some(index)) else { return false };
        self.changed.insert(index, record.clone());
        true
    }

    /// A game of the list, as it was changed.
    pub fn game(&self, index: usize) -> Option<ListedGame> {
        let (place, _) = self.games.get(index)?;
        let name = format!("{} #{}", self.name, index + 1);
        if let Some(record) = self.changed.get(&index) {
            return Some(ListedGame { record: record.clone(), name, is_changed: true, problem: None });
        }
        let game = match place {
            Place::Read(game) => (**game).clone(),
            Place::Text(span) => self.read(*span)?,
        };
        Some(ListedGame { record: game.record?, name, is_changed: false, problem: game.problems.into_iter().next() })
    }

    fn read(&self, span: Span) -> Option<ReadGame> {
        let text = match &self.source {
            Source::Text(text) => text.get(span.start as usize..)?.get(..span.length as usize)?.to_vec(),
            Source::File(path) => read_span(path, span).ok()?,
        };
        Reader::with_format(text.as_slice(), self.format).ok()?.next()?.ok()
    }
}

fn read_span(path: &Path, span: Span) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(span.start))?;
    let mut text = Vec::new();
    file.take(span.length).read_to_end(&mut text)?;
    Ok(text)
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

/// What the list says of each game, and where it lies.
fn entries<R: BufRead>(reader: Reader<R>, starts: &[u64], end: u64, offset: u64) -> Vec<(Place, GameEntry)> {
    let mut games: Vec<(Place, GameEntry)> = Vec::new();
    let mut before: Option<ReadGame> = None;
    for game in reader.map_while(Result::ok) {
        let start = starts.get(game.line.saturating_sub(1)).copied().unwrap_or(end);
        if let Some((Place::Text(last), _)) = games.last_mut() {
            last.length = (start + offset).saturating_sub(last.start);
        }
        // One that cannot be read keeps its place, so that numbers are those of the file.
        let entry = entry(games.len(), game.record.as_ref());
        if !game.shares_line {
            games.push((Place::Text(Span { start: start + offset, length: end - start }), entry));
            before = Some(game);
            continue;
        }
        if let (Some((last, _)), Some(before)) = (games.last_mut(), before.take()) {
            *last = Place::Read(Box::new(before));
        }
        games.push((Place::Read(Box::new(game)), entry));
    }
    games
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

/// Reads the games of a file, and of a match those that are added to it, until it is told to stop or nobody listens.
pub fn follow(path: &Path, stop: &AtomicBool, mut tell: impl FnMut(Followed) -> bool) -> io::Result<()> {
    let mut offset = 0;
    let mut is_new = false;
    // It shows at the beginning of the file, and stays.
    let mut known = None;
    while !stop.load(Ordering::Relaxed) {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        if length < offset {
            (offset, is_new, known) = (0, true, None);
        }
        if length > offset {
            file.seek(SeekFrom::Start(offset))?;
            let mut text = Vec::new();
            BufReader::new(file).take(length - offset).read_to_end(&mut text)?;
            let is_line_begun = whole_file::without_mark(&text).starts_with(b"{") && !text.contains(&b'\n');
            if known.is_none() && !is_line_begun {
                known = Reader::new(text.as_slice()).ok().map(|reader| reader.format());
            }
            let format = known.unwrap_or(Format::Match);
            if format == Format::Match {
                // The line that is being written is for the next time.
                text.truncate(text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
            }
            let starts = line_starts(&text);
            let mut games = match Reader::with_format(text.as_slice(), format) {
                Ok(reader) => entries(reader, &starts, text.len() as u64, offset),
                Err(_) => Vec::new(),
            };
            offset += text.len() as u64;
            while !games.is_empty() {
                let rest = games.split_off(games.len().min(MOST_AT_ONCE));
                let part = std::mem::replace(&mut games, rest);
                if !tell(Followed { format, games: part, is_new: std::mem::take(&mut is_new) }) {
                    return Ok(());
                }
            }
            if format != Format::Match {
                return Ok(());
            }
        }
        std::thread::sleep(LOOK_INTERVAL);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_again_in_their_text() {
        let text = "startpos moves 6e6d\n\nstartpos moves 6e6d 1b1c\nrook\n";
        let library = Library::of_text("some.usi", text.into()).unwrap();
        let plies: Vec<usize> = library.view().games.iter().map(|game| game.plies).collect();
        assert_eq!(plies, [1, 2, 0]);
        for (index, plies) in plies.into_iter().enumerate() {
            assert_eq!(library.game(index).unwrap().record.main_line().count(), plies);
        }
        assert!(library.game(3).is_none());
        assert!(Library::of_text("one.usi", b"startpos\n".to_vec()).is_none());
    }

    #[test]
    fn a_pgn_of_several_games_is_cut_between_them() {
        let game = |moves: &str| format!("[Variant \"judkins\"]\n[Black \"a\"]\n[White \"b\"]\n\n{moves} *\n\n");
        let text = game("1. P-6d P-1c") + &game("1. G-5e");
        let library = Library::of_text("some.pgn", text.into_bytes()).unwrap();
        assert_eq!(library.game(1).unwrap().record.main_line().count(), 1);
        assert_eq!(library.game(0).unwrap().record.main_line().count(), 2);
    }

    #[test]
    fn games_on_one_line_are_kept_apart() {
        let text = "1. P-6d\n1-0 1. G-4e P-1c 0-1 1. P-6d P-1c 2. G-5e *\n1. G-4e *\n";
        let library = Library::of_text("some.pgn", text.into()).unwrap();
        let plies = |index: usize| library.game(index).unwrap().record.main_line().count();
        assert_eq!([0, 1, 2, 3].map(plies), [1, 2, 3, 1]);
    }

    #[test]
    fn a_line_that_is_being_written_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let line = "{\"black\":{\"name\":\"a\"},\"white\":{\"name\":\"b\"},\"moves\":[\"6e6d\"],\"result\":\"1-0\"}\n";
        let (begun, rest) = line.split_at(3);
        std::fs::write(&path, begun).unwrap();
        let (stop, grows) = (AtomicBool::new(false), path.clone());
        let mut found = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut file = File::options().append(true).open(&grows).unwrap();
                for text in [rest, begun, rest] {
                    std::thread::sleep(2 * LOOK_INTERVAL);
                    std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
                }
            });
            follow(&path, &stop, |followed| {
                found.push((followed.format, followed.games.len()));
                found.len() < 2
            })
            .unwrap();
        });
        assert_eq!(found, [(Format::Match, 1), (Format::Match, 1)]);
    }

    #[test]
    fn a_file_that_grows_is_read_further() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let line = "{\"black\":{\"name\":\"a\"},\"white\":{\"name\":\"b\"},\"moves\":[\"6e6d\"],\"result\":\"1-0\"}\n";
        std::fs::write(&path, format!("{line}{{\"mov")).unwrap();
        let mut library = Library::of_file(&path);
        let mut told = 0;
        follow(&path, &AtomicBool::new(false), |followed| {
            told += 1;
            let added = library.add(followed);
            if told == 1 {
                assert!(added.is_none() && library.len() == 1);
                std::fs::write(&path, line.repeat(3)).unwrap();
            } else {
                assert_eq!(added.unwrap().iter().map(|game| game.index).collect::<Vec<_>>(), [1, 2]);
            }
            told < 2
        })
        .unwrap();
        assert_eq!(library.game(2).unwrap().record.main_line().count(), 1);
    }
}
