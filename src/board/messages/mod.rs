//! The messages between page and server: JSON objects with a `type`. The page sends [`Request`]s, the server
//! [`Message`]s.

mod library;
mod message;
mod request;
mod series;
mod solving;
pub mod text;

use serde::{Deserialize, Serialize};

use crate::score::Bound;
use crate::shogi::Color;

pub use library::*;
pub use message::*;
pub use request::*;
pub use series::*;
pub use solving::*;

/// The version of these messages.
pub const VERSION: u32 = 4;

/// A move in the three notations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveText {
    pub ja: String,
    pub western: String,
    pub usi: String,
}

/// A line in the three notations.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LineText {
    pub ja: Vec<String>,
    pub western: Vec<String>,
    pub usi: Vec<String>,
}

/// A score from Black's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreView {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// The plies to mate; negative if Black is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    pub bound: Bound,
    /// Black's winning chance.
    pub win: f64,
    /// Whether it is the result of a finished game.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub end: bool,
}

/// A pair of values, one per colour.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sides<T> {
    pub black: T,
    pub white: T,
}

impl<T> Sides<T> {
    /// Builds both values.
    pub fn of(each: impl Fn(Color) -> T) -> Sides<T> {
        Sides { black: each(Color::Black), white: each(Color::White) }
    }
}

/// The pieces in a hand, by their letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub struct HandView {
    pub r: u8,
    pub b: u8,
    pub g: u8,
    pub s: u8,
    pub n: u8,
    pub p: u8,
}

/// A game's header. The server ignores fields that a page cannot change: handicap, result and reason.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct HeaderView {
    pub black: Option<String>,
    pub white: Option<String>,
    pub event: Option<String>,
    pub site: Option<String>,
    pub round: Option<String>,
    pub date: Option<String>,
    pub time_control: Option<String>,
    pub handicap: Option<String>,
    pub result: Option<String>,
    pub reason: Option<String>,
}
