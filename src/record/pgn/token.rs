//! The PGN tokenizer: tags, moves, numbers, comments, glyphs and brackets with their locations.

use super::dialect::{is_western, result};
use super::glyph::{self, Glyph};
use crate::record::lines::Line;
use crate::record::read_game::Problem;
use crate::record::usi::truncate;
use crate::shogi::GameScore;

/// The kind of a token of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A move, possibly followed by an annotator's signs in ASCII.
    Word,
    /// The number of a move; none for dots alone.
    Number(Option<u32>),
    /// The text in braces, or after a semicolon.
    Comment,
    Open,
    Close,
    Glyph(Glyph),
}

/// A token of movetext with its location in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    /// Its byte range in the text of the game.
    begin: usize,
    end: usize,
    pub line: usize,
    pub column: usize,
}

/// `[Name "value"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub name: String,
    pub value: String,
    pub line: usize,
    pub column: usize,
}

/// The text of a game, before it is interpreted.
#[derive(Default)]
pub(super) struct GameText {
    /// The line on which it begins.
    pub line: usize,
    /// Whether other text precedes it on that line.
    pub is_mid_line: bool,
    pub tags: Vec<Tag>,
    pub text: String,
    pub tokens: Vec<Token>,
    /// The game has moves.
    has_movetext: bool,
    /// The result at the end of the movetext, if the first player is called White; the inner value is none for an
    /// unfinished game.
    pub result: Option<Option<GameScore>>,
    /// Its line and column.
    pub result_at: (usize, usize),
    pub problems: Vec<Problem>,
}

impl GameText {
    pub fn text(&self, token: Token) -> &str {
        &self.text[token.begin..token.end]
    }

    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// Whether a tag belongs to the next game. Comments may precede tags, and a game may lack moves.
    fn is_over_before(&self, tag: &Tag) -> bool {
        let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
        self.has_movetext || roster.contains(&tag.name.as_str()) && self.tag(&tag.name).is_some()
    }

    /// Whether there is more than comments, which may belong to the game before.
    pub fn is_begun(&self) -> bool {
        self.has_movetext || !self.tags.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.tokens.is_empty() && self.problems.is_empty()
    }

    fn push(&mut self, kind: Kind, text: &str, place: (usize, usize)) {
        let begin = self.text.len();
        self.text += text;
        self.tokens.push(Token { kind, begin, end: self.text.len(), line: place.0, column: place.1 });
        self.has_movetext |= matches!(kind, Kind::Word | Kind::Open | Kind::Close);
    }

    pub fn end_comment(&mut self, (begin, line, column): Begun) {
        self.tokens.push(Token { kind: Kind::Comment, begin, end: self.text.len(), line, column });
    }

    /// Appends the comments and the problems of a text that contains nothing else.
    pub fn append(&mut self, other: GameText) {
        for &token in &other.tokens {
            self.push(token.kind, other.text(token), (token.line, token.column));
        }
        self.problems.extend(other.problems);
    }
}

/// A position in the current line, in bytes and in characters.
pub(super) struct Place {
    pub line: Line,
    pub byte: usize,
    pub column: usize,
}

impl Place {
    fn rest(&self) -> &str {
        &self.line.text[self.byte..]
    }

    /// Whether only spaces are left. The end of a long line is not scanned before it is reached.
    pub fn is_at_end(&self) -> bool {
        self.rest().trim_start().is_empty()
    }

    fn at(&self) -> (usize, usize) {
        (self.line.number, self.column)
    }

    /// Advances by this many bytes and returns them.
    fn take(&mut self, bytes: usize) -> &str {
        let begin = self.byte;
        self.byte += bytes;
        let taken = &self.line.text[begin..self.byte];
        self.column += taken.chars().count();
        taken
    }

    fn skip_space(&mut self) {
        let space = self.rest().len() - self.rest().trim_start().len();
        self.take(space);
    }
}

/// The begin of a comment: the byte in the text of the game, the line and the column.
pub(super) type Begun = (usize, usize, usize);

/// The progress in a game.
pub(super) enum Step {
    GoOn,
    Over,
}

/// Reads the rest of a line.
pub(super) fn read_line(
    game: &mut GameText,
    place: &mut Place,
    comment: &mut Option<Begun>,
    depth: &mut usize,
) -> Step {
    loop {
        if let Some(begun) = *comment {
            let Some(length) = place.rest().find('}') else {
                let length = place.rest().len();
                game.text += place.take(length);
                return Step::GoOn;
            };
            game.text += place.take(length);
            place.take(1);
            game.end_comment(begun);
            *comment = None;
        }
        place.skip_space();
        let at = place.at();
        let Some(first) = place.rest().chars().next() else { return Step::GoOn };
        match first {
            _ if game.result.is_some() && !matches!(first, '{' | ';') => return Step::Over,
            '[' => {
                let begin = place.byte;
                match read_tag(place) {
                    Ok(tag) if game.is_over_before(&tag) => {
                        (place.byte, place.column) = (begin, at.1);
                        return Step::Over;
                    }
                    Ok(tag) => game.tags.push(tag),
                    Err(problem) => game.problems.push(problem),
                }
            }
            '{' => {
                place.take(1);
                *comment = Some((game.text.len(), at.0, at.1));
            }
            ';' => {
                place.take(1);
                let length = place.rest().len();
                let text = place.take(length).trim().to_owned();
                game.push(Kind::Comment, &text, at);
            }
            '(' => {
                place.take(1);
                *depth += 1;
                game.push(Kind::Open, "", at);
            }
            ')' => {
                place.take(1);
                *depth = depth.saturating_sub(1);
                game.push(Kind::Close, "", at);
            }
            ']' | '}' => {
                place.take(1);
                game.problems.push(Problem::new(at.0, at.1, format!("'{first}' closes nothing")));
            }
            '$' => {
                place.take(1);
                let length = place.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(place.rest().len());
                let number = place.take(length);
                match number.parse() {
                    Ok(nag) => game.push(Kind::Glyph(Glyph { nag, of_mover: false }), "", at),
                    Err(_) => {
                        let message = format!("'${}' is not a glyph: there are $0 to $255", truncate(number));
                        game.problems.push(Problem::new(at.0, at.1, message));
                    }
                }
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
                let length = place.rest().find(ends).unwrap_or(place.rest().len());
                let word = place.take(length).to_owned();
                match result(&word) {
                    // The result of a variation is its author's opinion.
                    Some(_) if *depth > 0 => game.push(Kind::Comment, &word, at),
                    Some(result) if game.is_begun() => (game.result, game.result_at) = (Some(result), at),
                    Some(_) => {
                        let message = format!("'{word}' ends no game: a tag or a move expected before it");
                        // A comment before it belongs to no game either.
                        let at = game.tokens.first().map_or(at, |comment| (comment.line, comment.column));
                        game.problems.push(Problem::new(at.0, at.1, message));
                    }
                    None => push_word(game, &word, at),
                }
            }
        }
    }
}

/// Adds a word: its number, the move, and the signs after it.
fn push_word(game: &mut GameText, word: &str, (line, column): (usize, usize)) {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = &word[digits..];
    let numbered = after.trim_start_matches(['.', '…']);
    let text = if numbered.len() < after.len() || after.is_empty() { numbered } else { word };
    if text.len() < word.len() {
        match word[..digits].parse() {
            Ok(number) => game.push(Kind::Number(Some(number)), "", (line, column)),
            Err(_) if digits == 0 => game.push(Kind::Number(None), "", (line, column)),
            Err(_) => game.problems.push(Problem::new(line, column, format!("'{}' numbers no move", truncate(word)))),
        }
    }
    let at = (line, column + word[..word.len() - text.len()].chars().count());
    let signs = glyph::read(text);
    let bare = if signs.is_some() { "" } else { &text[..text.find(glyph::is_sign).unwrap_or(text.len())] };
    let sign = &text[bare.len()..];
    if !bare.is_empty() && is_western(bare).is_none() {
        let message = format!("'{}' is neither a move nor a comment: comments stand in braces", truncate(text));
        return game.problems.push(Problem::new(at.0, at.1, message));
    }
    if !bare.is_empty() {
        game.push(Kind::Word, bare, at);
    }
    match signs.or_else(|| glyph::read(sign)) {
        Some(glyphs) => glyphs.into_iter().for_each(|glyph| game.push(Kind::Glyph(glyph), "", at)),
        None if sign.is_empty() => {}
        None => game.problems.push(no_sign(sign, at)),
    }
}

/// The problem of an unknown annotator's sign.
pub(super) fn no_sign(sign: &str, (line, column): (usize, usize)) -> Problem {
    let message =
        format!("'{}' is not a known sign such as !? ± or =: write a glyph, $13, or a comment", truncate(sign));
    Problem::new(line, column, message)
}

/// Reads `[Name "value"]`.
fn read_tag(place: &mut Place) -> Result<Tag, Problem> {
    let (line, column) = place.at();
    let bad = |what: &str| Problem::new(line, column, format!("a tag is written [Name \"value\"]: {what}"));
    place.take(1);
    place.skip_space();
    let length = place.rest().find(|c: char| c.is_whitespace() || "\"[]".contains(c)).unwrap_or(place.rest().len());
    let name = place.take(length).to_owned();
    place.skip_space();
    if name.is_empty() || !place.rest().starts_with('"') {
        let length = place.rest().find(']').map_or(place.rest().len(), |length| length + 1);
        place.take(length);
        return Err(bad(if name.is_empty() { "the name is missing" } else { "the value is missing" }));
    }
    place.take(1);
    let mut value = String::new();
    let mut escaped = false;
    let (mut end, mut is_quoted) = (None, false);
    for (byte, c) in place.rest().char_indices() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '"' if !escaped && place.rest()[byte + 1..].trim_start().starts_with(']') => {
                end = Some(byte);
                break;
            }
            // XBoard does not escape the quotes of a name.
            '"' if !escaped => {
                is_quoted = true;
                value.push('"');
            }
            // Only quotes and backslashes are escaped; before other characters a backslash is literal.
            _ if escaped && c != '"' && c != '\\' => value.extend(['\\', c]),
            _ => value.push(c),
        }
        escaped = false;
    }
    let length = end.map_or(place.rest().len(), |end| end + 1);
    place.take(length);
    if end.is_none() {
        return Err(bad(if is_quoted { "']' is missing" } else { "the value's closing '\"' is missing" }));
    }
    place.skip_space();
    place.take(1);
    Ok(Tag { name, value, line, column })
}
