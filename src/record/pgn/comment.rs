//! Comments of PGN, read and written: text, evaluations as Cute Chess writes them, and commands such as `[%clk]`.

use std::time::Duration;

use super::dialect::{Notation, reason_name};
use crate::record::date::clock;
use crate::record::header::fill;
use crate::record::notes::{FormerEndWords, seen_by};
use crate::record::{Evaluation, Notes};
use crate::score::{Bound, Score};
use crate::shogi::{Color, Move, Position};

/// Reads a comment: text for people and values written by programs.
///
/// - `+0.35/12 0.101s`, as in Cute Chess and `judkins match`: score, depth, seconds; `?` for no score, `M5` for a mate
///   in 5 plies. XBoard omits the `s` and writes minutes as `1:02`. This program appends further values:
///   `, n=1000, lowerbound, pv="P-6d P-1c"`. Other text may follow too.
/// - `[%eval 0.35,12]`, `[%eval #-3]`: from the first player's point of view, mates in moves; `[%emt 0:01:02]`, the
///   time used; `[%clk 0:01:02]`, the time left.
/// - `[%end black resignation]`: the end of a game that was continued.
pub(super) fn read(text: &str, mover: Color, position: &Position, notation: Notation) -> Notes {
    let mut notes = Notes::default();
    let mut evaluation = Evaluation::default();
    let text = commands(text, mover, position, &mut notes, &mut evaluation);
    let rest = match head(text.trim(), &mut notes, &mut evaluation) {
        Some(rest) => details(rest, position, notation, &mut evaluation),
        None => text.as_str(),
    };
    notes.comment = rest.trim().to_owned();
    notes.evaluation = Some(evaluation).filter(|evaluation| !evaluation.is_empty());
    notes
}

/// Reads the commands in square brackets; returns the remaining text.
fn commands(text: &str, mover: Color, position: &Position, notes: &mut Notes, evaluation: &mut Evaluation) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[%") {
        let Some((command, after)) = after.split_once(']') else { break };
        kept += before;
        let taken = match command.split_once(' ') {
            // A repeated command is text.
            Some(("clk", value)) => fill(&mut notes.clock, value, clock).is_none(),
            Some(("emt", value)) => fill(&mut notes.time, value, clock).is_none(),
            Some(("end", value)) => fill(&mut notes.former_end, value, |end| FORMER_END.read(end)).is_none(),
            Some(("eval", value)) if evaluation.score.is_none() => eval(value, mover, position, evaluation).is_some(),
            _ => false,
        };
        if !taken {
            kept += &format!("[%{command}]");
        }
        rest = after;
    }
    kept + rest
}

/// `0.35,12`, `#-3`; in pychess `0.35/12`, `-#3`.
fn eval(text: &str, mover: Color, position: &Position, evaluation: &mut Evaluation) -> Option<()> {
    let (score, depth) =
        text.trim().split_once([',', '/']).map_or((text.trim(), None), |(score, depth)| (score, Some(depth)));
    let score = match score.split_once('#') {
        None => Score::Centipawns(centipawns(score)?),
        Some((sign, moves)) => {
            let moves: i32 = moves.parse().ok().filter(|moves: &i32| moves.unsigned_abs() < 10_000)?;
            let to_move = position.side_to_move();
            let winner = match sign {
                // The side to move is mated.
                "" | "+" | "-" if moves == 0 => !to_move,
                "" | "+" if moves > 0 => Color::Black,
                "" | "+" | "-" => Color::White,
                _ => return None,
            };
            // The player to move makes the first of the moves, and the last one if he wins.
            let plies = match moves {
                // A mate in no plies would be the mover's own.
                0 => i32::from(winner == mover),
                _ => 2 * moves.abs() - i32::from(winner == to_move),
            };
            Score::Mate(winner.relative(plies))
        }
    };
    let (score, bound) = seen_by(mover, Color::Black, score, Bound::Exact);
    let depth = depth.map(|depth| depth.trim().parse::<u32>()).transpose().ok()?;
    (evaluation.score, evaluation.bound, evaluation.depth) = (Some(score), bound, depth);
    Some(())
}

fn centipawns(text: &str) -> Option<i32> {
    let value = text.parse::<f64>().ok()? * 100.0;
    (value.abs() <= f64::from(i32::MAX)).then(|| value.round() as i32)
}

/// Reads `+0.35/12 0.101s` at the beginning of a text; returns the text after its comma, if there is one.
fn head<'a>(text: &'a str, notes: &mut Notes, evaluation: &mut Evaluation) -> Option<&'a str> {
    if evaluation.score.is_some() || notes.time.is_some() {
        return None;
    }
    let (head, rest) = text.split_once(", ").unwrap_or((text, ""));
    let mut words = head.split_whitespace();
    let (first, second, None) = (words.next()?, words.next(), words.next()) else { return None };
    let (score_text, time) = match (second, seconds(first)) {
        (None, Some(time)) => (None, Some(time)),
        (None, None) => (Some(first), None),
        (Some(second), _) => {
            let is_searched = || first.starts_with(['+', '-']) && first.contains('/');
            (Some(first), Some(seconds(second).or_else(|| clock(second).filter(|_| is_searched()))?))
        }
    };
    let mut read = Evaluation::default();
    if let Some(text) = score_text {
        let (score, depth) = text.split_once('/').map_or((text, None), |(score, depth)| (score, Some(depth)));
        read.depth = depth.map(str::parse::<u32>).transpose().ok()?;
        let signed = score.starts_with(['+', '-']);
        let mate = score.trim_start_matches(['+', '-']).strip_prefix('M');
        read.score = match (score, mate) {
            ("?", _) => None,
            (_, Some(plies)) => {
                let plies: i32 = plies.parse().ok().filter(|plies| *plies >= 0)?;
                Some(Score::Mate(if score.starts_with('-') { -plies } else { plies }))
            }
            _ => Some(Score::Centipawns(centipawns(score)?)),
        };
        // A bare number may mean anything, and `1/2` a result.
        let decimals = score.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 2);
        let is_score = (signed || depth.is_some()) && (decimals || mate.is_some()) || signed && depth.is_some();
        let is_known = score == "?" && (depth.is_some() || rest.starts_with("n=") || rest.starts_with("pv=\""));
        if time.is_none() && !is_score && !is_known {
            return None;
        }
    }
    (*evaluation, notes.time) = (read, time);
    Some(rest)
}

/// `0.101s`
pub(super) fn seconds_text(time: Duration) -> String {
    format!("{:.3}s", time.as_secs_f64())
}

/// Reads the output of [`seconds_text`].
pub(super) fn seconds(text: &str) -> Option<Duration> {
    // `clock` also reads `1:02` and spaces.
    let is_other = |c: char| c == ':' || c.is_whitespace();
    clock(text.strip_suffix('s').filter(|seconds| !seconds.contains(is_other))?)
}

/// Reads this program's values after score, depth and time; returns the rest. A line with an illegal move is text.
fn details<'a>(mut text: &'a str, position: &Position, notation: Notation, evaluation: &mut Evaluation) -> &'a str {
    loop {
        let (part, rest) = text.split_once(", ").unwrap_or((text, ""));
        let line =
            || part.strip_prefix("pv=\"").and_then(|line| read_moves(line.strip_suffix('"')?, position, notation));
        let nodes = || part.strip_prefix("n=").and_then(|nodes| nodes.parse().ok());
        if let Some(nodes) = nodes().filter(|_| evaluation.nodes.is_none()) {
            evaluation.nodes = Some(nodes);
        } else if part == "lowerbound" {
            evaluation.bound = Bound::Lower;
        } else if part == "upperbound" {
            evaluation.bound = Bound::Upper;
        } else if let Some(line) = line().filter(|_| evaluation.line.is_empty()) {
            evaluation.line = line;
        } else {
            return text;
        }
        text = rest;
    }
}

fn read_moves(text: &str, position: &Position, notation: Notation) -> Option<Vec<Move>> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let mv = notation.read(&position, word).ok()?;
        position.play_unchecked(mv);
        moves.push(mv);
    }
    Some(moves)
}

/// The comments for a move's annotations, without their braces.
pub(super) fn write(notes: &Notes, position: &Position, notation: Notation) -> Vec<String> {
    let mut comments = Vec::new();
    if notes.time.is_some() || notes.evaluation.is_some() {
        comments.push(engine_text(notes, position, notation));
    }
    if let Some(clock) = notes.clock {
        let (seconds, nanos) = (clock.as_secs(), clock.subsec_micros());
        let mut text = format!("[%clk {}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
        if nanos > 0 {
            text += format!(".{nanos:06}").trim_end_matches('0');
        }
        comments.push(text + "]");
    }
    comments.extend(notes.former_end.as_ref().map(|end| format!("[%end {}]", FORMER_END.write(end))));
    if !notes.comment.is_empty() {
        // A closing brace cannot be represented.
        let comment = notes.comment.replace('}', ")");
        // If the comment were not closed, a tag after an empty line would begin the next game.
        comments.push(comment.replace("\n\n[", "\n \n["));
    }
    comments
}

/// The end of a game that was continued: `black resignation`. `1-0` would leave the winner to the dialect.
const FORMER_END: FormerEndWords =
    FormerEndWords { results: ["black", "white", "draw", "*"], reason: reason_name, signs: [" ", ""] };

/// `+0.35/12 0.101s, n=1000, pv="P-6d"`
fn engine_text(notes: &Notes, position: &Position, notation: Notation) -> String {
    let none = Evaluation::default();
    let evaluation = notes.evaluation.as_ref().unwrap_or(&none);
    let mut text = match evaluation.score {
        Some(Score::Centipawns(score)) => format!("{:+.2}", f64::from(score) / 100.0),
        Some(Score::Mate(plies)) => format!("{}M{}", if plies < 0 { '-' } else { '+' }, plies.unsigned_abs()),
        None => "?".to_owned(),
    };
    if let Some(depth) = evaluation.depth {
        text += &format!("/{depth}");
    }
    if let Some(time) = notes.time {
        text += &format!(" {}", seconds_text(time));
    }
    if let Some(nodes) = evaluation.nodes {
        text += &format!(", n={nodes}");
    }
    text += match evaluation.bound {
        Bound::Exact => "",
        Bound::Lower => ", lowerbound",
        Bound::Upper => ", upperbound",
    };
    if !evaluation.line.is_empty() {
        let line = position.walk(evaluation.line.iter().copied());
        let words: Vec<String> = line.map(|(position, mv)| notation.write(&position, mv)).collect();
        text += &format!(", pv=\"{}\"", words.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(text: &str, mover: Color) -> Notes {
        let position = Position::startpos().after("6e6d".parse().unwrap());
        read(text, mover, &position, Notation::Western)
    }

    #[test]
    fn comments_of_engines_are_read() {
        let ms = Duration::from_millis;
        for (text, score, depth, time, rest) in [
            ("+0.35/12 0.101s", Some(Score::Centipawns(35)), Some(12), Some(ms(101)), ""),
            ("0.00/1 0s", Some(Score::Centipawns(0)), Some(1), Some(ms(0)), ""),
            ("-M4/7 12s, Sente mates", Some(Score::Mate(-4)), Some(7), Some(ms(12_000)), "Sente mates"),
            ("+M1/1 0s, a, b", Some(Score::Mate(1)), Some(1), Some(ms(0)), "a, b"),
            ("? 0.101s", None, None, Some(ms(101)), ""),
            ("+0.35/12 1.2", Some(Score::Centipawns(35)), Some(12), Some(ms(1200)), ""),
            ("-0.10/9 1:02", Some(Score::Centipawns(-10)), Some(9), Some(ms(62_000)), ""),
            ("12/5 1.2", None, None, None, "12/5 1.2"),
            ("5.1s", None, None, Some(ms(5100)), ""),
            ("-1.25", Some(Score::Centipawns(-125)), None, None, ""),
            ("1.25/3", Some(Score::Centipawns(125)), Some(3), None, ""),
            ("+1/3", Some(Score::Centipawns(100)), Some(3), None, ""),
            ("1/2", None, None, None, "1/2"),
            ("50/50", None, None, None, "50/50"),
            ("[%eval -0.35,12] [%emt 0:01:02] hm", Some(Score::Centipawns(-35)), Some(12), Some(ms(62_000)), "hm"),
            ("[%eval #2]", Some(Score::Mate(4)), None, None, ""),
            ("[%eval #-2]", Some(Score::Mate(-3)), None, None, ""),
            ("[%eval #0]", Some(Score::Mate(1)), None, None, ""),
            ("[%eval #-0]", Some(Score::Mate(1)), None, None, ""),
            ("[%eval x#0]", None, None, None, "[%eval x#0]"),
            ("book", None, None, None, "book"),
            ("1.25", None, None, None, "1.25"),
            ("+1", None, None, None, "+1"),
            ("White wins, he says", None, None, None, "White wins, he says"),
            ("[%clk 1:00] [%clk 2:00] [%eval 0.1,x]", None, None, None, "[%clk 2:00] [%eval 0.1,x]"),
            ("+0.35/12 1s, n=1, n=2", Some(Score::Centipawns(35)), Some(12), Some(ms(1000)), "n=2"),
            (
                "+0.35/12 1s, pv=\"P-1c P-1c\"",
                Some(Score::Centipawns(35)),
                Some(12),
                Some(ms(1000)),
                "pv=\"P-1c P-1c\"",
            ),
            ("[%csl Ga1] [%eval x] [%", None, None, None, "[%csl Ga1] [%eval x] [%"),
        ] {
            let notes = read_as(text, Color::Black);
            let evaluation = notes.evaluation.unwrap_or_default();
            let found = (evaluation.score, evaluation.depth, notes.time, notes.comment.as_str());
            assert_eq!(found, (score, depth, time, rest), "{text}");
        }
        let white = read_as("[%eval 0.35] [%clk 1:00:00.5]", Color::White);
        assert_eq!(white.evaluation.unwrap().score, Some(Score::Centipawns(-35)));
        assert_eq!(white.clock, Some(ms(3_600_500)));
    }

    #[test]
    fn a_clock_is_written_with_its_fraction() {
        let position = Position::startpos();
        let clock = Notes { clock: Some(Duration::from_millis(61_500)), ..Notes::default() };
        let written = write(&clock, &position, Notation::Western);
        assert_eq!(written, ["[%clk 0:01:01.5]"]);
        assert_eq!(read(&written[0], Color::Black, &position, Notation::Western), clock);
    }
}
