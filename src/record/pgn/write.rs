//! The PGN writer for all dialects: tags, and movetext with variations and comments in lines of limited width.

use super::dialect::{Notation, result_text};
use super::{comment, glyph, tags};
use crate::record::{Format, NodeId, Record};
use crate::shogi::{Color, Position};

/// A game in PGN with Western moves: Black, who moves first, is `Black`, and `0-1` is Black's win.
pub fn to_pgn(record: &Record) -> String {
    write(record, Format::Pgn)
}

/// A game in the PGN of Fairy-Stockfish and pychess: the first player is `White`, and squares are `a1` to `f6`.
pub fn to_fairy_pgn(record: &Record) -> String {
    write(record, Format::PgnFairy)
}

/// A game in the PGN of Cute Chess.
pub fn to_cutechess_pgn(record: &Record) -> String {
    write(record, Format::PgnCuteChess)
}

fn write(record: &Record, format: Format) -> String {
    let mut movetext = Movetext {
        record,
        notation: Notation::of(format),
        first_is_white: format != Format::Pgn,
        width: if format == Format::Pgn { 100 } else { 80 },
        text: tags::write(record, format),
        column: 0,
        opening: String::new(),
    };
    movetext.text.push('\n');
    movetext.notes(NodeId::ROOT, record.start());
    movetext.lines();
    movetext.word(result_text(record.header.result, movetext.first_is_white));
    movetext.text + "\n\n"
}

struct Movetext<'a> {
    record: &'a Record,
    notation: Notation,
    first_is_white: bool,
    /// Lines are broken before this column.
    width: usize,
    text: String,
    column: usize,
    /// Opening brackets before the next word.
    opening: String,
}

/// A part that is still to be written.
enum Waiting {
    /// The line after a node.
    Line { id: NodeId, position: Position, numbered: bool },
    /// A variation: its first move, and the position before it.
    Variation { first: NodeId, position: Position },
    /// The end of a variation.
    Close,
}

impl Movetext<'_> {
    fn lines(&mut self) {
        let start = Waiting::Line { id: NodeId::ROOT, position: self.record.start().clone(), numbered: true };
        let mut waiting = vec![start];
        while let Some(next) = waiting.pop() {
            match next {
                Waiting::Close => {
                    self.text.push(')');
                    self.column += 1;
                }
                Waiting::Variation { first, position } => {
                    self.opening.push('(');
                    self.node(first, &position, true);
                    let mv = self.record[first].mv().expect("it is a move");
                    waiting.push(Waiting::Line { id: first, position: position.after(mv), numbered: false });
                }
                Waiting::Line { mut id, mut position, mut numbered } => {
                    while let [first, variations @ ..] = self.record[id].children() {
                        self.node(*first, &position, numbered);
                        let mv = self.record[*first].mv().expect("it is a move");
                        if !variations.is_empty() {
                            let rest = Waiting::Line { id: *first, position: position.after(mv), numbered: true };
                            waiting.push(rest);
                            for &first in variations.iter().rev() {
                                waiting.push(Waiting::Close);
                                waiting.push(Waiting::Variation { first, position: position.clone() });
                            }
                            break;
                        }
                        position.play_unchecked(mv);
                        (id, numbered) = (*first, false);
                    }
                }
            }
        }
    }

    /// Writes a move with its number and annotations. Before the second move of a pair, the number is written only if
    /// requested.
    fn node(&mut self, id: NodeId, position: &Position, numbered: bool) {
        let node = &self.record[id];
        let mv = node.mv().expect("it is a move");
        let number = self.number(position);
        match (position.side_to_move(), self.notation) {
            (Color::Black, _) => self.word(&format!("{number}.")),
            (Color::White, Notation::Western) if numbered => self.word(&format!("{number}. ...")),
            (Color::White, _) if numbered => self.word(&format!("{number}...")),
            _ => {}
        }
        let text = self.notation.write(position, mv);
        self.word(&text);
        self.notes(id, &position.after(mv));
    }

    /// The number of a pair of moves, from 1 at the start of the game.
    fn number(&self, position: &Position) -> u32 {
        let start = self.record.start();
        let ply = position.move_number() - start.move_number() + start.side_to_move().index() as u32;
        ply / 2 + 1
    }

    fn notes(&mut self, id: NodeId, position: &Position) {
        let notes = self.record[id].notes();
        if let Some(mark) = notes.mark {
            self.word(&format!("${}", mark.nag()));
        }
        for &nag in &notes.glyphs {
            self.word(&format!("${}", if self.first_is_white { glyph::turned(nag) } else { nag }));
        }
        for text in comment::write(notes, position, self.notation) {
            self.word(&format!("{{{text}}}"));
        }
    }

    /// Appends a word, in a new line if this one is full.
    fn word(&mut self, word: &str) {
        let word = std::mem::take(&mut self.opening) + word;
        let first = word.split('\n').next().unwrap_or_default().chars().count();
        if self.column > 0 {
            if self.column + 1 + first > self.width {
                self.text.push('\n');
                self.column = 0;
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text += &word;
        // After a comment of several lines, the last line counts.
        match word.rsplit_once('\n') {
            Some((_, last)) => self.column = last.chars().count(),
            None => self.column += first,
        }
    }
}
