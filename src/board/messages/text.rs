//! Texts for people: keys of the page's languages, with values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::record::{Problem, ReadError};
use crate::shogi::{Color, EndReason, GameResult, InvalidPosition, PieceKind, PointCount, Square};

/// A text that the page shows in its language: the key of a sentence, and the values of its placeholders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    pub key: Cow<'static, str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub args: BTreeMap<&'static str, Value>,
}

/// The value of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    Number(u64),
    /// Shown unchanged.
    Verbatim(String),
    Text(Text),
    /// A list of texts.
    List(Vec<Text>),
    /// A square, which the page names in its language.
    Square {
        square: String,
    },
}

impl Text {
    /// A sentence without values.
    pub fn new(key: impl Into<Cow<'static, str>>) -> Text {
        Text { key: key.into(), args: BTreeMap::new() }
    }

    /// The sentence with a value.
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Text {
        self.args.insert(name, value.into());
        self
    }

    /// A text that is the same in all languages: the words of an engine, a file or the system.
    pub fn verbatim(text: impl Into<String>) -> Text {
        Text::new("verbatim").with("text", text.into())
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Value {
        Value::Number(number)
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Value {
        Value::Number(number as u64)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Number(number.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Verbatim(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Verbatim(text.to_owned())
    }
}

impl From<Text> for Value {
    fn from(text: Text) -> Value {
        Value::Text(text)
    }
}

impl From<Square> for Value {
    fn from(square: Square) -> Value {
        Value::Square { square: square.to_string() }
    }
}

impl From<Color> for Value {
    fn from(color: Color) -> Value {
        Value::Text(Text::new(match color {
            Color::Black => "black",
            Color::White => "white",
        }))
    }
}

impl From<PieceKind> for Value {
    fn from(kind: PieceKind) -> Value {
        let sign = if kind == kind.unpromoted() { "" } else { "+" };
        Value::Text(Text::new(format!("piece.{sign}{}", kind.letter())))
    }
}

impl From<EndReason> for Value {
    fn from(reason: EndReason) -> Value {
        Value::Text(self::reason(reason))
    }
}

pub fn reason(reason: EndReason) -> Text {
    Text::new(format!("reason.{}", <&str>::from(reason)))
}

/// The key of an error's text. Errors that only an outdated page or a script can cause share three texts.
pub fn error_key(code: &str) -> String {
    let name = match code {
        "bad-handicap" | "bad-level" | "bad-lines" | "bad-mark" | "bad-nodes" | "bad-rule" | "is-root"
        | "no-such-engine" | "no-such-lesson" | "no-such-problem" => "no-choice",
        "no-game" | "no-game-played" | "no-problem" | "no-review" | "not-reviewed" | "not-solved" => "gone",
        "nothing-deleted" | "nothing-replaced" => "nothing-to-undo",
        _ => code,
    };
    format!("error.{name}")
}

/// The end of a game: `Black wins: checkmate`.
pub fn end(winner: Option<Color>, why: Option<impl Into<Value>>) -> Text {
    let key = match (winner, why.is_some()) {
        (Some(_), true) => "end.won.why",
        (Some(_), false) => "end.won",
        (None, true) => "end.drawn.why",
        (None, false) => "end.drawn",
    };
    let text = Text::new(key);
    let text = winner.into_iter().fold(text, |text, winner| text.with("winner", winner));
    why.into_iter().fold(text, |text, why| text.with("why", why))
}

/// The end of a game by the rules, with the points.
pub fn result(result: &GameResult) -> Text {
    let why = match result.points {
        Some(PointCount { points: [black, white] }) => {
            Value::Text(Text::new("end.points").with("reason", result.reason).with("black", black).with("white", white))
        }
        None => result.reason.into(),
    };
    end(result.winner, Some(why))
}

/// The first problem of a record, with its position. The details are in English in all languages.
pub fn problem(problem: &Problem) -> Text {
    let Problem { line, column, message } = problem;
    Text::new("record.problem").with("line", *line).with("column", *column).with("message", message.as_str())
}

/// The reason why a text cannot be read at all.
pub fn unreadable(error: &ReadError) -> Text {
    match error {
        ReadError::UnknownFormat | ReadError::Jkf | ReadError::Book => Text::new("record.unknownFormat"),
        ReadError::Io(error) => Text::new("record.io").with("error", error.to_string()),
    }
}

/// The reason why a position cannot be played.
pub fn invalid(problem: &InvalidPosition) -> Text {
    match *problem {
        InvalidPosition::NoKing(color) => Text::new("invalid.noKing").with("side", color),
        InvalidPosition::SecondKing(color, square) => {
            Text::new("invalid.secondKing").with("side", color).with("square", square)
        }
        InvalidPosition::TooMany(kind, count) => Text::new("invalid.tooMany").with("piece", kind).with("count", count),
        InvalidPosition::Nifu(color, file) => Text::new("invalid.nifu").with("side", color).with("file", file),
        InvalidPosition::DeadPiece(color, kind, square) => {
            Text::new("invalid.deadPiece").with("side", color).with("piece", kind).with("square", square)
        }
        InvalidPosition::OpponentInCheck(color, king, checker) => {
            Text::new("invalid.inCheck").with("side", color).with("square", king).with("checker", checker)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::shogi::{Handicap, ImpasseRule};

    /// The placeholders of a text.
    fn names(text: &str) -> BTreeSet<String> {
        let names = text.split('{').skip(1).map(|rest| rest.split(['}', '|']).next().unwrap_or_default().to_owned());
        let mut names: BTreeSet<String> = names.collect();
        // The page converts plies to moves, and both to a length.
        if names.remove("length") || names.contains("moves") {
            names.insert("plies".to_owned());
        }
        names
    }

    /// The keys of the page's texts, each with its texts in English and in Japanese.
    fn texts() -> BTreeMap<String, Vec<&'static str>> {
        let (_, table) = include_str!("../page/texts.js").split_once("export default `").expect("the texts follow it");
        let (mut group, mut last) = (String::new(), String::new());
        let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for line in table.lines().filter(|line| !line.is_empty() && *line != "`;") {
            if let Some(text) = line.strip_prefix('=') {
                texts.get_mut(&last).expect("it follows the same in English").push(text);
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                group = name.to_owned() + ".";
                continue;
            }
            let (key, text) = line.split_once(": ").expect("a text follows its key");
            last = group.clone() + key;
            assert!(texts.insert(last.clone(), vec![text]).is_none(), "{last}");
        }
        texts
    }

    /// The keys of all texts in the sources of a folder.
    fn keys(folder: &Path) -> Vec<String> {
        let mut keys = Vec::new();
        for entry in fs::read_dir(folder).expect("it can be read") {
            let path = entry.expect("its entries too").path();
            if path.is_dir() {
                keys.extend(self::keys(&path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(&path).expect("sources are text");
                let named = |call: &str| {
                    let named: Vec<&str> =
                        source.split(call).skip(1).filter_map(|rest| rest.split('"').next()).collect();
                    named.into_iter().filter(|key| !key.contains('{')).map(str::to_owned).collect::<Vec<_>>()
                };
                keys.extend([named("Text::new(\""), named(".warn(\"")].concat());
                keys.extend(named("Refusal::new(\"").iter().map(|code| error_key(code)));
            }
        }
        keys
    }

    #[test]
    fn every_text_is_there_in_every_language() {
        let texts = texts();
        for (key, texts) in &texts {
            let [english, japanese] = texts[..] else { panic!("{key} is not there in every language") };
            assert!(!english.is_empty() && !japanese.is_empty(), "{key}");
            assert!(names(japanese).is_subset(&names(english)), "{key}");
        }
        let mut used = keys(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/board"));
        used.extend(EndReason::ALL.iter().map(|&reason| format!("reason.{}", <&str>::from(reason))));
        let offered = ImpasseRule::ALL.iter().filter(|rule| !rule.is_cute_chess_only());
        used.extend(offered.map(|rule| format!("impasse.{rule}")));
        used.extend(Handicap::ALL.map(|handicap| format!("handicap.{handicap}")));
        assert!(used.len() > 100, "{used:?}");
        for key in used {
            assert!(texts.contains_key(&key), "{key} has no text");
        }
    }
}
