use std::io::{self, BufRead};

use super::dialect::{Notation, is_western, styles};
use super::token::{GameText, Kind, Token, Tokens};
use super::{comment, tags};
use crate::record::lines::Lines;
use crate::record::reader::{Problem, ReadGame};
use crate::record::usi::cut;
use crate::record::{Format, Mark, NodeId, Notes, Record};
use crate::shogi::notation::san::SanStyle;
use crate::shogi::{GameScore, Position};

/// The games of a file.
pub(in crate::record) struct Games {
    tokens: Tokens,
    /// The notation, if it was named.
    notation: Option<Notation>,
}

impl Games {
    /// [`Format::Pgn`] finds out in which notation each game is.
    pub fn new(format: Format) -> Games {
        let notation = (format != Format::Pgn).then(|| Notation::of(format));
        Games { tokens: Tokens::default(), notation }
    }

    pub fn next<R: BufRead>(&mut self, lines: &mut Lines<R>) -> io::Result<Option<ReadGame>> {
        let game = self.tokens.next(lines)?;
        Ok(game.map(|mut game| read(&mut game, self.notation)))
    }
}

fn read(game: &mut GameText, notation: Option<Notation>) -> ReadGame {
    let mut read = ReadGame::new(game.line, notation.map_or(Format::Pgn, Format::from));
    read.shares_line = game.is_mid_line;
    game.problems.drain(..).for_each(|problem| read.problem(problem));
    let start = match tags::start(game) {
        Ok(start) => start,
        Err((tag, message)) => {
            read.problem(Problem::new(tag.line, tag.column, message));
            return read;
        }
    };
    let words = || game.tokens.iter().filter(|token| token.kind == Kind::Word).map(|&token| game.text(token));
    let western = words().find_map(is_western);
    // What the words do not show, the tags do.
    let place = |name: &str| game.tags.iter().position(|tag| tag.name == name);
    let white_first = || place("White").zip(place("Black")).is_some_and(|(white, black)| white < black);
    let is_western = western.unwrap_or_else(|| place("FEN").is_none() && (place("SFEN").is_some() || !white_first()));
    let candidates: Vec<Notation> = match notation {
        Some(notation) => vec![notation],
        None if is_western => vec![Notation::Western],
        None if tags::is_cute_chess(game) => vec![Notation::San(SanStyle::CuteChess)],
        None => styles(words()).iter().map(|&style| Notation::San(style)).collect(),
    };
    let readings = candidates.into_iter().map(|notation| Reading::of(game, &start, notation));
    // Of two that come equally far, the one that explains more of what is written.
    let best = readings.max_by_key(|reading| {
        let is_cute = reading.notation == Notation::San(SanStyle::CuteChess);
        let likely = is_cute == game.tag("GameStartTime").is_some();
        (reading.reached, std::cmp::Reverse((reading.problems.len(), reading.unmarked_checks)), likely)
    });
    let Some(best) = best else { return read };
    let first_is_white = matches!(best.notation, Notation::San(_)) || place("FEN").is_some();
    read.format = best.notation.into();
    let mut record = best.record;
    record.header = tags::header(game, first_is_white);
    best.problems.into_iter().for_each(|problem| read.problem(problem));
    if first_is_white && record.header.reason.is_none() && !tags::has_reason(game) {
        guess_reason(&mut record);
    }
    read.record = Some(record);
    read
}

/// Finds why a game ended from its last comment, or from the rules.
fn guess_reason(record: &mut Record) {
    let Some(result) = record.header.result else { return };
    let end = record.main_end();
    let said = tags::of_last_comment(&record[end].notes().comment, Some(result));
    record.header.reason = said.or_else(|| {
        let ended = record.game(end)?.result()?;
        (GameScore::from(ended.winner) == result).then_some(ended.reason)
    });
}

/// Where the reading is in the tree.
#[derive(Clone)]
struct Here {
    id: NodeId,
    position: Position,
    /// The place before the last move, to which a variation goes back.
    before: Option<(NodeId, Position)>,
    /// Nothing more can be made of this line.
    is_broken: bool,
    /// Comments before the first move of a variation. Without a move, they are said of the move that it would replace.
    early: Option<Vec<Token>>,
}

/// A game read in one notation.
struct Reading {
    notation: Notation,
    record: Record,
    problems: Vec<Problem>,
    /// How many tokens make sense.
    reached: usize,
    /// Checks that are not written, which Fairy-Stockfish always does.
    unmarked_checks: usize,
}

impl Reading {
    fn of(game: &GameText, start: &Position, notation: Notation) -> Reading {
        let mut reading = Reading {
            notation,
            record: Record::new(start.clone()),
            problems: Vec::new(),
            reached: game.tokens.len(),
            unmarked_checks: 0,
        };
        let mut here = Here { id: NodeId::ROOT, position: start.clone(), before: None, is_broken: false, early: None };
        let mut outer: Vec<Here> = Vec::new();
        // Inside a variation that cannot be read, only the brackets count.
        let mut skipped = 0usize;
        for (index, &token) in game.tokens.iter().enumerate() {
            match token.kind {
                Kind::Open if here.is_broken || skipped > 0 => skipped += 1,
                Kind::Open => match here.before.clone() {
                    Some((id, position)) => {
                        let variation = Here { id, position, before: None, is_broken: false, early: Some(Vec::new()) };
                        outer.push(std::mem::replace(&mut here, variation));
                    }
                    None => {
                        reading.problem(token, "a variation begins before there is a move that it could replace");
                        skipped = 1;
                    }
                },
                Kind::Close if skipped > 0 => skipped -= 1,
                Kind::Close => match outer.pop() {
                    Some(line) => {
                        let alone = std::mem::replace(&mut here, line).early.unwrap_or_default();
                        alone.into_iter().for_each(|token| reading.comment(game, token, &here));
                    }
                    None => reading.problem(token, "')' closes no variation"),
                },
                _ if here.is_broken || skipped > 0 => {}
                Kind::Word => {
                    if let Err(message) = reading.play(game, token, &mut here) {
                        reading.problem(token, message);
                        here.is_broken = true;
                        reading.reached = reading.reached.min(index);
                        if outer.is_empty() {
                            break;
                        }
                    }
                }
                Kind::Comment => match &mut here.early {
                    Some(early) => early.push(token),
                    None => reading.comment(game, token, &here),
                },
                Kind::Mark(mark) => reading.mark(mark, here.id),
            }
        }
        if let Some(&last) = game.tokens.last()
            && !outer.is_empty()
            && !here.is_broken
        {
            reading.problem(last, "the game ends inside a variation: ')' expected");
        }
        reading
    }

    fn problem(&mut self, token: Token, message: impl std::fmt::Display) {
        self.problems.push(Problem::new(token.line, token.column, message));
    }

    fn play(&mut self, game: &GameText, token: Token, here: &mut Here) -> Result<(), String> {
        let text = game.text(token);
        let mv = self.notation.read(&here.position, text).map_err(|error| error.replace(text, &cut(text)))?;
        let after = here.position.after(mv);
        let marks_checks = self.notation == Notation::San(SanStyle::Fairy);
        self.unmarked_checks += usize::from(marks_checks && after.in_check() && !text.ends_with(['+', '#']));
        let id = self.record.add(here.id, mv);
        let position = std::mem::replace(&mut here.position, after);
        here.before = Some((here.id, position));
        here.id = id;
        for comment in here.early.take().into_iter().flatten() {
            self.comment(game, comment, here);
        }
        Ok(())
    }

    fn mark(&mut self, mark: Mark, id: NodeId) {
        if id != NodeId::ROOT && self.record[id].notes().mark.is_none() {
            self.record.set_mark(id, Some(mark)).expect("the move was just played");
        }
    }

    fn comment(&mut self, game: &GameText, token: Token, here: &Here) {
        let to_move = here.position.side_to_move();
        let mover = if here.id == NodeId::ROOT { to_move } else { !to_move };
        let text = game.text(token);
        let before = self.record[here.id].notes();
        let read = comment::read(text, mover, &here.position, self.notation);
        // What an engine says is said once; more of it is text. So is a time where no move was made.
        let has_engine = before.time.is_some() || before.evaluation.is_some();
        let is_more = has_engine && (read.time.is_some() || read.evaluation.is_some());
        let is_of_no_move = here.id == NodeId::ROOT && (read.time.is_some() || read.clock.is_some());
        let read = match is_more || is_of_no_move {
            true => Notes { comment: text.trim().to_owned(), ..Notes::default() },
            false => read,
        };
        let (id, record) = (here.id, &mut self.record);
        let mut noted = record.add_comment(id, &read.comment);
        if read.evaluation.is_some() {
            noted = noted.and_then(|()| record.set_legal_evaluation(id, read.evaluation));
        }
        if read.time.is_some() {
            noted = noted.and_then(|()| record.set_time(id, read.time));
        }
        if read.clock.is_some() {
            noted = noted.and_then(|()| record.set_clock(id, read.clock));
        }
        noted.expect("the place was just reached");
    }
}
