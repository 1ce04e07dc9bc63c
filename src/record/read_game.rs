//! A game as it was found in a file, and what is wrong with it.

use std::fmt;

use super::lines::Line;
use super::{Format, Record};

/// Something in a file that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// Characters.
const MESSAGE_LENGTH: usize = 300;

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl Problem {
    /// A message that quotes a long text is cut.
    pub(super) fn new(line: usize, column: usize, message: impl fmt::Display) -> Problem {
        let mut message = message.to_string();
        if let Some((byte, _)) = message.char_indices().nth(MESSAGE_LENGTH) {
            message.truncate(byte);
            message.push('…');
        }
        Problem { line, column, message }
    }

    /// The problem of a line whose bytes are no text.
    pub(super) fn of_encoding(line: &Line) -> Option<Problem> {
        let message = "the bytes here are neither UTF-8 nor Shift-JIS like the rest of the text";
        line.broken.map(|column| Problem::new(line.number, column, message))
    }
}

/// A game as it was found in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadGame {
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// Whether the game before it ends on that line.
    pub shares_line: bool,
    /// The format it is in; of PGN, the dialect.
    pub format: Format,
    /// The game, as far as it could be read; nothing if not even its start could.
    pub record: Option<Record>,
    /// What is wrong, in the order of the lines. Of very many only the first are kept.
    pub problems: Vec<Problem>,
}

/// A broken file may have a problem in every line; nobody reads more than so many of a game.
const MOST_PROBLEMS: usize = 20;

impl ReadGame {
    pub(super) fn new(line: usize, format: Format) -> ReadGame {
        ReadGame { line, shares_line: false, format, record: None, problems: Vec::new() }
    }

    /// What stands for the rest of a file after a game that does not end.
    pub(super) fn too_large(line: usize, format: Format) -> ReadGame {
        let message = "a game of more than 64 MiB: from here on nothing is read";
        ReadGame { problems: vec![Problem::new(line, 1, message)], ..ReadGame::new(line, format) }
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        match self.problems.len() {
            MOST_PROBLEMS => {
                let message = "more is wrong from here on than is listed";
                self.problems.push(Problem::new(problem.line, problem.column, message));
            }
            listed if listed < MOST_PROBLEMS => self.problems.push(problem),
            _ => {}
        }
    }
}
