//! A node of the tree: its type, its state, and the steps that main search and quiescence share.

use super::histories::PieceTo;
use super::score::*;
use super::tt::TtEntry;
use super::worker::{Shared, Worker};
use crate::shogi::{Move, Position, Repetition};

/// A node type. The search is compiled once for each.
pub(super) trait NodeType {
    /// Whether this is the root.
    const ROOT: bool;
    /// Whether the node is searched with an open window.
    const PV: bool;
}

/// The root, which is a PV node too.
pub(super) struct RootNode;
/// A node with an open window.
pub(super) struct PvNode;
/// A node with a null window.
pub(super) struct NonPvNode;

impl NodeType for RootNode {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeType for PvNode {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeType for NonPvNode {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// A node of the main search before its moves are searched.
pub(super) struct Node<'a> {
    pub(super) position: &'a Position,
    pub(super) shared: &'a Shared<'a>,
    pub(super) beta: i32,
    /// In plies.
    pub(super) depth: i32,
    /// In plies from the root.
    pub(super) ply: usize,
    /// The parent expects the node to fail high.
    pub(super) cut_node: bool,
    /// The static evaluation; `-INFINITE` in check.
    pub(super) eval: i32,
    /// The static evaluation is better than two plies before.
    pub(super) improving: bool,
    pub(super) tt_entry: Option<TtEntry>,
    /// A PV node, now or when the table's entry was stored.
    pub(super) tt_pv: bool,
    /// The move that a singular search leaves out.
    pub(super) excluded: Option<Move>,
}

impl<const EXPOSED: bool> Worker<EXPOSED> {
    /// Counts the node. Returns its score if it is a leaf: the search is stopped, the game is over, or the stack is full.
    #[inline]
    pub(super) fn enter<N: NodeType>(&mut self, position: &Position, shared: &Shared, ply: usize) -> Option<i32> {
        if N::PV {
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
        let impasse = settings.impasse_rule.decision(position, &self.history, settings.impasse_plies)?;
        Some(match impasse.winner(us) {
            Some(winner) if winner == us => rule_win_in(ply),
            Some(_) => -rule_win_in(ply),
            None => self.draw_value[us.index()],
        })
    }

    /// The last two moves before this ply, the latest first.
    #[inline]
    pub(super) fn previous_moves(&self, ply: usize) -> [Option<PieceTo>; 2] {
        [1, 2].map(|back| ply.checked_sub(back).and_then(|ply| self.stack[ply].piece_to))
    }

    /// Sets the principal variation of a ply: the move, and the variation of the next ply.
    #[inline]
    pub(super) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.stack.split_at_mut(ply + 1);
        let pv = &mut above[ply].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&below[0].pv);
    }
}
