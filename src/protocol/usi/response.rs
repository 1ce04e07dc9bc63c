//! USI responses as data, formatted by `Display` into lines of limited length.

use std::fmt::{self, Write};

pub use crate::option_kind::OptionKind;
use crate::score::{Bound, Score};
use crate::shogi::Move;

/// Lines are shorter than this, in bytes including the line feed: some programs have a buffer of that size.
pub const MAX_LINE: usize = 2_048;

/// A response of the engine. `Display` gives the line without a line feed.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    Id {
        /// `name` or `author`.
        what: &'static str,
        text: String,
    },
    /// An option that can be set.
    Option {
        /// The name, without spaces.
        name: String,
        /// Type, default and range.
        kind: OptionKind,
    },
    /// The end of the answer to `usi`.
    UsiOk,
    /// The answer to `isready`.
    ReadyOk,
    /// A line of search information.
    Info(Info),
    /// The progress of a search for a mate.
    MateInfo(MateInfo),
    InfoString(String),
    /// The answer to `go`.
    BestMove(BestMove),
    /// The answer to `go mate`.
    Checkmate(Checkmate),
    /// An empty line, sent while the engine is not ready yet, to show that it is alive.
    Alive,
    /// The answer to a command of a person at a terminal.
    Plain(String),
}

/// The answer to `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    Move {
        best: Move,
        /// The expected reply, on which the engine may ponder.
        ponder: Option<Move>,
    },
    Resign,
    /// The engine declares a win.
    Win,
}

/// The answer to `go mate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checkmate {
    Mate(Vec<Move>),
    NoMate,
    /// The limit was reached before a decision.
    Timeout,
}

/// A line of search information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// The depth, in plies.
    pub depth: usize,
    pub seldepth: usize,
    /// The number of the line, from 1; none if only one is searched.
    pub multipv: Option<usize>,
    /// The score, from the engine's point of view.
    pub score: Score,
    /// Whether the score is a bound.
    pub bound: Bound,
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// The share of the transposition table that is used, in permille.
    pub hashfull: u32,
    /// Milliseconds since the start of the search.
    pub time: u64,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// A line of information from a mate search, which has neither depth nor score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MateInfo {
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// The share of the solver's table that is used, in permille.
    pub hashfull: u32,
    /// Milliseconds since the start of the search.
    pub time: u64,
    /// The state of the search, in words.
    pub text: String,
}

impl fmt::Display for MateInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MateInfo { nodes, nps, hashfull, time, text } = self;
        write!(f, "info nodes {nodes} nps {nps} hashfull {hashfull} time {time} string {text}")
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = format!("info depth {} seldepth {}", self.depth, self.seldepth);
        if let Some(multipv) = self.multipv {
            write!(line, " multipv {multipv}")?;
        }
        match self.score {
            Score::Centipawns(score) => write!(line, " score cp {score}")?,
            Score::Mate(plies) => write!(line, " score mate {plies}")?,
        }
        line.push_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        });
        let Info { nodes, nps, hashfull, time, .. } = self;
        write!(line, " nodes {nodes} nps {nps} hashfull {hashfull} time {time} pv")?;
        for mv in &self.pv {
            // The longest move takes six bytes with its space, and the line feed one.
            if line.len() + 7 >= MAX_LINE {
                break;
            }
            write!(line, " {mv}")?;
        }
        f.write_str(&line)
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_empty = |text: &str| if text.is_empty() { "<empty>".to_owned() } else { text.to_owned() };
        match self {
            OptionKind::Check { default } => write!(f, "type check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "type spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "type combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::String { default } => write!(f, "type string default {}", or_empty(default)),
            OptionKind::Filename { default } => write!(f, "type filename default {}", or_empty(default)),
            OptionKind::Button => f.write_str("type button"),
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::Id { what, text } => write!(f, "id {what} {text}"),
            Response::Option { name, kind } => write!(f, "option name {name} {kind}"),
            Response::UsiOk => f.write_str("usiok"),
            Response::ReadyOk => f.write_str("readyok"),
            Response::Info(info) => info.fmt(f),
            Response::MateInfo(info) => info.fmt(f),
            Response::InfoString(text) => write_message(f, "info string ", text),
            Response::BestMove(BestMove::Move { best, ponder }) => {
                write!(f, "bestmove {best}")?;
                ponder.map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
            }
            Response::BestMove(BestMove::Resign) => f.write_str("bestmove resign"),
            Response::BestMove(BestMove::Win) => f.write_str("bestmove win"),
            Response::Checkmate(Checkmate::Mate(moves)) => {
                f.write_str("checkmate")?;
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Response::Checkmate(Checkmate::NoMate) => f.write_str("checkmate nomate"),
            Response::Checkmate(Checkmate::Timeout) => f.write_str("checkmate timeout"),
            Response::Alive => Ok(()),
            Response::Plain(text) => f.write_str(text),
        }
    }
}

/// Writes a message. An error may quote its input, but the response must be one line of limited length.
pub(in crate::protocol) fn write_message(f: &mut fmt::Formatter<'_>, begin: &str, text: &str) -> fmt::Result {
    f.write_str(begin)?;
    let mut left = MAX_LINE - begin.len() - "…\n".len() - 1;
    for c in text.chars().map(|c| if c.is_control() { '?' } else { c }) {
        if c.len_utf8() > left {
            return f.write_str("…");
        }
        left -= c.len_utf8();
        f.write_char(c)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    fn info(pv: Vec<Move>) -> Info {
        Info {
            depth: 7,
            seldepth: 12,
            multipv: None,
            score: Score::Centipawns(-33),
            bound: Bound::Exact,
            nodes: 1234,
            nps: 56_789,
            hashfull: 5,
            time: 21,
            pv,
        }
    }

    #[test]
    fn responses_become_lines() {
        let option = |name: &str, kind| Response::Option { name: name.to_owned(), kind };
        let empty = String::new;
        for (response, line) in [
            (Response::Id { what: "name", text: "judkins".into() }, "id name judkins"),
            (Response::UsiOk, "usiok"),
            (Response::ReadyOk, "readyok"),
            (Response::Alive, ""),
            (
                option("USI_Hash", OptionKind::Spin { default: 16, min: 1, max: 1024 }),
                "option name USI_Hash type spin default 16 min 1 max 1024",
            ),
            (
                option("USI_Ponder", OptionKind::Check { default: false }),
                "option name USI_Ponder type check default false",
            ),
            (option("F", OptionKind::Filename { default: empty() }), "option name F type filename default <empty>"),
            (option("S", OptionKind::String { default: empty() }), "option name S type string default <empty>"),
            (
                option("R", OptionKind::Combo { default: "A".into(), choices: vec!["A".into(), "B".into()] }),
                "option name R type combo default A var A var B",
            ),
            (option("ClearHash", OptionKind::Button), "option name ClearHash type button"),
            (
                Response::Info(info(vec![mv("6e6d"), mv("P*3c"), mv("2f3e+")])),
                "info depth 7 seldepth 12 score cp -33 nodes 1234 nps 56789 hashfull 5 time 21 pv 6e6d P*3c 2f3e+",
            ),
            (
                Response::Info(Info {
                    multipv: Some(2),
                    score: Score::Mate(-4),
                    bound: Bound::Lower,
                    ..info(vec![mv("6e6d")])
                }),
                "info depth 7 seldepth 12 multipv 2 score mate -4 lowerbound nodes 1234 nps 56789 hashfull 5 time 21 pv 6e6d",
            ),
            (Response::InfoString("a\nb\0".into()), "info string a?b?"),
            (Response::BestMove(BestMove::Move { best: mv("6e6d"), ponder: None }), "bestmove 6e6d"),
            (
                Response::BestMove(BestMove::Move { best: mv("6e6d"), ponder: Some(mv("1b1c")) }),
                "bestmove 6e6d ponder 1b1c",
            ),
            (Response::BestMove(BestMove::Resign), "bestmove resign"),
            (Response::BestMove(BestMove::Win), "bestmove win"),
            (Response::Checkmate(Checkmate::Mate(vec![mv("G*1b")])), "checkmate G*1b"),
            (
                Response::MateInfo(MateInfo { nodes: 5, nps: 7, hashfull: 1, time: 2, text: "proof number 3".into() }),
                "info nodes 5 nps 7 hashfull 1 time 2 string proof number 3",
            ),
            (Response::Checkmate(Checkmate::NoMate), "checkmate nomate"),
            (Response::Checkmate(Checkmate::Timeout), "checkmate timeout"),
        ] {
            assert_eq!(response.to_string(), line);
        }
    }

    #[test]
    fn lines_are_as_long_as_they_may_be() {
        let length = |response: Response| format!("{response}\n").len();
        let longest = |unit: usize| MAX_LINE - unit..MAX_LINE;
        // Moves are added or dropped together with their space.
        assert!(longest(6).contains(&length(Response::Info(info(vec![mv("2f3e+"); 1000])))));
        for text in ["7", "é", "…"] {
            let length = length(Response::InfoString(text.repeat(5000)));
            assert!(longest(text.len()).contains(&length), "{length} bytes of '{text}'");
        }
    }
}
