//! Parser of CECP commands, including the moves without `usermove` of protocol version 1.

use std::time::Duration;

use nom::Parser;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{digit1, multispace0};
use nom::combinator::{all_consuming, map_opt, opt, recognize, rest};
use nom::sequence::{preceded, terminated};

use crate::protocol::number::{positive, positive_u32, whole};
use crate::protocol::uci;
use crate::protocol::words::word;
use crate::shogi::{Move, Position, SfenError};

/// A command of XBoard, or of another program that speaks CECP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `xboard`: the protocol begins.
    Xboard,
    /// `protover N`: list the features.
    Protover,
    /// `new`: begin a game from the start position, in which the engine plays White.
    New,
    /// `variant NAME`.
    Variant(String),
    /// `quit`.
    Quit,
    /// `force`: play for neither side.
    Force,
    /// `go`: play for the side to move.
    Go,
    /// `playother`: play for the side that is not to move.
    PlayOther,
    /// `level MPS BASE INC`: play with a clock.
    Level(Level),
    /// `st N`: play with N seconds for each move.
    MoveTime(Duration),
    /// `sd N`: search N plies at most.
    Depth(u32),
    /// `time N`: the time left to the engine.
    Time(Duration),
    /// `otim N`: the time left to the opponent.
    OpponentTime(Duration),
    /// `usermove M`; the text if it is not a move of this game.
    UserMove(Result<Move, String>),
    /// `?`: move now.
    MoveNow,
    /// `ping N`.
    Ping(String),
    /// `setboard FEN`.
    SetBoard(Result<Box<Position>, SfenError>),
    /// `undo`: take a move back.
    Undo,
    /// `remove`: take a move of each side back.
    Remove,
    /// `hint`: show the expected reply.
    Hint,
    /// `hard`: ponder.
    Hard,
    /// `easy`: do not ponder.
    Easy,
    /// `post`: show the thinking.
    Post,
    /// `nopost`: do not show the thinking.
    NoPost,
    /// `analyze`: analyse the position until `exit`.
    Analyze,
    /// `exit`: end the analysis.
    ExitAnalysis,
    /// `.`: show the state of the analysis.
    Status,
    /// `result R {C}`: the game is over.
    Result,
    /// `memory N`: use N MiB in all.
    Memory(i64),
    /// `cores N`: use N threads.
    Cores(i64),
    /// `option NAME[=VALUE]`.
    Option {
        name: String,
        /// The value; buttons have none.
        value: Option<String>,
    },
    /// A command that needs no action, for instance `accepted`, `computer` or `name …`.
    Nothing,
}

/// A time control with a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Moves per time control; 0 if the time is for the whole game.
    pub moves: u32,
    pub base: Duration,
    /// Increment per move.
    pub increment: Duration,
}

/// The reason why a line is not a command. `Display` gives the line `Error (…): …` that CECP requires.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// There is no such command.
    #[error("Error (unknown command): {0}")]
    Unknown(String),
    #[error("Error (bad number): {0}")]
    BadNumber(String),
    #[error("Error (too few parameters): {0}")]
    TooFew(String),
}

/// The longest accepted time in seconds, about 30 years. Longer times count as this.
const LONGEST: f64 = 1e9;

impl Command {
    /// Reads a line; none for an empty one.
    ///
    /// # Errors
    /// [`CommandError`] with the line.
    pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
        let Ok((arguments, name)) = word(line) else { return Ok(None) };
        let arguments = arguments.trim();
        let bad_number = || CommandError::BadNumber(line.trim().to_owned());
        let too_few = || CommandError::TooFew(line.trim().to_owned());
        let first = || word(arguments).map(|(_, word)| word).map_err(|_| too_few());
        let above_zero =
            || positive(first()?).map(|number| i64::try_from(number).unwrap_or(i64::MAX)).ok_or_else(bad_number);
        // A clock whose time is over may be negative.
        let centiseconds = || match first()? {
            word if word.strip_prefix('-').and_then(whole).is_some() => Ok(Duration::ZERO),
            word => Ok(seconds(whole(word).ok_or_else(bad_number)? as f64 / 100.0)),
        };
        Ok(Some(match name {
            "xboard" => Command::Xboard,
            "protover" => Command::Protover,
            "new" => Command::New,
            "variant" => Command::Variant(first()?.to_owned()),
            "quit" => Command::Quit,
            "force" => Command::Force,
            "go" => Command::Go,
            "playother" => Command::PlayOther,
            "level" => Command::Level(level(arguments).ok_or_else(bad_number)?),
            "st" => Command::MoveTime(number(first()?).map(seconds).ok_or_else(bad_number)?),
            "sd" => Command::Depth(positive_u32(first()?).ok_or_else(bad_number)?),
            "time" => Command::Time(centiseconds()?),
            "otim" => Command::OpponentTime(centiseconds()?),
            "usermove" => Command::UserMove(user_move(first()?)),
            "?" => Command::MoveNow,
            "ping" => Command::Ping(first()?.to_owned()),
            "setboard" => Command::SetBoard(uci::parse_fen(arguments).map(Box::new)),
            "undo" => Command::Undo,
            "remove" => Command::Remove,
            "hint" => Command::Hint,
            "hard" => Command::Hard,
            "easy" => Command::Easy,
            "post" => Command::Post,
            "nopost" => Command::NoPost,
            "analyze" => Command::Analyze,
            "exit" => Command::ExitAnalysis,
            "." => Command::Status,
            "result" => Command::Result,
            "memory" => Command::Memory(above_zero()?),
            "cores" => Command::Cores(above_zero()?),
            "option" => option(arguments).ok_or_else(too_few)?,
            "accepted" | "rejected" | "random" | "computer" | "name" | "rating" | "ics" | "bk" | "draw" | "white"
            | "black" | "pause" | "resume" | "egtpath" | "nps" | "edit" | "lift" | "put" | "hover" | "offer" => {
                Command::Nothing
            }
            // Programs that speak CECP version 1 send moves without `usermove`.
            other => match user_move(other) {
                Ok(mv) => Command::UserMove(Ok(mv)),
                Err(_) => return Err(CommandError::Unknown(line.trim().to_owned())),
            },
        }))
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.clamp(0.0, LONGEST))
}

/// A number without a sign, possibly with a fraction.
fn number(text: &str) -> Option<f64> {
    let fraction = opt((tag("."), opt(digit1::<&str, nom::error::Error<&str>>)));
    map_opt(all_consuming(recognize((digit1, fraction))), |text: &str| text.parse().ok())
        .parse(text)
        .ok()
        .map(|(_, n)| n)
}

/// `MPS BASE INC`: the base in minutes, or minutes and seconds; the increment in seconds.
fn level(arguments: &str) -> Option<Level> {
    let mut words = arguments.split_whitespace();
    let moves = u32::try_from(whole(words.next()?)?).unwrap_or(u32::MAX);
    let base = words.next()?;
    let base = match base.split_once(':') {
        Some((minutes, seconds)) => 60.0 * number(minutes)? + number(seconds)?,
        None => 60.0 * number(base)?,
    };
    let increment = words.next().map_or(Some(0.0), number)?;
    Some(Level { moves, base: seconds(base), increment: seconds(increment) })
}

/// A move as in UCI. A trailing `=` means that the piece does not promote.
fn user_move(text: &str) -> Result<Move, String> {
    uci::parse_move(text.strip_suffix('=').unwrap_or(text)).ok_or_else(|| text.to_owned())
}

/// `NAME`, or `NAME=VALUE`.
fn option(arguments: &str) -> Option<Command> {
    let name = take_while1::<_, &str, nom::error::Error<&str>>(|c| c != '=');
    let value = opt(preceded(tag("="), rest));
    let (_, (name, value)) = terminated((name, value), multispace0).parse(arguments).ok()?;
    Some(Command::Option { name: name.trim().to_owned(), value: value.map(|value: &str| value.trim().to_owned()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_commands() {
        let ms = Duration::from_millis;
        let level = |moves, base, increment| Command::Level(Level { moves, base: ms(base), increment: ms(increment) });
        let option = |name: &str, value: Option<&str>| Command::Option {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        let played = |text: &str| Command::UserMove(Ok(text.parse().unwrap()));
        for (line, expected) in [
            ("xboard", Command::Xboard),
            ("protover 2", Command::Protover),
            ("accepted setboard", Command::Nothing),
            ("rejected smp", Command::Nothing),
            ("new", Command::New),
            ("variant judkins", Command::Variant("judkins".into())),
            ("force\r", Command::Force),
            ("go", Command::Go),
            ("level 40 5 0", level(40, 300_000, 0)),
            ("level 0 2:30 12", level(0, 150_000, 12_000)),
            ("level 0 0:05 0.1", level(0, 5_000, 100)),
            ("level 0 1", level(0, 60_000, 0)),
            ("st 5", Command::MoveTime(ms(5_000))),
            ("st 0.25", Command::MoveTime(ms(250))),
            ("sd 4", Command::Depth(4)),
            ("sd 4.0", Command::Depth(4)),
            ("time 12345", Command::Time(ms(123_450))),
            ("time -5", Command::Time(ms(0))),
            ("st 0", Command::MoveTime(ms(0))),
            ("time 12345.6", Command::Time(ms(123_450))),
            ("otim 0", Command::OpponentTime(ms(0))),
            ("usermove a2a3", played("6e6d")),
            ("usermove e1d2+", played("2f3e+")),
            ("usermove e1d2=", played("2f3e")),
            ("usermove P@d4", played("P*3c")),
            ("usermove e2e4e6", Command::UserMove(Err("e2e4e6".into()))),
            ("a2a3", played("6e6d")),
            ("?", Command::MoveNow),
            ("ping 7", Command::Ping("7".into())),
            ("result 1-0 {White mates}", Command::Result),
            ("memory 64", Command::Memory(64)),
            ("cores 2", Command::Cores(2)),
            ("option SkillLevel=5", option("SkillLevel", Some("5"))),
            ("option ImpasseRule=Try", option("ImpasseRule", Some("Try"))),
            ("option BookFile=/a b=c.db ", option("BookFile", Some("/a b=c.db"))),
            ("option ClearHash", option("ClearHash", None)),
            (".", Command::Status),
        ] {
            assert_eq!(Command::parse(line), Ok(Some(expected)), "{line}");
        }
        assert_eq!(Command::parse("  "), Ok(None));
        let fen = "rbnsgk/5p/6/6/P5/KGSNBR[-] w 0 1";
        let setboard = Command::SetBoard(Ok(Box::new(Position::startpos())));
        assert_eq!(Command::parse(&format!("setboard {fen}")), Ok(Some(setboard)));
    }

    #[test]
    fn errors_quote_the_line() {
        for (line, error) in [
            ("fly me", "Error (unknown command): fly me"),
            ("level", "Error (bad number): level"),
            ("level x y z", "Error (bad number): level x y z"),
            ("level 0 -1 0", "Error (bad number): level 0 -1 0"),
            ("st inf", "Error (bad number): st inf"),
            ("st -1", "Error (bad number): st -1"),
            ("sd 0", "Error (bad number): sd 0"),
            ("sd -4", "Error (bad number): sd -4"),
            ("level -3 5 0", "Error (bad number): level -3 5 0"),
            ("memory 0", "Error (bad number): memory 0"),
            ("cores -2", "Error (bad number): cores -2"),
            ("sd", "Error (too few parameters): sd"),
            ("time x", "Error (bad number): time x"),
            ("usermove", "Error (too few parameters): usermove"),
            ("option", "Error (too few parameters): option"),
            ("variant", "Error (too few parameters): variant"),
        ] {
            assert_eq!(Command::parse(line).unwrap_err().to_string(), error, "{line}");
        }
    }
}
