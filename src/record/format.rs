use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::{Record, kakinoki, pgn, usi};

/// A format of game records.
///
/// | format | read | written | |
/// | --- | --- | --- | --- |
/// | [`Usi`](Format::Usi) | ✓ | ✓ | one game per line: `startpos moves …`, `sfen … moves …`, an SFEN, a handicap's name
/// |
/// | [`Kif`](Format::Kif) | ✓ | ✓ | the format of Kakinoki's programs, which almost every shogi program reads |
/// | [`Ki2`](Format::Ki2) | ✓ | ✓ | the same with moves in Japanese notation |
/// | [`Pgn`](Format::Pgn) | ✓ | ✓ | PGN with Western moves; Black, who moves first, is `Black`, and `0-1` is his win |
/// | [`PgnFairy`](Format::PgnFairy) | ✓ | ✓ | PGN of Fairy-Stockfish and pychess; the first player is `White` |
/// | [`PgnCuteChess`](Format::PgnCuteChess) | ✓ | ✓ | PGN of Cute Chess; the first player is `White` |
/// | [`Match`](Format::Match) | ✓ | – | the JSON lines that `judkins match --record` writes |
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // The table says it.
pub enum Format {
    Usi,
    Kif,
    Ki2,
    Pgn,
    PgnFairy,
    PgnCuteChess,
    Match,
}

/// The properties of a format; the readers are in `reader.rs`.
struct Facts {
    format: Format,
    name: &'static str,
    /// The name for display.
    label: &'static str,
    /// Extensions of file names, in lower case; the first one is written.
    extensions: &'static [&'static str],
    write: Option<fn(&Record) -> String>,
}

/// All formats, in the order in which they are offered. The first format with an extension owns it.
const FACTS: [Facts; 7] = [
    facts(Format::Kif, "kif", "KIF", &["kif", "kifu"], Some(kakinoki::to_kif)),
    facts(Format::Ki2, "ki2", "KI2", &["ki2", "ki2u"], Some(kakinoki::to_ki2)),
    facts(Format::Pgn, "pgn", "PGN", &["pgn"], Some(pgn::to_pgn)),
    facts(Format::PgnFairy, "pgn-fairy", "PGN (Fairy-Stockfish)", &["pgn"], Some(pgn::to_fairy_pgn)),
    facts(Format::PgnCuteChess, "pgn-cutechess", "PGN (Cute Chess)", &["pgn"], Some(pgn::to_cutechess_pgn)),
    facts(Format::Usi, "usi", "USI", &["usi", "sfen", "txt"], Some(usi::to_text)),
    facts(Format::Match, "match", "match record", &["jsonl"], None),
];

const fn facts(
    format: Format,
    name: &'static str,
    label: &'static str,
    extensions: &'static [&'static str],
    write: Option<fn(&Record) -> String>,
) -> Facts {
    Facts { format, name, label, extensions, write }
}

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
