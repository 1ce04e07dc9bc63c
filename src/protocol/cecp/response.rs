//! Formats the engine's CECP output: features, moves, results, thinking lines and errors.

use std::fmt;
use std::time::Duration;

use crate::protocol::uci;
use crate::protocol::usi::{OptionKind, write_message};
use crate::score::Score;
use crate::shogi::{Color, GameScore, Move};

/// A response of the engine to XBoard. `Display` gives the line without a line feed; several lines for
/// [`Response::Features`].
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// The answer to `protover`.
    Features {
        name: String,
        /// The options that can be set.
        options: Vec<(String, OptionKind)>,
    },
    /// The answer to `variant judkins`: pieces, size of the board and start position.
    Setup,
    Move(Move),
    Resign,
    Result {
        /// The winner; none for a draw.
        winner: Option<Color>,
        reason: String,
    },
    Thinking(Thinking),
    Status {
        time: Duration,
        nodes: u64,
        /// The depth, in plies.
        depth: usize,
    },
    Hint(Move),
    /// The answer to `ping`.
    Pong(String),
    /// The opponent's move is rejected.
    IllegalMove {
        /// The reason, unless the move is merely illegal.
        why: Option<&'static str>,
        /// The move as it was sent.
        text: String,
    },
    /// A line is not a command. The text is a [`super::CommandError`].
    Error(String),
    /// A message that XBoard shows to the user.
    UserError(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// The depth, in plies.
    pub depth: usize,
    /// The score, from the engine's point of view.
    pub score: Score,
    /// Time since the start of the search.
    pub time: Duration,
    pub nodes: u64,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// XBoard shows a score of `MATE + N` as a mate in N moves.
const MATE: i32 = 100_000;

/// The setup of this game for XBoard: its pieces, the size of board and hands, the shogi rules of the pieces, and the
/// start position.
const SETUP: &str = "setup (PNBR.S...G.++++.+Kpnbr.s...g.++++.+k) 6x6+6_shogi rbnsgk/5p/6/6/P5/KGSNBR[-] w 0 1";

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::Features { name, options } => {
                writeln!(f, "feature done=0")?;
                writeln!(f, "feature myname=\"{name}\" variants=\"judkins\"")?;
                writeln!(
                    f,
                    "feature setboard=1 usermove=1 ping=1 playother=1 analyze=1 memory=1 smp=1 time=1 reuse=1"
                )?;
                writeln!(f, "feature sigint=0 sigterm=0 colors=0 san=0 draw=0 name=0 ics=0 pause=0 nps=0 debug=1")?;
                for (name, kind) in options {
                    writeln!(f, "feature option=\"{name} {}\"", option_text(kind))?;
                }
                f.write_str("feature done=1")
            }
            Response::Setup => f.write_str(SETUP),
            Response::Move(mv) => write!(f, "move {}", uci::move_text(*mv)),
            Response::Resign => f.write_str("resign"),
            Response::Result { winner, reason } => {
                write!(f, "{} {{{reason}}}", GameScore::from(*winner).text())
            }
            Response::Thinking(Thinking { depth, score, time, nodes, pv }) => {
                let score = match *score {
                    Score::Centipawns(score) => score,
                    Score::Mate(plies) => (if plies > 0 { MATE } else { -MATE }) + uci::moves_to_mate(plies),
                };
                write!(f, "{depth} {score} {} {nodes}", time.as_millis() / 10)?;
                pv.iter().try_for_each(|mv| write!(f, " {}", uci::move_text(*mv)))
            }
            Response::Status { time, nodes, depth } => {
                write!(f, "stat01: {} {nodes} {depth} 0 0", time.as_millis() / 10)
            }
            Response::Hint(mv) => write!(f, "Hint: {}", uci::move_text(*mv)),
            Response::Pong(number) => write_message(f, "pong ", number),
            Response::IllegalMove { why: None, text } => write_message(f, "Illegal move: ", text),
            Response::IllegalMove { why: Some(why), text } => {
                write_message(f, &format!("Illegal move ({why}): "), text)
            }
            Response::Error(text) => write_message(f, "", text),
            Response::UserError(text) => write_message(f, "tellusererror ", text),
        }
    }
}

/// An option in the form of `feature option=`.
fn option_text(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { default } => format!("-check {}", u8::from(*default)),
        // XBoard reads 32-bit numbers.
        OptionKind::Spin { default, min, max } => {
            let [default, min, max] = [default, min, max].map(|&it| it.clamp(i64::from(i32::MIN), i64::from(i32::MAX)));
            format!("-spin {default} {min} {max}")
        }
        OptionKind::Combo { default, choices } => {
            let choice = |choice: &String| format!("{}{choice}", if choice == default { "*" } else { "" });
            format!("-combo {}", choices.iter().map(choice).collect::<Vec<_>>().join(" /// "))
        }
        OptionKind::String { default } => format!("-string {default}"),
        OptionKind::Filename { default } => format!("-file {default}"),
        OptionKind::Button => "-button".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_become_lines() {
        let mv = |text: &str| text.parse().unwrap();
        let thinking = |score| {
            Response::Thinking(Thinking {
                depth: 7,
                score,
                time: Duration::from_millis(1234),
                nodes: 5678,
                pv: vec![mv("6e6d"), mv("P*3c"), mv("2f3e+")],
            })
        };
        for (response, line) in [
            (Response::Move(mv("6e6d")), "move a2a3"),
            (Response::Move(mv("2f3e+")), "move e1d2+"),
            (Response::Move(mv("P*3c")), "move P@d4"),
            (Response::Resign, "resign"),
            (Response::Result { winner: Some(Color::Black), reason: "checkmate".into() }, "1-0 {checkmate}"),
            (Response::Result { winner: Some(Color::White), reason: "checkmate".into() }, "0-1 {checkmate}"),
            (Response::Result { winner: None, reason: "sennichite".into() }, "1/2-1/2 {sennichite}"),
            (thinking(Score::Centipawns(-33)), "7 -33 123 5678 a2a3 P@d4 e1d2+"),
            (thinking(Score::Mate(5)), "7 100003 123 5678 a2a3 P@d4 e1d2+"),
            (thinking(Score::Mate(-4)), "7 -100002 123 5678 a2a3 P@d4 e1d2+"),
            (thinking(Score::Mate(0)), "7 -100000 123 5678 a2a3 P@d4 e1d2+"),
            (Response::Status { time: Duration::from_secs(2), nodes: 9, depth: 3 }, "stat01: 200 9 3 0 0"),
            (Response::Hint(mv("6e6d")), "Hint: a2a3"),
            (Response::Pong("3".into()), "pong 3"),
            (Response::Error("Error (unknown command): \u{1b}a\rb".into()), "Error (unknown command): ?a?b"),
            (Response::IllegalMove { why: None, text: "a1a9".into() }, "Illegal move: a1a9"),
            (
                Response::IllegalMove { why: Some("the game is over"), text: "a2a3".into() },
                "Illegal move (the game is over): a2a3",
            ),
            (Response::UserError("no such thing".into()), "tellusererror no such thing"),
        ] {
            assert_eq!(response.to_string(), line);
        }
    }

    #[test]
    fn options_are_features() {
        for (kind, text) in [
            (OptionKind::Check { default: true }, "-check 1"),
            (OptionKind::Spin { default: 20, min: 0, max: 20 }, "-spin 20 0 20"),
            (OptionKind::Combo { default: "B".into(), choices: vec!["A".into(), "B".into()] }, "-combo A /// *B"),
            (OptionKind::Filename { default: String::new() }, "-file "),
            (OptionKind::Button, "-button"),
        ] {
            let features = Response::Features { name: "judkins".into(), options: vec![("X".into(), kind)] };
            let lines = features.to_string();
            assert!(lines.contains(&format!("feature option=\"X {text}\"\n")), "{lines}");
            assert!(lines.starts_with("feature done=0\n") && lines.ends_with("\nfeature done=1"), "{lines}");
        }
    }
}
