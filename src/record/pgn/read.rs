//! Builds records from the tokens of PGN games. A game in an unknown notation is read in each, and the best is kept.

use std::io::{self, BufRead};

use super::cut::Tokens;
use super::dialect::{Notation, is_western, styles, without_signs};
use super::glyph::{self, Glyph};
use super::token::{GameText, Kind, Token, no_sign};
use super::{comment, tags};
use crate::record::lines::Lines;
use crate::record::read_game::{GameReader, Problem, ReadGame};
use crate::record::usi::truncate;
use crate::record::{Format, NodeId, Notes, Record};
use crate::shogi::notation::san::SanStyle;
use crate::shogi::{Color, GameScore, Move, Position};

/// The maximum number of bytes of an annotator's signs after a move.
const LONGEST_SIGNS: usize = 16;

pub(in crate::record) struct Games {
    tokens: Tokens,
    /// The notation, if it is given.
    notation: Option<Notation>,
}

impl Games {
    /// With [`Format::Pgn`], the notation of each game is detected.
    pub fn new(format: Format) -> Games {
        let notation = (format != Format::Pgn).then(|| Notation::of(format));
        Games { tokens: Tokens::default(), notation }
    }
}

impl<R: BufRead> GameReader<R> for Games {
    fn next(&mut self, lines: &mut Lines<R>) -> io::Result<Option<ReadGame>> {
        let game = self.tokens.next(lines)?;
        Ok(game.map(|mut game| read(&mut game, self.notation)))
    }
}

/// Whether a line begins like a game: with `[Name "value"]`, `1. …`, or a comment before the first move.
pub(in crate::record) fn begins(line: &str) -> bool {
    let name = line.strip_prefix('[').and_then(|rest| rest.split_once('"')).map(|(name, _)| name.trim());
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    name.is_some_and(|name| !name.is_empty() && !name.contains(char::is_whitespace))
        || (number.len() < line.len() && number.starts_with('.'))
        || line.starts_with('{')
}

fn read(game: &mut GameText, notation: Option<Notation>) -> ReadGame {
    let mut read = ReadGame::new(game.line, notation.map_or(Format::Pgn, Format::from));
    read.shares_line = game.is_mid_line;
    let mut problems = std::mem::take(&mut game.problems);
    if game.tags.is_empty() && game.tokens.is_empty() {
        // The text contains no game.
        problems.into_iter().for_each(|problem| read.problem(problem));
        return read;
    }
    let start = match tags::start(game) {
        Ok(start) => start,
        Err((tag, message)) => {
            problems.push(Problem::new(tag.line, tag.column, message));
            problems.into_iter().for_each(|problem| read.problem(problem));
            return read;
        }
    };
    let words = || game.tokens.iter().filter(|token| token.kind == Kind::Word).map(|&token| game.text(token));
    // A stray word must not decide the notation.
    let count = |western| words().filter(|word| is_western(word) == Some(western)).count();
    let western = match count(true).cmp(&count(false)) {
        std::cmp::Ordering::Equal => words().find_map(is_western),
        more => Some(more.is_gt()),
    };
    let named = tags::notation(game);
    let western = western.or(named.map(|notation| notation == Notation::Western));
    // If the words are inconclusive, use the tags.
    let place = |name: &str| game.tags.iter().position(|tag| tag.name == name);
    let white_first = || place("White").zip(place("Black")).is_some_and(|(white, black)| white < black);
    let is_western = western.unwrap_or_else(|| place("FEN").is_none() && (place("SFEN").is_some() || !white_first()));
    let candidates: Vec<Notation> = match notation {
        Some(notation) => vec![notation],
        None if is_western => vec![Notation::Western],
        None if named == Some(Notation::San(SanStyle::CuteChess)) => vec![Notation::San(SanStyle::CuteChess)],
        None => styles(words()).iter().map(|&style| Notation::San(style)).collect(),
    };
    let has_fen = place("FEN").is_some();
    let readings = candidates.into_iter().map(|notation| Reading::of(game, &start, notation, has_fen));
    // If two readings get equally far, take the one that explains more of the text.
    let best = readings.max_by_key(|reading| {
        let is_cute = reading.notation == Notation::San(SanStyle::CuteChess);
        let likely = is_cute == game.tag("GameStartTime").is_some();
        (reading.reached, std::cmp::Reverse((reading.problems.len(), reading.unmarked_checks)), likely)
    });
    let Some(best) = best else { return read };
    read.format = best.notation.into();
    let mut record = best.record;
    let is_whole = best.problems.is_empty();
    problems.extend(best.problems);
    record.header = tags::header(game, best.first_is_white, &mut problems);
    if is_whole {
        problems.extend(tags::wrong_count(game, record.main_line().count()));
    }
    problems.sort_by_key(|problem| (problem.line, problem.column));
    problems.into_iter().for_each(|problem| read.problem(problem));
    if best.first_is_white && record.header.reason.is_none() && !tags::has_reason(game) {
        guess_reason(&mut record);
    }
    // Text of another format is not a game.
    if !(game.tags.is_empty() && record.is_empty() && !read.problems.is_empty()) {
        read.record = Some(record);
    }
    read
}

/// Infers the reason of a game's end from its last comment or from the rules.
fn guess_reason(record: &mut Record) {
    let Some(result) = record.header.result else { return };
    let end = record.main_end();
    let said = tags::of_last_comment(&record[end].notes().comment, Some(result));
    record.header.reason = said.or_else(|| {
        let ended = record.game(end)?.result()?;
        (GameScore::from(ended.winner) == result).then_some(ended.reason)
    });
}

/// The reader's position in the tree.
#[derive(Clone)]
struct Here {
    id: NodeId,
    position: Position,
    /// The node before the last move, to which a variation returns.
    before: Option<(NodeId, Position)>,
    /// The rest of this line cannot be read.
    is_broken: bool,
    /// Comments before the first move of a variation. Without a move, they belong to the move that it would replace.
    early: Option<Vec<Token>>,
}

/// A game read in one notation.
struct Reading {
    notation: Notation,
    /// The first player is called White.
    first_is_white: bool,
    record: Record,
    problems: Vec<Problem>,
    /// The number of tokens that could be read.
    reached: usize,
    /// The number of checks without a check mark, which Fairy-Stockfish always writes.
    unmarked_checks: usize,
}

impl Reading {
    fn of(game: &GameText, start: &Position, notation: Notation, has_fen: bool) -> Reading {
        let mut reading = Reading {
            notation,
            first_is_white: has_fen || matches!(notation, Notation::San(_)),
            record: Record::new(start.clone()),
            problems: Vec::new(),
            reached: game.tokens.len(),
            unmarked_checks: 0,
        };
        let mut here = Here { id: NodeId::ROOT, position: start.clone(), before: None, is_broken: false, early: None };
        // The lines that contain the current variation, and the brackets that opened them.
        let mut outer: Vec<(Here, Token)> = Vec::new();
        // In an unreadable variation, only count brackets.
        let mut skipped = 0usize;
        let main_end = reading.add_main_line(game, start);
        for (index, &token) in game.tokens.iter().enumerate() {
            match token.kind {
                Kind::Open if here.is_broken || skipped > 0 => skipped += 1,
                Kind::Open => match here.before.clone() {
                    Some((id, position)) => {
                        let variation = Here { id, position, before: None, is_broken: false, early: Some(Vec::new()) };
                        outer.push((std::mem::replace(&mut here, variation), token));
                    }
                    None => {
                        reading.problem(token, "a variation begins before there is a move that it could replace");
                        skipped = 1;
                    }
                },
                Kind::Close if skipped > 0 => skipped -= 1,
                Kind::Close => match outer.pop() {
                    Some((line, open)) => {
                        let variation = std::mem::replace(&mut here, line);
                        let is_empty = variation.early.as_ref().is_some_and(Vec::is_empty);
                        if is_empty && !variation.is_broken {
                            reading.problem(open, "the variation is empty");
                        }
                        variation.early.into_iter().flatten().for_each(|token| reading.note(game, token, &here));
                    }
                    None => reading.problem(token, "')' closes no variation"),
                },
                _ if here.is_broken || skipped > 0 => {}
                Kind::Word => {
                    // After the last move of the game its moves would look like moves of the game.
                    let is_after_end = !outer.is_empty() && here.id == main_end;
                    let played = match is_after_end {
                        true => Err("a variation cannot go on where the game ends".to_owned()),
                        false => reading.play(game, token, &mut here),
                    };
                    if let Err(message) = played {
                        reading.problem(token, message);
                        here.is_broken = true;
                        reading.reached = reading.reached.min(index);
                        if outer.is_empty() {
                            break;
                        }
                    }
                }
                Kind::Number(number) => {
                    let before = index.checked_sub(1).map(|index| game.tokens[index].kind);
                    reading.number(token, number, before, &here);
                }
                Kind::Comment | Kind::Glyph(_) => match &mut here.early {
                    Some(early) => early.push(token),
                    None => reading.note(game, token, &here),
                },
            }
        }
        if !here.is_broken {
            for (_, open) in outer {
                reading.problem(open, "the game ends inside the variation that begins here: ')' expected");
            }
        }
        reading
    }

    /// Adds the moves outside variations, before the variations that may repeat them. Returns the last one.
    fn add_main_line(&mut self, game: &GameText, start: &Position) -> NodeId {
        let (mut id, mut position, mut depth) = (NodeId::ROOT, start.clone(), 0u32);
        for &token in &game.tokens {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                Kind::Word if depth == 0 => {
                    let Ok((mv, _)) = self.read_move(game.text(token), &position) else { break };
                    id = self.record.add(id, mv);
                    position.play_unchecked(mv);
                }
                _ => {}
            }
        }
        id
    }

    fn problem(&mut self, token: Token, message: impl std::fmt::Display) {
        self.problems.push(Problem::new(token.line, token.column, message));
    }

    fn play(&mut self, game: &GameText, token: Token, here: &mut Here) -> Result<(), String> {
        let text = game.text(token);
        let (mv, signs) = self.read_move(text, &here.position)?;
        let after = here.position.after(mv);
        let marks_checks = self.notation == Notation::San(SanStyle::Fairy);
        self.unmarked_checks +=
            usize::from(marks_checks && after.in_check() && !text[..text.len() - signs.len()].ends_with(['+', '#']));
        let id = self.record.add(here.id, mv);
        let position = std::mem::replace(&mut here.position, after);
        here.before = Some((here.id, position));
        here.id = id;
        for note in here.early.take().into_iter().flatten() {
            self.note(game, note, here);
        }
        match glyph::read(signs) {
            Some(glyphs) => glyphs.into_iter().for_each(|glyph| self.glyph(glyph, here)),
            None if signs.is_empty() => {}
            None => self.problems.push(no_sign(signs, (token.line, token.column))),
        }
        Ok(())
    }

    /// Reads a move and the annotator's signs after it: the shortest suffix that leaves a legal move.
    fn read_move<'a>(&self, text: &'a str, position: &Position) -> Result<(Move, &'a str), String> {
        let read = self.notation.read(position, text);
        let error = match read {
            Ok(mv) => return Ok((mv, "")),
            Err(error) => error,
        };
        let bare = without_signs(text).len();
        let splits = (bare..text.len()).rev().take(LONGEST_SIGNS).map(|length| text.split_at(length));
        let known = splits.filter(|(_, signs)| glyph::read(signs).is_some()).chain([text.split_at(bare)]);
        for (mv, signs) in known {
            if let Ok(mv) = self.notation.read(position, mv) {
                return Ok((mv, signs));
            }
        }
        Err(error.replace(text, &truncate(text)))
    }

    /// Compares the number before a move with the valid ones: of its pair or its ply, counted from the start or from
    /// the start's own move number.
    fn number(&mut self, token: Token, number: Option<u32>, before: Option<Kind>, here: &Here) {
        let start = self.record.start();
        let ply = here.position.move_number();
        let played = ply - start.move_number();
        let second = start.side_to_move().index() as u32;
        let expected = [(played + second) / 2 + 1, played / 2 + 1, played + 1, ply, ply.div_ceil(2), ply / 2 + 1];
        match (number, before) {
            (Some(number), Some(Kind::Number(Some(_)))) => {
                self.problem(token, format!("no move stands before the number {number}"));
            }
            (Some(number), _) if !expected.contains(&number) => {
                self.problem(token, format!("move {} is next, not {number}", expected[0]));
            }
            (None, _) if (played + second).is_multiple_of(2) => {
                self.problem(token, "dots stand before the second move of a pair, and the first is next");
            }
            _ => {}
        }
    }

    fn note(&mut self, game: &GameText, token: Token, here: &Here) {
        match token.kind {
            Kind::Glyph(glyph) => self.glyph(glyph, here),
            _ => self.comment(game, token, here),
        }
    }

    fn glyph(&mut self, Glyph { nag, of_mover }: Glyph, here: &Here) {
        let is_turned = if of_mover { here.position.side_to_move() == Color::White } else { self.first_is_white };
        let nag = if is_turned { glyph::turned(nag) } else { nag };
        self.record.add_glyph(here.id, nag).expect("the place was just reached");
    }

    fn comment(&mut self, game: &GameText, token: Token, here: &Here) {
        let to_move = here.position.side_to_move();
        let mover = if here.id == NodeId::ROOT { to_move } else { !to_move };
        let text = game.text(token);
        let before = self.record[here.id].notes();
        let read = comment::read(text, mover, &here.position, self.notation);
        // A second value is text, and so is a time without a move.
        let has_engine = before.time.is_some() || before.evaluation.is_some();
        let is_more = has_engine && (read.time.is_some() || read.evaluation.is_some())
            || before.clock.is_some() && read.clock.is_some()
            || before.former_end.is_some() && read.former_end.is_some();
        let is_of_no_move = here.id == NodeId::ROOT && (read.time.is_some() || read.clock.is_some());
        let mut read = match is_more || is_of_no_move {
            true => Notes { comment: text.trim().to_owned(), ..Notes::default() },
            false => read,
        };
        let (id, record) = (here.id, &mut self.record);
        let noted = record.add_comment(id, &std::mem::take(&mut read.comment));
        // The move lacks all of these, and the start has no times.
        noted.and_then(|()| record.note(id, |own| own.merge(read))).expect("the place was just reached");
    }
}
