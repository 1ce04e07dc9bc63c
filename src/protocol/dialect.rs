use super::{uci, usi};
use crate::score::Score;
use crate::shogi::{Move, Position};

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
    /// It resigns.
    Resign,
    /// It declares a win by impasse.
    Declare,
}

impl Dialect {
    /// A score as an engine states it, with mates in plies.
    pub fn score(self, stated: Score) -> Score {
        match (self, stated) {
            (Dialect::Uci, Score::Mate(moves)) => Score::Mate(uci::plies_to_mate(moves)),
            _ => stated,
        }
    }

    /// Reads a move.
    pub fn parse_move(self, word: &str) -> Option<Move> {
        match self {
            Dialect::Usi => word.parse().ok(),
            Dialect::Uci => uci::parse_move(word),
        }
    }

    /// Reads the word after `bestmove`; none if it is no move.
    pub fn decision(self, word: &str) -> Option<EngineDecision> {
        match (word, self) {
            ("resign", _) => Some(EngineDecision::Resign),
            ("win", Dialect::Usi) => Some(EngineDecision::Declare),
            _ => self.parse_move(word).map(EngineDecision::Move),
        }
    }

    /// The `position` line, without its end.
    pub fn position_line(self, start: &Position, moves: &[Move]) -> String {
        let mut line = match self {
            _ if *start == Position::startpos() => "position startpos".to_owned(),
            Dialect::Usi => format!("position sfen {start}"),
            Dialect::Uci => format!("position fen {}", uci::to_fen(start)),
        };
        if !moves.is_empty() {
            line += " moves";
        }
        for &mv in moves {
            line.push(' ');
            line += &match self {
                Dialect::Usi => mv.to_string(),
                Dialect::Uci => uci::move_text(mv),
            };
        }
        line
    }

    /// The `go` line, without its end.
    pub fn go_line(self, go: &usi::Go) -> String {
        match self {
            Dialect::Usi => go.to_string(),
            Dialect::Uci => uci::go_text(go),
        }
    }
}
