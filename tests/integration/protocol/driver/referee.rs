//! The referee: checks every line of an engine against the protocol and the lines that were sent.

use std::collections::VecDeque;

use judkins::shogi::{Position, Setup, impasse};

/// No line of the engine reaches this many bytes, its end counted.
pub const LINE_LIMIT: usize = 2_048;

/// The request that began a search.
enum Question {
    /// `go`: the position, none if it was refused or lacks a king, and whether `bestmove resign` may also be said for
    /// want of a move among `searchmoves`.
    Move { position: Option<Position>, restricted: bool },
    /// `go mate`.
    Mate { position: Option<Position> },
}

/// Derives from the lines sent which lines may come.
pub struct Referee {
    /// None if the last one was refused.
    position: Option<Position>,
    asked: VecDeque<Question>,
    /// `isready` that have not been answered: empty lines may come meanwhile.
    preparing: usize,
    /// More than one line was asked for at some time.
    many_lines: bool,
    /// The rule that lets the engine declare was chosen at some time.
    declaration: bool,
    /// The engine was given a score to resign at.
    may_resign: bool,
    /// Lines for people may come, too.
    pub text_allowed: bool,
}

impl Default for Referee {
    fn default() -> Referee {
        Referee {
            position: Some(Position::startpos()),
            asked: VecDeque::new(),
            preparing: 0,
            many_lines: false,
            declaration: false,
            may_resign: false,
            text_allowed: false,
        }
    }
}

/// The position that a `position` command means; none if it must be refused.
fn read_position(words: &[&str]) -> Option<Position> {
    let (setup, moves) = match words.iter().position(|&word| word == "moves") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let mut position = match setup {
        ["startpos"] => Position::startpos(),
        ["sfen", sfen @ ..] => sfen.join(" ").parse::<Setup>().ok()?.mate_problem().ok()?,
        _ => return None,
    };
    for mv in moves {
        position.try_play(mv.parse().ok()?).ok()?;
    }
    Some(position)
}

/// The position after these moves; an error names the first that is not legal.
fn after(position: &Position, moves: &[&str]) -> Result<Position, String> {
    let mut position = position.clone();
    for text in moves {
        let mv = text.parse().map_err(|_| format!("'{text}' is not a move"))?;
        position.try_play(mv).map_err(|_| format!("'{text}' is not legal in {position}"))?;
    }
    Ok(position)
}

/// A number in plain decimal digits, perhaps with a sign.
fn number(text: &str) -> Result<i64, String> {
    let digits = text.trim_start_matches(['+', '-']);
    let plain =
        text.len() - digits.len() <= 1 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().ok_or_else(|| format!("'{text}' is not a number"))
}

impl Referee {
    /// The number of unanswered searches.
    pub fn unanswered(&self) -> usize {
        self.asked.len()
    }

    /// Takes note of a line to the engine.
    pub fn sent(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["position", rest @ ..] => self.position = read_position(rest),
            ["isready", ..] => self.preparing += 1,
            // Commands for people are answered in free text.
            ["d" | "eval" | "bench" | "perft", ..] | ["go", "perft", ..] => self.text_allowed = true,
            ["go", rest @ ..] => {
                let position = self.position.clone();
                self.asked.push_back(if rest.contains(&"mate") {
                    Question::Mate { position }
                } else {
                    let position = position.filter(|position| position.kingless().is_none());
                    Question::Move { position, restricted: rest.contains(&"searchmoves") }
                });
            }
            ["setoption", "name", name, "value", value] => match name.to_ascii_lowercase().as_str() {
                "usi_multipv" | "multipv" => self.many_lines |= *value != "1",
                "impasserule" => self.declaration |= value.eq_ignore_ascii_case("Declaration"),
                "resignvalue" => self.may_resign = true,
                _ => {}
            },
            _ => {}
        }
    }

    /// Checks a line against the protocol, and returns its text.
    pub fn check(&mut self, bytes: &[u8]) -> Result<String, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "a line is not UTF-8")?;
        let text = text.strip_suffix('\n').ok_or("the last line is not ended")?;
        if self.text_allowed && !text.starts_with("bestmove") && !text.starts_with("info") {
            return Ok(text.to_owned());
        }
        if text.is_empty() && self.preparing > 0 {
            return Ok(String::new());
        }
        if bytes.len() >= LINE_LIMIT {
            return Err(format!("a line of {} bytes", bytes.len()));
        }
        if text.chars().any(char::is_control) {
            return Err("a control character in a line".into());
        }
        let words: Vec<&str> = text.split(' ').collect();
        // A string may quote the input, with its spaces.
        if words.contains(&"") && !text.starts_with("info string ") {
            return Err("spaces that are not single".into());
        }
        match words.as_slice() {
            ["readyok"] => {
                self.preparing = self.preparing.checked_sub(1).ok_or("a 'readyok' too many")?;
                Ok(())
            }
            ["usiok"] | ["id", "name" | "author", _, ..] | ["info", "string", _, ..] => Ok(()),
            ["option", "name", rest @ ..] => read_option(rest).map(drop),
            ["info", rest @ ..] => self.check_info(rest),
            ["bestmove", rest @ ..] => self.check_best(rest),
            ["checkmate", rest @ ..] => self.check_mate(rest),
            _ => Err("this is not protocol".into()),
        }?;
        Ok(text.to_owned())
    }

    fn check_info(&self, words: &[&str]) -> Result<(), String> {
        let position = match self.asked.front() {
            Some(Question::Move { position: Some(position), .. } | Question::Mate { position: Some(position) }) => {
                position
            }
            Some(_) => return Err("a report though the position was refused".into()),
            None => return Err("a report though nothing is asked".into()),
        };
        if let Some(Question::Mate { .. }) = self.asked.front() {
            // A mate solver has neither depth nor score.
            let ["nodes", nodes, "nps", nps, "hashfull", hashfull, "time", time, "string", _, ..] = words else {
                return Err("expected nodes, nps, hashfull, time and a text".into());
            };
            return [nodes, nps, hashfull, time].into_iter().try_for_each(|value| number(value).map(drop));
        }
        let mut rest = words;
        for key in ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time"] {
            match (key, rest) {
                ("multipv", ["multipv", line, tail @ ..]) => {
                    if !self.many_lines || number(line)? < 1 {
                        return Err("'multipv' though one line is asked for".into());
                    }
                    rest = tail;
                }
                ("multipv", _) => {}
                ("score", ["score", "cp" | "mate", value, tail @ ..]) => {
                    number(value)?;
                    rest = match tail {
                        ["lowerbound" | "upperbound", tail @ ..] => tail,
                        tail => tail,
                    };
                }
                (_, [found, value, tail @ ..]) if *found == key && key != "score" => {
                    let value = number(value)?;
                    let limit = if key == "hashfull" { 1_000 } else { i64::MAX };
                    if !(0..=limit).contains(&value) {
                        return Err(format!("{key} {value}"));
                    }
                    rest = tail;
                }
                (_, found) => return Err(format!("expected '{key}', got '{}'", found.first().unwrap_or(&"nothing"))),
            }
        }
        match rest {
            ["pv", pv @ ..] if !pv.is_empty() => after(position, pv).map(drop),
            // Without a legal move there is no line.
            [] | ["pv"] if !position.has_legal_move() => Ok(()),
            _ => Err("expected 'pv' and moves".into()),
        }
    }

    fn check_best(&mut self, words: &[&str]) -> Result<(), String> {
        let (position, restricted) = match self.asked.pop_front() {
            Some(Question::Move { position, restricted }) => (position, restricted),
            Some(Question::Mate { .. }) => return Err("'go mate' is answered with 'checkmate'".into()),
            None => return Err("a 'bestmove' too many".into()),
        };
        match (words, position) {
            (["resign"], None) => Ok(()),
            (["resign"], Some(position)) if restricted || self.may_resign || !position.has_legal_move() => Ok(()),
            (["resign"], Some(position)) => Err(format!("nothing makes the engine resign in {position}")),
            (["win"], Some(position)) if self.declaration && impasse::may_declare(&position) => Ok(()),
            (["win"], _) => Err("there is nothing to declare".into()),
            ([_] | [_, "ponder", _], None) => Err("a move from a position that was refused".into()),
            ([best], Some(position)) => after(&position, &[*best]).map(drop),
            ([best, "ponder", reply], Some(position)) => after(&position, &[*best, *reply]).map(drop),
            _ => Err("expected 'bestmove M [ponder P]'".into()),
        }
    }

    fn check_mate(&mut self, words: &[&str]) -> Result<(), String> {
        match (self.asked.pop_front(), words) {
            (Some(Question::Move { .. }), _) => Err("'go' without 'mate' is answered with 'bestmove'".into()),
            (None, _) => Err("a 'checkmate' too many".into()),
            (_, ["timeout"]) => Ok(()),
            (Some(Question::Mate { position: None }), _) => Err("expected 'checkmate timeout' after a refusal".into()),
            (_, ["nomate"]) => Ok(()),
            (_, []) => Err("expected moves, 'nomate' or 'timeout'".into()),
            (Some(Question::Mate { position: Some(position) }), moves) => {
                if after(&position, moves)?.has_legal_move() || moves.len() % 2 == 0 {
                    return Err("this does not end in mate".into());
                }
                Ok(())
            }
        }
    }
}

/// An option as the engine offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub name: String,
    /// `check`, `spin`, `combo`, `string`, `filename` or `button`.
    pub kind: String,
    pub default: Option<String>,
    /// The least and the greatest value of a spin.
    pub range: Option<(i64, i64)>,
    pub choices: Vec<String>,
}

/// Reads an `option` line, strictly; `words` begin after `option name`.
pub fn read_option(words: &[&str]) -> Result<Offer, String> {
    let [name, "type", kind, rest @ ..] = words else {
        return Err("expected 'option name NAME type TYPE'".into());
    };
    let mut offer =
        Offer { name: (*name).to_owned(), kind: (*kind).to_owned(), default: None, range: None, choices: Vec::new() };
    match (*kind, rest) {
        ("button", []) => {}
        ("check", ["default", value @ ("true" | "false")]) => offer.default = Some((*value).to_owned()),
        ("spin", ["default", value, "min", min, "max", max]) => {
            let (min, max) = (number(min)?, number(max)?);
            if !(min..=max).contains(&number(value)?) {
                return Err(format!("the default {value} is not within {min} to {max}"));
            }
            offer.default = Some((*value).to_owned());
            offer.range = Some((min, max));
        }
        ("combo", ["default", value, vars @ ..]) => {
            for pair in vars.chunks(2) {
                let ["var", choice] = pair else { return Err("expected 'var CHOICE'".into()) };
                offer.choices.push((*choice).to_owned());
            }
            if !offer.choices.iter().any(|choice| choice == value) {
                return Err(format!("the default {value} is none of the choices"));
            }
            offer.default = Some((*value).to_owned());
        }
        ("string" | "filename", ["default", value, ..]) if !value.is_empty() => {
            offer.default = Some(rest[1..].join(" "));
        }
        _ => return Err(format!("this is not how a {kind} looks")),
    }
    Ok(offer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The referee's verdict on the last line of a session; `<` marks the engine's lines.
    fn judge(session: &str) -> Result<(), String> {
        let mut referee = Referee::default();
        let mut verdict = Ok(());
        for line in session.lines() {
            match line.strip_prefix("< ") {
                Some(said) => {
                    assert_eq!(verdict, Ok(()), "{session}");
                    verdict = referee.check(format!("{said}\n").as_bytes()).map(drop);
                }
                None => referee.sent(line),
            }
        }
        verdict
    }

    #[test]
    fn proper_lines_pass() {
        for session in [
            "< usiok",
            "isready\n< \n< readyok",
            "< id name x y",
            "< option name A type spin default 1 min 0 max 2",
            "< option name A type check default true",
            "< option name A type combo default x var x var y",
            "< option name A type string default <empty>",
            "< option name A type filename default a file",
            "< option name A type button",
            "< info string a  b",
            "go\n< bestmove 6e6d",
            "go\n< bestmove 6e6d ponder 1b1c",
            "go\n< info depth 1 seldepth 2 score cp -3 nodes 4 nps 5 hashfull 6 time 7 pv 6e6d 1b1c\n< bestmove 6e6d",
            "go\n< info depth 1 seldepth 2 score mate -3 lowerbound nodes 4 nps 5 hashfull 6 time 7 pv 6e6d",
            "setoption name MultiPV value 2\ngo\n< info depth 1 seldepth 2 multipv 2 score cp 3 nodes 4 nps 5 hashfull 6 time 7 pv 6e6d",
            "position startpos moves 6e6c\ngo\n< bestmove resign",
            "position startpos moves 6e6d\ngo\n< bestmove 1b1c",
            "position startpos moves 6e6c\ngo mate 1\n< checkmate timeout",
            "position sfen 5k/6/5P/6/6/K5 b G 1\ngo mate 1\n< checkmate G*1b",
            "position sfen 5k/6/5P/6/6/6 b G 1\ngo mate 1\n< checkmate G*1b\ngo\n< bestmove resign",
            "position sfen 5k/6/5P/6/6/K5 b G 1 moves G*1b\ngo\n< bestmove resign",
            "go mate 1\n< checkmate nomate",
            "setoption name ResignValue value 1\ngo\n< bestmove resign",
            "setoption name ImpasseRule value declaration\nposition sfen 1K4/GGS3/6/6/6/5k b 2RBN 1\ngo\n< bestmove win",
        ] {
            assert_eq!(judge(session), Ok(()), "{session}");
        }
    }

    #[test]
    fn improper_lines_fail() {
        for session in [
            "< hello",
            "< ",
            "< readyok",
            "isready\n< readyok\n< readyok",
            "< usiok ",
            "< id name",
            "< info string",
            "< info string \u{7}",
            "< option name A B type check default true",
            "< option name A type check",
            "< option name A type check default yes",
            "< option name A type spin default 3 min 0 max 2",
            "< option name A type spin default 1",
            "< option name A type combo default z var x var y",
            "< option name A type string default",
            "< bestmove 6e6d",
            "go\n< bestmove 6e6c",
            "go\n< bestmove",
            "go\n< bestmove none",
            "go\n< bestmove win",
            "go\n< bestmove resign",
            "go\n< bestmove resign ponder 6e6d",
            "go\n< bestmove 6e6d ponder",
            "go\n< bestmove 6e6d ponder 6d6c",
            "go\n< bestmove 6e6d\n< bestmove 6e6d",
            "go\n< checkmate nomate",
            "go mate 1\n< bestmove 6e6d",
            "go mate 1\n< checkmate 6e6d",
            "go mate 1\n< checkmate notimplemented",
            "position startpos moves 6e6c\ngo\n< bestmove 6e6d",
            "position startpos moves 6e6d\ngo\n< bestmove 6d6c",
            "position sfen 1K4/GGS3/6/6/6/5k b 2RBN 1\ngo\n< bestmove win",
            "setoption name ImpasseRule value Declaration\ngo\n< bestmove win",
            "< info depth 1 seldepth 2 score cp 3 nodes 4 nps 5 hashfull 6 time 7 pv 6e6d",
            "go\n< info depth 1 score cp 3 nodes 4 nps 5 hashfull 6 time 7 pv 6e6d",
            "go\n< info depth 1 seldepth 2 multipv 1 score cp 3 nodes 4 nps 5 hashfull 6 time 7 pv 6e6d",
            "go\n< info depth 1 seldepth 2 score mate + nodes 4 nps 5 hashfull 6 time 7 pv 6e6d",
            "go\n< info depth 1 seldepth 2 score cp 3.5 nodes 4 nps 5 hashfull 6 time 7 pv 6e6d",
            "go\n< info depth 1 seldepth 2 score cp 3 nodes 4 nps 5 hashfull 1006 time 7 pv 6e6d",
            "go\n< info depth 1 seldepth 2 score cp 3 nodes 4 nps 5 hashfull 6 time 7 pv 6e6c",
            "go\n< info depth 1 seldepth 2 score cp 3 nodes 4 nps 5 hashfull 6 time 7 pv",
            "go\n< info depth 1 seldepth 2 score cp 3 nodes 4 nps 5 hashfull 6 time 7 pv 6e6d string x",
            "go\n< info depth 1  seldepth 2 score cp 3 nodes 4 nps 5 hashfull 6 time 7 pv 6e6d",
            "go\n< info depth 1 seldepth 2 score cp 3 nodes 4 nps 5 hashfull 6 time 7 cpuload 8 pv 6e6d",
        ] {
            assert!(judge(session).is_err(), "{session}");
        }
        assert!(judge(&format!("< info string {}", "x".repeat(LINE_LIMIT - 13))).is_err());
        assert!(Referee::default().check(b"info string \xff\n").is_err());
        assert!(Referee::default().check(b"usiok").is_err());
    }
}
