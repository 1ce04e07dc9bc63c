//! Views of the library of games, its queries and rows, and of the opening explorer with statistics of moves.

use serde::{Deserialize, Serialize};

use super::{MoveText, ScoreView};
use crate::shogi::{Color, Move};

/// A game of the library in a list. Every database stores it in this form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LibraryRow {
    /// A number that JavaScript can represent exactly.
    pub id: u64,
    pub name: Option<String>,
    pub black: Option<String>,
    pub white: Option<String>,
    /// Rows of earlier versions have none.
    #[serde(default)]
    pub event: Option<String>,
    /// The engine's level, 0 to 20.
    pub level: Option<u32>,
    /// The user's colour.
    pub colour: Option<Color>,
    pub result: Option<String>,
    pub reason: Option<String>,
    /// The date of the game, or else the day on which it was first stored.
    pub date: String,
    pub plies: usize,
    /// Whether it is continued when it is opened.
    pub playing: bool,
    /// The time at which it was last stored, in milliseconds since 1970.
    pub kept: u64,
}

/// A column of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum LibraryOrder {
    #[default]
    Kept,
    Date,
    Black,
    White,
    Result,
    Plies,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LibraryQuery {
    /// Words that must all occur in names, event, place, date or the reason of the end. Games that earlier versions
    /// stored have no places and reasons.
    pub words: String,
    /// The result; `*` for none.
    pub result: Option<String>,
    /// Whether the position on the board must occur in them.
    pub here: bool,
    pub order: LibraryOrder,
    pub ascending: bool,
    /// Whether to list deleted games instead of the others.
    pub deleted: bool,
    /// The number of games to skip.
    pub first: usize,
}

/// The results of the games in which a move was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub games: usize,
    pub black: usize,
    pub white: usize,
    pub draws: usize,
}

/// A move in the explorer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExploredMove {
    #[serde(rename = "move")]
    pub mv: Move,
    pub text: MoveText,
    pub book: Option<BookMoveView>,
    pub library: Option<Tally>,
    /// The results in the listed file.
    pub file: Option<Tally>,
}

/// The book's information on a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BookMoveView {
    pub score: Option<ScoreView>,
    /// The depth of its search in plies, if the book has it.
    pub depth: Option<u32>,
    /// The length in plies of the book's line of first choices, including the move.
    pub plies: usize,
}
