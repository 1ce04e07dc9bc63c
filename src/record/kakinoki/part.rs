//! Splits a line of moves into its parts, with their numbers, times and remarks.

use std::time::Duration;

use super::digits::{digit, number, numeral};
use super::ending::leading_word;
use crate::record::date::{clock, half_width};
use crate::shogi::notation::japanese::{CLOSING, OPENING};
use crate::shogi::{Color, PieceKind};

/// Whether a character is a player's mark before a move.
pub(super) fn is_mark(c: char) -> bool {
    Color::of_sign(c).is_some()
}

/// The word at the beginning of a line about the end of the game.
pub(super) const MADE: &str = "まで";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PartKind {
    /// It begins like a move.
    Move,
    /// `投了`, or another word in place of a move.
    Ending(&'static str),
    /// `まで3手で先手の勝ち`
    Made,
    Other,
}

/// A part of a line of moves: a move, or a text in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part<'a> {
    pub kind: PartKind,
    /// The number before it, saturated.
    pub number: Option<usize>,
    /// The byte of the line at which it begins, after its number.
    pub at: usize,
    /// The text up to the next part.
    pub text: &'a str,
}

impl Part<'_> {
    /// The player whose mark precedes it.
    pub fn color(&self) -> Option<Color> {
        Color::of_sign(self.text.chars().next()?)
    }
}

struct Head {
    kind: PartKind,
    number: Option<usize>,
    /// The byte at which the part itself begins; scanning continues at `end`.
    at: usize,
    end: usize,
}

/// Whether a line begins with a part of moves, and if so, whether a number precedes it.
pub(super) fn begins_with_part(text: &str) -> Option<bool> {
    if let Some(head) = head(text, true) {
        return Some(head.number.is_some());
    }
    // A text in place of a move.
    let (number, at) = number_before(text);
    let is_column = number.is_some() && text[..at].ends_with(char::is_whitespace);
    (is_column && text[at..].starts_with(|c: char| !c.is_ascii() || c.is_ascii_digit())).then_some(true)
}

/// Whether a text begins with a destination, as a move does: `６四`, `64歩`, `同　銀`. The square may be outside the board. A
/// destination written only in digits or only in numerals counts only if a piece follows: it could be any number.
fn begins_with_destination(text: &str) -> bool {
    let is_piece = |c| PieceKind::from_kanji(c).is_some() || "成香杏".contains(c);
    let is_piece_next = |rest: &str| rest.trim_start().starts_with(is_piece);
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    if first == '同' {
        return is_piece_next(chars.as_str());
    }
    let Some(second) = chars.next() else { return false };
    let is_mixed = digit(first).is_some() && digit(second).is_none();
    let is_square = [first, second].iter().all(|&c| numeral(c).is_some_and(|number| (1..10).contains(&number)));
    is_square && (is_mixed || is_piece_next(chars.as_str()))
}

/// The number at the beginning of a text, and the byte after it. Digits of a destination do not belong to it: `1６四歩`,
/// `164歩`.
fn number_before(text: &str) -> (Option<usize>, usize) {
    let run = text.find(|c| digit(c).is_none()).unwrap_or(text.len());
    if run == 0 {
        return (None, 0);
    }
    let mut digits = text[..run].char_indices().rev().map(|(at, _)| at);
    let destination =
        [digits.next(), digits.next()].into_iter().flatten().find(|&at| begins_with_destination(&text[at..]));
    let (end, at) = match destination {
        Some(at) => (at, at),
        None => {
            let after = &text[run..];
            let rest = after.trim_start_matches(|c: char| c.is_whitespace() || ".．、,：:)）".contains(c));
            (run, text.len() - rest.len())
        }
    };
    match end {
        0 => (None, 0),
        _ => (Some(number(&text[..end]).unwrap_or(usize::MAX)), at),
    }
}

/// The part that begins here, if there is one. `is_free`: no word has begun before it.
fn head(text: &str, is_free: bool) -> Option<Head> {
    let (number, at) = number_before(text);
    let rest = &text[at..];
    let is_marked = rest.starts_with(is_mark);
    let said = if is_marked { rest.trim_start_matches(is_mark).trim_start() } else { rest };
    let begin = text.len() - said.len();
    let is_word = |word: &&str| {
        let after = said[word.len()..].chars().next();
        after.is_none_or(|c| c.is_whitespace() || "+。、".contains(c) || OPENING.contains(&c))
            || said[word.len()..].starts_with(MADE)
    };
    let word = if is_free || is_marked || number.is_some() { leading_word(said) } else { None };
    let (kind, length) = if begins_with_destination(said) {
        let square: usize = said.chars().take(if said.starts_with('同') { 1 } else { 2 }).map(char::len_utf8).sum();
        // As in print: ６四同歩.
        let again = if said[square..].starts_with('同') { '同'.len_utf8() } else { 0 };
        (PartKind::Move, square + again)
    } else if let Some(word) = word.filter(is_word) {
        (PartKind::Ending(word), word.len())
    } else if is_marked {
        (PartKind::Other, 0)
    } else if number.is_none() && said.starts_with(MADE) {
        (PartKind::Made, said.len())
    } else {
        return None;
    };
    Some(Head { kind, number, at, end: begin + length })
}

/// The parts of a line, including any text before the first recognised one.
pub(super) fn parts(line: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part> = Vec::new();
    let mut at = line.len() - line.trim_start().len();
    let mut previous = None;
    let mut is_in_brackets = false;
    while let Some(c) = line[at..].chars().next() {
        let is_free = previous.is_none_or(char::is_whitespace);
        let may_begin = !is_in_brackets && previous.is_none_or(|previous| digit(previous).and(digit(c)).is_none());
        let found = if may_begin { head(&line[at..], is_free) } else { None };
        let (part, end) = match found {
            Some(Head { kind, number, at: begin, end }) => {
                (Some(Part { kind, number, at: at + begin, text: &line[at..] }), at + end.max(c.len_utf8()))
            }
            None if parts.is_empty() => {
                let (number, begin) = number_before(&line[at..]);
                let part = Part { kind: PartKind::Other, number, at: at + begin, text: &line[at..] };
                (Some(part), at + begin.max(c.len_utf8()))
            }
            None => (None, at + c.len_utf8()),
        };
        if let Some(part) = part {
            // So far it extended to the end of the line.
            if let Some(last) = parts.last_mut() {
                last.text = line[last.at..at.max(last.at)].trim_end();
            }
            parts.push(part);
        } else if OPENING.contains(&c) {
            is_in_brackets = true;
        } else if CLOSING.contains(&c) {
            is_in_brackets = false;
        }
        previous = line[at..end].chars().next_back();
        at = end;
    }
    if let Some(last) = parts.last_mut() {
        last.text = line[last.at..].trim_end();
    }
    parts
}

/// The contents of a part besides the move or the ending.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    /// The move, with its origin.
    pub text: String,
    pub time: Option<Duration>,
    /// All other text in brackets or after them.
    pub note: String,
}

/// Splits a part: `６四歩(65)   ( 0:12/00:00:12)+`.
pub(super) fn said(part: &str) -> Said {
    let mut said = Said { text: String::new(), time: None, note: String::new() };
    let mut rest = part;
    while let Some((before, inside_on)) = rest.split_once(OPENING) {
        let end = inside_on.find(|c| OPENING.contains(&c) || CLOSING.contains(&c)).unwrap_or(inside_on.len());
        let (inside, after) = inside_on.split_at(end);
        let closing = after.chars().next().filter(|c| CLOSING.contains(c));
        let after = &after[closing.map_or(0, char::len_utf8)..];
        said.text += before;
        let is_square =
            closing.is_none() || inside.trim().chars().all(|c| digit(c).is_some() || "一二三四五六〇零".contains(c));
        match duration(inside) {
            _ if is_square => said.text += &rest[before.len()..rest.len() - after.len()],
            Some(time) if said.time.is_none() => said.time = time,
            _ => said.note(inside),
        }
        rest = after;
    }
    said.text += rest;
    said.text.truncate(said.text.trim_end_matches(|c: char| c.is_whitespace() || c == '+').len());
    said
}

impl Said {
    /// Appends to the note.
    pub fn note(&mut self, text: &str) {
        let text = text.trim();
        if !self.note.is_empty() && !text.is_empty() {
            self.note.push(' ');
        }
        self.note += text;
    }
}

/// The time in brackets: `0:12/00:00:12`, `1:02:03`, possibly with a fraction of a second or with blanks in place of
/// digits. None if it is not a time.
fn duration(text: &str) -> Option<Option<Duration>> {
    let text = half_width(text);
    if !text.contains(':') || text.contains(|c: char| !c.is_ascii_digit() && !c.is_whitespace() && !":/.".contains(c)) {
        return None;
    }
    if !text.contains(|c: char| c.is_ascii_digit()) {
        return Some(None);
    }
    clock(text.split('/').next()?).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_apart() {
        for (line, expected) in [
            ("   1 ６四歩(65)   ( 0:12/00:00:12)+", &[(Some(1), "６四歩(65)   ( 0:12/00:00:12)+")][..]),
            ("1６四歩(65)", &[(Some(1), "６四歩(65)")]),
            ("1.６四歩(65)", &[(Some(1), "６四歩(65)")]),
            ("１６ ６四歩", &[(Some(16), "６四歩")]),
            ("１６四歩", &[(Some(1), "６四歩")]),
            ("164歩", &[(Some(1), "64歩")]),
            ("12 同　歩(65)", &[(Some(12), "同　歩(65)")]),
            ("3\t▲投了", &[(Some(3), "▲投了")]),
            ("3投了", &[(Some(3), "投了")]),
            (
                "▲６四歩 △１三歩▲５五金　△投了",
                &[(None, "▲６四歩"), (None, "△１三歩"), (None, "▲５五金"), (None, "△投了")],
            ),
            (
                "６四歩　同　銀５五金 まで3手で 投了",
                &[(None, "６四歩"), (None, "同　銀"), (None, "５五金"), (None, "まで3手で 投了")],
            ),
            ("1. ▲６四歩 2. △１三歩", &[(Some(1), "▲６四歩"), (Some(2), "△１三歩")]),
            ("６二角成 ６二同飛", &[(None, "６二角成"), (None, "６二同飛")]),
            ("1 64歩 2 13歩", &[(Some(1), "64歩"), (Some(2), "13歩")]),
            ("６四歩(65)１三歩(12)", &[(None, "６四歩(65)"), (None, "１三歩(12)")]),
            ("3 降参 する", &[(Some(3), "降参 する")]),
            ("some text ▲６四歩", &[(None, "some text"), (None, "▲６四歩")]),
            ("99999999999999999999 投了", &[(Some(usize::MAX), "投了")]),
            ("", &[]),
        ] {
            let found = parts(line);
            assert_eq!(found.iter().map(|part| (part.number, part.text)).collect::<Vec<_>>(), expected, "{line}");
            assert!(found.iter().all(|part| line[part.at..].starts_with(part.text)), "{line}");
        }
    }

    #[test]
    fn a_destination_is_told_from_a_number() {
        for text in ["６四歩", "6四", "64歩", "６４ 歩", "六四歩", "同　銀", "同成銀", "９九香", "１三像"]
        {
            assert!(begins_with_destination(text), "{text}");
        }
        for text in ["", "6", "64", "12 同　歩", "一二", "同時に", "同", "5月1日", "a6四歩", "歩"] {
            assert!(!begins_with_destination(text), "{text}");
        }
    }

    #[test]
    fn text_beside_a_move_is_separated() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        for (part, text, time, note) in [
            ("６四歩(65)   ( 0:12/00:00:12)+", "６四歩(65)", seconds(12), ""),
            ("６四歩（６五）（１：０２／００：０１：０２）", "６四歩（６五）", seconds(62), ""),
            ("６四歩(65) (1:02:03)", "６四歩(65)", seconds(3723), ""),
            ("６四歩(65) ( : / : : )", "６四歩(65)", None, ""),
            ("６四歩(65) ( 0:xx)", "６四歩(65)", None, "0:xx"),
            ("▲５五金（封じ手）", "▲５五金", None, "封じ手"),
            ("投了", "投了", None, ""),
            ("６四歩(65", "６四歩(65", None, ""),
        ] {
            let expected = Said { text: text.to_owned(), time, note: note.to_owned() };
            assert_eq!(said(part), expected, "{part}");
        }
    }
}
