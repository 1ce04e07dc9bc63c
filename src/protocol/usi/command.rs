use std::fmt;
use std::time::Duration;

use super::parse::{self, CommandError};
use crate::shogi::{Move, Position};

/// What the graphical program, or a person at a terminal, asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `usi`: say who you are.
    Usi,
    /// `isready`: get everything ready.
    IsReady,
    /// `setoption name X [value V]`.
    SetOption {
        /// The name as it was written; names are compared without regard to case.
        name: String,
        /// The value, if there is one.
        value: Option<String>,
    },
    /// `usinewgame`: what comes is from another game.
    UsiNewGame,
    /// `position …`: the game so far.
    Position {
        /// Where the game started.
        start: StartPosition,
        /// What was played, not yet checked.
        moves: Vec<Move>,
    },
    /// `go …`: think of a move.
    Go(Go),
    /// `go mate …`: look for a mate.
    GoMate(MateLimit),
    /// `go perft N` or `perft N`: count to this depth.
    Perft(u32),
    /// `stop`.
    Stop,
    /// `ponderhit [btime …]`: the expected move was played; clocks given here replace the earlier ones.
    PonderHit(Go),
    /// `gameover win|lose|draw`.
    GameOver(GameEnd),
    /// `quit`.
    Quit,
    /// `bench`: search a fixed set of positions.
    Bench,
    /// `d`: draw the board.
    Display,
    /// `eval`: show what the evaluation sees.
    Eval,
}

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartPosition {
    /// The usual start position.
    Startpos,
    /// A position given in SFEN.
    Sfen(Box<Position>),
}

impl StartPosition {
    /// The position itself.
    pub fn position(self) -> Position {
        match self {
            StartPosition::Startpos => Position::startpos(),
            StartPosition::Sfen(position) => *position,
        }
    }
}

/// The limits of a `go`; what was not said is none.
///
/// A number that cannot be read, or is missing or negative, counts as the least there is: an engine that answers at
/// once does less harm than one that never does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Search on the opponent's time.
    pub ponder: bool,
    /// Search until told to stop.
    pub infinite: bool,
    /// Black's remaining time.
    pub btime: Option<Duration>,
    /// White's remaining time.
    pub wtime: Option<Duration>,
    /// Black's increment for each move.
    pub binc: Option<Duration>,
    /// White's increment for each move.
    pub winc: Option<Duration>,
    /// Time for each move once the main time is used up.
    pub byoyomi: Option<Duration>,
    /// Moves until the next time control.
    pub movestogo: Option<u32>,
    /// Think for exactly this long.
    pub movetime: Option<Duration>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Consider only these moves.
    pub searchmoves: Vec<Move>,
}

/// The line that the graphical program sends, `go` included.
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

/// How long to look for a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateLimit {
    /// Until this much time has passed.
    Time(Duration),
    /// Until told to stop.
    Infinite,
}

/// How a game ended, as the engine is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// The engine won.
    Win,
    /// The engine lost.
    Lose,
    /// Neither did.
    Draw,
}

impl Command {
    /// Reads a line. An empty one is no command, and no error.
    ///
    /// # Errors
    /// [`CommandError`], naming what could not be understood.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        parse::command(line)
    }
}
