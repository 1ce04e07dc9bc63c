//! The writer of KIF and KI2, and of single positions as diagrams in their style.

use std::time::Duration;

use super::ending::{closing_line, word};
use super::{board, comment, header};
use crate::record::{NodeId, Record};
use crate::shogi::notation::japanese::{name, square, to_japanese};
use crate::shogi::notation::moved_kind;
use crate::shogi::{Move, Position};

/// The notation of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Kif,
    Ki2,
}

/// The number of KI2 moves per line.
const MOVES_IN_LINE: usize = 6;

/// A game in KIF.
pub fn to_kif(record: &Record) -> String {
    Writer::new(record, Style::Kif).write()
}

/// A game in KI2.
pub fn to_ki2(record: &Record) -> String {
    Writer::new(record, Style::Ki2).write()
}

/// The position at a place as it is drawn in these formats, in lines; none if there is no such place.
pub fn to_board(record: &Record, id: NodeId) -> Option<String> {
    Some(board::write(&record.position(id)?, record.japanese_sides()))
}

struct Writer<'a> {
    record: &'a Record,
    style: Style,
    text: String,
    /// The number of KI2 moves since the last line break.
    in_line: usize,
    /// The total thinking times of Black and White along the current line, by index in the line.
    totals: Vec<[Duration; 2]>,
}

/// A variation still to be written: the node before it, its first move, and its ply.
struct Branch {
    position: Position,
    first: NodeId,
    ply: usize,
}

impl<'a> Writer<'a> {
    fn new(record: &'a Record, style: Style) -> Writer<'a> {
        Writer { record, style, text: String::new(), in_line: 0, totals: vec![Default::default()] }
    }

    fn write(mut self) -> String {
        let record = self.record;
        let names = record.japanese_sides();
        self.text += match self.style {
            Style::Kif => "#KIF version=2.0 encoding=UTF-8\n",
            Style::Ki2 => "# ---- judkins ----\n",
        };
        // The header comes first, but contains the game's end.
        let end = record.main_line().count();
        let first = record.start().side_to_move();
        let mover = if end.is_multiple_of(2) { first } else { !first };
        self.text += &header::write(record, mover);
        self.text += &format!("手合割：{}\n", board::handicap_text(record.handicap()));
        self.text += &board::write(record.start(), names);
        if self.style == Style::Kif {
            self.text += "手数----指手---------消費時間--\n";
        }
        self.comments(NodeId::ROOT, record.start());
        let mut waiting = self.line(record.start().clone(), NodeId::ROOT, 0);
        if let Some(word) = word(&record.header, mover) {
            self.end_line();
            if self.style == Style::Kif {
                self.text += &format!("{:>4} {word}", end + 1);
                let mut totals = self.totals[end];
                self.time(record.header.last_thought, &mut totals[mover.index()]);
                self.text.push('\n');
            }
            self.text += &closing_line(word, end, names, mover);
            self.text.push('\n');
        }
        // The last variation of the game comes first: earlier ones are distinguished by the line written last.
        while let Some(Branch { position, first, ply }) = waiting.pop() {
            self.end_line();
            self.text += &format!("\n変化：{}手\n", ply + 1);
            self.totals.truncate(ply + 1);
            let parent = self.record[first].parent().expect("a variation's first move is not the start");
            let previous = self.record[parent].mv();
            self.node(&position, first, previous, ply);
            let mv = self.record[first].mv().expect("it is a move");
            waiting.extend(self.line(position.after(mv), first, ply + 1));
        }
        self.end_line();
        self.text.push('\n');
        self.text
    }

    /// Writes the line after a node and returns the variations on the way, the last one of each node first.
    fn line(&mut self, mut position: Position, from: NodeId, mut ply: usize) -> Vec<Branch> {
        let mut branches = Vec::new();
        let mut id = from;
        while let [first, others @ ..] = self.record[id].children() {
            let branch = |&first: &NodeId| Branch { position: position.clone(), first, ply };
            branches.extend(others.iter().rev().map(branch));
            self.node(&position, *first, self.record[id].mv(), ply);
            position.play_unchecked(self.record[*first].mv().expect("it is a move"));
            id = *first;
            ply += 1;
        }
        branches
    }

    /// Writes a move with its notes.
    fn node(&mut self, position: &Position, id: NodeId, previous: Option<Move>, ply: usize) {
        let mv = self.record[id].mv().expect("it is a move");
        match self.style {
            Style::Kif => self.kif_line(position, id, previous, ply),
            Style::Ki2 => {
                if self.in_line > 0 {
                    self.text.push('　');
                }
                self.text += &to_japanese(position, mv, previous);
                self.in_line += 1;
                if self.in_line == MOVES_IN_LINE {
                    self.end_line();
                }
            }
        }
        self.comments(id, &position.after(mv));
    }

    fn kif_line(&mut self, position: &Position, id: NodeId, previous: Option<Move>, ply: usize) {
        let node = &self.record[id];
        let mv = node.mv().expect("it is a move");
        let mover = position.side_to_move();
        self.text += &format!("{:>4} {}", ply + 1, kif_move(position, mv, previous));
        let mut totals = self.totals[ply];
        self.time(node.notes().time, &mut totals[mover.index()]);
        self.totals.truncate(ply + 1);
        self.totals.push(totals);
        let siblings = node.parent().map_or(&[][..], |parent| self.record[parent].children());
        if siblings.iter().skip_while(|sibling| **sibling != id).nth(1).is_some() {
            self.text += if node.notes().time.is_some() { "+" } else { "   +" };
        }
        self.text.push('\n');
    }

    /// Writes a player's thinking time and adds it to his total.
    fn time(&mut self, time: Option<Duration>, total: &mut Duration) {
        let Some(time) = time else { return };
        let time = Duration::from_secs(time.as_secs());
        *total = total.saturating_add(time);
        let (seconds, total) = (time.as_secs(), total.as_secs());
        self.text += &format!("   ({:>2}:{:02}/", seconds / 60, seconds % 60);
        self.text += &format!("{:02}:{:02}:{:02})", total / 3600, total / 60 % 60, total % 60);
    }

    fn comments(&mut self, id: NodeId, position: &Position) {
        let node = &self.record[id];
        let mover = if id == NodeId::ROOT { position.side_to_move() } else { !position.side_to_move() };
        for line in comment::lines(node.notes(), mover, position, node.mv()) {
            self.end_line();
            self.text += &line;
            self.text.push('\n');
        }
    }

    fn end_line(&mut self) {
        if self.in_line > 0 {
            self.text.push('\n');
            self.in_line = 0;
        }
    }
}

/// A move with its origin: `６四歩(65)`, `同　銀成(43)`, `３三角打`. A declined promotion is not written.
fn kif_move(position: &Position, mv: Move, previous: Option<Move>) -> String {
    let to = match previous {
        Some(previous) if previous.to() == mv.to() => "同　".to_owned(),
        _ => square(mv.to()),
    };
    let end = match mv.from() {
        None => "打".to_owned(),
        Some(from) => format!("{}({}{})", if mv.promotes() { "成" } else { "" }, from.file(), from.row() + 1),
    };
    format!("{to}{}{end}", name(moved_kind(position, mv)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_have_their_start_squares() {
        for (sfen, previous, mv, text) in [
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", None, "6e6d", "６四歩(65)"),
            ("rbnsgk/5p/6/6/P5/KGSNBR b - 1", Some("1a1b"), "1f1b+", "同　飛成(16)"),
            ("5k/6/6/6/2B3/K5 b B 1", None, "B*3c", "３三角打"),
            ("5k/6/+S5/6/6/K5 b - 1", None, "6c6b", "６二成銀(63)"),
        ] {
            let previous = previous.map(|mv| mv.parse().unwrap());
            assert_eq!(kif_move(&sfen.parse().unwrap(), mv.parse().unwrap(), previous), text);
        }
    }
}
