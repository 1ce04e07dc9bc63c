//! No text vanishes: every part of a record's line is part of the game, or is reported with its line.

use judkins::record::{Format, ReadGame};
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::read_as;
use super::samples::MATCH;
use super::trees::records;

/// A token in a line that is nowhere else in the file.
const TOKEN: &str = "zqx";

const PGN: [&str; 58] = [
    "zqx",
    "zqx zqx",
    "日本zqx",
    " zqx ",
    "{zqx}",
    "{zqx",
    "zqx}",
    "} zqx",
    "{+0.35/12 zqx}",
    "{[%clk zqx]}",
    "{[%clk 1:00] [%clk 0:zqx]}",
    "{[%eval 0.1,zqx]}",
    "{+0.1/2 1s, pv=\"zqx\"}",
    "; zqx",
    "(zqx)",
    "(zqx",
    ")zqx",
    "( {zqx} )",
    "$zqx",
    "$300 zqx",
    "$200zqx",
    "zqx!",
    "zqx±",
    "±zqx",
    "P-6dzqx",
    "P-6d zqx",
    "P-6d {zqx}",
    "Pa3 zqx",
    "e4 {zqx}",
    "977. zqx",
    "1. zqx",
    "... zqx",
    "1-0 zqx",
    "* {zqx}",
    "1-0 ; zqx",
    "<zqx>",
    "[zqx]",
    "[zqx",
    "[zqx \"\"x]",
    "[Event \"zqx\"]",
    "[Site \"zqx\"]",
    "[Date \"zqx\"]",
    "[Black \"zqx\"]",
    "[Result \"zqx\"]",
    "[X \"zqx\"]",
    "[X \"a\"] zqx",
    "[備考 \"zqx\"]",
    "[Kif \"zqx\"]",
    "[Variant \"zqx\"]",
    "[Notation \"zqx\"]",
    "[FEN \"zqx\"]",
    "[SFEN \"zqx\"]",
    "[SetUp \"zqx\"]",
    "[PlyCount \"zqx\"]",
    "[TimeControl \"zqx\"]",
    "[WhiteTimeControl \"zqx\"]",
    "[Termination \"zqx\"]",
    "[EndReason \"zqx\"]",
];

/// Lines without a word of their own: the game is another with them, or something is named.
const SIGNS: [&str; 14] = [
    "977.",
    "977",
    "1-0",
    "0-1",
    "*",
    "()",
    "(",
    ")",
    "}",
    "$300",
    "$200",
    "⌓",
    "[Time \"23:59:58\"]",
    "[PlyCount \"977\"]",
];

const USI: [&str; 12] = [
    "zqx",
    "startpos zqx",
    "startpos moves zqx",
    "startpos moves 6e6d zqx",
    "startpos moves 6e6d resign zqx",
    "startpos moves 6e6d win zqx",
    "position zqx",
    "sfen zqx",
    "bishop zqx",
    "5k/6/6/6/6/K5 b - 1 zqx",
    "5k/6/6/6/6/K5 b - zqx",
    "moves 6e6d zqx",
];

const LINES: [&str; 20] = [
    "zqx",
    "# zqx",
    "[\"zqx\"]",
    "{\"zqx\":1}",
    "{\"moves\":[\"zqx\"]}",
    "{\"moves\":[\"6e6d\"],\"zqx\":1}",
    "{\"moves\":[\"6e6d\"],\"comments\":[\"zqx\"]}",
    "{\"moves\":[\"6e6d\"],\"black\":{\"name\":\"zqx\"}}",
    "{\"moves\":[\"6e6d\"],\"black\":{\"rating\":\"zqx\"}}",
    "{\"moves\":[\"6e6d\"],\"white\":{\"limit\":\"zqx\"}}",
    "{\"moves\":[\"6e6d\"],\"white\":\"zqx\"}",
    "{\"moves\":[\"6e6d\"],\"scores\":[\"zqx\"]}",
    "{\"moves\":[\"6e6d\"],\"scores\":[1,2]}",
    "{\"moves\":[\"6e6d\"],\"times\":[-1]}",
    "{\"moves\":[\"6e6d\"],\"result\":\"zqx\"}",
    "{\"moves\":[\"6e6d\"],\"reason\":\"zqx\"}",
    "{\"moves\":[\"6e6d\"],\"detail\":\"zqx\"}",
    "{\"moves\":[\"6e6d\"],\"date\":\"zqx\"}",
    "{\"moves\":[\"6e6d\"],\"impasse_rule\":\"zqx\"}",
    "{\"opening\":\"startpos zqx\"}",
];

fn json(games: &[ReadGame]) -> String {
    let records = games.iter().filter_map(|game| game.record.as_ref());
    records.map(|record| serde_json::to_string(record).expect("records are written as JSON")).collect()
}

/// A text with one more line, and the number of the line.
pub fn with_line(text: &str, line: &str, at: Index) -> (String, usize) {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = at.index(lines.len() + 1);
    lines.insert(at, line);
    (lines.join("\n"), at + 1)
}

/// Whether the token that was put into this line is in a game, or the line is named.
pub fn is_seen(token: &str, text: &str, format: Format, line: usize) -> bool {
    let games = read_as(text, format);
    let is_named = games.iter().flat_map(|game| &game.problems).any(|problem| problem.line == line);
    is_named || json(&games).contains(token)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_of_pgn_vanishes(record in records(), line in select(&PGN[..]), sign in select(&SIGNS[..]), at: Index) {
        for format in [Format::Pgn, Format::PgnFairy, Format::PgnCuteChess] {
            let text = record.to_text(format).expect("it is written");
            let (changed, number) = with_line(&text, line, at);
            prop_assert!(is_seen(TOKEN, &changed, format, number), "{line} in line {number} of {format}:\n{changed}");
            let (changed, number) = with_line(&text, sign, at);
            let games = read_as(&changed, format);
            let is_seen = games.iter().any(|game| !game.problems.is_empty()) || json(&games) != json(&read_as(&text, format));
            prop_assert!(is_seen, "{sign} in line {number} of {format}:\n{changed}");
        }
    }

    #[test]
    fn no_line_of_usi_or_of_a_match_vanishes(
        games in prop::collection::vec(records(), 1..4), usi in select(&USI[..]), line in select(&LINES[..]), at: Index
    ) {
        let text: String = games.iter().map(|game| judkins::record::usi::to_commented_line(game) + "\n").collect();
        let (changed, number) = with_line(&text, usi, at);
        prop_assert!(is_seen(TOKEN, &changed, Format::Usi, number), "{usi} in line {number}:\n{changed}");
        let (changed, number) = with_line(&MATCH.repeat(3), line, at);
        prop_assert!(is_seen(TOKEN, &changed, Format::Match, number), "{line} in line {number}");
    }
}
