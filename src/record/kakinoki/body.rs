//! The reader of the part after the header of a KIF or KI2 game: moves, comments, variations and the end.

use std::fmt;
use std::time::Duration;

use super::comment;
use super::digits::{digit, number};
use super::ending::{End, Ending, is_pause, is_plain, of_made, of_word};
use super::line::LineKind;
use super::part::{Part, PartKind, Said, is_mark, parts, said};
use crate::record::lines::Line;
use crate::record::read_game::{Problem, ReadGame};
use crate::record::usi::truncate;
use crate::record::{NodeId, Record};
use crate::shogi::notation::japanese::{ParseJapaneseError, parse_japanese};
use crate::shogi::{Color, EndReason, GameScore, Move, Position, Square};

/// The maximum number of characters of a move, with blanks between them.
const LONGEST_MOVE: usize = 30;

struct MainEnd {
    id: NodeId,
    /// The player to move.
    mover: Color,
    /// The number of moves in the main line.
    played: usize,
}

pub(super) struct Body {
    record: Record,
    before_start: Option<Square>,
    /// The nodes of the current line and their positions, the start first.
    path: Vec<(NodeId, Position)>,
    /// The offset to subtract from move numbers that do not begin with 1.
    base: Option<usize>,
    /// The numbers of pauses inside the game, in order, each with the number of pauses before it: later moves are
    /// numbered as if each were a move.
    pauses: Vec<(usize, usize)>,
    /// The comments of the last move, or those before the first move of a variation.
    comments: Vec<String>,
    early: Vec<String>,
    /// The end of the main line; none while it is being read.
    main_end: Option<MainEnd>,
    /// An ending has terminated the line.
    is_ended: bool,
    /// The number of moves that could not be played; the line cannot be followed after the first.
    lost: usize,
    /// The current variation cannot be followed.
    is_broken: bool,
    /// The line is kept as a comment.
    is_aside: bool,
    /// The line of the file in which a variation begins, until its first move.
    variation: Option<usize>,
    end: Option<End>,
}

impl Body {
    /// `before_start`: the destination of the move before the start, if it is known.
    pub fn new(start: Position, before_start: Option<Square>, comments: Vec<String>) -> Body {
        Body {
            record: Record::new(start.clone()),
            before_start,
            path: vec![(NodeId::ROOT, start)],
            base: None,
            pauses: Vec::new(),
            comments,
            early: Vec::new(),
            main_end: None,
            is_ended: false,
            lost: 0,
            is_broken: false,
            is_aside: false,
            variation: None,
            end: None,
        }
    }

    fn here(&self) -> &(NodeId, Position) {
        self.path.last().expect("the path begins at the start")
    }

    /// The destination of the last move, which may have been made before the start.
    fn previous(&self) -> Option<Square> {
        self.record[self.here().0].mv().map(Move::to).or(self.before_start)
    }

    /// The player to move, counting the moves that could not be played.
    fn mover(&self) -> Color {
        let mover = self.here().1.side_to_move();
        if self.lost.is_multiple_of(2) { mover } else { !mover }
    }

    pub fn take(&mut self, line: &Line, kind: LineKind, read: &mut ReadGame) {
        match kind {
            LineKind::Variation(number) => self.branch(line, number, read),
            // Keep it unchanged: its comments for programs do not belong to the last move.
            _ if self.is_aside => self.comments.push(line.text.trim().to_owned()),
            LineKind::Comment(comment) if self.is_broken && comment.starts_with(['#', '*']) => {
                self.comments.push(line.text.trim().to_owned());
            }
            LineKind::Comment(text) | LineKind::Bookmark(text) => match self.variation.filter(|_| !self.is_broken) {
                Some(_) => self.early.push(text.to_owned()),
                None => self.comments.push(text.to_owned()),
            },
            LineKind::Moves { .. } => self.moves(line, read),
            LineKind::Made(text) => self.made(line, 0, text, read),
            _ => {
                let message = format!("'{}' is neither a move nor a comment", truncate(line.text.trim()));
                read.problem(Problem::new(line.number, 1, message));
            }
        }
    }

    fn break_off(&mut self, line: &Line, byte: usize, message: impl fmt::Display, read: &mut ReadGame) {
        read.problem_at(line, byte, message);
        self.is_broken = true;
    }

    /// Returns to the node where a variation begins.
    fn branch(&mut self, line: &Line, number: Option<usize>, read: &mut ReadGame) {
        self.end_variation(read);
        let here = MainEnd { id: self.here().0, mover: self.mover(), played: self.path.len() - 1 };
        self.main_end.get_or_insert(here);
        (self.is_ended, self.is_broken, self.is_aside, self.lost) = (false, false, false, 0);
        match number.and_then(|number| self.index(number)).filter(|&index| index > 0) {
            Some(index) if index <= self.path.len() => {
                self.path.truncate(index);
                self.variation = Some(line.number);
                if self.is_at_main_end() {
                    let message = "a variation cannot begin where the game ends: it is kept as a comment";
                    self.put_aside(line, 0, message, read);
                }
            }
            Some(_) => self.break_off(line, 0, "the variation begins after a move that is not there", read),
            None => self.break_off(line, 0, "a variation is named by the number of its first move, 変化：3手", read),
        }
    }

    /// Whether a variation has come to the end of the main line. Its next move would look like a move of the game.
    fn is_at_main_end(&self) -> bool {
        self.main_end.as_ref().is_some_and(|end| end.id == self.here().0)
    }

    /// Keeps the rest of a variation as a comment.
    fn put_aside(&mut self, line: &Line, byte: usize, message: &str, read: &mut ReadGame) {
        self.break_off(line, byte, message, read);
        self.is_aside = true;
        self.comments.push(line.text.trim().to_owned());
    }

    fn end_variation(&mut self, read: &mut ReadGame) {
        if let Some(line) = self.variation.take().filter(|_| !self.is_broken) {
            read.problem(Problem::new(line, 1, "the variation has no moves"));
        }
        // Without a move they belong to the node at which the variation would begin.
        self.comments.append(&mut self.early);
        self.flush();
    }

    /// Whether a line of moves continues here, rather than beginning another game.
    pub fn goes_on(&self, line: &Line) -> bool {
        let parts = parts(&line.text);
        let Some(part) = parts.iter().find(|part| part.kind != PartKind::Other) else { return true };
        match part.number {
            _ if part.kind != PartKind::Move => true,
            Some(number) => number != 1 || self.path.len() == 1,
            None => {
                let is_over = self.is_broken || self.is_ended && self.pause().is_none();
                !is_over && read_move(&self.here().1, part.text, self.previous()).is_ok()
            }
        }
    }

    /// The word after which the main line may continue, and its time.
    fn pause(&self) -> Option<(&'static str, Option<Duration>)> {
        let End { word, time, .. } = self.end.filter(|_| self.main_end.is_none())?;
        Some((word.filter(|word| is_pause(word))?, time))
    }

    pub fn moves(&mut self, line: &Line, read: &mut ReadGame) {
        for part in parts(&line.text) {
            match part.kind {
                PartKind::Made => self.made(line, part.at, part.text, read),
                PartKind::Ending(word) => self.ending(line, part, word, read),
                PartKind::Move if self.is_broken => self.lost += 1,
                PartKind::Move => self.numbered(line, part, read),
                PartKind::Other => {
                    let text = truncate(part.text);
                    let message = match part.number {
                        Some(_) => format!("'{text}' is not a known ending such as 投了"),
                        None => not_understood(part.text),
                    };
                    read.problem_at(line, part.at, message);
                }
            }
        }
    }

    /// The number of the next move.
    fn expected(&mut self, number: usize) -> usize {
        let played = (self.record.start().move_number() - 1) as usize;
        let base = *self.base.get_or_insert(if number == played + 1 { played } else { 0 });
        let counted = base + self.path.len();
        counted + self.pauses.partition_point(|&(pause, earlier)| pause <= counted + earlier)
    }

    /// The index in the path of the move with this number.
    fn index(&self, number: usize) -> Option<usize> {
        let pauses = self.pauses.partition_point(|&(pause, _)| pause < number);
        number.checked_sub(self.base.unwrap_or(0) + pauses)
    }

    /// Reads a move, possibly with a number before it.
    fn numbered(&mut self, line: &Line, part: Part, read: &mut ReadGame) {
        if self.is_ended && !self.resume(part.number) {
            self.lost += 1;
            return self.break_off(
                line,
                part.at,
                format!("'{}' comes after the end of the line", truncate(part.text)),
                read,
            );
        }
        if let Some(number) = part.number {
            let expected = self.expected(number);
            if number != expected {
                self.lost += 1;
                return self.break_off(line, 0, format!("move {expected} expected here"), read);
            }
        }
        self.flush();
        let (mv, said) = match read_move(&self.here().1, part.text, self.previous()) {
            Ok(read) => read,
            Err(message) => {
                self.lost += 1;
                return self.break_off(line, part.at, message, read);
            }
        };
        if self.is_at_main_end() {
            let message = "a variation cannot go on where the game ends: the rest is kept as a comment";
            return self.put_aside(line, part.at, message, read);
        }
        let (id, position) = self.here();
        let (id, after) = (*id, position.after(mv));
        let id = self.record.add(id, mv);
        // A variation that repeats a move of the game keeps its time.
        if said.time.is_some() && self.record[id].notes().time.is_none() {
            self.record.set_time(id, said.time).expect("the move was just played");
        }
        self.path.push((id, after));
        self.comments.append(&mut self.early);
        self.comments.extend(Some(said.note).filter(|note| !note.is_empty()));
        self.variation = None;
    }

    /// Continues after a pause, which may have had its own number. The pause becomes a comment.
    fn resume(&mut self, number: Option<usize>) -> bool {
        let Some((word, time)) = self.pause() else { return false };
        if let Some(number) = number {
            let pause = self.expected(number);
            if number == pause + 1 {
                self.pauses.push((pause, self.pauses.len()));
            }
        }
        self.comments.push(with_time(word, time));
        (self.end, self.is_ended) = (None, false);
        true
    }

    /// Reads an ending in place of a move.
    fn ending(&mut self, line: &Line, part: Part, word: &'static str, read: &mut ReadGame) {
        let said = said(part.text);
        if self.main_end.is_some() {
            // The tree only has a result for the game.
            self.comments.push(with_time(&said.text, said.time));
        } else {
            if let Some(number) = part.number.filter(|_| !self.is_broken && !self.is_ended) {
                let expected = self.expected(number);
                if number != expected {
                    read.problem(Problem::new(line.number, 1, format!("move {expected} expected here")));
                }
            }
            // After unreadable lines, the move's own number tells whose turn it is.
            let mover = match part.number.filter(|_| !read.problems.is_empty()) {
                Some(number) => {
                    let to_move = self.here().1.side_to_move();
                    if self.expected(number).abs_diff(number).is_multiple_of(2) { to_move } else { !to_move }
                }
                None => self.mover(),
            };
            let mover = part.color().unwrap_or(mover);
            let ending = self.with_winner(of_word(word, mover).expect("it is a word for an ending"));
            match self.end {
                Some(end) if end.ending != ending => {
                    let message = format!("'{}' comes after the end of the game", truncate(part.text));
                    read.problem_at(line, part.at, message);
                }
                Some(end) if said.time.is_some_and(|time| end.time != Some(time)) => {
                    self.comments.push(with_time(word, said.time));
                }
                Some(_) => {}
                None => self.end = Some(End { ending, word: Some(word), time: said.time }),
            }
            let tail = said.text.trim_start_matches(|c: char| is_mark(c) || c.is_whitespace());
            self.comments
                .extend(tail.strip_prefix(word).map(|tail| tail.trim().to_owned()).filter(|tail| !tail.is_empty()));
        }
        self.comments.extend(Some(said.note).filter(|note| !note.is_empty()));
        self.is_ended = true;
    }

    /// The ending with the winner by perpetual check, if it does not name him.
    fn with_winner(&self, ending: Ending) -> Ending {
        if ending != (None, Some(EndReason::PerpetualCheck)) || self.is_broken {
            return ending;
        }
        // The side in check is known throughout; otherwise it was the opponent.
        let position = &self.here().1;
        let winner = if position.in_check() { position.side_to_move() } else { !position.side_to_move() };
        (Some(GameScore::from(Some(winner))), ending.1)
    }

    /// `まで3手で先手の勝ち`
    fn made(&mut self, line: &Line, at: usize, text: &str, read: &mut ReadGame) {
        let mut problem = |message: String| read.problem_at(line, at, message);
        // After variations it may still refer to the main line.
        let mover = self.main_end.as_ref().map_or(self.mover(), |end| end.mover);
        let Some((ending, word)) = of_made(text, mover) else {
            return problem(format!(
                "'{}' says nothing of the end of a game, such as まで3手で先手の勝ち",
                truncate(text)
            ));
        };
        self.is_ended = true;
        if self.main_end.is_some() && (self.end.is_some() || self.is_of_variation(text)) {
            return self.comments.push(text.to_owned());
        }
        // Without a reason the winner has won by resignation, unless another reason is known.
        let is_bare = ending.1 == Some(EndReason::Resignation);
        let ending = if self.main_end.is_none() && self.end.is_none() { self.with_winner(ending) } else { ending };
        let adds = match &mut self.end {
            None => {
                self.end = Some(End { ending, word, time: None });
                false
            }
            Some(End { ending: known @ (None, _), .. }) if ending.0.is_some() => {
                known.0 = ending.0;
                if !is_bare || known.1.is_none() {
                    known.1 = ending.1;
                }
                false
            }
            Some(End { ending: known, .. }) if known.0 != ending.0 => {
                problem(format!("'{}' contradicts the end of the game above it", truncate(text)));
                false
            }
            Some(End { ending: known, .. }) => known.1 != ending.1 && !is_bare,
        };
        if adds || !is_plain(text) {
            self.comments.push(text.to_owned());
        }
    }

    /// Whether a line about the end counts the moves of the current variation instead of the main line.
    fn is_of_variation(&self, made: &str) -> bool {
        let digits: String =
            made.chars().skip_while(|&c| digit(c).is_none()).take_while(|&c| digit(c).is_some()).collect();
        let played = number(&digits).map(|count| self.index(count).unwrap_or(0));
        let main = self.main_end.as_ref().map(|end| end.played);
        played.is_some_and(|count| Some(count) != main && count == self.path.len() - 1)
    }

    /// Attaches the comments to their nodes.
    fn flush(&mut self) {
        if self.comments.is_empty() {
            return;
        }
        let lines = std::mem::take(&mut self.comments);
        let (id, position) = self.here();
        let (id, is_root) = (*id, *id == NodeId::ROOT);
        let mover = if is_root { position.side_to_move() } else { !position.side_to_move() };
        let notes = comment::read(&lines, mover, position, self.record[id].mv(), self.record[id].notes());
        let record = &mut self.record;
        // The values include those that the node already has.
        let mut noted = record
            .add_comment(id, &notes.comment)
            .and_then(|()| record.set_legal_evaluation(id, notes.evaluation))
            .and_then(|()| record.set_former_end(id, notes.former_end));
        if !is_root {
            noted = noted.and_then(|()| record.set_mark(id, notes.mark));
        }
        for glyph in notes.glyphs {
            noted = noted.and_then(|()| record.add_glyph(id, glyph));
        }
        noted.expect("the path's places are there");
    }

    pub fn finish(mut self, read: &mut ReadGame) -> (Record, Option<End>) {
        self.end_variation(read);
        (self.record, self.end)
    }
}

/// The move in a part after a move to `previous`, and the notes next to it. If the text is not a move, its longest
/// beginning that is one counts.
pub(super) fn read_move(position: &Position, text: &str, previous: Option<Square>) -> Result<(Move, Said), String> {
    let mut said = said(text);
    let ends = said.text.char_indices().map(|(at, _)| at).skip(1).take(LONGEST_MOVE).chain([said.text.len()]);
    for end in ends.collect::<Vec<_>>().into_iter().rev() {
        match parse_japanese(position, &said.text[..end], previous) {
            Ok(mv) => {
                let tail = said.text.split_off(end);
                // Marks between moves are no comment.
                if !tail.chars().all(|c| c.is_whitespace() || "、，,。．.".contains(c)) {
                    said.note(&tail);
                }
                return Ok((mv, said));
            }
            Err(ParseJapaneseError::NotAMove(_)) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Err(not_understood(&said.text))
}

fn not_understood(text: &str) -> String {
    format!("'{}' is neither a move in Japanese notation nor an ending such as 投了", truncate(text))
}

/// An ending as a comment.
fn with_time(word: &str, time: Option<Duration>) -> String {
    let time = time.map(|time| time.as_secs()).filter(|&seconds| seconds > 0);
    time.map_or(word.to_owned(), |seconds| format!("{word} ({}:{:02})", seconds / 60, seconds % 60))
}
