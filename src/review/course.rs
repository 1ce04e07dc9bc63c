//! The course of the game under review: its positions, the rules in force at each, and the ends by the rules.

use std::time::Duration;

use super::End;
use crate::mate::MateLimits;
use crate::record::{NodeId, Record};
use crate::search::{Root, Settings};
use crate::shogi::impasse::may_declare;
use crate::shogi::{
    DEFAULT_IMPASSE_PLIES, EndReason, Game, GameHistory, GameResult, ImpasseDecision, ImpasseRule, Move, Position,
    Repetition,
};

/// A line of a record. A record may continue after an end by the rules: later moves are judged as if the game had not
/// ended.
pub(super) struct Course {
    pub(super) nodes: Vec<NodeId>,
    pub(super) moves: Vec<Move>,
    /// The positions before each move and after the last. All their histories together would be quadratic in the length
    /// of the game, so each is computed when it is needed.
    pub(super) positions: Vec<Position>,
    /// The indices at which play begins, or continues after an end, with their histories.
    starts: Vec<(usize, GameHistory)>,
    /// The results of the game in these positions, where it is over.
    ends: Vec<Option<GameResult>>,
    /// The impasse rules in force in these positions.
    rules: Vec<ImpasseRule>,
    impasse_plies: u32,
}

impl Course {
    /// The main line of a record, under its own impasse rule or else this one.
    pub(super) fn of(record: &Record, impasse_rule: ImpasseRule) -> Course {
        Course::along(record, record.main_line().collect(), impasse_rule)
    }

    /// The line through these nodes, the first one a child of the root.
    pub(super) fn along(record: &Record, nodes: Vec<NodeId>, impasse_rule: ImpasseRule) -> Course {
        let rule = record.header.impasse.map_or(impasse_rule, |impasse| impasse.rule);
        let impasse_plies = record.header.impasse.map_or(DEFAULT_IMPASSE_PLIES, |impasse| impasse.plies);
        let mut game = Game::new(record.start().clone()).with_impasse(rule, impasse_plies);
        let (mut positions, mut ends, mut rules) = (vec![game.position().clone()], vec![game.result()], Vec::new());
        let moves: Vec<Move> = nodes.iter().filter_map(|&node| record[node].mv()).collect();
        let mut starts = vec![(0, game.history().clone())];
        for (index, &mv) in moves.iter().enumerate() {
            if ends[index].is_some() {
                game.play_on();
                starts.push((index, game.history().clone()));
            }
            rules.push(game.impasse_rule());
            game.play(mv).expect("the moves of a record are legal");
            positions.push(game.position().clone());
            ends.push(game.result());
        }
        rules.push(game.impasse_rule());
        let is_main = nodes.last().copied().unwrap_or(NodeId::ROOT) == record.main_end();
        if let Some(end @ None) = ends.last_mut().filter(|_| is_main) {
            *end = declared(record, game.position());
        }
        Course { nodes, moves, positions, starts, ends, rules, impasse_plies }
    }

    /// A position with its history.
    pub(super) fn root(&self, index: usize) -> Root {
        let last = self.starts.partition_point(|&(start, _)| start <= index) - 1;
        let (start, mut history) = self.starts[last].clone();
        for at in start..index {
            history.push(&self.positions[at], self.moves[at], &self.positions[at + 1]);
        }
        Root { position: self.positions[index].clone(), history }
    }

    /// The search settings of a position.
    pub(super) fn settings(&self, index: usize) -> Settings {
        Settings { impasse_rule: self.rules[index], impasse_plies: self.impasse_plies, ..Settings::default() }
    }

    /// The limits of a search for a mate that the game's rules allow, in a position or after the move played there.
    pub(super) fn mate_limits(&self, index: usize, time: Option<Duration>) -> MateLimits {
        MateLimits { time, impasse: Some((self.rules[index], self.impasse_plies)), ..MateLimits::default() }
    }

    /// Whether the player to move may declare a win.
    pub(super) fn may_declare(&self, index: usize) -> bool {
        self.rules[index].is_declared() && may_declare(&self.positions[index])
    }

    /// The end of the game in a position, if there is one.
    pub(super) fn end(&self, index: usize) -> Option<End> {
        self.ends[index].map(|result| End { result, played_on: index < self.moves.len() })
    }

    /// The result in a position, if the game is over there.
    pub(super) fn result(&self, index: usize) -> Option<GameResult> {
        self.end(index).filter(|end| !end.played_on).map(|end| end.result)
    }

    /// The rule other than mate that decides the game at the end of a line.
    pub(super) fn decided_by(&self, index: usize, line: &[Move]) -> Option<EndReason> {
        let Root { mut position, mut history } = self.root(index);
        let root = history.len() - 1;
        for &mv in line {
            let before = position.clone();
            position.play(mv);
            history.push(&before, mv, &position);
            if let Some(repetition) = history.repetition(root) {
                return (repetition != Repetition::Draw).then_some(EndReason::PerpetualCheck);
            }
            if let Some(decision) = self.rules[index].decision(&position, &history, self.impasse_plies) {
                return Some(match decision {
                    ImpasseDecision::Points(_) => EndReason::Impasse,
                    ImpasseDecision::Try => EndReason::Try,
                    ImpasseDecision::MayDeclare => EndReason::Declaration,
                });
            }
        }
        None
    }
}

/// The declaration that won the game after its last move, according to the record.
fn declared(record: &Record, last: &Position) -> Option<GameResult> {
    let winner = record.header.result.map_or(Some(last.side_to_move()), |result| result.winner())?;
    let declares = record.header.reason == Some(EndReason::Declaration) && winner == last.side_to_move();
    declares.then_some(GameResult::won(winner, EndReason::Declaration))
}
