use serde::{Deserialize, Serialize};

use super::{LineText, MoveText, ScoreView, Side};
use crate::shogi::Move;

/// A game of the library, as it is listed. Every database keeps it in this form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LibraryRow {
    /// A number that JavaScript holds exactly, too.
    pub id: u64,
    pub name: Option<String>,
    pub black: Option<String>,
    pub white: Option<String>,
    /// The engine's, 0 to 20.
    pub level: Option<u32>,
    /// The user's.
    pub colour: Option<Side>,
    pub result: Option<String>,
    pub reason: Option<String>,
    /// When it was played, or else kept first.
    pub date: String,
    pub plies: usize,
    /// Whether it goes on when it is opened.
    pub playing: bool,
    /// When it was kept last, in milliseconds since 1970.
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

/// The games that are asked for.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LibraryQuery {
    /// All of these words stand in names, event or date.
    pub words: String,
    /// `*`: none.
    pub result: Option<String>,
    /// Whether the position on the board has stood in them.
    pub here: bool,
    pub order: LibraryOrder,
    pub ascending: bool,
    /// Whether it is those that were deleted.
    pub deleted: bool,
    /// How many games come before those that are sent.
    pub first: usize,
}

/// How games ended in which a move was played.
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
    /// In the file that is listed.
    pub file: Option<Tally>,
}

/// The book's word on a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BookMoveView {
    pub score: Option<ScoreView>,
    /// Plies of its search, if the book says.
    pub depth: Option<u32>,
    /// The move and what the book expects after it.
    pub line: LineText,
    /// How many plies the book goes on with its first choices, the move included.
    pub plies: usize,
}
