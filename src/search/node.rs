//! A node of the tree: what every node does, in the main search and in quiescence, and what the main search knows of one.

use super::histories::Arrival;
use super::score::*;
use super::worker::{Shared, Worker};
use crate::shogi::impasse::may_declare;
use crate::shogi::{ImpasseRule, Move, Position, Repetition};

/// A node of the main search, as far as it is known before its moves are searched.
pub(super) struct Node<'a> {
    pub(super) position: &'a Position,
    pub(super) shared: &'a Shared<'a>,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// The parent expects it to fail high.
    pub(super) cut_node: bool,
    /// The static evaluation; `-INFINITE` in check.
    pub(super) eval: i32,
    /// The static evaluation is better than two plies before.
    pub(super) improving: bool,
    /// It stands in the principal variation, or stood there when the table heard of it.
    pub(super) table_pv: bool,
}

impl<const EXPOSED: bool> Worker<EXPOSED> {
    /// Comes to a node. Returns its score if it has none below it: the search is over, or the game, or the stack.
    #[inline]
    pub(super) fn enter<const PV: bool>(&mut self, position: &Position, shared: &Shared, ply: usize) -> Option<i32> {
        if PV {
            self.stack[ply].pv.clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if self.count_node(shared) {
            return Some(0);
        }
        if let Some(score) = self.game_over(position, shared, ply) {
            return Some(score);
        }
        (ply >= MAX_PLY).then(|| if position.in_check() { 0 } else { self.evaluate(position, ply) })
    }

    /// The score, if the rules have ended the game here or let the side to move end it.
    #[inline]
    fn game_over(&self, position: &Position, shared: &Shared, ply: usize) -> Option<i32> {
        let settings = shared.settings;
        let us = position.side_to_move();
        match self.history.repetition(self.root_index) {
            Some(Repetition::Draw) => return Some(self.draw_value[us.index()]),
            Some(Repetition::Win) => return Some(rule_win_in(ply)),
            Some(Repetition::Loss) => return Some(-rule_win_in(ply)),
            None => {}
        }
        let too_long = settings.max_moves_to_draw > 0 && position.move_number() > settings.max_moves_to_draw;
        if too_long && position.has_legal_move() {
            return Some(self.draw_value[us.index()]);
        }
        match settings.impasse_rule {
            rule @ (ImpasseRule::Points12 | ImpasseRule::CuteChess) => {
                let count = rule.point_count(position, &self.history, settings.impasse_plies)?;
                // Mate comes before points; the count is only taken when there is no check.
                Some(match count.winner() {
                    Some(winner) if winner == us => rule_win_in(ply),
                    Some(_) => -rule_win_in(ply),
                    None => self.draw_value[us.index()],
                })
            }
            ImpasseRule::Declaration => may_declare(position).then(|| rule_win_in(ply)),
            ImpasseRule::Try => self.history.has_tried().then(|| -rule_win_in(ply)),
            ImpasseRule::None => None,
        }
    }

    /// The last two moves before this ply, the latest first.
    #[inline]
    pub(super) fn arrivals_before(&self, ply: usize) -> [Option<Arrival>; 2] {
        [1, 2].map(|back| ply.checked_sub(back).and_then(|ply| self.stack[ply].arrival))
    }

    /// The best line from here is this move and the best line below.
    #[inline]
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.stack.split_at_mut(ply + 1);
        let pv = &mut above[ply].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&below[0].pv);
    }
}
