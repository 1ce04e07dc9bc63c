//! Parses UCI commands into those of USI, with FEN positions and the clocks of Black and White exchanged.

use super::parse_move;
use crate::protocol::usi::parse::{Notation, go, limits, position, search};
use crate::protocol::usi::{Command, CommandError, Go};
use crate::protocol::words::word;
use crate::shogi::notation::fen::parse_setup;

const UCI: Notation =
    Notation { position_word: "fen", position: |text| Ok(parse_setup(text)?.mate_problem()?), mv: parse_move };

/// Reads a line; none for an empty one.
///
/// # Errors
/// [`CommandError`] with the part that cannot be read.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let Ok((arguments, name)) = word(line) else { return Ok(None) };
    Ok(Some(match name {
        "uci" => Command::Usi,
        "ucinewgame" => Command::UsiNewGame,
        "position" => position(arguments, &UCI)?,
        "go" => match go(arguments, &UCI)? {
            // UCI's `go mate N` asks for a mate in N moves, and its answer is a move.
            Command::Go(_) | Command::GoMate(_) => Command::Go(swapped(search(arguments, &UCI))),
            other => other,
        },
        "ponderhit" => Command::PonderHit(swapped(limits(arguments, &UCI))),
        // Commands of USI that UCI writes differently or lacks.
        "usi" | "usinewgame" | "gameover" => return Err(CommandError::Unknown(name.to_owned())),
        _ => return Command::parse(line),
    }))
}

/// Swaps the clocks: UCI's White is shogi's Black, who moves first.
fn swapped(go: Go) -> Go {
    Go { btime: go.wtime, wtime: go.btime, binc: go.winc, winc: go.binc, ..go }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::shogi::{Move, Position};

    #[test]
    fn lines_become_commands() {
        let ms = |millis| Some(Duration::from_millis(millis));
        let moves = |text: &str| text.split(' ').map(|mv| mv.parse().unwrap()).collect::<Vec<Move>>();
        let position =
            |sfen: &str, moves| Command::Position { start: Box::new(sfen.parse::<Position>().unwrap()), moves };
        let go = Command::Go;
        for (line, expected) in [
            ("uci", Command::Usi),
            ("isready", Command::IsReady),
            ("ucinewgame", Command::UsiNewGame),
            ("stop", Command::Stop),
            ("quit", Command::Quit),
            ("d", Command::Display),
            ("position startpos", Command::Position { start: Box::new(Position::startpos()), moves: vec![] }),
            (
                "position startpos moves a2a3 f5f4",
                Command::Position { start: Box::new(Position::startpos()), moves: moves("6e6d 1b1c") },
            ),
            (
                "position fen r1nsgk/5p/6/6/P5/KGSNBR[-] b - 1 moves f5f4 a2a3",
                position("r1nsgk/5p/6/6/P5/KGSNBR w - 2", moves("1b1c 6e6d")),
            ),
            ("position fen 5k/6/6/6/6/K5[P] w 0 1 moves P@c3", position("5k/6/6/6/6/K5 b P 1", moves("P*4d"))),
            ("go", go(Go::default())),
            ("go infinite", go(Go { infinite: true, ..Go::default() })),
            (
                "go wtime 1000 btime 2000 winc 10 binc 20 movestogo 5",
                go(Go {
                    btime: ms(1000),
                    wtime: ms(2000),
                    binc: ms(10),
                    winc: ms(20),
                    movestogo: Some(5),
                    ..Go::default()
                }),
            ),
            ("go ponder wtime 5", go(Go { ponder: true, btime: ms(5), ..Go::default() })),
            ("go searchmoves a2a3 depth 4", go(Go { searchmoves: moves("6e6d"), depth: Some(4), ..Go::default() })),
            ("go mate 3", go(Go { mate: Some(3), ..Go::default() })),
            ("go mate 0 wtime 1000", go(Go { btime: ms(1000), ..Go::default() })),
            ("go mate -1", go(Go { btime: ms(0), wtime: ms(0), ..Go::default() })),
            ("go wtime -5 btime 1000.9 movestogo 0", go(Go { wtime: ms(1000), ..Go::default() })),
            ("go perft 3", Command::Perft(3)),
            ("ponderhit wtime 5", Command::PonderHit(Go { btime: ms(5), ..Go::default() })),
            (
                "setoption name Hash value 64",
                Command::SetOption { name: "Hash".to_owned(), value: Some("64".to_owned()) },
            ),
        ] {
            assert_eq!(parse(line), Ok(Some(expected)), "{line}");
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (line, error) in [
            ("usi", "unknown command 'usi'"),
            ("usinewgame", "unknown command 'usinewgame'"),
            ("position", "position refused: 'startpos' or 'fen' expected, not ''"),
            (
                "position sfen rbnsgk/5p/6/6/P5/KGSNBR b - 1",
                "position refused: 'startpos' or 'fen' expected, not 'sfen'",
            ),
            ("position startpos moves 6e6d", "position refused: '6e6d' is not a move"),
            ("position fen 6/6/6/6/6/6[] w 0 1", "position refused: White has no king"),
            ("position fen 5k/6/6/6/6/6[] b 0 1", "position refused: Black has no king"),
            ("setoption", "setoption needs 'name' and an option's name"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), error, "{line}");
        }
        assert_eq!(parse(""), Ok(None));
    }
}
