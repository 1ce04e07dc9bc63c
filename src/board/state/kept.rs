//! Games of the library as values, and the tasks of its database: SQLite beside the server, IndexedDB in the browser.

use serde::{Deserialize, Serialize};

use super::now::Now;
use super::saved::{SavedGame, SavedStudy};
use super::study::{Kept, Study};
use super::view;
use crate::board::messages::text::{self, Text, Value};
use crate::board::messages::{LibraryOrder, LibraryQuery, LibraryRow, Tally};
use crate::record::date::half_width;
use crate::record::{Date, Format, ReadError, Reader};
use crate::review::remove_annotations;
use crate::shogi::{EndReason, Move, Position};

/// The version of the databases.
pub const VERSION: u32 = 1;

/// The most games that are listed at once.
pub const PAGE: usize = 100;

/// The maximum number of search words; further words are ignored.
const MOST_WORDS: usize = 20;

/// The most games of a file.
const MOST_GAMES: usize = 100_000;

/// How many games that were not read completely are named.
const MOST_NAMED: usize = 5;

/// Days for which a deleted game can be restored.
pub const DAYS_DELETED: u64 = 30;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptGame {
    pub row: LibraryRow,
    /// The searchable texts, in lower case and half width, with and without accents. The first line is the name.
    pub words: String,
    /// The same number for games with the same content, so that an exported game is recognised when it is imported.
    pub same: u64,
    /// The positions of the main line by their [`place_key`], each with the move played there; none at the end.
    pub places: Vec<(u64, Option<Move>)>,
    pub study: SavedStudy,
    /// It is a record and nothing else: a new one is not written where the library has the same.
    #[serde(default)]
    pub plain: bool,
    /// When it was deleted, if that came before the database had it. In milliseconds since 1970.
    #[serde(default)]
    pub deleted: Option<u64>,
}

/// A task for the database. Tasks are carried out in order.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LibraryTask {
    /// Write all games or none, replacing those with the same numbers.
    Save { games: Vec<KeptGame> },
    /// Give a game another name; `words` is its first line there.
    Rename { game: u64, name: Option<String>, words: String },
    /// Delete games at this time, or restore them.
    Delete { games: Vec<u64>, at: Option<u64> },
    /// Delete games for good.
    Erase { games: Vec<u64> },
    /// List games: [`PAGE`] of them.
    List(Search),
    /// The numbers of all games that are found.
    All(Search),
    /// Games whole.
    Fetch { games: Vec<u64> },
    /// The moves that were played at a place.
    Explore { key: u64 },
}

/// A search for games, and its order. Equal games are sorted newest first.
#[derive(Debug, Serialize)]
pub struct Search {
    pub words: Vec<String>,
    pub result: Option<String>,
    pub key: Option<u64>,
    pub deleted: bool,
    pub order: LibraryOrder,
    pub ascending: bool,
    pub first: usize,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LibraryAnswer {
    /// The number of games written.
    Done {
        count: usize,
    },
    List {
        rows: Vec<LibraryRow>,
        total: usize,
    },
    All {
        games: Vec<u64>,
    },
    Fetched {
        games: Vec<Fetched>,
    },
    Explored {
        moves: Vec<(Move, Tally)>,
    },
}

/// A game of the library, to be opened or written.
#[derive(Debug, Deserialize)]
pub struct Fetched {
    pub id: u64,
    pub name: Option<String>,
    pub study: SavedStudy,
}

impl KeptGame {
    /// A study, with the game that is being played in it.
    pub fn of(study: &Study, game: Option<SavedGame>, now: Now) -> KeptGame {
        let record = &study.record;
        let header = view::header(record);
        let (result, reason) = view::outcome(record);
        let Kept { id, colour, level, date, .. } = study.kept.clone();
        let row = LibraryRow {
            id: id.unwrap_or_default(),
            name: study.name.clone(),
            black: header.black,
            white: header.white,
            event: header.event,
            level,
            colour,
            result,
            reason,
            date: header.date.or(date).unwrap_or_else(|| now.date.to_string()),
            plies: record.main_line().count(),
            playing: game.is_some(),
            kept: now.millis,
        };
        let others = [&row.black, &row.white, &Some(row.date.clone()), &row.event, &header.site];
        let (_, ending) = view::end_of_game(record);
        let reasons = ending.map(EndReason::names);
        let others = others.into_iter().flatten().map(|text| &**text).chain(reasons.into_iter().flatten());
        let others: Vec<&str> = others.collect();
        let words = format!("{}\n{}", first_words(&row.name), searchable(&others.join(" ")));
        let mut position = record.start().clone();
        let mut places = Vec::with_capacity(row.plies + 1);
        for mv in record.main_moves() {
            places.push((place_key(&position), Some(mv)));
            position.play_unchecked(mv);
        }
        places.push((place_key(&position), None));
        // Reviews of the same game may differ.
        let mut bare = record.clone();
        remove_annotations(&mut bare);
        let same = number_of(&bare.to_text(Format::Kif).expect("KIF is a format that is written"));
        // A game that was played here has a rule.
        let is_pasted = study.unsaved && game.is_none() && row.colour.is_none() && record.header.impasse.is_none();
        let plain = is_pasted && study.review.is_none() && bare == *record;
        let mut study = SavedStudy::of(study, game);
        study.kept.date = Some(row.date.clone());
        KeptGame { row, words, same, places, study, plain, deleted: None }
    }

    pub fn rename(&mut self, name: &Option<String>) {
        self.row.name.clone_from(name);
        self.study.name.clone_from(name);
        let others = self.words.split_once('\n').map_or("", |(_, others)| others);
        self.words = format!("{}\n{others}", first_words(name));
    }

    /// The same with another number.
    #[must_use]
    pub fn with_id(mut self, id: u64) -> KeptGame {
        self.row.id = id;
        self.study.kept = Kept { id: Some(id), is_current: true, ..self.study.kept };
        self
    }
}

impl Search {
    /// The search of a page's query, with the position on the board.
    pub fn of(query: &LibraryQuery, position: &Position) -> Search {
        let words = half_width(&query.words.to_lowercase());
        Search {
            words: words.split_whitespace().take(MOST_WORDS).map(search_word).collect(),
            result: query.result.clone(),
            key: query.here.then(|| place_key(position)),
            deleted: query.deleted,
            order: query.order,
            ascending: query.ascending,
            // Databases count in signed numbers.
            first: query.first.min(i64::MAX as usize),
        }
    }
}

/// A word as it is searched: the date `2024/1/5` is `2024-01-05`, as rows have it.
fn search_word(word: &str) -> String {
    Date::parse(word).map_or_else(|| word.to_owned(), |date| date.to_string())
}

/// A name as the first line of [`KeptGame::words`].
pub fn first_words(name: &Option<String>) -> String {
    searchable(&name.as_deref().unwrap_or_default().replace('\n', " "))
}

/// Letters, each with its accented forms.
const ACCENTED: [(char, &str); 15] = [
    ('a', "àáâãäåāăą"),
    ('c', "çćč"),
    ('d', "ďđ"),
    ('e', "èéêëēėęě"),
    ('g', "ğ"),
    ('i', "ìíîïīı"),
    ('l', "ł"),
    ('n', "ñńň"),
    ('o', "òóôõöøōő"),
    ('r', "ř"),
    ('s', "śşšș"),
    ('t', "ťţț"),
    ('u', "ùúûüūůű"),
    ('y', "ýÿ"),
    ('z', "źżž"),
];

/// A text in lower case and half width, and again without accents if it has any.
fn searchable(text: &str) -> String {
    let text = half_width(&text.to_lowercase());
    let plain = |letter| ACCENTED.iter().find(|(_, all)| all.contains(letter)).map_or(letter, |(plain, _)| *plain);
    let bare: String = text.chars().map(plain).collect();
    if bare == text { text } else { format!("{text} {bare}") }
}

/// The number under which databases know a position, whatever number its move has.
pub fn place_key(position: &Position) -> u64 {
    let sfen = position.to_string();
    number_of(sfen.rsplit_once(' ').map_or(sfen.as_str(), |(place, _)| place))
}

/// The number of a text: FNV-1a, which other versions compute alike. JavaScript holds its 53 bits.
fn number_of(text: &str) -> u64 {
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, hash) >> 11
}

/// Names the first games that were not read completely, as the library names games of a file.
fn cut(broken: &[usize], problem: Text) -> Text {
    let numbers = broken.iter().take(MOST_NAMED).map(|number| format!("#{number}"));
    let more = (broken.len() > MOST_NAMED).then(|| "…".to_owned());
    let games = numbers.chain(more).map(Text::verbatim).collect();
    Text::new("record.cut").with("games", Value::List(games)).with("problem", problem)
}

/// Games of a file, without numbers.
#[derive(Debug)]
pub struct ReadGames {
    pub games: Vec<KeptGame>,
    /// The numbers of the games that were not read completely, and the problem of the first one.
    pub problem: Option<Text>,
}

impl ReadGames {
    pub fn of(name: &str, bytes: &[u8], now: Now) -> ReadGames {
        let mut read = ReadGames { games: Vec::new(), problem: None };
        let reader = match Reader::new(bytes) {
            Ok(reader) => reader,
            Err(error) => return ReadGames { problem: Some(text::unreadable(&error)), ..read },
        };
        let (mut count, mut broken) = (0, Vec::new());
        for (number, game) in (1..).zip(reader) {
            count = number;
            if number > MOST_GAMES {
                return ReadGames { games: Vec::new(), problem: Some(Text::new("error.too-long")) };
            }
            let problem = match game {
                Ok(game) => {
                    if let Some(record) = game.record {
                        let study = Study { unsaved: true, ..Study::of(record, Some(format!("{name} #{number}"))) };
                        read.games.push(KeptGame { plain: true, ..KeptGame::of(&study, None, now) });
                    }
                    game.problems.first().map(text::problem)
                }
                Err(error) => Some(text::unreadable(&ReadError::Io(error))),
            };
            broken.extend(problem.is_some().then_some(number));
            read.problem = read.problem.or(problem);
        }
        // The problem of a file's only game says all.
        read.problem = read.problem.map(|problem| if count > 1 { cut(&broken, problem) } else { problem });
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_found_without_accents_and_in_half_width() {
        assert_eq!(searchable("Ｂob Érik"), "bob érik bob erik");
        assert_eq!(searchable("Érik（Ａ）"), "érik(a) erik(a)");
        assert_eq!(searchable("Ada"), "ada");
    }
}
