//! The properties of each record format: names, extensions, reader and writer; and the methods of `Format`.

use std::fmt;
use std::io::BufRead;
use std::path::Path;
use std::str::FromStr;

use super::read_game::GameReader;
use super::{Format, Record, kakinoki, match_lines, pgn, usi};

/// The properties of a format. A new one needs a variant of [`Format`], a row here, its reader in [`Format::reader`], its
/// module, and its name in the texts of the board.
struct Facts {
    format: Format,
    name: &'static str,
    /// The name for display.
    label: &'static str,
    /// A line about the format for `--help`.
    note: &'static str,
    /// Extensions of file names, in lower case; the first one is written.
    extensions: &'static [&'static str],
    /// Whether a file that begins with a line is in this format. None for PGN's dialects, which are recognised as PGN,
    /// and for Kakinoki's formats, which `recognise.rs` recognises.
    begins: Option<fn(&str) -> bool>,
    write: Option<fn(&Record) -> String>,
}

/// All formats, in the order in which they are offered. The first format with an extension owns it.
const FACTS: [Facts; 7] = [
    Facts {
        format: Format::Kif,
        name: "kif",
        label: "KIF",
        note: "the format of most shogi programs",
        extensions: &["kif", "kifu"],
        begins: None,
        write: Some(kakinoki::to_kif),
    },
    Facts {
        format: Format::Ki2,
        name: "ki2",
        label: "KI2",
        note: "as KIF, but moves in Japanese notation without their origins",
        extensions: &["ki2", "ki2u"],
        begins: None,
        write: Some(kakinoki::to_ki2),
    },
    Facts {
        format: Format::Pgn,
        name: "pgn",
        label: "PGN",
        note: "moves in Western notation; Black, who moves first, is Black, and 0-1 is his win",
        extensions: &["pgn"],
        begins: Some(pgn::begins),
        write: Some(pgn::to_pgn),
    },
    Facts {
        format: Format::PgnFairy,
        name: "pgn-fairy",
        label: "PGN (Fairy-Stockfish)",
        note: "PGN of Fairy-Stockfish and pychess; the first player is White",
        extensions: &["pgn"],
        begins: None,
        write: Some(pgn::to_fairy_pgn),
    },
    Facts {
        format: Format::PgnCuteChess,
        name: "pgn-cutechess",
        label: "PGN (Cute Chess)",
        note: "PGN of Cute Chess; the first player is White",
        extensions: &["pgn"],
        begins: None,
        write: Some(pgn::to_cutechess_pgn),
    },
    Facts {
        format: Format::Usi,
        name: "usi",
        label: "USI",
        note: "startpos moves …, sfen … moves …: the main line of a game per line; from usi, with its comment",
        extensions: &["usi", "sfen", "txt"],
        begins: Some(usi::begins),
        write: Some(usi::to_text),
    },
    Facts {
        format: Format::Match,
        name: "match",
        label: "match record",
        note: "the lines of JSON of `judkins match --record`; only read",
        extensions: &["jsonl"],
        begins: Some(match_lines::begins),
        write: None,
    },
];

/// The error for an unknown format name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no format is called '{0}': there are {names}", names = listed(&Format::ALL, "and"))]
pub struct UnknownFormat(String);

/// The error for a format that cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} is only read: write {names}", names = listed(&Format::written().collect::<Vec<_>>(), "or"))]
pub struct NotWritten(Format);

/// Joins names in a sentence: `kif, ki2 and pgn`.
fn listed(formats: &[Format], word: &str) -> String {
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    match names.split_last() {
        Some((last, rest)) => format!("{} {word} {last}", rest.join(", ")),
        None => String::new(),
    }
}

impl Format {
    /// All formats, in the order in which they are offered.
    pub const ALL: [Format; FACTS.len()] = {
        let mut all = [Format::Kif; FACTS.len()];
        let mut index = 0;
        while index < FACTS.len() {
            all[index] = FACTS[index].format;
            index += 1;
        }
        all
    };

    /// The formats that games can be written in.
    pub fn written() -> impl Iterator<Item = Format> {
        FACTS.iter().filter(|facts| facts.write.is_some()).map(|facts| facts.format)
    }

    fn facts(self) -> &'static Facts {
        FACTS.iter().find(|facts| facts.format == self).expect("every format is in the table")
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The name for display.
    pub fn label(self) -> &'static str {
        self.facts().label
    }

    /// A line about the format, for help.
    pub fn note(self) -> &'static str {
        self.facts().note
    }

    /// Whether it is a format of Japanese programs: words in it are Japanese, and it may be in Shift-JIS.
    pub fn is_japanese(self) -> bool {
        match self {
            Format::Kif | Format::Ki2 => true,
            Format::Usi | Format::Pgn | Format::PgnFairy | Format::PgnCuteChess | Format::Match => false,
        }
    }

    /// The extension of its files, without a dot.
    pub fn extension(self) -> &'static str {
        self.facts().extensions[0]
    }

    /// The format that belongs to a file name.
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let facts = FACTS.iter().find(|facts| facts.extensions.contains(&extension.as_str()))?;
        Some(facts.format)
    }

    /// The format of a file that begins with this line, unless it is one of Kakinoki's. A comment in PGN may begin like
    /// JSON, so the last format is tried first.
    pub(super) fn begun_by(line: &str) -> Option<Format> {
        let facts = FACTS.iter().rfind(|facts| facts.begins.is_some_and(|begins| begins(line)))?;
        Some(facts.format)
    }

    /// The reader of a file in this format.
    pub(super) fn reader<R: BufRead>(self) -> Box<dyn GameReader<R> + Send> {
        match self {
            Format::Usi => Box::new(usi::Games::default()),
            Format::Kif | Format::Ki2 => Box::new(kakinoki::Games::new(self)),
            Format::Pgn | Format::PgnFairy | Format::PgnCuteChess => Box::new(pgn::Games::new(self)),
            Format::Match => Box::new(match_lines::Games),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let named = |format: &Format| format.name().eq_ignore_ascii_case(name);
        Format::ALL.into_iter().find(named).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

impl Record {
    /// The game as text, terminated so that another game can follow in the file. The modules of the formats list what
    /// they cannot represent.
    ///
    /// # Errors
    /// [`NotWritten`] for [`Format::Match`].
    pub fn to_text(&self, format: Format) -> Result<String, NotWritten> {
        format.facts().write.map(|write| write(self)).ok_or(NotWritten(format))
    }
}
