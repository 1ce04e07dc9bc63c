use smallvec::SmallVec;

use super::score::INFINITE;
use crate::score::Bound;
use crate::shogi::{History, Move, Position};

/// The root of a search: a position, and the history of the game that led to it.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position.
    pub position: Position,
    /// The history, with the position as its last entry.
    pub history: History,
}

impl Root {
    /// A position without a history.
    pub fn new(position: Position) -> Root {
        Root { history: History::new(&position), position }
    }
}

/// A line of moves, up to 32 of them without an allocation.
pub(super) type Line = SmallVec<[Move; 32]>;

/// A move at the root, with its score.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    pub(super) score: i32,
    /// The score of the last search with another window or depth; `-INFINITE` if that did not raise alpha.
    pub(super) previous_score: i32,
    /// The bound of `score`.
    pub(super) bound: Bound,
    pub(super) seldepth: usize,
    /// The nodes below it in this search.
    pub(super) nodes: u64,
    pub(super) pv: Line,
}

impl RootMove {
    /// A move that has not been searched.
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -INFINITE,
            previous_score: -INFINITE,
            bound: Bound::Exact,
            seldepth: 0,
            nodes: 0,
            pv: SmallVec::from_slice(&[mv]),
        }
    }

    /// A move to which the last iteration gave this score.
    #[cfg(test)]
    pub(super) fn scored(mv: &str, score: i32) -> RootMove {
        RootMove { score, ..RootMove::new(mv.parse().unwrap()) }
    }

    /// The last score that is known; `-INFINITE` if there is none.
    pub(super) fn last_score(&self) -> i32 {
        if self.score == -INFINITE { self.previous_score } else { self.score }
    }
}
