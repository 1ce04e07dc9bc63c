//! Annotations of a move: comment, quality mark, NAGs, times, and an engine's evaluation.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::score::{Bound, Score};
use crate::shogi::{Color, EndReason, GameScore, Move};

/// The annotations of a move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notes {
    /// A comment in lines; empty if there is none.
    pub comment: String,
    /// The quality of the move.
    pub mark: Option<Mark>,
    /// Other annotation glyphs, by their numbers in PGN (NAG): 10 is an even position. Glyphs for White or Black refer
    /// to the shogi names of the players.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub glyphs: Vec<u8>,
    /// The player's thinking time. In JSON: milliseconds.
    #[serde(with = "millis", skip_serializing_if = "Option::is_none")]
    pub time: Option<Duration>,
    /// The time left on the player's clock after the move. In JSON: milliseconds.
    #[serde(with = "millis", skip_serializing_if = "Option::is_none")]
    pub clock: Option<Duration>,
    /// An engine's evaluation.
    pub evaluation: Option<Evaluation>,
    /// The end of the game here, after which it was continued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub former_end: Option<FormerEnd>,
}

/// The end of a game that was continued, with the data that [`Header`](super::Header) has of an end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormerEnd {
    /// The result; none if the game was broken off.
    pub result: Option<GameScore>,
    /// Why the game ended.
    pub reason: Option<EndReason>,
    /// The reason in words, which files of games do not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// All results of a game, none if it has none, in the order of [`FormerEndWords::results`].
pub(super) const RESULTS: [Option<GameScore>; 4] =
    [Some(GameScore::Black), Some(GameScore::White), Some(GameScore::Draw), None];

/// How a format writes a [`FormerEnd`].
pub(super) struct FormerEndWords {
    /// The names of Black's win, White's win, a draw, and no result.
    pub results: [&'static str; 4],
    /// The name of a reason.
    pub reason: fn(EndReason) -> String,
    /// The signs before and after a reason, which follows the result.
    pub signs: [&'static str; 2],
}

impl FormerEndWords {
    pub fn write(&self, end: &FormerEnd) -> String {
        let index = RESULTS.iter().position(|result| *result == end.result).expect("every result has a name");
        let (name, [before, after]) = (self.results[index], self.signs);
        end.reason.map_or_else(|| name.to_owned(), |reason| format!("{name}{before}{}{after}", (self.reason)(reason)))
    }

    /// Reads the output of [`FormerEndWords::write`].
    pub fn read(&self, text: &str) -> Option<FormerEnd> {
        let [before, after] = self.signs;
        let named = |name: &str| EndReason::ALL.iter().copied().find(|&reason| (self.reason)(reason) == name);
        let (name, reason) = match text.strip_suffix(after).and_then(|text| text.split_once(before)) {
            Some((name, reason)) => (name, Some(named(reason)?)),
            None => (text, None),
        };
        let index = self.results.iter().position(|&result| result == name)?;
        Some(FormerEnd { result: RESULTS[index], reason, detail: None })
    }
}

impl Notes {
    /// Adds other notes on the same move: what these lack, and their comment after this one.
    pub(crate) fn merge(&mut self, other: Notes) {
        if self.comment.is_empty() {
            self.comment = other.comment;
        } else if !other.comment.is_empty() && other.comment != self.comment {
            self.comment = format!("{}\n{}", self.comment, other.comment);
        }
        self.mark = self.mark.or(other.mark);
        self.time = self.time.or(other.time);
        self.clock = self.clock.or(other.clock);
        self.evaluation = self.evaluation.take().or(other.evaluation);
        self.former_end = self.former_end.take().or(other.former_end);
        let new: Vec<u8> = other.glyphs.into_iter().filter(|glyph| !self.glyphs.contains(glyph)).collect();
        self.glyphs.extend(new);
    }

    /// Whether there are no annotations.
    pub fn is_empty(&self) -> bool {
        *self == Notes::default()
    }
}

/// The quality of a move, in the signs of chess literature, with its number in PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// `!`
    #[serde(rename = "!")]
    Good = 1,
    /// `?`
    #[serde(rename = "?")]
    Mistake = 2,
    /// `!!`
    #[serde(rename = "!!")]
    Brilliant = 3,
    /// `??`
    #[serde(rename = "??")]
    Blunder = 4,
    /// `!?`
    #[serde(rename = "!?")]
    Interesting = 5,
    /// `?!`
    #[serde(rename = "?!")]
    Dubious = 6,
}

impl Mark {
    /// Every mark, in the order of their numbers.
    pub const ALL: [Mark; 6] =
        [Mark::Good, Mark::Mistake, Mark::Brilliant, Mark::Blunder, Mark::Interesting, Mark::Dubious];

    /// The sign: `!?`.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Good => "!",
            Mark::Mistake => "?",
            Mark::Brilliant => "!!",
            Mark::Blunder => "??",
            Mark::Interesting => "!?",
            Mark::Dubious => "?!",
        }
    }

    /// The mark with this sign.
    pub fn from_sign(sign: &str) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.sign() == sign)
    }

    /// The number in PGN's list of glyphs (NAG), 1 to 6.
    pub const fn nag(self) -> u8 {
        self as u8
    }

    /// The mark with this number; none for other glyphs.
    pub fn from_nag(nag: u8) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.nag() == nag)
    }
}

/// An engine's evaluation of a move: either when it chose the move, or of the position after it.
///
/// Score and bound are from the point of view of the player who made the move; at the start of a game, of the player to
/// move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Evaluation {
    /// Centipawns or plies to mate.
    pub score: Option<Score>,
    /// Whether the score is exact.
    pub bound: Bound,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The nodes searched.
    pub nodes: Option<u64>,
    /// The engine's line from the position after the move. Its moves are legal.
    pub line: Vec<Move>,
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation { score: None, bound: Bound::Exact, depth: None, nodes: None, line: Vec::new() }
    }
}

impl Evaluation {
    /// Whether the evaluation is empty.
    pub fn is_empty(&self) -> bool {
        self.score.is_none() && self.depth.is_none() && self.nodes.is_none() && self.line.is_empty()
    }
}

/// A score of the player `of` and its bound, from the point of view of `us`.
pub(crate) fn seen_by(us: Color, of: Color, score: Score, bound: Bound) -> (Score, Bound) {
    if us == of {
        return (score, bound);
    }
    match bound {
        Bound::Upper => (-score, Bound::Lower),
        Bound::Lower => (-score, Bound::Upper),
        Bound::Exact => (-score, Bound::Exact),
    }
}

/// Serialises durations as whole milliseconds.
pub(super) mod millis {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_millis() as u64).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}
