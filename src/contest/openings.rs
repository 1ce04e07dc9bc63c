//! Openings of match games: the built-in list, and files in PGN, KIF, KI2, USI, SFEN or EPD.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Rules;
use crate::atomic_file;
use crate::protocol::uci::parse_fen;
use crate::record::{Format, Problem, ReadError, ReadGame, Reader};
use crate::shogi::{Game, GameResult, Move, Position, position_text};

/// Balanced openings: random moves, after which searches of 200,000 nodes are within 60 centipawns of level.
/// `judkins data openings` makes more.
const BUILT_IN: &[u8] = {
    let all = include_bytes!("openings.txt");
    // A browser plays short series, and every page view transfers the program: some 550 openings are enough there.
    if cfg!(target_family = "wasm") { &first_bytes::<24_000>(all) } else { all }
};

/// A copy of the first bytes, so that the rest is not in the program.
const fn first_bytes<const LENGTH: usize>(bytes: &[u8]) -> [u8; LENGTH] {
    *bytes.first_chunk().expect("the file is longer")
}

/// The start of a match's game: a position, and moves that are played before the engines begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    start: Position,
    moves: Vec<Move>,
}

impl Opening {
    /// Reads a position and moves in the syntax of [`PositionText`](crate::shogi::PositionText).
    ///
    /// # Errors
    /// A message if the text cannot be read or a move is not legal.
    pub fn parse(text: &str) -> Result<Opening, String> {
        let mut games = Reader::with_format(text.as_bytes(), Format::Usi).map_err(|error| error.to_string())?;
        match (games.next().transpose().map_err(|error| error.to_string())?, games.next()) {
            (Some(game), None) => Opening::of(game).map_err(|problem| problem.message),
            _ => Err("it is not a position".to_owned()),
        }
    }

    /// The main line of a game that was read without problems.
    fn of(game: ReadGame) -> Result<Opening, Problem> {
        match (game.problems.into_iter().next(), game.record) {
            (None, Some(record)) => Ok(Opening { start: record.start().clone(), moves: record.main_moves().collect() }),
            (Some(problem), _) => Err(problem),
            (None, None) => Err(Problem { line: game.line, column: 1, message: "there is no game".to_owned() }),
        }
    }

    /// As [`Opening::parse`], but rejects an opening that ends the game under these rules.
    pub fn parse_unfinished(text: &str, rules: &Rules) -> Result<Opening, String> {
        let opening = Opening::parse(text)?;
        opening.over(rules).map_or(Ok(opening), |(_, result)| Err(format!("the game is over: {result}")))
    }

    /// The number of moves after which the game is over under these rules, and its result.
    fn over(&self, rules: &Rules) -> Option<(usize, GameResult)> {
        let mut game = Opening { moves: Vec::new(), ..self.clone() }.game(rules);
        let mut moves = self.moves.iter();
        loop {
            if let Some(result) = game.result() {
                return Some((game.moves().len(), result));
            }
            game.play(*moves.next()?).expect("an opening's moves are legal");
        }
    }

    /// A position, without moves.
    pub fn at(start: Position) -> Opening {
        Opening { start, moves: Vec::new() }
    }

    /// The position before the opening's moves.
    pub fn start(&self) -> &Position {
        &self.start
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position in which the engines begin.
    pub fn end(&self) -> Position {
        self.start.after_line(&self.moves)
    }

    /// A game in which the opening has been played.
    pub(crate) fn game(&self, rules: &Rules) -> Game {
        let mut game = Game::new(self.start.clone()).with_impasse(rules.impasse_rule, rules.impasse_plies);
        self.moves.iter().try_for_each(|&mv| game.play(mv)).expect("an opening's moves are legal");
        game
    }
}

/// In the syntax that [`Opening::parse`] reads: `startpos moves 6e6d 1b1c`.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&position_text(&self.start, self.moves.iter().copied()))
    }
}

/// The reason why openings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("{path}")]
    Unreadable { path: PathBuf, source: io::Error },
    /// The file contains neither games nor positions.
    #[error("{0} is not a file of openings, which may be in PGN, KIF, KI2, USI, SFEN or EPD: {1}")]
    Unrecognised(String, ReadError),
    /// A game or a position has an error.
    #[error("{0}, {1}")]
    Game(String, Problem),
    /// A game is over before the engines begin.
    #[error("{origin}, line {line}: the game is over: {result}")]
    Over {
        origin: String,
        /// The line on which the game begins, from 1.
        line: usize,
        /// The number of moves played.
        plies: usize,
        result: GameResult,
    },
    #[error("{0} has no openings")]
    Empty(String),
}

/// The openings that are built into the program.
///
/// # Errors
/// [`OpeningError`] if one of them ends the game under these rules.
pub fn built_in_openings(rules: &Rules) -> Result<Vec<Opening>, OpeningError> {
    let end = BUILT_IN.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    parse_openings("the built-in file", &BUILT_IN[..end], rules, None)
}

/// Reads a file of games or positions, in any format of [`crate::record`] or in EPD: the main line of each, up to
/// `plies` moves, is an opening.
///
/// # Errors
/// [`OpeningError`], which names the line.
pub fn read_openings(path: &Path, rules: &Rules, plies: Option<usize>) -> Result<Vec<Opening>, OpeningError> {
    let bytes = atomic_file::read(path).map_err(|source| OpeningError::Unreadable { path: path.to_owned(), source })?;
    parse_openings(&path.display().to_string(), &bytes, rules, plies)
}

fn parse_openings(
    origin: &str,
    bytes: &[u8],
    rules: &Rules,
    plies: Option<usize>,
) -> Result<Vec<Opening>, OpeningError> {
    let origin = origin.to_owned();
    let bytes = match without_epd(bytes) {
        Ok(bytes) => bytes,
        Err(problem) => return Err(OpeningError::Game(origin, problem)),
    };
    let games = match Reader::new(&*bytes) {
        Ok(games) => games,
        Err(ReadError::UnknownFormat) if bytes.iter().all(u8::is_ascii_whitespace) => {
            return Err(OpeningError::Empty(origin));
        }
        Err(error) => return Err(OpeningError::Unrecognised(origin, error)),
    };
    let mut openings = Vec::new();
    for game in games {
        let game = game.map_err(|error| OpeningError::Unrecognised(origin.clone(), error.into()))?;
        let line = game.line;
        let mut opening = Opening::of(game).map_err(|problem| OpeningError::Game(origin.clone(), problem))?;
        opening.moves.truncate(plies.unwrap_or(usize::MAX));
        if let Some((plies, result)) = opening.over(rules) {
            return Err(OpeningError::Over { origin, line, plies, result });
        }
        openings.push(opening);
    }
    if openings.is_empty() { Err(OpeningError::Empty(origin)) } else { Ok(openings) }
}

/// Replaces lines of EPD, a position in SFEN or FEN followed by operations like `bm 6e6d;`, by SFEN. Other lines are
/// unchanged.
fn without_epd(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Problem> {
    let mut written = Vec::new();
    let mut is_changed = false;
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let sfen = str::from_utf8(atomic_file::without_mark(line)).ok().and_then(epd_position).transpose();
        let sfen = sfen.map_err(|message| Problem { line: index + 1, column: 1, message })?;
        is_changed |= sfen.is_some();
        match sfen {
            Some(sfen) => written.extend_from_slice(format!("{sfen}\n").as_bytes()),
            None => written.extend_from_slice(line),
        }
    }
    Ok(if is_changed { written.into() } else { bytes.into() })
}

/// The SFEN of a line of EPD or FEN; none for any other line.
fn epd_position(line: &str) -> Option<Result<String, String>> {
    let line = line.trim();
    // Operations end with a semicolon; in perft files they begin with one.
    let (line, has_semicolon) = line.split_once(';').map_or((line, false), |(line, _)| (line, true));
    let words: Vec<&str> = line.split_whitespace().collect();
    let board = words.first().filter(|word| {
        let is_board =
            |c: char| c.is_ascii_digit() || "/+[-]".contains(c) || "PNSGBRK".contains(c.to_ascii_uppercase());
        word.matches('/').count() >= 4 && word.chars().all(is_board)
    })?;
    let is_fen = board.contains('[');
    // The hands of an SFEN may begin with a letter.
    let counts = if is_fen { 2 } else { 3 };
    let operations = words.iter().skip(counts).position(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let (position, operations) = words.split_at(operations.map_or(words.len(), |index| index + counts));
    if operations.first() == Some(&"moves") || !operations.is_empty() && !has_semicolon {
        return None;
    }
    if is_fen {
        return Some(
            parse_fen(&position.join(" ")).map(|position| position.to_string()).map_err(|error| error.to_string()),
        );
    }
    has_semicolon.then(|| {
        // EPD has fields that SFEN lacks.
        let fields = position.iter().enumerate().filter(|(index, word)| *index < counts || **word != "-");
        Ok(fields.map(|(_, word)| *word).collect::<Vec<_>>().join(" "))
    })
}

/// Shuffles openings: the same seed gives the same order.
pub fn shuffle_openings(openings: &mut [Opening], seed: u64) {
    openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::contest::Adjudication;
    use crate::shogi::{DEFAULT_IMPASSE_PLIES, ImpasseRule};

    const RULES: Rules = Rules {
        impasse_rule: ImpasseRule::Points12,
        impasse_plies: DEFAULT_IMPASSE_PLIES,
        adjudication: Adjudication { draw: None, resign: None, max_moves: None },
    };

    #[test]
    fn errors_name_the_line() {
        for (text, error) in [
            ("\n\n", "x has no openings"),
            ("startpos\n\nstartpos moves 6e6c", "x, line 3, column 16: illegal move 6e6c"),
            ("startpos move 6e6d", "x, line 1, column 10: 'move' is not a move in USI notation"),
            ("startpos\nhello", "x, line 2, column 1: 'startpos', an SFEN, a handicap or moves expected, not 'hello'"),
            ("5k/5G/5P/6/6/K5 w - 1", "x, line 1: the game is over: Black wins: checkmate"),
            // The fourth occurrence is in the middle of the line.
            (
                "startpos moves 1f1e 6a6b 1e1f 6b6a 1f1e 6a6b 1e1f 6b6a 1f1e 6a6b 1e1f 6b6a 6e6d",
                "x, line 1: the game is over: no contest: sennichite",
            ),
            (
                "5k/6/6/6/6/K5 b - bm 6f6e",
                "x, line 1, column 1: the move number must be a whole number below 2^32 (2^31 in FEN), not 'bm'",
            ),
            ("startpos\n5k/6/6/6/6/6[] w 0 1", "x, line 2, column 1: Black has no king"),
            (
                "#YANEURAOU-DB2016 1.00\nsfen rbnsgk/5p/6/6/P5/KGSNBR b - 1\n6e6d none 0 0 1",
                "x is not a file of openings, which may be in PGN, KIF, KI2, USI, SFEN or EPD: an opening book holds no \
                 games and no list of openings: `judkins book` reads it",
            ),
        ] {
            let error_of = |text: &str| parse_openings("x", text.as_bytes(), &RULES, None).unwrap_err().to_string();
            assert_eq!(error_of(text), error, "{text}");
        }
        for bytes in [&b"hello\n"[..], b"# nothing", &[0xff, 0, 7]] {
            let error = parse_openings("x", bytes, &RULES, None).unwrap_err().to_string();
            assert!(error.starts_with("x is not a file of openings, which may be in PGN, KIF"), "{error}");
        }
    }

    #[test]
    fn games_and_positions_of_every_format_are_openings() {
        let pgn =
            "[Variant \"judkins\"]\n\n1. P-6d P-1c (1. ... K-2b) 2. G-5e *\n\n[Variant \"judkins\"]\n\n1. P-6d *\n";
        let kif = "手合割：ジャドケンス将棋\n   1 ６四歩(65)\n   2 １三歩(12)\n変化：2手\n   2 ２二玉(11)\n";
        let moves = ["startpos moves 6e6d 1b1c 5f5e", "startpos moves 6e6d"];
        for (text, plies, openings) in [
            (pgn, None, &moves[..]),
            (pgn, Some(1), &["startpos moves 6e6d", "startpos moves 6e6d"]),
            (pgn, Some(0), &["startpos", "startpos"]),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1 ;D1 20 ;D2 336\n", None, &["startpos"]),
            (kif, None, &["startpos moves 6e6d 1b1c"]),
            (
                "\u{feff}startpos moves 6e6d 1b1c\r\nbishop\r\n",
                Some(1),
                &["startpos moves 6e6d", "sfen r1nsgk/5p/6/6/P5/KGSNBR w - 1"],
            ),
            // EPD, with positions in SFEN or FEN.
            (
                "5k/6/6/6/6/K5 b Gp 1 bm 6f6e; id \"a; b\";\n5k/6/6/6/6/K5 b G - bm 6f6e;\n5k/6/6/6/6/K5 w - id x;",
                None,
                &["sfen 5k/6/6/6/6/K5 b Gp 1", "sfen 5k/6/6/6/6/K5 b G 1", "sfen 5k/6/6/6/6/K5 w - 1"],
            ),
            (
                "5k/6/6/6/6/K5[Gp] w - - bm a1a2;\n\n5k/6/6/6/6/K5[-] b 0 1\n5k/6/6/6/6/K5 b - 1 moves 6f6e",
                None,
                &["sfen 5k/6/6/6/6/K5 b Gp 1", "sfen 5k/6/6/6/6/K5 w - 2", "sfen 5k/6/6/6/6/K5 b - 1 moves 6f6e"],
            ),
        ] {
            let read = parse_openings("x", text.as_bytes(), &RULES, plies).unwrap();
            assert_eq!(read.iter().map(ToString::to_string).collect::<Vec<_>>(), openings, "{text}");
        }
        // Shift-JIS, as Windows writes it.
        let bytes = crate::record::Encoding::ShiftJis.encode(kif).unwrap();
        assert_eq!(parse_openings("x", &bytes, &RULES, None).unwrap()[0].to_string(), "startpos moves 6e6d 1b1c");
    }

    #[test]
    fn a_seed_gives_an_order() {
        let shuffled = |seed| {
            let mut openings = built_in_openings(&RULES).unwrap();
            shuffle_openings(&mut openings, seed);
            openings
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
    }

    #[test]
    fn the_built_in_openings_are_many_and_all_different() {
        let openings = built_in_openings(&RULES).unwrap();
        let distinct = openings.iter().map(|opening| opening.end().key()).collect::<HashSet<u64>>().len();
        assert!(distinct == openings.len() && distinct >= 1000, "{distinct} of {}", openings.len());
        let transposed = ["startpos moves 6e6d 1b1c 5f5e", "startpos moves 5f5e 1b1c 6e6d", "startpos"];
        let keys = transposed.map(|text| Opening::parse(text).unwrap().end().key());
        assert!(keys[0] == keys[1] && keys[0] != keys[2]);
    }
}
