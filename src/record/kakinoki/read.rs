//! The reader of KIF and KI2: it splits a file into games and passes each line to the header, board or body.

use std::collections::HashSet;
use std::io::{self, BufRead};

use super::board::{NINE_BY_NINE, Start};
use super::body::{Body, read_move};
use super::header::{Fields, is_known_key};
use super::line::{LineKind, line_kind};
use super::part::{Part, PartKind, parts};
use crate::record::Format;
use crate::record::lines::{Line, Lines};
use crate::record::read_game::{GameReader, Problem, ReadGame};
use crate::record::usi::truncate;
use crate::shogi::Color;

/// The games of a file: the header of the next game ends the one before.
pub(in crate::record) struct Games {
    format: Format,
}

impl Games {
    /// [`Format::Kif`] and [`Format::Ki2`] are read alike.
    pub fn new(format: Format) -> Games {
        Games { format }
    }
}

impl<R: BufRead> GameReader<R> for Games {
    fn next(&mut self, lines: &mut Lines<R>) -> io::Result<Option<ReadGame>> {
        let mut game: Option<Game> = None;
        // Lines from a header line after moves on: the following moves tell to which game they belong.
        let mut held: Vec<Line> = Vec::new();
        while let Some(line) = lines.next()? {
            let kind = line_kind(&line.text);
            let Some(game) = &mut game else {
                if !says_nothing(kind) || line.broken.is_some() {
                    game.insert(Game::new(line.number, self.format)).take(&line);
                }
                continue;
            };
            match game.place(kind, &line, &held) {
                Place::Unknown => held.push(line),
                Place::Here => held.drain(..).chain([line]).for_each(|line| game.take(&line)),
                Place::Next => {
                    held.push(line);
                    lines.put_back(std::mem::take(&mut held));
                    break;
                }
                Place::Begin => {
                    lines.put_back(vec![line]);
                    break;
                }
            }
        }
        Ok(game.map(|mut game| {
            held.iter().for_each(|line| game.take(line));
            game.finish()
        }))
    }
}

/// The game to which a line belongs.
enum Place {
    Here,
    /// The next game, together with all held lines.
    Next,
    /// The next game, which it begins.
    Begin,
    /// Unknown until more lines are read.
    Unknown,
}

/// Whether a line has no content for this program.
fn says_nothing(kind: LineKind) -> bool {
    matches!(kind, LineKind::Blank | LineKind::Program(_) | LineKind::TableHead)
}

/// Whether a line has a key of other programs.
fn is_of_header(line: &Line) -> bool {
    matches!(line_kind(&line.text), LineKind::Header { key, .. } if is_known_key(key))
}

/// The game being read.
struct Game {
    read: ReadGame,
    fields: Fields,
    start: Start,
    /// The line at which the board begins, or the line of its name.
    start_line: Option<usize>,
    /// The known keys read so far.
    keys: HashSet<String>,
    /// Whether a line of the format has been read.
    is_known: bool,
    /// The start is invalid, so the moves have no meaning.
    is_refused: bool,
    body: Option<Body>,
    /// Comments before the first move.
    comments: Vec<String>,
    /// Lines of moves, endings and variations before the first playable move; they belong to the game if there is none.
    early: Vec<Line>,
    /// The number of unplayable moves in them, after the header and endings.
    lost: usize,
}

impl Game {
    fn new(line: usize, format: Format) -> Game {
        Game {
            read: ReadGame::new(line, format),
            fields: Fields::default(),
            start: Start::default(),
            start_line: None,
            keys: HashSet::new(),
            is_known: false,
            is_refused: false,
            body: None,
            comments: Vec::new(),
            early: Vec::new(),
            lost: 0,
        }
    }

    /// The game to which a line belongs, after the held lines.
    fn place(&self, kind: LineKind, line: &Line, held: &[Line]) -> Place {
        let is_begun = self.body.is_some() || !self.early.is_empty();
        let is_open = is_begun || !held.is_empty();
        let is_sign = |text: &str| ["#KIF", "# KIF", "# --"].iter().any(|begin| text.starts_with(begin));
        match (kind, &self.body) {
            (LineKind::Program(text), Some(_)) if is_sign(text) => Place::Begin,
            // Without a playable move, a repeated key belongs to the next game if a line that begins one, or a line of
            // the body, came before it.
            (LineKind::Header { key, .. }, None) if is_open && self.keys.contains(key) => Place::Next,
            // Diagrams follow each other.
            (LineKind::Header { key, .. }, None)
                if key.ends_with("の持駒")
                    && self.keys.contains(key)
                    && (self.is_refused || self.start.is_board_whole()) =>
            {
                Place::Begin
            }
            (LineKind::Row(_), None) if held.is_empty() && self.start.is_board_whole() => Place::Begin,
            (LineKind::Header { .. }, _) if is_open => Place::Unknown,
            (LineKind::Header { key: key @ "手合割", .. }, _) if self.keys.contains(key) => Place::Unknown,
            (LineKind::Program(text), _) if self.is_known && is_sign(text) => Place::Unknown,
            _ if held.is_empty() => Place::Here,
            (LineKind::Row(_) | LineKind::TableHead, Some(_)) => Place::Next,
            (LineKind::Moves { .. }, Some(body)) if !body.goes_on(line) && held.iter().any(is_of_header) => Place::Next,
            (LineKind::Row(_) | LineKind::TableHead | LineKind::Made(_) | LineKind::Variation(_), _)
            | (LineKind::Moves { .. }, _) => Place::Here,
            _ => Place::Unknown,
        }
    }

    fn problem(&mut self, line: &Line, message: impl std::fmt::Display) {
        self.read.problem(Problem::new(line.number, 1, message));
    }

    fn take(&mut self, line: &Line) {
        if let Some(problem) = Problem::of_encoding(line) {
            self.read.problem(problem);
        }
        let kind = line_kind(&line.text);
        if !matches!(kind, LineKind::Moves { .. } | LineKind::Comment(_) | LineKind::Bookmark(_) | LineKind::Blank) {
            self.lost = 0;
        }
        match kind {
            kind if says_nothing(kind) => return,
            LineKind::Moves { .. } if self.body.is_none() => return self.first_moves(line),
            LineKind::Other(text) if self.body.is_none() => return self.stray(line, text),
            _ => self.is_known = true,
        }
        if let LineKind::Header { key, value } = kind {
            return self.header(line, key, value);
        }
        if let Some(body) = &mut self.body {
            return body.take(line, kind, &mut self.read);
        }
        match kind {
            LineKind::Made(_) | LineKind::Variation(_) => self.early.push(line.clone()),
            _ if self.is_refused => {}
            // Values for programs after unplayable moves do not belong to the start.
            LineKind::Comment(comment) if !self.early.is_empty() && comment.starts_with(['#', '*']) => {
                self.comments.push(line.text.trim().to_owned());
            }
            LineKind::Comment(comment) | LineKind::Bookmark(comment) => self.comments.push(comment.to_owned()),
            LineKind::Row(row) => {
                self.begin_board(line);
                // The label of the row follows it.
                let mut label = row.split(['|', '｜']).skip(1).map(str::trim);
                if label.any(|label| label.chars().count() > 1) {
                    self.problem(line, "more stands behind this row of the board than its name: it is ignored");
                }
                let taken = self.start.row(row);
                self.refuse_if(line.number, taken);
            }
            LineKind::Side(side) => self.side(line, side),
            LineKind::Played { count, .. } if self.start.played.is_some() && self.start.played != count => {
                self.problem(line, "the number of the moves before comes again: it is ignored");
            }
            LineKind::Played { count, last } => (self.start.played, self.start.last) = (count, last),
            LineKind::Frame(Some(9)) => self.refuse_if(line.number, Err(NINE_BY_NINE.to_owned())),
            _ => {}
        }
    }

    /// Problems of the position are reported at the board's first line, if there is one.
    fn begin_board(&mut self, line: &Line) {
        if !self.start.has_board() {
            self.start_line = Some(line.number);
        }
    }

    fn side(&mut self, line: &Line, side: Color) {
        if *self.start.side.get_or_insert(side) != side {
            self.problem(line, "the other player is to move by a line above: this one is ignored");
        }
    }

    /// Reports a line that does not belong to the format.
    fn stray(&mut self, line: &Line, text: &str) {
        let message = format!("'{}' is not a line of KIF: a header, a board or a move expected", truncate(text));
        self.problem(line, message);
    }

    /// Reads a line of moves before the first playable one.
    fn first_moves(&mut self, line: &Line) {
        let parts = parts(&line.text);
        let Some(first) = parts.iter().find(|part| part.kind != PartKind::Other) else {
            return self.stray(line, line.text.trim());
        };
        self.is_known = true;
        if !self.begins(first) {
            let lost = parts.iter().rev().take_while(|part| part.kind == PartKind::Move).count();
            self.lost = if lost == parts.len() { self.lost + lost } else { lost };
            return self.early.push(line.clone());
        }
        for early in std::mem::take(&mut self.early) {
            self.pass_over(&early);
        }
        self.begin(line.number);
        if let Some(body) = &mut self.body {
            body.moves(line, &mut self.read);
        }
    }

    /// Whether a part can be the first move of the game. After unplayable moves, its number or its mark may show that
    /// it does not follow them.
    fn begins(&self, part: &Part) -> bool {
        let Ok(start) = self.start.position() else { return false };
        let is_first = match part.number {
            Some(number) => number == 1 || number == start.move_number() as usize,
            None => self.lost == 0 || part.color().is_some() && !self.lost.is_multiple_of(2),
        };
        part.kind == PartKind::Move
            && !self.is_refused
            && is_first
            && read_move(&start, part.text, self.start.last).is_ok()
    }

    fn pass_over(&mut self, line: &Line) {
        let where_to = if self.body.is_some() { "after" } else { "before" };
        let message = format!("'{}' comes {where_to} the first move: it is ignored", truncate(line.text.trim()));
        self.problem(line, message);
    }

    fn refuse_if(&mut self, line: usize, taken: Result<(), String>) {
        if let Err(message) = taken {
            // The reason why there is no game is always reported, regardless of the number of problems.
            self.read.problems.push(Problem::new(line, 1, message));
            self.is_refused = true;
        }
    }

    fn header(&mut self, line: &Line, key: &str, value: &str) {
        let is_again = is_known_key(key) && !self.keys.insert(key.to_owned());
        let is_of_start = key == "手合割" || key == "手番" || key.ends_with("の持駒") && is_known_key(key);
        if self.body.is_some() && (is_again || is_of_start) {
            return self.pass_over(line);
        }
        if is_of_start && is_again {
            return self.problem(line, format!("'{key}' comes again: it is ignored"));
        }
        match key {
            "手合割" => {
                self.start_line.get_or_insert(line.number);
                self.start.handicap = Some(value.to_owned()).filter(|value| !value.is_empty());
            }
            _ if is_of_start && self.is_refused => {}
            "手番" => match value.chars().next() {
                Some('先' | '下') => self.side(line, Color::Black),
                Some('後' | '上') => self.side(line, Color::White),
                _ => self.problem(
                    line,
                    format!("'{}' names no player to move: write 手番：先手 or 手番：後手", truncate(value)),
                ),
            },
            _ if is_of_start => {
                self.begin_board(line);
                let color = if key.starts_with(['先', '下']) { Color::Black } else { Color::White };
                let taken = self.start.hand(color, value);
                self.refuse_if(line.number, taken);
            }
            _ => {
                self.start.is_unequal |= matches!(key, "下手" | "上手");
                self.fields.take(key, value);
            }
        }
    }

    /// Begins the moves.
    fn begin(&mut self, line: usize) {
        if self.body.is_some() || self.is_refused {
            return;
        }
        match self.start.position() {
            Ok(start) => self.body = Some(Body::new(start, self.start.last, std::mem::take(&mut self.comments))),
            Err(message) => self.refuse_if(self.start_line.unwrap_or(line), Err(message)),
        }
    }

    fn finish(mut self) -> ReadGame {
        if !self.is_known {
            return self.read;
        }
        self.begin(self.read.line);
        if let Some(mut body) = self.body {
            for line in std::mem::take(&mut self.early) {
                body.take(&line, line_kind(&line.text), &mut self.read);
            }
            let (mut record, end) = body.finish(&mut self.read);
            if let Some(name) = self.start.foreign_handicap() {
                self.fields.header.tags.push(("手合割".to_owned(), name.to_owned()));
            }
            record.header = self.fields.finish(end);
            self.read.record = Some(record);
        }
        // Problems that were found later are sorted by line.
        self.read.problems.sort_by_key(|problem| (problem.line, problem.column));
        self.read
    }
}
