//! Records of engine matches: JSON with one game per line, and its conversion to a `Record`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::header::one_line;
use super::lines::Lines;
use super::read_game::{GameReader, Problem, ReadGame};
use super::{Date, Evaluation, Format, Header, Impasse, NodeId, Record, usi};
use crate::jsonl::{self, JsonLineError};
use crate::protocol::Dialect;
use crate::score::Score;
use crate::shogi::{Color, EndReason, GameScore, Move};

/// The games of a match's record: one per line.
pub(super) struct Games;

/// Whether a line is an object of JSON: `{"name": …`, or `{}`.
pub(super) fn begins(line: &str) -> bool {
    let Some(inside) = line.strip_prefix('{').map(str::trim_start) else { return false };
    let after_name = inside.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(_, rest)| rest.trim_start());
    inside.starts_with('}') || after_name.is_some_and(|rest| rest.starts_with(':'))
}

impl<R: BufRead> GameReader<R> for Games {
    fn next(&mut self, lines: &mut Lines<R>) -> io::Result<Option<ReadGame>> {
        while let Some(line) = lines.next()? {
            if line.text.trim().is_empty() {
                continue;
            }
            let mut read = ReadGame::new(line.number, Format::Match);
            if let Some(problem) = Problem::of_encoding(&line) {
                read.problem(problem);
            }
            match parse_any(line.text.as_bytes()) {
                Ok((game, _)) if game.opening.is_empty() && game.moves.is_empty() => {
                    let message = "the line is not a game of a match: it has neither 'opening' nor 'moves'";
                    read.problem(Problem::new(line.number, 1, message));
                }
                Ok((mut game, keys)) => {
                    let has = |key: &str| keys.contains(&(None, key.to_owned()));
                    game.counts |= !has("counts");
                    let (mut record, problem) = game.to_record();
                    if let Some(Record { header, .. }) = &mut record {
                        header.result = header.result.filter(|_| has("result"));
                        header.reason = header.reason.filter(|_| has("reason"));
                    }
                    read.record = record;
                    // JSON's own columns point to the end of the error; errors of content only have a line.
                    let problems = problem.into_iter().chain(game.left_out(&keys));
                    problems.for_each(|message| read.problem(Problem::new(line.number, 1, message)));
                }
                Err(error) => {
                    // JSON's columns count bytes.
                    let column = line.column(error.column.saturating_sub(1));
                    let message = format!("the line is not a game of a match: {}", error.message);
                    read.problem(Problem::new(line.number, column, message));
                }
            }
            return Ok(Some(read));
        }
        Ok(None)
    }
}

/// A game of a match in its stored form: one line of JSON.
///
/// The lists have one entry per move played by the engines, without the opening.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameRecord {
    /// The game's number, from 1. An odd number and the following even one form a pair.
    pub game: usize,
    /// The number of earlier attempts at the game, which were no contest.
    pub replay: u32,
    /// Whether the game counts. A replayed game does not.
    pub counts: bool,
    /// The time of its end, UTC.
    pub date: String,
    /// The engine that played Black.
    pub black: EngineRecord,
    /// The engine that played White.
    pub white: EngineRecord,
    /// The impasse rule.
    pub impasse_rule: String,
    /// The number of quiet plies of the rule.
    pub impasse_plies: u32,
    /// The adjudication in force; empty for none.
    pub adjudication: String,
    /// The opening, as in a file of openings.
    pub opening: String,
    /// The moves, in USI.
    pub moves: Vec<String>,
    /// The mover's score: centipawns, or `mate N`.
    pub scores: Vec<Option<Score>>,
    /// The depths, in plies.
    pub depths: Vec<Option<u32>>,
    /// The nodes searched.
    pub nodes: Vec<Option<u64>>,
    /// The times in milliseconds, by the runner's clock.
    pub times: Vec<Option<f64>>,
    /// `1-0` if Black won, `0-1` if White won, `1/2-1/2` for a draw.
    pub result: GameScore,
    /// The reason.
    pub reason: EndReason,
    /// The reason in words.
    pub detail: String,
}

/// An engine's settings in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineRecord {
    /// Its name in the match.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working directory, if not the runner's.
    pub directory: Option<PathBuf>,
    /// Its protocol.
    pub dialect: Dialect,
    /// The options that were set.
    pub options: BTreeMap<String, String>,
    /// Further lines that were sent.
    pub init: Vec<String>,
    /// Its time control.
    pub limit: String,
    /// The time in milliseconds by which a move could exceed its limit.
    pub margin: u64,
    /// The timeout where no clock ran, in milliseconds.
    pub patience: u64,
}

/// A key of a game, or of a player of it.
type Key = (Option<&'static str>, String);

const PLAYERS: [&str; 2] = ["black", "white"];

/// The keys of a game and of its players.
fn keys(game: &Value) -> BTreeSet<Key> {
    let fields = |place| if let Some(player) = place { game.get(player) } else { Some(game) };
    let keys = |place| fields(place).and_then(Value::as_object).into_iter().flat_map(serde_json::Map::keys);
    let places = std::iter::once(None).chain(PLAYERS.map(Some));
    places.flat_map(|place| keys(place).map(move |key| (place, key.clone()))).collect()
}

/// The keys of every game.
static KEYS: LazyLock<BTreeSet<Key>> = LazyLock::new(|| {
    let game = serde_json::to_string(&GameRecord::default()).expect("a record has string keys");
    keys(&jsonl::parse(game.as_bytes()).expect("a record is JSON"))
});

/// Parses a line as a game, and returns its keys too. Missing values get their defaults.
fn parse(line: &[u8]) -> Result<(GameRecord, BTreeSet<Key>), JsonLineError> {
    Ok((jsonl::parse(line)?, keys(&jsonl::parse(line)?)))
}

/// As [`parse`], also for lines of other programs: `null` counts as missing, and the settings needed to replay the
/// match may have any form.
fn parse_any(line: &[u8]) -> Result<(GameRecord, BTreeSet<Key>), JsonLineError> {
    parse(line).or_else(|error| {
        let mut game: Value = jsonl::parse(line)?;
        let take_out = |fields: Option<&mut Value>, place, is_needed: fn(&str) -> bool| {
            let is_known = |key: &str| KEYS.contains(&(place, key.to_owned()));
            let fields = fields.and_then(Value::as_object_mut);
            fields.into_iter().for_each(|fields| {
                fields.retain(|key, value| !is_known(key) || is_needed(key) && !value.is_null());
            });
        };
        take_out(Some(&mut game), None, |key| key != "adjudication");
        for player in PLAYERS {
            take_out(game.get_mut(player), Some(player), |key| ["name", "limit"].contains(&key));
        }
        let keys = keys(&game);
        jsonl::parse(game.to_string().as_bytes()).map(|game| (game, keys)).map_err(|_| error)
    })
}

impl GameRecord {
    /// Reads a line that has all keys of a game and no others.
    ///
    /// # Errors
    /// The error in words.
    pub fn parse(line: &[u8]) -> Result<GameRecord, String> {
        let (game, keys) = parse(line).map_err(|error| error.to_string())?;
        let moves = game.moves.len();
        let name = |(place, key): &Key| place.map_or_else(|| key.clone(), |place| format!("{place}.{key}"));
        if let Some(key) = KEYS.difference(&keys).next() {
            Err(format!("missing field `{}`", name(key)))
        } else if let Some(key) = keys.difference(&KEYS).next() {
            Err(format!("unknown field `{}`", name(key)))
        } else if game.game == 0 {
            Err("games are numbered from 1".to_owned())
        } else if game.times.contains(&None) || game.lists().iter().any(|(_, length)| *length != moves) {
            Err("the lists are not of one length".to_owned())
        } else {
            Ok(game)
        }
    }

    /// The lists with one value per move, and their lengths.
    fn lists(&self) -> [(&str, usize); 4] {
        let GameRecord { scores, depths, nodes, times, .. } = self;
        [("scores", scores.len()), ("depths", depths.len()), ("nodes", nodes.len()), ("times", times.len())]
    }

    /// The names of the two engines; the first has Black in the first game of the pair.
    pub fn pairing(&self) -> [&str; 2] {
        let [black, white] = [self.black.name.as_str(), self.white.name.as_str()];
        // Every replay reverses colours, like the second game of a pair.
        if self.game.is_multiple_of(2) == self.replay.is_multiple_of(2) { [white, black] } else { [black, white] }
    }

    /// The player of a colour.
    pub fn engine(&self, color: Color) -> &EngineRecord {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    fn opening_moves(&self) -> impl Iterator<Item = &str> {
        self.opening.split(' ').skip_while(|word| *word != "moves").skip(1)
    }

    /// The player who lost by a fault before sending any move: it may not even be an engine. A late or illegal move
    /// counts as a move.
    pub fn failed_before_move(&self) -> Option<Color> {
        let loser = !self.result.winner()?;
        let has_answered =
            matches!(self.reason, EndReason::Time | EndReason::IllegalMove | EndReason::WrongDeclaration);
        let is_early = self.reason.is_fault() && !has_answered && self.movers().all(|mover| mover != loser);
        is_early.then_some(loser)
    }

    /// Whether a player made a move, or had no opportunity to show that it cannot. If its opponent failed early, only
    /// its own moves tell.
    pub fn can_move(&self, color: Color) -> bool {
        self.failed_before_move().is_none() || self.movers().any(|mover| mover == color)
    }

    /// Whether the rules declare the game no contest, so that a tournament would replay it.
    pub fn is_no_contest(&self) -> bool {
        self.result == GameScore::Draw && matches!(self.reason, EndReason::Sennichite | EndReason::Impasse)
    }

    /// The length of the game in plies, including its opening.
    pub fn plies(&self) -> usize {
        self.opening_moves().count() + self.moves.len()
    }

    /// The player of each move that the engines played.
    pub fn movers(&self) -> impl Iterator<Item = Color> + use<> {
        let white_began = self.opening.starts_with("sfen") && self.opening.split(' ').nth(2) == Some("w");
        let first = usize::from(white_began) + self.opening_moves().count();
        (first..first + self.moves.len()).map(|ply| Color::ALL[ply % 2])
    }

    /// The keys of a line that the record drops, in words.
    fn left_out(&self, keys: &BTreeSet<Key>) -> Vec<String> {
        let name = |(place, key): &Key| {
            let place = place.map_or("game", |_| "player");
            format!("a {place} has no '{}': it is left out", usi::truncate(key))
        };
        let mut messages: Vec<String> = keys.difference(&KEYS).map(name).collect();
        let moves = self.moves.len();
        let longer = self.lists().into_iter().filter(|&(_, length)| length > moves);
        messages.extend(longer.map(|(list, length)| format!("'{list}' has {length} values for {moves} moves")));
        let times = self.times.iter().flatten().filter(|millis| !is_time(**millis));
        messages.extend(times.map(|millis| format!("a time of {millis} ms is left out")));
        messages
    }

    /// The game as a record, up to the first illegal move, and the problem with the rest.
    pub fn to_record(&self) -> (Option<Record>, Option<String>) {
        let opening = if self.opening.is_empty() { "startpos" } else { &self.opening };
        let ReadGame { record, problems, .. } = usi::read_text(opening);
        let flaw =
            problems.first().map(|problem| format!("the opening '{}': {}", usi::truncate(opening), problem.message));
        let Some(mut record) = record else { return (None, flaw) };
        record.header = self.header();
        if flaw.is_some() {
            return (Some(record), flaw);
        }
        let flaw = self.play(&mut record).err();
        (Some(record), flaw)
    }

    fn play(&self, record: &mut Record) -> Result<(), String> {
        let mut cursor = record.cursor(record.main_end()).expect("the end of a line is there");
        for (index, text) in self.moves.iter().enumerate() {
            let mv: Move =
                text.parse().map_err(|error| format!("move {}: '{}' is {error}", index + 1, usi::truncate(text)))?;
            let id = cursor.play(mv).map_err(|error| format!("move {}: {error}", index + 1))?;
            self.note(cursor.record_mut(), id, index);
        }
        Ok(())
    }

    /// Adds the engine's information about one of its moves.
    fn note(&self, record: &mut Record, id: NodeId, index: usize) {
        let evaluation = Evaluation {
            score: self.scores.get(index).copied().flatten(),
            depth: self.depths.get(index).copied().flatten(),
            nodes: self.nodes.get(index).copied().flatten(),
            ..Evaluation::default()
        };
        let millis = self.times.get(index).copied().flatten().filter(|millis| is_time(*millis));
        let time = millis.map(|millis| Duration::from_micros((millis * 1000.0).round() as u64));
        let noted = record.set_legal_evaluation(id, Some(evaluation)).and_then(|()| record.set_time(id, time));
        noted.expect("the move was just played");
    }

    fn header(&self) -> Header {
        let GameRecord { black, white, .. } = self;
        let ended = Date::parse(&self.date);
        let pair = self.pairing().map(one_line);
        let event = match &pair {
            [Some(one), Some(other)] => Some(format!("{one} against {other}")),
            _ => None,
        };
        let round = (self.game > 0).then(|| {
            let of_pair = if self.game.is_multiple_of(2) { 2 } else { 1 };
            let replay = if self.replay > 0 { format!(".{}", u64::from(self.replay) + 1) } else { String::new() };
            format!("{}.{of_pair}{replay}", self.game.div_ceil(2))
        });
        let rule = self.impasse_rule.parse().ok();
        // Values without a meaning here keep their names in PGN.
        let mut tags = Vec::new();
        let mut tag = |name: &str, value: Option<String>| tags.extend(value.map(|value| (name.to_owned(), value)));
        tag("Counts", (!self.counts).then(|| "no, it is played again".to_owned()));
        tag("EndDate", one_line(&self.date).filter(|_| ended.is_none()));
        tag("ImpasseRule", one_line(&self.impasse_rule).filter(|_| rule.is_none()));
        Header {
            players: [one_line(&black.name), one_line(&white.name)],
            date: ended.map(Date::day_only),
            ended,
            event,
            round,
            // Records have the clock without its name on the command line.
            time_controls: [black, white].map(|player| one_line(player.limit.trim_start_matches("tc="))),
            impasse: rule.map(|rule| Impasse { rule, plies: self.impasse_plies }),
            result: Some(self.result),
            reason: Some(self.reason),
            detail: one_line(&self.detail),
            tags,
            ..Header::default()
        }
    }
}

/// Whether a number of milliseconds is a valid time.
fn is_time(millis: f64) -> bool {
    (0.0..1e12).contains(&millis)
}

#[cfg(test)]
mod tests {
    use super::super::{Format, Reader};
    use super::*;

    const LINE: &str = r#"{"game":2,"replay":0,"counts":true,"date":"2024-05-01T12:34:56Z","black":{"name":"two","limit":"nodes=300","command":"x"},"white":{"name":"one","limit":"nodes=200"},"impasse_rule":"Points12","impasse_plies":24,"adjudication":"","opening":"startpos moves 6e6d","moves":["1b1c","5f5e"],"scores":[35,"mate -4"],"depths":[12,null],"nodes":[1000,null],"times":[0.1,1500.0],"result":"0-1","reason":"resignation","detail":"White wins: resignation"}"#;

    fn read(text: &str) -> Vec<ReadGame> {
        Reader::with_format(text.as_bytes(), Format::Match).unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn a_game_of_a_match_is_read_with_all_that_was_said() {
        let games = read(LINE);
        assert_eq!(games[0].problems, []);
        let record = games[0].record.as_ref().unwrap();
        assert_eq!(usi::to_line(record), "startpos moves 6e6d 1b1c 5f5e");
        let notes: Vec<_> = record.main_line().map(|id| record[id].notes().clone()).collect();
        assert_eq!(notes[0], Default::default());
        let evaluation = notes[1].evaluation.clone().unwrap();
        assert_eq!((evaluation.score, evaluation.depth), (Some(Score::Centipawns(35)), Some(12)));
        assert_eq!(notes[2].evaluation.as_ref().unwrap().score, Some(Score::Mate(-4)));
        assert_eq!(
            (notes[1].time, notes[2].time),
            (Some(Duration::from_micros(100)), Some(Duration::from_millis(1500)))
        );
        let header = &record.header;
        assert_eq!((header.event.as_deref(), header.round.as_deref()), (Some("one against two"), Some("1.2")));
        assert_eq!((header.result, header.reason), (Some(GameScore::White), Some(EndReason::Resignation)));
    }

    #[test]
    fn a_clock_is_a_time_control_of_records() {
        let line = LINE.replace("nodes=300", "tc=10+0.1");
        let record = read(&line).remove(0).record.unwrap();
        assert_eq!(record.header.time_controls, ["10+0.1", "nodes=200"].map(|text| Some(text.to_owned())));
    }

    #[test]
    fn the_greatest_numbers_are_taken_as_they_are() {
        let line = LINE.replace("\"game\":2,\"replay\":0", "\"game\":18446744073709551615,\"replay\":4294967295");
        let header = read(&line)[0].record.as_ref().unwrap().header.clone();
        let (event, round) = (header.event.as_deref(), header.round.as_deref());
        assert_eq!((event, round), (Some("one against two"), Some("9223372036854775808.1.4294967296")));
    }

    #[test]
    fn missing_fields_stay_empty_and_errors_are_named() {
        for (text, problem, kept) in [
            (r#"{"moves":["6e6d"]}"#, None, Some("startpos moves 6e6d")),
            (r#"{"moves":["6e6d","6e6d"]}"#, Some("move 2: illegal move 6e6d"), Some("startpos moves 6e6d")),
            (r#"{"moves":["x"]}"#, Some("move 1: 'x' is not a move in USI notation"), Some("startpos")),
            (
                r#"{"opening":"startpos moves 6e6c"}"#,
                Some("the opening 'startpos moves 6e6c': illegal move 6e6c"),
                Some("startpos"),
            ),
            (r#"{"opening":"bishop"}"#, None, Some("sfen r1nsgk/5p/6/6/P5/KGSNBR w - 1")),
            (
                r#"{"opening":"startpos","comment":"x"}"#,
                Some("a game has no 'comment': it is left out"),
                Some("startpos"),
            ),
            (
                r#"{"opening":"startpos","black":{"name":"a","elo":1}}"#,
                Some("a player has no 'elo': it is left out"),
                Some("startpos"),
            ),
            (
                r#"{"opening":"startpos","black.name":"a"}"#,
                Some("a game has no 'black.name': it is left out"),
                Some("startpos"),
            ),
            (r#"{"moves":["6e6d"],"date":null,"result":null,"counts":null}"#, None, Some("startpos moves 6e6d")),
            (
                r#"{"moves":[],"opening":"startpos","white":{"name":null,"options":["x"],"dialect":"own"},"adjudication":{}}"#,
                None,
                Some("startpos"),
            ),
            (
                r#"{"opening":"startpos","comment":null}"#,
                Some("a game has no 'comment': it is left out"),
                Some("startpos"),
            ),
            (r#"{"opening":"startpos","scores":[1]}"#, Some("'scores' has 1 values for 0 moves"), Some("startpos")),
            (r#"{"moves":["6e6d"],"times":[-1]}"#, Some("a time of -1 ms is left out"), Some("startpos moves 6e6d")),
            (r#"{"game":3}"#, Some("the line is not a game of a match: it has neither 'opening' nor 'moves'"), None),
            (
                r#"{"opening":" "}"#,
                Some("the opening ' ': 'startpos', an SFEN, a handicap or moves expected, not ''"),
                None,
            ),
            (
                r#"{"moves":7}"#,
                Some("the line is not a game of a match: invalid type: integer `7`, expected a sequence"),
                None,
            ),
        ] {
            let games = read(text);
            let found = games[0].problems.first().map(|problem| problem.message.as_str());
            assert_eq!(found, problem, "{text}");
            assert_eq!(games[0].record.as_ref().map(usi::to_line).as_deref(), kept, "{text}");
        }
        let cut = &LINE[..LINE.len() / 2];
        let games = read(&format!("{LINE}\n{cut}\n{LINE}\n"));
        assert_eq!(games.iter().map(|game| game.problems.len()).collect::<Vec<_>>(), [0, 1, 0]);
    }
}
