//! `Reader`, an iterator over the games of a file that detects its format and encoding.

use std::io::{self, BufRead};

use super::lines::Lines;
use super::read_game::{GameReader, ReadGame};
use super::recognise::{is_book, is_jkf, recognise};
use super::{Encoding, Format};

/// The reason why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The input cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The beginning of the input matches no format.
    #[error(
        "no format is recognised: a game begins with 'startpos', an SFEN, a '[Tag \"…\"]', a header like '先手：', or a line of JSON"
    )]
    UnknownFormat,
    /// The input is a game in JKF.
    #[error(
        "JSON of a game (JKF) is not read: save it as KIF, KI2, PGN or USI; of JSON only the lines of a match are read"
    )]
    Jkf,
    /// The input is an opening book.
    #[error("an opening book holds no games and no list of openings: `judkins book` reads it")]
    Book,
}

/// Whether a file begins like one of a Western format. Only Kakinoki's formats are recognised by non-ASCII words.
pub(super) fn is_western(beginning: &str) -> bool {
    recognise(beginning).is_some_and(|format| !format.is_japanese())
}

/// Reads the games of a file one by one, with one game in memory.
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
    games: Box<dyn GameReader<R> + Send>,
    is_over: bool,
}

impl<R: BufRead> Reader<R> {
    /// Recognises the format by the beginning of the input.
    ///
    /// # Errors
    /// [`ReadError`] if the input cannot be read, or no format is recognised.
    pub fn new(input: R) -> Result<Reader<R>, ReadError> {
        let lines = Lines::new(input, is_western)?;
        let beginning = lines.beginning();
        let unknown = || {
            if is_jkf(&beginning) {
                ReadError::Jkf
            } else if is_book(&beginning) {
                ReadError::Book
            } else {
                ReadError::UnknownFormat
            }
        };
        let format = recognise(&beginning).ok_or_else(unknown)?;
        Ok(Reader::with_lines(lines, format))
    }

    /// Reads a given format. [`Format::Kif`] and [`Format::Ki2`] read each other's moves, [`Format::Pgn`] reads every
    /// kind of PGN.
    ///
    /// # Errors
    /// An I/O error of the input.
    pub fn with_format(input: R, format: Format) -> Result<Reader<R>, ReadError> {
        Ok(Reader::with_lines(Lines::new(input, is_western)?, format))
    }

    fn with_lines(lines: Lines<R>, format: Format) -> Reader<R> {
        Reader { lines, format, games: format.reader(), is_over: false }
    }

    /// The format of the file. [`Format::Pgn`] stands for every kind of PGN; [`ReadGame::format`] has the dialect of a
    /// game.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The encoding of the file so far: UTF-8 while everything is ASCII.
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
        let game = self.games.next(&mut self.lines);
        self.is_over = !matches!(game, Ok(Some(_)));
        game.transpose().or_else(|| self.lines.too_large_at().map(|line| Ok(ReadGame::too_large(line, self.format))))
    }
}
