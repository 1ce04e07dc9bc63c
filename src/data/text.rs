//! Games as text, for other trainers: one line per position, with the position in SFEN, the move played, the score and
//! the result, separated by tabs. `training.md` in the folder of the trainer describes it.

use std::io::{self, BufRead, ErrorKind, Write};
use std::str::FromStr;

use super::game::{NOT_QUIET, is_quiet};
use super::{ScoredPly, TrainingGame};
use crate::search::score::MATE;
use crate::shogi::{Color, DEFAULT_IMPASSE_PLIES, EndReason, Game, IllegalMove, ImpasseRule, Move, Position};

/// Replaces the score of a random move at the start of a game.
const OPENING: &str = "opening";

/// Replaces the score of a position in which a search after the game prefers to capture or promote.
const NOISY: &str = "noisy";

/// The beginning of a line that begins a game.
const GAME: &str = "# game ";

/// The reason why games cannot be written as text.
#[derive(Debug, thiserror::Error)]
pub enum WriteTextError {
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

/// Writes a game: a line with its end, then its positions.
///
/// # Errors
/// [`WriteTextError`].
pub fn write_text_game(game: &TrainingGame, out: &mut impl Write) -> Result<(), WriteTextError> {
    let TrainingGame { impasse_rule, impasse_plies, opening, winner, ending, .. } = game;
    let winner = winner.map_or("none".to_owned(), |color| color.to_string().to_lowercase());
    writeln!(out, "{GAME}{impasse_rule} {impasse_plies} {} {winner}", name(*ending))?;
    let mut position = Position::startpos();
    for &mv in opening {
        write_line(game, &position, mv, OPENING, out)?;
        position.try_play(mv)?;
    }
    let mut written = Ok(());
    game.replay(|position, ply| {
        let score = if ply.score == NOT_QUIET { NOISY.to_owned() } else { ply.score.to_string() };
        if written.is_ok() {
            written = write_line(game, position, ply.mv, &score, out);
        }
    })?;
    Ok(written?)
}

/// Writes the quiet positions of a game, on which the evaluation is trained. They cannot be read back as a game.
///
/// # Errors
/// [`WriteTextError`].
pub fn write_quiet_text(game: &TrainingGame, out: &mut impl Write) -> Result<(), WriteTextError> {
    let mut written = Ok(());
    game.replay(|position, ply| {
        if written.is_ok() && is_quiet(position, ply) {
            written = write_line(game, position, ply.mv, &ply.score.to_string(), out);
        }
    })?;
    Ok(written?)
}

fn write_line(game: &TrainingGame, position: &Position, mv: Move, score: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{position}\t{mv}\t{score}\t{}", game.result(position.side_to_move()))
}

fn name(ending: EndReason) -> &'static str {
    ending.into()
}

/// The reason why a text contains no games.
#[derive(Debug, thiserror::Error)]
pub enum ReadTextError {
    /// The input cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line, counted from 1, cannot be read.
    #[error("line {line}: {problem}")]
    Line { line: usize, problem: String },
}

/// Reads the games of a text, and calls `take` for each.
///
/// # Errors
/// [`ReadTextError`] for the first line that cannot be read, or an error of `take`.
pub fn read_text_games<E: From<ReadTextError>>(
    input: impl BufRead,
    mut take: impl FnMut(TrainingGame) -> Result<(), E>,
) -> Result<(), E> {
    let mut current: Option<Reading> = None;
    let mut begun = 0;
    let mut take = |whole: Reading, begun: usize| match whole.is_empty() {
        true => Err(ReadTextError::Line { line: begun, problem: "a game without moves".to_owned() }.into()),
        false => take(whole.finish()),
    };
    for (number, line) in (1..).zip(input.lines()) {
        let at = |problem: String| ReadTextError::Line { line: number, problem };
        let line = line.map_err(|error| match error.kind() {
            ErrorKind::InvalidData => at("it is not UTF-8".to_owned()),
            _ => error.into(),
        })?;
        let line = line.trim_start_matches('\u{feff}').trim_end();
        if let Some(header) = line.strip_prefix(GAME) {
            let next = Reading::with_header(header).map_err(at)?;
            current.replace(next).map_or(Ok(()), |whole| take(whole, begun))?;
            begun = number;
        } else if !line.is_empty() && !line.starts_with('#') {
            let line = Line::parse(line).map_err(at)?;
            // A game without a line that begins it. A game may lead back to the start, but with another move number.
            let follows = |game: &Reading| {
                let is_numbered = line.position.move_number() >= game.position.move_number();
                game.position == line.position && (is_numbered || game.has_header)
            };
            let is_new = current.as_ref().is_none_or(|game| !follows(game) && !game.is_empty());
            if is_new && line.position == Position::startpos() {
                current.replace(Reading::new()).map_or(Ok(()), |whole| take(whole, begun))?;
            }
            current.get_or_insert_with(Reading::new).add(&line).map_err(at)?;
        }
    }
    current.map_or(Ok(()), |whole| take(whole, begun))
}

struct Line {
    position: Position,
    mv: Move,
    /// None in the opening.
    score: Option<i16>,
    winner: Option<Color>,
}

impl Line {
    fn parse(text: &str) -> Result<Line, String> {
        let columns: Vec<&str> = text.split('\t').map(str::trim).collect();
        let [position, mv, score, result] = columns[..] else {
            return Err(format!(
                "{} columns; SFEN, move, score and result are wanted, with tabs between them",
                columns.len()
            ));
        };
        let position: Position = position.parse().map_err(|error| format!("'{position}': {error}"))?;
        let legal = Move::from_str(mv).ok().filter(|&mv| position.is_legal(mv));
        let mover = position.side_to_move();
        Ok(Line {
            mv: legal.ok_or_else(|| format!("'{mv}' is not a legal move in {position}"))?,
            score: match score {
                OPENING => None,
                NOISY => Some(NOT_QUIET),
                number => Some(parse_score(number)?),
            },
            winner: match result {
                "1" | "1.0" => Some(mover),
                "0" | "0.0" => Some(!mover),
                "0.5" => None,
                other => return Err(format!("'{other}' is not a result: 1, 0.5 or 0 for the side to move")),
            },
            position,
        })
    }
}

fn parse_score(text: &str) -> Result<i16, String> {
    let score = text.parse().ok().filter(|score: &i16| i32::from(*score).abs() <= MATE);
    let takes = || {
        format!("'{text}' is not a score: centipawns from -{MATE} to {MATE}, '{NOISY}', or '{OPENING}' at the start")
    };
    score.ok_or_else(takes)
}

struct Reading {
    game: TrainingGame,
    has_header: bool,
    decided: bool,
    position: Position,
}

impl Reading {
    fn new() -> Reading {
        let game = TrainingGame {
            impasse_rule: ImpasseRule::default(),
            impasse_plies: DEFAULT_IMPASSE_PLIES as u8,
            opening: Vec::new(),
            plies: Vec::new(),
            winner: None,
            ending: EndReason::MoveLimit,
        };
        Reading { game, has_header: false, decided: false, position: Position::startpos() }
    }

    /// A game with the line that begins it, without its prefix.
    fn with_header(header: &str) -> Result<Reading, String> {
        let read = || {
            let mut words = header.split_whitespace();
            let mut next = || words.next();
            let (rule, plies, ending, winner) = (next()?, next()?, next()?, next()?);
            let mut reading = Reading { has_header: true, decided: true, ..Reading::new() };
            reading.game.impasse_rule = rule.parse().ok()?;
            reading.game.impasse_plies = plies.parse().ok()?;
            reading.game.ending = EndReason::ALL.iter().copied().find(|&reason| name(reason) == ending)?;
            reading.game.winner = match winner {
                "black" => Some(Color::Black),
                "white" => Some(Color::White),
                "none" => None,
                _ => return None,
            };
            next().is_none().then_some(reading)
        };
        read().ok_or_else(|| {
            format!("'{GAME}{header}': impasse rule, its plies, ending, and black, white or none are wanted, as in '{GAME}Points12 24 checkmate black'")
        })
    }

    fn is_empty(&self) -> bool {
        self.game.opening.is_empty() && self.game.plies.is_empty()
    }

    fn add(&mut self, line: &Line) -> Result<(), String> {
        let Reading { game, decided, position, .. } = self;
        if line.position != *position {
            let is_first = game.opening.is_empty() && game.plies.is_empty();
            return Err(match is_first {
                true => "shards hold games from the start position: the first position of a game is another".to_owned(),
                false => format!("this position does not follow: {position} was expected"),
            });
        }
        if *decided && line.winner != game.winner {
            return Err("the result is not that of the game".to_owned());
        }
        (game.winner, *decided) = (line.winner, true);
        match line.score {
            None if !game.plies.is_empty() => return Err(format!("'{OPENING}' after the first score of the game")),
            None if game.opening.len() == usize::from(u8::MAX) => {
                return Err("more than 255 moves of an opening".to_owned());
            }
            None => game.opening.push(line.mv),
            Some(_) if game.plies.len() == usize::from(u16::MAX) => return Err("more than 65,535 plies".to_owned()),
            Some(score) => game.plies.push(ScoredPly { mv: line.mv, score }),
        }
        position.play_unchecked(line.mv);
        Ok(())
    }

    /// The game. If no line gave an ending, it is the one by the rules if that matches, or else an adjudication or the
    /// move limit.
    fn finish(self) -> TrainingGame {
        let Reading { mut game, has_header, .. } = self;
        if !has_header {
            let mut replayed =
                Game::new(Position::startpos()).with_impasse(game.impasse_rule, u32::from(game.impasse_plies));
            let moves = game.opening.iter().copied().chain(game.plies.iter().map(|ply| ply.mv));
            moves.for_each(|mv| replayed.play(mv).expect("its moves are legal"));
            game.ending = match replayed.result().filter(|result| result.winner == game.winner) {
                Some(result) => result.reason,
                None if game.winner.is_some() => EndReason::AdjudicatedWin,
                None => EndReason::MoveLimit,
            };
        }
        game
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::ShardReader;
    use super::super::game::tests::example;
    use super::*;

    fn text(games: &[TrainingGame]) -> String {
        let mut text = Vec::new();
        games.iter().for_each(|game| write_text_game(game, &mut text).unwrap());
        String::from_utf8(text).unwrap()
    }

    fn read(text: &str) -> Result<Vec<TrainingGame>, ReadTextError> {
        let mut games = Vec::new();
        read_text_games(text.as_bytes(), |game| {
            games.push(game);
            Ok::<(), ReadTextError>(())
        })?;
        Ok(games)
    }

    /// It has a game under each impasse rule and with each ending.
    #[test]
    fn games_survive_their_text() {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-rule.games"));
        let mut games: Vec<TrainingGame> = ShardReader::open(path).unwrap().map(Result::unwrap).collect();
        let mut noisy = example();
        noisy.plies[1].score = NOT_QUIET;
        games.extend([example(), noisy.clone(), noisy]);
        assert_eq!(read(&text(&games)).unwrap(), games);
        let windows = format!("\u{feff}# a comment\r\n\r\n{}", text(&games).replace('\n', "\r\n"));
        assert_eq!(read(&windows).unwrap(), games);
    }

    #[test]
    fn a_line_has_position_move_score_and_result_of_the_mover() {
        let text = text(&[example()]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "# game Points12 24 proven white");
        assert_eq!(lines[1], "rbnsgk/5p/6/6/P5/KGSNBR b - 1\t6e6d\topening\t0");
        assert!(lines[3].ends_with("\t5f5e\t40\t0") && lines[4].ends_with("\t2a2b\t-30\t1"), "{text}");
        let mut quiet = Vec::new();
        write_quiet_text(&example(), &mut quiet).unwrap();
        assert_eq!(String::from_utf8(quiet).unwrap(), lines[3..6].join("\n") + "\n");
    }

    #[test]
    fn games_without_their_first_line_are_read_too() {
        let bare = |game: TrainingGame| -> String {
            let text = text(&[game.clone(), game]);
            text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
        };
        let expected = TrainingGame { ending: EndReason::AdjudicatedWin, ..example() };
        assert_eq!(read(&bare(example())).unwrap(), [expected.clone(), expected]);
        // Its last move leads back to the start position.
        let plies = ["1f1e", "6a6b", "1e1f", "6b6a"].map(|mv| ScoredPly { mv: mv.parse().unwrap(), score: 0 });
        let round = TrainingGame { opening: Vec::new(), plies: plies.to_vec(), winner: None, ..example() };
        let games = read(&bare(round)).unwrap();
        assert_eq!(games.iter().map(|game| game.plies.len()).collect::<Vec<_>>(), [4, 4]);
    }

    #[test]
    fn errors_name_the_line() {
        let text = text(&[example()]);
        let lines: Vec<&str> = text.lines().collect();
        let error = |lines: &[&str]| read(&lines.join("\n")).unwrap_err().to_string();
        assert!(error(&lines[2..]).starts_with("line 1: shards hold games from the start position"));
        assert!(error(&[lines[0], lines[1], lines[3]]).starts_with("line 3: this position does not follow: "));
        for (from, to, said) in [
            ("\t40\t", "\t40 ", "line 4: 3 columns; "),
            ("\t40\t", "\t32767\t", "line 4: '32767' is not a score"),
            ("\t40\t", "\t1.5\t", "line 4: '1.5' is not a score"),
            ("\t-30\t", "\topening\t", "line 5: 'opening' after the first score"),
            ("\t5f5e\t", "\t5f5c\t", "line 4: '5f5c' is not a legal move in "),
            ("\t40\t0", "\t40\t1", "line 4: the result is not that of the game"),
            ("\t40\t0", "\t40\tlost", "line 4: 'lost' is not a result"),
            ("proven", "proved", "line 1: '# game Points12 24 proved white': "),
            ("rbnsgk", "rbnsgq", "line 2: 'rbnsgq"),
        ] {
            let found = read(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(found.starts_with(said), "{found}");
        }
    }
}
