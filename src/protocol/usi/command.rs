//! USI commands as data: the standard ones, extensions such as `bench`, `d` and `eval`, and the limits of `go`.

use std::fmt;
use std::time::Duration;

use crate::shogi::{Move, Position};

/// A command of a graphical program, or of a person at a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `usi`: send name, author and options.
    Usi,
    /// `isready`: prepare for a search.
    IsReady,
    /// `setoption name X [value V]`.
    SetOption {
        /// The name as written. Names are compared case-insensitively.
        name: String,
        /// The value; none for a button.
        value: Option<String>,
    },
    /// `usinewgame`: the next position belongs to another game.
    UsiNewGame,
    /// `position …`: a game.
    Position {
        start: Box<Position>,
        /// The moves played, which may be illegal.
        moves: Vec<Move>,
    },
    /// `go …`: search for a move.
    Go(Go),
    /// `go mate …`: search for a mate, up to this time or until `stop`.
    GoMate(Option<Duration>),
    /// `go perft N` or `perft N`: count the leaves at this depth, in plies.
    Perft(u32),
    /// `stop`.
    Stop,
    /// `ponderhit [btime …]`: the expected move was played. The given clocks replace those of `go`.
    PonderHit(Go),
    /// `gameover win|lose|draw`.
    GameOver,
    /// `quit`.
    Quit,
    /// `bench`: search the positions of the bench.
    Bench,
    /// `d`: draw the board.
    Display,
    /// `eval`: show the evaluation.
    Eval,
}

/// The limits of a `go`; none where it names no limit.
///
/// A meaningless value counts as absent: a missing, negative or malformed one, or 0 where nothing could be searched
/// with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search during the opponent's time.
    pub ponder: bool,
    /// Search until `stop`.
    pub infinite: bool,
    pub btime: Option<Duration>,
    pub wtime: Option<Duration>,
    /// Black's increment per move.
    pub binc: Option<Duration>,
    /// White's increment per move.
    pub winc: Option<Duration>,
    /// The time per move after the main time is used up.
    pub byoyomi: Option<Duration>,
    /// Moves until the next time control.
    pub movestogo: Option<u32>,
    /// Search for exactly this time.
    pub movetime: Option<Duration>,
    /// The depth to search to, in plies.
    pub depth: Option<u32>,
    /// The number of nodes to search.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves of the side to move. Only in UCI: see [`Command::GoMate`].
    pub mate: Option<u32>,
    /// Search only these moves; empty for all.
    pub searchmoves: Vec<Move>,
}

impl Go {
    /// These clocks, replaced by the newer ones where given.
    pub fn updated(self, newer: &Go) -> Go {
        Go {
            btime: newer.btime.or(self.btime),
            wtime: newer.wtime.or(self.wtime),
            binc: newer.binc.or(self.binc),
            winc: newer.winc.or(self.winc),
            byoyomi: newer.byoyomi.or(self.byoyomi),
            movestogo: newer.movestogo.or(self.movestogo),
            ..self
        }
    }
}

/// The line of the command, including the word `go`.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (name, time) in [
            ("btime", self.btime),
            ("wtime", self.wtime),
            ("binc", self.binc),
            ("winc", self.winc),
            ("byoyomi", self.byoyomi),
            ("movetime", self.movetime),
        ] {
            time.map_or(Ok(()), |time| write!(f, " {name} {}", time.as_millis()))?;
        }
        self.movestogo.map_or(Ok(()), |moves| write!(f, " movestogo {moves}"))?;
        self.depth.map_or(Ok(()), |depth| write!(f, " depth {depth}"))?;
        self.nodes.map_or(Ok(()), |nodes| write!(f, " nodes {nodes}"))?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
            self.searchmoves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}
