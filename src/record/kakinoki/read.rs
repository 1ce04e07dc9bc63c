use std::collections::HashSet;
use std::io::{self, BufRead};

use super::board::{NINE_BY_NINE, Start};
use super::body::Body;
use super::header::{Fields, is_known_key};
use super::line::{LineKind, line_kind};
use super::part::{PartKind, parts};
use crate::record::Format;
use crate::record::lines::{Line, Lines};
use crate::record::reader::{Problem, ReadGame};
use crate::record::usi::cut;
use crate::shogi::Color;

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
            let nothing = says_nothing(kind) && line.broken.is_none();
            let Some(line) = lines.next()? else { break };
            if game.is_some() || !nothing {
                game.get_or_insert_with(|| Game::new(line.number, self.format)).take(&line);
            }
        }
        Ok(game.map(Game::finish))
    }
}

/// Whether a line is for the eye, or for programs.
fn says_nothing(kind: LineKind) -> bool {
    matches!(kind, LineKind::Blank | LineKind::Program(_) | LineKind::TableHead)
}

/// A game that is being read.
struct Game {
    read: ReadGame,
    fields: Fields,
    start: Start,
    /// Where the board begins, or else what it is called.
    start_line: Option<usize>,
    /// The known keys that have come.
    keys: HashSet<String>,
    /// Whether any line of the format was seen.
    is_known: bool,
    /// The start cannot be made out, so that the moves mean nothing.
    is_refused: bool,
    body: Option<Body>,
    /// Comments before the first move.
    comments: Vec<String>,
    /// Endings before the first move: the game's own if none comes.
    early: Vec<Line>,
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
        }
    }

    /// Whether a line belongs to the next game.
    fn is_over_before(&self, kind: LineKind) -> bool {
        let has_body = self.body.is_some() || self.is_refused;
        match kind {
            // A game without moves ends where the next one's handicap is named, or after its end where a key comes again.
            LineKind::Header { key, .. } => {
                let comes_again = !self.early.is_empty() && self.keys.contains(key);
                (has_body || comes_again) && is_known_key(key)
                    || key == "手合割" && self.start.handicap.is_some() && self.start.has_whole_board()
            }
            LineKind::Program(text) => {
                self.is_known && ["#KIF", "# KIF", "# --"].iter().any(|begin| text.starts_with(begin))
            }
            _ => false,
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
        match kind {
            kind if says_nothing(kind) => return,
            LineKind::Moves { .. } if self.body.is_none() && !self.is_refused => return self.first_moves(line),
            LineKind::Other(text) if self.body.is_none() => return self.stray(line, text),
            _ => self.is_known = true,
        }
        if self.is_refused {
            return;
        }
        match (kind, &mut self.body) {
            (LineKind::Header { key, value }, None) => self.header(line, key, value),
            // After the moves only what no program would begin a game with.
            (LineKind::Header { key, value }, Some(_)) => self.fields.take(key, value),
            (_, Some(body)) => body.take(line, kind, &mut self.read),
            (LineKind::Comment(comment) | LineKind::Bookmark(comment), None) => self.comments.push(comment.to_owned()),
            (LineKind::Row(row), None) => {
                self.start_line.get_or_insert(line.number);
                // The name of the row stands behind it.
                let mut label = row.split(['|', '｜']).skip(1).map(str::trim);
                if label.any(|label| label.chars().count() > 1) {
                    self.problem(line, "more stands behind this row of the board than its name: it is passed over");
                }
                let taken = self.start.row(row);
                self.refuse_if(line.number, taken);
            }
            (LineKind::Side(side), None) => self.start.side = Some(side),
            (LineKind::Played(played), None) => self.start.played = played,
            (LineKind::Frame(Some(9)), None) => self.refuse_if(line.number, Err(NINE_BY_NINE.to_owned())),
            (LineKind::Variation(_), None) => {
                self.problem(line, "a variation before the first move: it is passed over")
            }
            (LineKind::Made(_), None) => self.early.push(line.clone()),
            _ => {}
        }
    }

    /// A line that is none of the format.
    fn stray(&mut self, line: &Line, text: &str) {
        let message = format!("'{}' is no line of KIF: a header, a board or a move expected", cut(text));
        self.problem(line, message);
    }

    /// Takes the first line of moves, if it is one.
    fn first_moves(&mut self, line: &Line) {
        let parts = parts(&line.text);
        if parts.iter().any(|part| part.kind == PartKind::Move) {
            self.is_known = true;
            if !self.start.has_whole_board() {
                return self.problem(line, format!("'{}' stands inside the board", cut(line.text.trim())));
            }
            for early in std::mem::take(&mut self.early) {
                let message = format!("'{}' comes before the first move: it is passed over", cut(early.text.trim()));
                self.problem(&early, message);
            }
            self.begin(line.number);
            match &mut self.body {
                Some(body) => body.moves(line, &mut self.read),
                None if self.start.has_board() => {
                    self.problem(line, format!("'{}' is no move in that position", cut(line.text.trim())));
                }
                None => {}
            }
        } else if parts.iter().any(|part| part.kind != PartKind::Other) {
            self.is_known = true;
            self.early.push(line.clone());
        } else {
            self.stray(line, line.text.trim());
        }
    }

    fn refuse_if(&mut self, line: usize, taken: Result<(), String>) {
        if let Err(message) = taken {
            // The reason why there is no game is told however much else is wrong.
            self.read.problems.push(Problem::new(line, 1, message));
            self.is_refused = true;
        }
    }

    fn header(&mut self, line: &Line, key: &str, value: &str) {
        if is_known_key(key) {
            self.keys.insert(key.to_owned());
        }
        match key {
            "手合割" => {
                self.start_line.get_or_insert(line.number);
                if self.start.handicap.is_some() {
                    return self.problem(line, "a second handicap within the board: it is passed over");
                }
                self.start.handicap = Some(value.to_owned()).filter(|value| !value.is_empty());
            }
            "先手の持駒" | "下手の持駒" | "後手の持駒" | "上手の持駒" => {
                let color = if key.starts_with(['先', '下']) { Color::Black } else { Color::White };
                self.start_line.get_or_insert(line.number);
                let taken = self.start.hand(color, value);
                self.refuse_if(line.number, taken);
            }
            "手番" => match value.chars().next() {
                Some('先' | '下') => self.start.side = Some(Color::Black),
                Some('後' | '上') => self.start.side = Some(Color::White),
                _ => self
                    .problem(line, format!("'{}' names no player to move: write 手番：先手 or 手番：後手", cut(value))),
            },
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
        // What was found to be wrong only later stands in its line.
        self.read.problems.sort_by_key(|problem| (problem.line, problem.column));
        self.read
    }
}
