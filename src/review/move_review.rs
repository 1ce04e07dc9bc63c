//! A reviewed move, with its scores, best line, loss and mark, and the end of a game in a position.

use serde::{Deserialize, Serialize};

use super::chance::win_chance;
use super::marks::MoveMark;
use crate::record::{Evaluation, NodeId};
use crate::score::Score;
use crate::shogi::{Color, EndReason, GameResult, Move, Position};

/// An end of the game in a position: by the rules, or by a declaration after the last move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The result.
    pub result: GameResult,
    /// Whether the record continues nevertheless: the following moves are judged as if the game had not ended.
    pub played_on: bool,
}

/// The review of a move. Scores are from the point of view of the player who made it. What follows from the moves of
/// the game is not stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveReview {
    /// The move's number in the game, from 1.
    #[serde(skip)]
    pub ply: usize,
    /// The move's node in the record.
    #[serde(skip)]
    pub node: NodeId,
    /// The position before the move.
    #[serde(skip, default = "Position::startpos")]
    pub position: Position,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The score before the move: that of the best move. None if the review was interrupted.
    pub before: Option<Score>,
    /// The rule other than mate that decides the game according to `before`, if there is one and it is known: for
    /// instance a declaration.
    pub before_rule: Option<EndReason>,
    /// The score after the move. None if the game is over, or if the review was interrupted.
    pub after: Option<Score>,
    /// The same as `before_rule`, for the score after the move.
    pub after_rule: Option<EndReason>,
    /// The end of the game by this move, if it ends.
    #[serde(skip)]
    pub end: Option<End>,
    /// The best move and its line.
    pub best: Vec<Move>,
    /// The loss of winning chance, from 0 to 1.
    pub loss: Option<f64>,
    /// The mark of the move, if it gets one.
    pub mark: Option<MoveMark>,
    /// A mate of up to [`MATE_PLIES`](super::MATE_PLIES) plies that the player missed.
    pub missed_mate: Option<Vec<Move>>,
    /// Whether the player could have declared a win instead.
    #[serde(skip)]
    pub missed_declaration: bool,
}

impl MoveReview {
    /// The player.
    pub fn color(&self) -> Color {
        self.position.side_to_move()
    }

    /// Whether the best move was played.
    pub fn is_best(&self) -> bool {
        self.best.first() == Some(&self.mv)
    }

    /// The player's winning chance before the move.
    pub fn chance_before(&self) -> Option<f64> {
        self.before.map(win_chance)
    }

    /// The player's winning chance after the move; the result, if the game is over.
    pub fn chance_after(&self) -> Option<f64> {
        match self.result().map(|result| result.winner) {
            Some(None) => Some(0.5),
            Some(Some(winner)) => Some(f64::from(u8::from(winner == self.color()))),
            None => self.after.map(win_chance),
        }
    }

    /// The result, if this move ends the game.
    pub fn result(&self) -> Option<GameResult> {
        self.end.filter(|end| !end.played_on).map(|end| end.result)
    }

    /// The evaluation for the record; none if the game is over, because the result is then known.
    pub fn evaluation(&self) -> Option<Evaluation> {
        self.after.map(|score| Evaluation { score: Some(score), ..Evaluation::default() })
    }
}
