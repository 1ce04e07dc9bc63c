//! Splits a PGN file into tokenised games, also where a comment or a variation is not closed.

use std::io::{self, BufRead};

use super::token::{Begun, GameText, Place, Step, read_line};
use crate::record::lines::Lines;
use crate::record::read_game::Problem;

#[derive(Default)]
pub(super) struct Tokens {
    /// The rest of a line on which a game ended.
    rest: Option<Place>,
    /// Whether there was a line before, which was not empty.
    had_text: bool,
    /// The game being read.
    game: GameText,
    /// The begin of an unclosed comment: in the text of the game and in the file.
    comment: Option<Begun>,
    /// The number of open variations.
    depth: usize,
    /// A game that was read completely.
    whole: Option<GameText>,
}

impl Tokens {
    /// The next game of the file. Text after the last game is reported as its problem.
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

    /// Ends an unclosed comment.
    fn cut_comment(&mut self) {
        if let Some((begin, line, column)) = self.comment.take() {
            let message = "the comment that begins here is not closed: '}' expected";
            self.game.problems.push(Problem::new(line, column, message));
            self.game.end_comment((begin, line, column));
        }
    }

    fn end(&mut self) {
        self.cut_comment();
        self.depth = 0;
        let game = std::mem::take(&mut self.game);
        self.whole = Some(game).filter(|game| !game.is_empty());
    }

    /// Reads a line, or the rest of one; returns whether there was one.
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
            // Before the tags and moves of a game, a comment does not contain them.
            let starts_tag = !(self.had_text && self.game.is_begun()) && is_tag_line(&place.line.text);
            self.had_text = !place.line.text.is_empty();
            if self.comment.is_some() && starts_tag {
                // An unclosed brace must not swallow the following games.
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
        // A comment on the line of the result belongs to the same game.
        if matches!(step, Step::Over) || self.game.result.is_some() && self.comment.is_none() {
            self.end();
        }
        Ok(true)
    }
}

fn is_tag_line(line: &str) -> bool {
    let inside = line.trim_end().strip_prefix('[').and_then(|rest| rest.strip_suffix("\"]"));
    let name = inside.and_then(|inside| inside.split_once(" \"")).map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

#[cfg(test)]
mod tests {
    use super::super::token::{Kind, Token};
    use super::*;
    use crate::shogi::GameScore;

    fn games(text: &str) -> Vec<GameText> {
        let mut lines = Lines::new(text.as_bytes(), |_| true).unwrap();
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
        // The last result belongs to no game.
        assert_eq!(games.iter().map(|game| game.problems.len()).collect::<Vec<_>>(), [0, 0, 0, 0, 1]);
    }

    #[test]
    fn errors_are_named_with_their_places() {
        for (text, problem, count) in [
            ("[Event]\nP-6d", "line 1, column 1: a tag is written [Name \"value\"]: the value is missing", 1),
            (
                " [Event \"x]\nP-6d",
                "line 1, column 2: a tag is written [Name \"value\"]: the value's closing '\"' is missing",
                1,
            ),
            ("[Event \"x\" P-6d", "line 1, column 1: a tag is written [Name \"value\"]: ']' is missing", 1),
            ("[\"x\"] P-6d", "line 1, column 1: a tag is written [Name \"value\"]: the name is missing", 1),
            ("$256 P-6d", "line 1, column 1: '$256' is not a glyph: there are $0 to $255", 1),
            ("é P-6d", "line 1, column 1: 'é' is neither a move nor a comment: comments stand in braces", 1),
            ("{é} P-6d } P-1c", "line 1, column 10: '}' closes nothing", 1),
            (
                "P-6d!!! P-1c",
                "line 1, column 1: '!!!' is not a known sign such as !? ± or =: write a glyph, $13, or a comment",
                1,
            ),
            ("\n{x\n} *", "line 2, column 1: '*' ends no game: a tag or a move expected before it", 1),
            ("P-6d *\n1-0\n", "line 2, column 1: '1-0' ends no game: a tag or a move expected before it", 1),
            ("P-6d\n {open", "line 2, column 2: the comment that begins here is not closed: '}' expected", 1),
            (
                "P-6d {open\n\n[Event \"x\"]\n\nP-6d",
                "line 1, column 6: the comment that begins here is not closed: '}' expected",
                2,
            ),
            (
                "{open\n[Event \"x\"]\n\nP-6d {closed} *",
                "line 1, column 1: the comment that begins here is not closed: '}' expected",
                1,
            ),
        ] {
            let games = games(text);
            let problems: Vec<String> = games[0].problems.iter().map(ToString::to_string).collect();
            assert_eq!((games.len(), &problems[..]), (count, &[problem.to_owned()][..]), "{text}");
        }
    }
}
