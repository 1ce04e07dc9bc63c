use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::game::PlayedMove;
use super::{Dialect, EngineSpec, Opening, Outcome, Reason, Rules};
use crate::protocol::usi::InfoScore;
use crate::shogi::Color;

/// A game of a match, as it is kept: one line of JSON.
///
/// The lists run over the moves that the engines played, those of the opening not among them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The game's number, from 1. Odd and even make a pair.
    pub game: usize,
    /// How often it was played before, without a contest.
    pub replay: u32,
    /// Whether it counts. A game that is played again does not.
    pub counts: bool,
    /// When it ended, UTC.
    pub date: String,
    /// The engine that played Black.
    pub black: EngineRecord,
    /// The engine that played White.
    pub white: EngineRecord,
    /// The impasse rule.
    pub impasse_rule: String,
    /// Its quiet plies.
    pub impasse_plies: u32,
    /// What was played on the board before the engines began, as in a file of openings.
    pub opening: String,
    /// The moves, in USI.
    pub moves: Vec<String>,
    /// The mover's score: centipawns, or `mate N`.
    pub scores: Vec<Option<ScoreRecord>>,
    /// Plies.
    pub depths: Vec<Option<u32>>,
    /// Positions visited.
    pub nodes: Vec<Option<u64>>,
    /// Milliseconds, by the runner's clock.
    pub times: Vec<f64>,
    /// `1-0` if Black won, `0-1` if White did, `1/2-1/2` if nobody did.
    pub result: GameScore,
    /// Why.
    pub reason: Reason,
    /// Why, for people.
    pub detail: String,
}

/// An engine as it played a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineRecord {
    /// What it is called in the match.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it was started, if not where the runner ran.
    pub directory: Option<PathBuf>,
    /// Its language.
    pub dialect: Dialect,
    /// The options that were set.
    pub options: BTreeMap<String, String>,
    /// The lines that were sent besides.
    pub init: Vec<String>,
    /// How long it might think.
    pub limit: String,
}

/// A score: a number of centipawns, or a text `mate N`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ScoreRecord {
    /// Centipawns.
    Centipawns(i32),
    /// `mate N`, in the engine's own count.
    Mate(String),
}

/// A game's score, Black's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameScore {
    /// Black won.
    #[serde(rename = "1-0")]
    Black,
    /// White won.
    #[serde(rename = "0-1")]
    White,
    /// Nobody won.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameScore {
    /// What it is worth to a colour, in half points: 0, 1 or 2.
    pub fn half_points(self, color: Color) -> u32 {
        match (self, color) {
            (GameScore::Draw, _) => 1,
            (GameScore::Black, Color::Black) | (GameScore::White, Color::White) => 2,
            _ => 0,
        }
    }

    /// As it is written: `1-0`, `0-1`, `1/2-1/2`.
    pub fn text(self) -> &'static str {
        match self {
            GameScore::Black => "1-0",
            GameScore::White => "0-1",
            GameScore::Draw => "1/2-1/2",
        }
    }
}

impl From<&EngineSpec> for EngineRecord {
    fn from(spec: &EngineSpec) -> EngineRecord {
        EngineRecord {
            name: spec.name.clone(),
            command: spec.command.clone(),
            arguments: spec.arguments.clone(),
            directory: spec.directory.clone(),
            dialect: spec.dialect,
            options: spec.options.iter().cloned().collect(),
            init: spec.init.clone(),
            limit: spec.control.to_string(),
        }
    }
}

impl From<InfoScore> for ScoreRecord {
    fn from(score: InfoScore) -> ScoreRecord {
        match score {
            InfoScore::Centipawns(score) => ScoreRecord::Centipawns(score),
            InfoScore::Mate(distance) => ScoreRecord::Mate(format!("mate {distance}")),
        }
    }
}

/// What is known of a game before it is played.
pub(super) struct Header<'a> {
    /// Its number, from 0.
    pub number: usize,
    pub replay: u32,
    pub specs: [&'a EngineSpec; 2],
    pub rules: &'a Rules,
    pub opening: &'a Opening,
}

impl GameRecord {
    pub(super) fn new(header: &Header<'_>, counts: bool, moves: &[PlayedMove], outcome: Outcome) -> GameRecord {
        GameRecord {
            game: header.number + 1,
            replay: header.replay,
            counts,
            date: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            black: header.specs[0].into(),
            white: header.specs[1].into(),
            impasse_rule: header.rules.impasse_rule.to_string(),
            impasse_plies: header.rules.impasse_plies,
            opening: header.opening.to_string(),
            moves: moves.iter().map(|played| played.mv.to_string()).collect(),
            scores: moves.iter().map(|played| played.score.map(ScoreRecord::from)).collect(),
            depths: moves.iter().map(|played| played.depth).collect(),
            nodes: moves.iter().map(|played| played.nodes).collect(),
            times: moves.iter().map(|played| rounded_millis(played.elapsed)).collect(),
            result: match outcome.winner {
                Some(Color::Black) => GameScore::Black,
                Some(Color::White) => GameScore::White,
                None => GameScore::Draw,
            },
            reason: outcome.reason,
            detail: outcome.detail,
        }
    }

    /// The engine that played a colour.
    pub fn engine(&self, color: Color) -> &EngineRecord {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The moves of the opening.
    fn opening_moves(&self) -> impl Iterator<Item = &str> {
        self.opening.split(' ').skip_while(|word| *word != "moves").skip(1)
    }

    /// The length of the game in plies, its opening included.
    pub fn plies(&self) -> usize {
        self.opening_moves().count() + self.moves.len()
    }

    /// Who played each of the moves that the engines played.
    pub fn movers(&self) -> impl Iterator<Item = Color> + use<> {
        let white_began = self.opening.starts_with("sfen") && self.opening.split(' ').nth(2) == Some("w");
        let first = usize::from(white_began) + self.opening_moves().count();
        (first..first + self.moves.len()).map(|ply| Color::ALL[ply % 2])
    }

    /// What differs from the game that is planned under this number, if anything does.
    pub(super) fn difference(&self, header: &Header<'_>) -> Option<String> {
        for (recorded, spec) in [&self.black, &self.white].into_iter().zip(header.specs) {
            let planned = EngineRecord::from(spec);
            if *recorded != planned {
                let text = |engine: &EngineRecord| serde_json::to_string(engine).unwrap_or_default();
                return Some(format!("{} was played by {}, not by {}", self.game, text(recorded), text(&planned)));
            }
        }
        let rule = |name: &str, plies: u32| format!("the impasse rule {name} with {plies} plies");
        let recorded = rule(&self.impasse_rule, self.impasse_plies);
        let planned = rule(&header.rules.impasse_rule.to_string(), header.rules.impasse_plies);
        if recorded != planned {
            return Some(format!("{} was played under {recorded}, not {planned}", self.game));
        }
        let planned = header.opening.to_string();
        (self.opening != planned).then(|| format!("{} was opened by '{}', not '{planned}'", self.game, self.opening))
    }
}

/// Milliseconds to a tenth: what lies below is the runner's own doing.
fn rounded_millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

/// Why records cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A line is no record.
    #[error("{path}, line {line}: {message}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
}

/// Reads the records of a file, handing on one after the other. What stands after the last line's end was cut off when
/// the writer was killed, and is passed over.
///
/// # Errors
/// [`RecordError`] if the file cannot be read or a whole line is no record.
pub fn read_records(path: &Path, each: impl FnMut(GameRecord)) -> Result<(), RecordError> {
    let io = |source| RecordError::Io { path: path.to_owned(), source };
    read_lines(path, &mut BufReader::new(File::open(path).map_err(io)?), each).map(|_| ())
}

/// As [`read_records`]; the answer is the length in bytes of what was read.
fn read_lines(path: &Path, reader: &mut impl BufRead, mut each: impl FnMut(GameRecord)) -> Result<u64, RecordError> {
    let (mut text, mut length) = (String::new(), 0);
    for line in 1.. {
        text.clear();
        let read = reader.read_line(&mut text).map_err(|source| RecordError::Io { path: path.to_owned(), source })?;
        if !text.ends_with('\n') {
            break;
        }
        length += read as u64;
        let record = serde_json::from_str(&text).map_err(|error| RecordError::Line {
            path: path.to_owned(),
            line,
            message: error.to_string(),
        })?;
        each(record);
    }
    Ok(length)
}

/// A file of records that is being written.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
}

impl RecordFile {
    /// Begins a file.
    ///
    /// # Errors
    /// [`RecordError`], also if there is such a file: it may hold hours of work.
    pub fn create(path: &Path) -> Result<RecordFile, RecordError> {
        let file = File::options().create_new(true).append(true).open(path);
        let file = file.map_err(|source| RecordError::Io { path: path.to_owned(), source })?;
        Ok(RecordFile { path: path.to_owned(), file })
    }

    /// Goes on with a file, or begins it; what it holds is handed on first. A line that was cut off is removed.
    ///
    /// # Errors
    /// [`RecordError`] if it cannot be read and written, or is not a file of records.
    pub fn resume(path: &Path, each: impl FnMut(GameRecord)) -> Result<RecordFile, RecordError> {
        let io = |source| RecordError::Io { path: path.to_owned(), source };
        let mut file = File::options().create(true).read(true).append(true).open(path).map_err(io)?;
        let length = read_lines(path, &mut BufReader::new(&file), each)?;
        file.set_len(length).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(RecordFile { path: path.to_owned(), file })
    }

    /// Writes a record: the whole line at once, so that a kill cannot leave half of it behind unless it is the last.
    ///
    /// # Errors
    /// [`RecordError`] if the file cannot be written.
    pub fn write(&mut self, record: &GameRecord) -> Result<(), RecordError> {
        let mut line = serde_json::to_vec(record).expect("a record has nothing that JSON could not say");
        line.push(b'\n');
        self.file.write_all(&line).map_err(|source| RecordError::Io { path: self.path.clone(), source })
    }
}
