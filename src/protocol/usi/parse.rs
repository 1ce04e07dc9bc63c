use std::time::Duration;

use nom::branch::alt;
use nom::combinator::{map_opt, opt, value, verify};
use nom::multi::{many_till, many0};
use nom::{IResult, Parser};

use super::{Command, GameEnd, Go, MateLimit, StartPosition};
use crate::protocol::words::{infallible, keyword, word};
use crate::shogi::{Move, Position, SfenError};

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// There is no such command.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// An argument is missing or malformed.
    #[error("{command} needs {needs}")]
    Malformed {
        /// The command.
        command: &'static str,
        /// The arguments that it needs.
        needs: &'static str,
    },
    /// The arguments of `position` are not a game. The engine has no position until the next `position`.
    #[error("position refused: {0}")]
    Position(#[from] PositionError),
}

/// Why the arguments of `position` are not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The first word is neither `startpos` nor the word before a written position.
    #[error("'startpos' or '{0}' expected, not '{1}'")]
    Start(&'static str, String),
    /// The SFEN is malformed, or its position cannot be played.
    #[error("{0}")]
    Sfen(#[from] SfenError),
    /// There is another word in the place of `moves`.
    #[error("'moves' expected, not '{0}'")]
    Trailing(String),
    /// A word among the moves is not a move.
    #[error("'{0}' is not a move")]
    Move(String),
}

/// How a protocol of this family writes positions and moves.
pub(in crate::protocol) struct Notation {
    /// The word before a written position.
    pub(in crate::protocol) position_word: &'static str,
    /// Reads a position.
    pub(in crate::protocol) position: fn(&str) -> Result<Position, SfenError>,
    /// Reads a move.
    pub(in crate::protocol) mv: fn(&str) -> Option<Move>,
}

const USI: Notation = Notation { position_word: "sfen", position: |text| text.parse(), mv: |word| word.parse().ok() };

pub(super) fn command(line: &str) -> Result<Option<Command>, CommandError> {
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
        "go" => go(arguments, &USI),
        "ponderhit" => Command::PonderHit(limits(arguments, &USI)),
        "gameover" => Command::GameOver(game_end(arguments).map_err(|_| malformed("gameover", "win, lose or draw"))?.1),
        "perft" => Command::Perft(perft_depth(arguments).ok_or(malformed("perft", "a depth in plies"))?),
        other => return Err(CommandError::Unknown(other.to_owned())),
    }))
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
        "startpos" => StartPosition::Startpos,
        named if named == notation.position_word => {
            // Everything up to the word `moves`, or to the end.
            let (after, words) = match many_till(word, keyword("moves")).parse(input) {
                // `moves` itself is read below.
                Ok((after, (words, _))) => (&input[input.len() - after.len() - "moves".len()..], words),
                Err(_) => infallible(many0(word).parse(input), Vec::new()),
            };
            input = after;
            StartPosition::Sfen(Box::new((notation.position)(&words.join(" "))?))
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

pub(in crate::protocol) fn go(input: &str, notation: &Notation) -> Command {
    if let Ok((after, _)) = keyword("perft").parse(input)
        && let Some(depth) = perft_depth(after)
    {
        return Command::Perft(depth);
    }
    // `mate` may stand anywhere, as every word of `go`.
    if let Ok((after, _)) = many_till(word, keyword("mate")).parse(input) {
        let (_, limit) = infallible(opt(word).parse(after), None);
        return Command::GoMate(match limit {
            None | Some("infinite") => MateLimit::Infinite,
            Some(number) => MateLimit::Time(millis(number)),
        });
    }
    Command::Go(limits(input, notation))
}

/// A whole number without a sign. One that is too large counts as the greatest.
pub(in crate::protocol) fn perft_depth(input: &str) -> Option<u32> {
    let (_, text) = infallible(word(input), "");
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u32::MAX))
}

/// The words of `go`, in any order. Unknown words are skipped.
pub(in crate::protocol) fn limits(mut input: &str, notation: &Notation) -> Go {
    let mut go = Go::default();
    let mut moves_follow = false;
    while let Ok((after, name)) = word(input) {
        input = after;
        match name {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "searchmoves" => moves_follow = true,
            "btime" => go.btime = Some(millis(number(&mut input))),
            "wtime" => go.wtime = Some(millis(number(&mut input))),
            "binc" => go.binc = Some(millis(number(&mut input))),
            "winc" => go.winc = Some(millis(number(&mut input))),
            "byoyomi" => go.byoyomi = Some(millis(number(&mut input))),
            "movetime" => go.movetime = Some(millis(number(&mut input))),
            "movestogo" => go.movestogo = Some(count(number(&mut input)).try_into().unwrap_or(u32::MAX)),
            "depth" => go.depth = Some(count(number(&mut input)).clamp(1, u32::MAX.into()) as u32),
            "nodes" => go.nodes = Some(count(number(&mut input)).max(1)),
            _ => go.searchmoves.extend((notation.mv)(name).filter(|_| moves_follow)),
        }
    }
    go
}

/// The words of `go` that are not the value of another word.
const GO_WORDS: [&str; 13] = [
    "ponder",
    "infinite",
    "searchmoves",
    "btime",
    "wtime",
    "binc",
    "winc",
    "byoyomi",
    "movetime",
    "movestogo",
    "depth",
    "nodes",
    "mate",
];

/// The value after a word of `go`: the next word, unless that is a word of `go` too.
fn number<'a>(input: &mut &'a str) -> &'a str {
    let not_a_name = verify(word, |word: &str| !GO_WORDS.contains(&word));
    let (after, number) = infallible(opt(not_a_name).parse(input), None);
    *input = after;
    number.unwrap_or_default()
}

/// A whole number: 0 if it is negative or malformed. One that is too large counts as the greatest.
fn count(text: &str) -> u64 {
    let digits = text.strip_prefix('+').unwrap_or(text);
    match digits.parse() {
        Ok(number) => number,
        Err(_) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => u64::MAX,
        Err(_) => 0,
    }
}

/// The longest time that is accepted, about 30 years. Longer ones count as this.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

fn millis(text: &str) -> Duration {
    Duration::from_millis(count(text)).min(LONGEST)
}

fn game_end(input: &str) -> IResult<&str, GameEnd> {
    alt((
        value(GameEnd::Win, keyword("win")),
        value(GameEnd::Lose, keyword("lose")),
        value(GameEnd::Draw, keyword("draw")),
    ))
    .parse(input)
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
            ("gameover lose", Command::GameOver(GameEnd::Lose)),
            ("setoption name USI_Hash value 64", option("USI_Hash", Some("64"))),
            ("setoption name ClearHash", option("ClearHash", None)),
            ("setoption name Clear Hash", option("Clear Hash", None)),
            ("setoption name BookFile value", option("BookFile", Some(""))),
            ("setoption name BookFile value  my  book.db ", option("BookFile", Some("my  book.db"))),
            ("position startpos", Command::Position { start: StartPosition::Startpos, moves: vec![] }),
            ("position startpos moves", Command::Position { start: StartPosition::Startpos, moves: vec![] }),
            (
                "position startpos moves 6e6d 1b1c",
                Command::Position { start: StartPosition::Startpos, moves: moves("6e6d 1b1c") },
            ),
            (
                "position sfen rbnsgk/5p/6/6/P5/KGSNBR b - moves 6e6d",
                Command::Position { start: StartPosition::Sfen(Box::new(Position::startpos())), moves: moves("6e6d") },
            ),
            ("go", go(Go::default())),
            ("go infinite", go(Go { infinite: true, ..Go::default() })),
            (
                "go wtime 5 btime 7 nonsense ponder byoyomi 9",
                go(Go { ponder: true, btime: Some(ms(7)), wtime: Some(ms(5)), byoyomi: Some(ms(9)), ..Go::default() }),
            ),
            ("go depth", go(Go { depth: Some(1), ..Go::default() })),
            ("go depth -1", go(Go { depth: Some(1), ..Go::default() })),
            ("go depth nodes 7", go(Go { depth: Some(1), nodes: Some(7), ..Go::default() })),
            ("go nodes 0", go(Go { nodes: Some(1), ..Go::default() })),
            ("go btime -5", go(Go { btime: Some(ms(0)), ..Go::default() })),
            ("go movetime 99999999999999999999999", go(Go { movetime: Some(LONGEST), ..Go::default() })),
            (
                "go searchmoves 6e6d P*3c depth 4",
                go(Go { searchmoves: moves("6e6d P*3c"), depth: Some(4), ..Go::default() }),
            ),
            ("go searchmoves x 6e6d", go(Go { searchmoves: moves("6e6d"), ..Go::default() })),
            ("go 6e6d", go(Go::default())),
            ("go perft 3", Command::Perft(3)),
            ("perft 99999999999", Command::Perft(u32::MAX)),
            ("go mate infinite", Command::GoMate(MateLimit::Infinite)),
            ("go mate 250", Command::GoMate(MateLimit::Time(ms(250)))),
            ("go mate abc", Command::GoMate(MateLimit::Time(ms(0)))),
            ("ponderhit btime 5", Command::PonderHit(Go { btime: Some(ms(5)), ..Go::default() })),
        ] {
            assert_eq!(parsed(line), expected, "{line}");
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
            let Command::Go(go) = parsed(line) else { panic!("{line} is no go") };
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
            ("position", "position refused: 'startpos' or 'sfen' expected, not ''"),
            ("position endpos", "position refused: 'startpos' or 'sfen' expected, not 'endpos'"),
            ("position startpos 6e6d", "position refused: 'moves' expected, not '6e6d'"),
            ("position startpos moves 6e6d x 1b1c", "position refused: 'x' is not a move"),
            ("position sfen 6/6/6/6/6/6 b - 1", "position refused: Black has no king"),
            ("position sfen", "position refused: the SFEN has no board"),
            ("position sfen moves 6e6d", "position refused: the SFEN has no board"),
        ] {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), error, "{line}");
        }
        assert_eq!(Command::parse("  "), Ok(None));
    }
}
