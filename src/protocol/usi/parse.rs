//! Parser of USI commands, generic over the notation of positions and moves so that UCI can share it.

use std::time::Duration;

use nom::combinator::{map_opt, opt, verify};
use nom::multi::{many_till, many0};
use nom::{IResult, Parser};

use super::{Command, Go};
use crate::protocol::number::{positive, positive_u32, whole};
use crate::protocol::words::{infallible, keyword, word};
use crate::shogi::{Move, Position, Setup, SfenError};

/// The reason why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// There is no such command.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// An argument is missing or malformed.
    #[error("{command} needs {needs}")]
    Malformed { command: &'static str, needs: &'static str },
    /// The arguments of `position` are not a game. The engine has no position until the next `position`.
    #[error("position refused: {0}")]
    Position(#[from] PositionError),
}

/// The reason why the arguments of `position` are not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The first word is neither `startpos` nor the word before a written position.
    #[error("'startpos' or '{0}' expected, not '{1}'")]
    Start(&'static str, String),
    /// The SFEN is malformed, or its position cannot be played.
    #[error("{0}")]
    Sfen(#[from] SfenError),
    /// Another word in place of `moves`.
    #[error("'moves' expected, not '{0}'")]
    Trailing(String),
    /// A word among the moves is not a move.
    #[error("'{0}' is not a move")]
    Move(String),
}

/// The notation of positions and moves in a protocol of this family.
pub(in crate::protocol) struct Notation {
    /// The word before a written position.
    pub(in crate::protocol) position_word: &'static str,
    /// Reads a position, which may be a mate problem.
    pub(in crate::protocol) position: fn(&str) -> Result<Position, SfenError>,
    pub(in crate::protocol) mv: fn(&str) -> Option<Move>,
}

const USI: Notation = Notation {
    position_word: "sfen",
    position: |text| Ok(text.parse::<Setup>()?.mate_problem()?),
    mv: |word| word.parse().ok(),
};

impl Command {
    /// Reads a line; none for an empty one.
    ///
    /// # Errors
    /// [`CommandError`] with the part that cannot be read.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let Ok((arguments, name)) = word(line) else { return Ok(None) };
        let malformed = |command, needs| CommandError::Malformed { command, needs };
        Ok(Some(match name {
            "usi" => Command::Usi,
            "isready" => Command::IsReady,
            "usinewgame" => Command::UsiNewGame,
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            "bench" => Command::Bench,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "setoption" => set_option(arguments).map_err(|_| malformed("setoption", "'name' and an option's name"))?.1,
            "position" => position(arguments, &USI)?,
            "go" => go(arguments, &USI)?,
            "ponderhit" => Command::PonderHit(limits(arguments, &USI)),
            "gameover" => match word(arguments) {
                Ok((_, "win" | "lose" | "draw")) => Command::GameOver,
                _ => return Err(malformed("gameover", "win, lose or draw")),
            },
            "perft" => perft(arguments)?,
            other => return Err(CommandError::Unknown(other.to_owned())),
        }))
    }
}

/// `name X [value V]`. Both may contain spaces, and V may be empty.
pub(in crate::protocol) fn set_option(input: &str) -> IResult<&str, Command> {
    let (input, _) = keyword("name").parse(input)?;
    let not_empty = |words: &Vec<&str>| !words.is_empty();
    let with_value = many_till(word, keyword("value")).map(|(words, _)| words);
    let (input, name, value) = match verify(with_value, not_empty).parse(input) {
        Ok((value, words)) => ("", words, Some(value.trim().to_owned())),
        Err(_) => {
            let (input, words) = verify(many0(word), not_empty).parse(input)?;
            (input, words, None)
        }
    };
    Ok((input, Command::SetOption { name: name.join(" "), value }))
}

pub(in crate::protocol) fn position(input: &str, notation: &Notation) -> Result<Command, PositionError> {
    let (mut input, start) = infallible(word(input), "");
    let start = match start {
        "startpos" => Box::new(Position::startpos()),
        named if named == notation.position_word => {
            // Read up to the word `moves`, or to the end.
            let (after, words) = match many_till(word, keyword("moves")).parse(input) {
                // `moves` itself is read below.
                Ok((after, (words, _))) => (&input[input.len() - after.len() - "moves".len()..], words),
                Err(_) => infallible(many0(word).parse(input), Vec::new()),
            };
            input = after;
            Box::new((notation.position)(&words.join(" "))?)
        }
        other => return Err(PositionError::Start(notation.position_word, other.to_owned())),
    };
    let (input, next) = infallible(opt(word).parse(input), None);
    match next {
        None => return Ok(Command::Position { start, moves: Vec::new() }),
        Some("moves") => {}
        Some(other) => return Err(PositionError::Trailing(other.to_owned())),
    }
    let (input, moves) = infallible(many0(map_opt(word, notation.mv)).parse(input), Vec::new());
    match word(input) {
        Ok((_, other)) => Err(PositionError::Move(other.to_owned())),
        Err(_) => Ok(Command::Position { start, moves }),
    }
}

pub(in crate::protocol) fn go(input: &str, notation: &Notation) -> Result<Command, CommandError> {
    if let Ok((after, _)) = keyword("perft").parse(input) {
        return perft(after);
    }
    Ok(match value_after("mate", input) {
        // Treat a meaningless value like a missing one.
        Some(time) => Command::GoMate(millis(time)),
        None => Command::Go(search(input, notation)),
    })
}

/// The value after a word of `go`, anywhere in the line. Empty if it has no value; [`None`] without the word.
fn value_after<'a>(name: &'static str, input: &'a str) -> Option<&'a str> {
    let (mut after, _) = many_till(word, keyword(name)).parse(input).ok()?;
    Some(value(&mut after))
}

fn perft(input: &str) -> Result<Command, CommandError> {
    let (_, depth) = infallible(word(input), "");
    let depth = whole(depth).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
    depth.map(Command::Perft).ok_or(CommandError::Malformed { command: "perft", needs: "a depth in plies" })
}

/// The words of `go`. A program that has sent limits waits for a move, even if all of them are meaningless: it gets a
/// move as if no time were left on the clocks.
pub(in crate::protocol) fn search(input: &str, notation: &Notation) -> Go {
    let mut go = limits(input, notation);
    let times = [go.btime, go.wtime, go.binc, go.winc, go.byoyomi, go.movetime];
    let counts = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
    let is_limited = counts || times.iter().any(Option::is_some);
    if !is_limited && LIMIT_WORDS.iter().any(|name| value_after(name, input).is_some()) {
        (go.btime, go.wtime) = (Some(Duration::ZERO), Some(Duration::ZERO));
    }
    go
}

/// The words of `go` or `ponderhit`, in any order. Unknown words and meaningless values are skipped.
pub(in crate::protocol) fn limits(mut input: &str, notation: &Notation) -> Go {
    let mut go = Go::default();
    let mut moves_follow = false;
    while let Ok((after, name)) = word(input) {
        input = after;
        match name {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => moves_follow = true,
            "btime" => go.btime = millis(value(&mut input)).or(go.btime),
            "wtime" => go.wtime = millis(value(&mut input)).or(go.wtime),
            "binc" => go.binc = millis(value(&mut input)).or(go.binc),
            "winc" => go.winc = millis(value(&mut input)).or(go.winc),
            "byoyomi" => go.byoyomi = millis(value(&mut input)).or(go.byoyomi),
            "movetime" => go.movetime = millis(value(&mut input)).filter(|time| !time.is_zero()).or(go.movetime),
            "movestogo" => go.movestogo = positive_u32(value(&mut input)).or(go.movestogo),
            "depth" => go.depth = positive_u32(value(&mut input)).or(go.depth),
            "nodes" => go.nodes = positive(value(&mut input)).or(go.nodes),
            "mate" => go.mate = positive_u32(value(&mut input)).or(go.mate),
            _ => go.searchmoves.extend((notation.mv)(name).filter(|_| moves_follow)),
        }
    }
    go
}

/// The value after a word of `go`: the next word, unless that is a keyword of `go` too.
fn value<'a>(input: &mut &'a str) -> &'a str {
    let not_a_name = verify(word, |word: &str| !LIMIT_WORDS.contains(&word) && !OTHER_WORDS.contains(&word));
    let (after, value) = infallible(opt(not_a_name).parse(input), None);
    *input = after;
    value.unwrap_or_default()
}

/// The keywords of `go` that limit a search and take a value.
const LIMIT_WORDS: [&str; 9] = ["btime", "wtime", "binc", "winc", "byoyomi", "movetime", "depth", "nodes", "mate"];

/// The other keywords of `go`.
const OTHER_WORDS: [&str; 4] = ["ponder", "infinite", "searchmoves", "movestogo"];

/// The longest accepted time, about 30 years. Longer times count as this.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

fn millis(text: &str) -> Option<Duration> {
    whole(text).map(|millis| Duration::from_millis(millis).min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn lines_become_commands() {
        let option = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        let go = |go: Go| Command::Go(go);
        let moves = |text: &str| text.split(' ').map(|mv| mv.parse().unwrap()).collect::<Vec<Move>>();
        for (line, expected) in [
            ("usi", Command::Usi),
            ("  \t isready \r", Command::IsReady),
            ("usinewgame", Command::UsiNewGame),
            ("stop", Command::Stop),
            ("quit now", Command::Quit),
            ("bench", Command::Bench),
            ("d", Command::Display),
            ("eval", Command::Eval),
            ("perft 5", Command::Perft(5)),
            ("go perft 3", Command::Perft(3)),
            ("gameover lose", Command::GameOver),
            ("setoption name USI_Hash value 64", option("USI_Hash", Some("64"))),
            ("setoption name ClearHash", option("ClearHash", None)),
            ("setoption name Clear Hash", option("Clear Hash", None)),
            ("setoption name BookFile value", option("BookFile", Some(""))),
            ("setoption name BookFile value  my  book.db ", option("BookFile", Some("my  book.db"))),
            ("position startpos", Command::Position { start: Box::new(Position::startpos()), moves: vec![] }),
            ("position startpos moves", Command::Position { start: Box::new(Position::startpos()), moves: vec![] }),
            (
                "position startpos moves 6e6d 1b1c",
                Command::Position { start: Box::new(Position::startpos()), moves: moves("6e6d 1b1c") },
            ),
            (
                "position sfen rbnsgk/5p/6/6/P5/KGSNBR b - moves 6e6d",
                Command::Position { start: Box::new(Position::startpos()), moves: moves("6e6d") },
            ),
            ("go", go(Go::default())),
            ("go infinite", go(Go { infinite: true, ..Go::default() })),
            (
                "go wtime 5 btime 7 nonsense ponder byoyomi 9",
                go(Go { ponder: true, btime: Some(ms(7)), wtime: Some(ms(5)), byoyomi: Some(ms(9)), ..Go::default() }),
            ),
            ("go depth nodes 7", go(Go { nodes: Some(7), ..Go::default() })),
            ("go depth 8.0 btime 10000.5", go(Go { depth: Some(8), btime: Some(ms(10_000)), ..Go::default() })),
            ("go btime 900 btime -5 movestogo 0", go(Go { btime: Some(ms(900)), ..Go::default() })),
            ("go movestogo -1", go(Go::default())),
            ("go movetime 99999999999999999999999", go(Go { movetime: Some(LONGEST), ..Go::default() })),
            (
                "go searchmoves 6e6d P*3c depth 4",
                go(Go { searchmoves: moves("6e6d P*3c"), depth: Some(4), ..Go::default() }),
            ),
            ("go searchmoves x 6e6d", go(Go { searchmoves: moves("6e6d"), ..Go::default() })),
            ("go 6e6d", go(Go::default())),
            ("perft 99999999999", Command::Perft(u32::MAX)),
            ("go mate infinite", Command::GoMate(None)),
            ("go mate 250", Command::GoMate(Some(ms(250)))),
            ("go mate 0", Command::GoMate(Some(ms(0)))),
            ("go mate abc", Command::GoMate(None)),
            ("go mate -1", Command::GoMate(None)),
            ("ponderhit btime 5", Command::PonderHit(Go { btime: Some(ms(5)), ..Go::default() })),
            ("ponderhit btime -5", Command::PonderHit(Go::default())),
            (
                "position sfen 4k1/6/4G1/6/6/6 b G 1",
                Command::Position {
                    start: Box::new("4k1/6/4G1/6/6/6 b G 1".parse::<Setup>().unwrap().mate_problem().unwrap()),
                    moves: vec![],
                },
            ),
        ] {
            assert_eq!(parsed(line), expected, "{line}");
        }
    }

    #[test]
    fn a_limit_without_meaning_is_as_if_it_were_not_sent() {
        let clocks = "btime 20000 wtime 20000 binc 10 winc 10 byoyomi 500";
        let expected = parsed(&format!("go {clocks}"));
        let names = LIMIT_WORDS.into_iter().chain(["movestogo"]).filter(|&name| name != "mate");
        for name in names.clone() {
            for value in ["-1", "-0.5", "-9223372036854775809", "abc", "1e3", ""] {
                for line in [format!("go {clocks} {name} {value}"), format!("go {name} {value} {clocks}")] {
                    assert_eq!(parsed(&line), expected, "{line}");
                }
            }
        }
        for name in ["movetime", "movestogo", "depth", "nodes"] {
            for value in ["0", "0.9", "-0", "+0"] {
                assert_eq!(parsed(&format!("go {clocks} {name} {value}")), expected, "{name} {value}");
            }
        }
        // Without another limit the search would never end by itself.
        let at_once = Go { btime: Some(ms(0)), wtime: Some(ms(0)), ..Go::default() };
        for name in names.filter(|&name| name != "movestogo") {
            for value in ["-1", "abc", ""] {
                assert_eq!(parsed(&format!("go {name} {value}")), Command::Go(at_once.clone()), "{name} {value}");
            }
        }
    }

    #[test]
    fn a_go_is_written_as_it_is_read() {
        for line in [
            "go",
            "go ponder btime 1000 wtime 2000 byoyomi 500",
            "go btime 1000 wtime 2000 binc 10 winc 20 movestogo 7",
            "go movetime 100 depth 4 nodes 7",
            "go infinite searchmoves 6e6d P*3c",
        ] {
            let Command::Go(go) = parsed(line) else { panic!("{line} is not a go") };
            assert_eq!(go.to_string(), line);
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (line, error) in [
            ("fly me", "unknown command 'fly'"),
            ("setoption USI_Hash", "setoption needs 'name' and an option's name"),
            ("setoption name", "setoption needs 'name' and an option's name"),
            ("gameover", "gameover needs win, lose or draw"),
            ("perft x", "perft needs a depth in plies"),
            ("go perft -1", "perft needs a depth in plies"),
            ("position", "position refused: 'startpos' or 'sfen' expected, not ''"),
            ("position endpos", "position refused: 'startpos' or 'sfen' expected, not 'endpos'"),
            ("position startpos 6e6d", "position refused: 'moves' expected, not '6e6d'"),
            ("position startpos moves 6e6d x 1b1c", "position refused: 'x' is not a move"),
            ("position sfen 6/6/6/6/6/6 b - 1", "position refused: White has no king"),
            ("position sfen 5k/6/6/6/6/6 w - 1", "position refused: Black has no king"),
            ("position sfen", "position refused: the SFEN has no board"),
            ("position sfen moves 6e6d", "position refused: the SFEN has no board"),
        ] {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), error, "{line}");
        }
        assert_eq!(Command::parse("  "), Ok(None));
    }
}
