//! Selects USI or UCI where this program drives another engine: scores, moves, and `position` and `go` lines.

use super::{uci, usi};
use crate::score::Score;
use crate::shogi::{Move, Position, position_text};

/// The protocol in which a program talks to an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Dialect {
    /// The Universal Shogi Interface.
    #[default]
    Usi,
    /// The Universal Chess Interface, with variants.
    Uci,
}

/// The decision of an engine: its answer to `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineDecision {
    /// It plays a move, which need not be legal.
    Move(Move),
    Resign,
    /// It declares a win by impasse.
    Declare,
}

impl Dialect {
    /// Converts a score in the engine's units to a score with mates in plies.
    pub fn score(self, stated: Score) -> Score {
        match (self, stated) {
            (Dialect::Uci, Score::Mate(moves)) => Score::Mate(uci::plies_to_mate(moves)),
            _ => stated,
        }
    }

    pub fn parse_move(self, word: &str) -> Option<Move> {
        match self {
            Dialect::Usi => word.parse().ok(),
            Dialect::Uci => uci::parse_move(word),
        }
    }

    /// Reads the word after `bestmove`; none if it is not a move.
    pub fn decision(self, word: &str) -> Option<EngineDecision> {
        match (word, self) {
            ("resign", _) => Some(EngineDecision::Resign),
            ("win", Dialect::Usi) => Some(EngineDecision::Declare),
            _ => self.parse_move(word).map(EngineDecision::Move),
        }
    }

    /// The `position` line, without its end.
    pub fn position_line(self, start: &Position, moves: &[Move]) -> String {
        if self == Dialect::Usi {
            return format!("position {}", position_text(start, moves.iter().copied()));
        }
        let start = if *start == Position::startpos() { "startpos" } else { &format!("fen {}", uci::to_fen(start)) };
        let moves: String = moves.iter().map(|&mv| format!(" {}", uci::move_text(mv))).collect();
        format!("position {start}{}{moves}", if moves.is_empty() { "" } else { " moves" })
    }

    /// The `go` line, without its end.
    pub fn go_line(self, go: &usi::Go) -> String {
        match self {
            Dialect::Usi => go.to_string(),
            Dialect::Uci => uci::go_text(go),
        }
    }
}
