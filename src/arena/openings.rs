use std::fmt;
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Rules;
use crate::protocol::usi::Command;
use crate::shogi::{Game, Handicap, Move, Position};
use crate::whole_file;

/// Level openings, made by `scripts/make_openings.py`.
const BUILT_IN: &str = include_str!("openings.txt");

/// Where a game of a match starts: a position, and moves that are played on the board before the engines begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    start: Position,
    moves: Vec<Move>,
}

impl Opening {
    /// Reads `startpos [moves …]`, `sfen … [moves …]` or a bare SFEN, which may be followed by moves too.
    ///
    /// # Errors
    /// What is wrong, in words: the text cannot be read, or a move is not legal.
    pub fn parse(text: &str) -> Result<Opening, String> {
        let text = text.strip_prefix("position ").unwrap_or(text);
        let first = text.split_whitespace().next();
        let line = match first {
            Some("startpos" | "sfen") => format!("position {text}"),
            _ => format!("position sfen {text}"),
        };
        let command = Command::parse(&line).map_err(|error| error.to_string())?;
        let Some(Command::Position { start, moves }) = command else { return Err("it is no position".to_owned()) };
        let opening = Opening { start: start.position(), moves };
        let mut game = Game::new(opening.start.clone());
        for &mv in &opening.moves {
            game.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(opening)
    }

    /// As [`Opening::parse`], but refuses an opening after which the game is over under these rules.
    pub(super) fn parse_unfinished(text: &str, rules: &Rules) -> Result<Opening, String> {
        let opening = Opening::parse(text)?;
        let mut game = Opening { moves: Vec::new(), ..opening.clone() }.game(rules);
        let mut moves = opening.moves.iter();
        loop {
            if let Some(result) = game.result() {
                return Err(format!("the game is over: {result}"));
            }
            let Some(&mv) = moves.next() else { return Ok(opening) };
            game.play(mv).map_err(|error| error.to_string())?;
        }
    }

    /// The start of a handicap game.
    pub fn handicap(handicap: Handicap) -> Opening {
        Opening { start: handicap.position(), moves: Vec::new() }
    }

    /// The position before the opening's moves.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The opening's moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// A game in which the opening's moves have been played.
    pub(super) fn game(&self, rules: &Rules) -> Game {
        let mut game = Game::new(self.start.clone()).with_impasse(rules.impasse_rule, rules.impasse_plies);
        for &mv in &self.moves {
            game.play(mv).expect("an opening's moves are legal");
        }
        game
    }
}

/// As it is read: `startpos moves 6e6d 1b1c`.
impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start == Position::startpos() {
            f.write_str("startpos")?;
        } else {
            write!(f, "sfen {}", self.start)?;
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// The order in which openings are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningOrder {
    /// The order of the file.
    Sequential,
    /// Shuffled: the same seed gives the same order.
    Random(u64),
}

/// Why openings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("{path}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A line is no opening.
    #[error("{origin}, line {line}: {message}")]
    Line {
        /// The file.
        origin: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// The file has none.
    #[error("{0} has no openings")]
    Empty(String),
}

/// The openings that come with the program.
///
/// # Errors
/// [`OpeningError`], if under these rules one of them is over already.
pub fn built_in_openings(rules: &Rules) -> Result<Vec<Opening>, OpeningError> {
    parse_openings("the built-in file", BUILT_IN, rules)
}

/// Reads a file of openings, one to a line. Empty lines and those that begin with `#` are skipped.
///
/// # Errors
/// [`OpeningError`], naming the line.
pub fn read_openings(path: &Path, rules: &Rules) -> Result<Vec<Opening>, OpeningError> {
    let text = whole_file::read_to_string(path)
        .map_err(|source| OpeningError::Unreadable { path: path.to_owned(), source })?;
    parse_openings(&path.display().to_string(), &text, rules)
}

fn parse_openings(origin: &str, text: &str, rules: &Rules) -> Result<Vec<Opening>, OpeningError> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let openings = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(|(line, text)| {
        Opening::parse_unfinished(text, rules).map_err(|message| OpeningError::Line {
            origin: origin.to_owned(),
            line,
            message,
        })
    });
    let openings = openings.collect::<Result<Vec<_>, _>>()?;
    if openings.is_empty() { Err(OpeningError::Empty(origin.to_owned())) } else { Ok(openings) }
}

/// Puts openings into the order in which they are played.
pub fn order_openings(openings: &mut [Opening], order: OpeningOrder) {
    if let OpeningOrder::Random(seed) = order {
        openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::arena::Adjudication;
    use crate::shogi::{DEFAULT_IMPASSE_PLIES, ImpasseRule};

    const RULES: Rules = Rules {
        impasse_rule: ImpasseRule::Points12,
        impasse_plies: DEFAULT_IMPASSE_PLIES,
        adjudication: Adjudication { draw: None, resign: None, max_moves: None },
    };

    #[test]
    fn openings_are_read_in_every_form() {
        for (text, written) in [
            ("startpos", "startpos"),
            ("startpos moves 6e6d 1b1c", "startpos moves 6e6d 1b1c"),
            ("position startpos moves 6e6d", "startpos moves 6e6d"),
            ("5k/6/6/6/6/K5 b G 1", "sfen 5k/6/6/6/6/K5 b G 1"),
            ("5k/6/6/6/6/K5 b G 1 moves 6f6e", "sfen 5k/6/6/6/6/K5 b G 1 moves 6f6e"),
            ("sfen 5k/6/6/6/6/K5 b G 1 moves 6f6e", "sfen 5k/6/6/6/6/K5 b G 1 moves 6f6e"),
        ] {
            assert_eq!(Opening::parse(text).unwrap().to_string(), written);
        }
    }

    #[test]
    fn errors_name_the_line() {
        for (text, error) in [
            ("# nothing\n\n", "x has no openings"),
            ("startpos\n\nstartpos moves 6e6c", "x, line 3: illegal move 6e6c"),
            ("startpos move 6e6d", "x, line 1: position refused: 'moves' expected, not 'move'"),
            ("hello", "x, line 1: position refused: the board has 1 ranks, not 6"),
            ("5k/5G/5P/6/6/K5 w - 1", "x, line 1: the game is over: Black wins: checkmate"),
            // The fourth occurrence is in the middle of the line.
            (
                "startpos moves 1f1e 6a6b 1e1f 6b6a 1f1e 6a6b 1e1f 6b6a 1f1e 6a6b 1e1f 6b6a 6e6d",
                "x, line 1: the game is over: no contest: sennichite",
            ),
        ] {
            assert_eq!(parse_openings("x", text, &RULES).unwrap_err().to_string(), error, "{text}");
        }
    }

    #[test]
    fn a_seed_gives_an_order() {
        let shuffled = |order| {
            let mut openings = built_in_openings(&RULES).unwrap();
            order_openings(&mut openings, order);
            openings
        };
        assert_eq!(shuffled(OpeningOrder::Random(1)), shuffled(OpeningOrder::Random(1)));
        assert_ne!(shuffled(OpeningOrder::Random(1)), shuffled(OpeningOrder::Random(2)));
        assert_eq!(shuffled(OpeningOrder::Sequential), built_in_openings(&RULES).unwrap());
    }

    #[test]
    fn the_built_in_openings_are_many_and_all_different() {
        let openings = built_in_openings(&RULES).unwrap();
        let ends: HashSet<u64> = openings.iter().map(|opening| opening.game(&RULES).position().key()).collect();
        assert!(ends.len() == openings.len() && ends.len() >= 1000, "{} of {}", ends.len(), openings.len());
    }
}
