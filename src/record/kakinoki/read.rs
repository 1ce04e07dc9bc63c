use std::io::{self, BufRead};
use std::time::Duration;

use super::board::Start;
use super::ending::{Ending, of_made, of_word};
use super::header::{Fields, is_known_key};
use super::line::{LineKind, MARKS, digit, line_kind};
use super::{comment, comment::marked};
use crate::record::lines::{Line, Lines};
use crate::record::reader::{Problem, ReadGame};
use crate::record::usi::cut;
use crate::record::{Format, NodeId, Record};
use crate::shogi::notation::japanese::{ParseJapaneseError, parse_japanese};
use crate::shogi::{Color, Position};

/// The games of a file: the header of the next ends the one before.
pub(in crate::record) struct Games {
    format: Format,
}

impl Games {
    /// [`Format::Kif`] and [`Format::Ki2`] are read alike.
    pub fn new(format: Format) -> Games {
        Games { format }
    }

    pub fn next<R: BufRead>(&mut self, lines: &mut Lines<R>) -> io::Result<Option<ReadGame>> {
        let mut game: Option<Game> = None;
        while let Some(line) = lines.peek()? {
            let kind = line_kind(&line.text);
            if game.as_ref().is_some_and(|game| game.is_over_before(kind)) {
                break;
            }
            let nothing = matches!(kind, LineKind::Blank | LineKind::Program(_)) && line.broken.is_none();
            let Some(line) = lines.next()? else { break };
            if game.is_some() || !nothing {
                game.get_or_insert_with(|| Game::new(line.number, self.format)).take(&line);
            }
        }
        Ok(game.map(Game::finish))
    }
}

/// A game that is being read.
struct Game {
    read: ReadGame,
    fields: Fields,
    start: Start,
    /// Where the board begins, or else what it is called.
    start_line: Option<usize>,
    /// A line of no kind, before anything else made sense.
    stray: Option<Problem>,
    /// Whether any line of the format was seen.
    is_known: bool,
    /// The start cannot be made out, so that the moves mean nothing.
    is_refused: bool,
    body: Option<Body>,
    /// Comments before the first move.
    comments: Vec<String>,
}

impl Game {
    fn new(line: usize, format: Format) -> Game {
        Game {
            read: ReadGame::new(line, format),
            fields: Fields::default(),
            start: Start::default(),
            start_line: None,
            stray: None,
            is_known: false,
            is_refused: false,
            body: None,
            comments: Vec::new(),
        }
    }

    /// Whether a line belongs to the next game.
    fn is_over_before(&self, kind: LineKind) -> bool {
        let has_body = self.body.is_some() || self.is_refused;
        match kind {
            // A game without moves ends where the next one's handicap is named.
            LineKind::Header { key, .. } => {
                has_body && is_known_key(key) || key == "手合割" && self.start.handicap.is_some()
            }
            LineKind::Program(text) => {
                self.is_known && ["#KIF", "# KIF", "# --"].iter().any(|begin| text.starts_with(begin))
            }
            _ => false,
        }
    }

    fn take(&mut self, line: &Line) {
        if let Some(problem) = Problem::of_encoding(line) {
            self.read.problem(problem);
        }
        let kind = line_kind(&line.text);
        match kind {
            LineKind::Blank | LineKind::Program(_) => return,
            LineKind::Other(text) if self.body.is_none() => {
                let message = format!("'{}' is no line of KIF: a header, a board or a move expected", cut(text));
                self.stray.get_or_insert(Problem::new(line.number, 1, message));
                return;
            }
            _ => self.is_known = true,
        }
        if self.is_refused {
            return;
        }
        match kind {
            LineKind::Header { key, value } => self.header(line, key, value),
            LineKind::Comment(comment) if self.body.is_none() => self.comments.push(comment.to_owned()),
            LineKind::Row(row) if self.body.is_none() => {
                self.start_line.get_or_insert(line.number);
                let taken = self.start.row(row);
                self.refuse_if(line.number, taken);
            }
            LineKind::Side(side) if self.body.is_none() => self.start.side = Some(side),
            LineKind::Played(played) if self.body.is_none() => self.start.played = played,
            LineKind::Frame(Some(9)) if self.body.is_none() => {
                self.refuse_if(line.number, Err(super::board::NINE_BY_NINE.to_owned()));
            }
            LineKind::Frame(_) | LineKind::Bookmark | LineKind::Played(_) => {}
            _ => {
                self.begin(line.number);
                if let Some(body) = &mut self.body {
                    body.take(line, kind, &mut self.read);
                }
            }
        }
    }

    fn refuse_if(&mut self, line: usize, taken: Result<(), String>) {
        if let Err(message) = taken {
            self.read.problem(Problem::new(line, 1, message));
            self.is_refused = true;
        }
    }

    fn header(&mut self, line: &Line, key: &str, value: &str) {
        if self.body.is_some() {
            // After the moves only what no program would begin a game with.
            return self.fields.take(key, value);
        }
        match key {
            "手合割" => {
                self.start_line.get_or_insert(line.number);
                self.start.handicap = Some(value.to_owned()).filter(|value| !value.is_empty());
            }
            "先手の持駒" | "下手の持駒" | "後手の持駒" | "上手の持駒" => {
                let color = if key.starts_with(['先', '下']) { Color::Black } else { Color::White };
                self.start_line.get_or_insert(line.number);
                let taken = self.start.hand(color, value);
                self.refuse_if(line.number, taken);
            }
            "手番" => {
                let is_white = value.starts_with(['後', '上']);
                self.start.side = Some(if is_white { Color::White } else { Color::Black });
            }
            _ => {
                self.start.is_unequal |= matches!(key, "下手" | "上手");
                self.fields.take(key, value);
            }
        }
    }

    /// Begins with the moves.
    fn begin(&mut self, line: usize) {
        if self.body.is_some() || self.is_refused {
            return;
        }
        match self.start.position() {
            Ok(start) => self.body = Some(Body::new(start, std::mem::take(&mut self.comments))),
            Err(message) => self.refuse_if(self.start_line.unwrap_or(line), Err(message)),
        }
    }

    fn finish(mut self) -> ReadGame {
        if !self.is_known {
            self.stray.take().into_iter().for_each(|problem| self.read.problem(problem));
            return self.read;
        }
        self.begin(self.read.line);
        if let Some(body) = self.body {
            let (mut record, ending) = body.finish();
            record.header = self.fields.finish(ending);
            self.read.record = Some(record);
        }
        self.read
    }
}

/// The moves of a game.
struct Body {
    record: Record,
    /// The line that is being read: places and the positions there, the start first.
    path: Vec<(NodeId, Position)>,
    /// What is taken off the numbers of the moves, where they do not begin with 1.
    base: Option<usize>,
    /// Comments of the last move, and those before the first move of a variation.
    comments: Vec<String>,
    early: Vec<String>,
    /// Where the main line ends; nothing while it is being read.
    main_end: Option<NodeId>,
    /// A word instead of a move has ended the line.
    is_ended: bool,
    /// The line cannot be followed any more.
    is_broken: bool,
    /// The line is kept as a comment.
    is_aside: bool,
    is_first: bool,
    ending: Option<Ending>,
}

impl Body {
    fn new(start: Position, comments: Vec<String>) -> Body {
        Body {
            record: Record::new(start.clone()),
            path: vec![(NodeId::ROOT, start)],
            base: None,
            comments,
            early: Vec::new(),
            main_end: None,
            is_ended: false,
            is_broken: false,
            is_aside: false,
            is_first: false,
            ending: None,
        }
    }

    fn here(&self) -> &(NodeId, Position) {
        self.path.last().expect("the path begins at the start")
    }

    fn take(&mut self, line: &Line, kind: LineKind, read: &mut ReadGame) {
        match kind {
            LineKind::Variation(number) => self.branch(line, number, read),
            // As it stands: what its comments say to programs is not said of the last move.
            _ if self.is_aside => self.comments.push(line.text.trim().to_owned()),
            LineKind::Comment(_) if self.is_broken => {}
            LineKind::Comment(comment) if self.is_first => self.early.push(comment.to_owned()),
            LineKind::Comment(comment) => self.comments.push(comment.to_owned()),
            LineKind::Move { number, at } if !self.is_broken => self.numbered(line, number, at, read),
            LineKind::Moves if !self.is_broken => {
                let text = line.text.as_str();
                for (at, mv) in marked(text) {
                    let length = mv.find("まで").unwrap_or(mv.len());
                    if !self.play(line, at, mv[..length].trim_end(), None, read) {
                        break;
                    }
                }
            }
            LineKind::Made(text) => {
                if self.main_end.is_none() && !self.is_broken && self.ending.is_none() {
                    self.ending = of_made(text, self.here().1.side_to_move());
                }
                self.is_ended = true;
            }
            LineKind::Other(text) if !self.is_broken => {
                let message = format!("'{}' is neither a move nor a comment", cut(text));
                read.problem(Problem::new(line.number, 1, message));
            }
            _ => {}
        }
    }

    fn break_off(&mut self, line: &Line, byte: usize, message: impl std::fmt::Display, read: &mut ReadGame) {
        read.problem(Problem::new(line.number, line.column(byte), message));
        self.is_broken = true;
    }

    /// Goes back to where a variation begins.
    fn branch(&mut self, line: &Line, number: Option<usize>, read: &mut ReadGame) {
        self.flush();
        self.early.clear();
        let here = self.here().0;
        let main_end = *self.main_end.get_or_insert(here);
        (self.is_ended, self.is_broken, self.is_aside, self.is_first) = (false, false, false, true);
        let index = number.and_then(|number| number.checked_sub(self.base.unwrap_or(0))).filter(|&index| index > 0);
        match index {
            Some(index) if index <= self.path.len() => {
                self.path.truncate(index);
                if self.here().0 == main_end {
                    // Its moves would pass for what was played.
                    let message = "a variation cannot begin where the game ends: it is kept as a comment";
                    self.break_off(line, 0, message, read);
                    self.is_aside = true;
                    self.comments.push(line.text.trim().to_owned());
                }
            }
            Some(_) => self.break_off(line, 0, "the variation begins after a move that is not there", read),
            None => self.break_off(line, 0, "a variation is named by the number of its first move, 変化：3手", read),
        }
    }

    /// A line of KIF.
    fn numbered(&mut self, line: &Line, number: Option<usize>, at: usize, read: &mut ReadGame) {
        let played = (self.record.start().move_number() - 1) as usize;
        let base = *self.base.get_or_insert(if number == Some(played + 1) { played } else { 0 });
        let expected = base + self.path.len();
        if number != Some(expected) && !self.is_ended {
            return self.break_off(line, 0, format!("move {expected} expected here"), read);
        }
        let (mv, time) = split_time(&line.text[at..]);
        let mover = self.here().1.side_to_move();
        if let Some(ending) = of_word(mv.trim_matches(|c: char| c.is_whitespace() || c == '+'), mover) {
            if self.main_end.is_none() && !self.is_ended {
                self.ending = Some(ending);
            }
            self.is_ended = true;
            return;
        }
        let begins_a_move = |c: char| digit(c).is_some() || c == '同' || MARKS.contains(&c);
        if !self.is_ended && !mv.trim_start().starts_with(begins_a_move) && !mv.trim().is_empty() {
            // An ending in somebody's own words: what else could be played there is kept.
            let message = format!("'{}' is no ending that is known, such as 投了", cut(mv.trim()));
            read.problem(Problem::new(line.number, line.column(at), message));
            self.is_ended = true;
            return;
        }
        self.play(line, at, mv.trim_end_matches(|c: char| c.is_whitespace() || c == '+'), time, read);
    }

    /// Plays a move that stands at this byte; says whether the line goes on.
    fn play(&mut self, line: &Line, at: usize, text: &str, time: Option<Duration>, read: &mut ReadGame) -> bool {
        if self.is_ended {
            self.break_off(line, at, format!("'{}' comes after the end of the line", cut(text)), read);
            return false;
        }
        self.flush();
        let (id, position) = self.here();
        let previous = self.record[*id].mv();
        let mv = match parse_japanese(position, text, previous) {
            Ok(mv) => mv,
            Err(ParseJapaneseError::NotAMove(_)) => {
                let message =
                    format!("'{}' is neither a move in Japanese notation nor an ending such as 投了", cut(text));
                self.break_off(line, at, message, read);
                return false;
            }
            Err(error) => {
                self.break_off(line, at, error, read);
                return false;
            }
        };
        let (id, after) = (*id, position.after(mv));
        let id = self.record.add(id, mv);
        if time.is_some() {
            self.record.set_time(id, time).expect("the move was just played");
        }
        self.path.push((id, after));
        self.comments.append(&mut self.early);
        self.is_first = false;
        true
    }

    /// Puts the comments where they belong.
    fn flush(&mut self) {
        if self.comments.is_empty() {
            return;
        }
        let lines = std::mem::take(&mut self.comments);
        let (id, position) = self.here();
        let (id, is_root) = (*id, *id == NodeId::ROOT);
        let mover = if is_root { position.side_to_move() } else { !position.side_to_move() };
        let notes = comment::read(&lines, mover, position, self.record[id].mv());
        let record = &mut self.record;
        let mut noted = record.add_comment(id, &notes.comment);
        if notes.evaluation.is_some() {
            noted = noted.and_then(|()| record.set_legal_evaluation(id, notes.evaluation));
        }
        if notes.mark.is_some() && !is_root {
            noted = noted.and_then(|()| record.set_mark(id, notes.mark));
        }
        for glyph in notes.glyphs {
            noted = noted.and_then(|()| record.add_glyph(id, glyph));
        }
        noted.expect("the path's places are there");
    }

    fn finish(mut self) -> (Record, Option<Ending>) {
        self.flush();
        (self.record, self.ending)
    }
}

/// Splits the time off a move: `６四歩(65)   ( 0:12/00:00:12)+`.
fn split_time(text: &str) -> (&str, Option<Duration>) {
    const BRACKETS: [char; 4] = ['(', '（', ')', '）'];
    let mut brackets = text.match_indices(BRACKETS).peekable();
    while let Some((at, bracket)) = brackets.next() {
        let end = brackets.peek().map_or(text.len(), |&(end, _)| end);
        let inside = &text[at + bracket.len()..end];
        if matches!(bracket, "(" | "（") && inside.contains(':') {
            return (&text[..at], duration(inside.split('/').next().unwrap_or_default()));
        }
    }
    (text, None)
}

/// `0:12`, `1:02:03`, with a fraction of a second perhaps.
fn duration(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        let part: f64 = part.trim().parse().ok()?;
        seconds = seconds * 60.0 + part;
    }
    (0.0..1e9).contains(&seconds).then(|| Duration::from_millis((seconds * 1000.0).round() as u64))
}
