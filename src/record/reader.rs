use std::fmt;
use std::io::{self, BufRead};

use super::lines::{Line, Lines};
use super::recognise::recognise;
use super::{Encoding, Format, Record, kakinoki, match_lines, pgn, usi};

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
    fn too_large(line: usize, format: Format) -> ReadGame {
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

/// Why a file is not read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The input cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Nothing at the beginning shows which format it is.
    #[error(
        "no format is recognised: a game begins with 'startpos', an SFEN, a '[Tag \"…\"]', a header like '先手：', or a line of JSON"
    )]
    UnknownFormat,
}

enum Games {
    Usi(usi::Games),
    Kakinoki(kakinoki::Games),
    Pgn(pgn::Games),
    Match(match_lines::Games),
}

/// Reads the games of a file one after the other; what it holds in memory is one game.
///
/// ```
/// use judkins::record::Reader;
/// let file = "startpos moves 6e6d 1b1c\nstartpos moves 6e6c\n";
/// let mut games = Reader::new(file.as_bytes()).unwrap();
/// let first = games.next().unwrap().unwrap();
/// assert_eq!(first.record.unwrap().main_moves().count(), 2);
/// let second = games.next().unwrap().unwrap();
/// assert_eq!(second.problems[0].to_string(), "line 2, column 16: illegal move 6e6c");
/// assert!(games.next().is_none());
/// ```
pub struct Reader<R> {
    lines: Lines<R>,
    format: Format,
    games: Games,
    is_over: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads a format that shows at the beginning of the text.
    ///
    /// # Errors
    /// [`ReadError`] if the input cannot be read, or no format is recognised.
    pub fn new(input: R) -> Result<Reader<R>, ReadError> {
        let lines = Lines::new(input)?;
        let format = recognise(&lines.beginning()).ok_or(ReadError::UnknownFormat)?;
        Ok(Reader::with_lines(lines, format))
    }

    /// Reads this format. [`Format::Kif`] and [`Format::Ki2`] read each other's moves, [`Format::Pgn`] every kind of PGN.
    ///
    /// # Errors
    /// What the system says.
    pub fn with_format(input: R, format: Format) -> Result<Reader<R>, ReadError> {
        Ok(Reader::with_lines(Lines::new(input)?, format))
    }

    fn with_lines(lines: Lines<R>, format: Format) -> Reader<R> {
        let games = match format {
            Format::Usi => Games::Usi(usi::Games::default()),
            Format::Kif | Format::Ki2 => Games::Kakinoki(kakinoki::Games::new(format)),
            Format::Pgn | Format::PgnFairy | Format::PgnCuteChess => Games::Pgn(pgn::Games::new(format)),
            Format::Match => Games::Match(match_lines::Games),
        };
        Reader { lines, format, games, is_over: false }
    }

    /// The format of the file. [`Format::Pgn`] stands for every kind of PGN: [`ReadGame::format`] tells which.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The encoding, as far as the file was read: UTF-8 while all is ASCII.
    pub fn encoding(&self) -> Encoding {
        self.lines.encoding()
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<ReadGame>;

    fn next(&mut self) -> Option<io::Result<ReadGame>> {
        if self.is_over {
            return None;
        }
        self.lines.begin_game();
        let game = match &mut self.games {
            Games::Usi(games) => games.next(&mut self.lines),
            Games::Kakinoki(games) => games.next(&mut self.lines),
            Games::Pgn(games) => games.next(&mut self.lines),
            Games::Match(games) => games.next(&mut self.lines),
        };
        self.is_over = !matches!(game, Ok(Some(_)));
        game.transpose().or_else(|| self.lines.too_large_at().map(|line| Ok(ReadGame::too_large(line, self.format))))
    }
}
