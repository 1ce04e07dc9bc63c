//! Parser of the output of other engines in USI or UCI, for matches and the board.

use nom::branch::alt;
use nom::combinator::{map, map_opt, opt, rest, value};
use nom::multi::many_till;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::usi::OptionKind;
use super::words::{keyword, word};
use crate::score::{Bound, Score};

/// A line that an engine writes. USI and UCI differ only in the notation of moves, which remain text here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name …`.
    Name(String),
    /// `id author …`.
    Author(String),
    /// An option that can be set. Some engines write a spin without `default`: its minimum is used then.
    Option {
        /// The name, which may contain spaces.
        name: String,
        /// Type, default and range.
        kind: OptionKind,
    },
    /// `usiok` or `uciok`.
    Introduced,
    /// `readyok`.
    Ready,
    /// A line of search information.
    Info(ReplyInfo),
    /// `bestmove …`: the word that follows; empty if there is none.
    BestMove(String),
    /// Anything else, which the protocols require to be ignored.
    Other,
}

/// The parts of a line of search information that matches and the board need; none if missing or unreadable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplyInfo {
    /// The depth, in plies.
    pub depth: Option<u32>,
    /// The length of the longest line, in plies.
    pub seldepth: Option<u32>,
    /// The score, from the engine's point of view. UCI counts mates in moves, USI in plies.
    pub score: Option<Score>,
    /// Whether the score is a bound.
    pub bound: Option<Bound>,
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The share of the table that is used, in permille.
    pub hashfull: Option<u32>,
    /// The number of the line, from 1.
    pub multipv: Option<u32>,
    /// The line's moves, in the engine's notation.
    pub pv: Vec<String>,
}

impl Reply {
    /// Reads a line; [`Reply::Other`] if it cannot be read.
    pub fn parse(line: &str) -> Reply {
        reply(line).map_or(Reply::Other, |(_, reply)| reply)
    }
}

fn number<'a, T: std::str::FromStr>() -> impl Parser<&'a str, Output = T, Error = nom::error::Error<&'a str>> {
    map_opt(word, |word: &str| word.strip_prefix('+').unwrap_or(word).parse().ok())
}

fn text<'a>() -> impl Parser<&'a str, Output = String, Error = nom::error::Error<&'a str>> {
    map(rest, |text: &str| text.trim().to_owned())
}

fn reply(input: &str) -> IResult<&str, Reply> {
    alt((
        map(preceded(keyword("info"), info), Reply::Info),
        preceded(keyword("bestmove"), map(opt(word), |word| Reply::BestMove(word.unwrap_or_default().to_owned()))),
        value(Reply::Ready, keyword("readyok")),
        value(Reply::Introduced, alt((keyword("usiok"), keyword("uciok")))),
        map(preceded((keyword("id"), keyword("name")), text()), Reply::Name),
        map(preceded((keyword("id"), keyword("author")), text()), Reply::Author),
        preceded((keyword("option"), keyword("name")), option),
    ))
    .parse(input)
}

/// The words of `info`, in any order. `pv` and `string` take the rest of the line.
fn info(mut input: &str) -> IResult<&str, ReplyInfo> {
    let mut info = ReplyInfo::default();
    while let Ok((after, name)) = word(input) {
        input = after;
        match name {
            "depth" => take(&mut input, number(), &mut info.depth),
            "seldepth" => take(&mut input, number(), &mut info.seldepth),
            "nps" => take(&mut input, number(), &mut info.nps),
            "hashfull" => take(&mut input, number(), &mut info.hashfull),
            "nodes" => take(&mut input, number(), &mut info.nodes),
            "multipv" => take(&mut input, number(), &mut info.multipv),
            "cp" => take(&mut input, map(number(), Score::Centipawns), &mut info.score),
            "mate" => take(&mut input, map(number(), Score::Mate), &mut info.score),
            "lowerbound" => info.bound = Some(Bound::Lower),
            "upperbound" => info.bound = Some(Bound::Upper),
            "pv" => {
                info.pv = input.split_ascii_whitespace().map(str::to_owned).collect();
                break;
            }
            "string" => break,
            _ => {}
        }
    }
    Ok(("", info))
}

/// Reads a value into `place`. Unreadable input is left for the next word.
fn take<'a, T>(
    input: &mut &'a str,
    mut parser: impl Parser<&'a str, Output = T, Error = nom::error::Error<&'a str>>,
    place: &mut Option<T>,
) {
    if let Ok((after, value)) = parser.parse(input) {
        (*input, *place) = (after, Some(value));
    }
}

/// Parses `X type T [default D] [min A] [max B] [var V]…`, after `option name`. Names, defaults and choices may contain
/// spaces.
fn option(input: &str) -> IResult<&str, Reply> {
    let (input, (name, _)) = many_till(word, keyword("type")).parse(input)?;
    let (mut input, kind) = word(input)?;
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    while let Ok((after, name)) = word(input) {
        input = after;
        match name {
            "default" | "min" | "max" | "var" => fields.push((name, Vec::new())),
            word => fields.last_mut().into_iter().for_each(|(_, words)| words.push(word)),
        }
    }
    let all = |name| fields.iter().filter(move |(field, _)| *field == name).map(|(_, words)| words.join(" "));
    let default = all("default").next();
    let limit = |name| all(name).next().and_then(|text| text.parse().ok());
    let text = || default.clone().filter(|text| text != "<empty>").unwrap_or_default();
    let kind = match kind {
        "check" => OptionKind::Check { default: default.as_deref() == Some("true") },
        "spin" => {
            let (min, max) = (limit("min").unwrap_or(i64::MIN), limit("max").unwrap_or(i64::MAX));
            OptionKind::Spin { default: limit("default").unwrap_or(min), min, max }
        }
        "combo" => OptionKind::Combo { default: text(), choices: all("var").collect() },
        "button" => OptionKind::Button,
        "filename" => OptionKind::Filename { default: text() },
        // Treat an unknown type like a string.
        _ => OptionKind::String { default: text() },
    };
    Ok(("", Reply::Option { name: name.join(" "), kind }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_replies() {
        let info = |info| Reply::Info(info);
        let option = |name: &str, kind| Reply::Option { name: name.to_owned(), kind };
        let none = ReplyInfo::default;
        for (line, expected) in [
            ("id name Fairy-Stockfish 11.1 LB 64", Reply::Name("Fairy-Stockfish 11.1 LB 64".into())),
            ("id author somebody", Reply::Author("somebody".into())),
            ("usiok", Reply::Introduced),
            (" uciok\r", Reply::Introduced),
            ("readyok", Reply::Ready),
            ("bestmove 6e6d ponder 1b1c", Reply::BestMove("6e6d".into())),
            ("bestmove resign", Reply::BestMove("resign".into())),
            ("bestmove", Reply::BestMove(String::new())),
            ("bestmov 6e6d", Reply::Other),
            ("readyok?", Reply::Other),
            ("", Reply::Other),
            ("info string score cp 5 is not one", info(none())),
            ("info depth", info(none())),
            ("info depth x nodes 7", info(ReplyInfo { nodes: Some(7), ..none() })),
            ("info score mate +", info(none())),
            (
                "info depth 7 seldepth 12 multipv 2 score cp -33 upperbound nodes 1234 nps 5 time 21 pv 6e6d depth 9",
                info(ReplyInfo {
                    depth: Some(7),
                    score: Some(Score::Centipawns(-33)),
                    bound: Some(Bound::Upper),
                    nodes: Some(1234),
                    multipv: Some(2),
                    seldepth: Some(12),
                    nps: Some(5),
                    hashfull: None,
                    pv: ["6e6d", "depth", "9"].map(str::to_owned).to_vec(),
                }),
            ),
            (
                "info hashfull 512 score cp 5 lowerbound",
                info(ReplyInfo {
                    hashfull: Some(512),
                    score: Some(Score::Centipawns(5)),
                    bound: Some(Bound::Lower),
                    ..none()
                }),
            ),
            ("info score mate -4", info(ReplyInfo { score: Some(Score::Mate(-4)), ..none() })),
            (
                "option name Skill Level type spin default 20 min -20 max 20",
                option("Skill Level", OptionKind::Spin { default: 20, min: -20, max: 20 }),
            ),
            ("option name Clear Hash type button", option("Clear Hash", OptionKind::Button)),
            ("option name Log type string default ", option("Log", OptionKind::String { default: String::new() })),
            (
                "option name EvalFile type filename default <empty>",
                option("EvalFile", OptionKind::Filename { default: String::new() }),
            ),
            ("option name USI_Ponder type check", option("USI_Ponder", OptionKind::Check { default: false })),
            (
                "option name Style type combo default Very Solid var Very Solid var Risky",
                option(
                    "Style",
                    OptionKind::Combo {
                        default: "Very Solid".into(),
                        choices: vec!["Very Solid".into(), "Risky".into()],
                    },
                ),
            ),
            ("option name broken", Reply::Other),
        ] {
            assert_eq!(Reply::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn the_engines_responses_are_read_back() {
        use super::super::usi::{BestMove, Response};
        for kind in [
            OptionKind::Check { default: true },
            OptionKind::Spin { default: -3, min: -10, max: 10 },
            OptionKind::Combo { default: "A".into(), choices: vec!["A".into(), "B".into()] },
            OptionKind::String { default: "two words".into() },
            OptionKind::Filename { default: String::new() },
            OptionKind::Button,
        ] {
            let response = Response::Option { name: "X".into(), kind: kind.clone() };
            assert_eq!(Reply::parse(&response.to_string()), Reply::Option { name: "X".into(), kind });
        }
        let best = "P*3c".parse().unwrap();
        let response = Response::BestMove(BestMove::Move { best, ponder: None });
        assert_eq!(Reply::parse(&response.to_string()), Reply::BestMove("P*3c".into()));
    }
}
