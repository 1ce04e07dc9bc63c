//! A task of a lesson under the rules: whether its goal can be reached, and the verdicts on moves.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::board::messages::Words;
use crate::shogi::{EndReason, Game, Move, Position, Square};

/// The maximum number of positions searched to decide whether squares can be visited in time.
const MOST_POSITIONS: usize = 20_000;

/// The longest line of moves to the squares of a task.
const MOST_MOVES: usize = 12;

/// The goal of a task.
#[derive(Clone, Debug, PartialEq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// Play one of these moves: in USI, or its first two characters (`P*`: drop a pawn), or `any` legal one.
    Play(Vec<String>),
    /// Go to these squares, in any order; the other side passes.
    Visit(Vec<String>),
    /// Give check.
    Check,
    /// Give mate in this number of plies.
    Mate(usize),
    /// Let the game end for this reason, without losing it.
    End(String),
    /// Win a game against the computer at this level.
    Game(u32),
}

/// A task on the board.
#[derive(Clone, Debug)]
pub struct Exercise {
    pub start: Position,
    pub past: Vec<Move>,
    pub goal: Goal,
    pub solution: Vec<Move>,
    /// The squares still to be visited, and the number of moves left for them.
    pub left: BTreeSet<Square>,
    pub moves: usize,
    /// Of wrong moves, as the file says it.
    pub wrong: BTreeMap<String, Words>,
}

/// The verdict on a legal move in a task.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Done,
    /// The other side passes, and these squares are left.
    GoesOn(BTreeSet<Square>),
    /// Only the mate solver can tell.
    Ask,
    Wrong,
}

/// A move as the keys of a file name it: itself, or its beginning.
pub fn names(key: &str, mv: Move) -> bool {
    let text = mv.to_string();
    key == "any" || key == text || (key.len() == 2 && text.starts_with(key))
}

impl Exercise {
    /// The game so far.
    pub fn game(&self) -> Result<Game, String> {
        let mut game = Game::new(self.start.clone());
        self.past.iter().try_for_each(|&mv| game.play(mv)).map_err(|error| format!("before: {error}"))?;
        Ok(game)
    }

    /// The verdict on a legal move after this game.
    pub fn judge(&self, game: &Game, mv: Move) -> Verdict {
        let (mover, after) = (game.position().side_to_move(), game.position().after(mv));
        let mut next = game.clone();
        let result = next.play(mv).ok().and_then(|()| next.result());
        let is_lost = result.as_ref().is_some_and(|result| result.winner == Some(!mover));
        let holds = |is_right| if is_right && !is_lost { Verdict::Done } else { Verdict::Wrong };
        match &self.goal {
            Goal::Play(keys) => holds(keys.iter().any(|key| names(key, mv))),
            Goal::Check => holds(after.in_check()),
            Goal::End(reason) => holds(result.is_some_and(|result| <&str>::from(result.reason) == reason)),
            Goal::Mate(1) => holds(after.in_check() && !after.has_legal_move()),
            Goal::Mate(_) => Verdict::Ask,
            Goal::Game(_) => Verdict::Wrong,
            Goal::Visit(_) => {
                let mut left = self.left.clone();
                left.remove(&mv.to());
                let moves = self.moves.saturating_sub(1);
                match passed(after) {
                    _ if left.is_empty() => Verdict::Done,
                    Some(next) if can_visit(&next, &left, moves) == Some(true) => Verdict::GoesOn(left),
                    _ => Verdict::Wrong,
                }
            }
        }
    }

    /// The file's explanation of a wrong move: of the move itself, else of moves with that beginning, else of any move.
    pub fn says_of(&self, mv: Move) -> Option<&Words> {
        let text = mv.to_string();
        let key = [text.as_str(), &text[..2], "any"];
        key.iter().find_map(|key| self.wrong.get(*key))
    }

    /// A move towards the goal.
    pub fn hint(&self, game: &Game) -> Option<Move> {
        let position = game.position();
        let played = &game.moves()[self.past.len()..];
        let next = self.solution.strip_prefix(played).and_then(|rest| rest.first());
        // Nothing checks the solution of most goals, and a record that begins anew does not follow it.
        if let Some(&next) = next.filter(|&&mv| position.is_legal(mv)) {
            return Some(next);
        }
        let is_mate = |mv| position.after(mv).in_check() && !position.after(mv).has_legal_move();
        let is_right = |mv| matches!(self.judge(game, mv), Verdict::Done | Verdict::GoesOn(_)) || is_mate(mv);
        position.legal_moves().into_iter().find(|&mv| is_right(mv))
    }

    /// The error of a task whose goal is unreachable.
    pub fn check(&self) -> Result<(), String> {
        let game = self.game()?;
        if !self.past.len().is_multiple_of(2) {
            return Err("before: both sides have played as many moves".to_owned());
        }
        let legal = game.position().legal_moves();
        // Later moves of a task are of other positions.
        let is_first = !matches!(self.goal, Goal::Visit(_) | Goal::Mate(2..));
        let names_any = |key: &String| match is_first {
            true => legal.iter().any(|&mv| names(key, mv)),
            false => key == "any" || key.len() == 2 || key.parse::<Move>().is_ok(),
        };
        if let Some(key) = self.wrong.keys().find(|key| !names_any(key)) {
            return Err(format!("wrong: '{key}' is not a move there"));
        }
        match &self.goal {
            Goal::Visit(_) if self.left.is_empty() || self.moves > MOST_MOVES => {
                Err(format!("visit: at least one square, in at most {MOST_MOVES} moves"))
            }
            Goal::Visit(_) => match can_visit(game.position(), &self.left, self.moves) {
                Some(true) => Ok(()),
                Some(false) => Err(format!("the squares cannot be reached in {} moves", self.moves)),
                None => Err("there are too many ways to these squares".to_owned()),
            },
            Goal::Play(keys) if keys.iter().any(|key| !legal.iter().any(|&mv| names(key, mv))) => {
                Err(format!("play: not all of {keys:?} is legal there"))
            }
            Goal::End(reason) if !EndReason::ALL.iter().any(|&end| <&str>::from(end) == reason) => {
                Err(format!("end: there is no '{reason}'"))
            }
            &Goal::Mate(plies) if plies > 1 => self.check_mate(plies),
            _ if legal.iter().any(|&mv| self.judge(&game, mv) == Verdict::Done) => Ok(()),
            _ => Err("no move reaches the goal".to_owned()),
        }
    }

    fn check_mate(&self, plies: usize) -> Result<(), String> {
        let mut position = self.start.clone();
        self.solution.iter().try_for_each(|&mv| position.try_play(mv)).map_err(|error| format!("solution: {error}"))?;
        let is_mate = position.in_check() && !position.has_legal_move() && self.solution.len() == plies;
        if is_mate && plies % 2 == 1 && self.past.is_empty() {
            return Ok(());
        }
        Err(format!("solution: not a mate in {plies} plies"))
    }
}

/// The position after the other side has passed. One in check cannot pass: the task does not go on there.
pub fn passed(mut position: Position) -> Option<Position> {
    (!position.in_check()).then(|| {
        position.play_null();
        position
    })
}

/// Whether all squares can be visited in time; none if that takes too long to find out.
fn can_visit(position: &Position, left: &BTreeSet<Square>, moves: usize) -> Option<bool> {
    let mut frontier = vec![(position.clone(), left.clone())];
    let mut seen = BTreeSet::new();
    for step in 0..moves {
        let mut next = Vec::new();
        for (position, left) in frontier {
            for mv in position.legal_moves() {
                let mut left = left.clone();
                left.remove(&mv.to());
                if left.is_empty() {
                    return Some(true);
                }
                // A move visits one square.
                if left.len() > moves - step - 1 {
                    continue;
                }
                let Some(after) = passed(position.after(mv)) else { continue };
                if seen.insert((after.key(), left.clone())) {
                    next.push((after, left));
                }
                if seen.len() > MOST_POSITIONS {
                    return None;
                }
            }
        }
        frontier = next;
    }
    Some(false)
}
