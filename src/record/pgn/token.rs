use std::io::{self, BufRead};

use super::dialect::{is_western, result};
use super::glyph::{self, Glyph};
use crate::record::lines::{Line, Lines};
use crate::record::reader::Problem;
use crate::record::usi::cut;
use crate::shogi::GameScore;

/// A piece of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A move, perhaps with an annotator's signs in ASCII behind it.
    Word,
    /// The number of a move; nothing where only dots stand.
    Number(Option<u32>),
    /// What stands in braces, or after a semicolon.
    Comment,
    Open,
    Close,
    Glyph(Glyph),
}

/// A piece of movetext, and where it stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    /// Its bytes in the text of the game.
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

/// A game as it stands in the file, before anything is made of it.
#[derive(Default)]
pub(super) struct GameText {
    /// The line on which it begins.
    pub line: usize,
    /// Whether something stands before it on that line.
    pub is_mid_line: bool,
    pub tags: Vec<Tag>,
    text: String,
    pub tokens: Vec<Token>,
    /// There are moves.
    has_movetext: bool,
    /// What the end of the movetext says, if the player who moves first is called White: a score, or that the game goes on.
    pub result: Option<Option<GameScore>>,
    /// Its line and column.
    pub result_at: (usize, usize),
    pub problems: Vec<Problem>,
}

impl GameText {
    /// What a token says.
    pub fn text(&self, token: Token) -> &str {
        &self.text[token.begin..token.end]
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// Whether a tag is the next game's. Comments may stand before and among the tags, and a game may lack moves.
    fn is_over_before(&self, tag: &Tag) -> bool {
        let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
        self.has_movetext || roster.contains(&tag.name.as_str()) && self.tag(&tag.name).is_some()
    }

    /// Whether there is more than comments, which may be of the game before.
    fn is_begun(&self) -> bool {
        self.has_movetext || !self.tags.is_empty()
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.tokens.is_empty() && self.problems.is_empty()
    }

    fn push(&mut self, kind: Kind, text: &str, place: (usize, usize)) {
        let begin = self.text.len();
        self.text += text;
        self.tokens.push(Token { kind, begin, end: self.text.len(), line: place.0, column: place.1 });
        self.has_movetext |= matches!(kind, Kind::Word | Kind::Open | Kind::Close);
    }

    /// Takes the comments, and the problems, of a text that holds nothing else.
    fn append(&mut self, other: GameText) {
        for &token in &other.tokens {
            self.push(token.kind, other.text(token), (token.line, token.column));
        }
        self.problems.extend(other.problems);
    }
}

/// A line that is being read: how far, in bytes and in characters.
struct Place {
    line: Line,
    byte: usize,
    column: usize,
}

impl Place {
    fn rest(&self) -> &str {
        &self.line.text[self.byte..]
    }

    /// Whether only space is left. The end of a long line is not looked at before its time.
    fn is_at_end(&self) -> bool {
        self.rest().trim_start().is_empty()
    }

    fn at(&self) -> (usize, usize) {
        (self.line.number, self.column)
    }

    /// Goes on by so many bytes, and gives them back.
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

/// Cuts a file into games.
pub(super) struct Tokens {
    /// The rest of a line on which a game ended.
    rest: Option<Place>,
    /// Whether the line before was empty, or there was none.
    was_blank: bool,
    /// The game that is being read.
    game: GameText,
    /// Where its comment begins that is not closed yet: in the text of the game, and in the file.
    comment: Option<Begun>,
    /// How many variations are open.
    depth: usize,
    /// A game that was read to its end.
    whole: Option<GameText>,
}

/// Where a comment begins: the byte in the text of the game, the line and the column.
type Begun = (usize, usize, usize);

impl Default for Tokens {
    fn default() -> Tokens {
        let game = GameText::default();
        Tokens { rest: None, was_blank: true, game, comment: None, depth: 0, whole: None }
    }
}

impl Tokens {
    /// The next game of the file. What stands after the last is said of it.
    pub fn next<R: BufRead>(&mut self, lines: &mut Lines<R>) -> io::Result<Option<GameText>> {
        let mut game = loop {
            if let Some(game) = self.whole.take() {
                break game;
            }
            if !self.read_on(lines)? {
                return Ok(self.whole.take());
            }
        };
        while self.whole.is_none() && !self.game.is_begun() {
            if !self.read_on(lines)? {
                game.append(self.whole.take().unwrap_or_default());
                break;
            }
        }
        Ok(Some(game))
    }

    /// Ends a comment that nothing closes.
    fn cut_comment(&mut self) {
        if let Some((begin, line, column)) = self.comment.take() {
            let message = "the comment that begins here is not closed: '}' expected";
            self.game.problems.push(Problem::new(line, column, message));
            end_comment(&mut self.game, (begin, line, column));
        }
    }

    /// Ends the game.
    fn end(&mut self) {
        self.cut_comment();
        self.depth = 0;
        let game = std::mem::take(&mut self.game);
        self.whole = Some(game).filter(|game| !game.is_empty());
    }

    /// Reads a line, or what is left of it; says whether there was one.
    fn read_on<R: BufRead>(&mut self, lines: &mut Lines<R>) -> io::Result<bool> {
        let is_new = self.rest.is_none();
        let mut place = match self.rest.take() {
            Some(place) => place,
            None => match lines.next()? {
                Some(line) => Place { line, byte: 0, column: 1 },
                None => {
                    self.end();
                    return Ok(false);
                }
            },
        };
        if is_new {
            let starts_tag = self.was_blank && is_tag_line(&place.line.text);
            self.was_blank = place.line.text.is_empty();
            if self.comment.is_some() && starts_tag {
                // A brace that is never closed must not swallow the games after it.
                self.cut_comment();
                if self.game.is_begun() {
                    self.end();
                }
            } else if self.comment.is_some() {
                self.game.text.push('\n');
            } else if place.line.text.starts_with('%') {
                return Ok(true);
            }
            self.game.problems.extend(Problem::of_encoding(&place.line));
        }
        if self.game.line == 0 && !place.is_at_end() {
            (self.game.line, self.game.is_mid_line) = (place.line.number, place.byte > 0);
        }
        let step = read_line(&mut self.game, &mut place, &mut self.comment, &mut self.depth);
        if !place.is_at_end() {
            self.rest = Some(place);
        }
        // A comment on the line of the result is of the same game.
        if matches!(step, Step::Over) || self.game.result.is_some() && self.comment.is_none() {
            self.end();
        }
        Ok(true)
    }
}

/// How far a game was read.
enum Step {
    GoOn,
    Over,
}

fn end_comment(game: &mut GameText, (begin, line, column): Begun) {
    game.tokens.push(Token { kind: Kind::Comment, begin, end: game.text.len(), line, column });
}

/// Whether a line is a tag and nothing else.
fn is_tag_line(line: &str) -> bool {
    let inside = line.trim_end().strip_prefix('[').and_then(|rest| rest.strip_suffix("\"]"));
    let name = inside.and_then(|inside| inside.split_once(" \"")).map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// Reads the rest of a line.
fn read_line(game: &mut GameText, place: &mut Place, comment: &mut Option<Begun>, depth: &mut usize) -> Step {
    loop {
        if let Some(begun) = *comment {
            let Some(length) = place.rest().find('}') else {
                let length = place.rest().len();
                game.text += place.take(length);
                return Step::GoOn;
            };
            game.text += place.take(length);
            place.take(1);
            end_comment(game, begun);
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
                        let message = format!("'${}' is no glyph: there are $0 to $255", cut(number));
                        game.problems.push(Problem::new(at.0, at.1, message));
                    }
                }
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
                let length = place.rest().find(ends).unwrap_or(place.rest().len());
                let word = place.take(length).to_owned();
                match result(&word) {
                    // The result of a variation is what its author says of it.
                    Some(_) if *depth > 0 => game.push(Kind::Comment, &word, at),
                    Some(result) if game.is_begun() => (game.result, game.result_at) = (Some(result), at),
                    Some(_) => {
                        let message = format!("'{word}' ends no game: a tag or a move expected before it");
                        game.problems.push(Problem::new(at.0, at.1, message));
                    }
                    None => push_word(game, &word, at),
                }
            }
        }
    }
}

/// Takes a word: the number that may begin it, the move, and the signs behind it.
fn push_word(game: &mut GameText, word: &str, (line, column): (usize, usize)) {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = &word[digits..];
    let numbered = after.trim_start_matches(['.', '…']);
    let text = if numbered.len() < after.len() || after.is_empty() { numbered } else { word };
    if text.len() < word.len() {
        match word[..digits].parse() {
            Ok(number) => game.push(Kind::Number(Some(number)), "", (line, column)),
            Err(_) if digits == 0 => game.push(Kind::Number(None), "", (line, column)),
            Err(_) => game.problems.push(Problem::new(line, column, format!("'{}' numbers no move", cut(word)))),
        }
    }
    let at = (line, column + word[..word.len() - text.len()].chars().count());
    let signs = glyph::read(text);
    let bare = if signs.is_some() { "" } else { &text[..text.find(glyph::is_sign).unwrap_or(text.len())] };
    let sign = &text[bare.len()..];
    if !bare.is_empty() && is_western(bare).is_none() {
        let message = format!("'{}' is neither a move nor a comment: comments stand in braces", cut(text));
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

/// The problem of an annotator's sign that nobody knows.
pub(super) fn no_sign(sign: &str, (line, column): (usize, usize)) -> Problem {
    let message =
        format!("'{}' is no sign that is known, such as !? ± or =: write a glyph, $13, or a comment", cut(sign));
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
            // Only quotes and backslashes are escaped; before anything else a backslash is one.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<GameText> {
        let mut lines = Lines::new(text.as_bytes()).unwrap();
        let mut tokens = Tokens::default();
        std::iter::from_fn(|| tokens.next(&mut lines).unwrap()).collect()
    }

    fn shown(game: &GameText) -> String {
        let token = |&token: &Token| match token.kind {
            Kind::Word => Some(game.text(token).to_owned()),
            Kind::Comment => Some(format!("{{{}}}", game.text(token))),
            Kind::Open => Some("(".to_owned()),
            Kind::Close => Some(")".to_owned()),
            Kind::Glyph(glyph) => Some(format!("${}", glyph.nag)),
            Kind::Number(_) => None,
        };
        game.tokens.iter().filter_map(token).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn movetext_is_cut_into_tokens() {
        for (text, expected) in [
            ("1. P-6d P-1c 2. G-5e", "P-6d P-1c G-5e"),
            ("1.P-6d 1...P-1c 2. ... P-1d 12 G-5e", "P-6d P-1c P-1d G-5e"),
            ("P-6d! P-1c?? $1 $10 G-5e$6", "P-6d $1 P-1c $4 $1 $10 G-5e $6"),
            ("P-6d {one\n two} ; to the end\nP-1c", "P-6d {one\n two} {to the end} P-1c"),
            ("% P-5d\nP-6d (1... P-1c (G-2b) 1-0) 2. G-5e", "P-6d ( P-1c ( G-2b ) {1-0} ) G-5e"),
            ("= P-6d± P-1c!∞ +/- G-5e+- −+", "$10 P-6d $16 P-1c $1 $13 $16 G-5e+- $19"),
            ("P*3c Rx1b= +Rxf5 Rd5=D+", "P*3c Rx1b= +Rxf5 Rd5=D+"),
            ("{[%clk 1:00]} P-6d{x}P-1c", "{[%clk 1:00]} P-6d {x} P-1c"),
            ("{%\n% not an escape}", "{%\n% not an escape}"),
        ] {
            let games = games(text);
            assert_eq!((games.len(), shown(&games[0]).as_str()), (1, expected), "{text}");
            assert_eq!(games[0].problems, [], "{text}");
        }
    }

    #[test]
    fn comments_around_the_tags_and_after_the_result_belong_to_the_game() {
        let next = "\n[Event \"z\"]\n\nP-5d *";
        for (text, expected) in [
            ("; by X\n[Event \"y\"]\n[Black \"c\"]\n\nP-6d 1-0\n", "{by X} P-6d"),
            ("[Event \"y\"]\n; among\n[Black \"c\"] {tags}\n[Round \"1\"]\n\nP-6d *\n", "{among} {tags} P-6d"),
            ("P-6d 1-0 {White resigns}\n", "P-6d {White resigns}"),
            ("P-6d 1-0 {White\nresigns} {early} ; on time\n", "P-6d {White\nresigns} {early} {on time}"),
            ("P-6d 1-0\n{of the next}", "P-6d"),
        ] {
            let games = games(&[text, next].concat());
            let shown: Vec<String> = games.iter().map(shown).collect();
            let second = if text.ends_with("next}") { "{of the next} P-5d" } else { "P-5d" };
            assert_eq!(shown, [expected, second], "{text}");
        }
        assert_eq!(shown(&games("P-6d 1-0\n\n{of\nnobody} ; else\n")[0]), "P-6d {of\nnobody} {else}");
    }

    #[test]
    fn a_tag_of_the_roster_that_comes_again_begins_the_next_game() {
        let text = "[White \"a\"]\n[Black \"b\"]\n\n[White \"c\"]\n[Annotator \"x\"]\n[Annotator \"y\"]\n\nP-6d *";
        let tags: Vec<usize> = games(text).iter().map(|game| game.tags.len()).collect();
        assert_eq!(tags, [2, 3]);
    }

    #[test]
    fn a_file_is_cut_into_games() {
        let text = "[Event \"a \\\"b\\\" \\\\ \\c\"]\n[Site \"\"]\n\nP-6d 1-0\n\n[Event \"b\"]\n\n[Event \"c\"] [X \"y\"] P-6d\n[Event \"d\"]\n\nP-6d * P-1c 0-1 1-0\n";
        let games = games(text);
        let shown: Vec<_> = games.iter().map(|game| (game.line, game.tags.len(), shown(game), game.result)).collect();
        let (black, white) = (Some(Some(GameScore::Black)), Some(Some(GameScore::White)));
        let expected = [
            (1, 2, "P-6d".to_owned(), black),
            (6, 1, String::new(), None),
            (8, 2, "P-6d".to_owned(), None),
            (9, 1, "P-6d".to_owned(), Some(None)),
            (11, 0, "P-1c".to_owned(), white),
        ];
        assert_eq!(shown, expected);
        assert_eq!(games[0].tags[0].value, "a \"b\" \\ \\c");
        // The last result is of no game.
        assert_eq!(games.iter().map(|game| game.problems.len()).collect::<Vec<_>>(), [0, 0, 0, 0, 1]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, problem, count) in [
            ("[Event]\nP-6d", "line 1, column 1: a tag is written [Name \"value\"]: the value is missing", 1),
            (
                " [Event \"x]\nP-6d",
                "line 1, column 2: a tag is written [Name \"value\"]: the value's closing '\"' is missing",
                1,
            ),
            ("[Event \"x\" P-6d", "line 1, column 1: a tag is written [Name \"value\"]: ']' is missing", 1),
            ("[\"x\"] P-6d", "line 1, column 1: a tag is written [Name \"value\"]: the name is missing", 1),
            ("$256 P-6d", "line 1, column 1: '$256' is no glyph: there are $0 to $255", 1),
            ("é P-6d", "line 1, column 1: 'é' is neither a move nor a comment: comments stand in braces", 1),
            ("{é} P-6d } P-1c", "line 1, column 10: '}' closes nothing", 1),
            (
                "P-6d!!! P-1c",
                "line 1, column 1: '!!!' is no sign that is known, such as !? ± or =: write a glyph, $13, or a comment",
                1,
            ),
            ("P-6d *\n1-0\n", "line 2, column 1: '1-0' ends no game: a tag or a move expected before it", 1),
            ("P-6d\n {open", "line 2, column 2: the comment that begins here is not closed: '}' expected", 1),
            (
                "P-6d {open\n\n[Event \"x\"]\n\nP-6d",
                "line 1, column 6: the comment that begins here is not closed: '}' expected",
                2,
            ),
        ] {
            let games = games(text);
            let problems: Vec<String> = games[0].problems.iter().map(ToString::to_string).collect();
            assert_eq!((games.len(), &problems[..]), (count, &[problem.to_owned()][..]), "{text}");
        }
    }
}
