//! Depth-first proof-number search (df-pn; Nagai 2002).
//!
//! Known problems of df-pn, and their solutions here:
//! - *Loops.* A position that recurs on the path, with the same attacker's hand or a worse one, counts as no mate. This
//!   disproof depends on the path (the graph-history interaction problem), so a result stores the first ancestor to
//!   which it returns. Disproofs that depend on an ancestor go to a table by path, all others to the transposition
//!   table (Kishimoto and Müller 2004).
//! - *Thresholds that a loop never reaches.* A node with a child that was searched closer to the root raises its
//!   thresholds to its numbers plus 1 (threshold control; Kishimoto 2010).
//! - *Double counting.* Of the children that were searched closer to the root, only the one with the largest number
//!   counts in a sum.
//! - *Useless interpositions.* Drops on the same square are searched one after the other, as are a move with and
//!   without promotion.
//! - *Seesaw between two children.* A child's threshold is a quarter above its best sibling's number (1+ε; Pawlewicz
//!   and Lew 2007).
//!
//! A search with a ply limit finds the shortest mates. The limit is part of a position's identity, so no loop can
//! occur.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::backup::{lost_by_mover, won_by_mover};
use super::children::{Child, Children, NodeType, drop_before, promoting_twin, summarize};
use super::leaf::{attacker_to_move, defender_to_move};
use super::path::{LoopTable, NodeKey, Step, extend_path_key};
use super::search_result::{INFINITE, NO_LOOP, SearchResult, UNLIMITED};
use super::table::Table;
use crate::shogi::{Color, Hand, ImpasseRule, Move, PieceKind, Position, Stage};
use crate::work::is_set;

/// The longest path, in plies.
const MAX_DEPTH: usize = 500;

/// The number of nodes between two checks of the clock.
const CLOCK_INTERVAL: u64 = 512;

pub(super) struct Search<'a> {
    pub(super) table: &'a mut Table,
    stop: &'a AtomicBool,
    attacker: Color,
    path: Vec<Step>,
    loops: LoopTable,
    /// The greatest number of nodes in all searches.
    most_nodes: u64,
    deadline: Option<Instant>,
    /// Positions searched or evaluated as leaves, in all searches.
    pub(super) nodes: u64,
    next_clock_check: u64,
    stopped: bool,
    /// The path reached [`MAX_DEPTH`]: a disproof of the root may rest on that.
    too_deep: bool,
    /// The keys of positions that have occurred three times: the fourth occurrence ends the game.
    ended: Vec<u64>,
    /// Whether results also hold for better or worse hands. They do not if repetition ends the game with one hand but
    /// not with another.
    dominance: bool,
    /// The rule that may end the game before a mate.
    impasse: Option<ImpasseRule>,
}

/// A node's search returns when either number reaches its threshold.
#[derive(Clone, Copy)]
struct Thresholds {
    proof: u32,
    disproof: u32,
}

impl<'a> Search<'a> {
    /// A search that treats positions with the keys `ended` as the end of the game. The rule `impasse` may end it too.
    pub(super) fn new(
        table: &'a mut Table,
        attacker: Color,
        stop: &'a AtomicBool,
        ended: Vec<u64>,
        impasse: Option<ImpasseRule>,
    ) -> Search<'a> {
        Search {
            table,
            stop,
            attacker,
            path: Vec::with_capacity(MAX_DEPTH),
            loops: LoopTable::default(),
            most_nodes: u64::MAX,
            deadline: None,
            nodes: 0,
            next_clock_check: 0,
            stopped: false,
            too_deep: false,
            dominance: ended.is_empty(),
            ended,
            impasse,
        }
    }

    /// Searches for a mate within `limit` plies until the position is proven or disproven, all searches together have
    /// `nodes` nodes, or the deadline has come.
    pub(super) fn solve(
        &mut self,
        position: &Position,
        limit: u16,
        nodes: u64,
        deadline: Option<Instant>,
    ) -> SearchResult {
        (self.most_nodes, self.deadline) = (nodes, deadline);
        (self.stopped, self.next_clock_check) = (false, self.nodes);
        self.path.clear();
        if std::mem::take(&mut self.too_deep) {
            // Some of these disproofs depend on a path that was cut off.
            self.loops = LoopTable::default();
        }
        let node = self.node(position);
        if let Some(entry) =
            self.table.probe(node.key, node.hand, limit, self.dominance).filter(|entry| entry.result.is_final())
        {
            return entry.result;
        }
        let all = Thresholds { proof: INFINITE, disproof: INFINITE };
        let result = self.search(position, node, limit, all);
        if self.too_deep && result.is_disproven() { SearchResult::open(1, 1, node.hand, limit) } else { result }
    }

    /// The node of the root. The table outlives a search, so the key covers everything that a result depends on: the
    /// pieces of the game, the attacker, the positions that repetition ends, and the impasse rule.
    fn node(&self, position: &Position) -> NodeKey {
        let mut all = [0; PieceKind::COUNT];
        for kind in PieceKind::ALL {
            let hands = Color::ALL.map(|color| if kind.index() < 6 { position.hand(color).count(kind) } else { 0 });
            all[kind.unpromoted().index()] += position.by_kind(kind).count() + hands[0] + hands[1];
        }
        let pieces = all.into_iter().fold(self.attacker.index() as u64, |sum, count| sum * 4 + u64::from(count));
        // XOR alone is not enough: the keys of the four positions of two moves and their return cancel out.
        let ended = self.ended.iter().fold(0_u64, |sum, key| (sum ^ key).wrapping_mul(0xd6e8_feb8_6659_fd93));
        let rule = self.impasse.map_or(0, |rule| (u64::from(rule.code()) + 1) << 32);
        let key = position.board_key() ^ (ended ^ rule ^ pieces).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        NodeKey { key, hand: position.hand(self.attacker) }
    }

    fn search(&mut self, position: &Position, node: NodeKey, limit: u16, mut thresholds: Thresholds) -> SearchResult {
        let nodes_before = self.nodes;
        let depth = self.path.len();
        let node_type = self.node_type(position);
        let path_key = extend_path_key(self.path.last().map_or(0, |step| step.path_key), node);
        self.path.push(Step { node, path_key });
        let mut children = self.expand(position, node, limit, path_key);

        let mut first = true;
        let result = loop {
            let summary = summarize(&children, node_type);
            if summary.phi == 0 {
                break won_by_mover(position, &children, node_type, node.hand);
            }
            if summary.delta == 0 {
                break lost_by_mover(position, &children, node_type, node.hand);
            }
            let (proof, disproof) = node_type.swap(summary.phi, summary.delta);
            // Threshold control.
            if first && children.iter().any(|child| child.old && !child.result.is_final()) {
                thresholds.proof = thresholds.proof.max(proof + 1);
                thresholds.disproof = thresholds.disproof.max(disproof + 1);
            }
            first = false;
            if proof >= thresholds.proof || disproof >= thresholds.disproof || self.should_stop() {
                break SearchResult::open(proof, disproof, node.hand, limit);
            }
            let (phi_threshold, delta_threshold) = node_type.swap(thresholds.proof, thresholds.disproof);
            let child = &children[summary.best];
            let phi = phi_threshold.min(summary.second.saturating_add(summary.second / 4 + 1)).min(INFINITE);
            let delta = delta_threshold.saturating_sub(summary.delta).saturating_add(node_type.delta(&child.result));
            let (proof, disproof) = node_type.swap(phi, delta.min(INFINITE));
            let (mv, next) = (child.mv, child.node);
            self.nodes += 1;
            let after = position.after(mv);
            children[summary.best].result = if depth + 1 >= MAX_DEPTH {
                self.too_deep = true;
                SearchResult::no_mate(next.hand, UNLIMITED, None, 0)
            } else {
                self.search(&after, next, shorter(limit), Thresholds { proof, disproof })
            };
        };

        self.path.pop();
        self.keep(result, node, depth as u16, path_key, self.nodes - nodes_before)
    }

    /// Stores a node's result in the right table and returns it in the form that the parent may use.
    fn keep(&mut self, result: SearchResult, node: NodeKey, depth: u16, path_key: u64, nodes: u64) -> SearchResult {
        if result.is_disproven() && result.loop_start < depth {
            self.loops.store(path_key, result.loop_start);
            return result;
        }
        if depth == 0 && result.is_disproven() && self.too_deep {
            return result;
        }
        let hand = if self.dominance { result.hand } else { node.hand };
        let result = SearchResult { loop_start: NO_LOOP, hand, ..result };
        self.table.store(node.key, &result, depth, u32::try_from(nodes).unwrap_or(u32::MAX));
        result
    }

    fn node_type(&self, position: &Position) -> NodeType {
        if position.side_to_move() == self.attacker { NodeType::Or } else { NodeType::And }
    }

    fn should_stop(&mut self) -> bool {
        if self.nodes >= self.next_clock_check && !self.stopped {
            self.next_clock_check = (self.nodes + CLOCK_INTERVAL).min(self.most_nodes);
            self.stopped = is_set(self.stop)
                || self.nodes >= self.most_nodes
                || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.stopped
    }

    /// The attacker's checks, or all moves of the defender.
    fn expand(&mut self, position: &Position, node: NodeKey, limit: u16, path_key: u64) -> Children {
        let node_type = self.node_type(position);
        let depth = (self.path.len() - 1) as u16;
        let mut children = Children::new();
        for mv in position.moves(if node_type == NodeType::Or { Stage::Checks } else { Stage::All }) {
            let (hand, waits_for) = match node_type {
                NodeType::Or => (position.hand_after(mv), promoting_twin(&children, mv)),
                NodeType::And => (node.hand, drop_before(&children, mv)),
            };
            let next = NodeKey { key: position.board_key_after(node.key, mv), hand };
            let (result, old) = self.first_result(position, mv, next, shorter(limit), path_key, depth);
            children.push(Child { mv, node: next, result, old, waits_for });
        }
        children
    }

    /// The result of a child before its search, and whether it was searched closer to the root: taken from the path,
    /// the tables, or the position itself.
    fn first_result(
        &mut self,
        position: &Position,
        mv: Move,
        next: NodeKey,
        limit: u16,
        path_key: u64,
        depth: u16,
    ) -> (SearchResult, bool) {
        if limit == UNLIMITED {
            let no_better = |hand: Hand| if self.dominance { hand.covers(next.hand) } else { hand == next.hand };
            let seen = |step: &Step| step.node.key == next.key && no_better(step.node.hand);
            if let Some(start) = self.path.iter().position(seen) {
                return (SearchResult::no_mate(next.hand, UNLIMITED, None, start as u16), false);
            }
        }
        if self.ends_the_game(position, mv) {
            return (SearchResult::no_mate(next.hand, UNLIMITED, None, NO_LOOP), false);
        }
        if let Some(entry) = self.table.probe(next.key, next.hand, limit, self.dominance) {
            return (entry.result, entry.depth <= depth);
        }
        if limit == UNLIMITED
            && let Some(start) = self.loops.find(extend_path_key(path_key, next))
        {
            return (SearchResult::no_mate(next.hand, UNLIMITED, None, start), false);
        }
        self.nodes += 1;
        let after = position.after(mv);
        let result = match self.node_type(&after) {
            NodeType::Or => attacker_to_move(&after, limit),
            NodeType::And => defender_to_move(&after, limit),
        };
        (result, false)
    }

    /// Whether a move ends the game, or may end it, without mate.
    fn ends_the_game(&self, position: &Position, mv: Move) -> bool {
        let repeated = !self.ended.is_empty() && self.ended.contains(&position.key_after(mv));
        let defends = position.side_to_move() != self.attacker;
        repeated || defends && self.impasse.is_some_and(|rule| rule.may_end(&position.after(mv)))
    }
}

/// The limit of the next ply.
fn shorter(limit: u16) -> u16 {
    if limit == UNLIMITED { UNLIMITED } else { limit - 1 }
}
