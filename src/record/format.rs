use std::fmt;
use std::str::FromStr;

use super::{Record, kakinoki, pgn, usi};

/// A format of game records.
///
/// | format | read | written | |
/// | --- | --- | --- | --- |
/// | [`Usi`](Format::Usi) | ✓ | ✓ | a game a line: `startpos moves …`, `sfen … moves …`, an SFEN, a handicap's name |
/// | [`Kif`](Format::Kif) | ✓ | ✓ | the format of Kakinoki's programs, which nearly every shogi program reads |
/// | [`Ki2`](Format::Ki2) | ✓ | ✓ | the same with moves as people write them |
/// | [`Pgn`](Format::Pgn) | ✓ | ✓ | PGN with Western moves; Black, who moves first, is `Black`, and `0-1` is his win |
/// | [`PgnFairy`](Format::PgnFairy) | ✓ | ✓ | PGN of Fairy-Stockfish and pychess; who moves first is `White` |
/// | [`PgnCuteChess`](Format::PgnCuteChess) | ✓ | ✓ | PGN of Cute Chess; who moves first is `White` |
/// | [`Match`](Format::Match) | ✓ | – | the lines of JSON that `judkins match --record` writes |
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

/// A name that no format has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no format is called '{0}': there are usi, kif, ki2, pgn, pgn-fairy, pgn-cutechess and match")]
pub struct UnknownFormat(String);

/// A format in which no game is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} is only read: write usi, kif, ki2, pgn, pgn-fairy or pgn-cutechess")]
pub struct NotWritten(Format);

impl Format {
    /// Every format.
    pub const ALL: [Format; 7] =
        [Format::Usi, Format::Kif, Format::Ki2, Format::Pgn, Format::PgnFairy, Format::PgnCuteChess, Format::Match];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Usi => "usi",
            Format::Kif => "kif",
            Format::Ki2 => "ki2",
            Format::Pgn => "pgn",
            Format::PgnFairy => "pgn-fairy",
            Format::PgnCuteChess => "pgn-cutechess",
            Format::Match => "match",
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
    /// The game as text, ended so that the next can follow it in a file. What a format cannot hold, its module says.
    ///
    /// # Errors
    /// [`NotWritten`] for [`Format::Match`].
    pub fn to_text(&self, format: Format) -> Result<String, NotWritten> {
        Ok(match format {
            Format::Usi => usi::to_line(self) + "\n",
            Format::Kif => kakinoki::to_kif(self),
            Format::Ki2 => kakinoki::to_ki2(self),
            Format::Pgn => pgn::to_pgn(self),
            Format::PgnFairy => pgn::to_fairy_pgn(self),
            Format::PgnCuteChess => pgn::to_cutechess_pgn(self),
            Format::Match => return Err(NotWritten(format)),
        })
    }
}
