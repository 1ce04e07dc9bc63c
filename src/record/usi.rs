//! Games in USI, one per line: a position and moves, in the syntax of [`PositionText`].
//!
//! It is the clipboard format of graphical programs and the format of opening files. Empty lines are skipped, and so
//! are comments, `# …`, except those that [`to_commented_line`] writes.
//!
//! A line has the start and the main line, followed by `resign`, or `win` for a declaration, if a program wrote it. Its
//! comment has the players' names, the round, the result and the reason in words. Nothing else is kept.

use std::io::{self, BufRead};

use super::header::one_line;
use super::lines::{Line, Lines, column};
use super::notes::RESULTS;
use super::read_game::{GameReader, Problem, ReadGame};
use super::{Format, Header, NodeId, Record};
pub(super) use crate::shogi::position_text::truncate;
use crate::shogi::position_text::{begins_moves, offset};
use crate::shogi::{Color, EndReason, GameScore, Handicap, Move, Position, PositionText, SfenError, position_text};

/// The games of a file: one per line that is neither empty nor a comment.
#[derive(Default)]
pub(super) struct Games {
    /// The header in the last comment and its line, for the next game, which begins there.
    header: Option<(usize, Header)>,
}

impl<R: BufRead> GameReader<R> for Games {
    fn next(&mut self, lines: &mut Lines<R>) -> io::Result<Option<ReadGame>> {
        while let Some(line) = lines.next()? {
            let text = line.text.trim();
            if let Some(comment) = text.strip_prefix('#') {
                let header = parse_comment(comment.trim()).map(|header| (line.number, header));
                self.header = header.or(self.header.take());
            } else if !text.is_empty() {
                let (begin, header) = self.header.take().unwrap_or((line.number, Header::default()));
                return Ok(Some(ReadGame { line: begin, ..read_line(&line, header) }));
            }
        }
        Ok(None)
    }
}

/// Whether a line begins like a game.
pub(super) fn begins(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let is_board = || {
        let letter = |c: char| c.is_ascii_digit() || "/+".contains(c) || "PNSGBRKL".contains(c.to_ascii_uppercase());
        first.bytes().filter(|&byte| byte == b'/').count() >= 4 && first.chars().all(letter)
    };
    matches!(first, "startpos" | "sfen" | "position")
        || first.parse::<Handicap>().is_ok()
        || begins_moves(first)
        || is_board()
}

/// Reads a single line that is no comment.
pub(super) fn read_text(line: &str) -> ReadGame {
    read_line(&Line { number: 1, text: line.to_owned(), broken: None }, Header::default())
}

fn read_line(line: &Line, header: Header) -> ReadGame {
    let mut game = ReadGame::new(line.number, Format::Usi);
    if let Some(problem) = Problem::of_encoding(line) {
        game.problem(problem);
    }
    let text = line.text.as_str();
    let problem = |part: &str, message: String| Problem::new(line.number, column(text, offset(text, part)), message);
    let named = PositionText::new(text);
    let start = named.setup().and_then(|setup| Ok(Position::try_from(&setup).map_err(SfenError::from)?));
    let mut record = match start {
        Ok(start) => Record::new(start),
        Err(error) => {
            game.problem(problem(named.start, error.to_string()));
            return game;
        }
    };
    record.header = header;
    let mut cursor = record.cursor(NodeId::ROOT).expect("every record has a start");
    let mut over = None;
    for word in named.moves.split_whitespace() {
        if over.is_none() {
            over = ending(word, cursor.position().side_to_move()).map(|ending| (word, ending));
            if over.is_some() {
                continue;
            }
        }
        let played = match over {
            Some(_) => Err(format!("'{}' comes after the end of the game", truncate(word))),
            None => word.parse::<Move>().map_err(|error| format!("'{}' is {error}", truncate(word))),
        };
        let played = played.and_then(|mv| cursor.play(mv).map_err(|error| error.to_string()));
        if let Err(message) = played {
            game.problem(problem(word, message));
            break;
        }
    }
    if let Some((word, (score, reason))) = over {
        match record.header.result {
            Some(said) if said != score => {
                let message =
                    format!("the line ends with {score}, and the comment before it says {said}, which is used");
                game.problem(problem(word, message));
            }
            _ => (record.header.result, record.header.reason) = (Some(score), Some(reason)),
        }
    }
    game.record = Some(record);
    game
}

/// The meaning of a word in place of a move; `mover` is the player to move.
fn ending(word: &str, mover: Color) -> Option<(GameScore, EndReason)> {
    Some(match word {
        "resign" => (GameScore::from(Some(!mover)), EndReason::Resignation),
        "win" => (GameScore::from(Some(mover)), EndReason::Declaration),
        _ => return None,
    })
}

fn score_text(score: Option<GameScore>) -> &'static str {
    score.map_or("*", GameScore::text)
}

/// Reads a comment as [`to_commented_line`] writes it.
fn parse_comment(comment: &str) -> Option<Header> {
    // The first one: any words may follow it.
    let (at, text, score) = RESULTS
        .into_iter()
        .map(|score| (score_text(score), score))
        .filter_map(|(text, score)| Some((comment.find(&format!(" {text} "))?, text, score)))
        .min_by_key(|&(at, _, _)| at)?;
    let (players, detail) = (&comment[..at], comment[at + text.len() + 2..].trim());
    let (round, players) = match players.split_once(". ") {
        Some((round, players)) if is_round(round) => (Some(round), players),
        _ => (None, players),
    };
    let (black, white) = players.split_once(" - ")?;
    let named = |name: &str| one_line(name).filter(|name| name != "?").map(|name| name.replace(FIRM_SPACE, " "));
    Some(Header {
        players: [named(black), named(white)],
        round: round.map(str::to_owned),
        result: score,
        detail: one_line(detail).filter(|detail| detail != "?"),
        ..Header::default()
    })
}

/// Whether a round can be told from a name. Others are not written.
fn is_round(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(' ')
}

/// A non-breaking space, within and around names that could be confused with the words next to them.
const FIRM_SPACE: char = '\u{a0}';

/// A name in a comment: `x - y` and `z 1-0 q` would end too early, and `1. e` begin too late.
fn firm(name: String) -> String {
    let is_sign = |word: &str| word == "-" || RESULTS.map(score_text).contains(&word);
    let is_round = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with('.');
    let mut words = name.split(' ');
    if words.clone().any(is_sign) || words.next().is_some_and(is_round) {
        format!(" {name} ").replace(' ', &FIRM_SPACE.to_string())
    } else {
        name
    }
}

/// The record as a line of a file.
pub(super) fn to_text(record: &Record) -> String {
    to_line(record) + "\n"
}

/// The main line as the argument of USI's `position`: `startpos moves 6e6d 1b1c`, or `sfen … moves …`, without `moves`
/// if there are none.
pub fn to_line(record: &Record) -> String {
    position_text(record.start(), record.main_moves())
}

/// As [`to_line`], followed by the word for the game's end, if that is `resign` or `win`.
fn to_ended_line(record: &Record) -> String {
    let line = to_line(record);
    match ending_word(record) {
        Some(word) if record.is_empty() => format!("{line} moves {word}"),
        Some(word) => format!("{line} {word}"),
        None => line,
    }
}

/// The word for the end of the game, if there is one.
fn ending_word(record: &Record) -> Option<&'static str> {
    let Header { result, reason, .. } = &record.header;
    let mover = record.position(record.main_end()).expect("the end of a line is there").side_to_move();
    let is_said = |word: &&str| {
        ending(word, mover).map(|(result, reason)| (Some(result), Some(reason))) == Some((*result, *reason))
    };
    ["resign", "win"].into_iter().find(is_said)
}

/// All that the reader understands: [`to_line`], followed by `resign` or `win` if that was the game's end, and if more
/// is known of the game, the comment of [`to_commented_line`] before it.
pub fn to_whole_text(record: &Record) -> String {
    let Header { players, round, result, detail, .. } = &record.header;
    let names = [&players[0], &players[1], round, detail];
    let has_comment = names.into_iter().any(Option::is_some) || result.is_some() && ending_word(record).is_none();
    let comment = if has_comment { comment(record) + "\n" } else { String::new() };
    format!("{comment}{}\n", to_ended_line(record))
}

/// As [`to_line`], preceded by a line with the players and the game's end:
/// `# 1.2. one - two 1-0 Black wins: checkmate`. The reader understands it; a file of such lines is also an opening
/// file.
pub fn to_commented_line(record: &Record) -> String {
    format!("{}\n{}", comment(record), to_line(record))
}

/// The comment on a game, without the end of the line.
fn comment(record: &Record) -> String {
    let Header { players, round, result, reason, detail, .. } = &record.header;
    let text = |text: Option<&str>| text.and_then(one_line).unwrap_or_else(|| "?".to_owned());
    let [black, white] = players.each_ref().map(|name| firm(text(name.as_deref())));
    let round = round.as_deref().and_then(one_line).filter(|round| is_round(round));
    let round = round.map(|round| format!("{round}. ")).unwrap_or_default();
    let reason = reason.map(|reason| reason.to_string());
    let detail = text(detail.as_deref().or(reason.as_deref()));
    let score = score_text(*result);
    format!("# {round}{black} - {white} {score} {detail}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Reader;

    fn read(text: &str) -> Vec<ReadGame> {
        Reader::with_format(text.as_bytes(), Format::Usi).unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn every_form_of_a_line_is_read_and_written_as_usi_has_it() {
        for (text, written) in [
            ("startpos", "startpos"),
            ("startpos moves", "startpos"),
            (" position  startpos moves 6e6d\t1b1c ", "startpos moves 6e6d 1b1c"),
            ("5k/6/6/6/6/K5 b G 1", "sfen 5k/6/6/6/6/K5 b G 1"),
            ("5k/6/6/6/6/K5 b G", "sfen 5k/6/6/6/6/K5 b G 1"),
            ("5k/6/6/6/6/K5 b G moves 6f6e", "sfen 5k/6/6/6/6/K5 b G 1 moves 6f6e"),
            ("sfen 5k/6/6/6/6/K5 b G 7 moves 6f6e", "sfen 5k/6/6/6/6/K5 b G 7 moves 6f6e"),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", "startpos"),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 3", "sfen rbnsgk/5p/6/6/P5/KGSNBR b - 3"),
            ("bishop moves 1b1c", "sfen r1nsgk/5p/6/6/P5/KGSNBR w - 1 moves 1b1c"),
            ("two-pieces", "sfen 2nsgk/5p/6/6/P5/KGSNBR w - 1"),
        ] {
            let games = read(text);
            assert_eq!((games.len(), &games[0].problems[..]), (1, &[][..]), "{text}");
            assert_eq!(to_line(games[0].record.as_ref().unwrap()), written);
        }
        assert_eq!(read("\n# nothing\n"), []);
    }

    #[test]
    fn names_that_look_like_other_words_come_back() {
        let names = ["x - y", "z 1-0 q", "1. e", "- * -", "plain name", "0-1", "a -"];
        for black in names {
            for white in names {
                let mut record = Record::new(Position::startpos());
                record.header.players = [black, white].map(|name| Some(name.to_owned()));
                record.header.result = Some(GameScore::White);
                let text = to_commented_line(&record);
                let header = read(&text).remove(0).record.unwrap().header;
                assert_eq!((&header.players, header.result), (&record.header.players, record.header.result), "{text}");
            }
        }
    }

    #[test]
    fn no_round_passes_for_a_name() {
        for round in ["1", "2.1", "1/4", "Final", "Round 3", "1. 2", "a - b", "x 1-0 y", "第1局"] {
            let mut record = Record::new(Position::startpos());
            record.header.players = ["one", "two"].map(|name| Some(name.to_owned()));
            record.header.round = Some(round.to_owned());
            let text = to_whole_text(&record);
            let header = read(&text).remove(0).record.unwrap().header;
            assert_eq!(header.players, record.header.players, "{text}");
            assert!(header.round.is_none_or(|read| read == round), "{text}");
        }
    }

    #[test]
    fn errors_are_named_and_earlier_moves_are_kept() {
        for (text, problem, kept) in [
            (
                "startpos moves 6e6d x 1b1c",
                "line 1, column 21: 'x' is not a move in USI notation",
                Some("startpos moves 6e6d"),
            ),
            ("startpos moves 6e6d 6d6c", "line 1, column 21: illegal move 6d6c", Some("startpos moves 6e6d")),
            ("startpos move 6e6d", "line 1, column 10: 'move' is not a move in USI notation", Some("startpos")),
            ("\n  sfen 5k/6/6/6/6/K5 x - 1", "line 2, column 8: the side to move must be 'b' or 'w', not 'x'", None),
            ("5k/6/6/6/6/K5 b - 1 2 3", "line 1, column 1: unexpected '2' after the end of the SFEN", None),
            ("hello", "line 1, column 1: 'startpos', an SFEN, a handicap or moves expected, not 'hello'", None),
            ("sfen", "line 1, column 5: 'startpos', an SFEN, a handicap or moves expected, not ''", None),
            (
                "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                "line 1, column 1: the board has 9 ranks, not 6",
                None,
            ),
        ] {
            let games = read(text);
            assert_eq!(games.len(), 1, "{text}");
            let problems: Vec<String> = games[0].problems.iter().map(ToString::to_string).collect();
            assert_eq!(problems, [problem], "{text}");
            assert_eq!(games[0].record.as_ref().map(to_line).as_deref(), kept, "{text}");
        }
    }

    #[test]
    fn the_comment_before_a_game_says_who_played() {
        let text = "# 1.2. one v1.0 - two 1-0 Black wins: checkmate\nstartpos moves 6e6d";
        let record = read(text)[0].record.clone().unwrap();
        let header = &record.header;
        assert_eq!(header.players, [Some("one v1.0".to_owned()), Some("two".to_owned())]);
        assert_eq!((header.round.as_deref(), header.result), (Some("1.2"), Some(GameScore::Black)));
        assert_eq!(header.detail.as_deref(), Some("Black wins: checkmate"));
        assert_eq!(to_commented_line(&record), text);
        assert_eq!(to_commented_line(&Record::new(Position::startpos())), "# ? - ? * ?\nstartpos");
        for text in [
            "# 1. one - two 0-1 White wins: resignation\nstartpos moves 6e6d\n",
            "# ? - ? 1/2-1/2 ?\nstartpos moves 6e6d\n",
            "startpos moves 6e6d resign\n",
            "startpos moves resign\n",
            "startpos\n",
        ] {
            assert_eq!(to_whole_text(read(text)[0].record.as_ref().unwrap()), text);
        }
        let ended = read("sfen 5k/6/6/6/6/K5 b G 1 resign\n")[0].record.clone().unwrap();
        assert_eq!(ended.header.result, Some(GameScore::White));
        let games = read("# a comment\nstartpos\n# x - y 0-1 z\n\nstartpos\nstartpos");
        let whites: Vec<_> = games.iter().map(|game| game.record.as_ref().unwrap().header.players[1].clone()).collect();
        assert_eq!(whites, [None, Some("y".to_owned()), None]);
    }
}
