//! A game that was read from a file, and its problems.

use std::fmt;
use std::io;

use super::lines::{Line, Lines};
use super::{Format, Record};

/// The reader of a format.
pub(super) trait GameReader<R> {
    /// The next game; none at the end of the file.
    fn next(&mut self, lines: &mut Lines<R>) -> io::Result<Option<ReadGame>>;
}

/// A problem in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// The error and how to correct it.
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
    /// Truncates a message that quotes a long text.
    pub(super) fn new(line: usize, column: usize, message: impl fmt::Display) -> Problem {
        let mut message = message.to_string();
        if let Some((byte, _)) = message.char_indices().nth(MESSAGE_LENGTH) {
            message.truncate(byte);
            message.push('…');
        }
        Problem { line, column, message }
    }

    /// The problem of a line with an invalid encoding.
    pub(super) fn of_encoding(line: &Line) -> Option<Problem> {
        let message = "the bytes here are neither UTF-8 nor Shift-JIS like the rest of the text";
        line.broken.map(|column| Problem::new(line.number, column, message))
    }
}

/// A game that was read from a file.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadGame {
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// Whether the previous game ends on that line.
    pub shares_line: bool,
    /// The format; for PGN, the dialect.
    pub format: Format,
    /// The game, as far as it could be read; none if its start is invalid.
    pub record: Option<Record>,
    /// The problems in the order of lines. Only the first ones of many are kept.
    pub problems: Vec<Problem>,
}

/// The maximum number of problems reported per game: a broken file may have one in every line.
const MOST_PROBLEMS: usize = 20;

impl ReadGame {
    pub(super) fn new(line: usize, format: Format) -> ReadGame {
        ReadGame { line, shares_line: false, format, record: None, problems: Vec::new() }
    }

    /// The result for the rest of a file after a game that does not end.
    pub(super) fn too_large(line: usize, format: Format) -> ReadGame {
        let message = "a game of more than 64 MiB: from here on nothing is read";
        ReadGame { problems: vec![Problem::new(line, 1, message)], ..ReadGame::new(line, format) }
    }

    /// Reports a problem at a byte of a line. Its column is counted only if it is kept, as a line may have many.
    pub(super) fn problem_at(&mut self, line: &Line, byte: usize, message: impl fmt::Display) {
        if self.problems.len() <= MOST_PROBLEMS {
            self.problem(Problem::new(line.number, line.column(byte), message));
        }
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        match self.problems.len() {
            MOST_PROBLEMS => {
                let message = "further problems are not listed";
                self.problems.push(Problem::new(problem.line, problem.column, message));
            }
            listed if listed < MOST_PROBLEMS => self.problems.push(problem),
            _ => {}
        }
    }
}
