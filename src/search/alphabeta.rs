//! The main search: principal variation search, one node a call.

use super::histories::{Histories, PieceTo};
use super::node::{Node, NodeType, NonPvNode, PvNode};
use super::picker::{Candidate, CheckBonus, MovePicker};
use super::pruning::Singularity;
use super::score::*;
use super::see::see_at_least;
use super::tt::TtEntry;
use super::worker::{Shared, Worker};
use crate::score::Bound;
use crate::shogi::{CheckSquares, Move, MoveList, Position};

/// The least depth in plies at which threads defer moves that others are searching.
const ABDADA_DEPTH: i32 = 4;

impl<const EXPOSED: bool> Worker<EXPOSED> {
    /// The score of a position within a window, fail-soft, `ply` plies from the root and searched to `depth` plies.
    ///
    /// `cut_node` says that the parent expects this node to fail high.
    #[allow(clippy::too_many_arguments)] // Together they define a node.
    pub(super) fn search<N: NodeType>(
        &mut self,
        position: &Position,
        shared: &Shared,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiescence::<N>(position, shared, alpha, beta, ply);
        }
        if !N::ROOT {
            if let Some(score) = self.enter::<N>(position, shared, ply) {
                return score;
            }
            // Mate distance pruning: a shorter mate has been found already.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(-mated_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let in_check = position.in_check();

        // Transposition table.
        let excluded = self.stack[ply].excluded;
        let tt_entry = shared.table.probe(position.key(), ply);
        if let Some(entry) = tt_entry
            && !N::PV
            && excluded.is_none()
            && entry.depth >= depth.max(self.params.TableDepth())
            && entry.cuts_off(alpha, beta)
        {
            return entry.score;
        }

        // Static evaluation.
        let eval = if in_check {
            -INFINITE
        } else {
            tt_entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(position, ply))
        };
        self.stack[ply].eval = eval;
        let improving = !in_check && ply >= 2 && eval > self.stack[ply - 2].eval;
        let tt_pv = N::PV || tt_entry.is_some_and(|entry| entry.pv);
        let mut node =
            Node { position, shared, beta, depth, ply, cut_node, eval, improving, tt_entry, tt_pv, excluded };

        // Pruning of the whole node.
        if !N::PV && !in_check && excluded.is_none() {
            let eval = self.refined_eval(&node);
            let pruned = self.reverse_futility(&node, eval).or_else(|| self.null_move(&node, eval));
            if let Some(score) = pruned.or_else(|| self.prob_cut(&node)) {
                return score;
            }
        }

        // Internal iterative reduction: without a hash move the order is poor; the shallower search stores one for the
        // next visit.
        let hash_move = tt_entry.and_then(|entry| entry.mv);
        if !N::ROOT && hash_move.is_none() && depth >= self.params.IirDepth() && (N::PV || cut_node) {
            node.depth -= 1;
        }
        self.search_moves::<N>(&node, alpha)
    }

    /// Searches the moves of a node, and stores the result in the transposition table.
    fn search_moves<N: NodeType>(&mut self, node: &Node, original_alpha: i32) -> i32 {
        let &Node { position, shared, beta, depth, ply, excluded, .. } = node;
        let previous = self.previous_moves(ply);
        let checks = CheckSquares::new(position);
        let bonus = Some(CheckBonus { squares: &checks, bonus: self.params.CheckBonus() });
        let abdada = shared.abdada.filter(|_| depth >= ABDADA_DEPTH);
        let mut picker = self.picker::<N>(node, previous);
        let mut alpha = original_alpha;
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut quiets_tried = MoveList::new();
        let mut captures_tried = MoveList::new();
        while let Some(candidate) = picker.next_candidate(position, &self.histories, bonus, abdada) {
            let Candidate { mv, move_count, .. } = candidate;
            let capture = position.is_capture(mv);
            let quiet = !capture && !mv.promotes();
            let gives_check = position.gives_check(mv, &checks);

            // Pruning of the move.
            if !N::ROOT && !position.in_check() && best > -DECIDED_BOUND {
                if quiet && self.is_late(node, alpha, move_count) {
                    // Skip later quiet moves as well. Only a check that is already picked goes on.
                    picker.skip_quiets();
                    if !gives_check {
                        continue;
                    }
                }
                if self.loses_material(node, &candidate, quiet) {
                    continue;
                }
            }

            let mut extension = 0;
            if !N::ROOT
                && let Some(entry) = self.singular_entry(node, mv)
            {
                match self.singularity::<N>(node, &entry) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::MultiCut(score) => return score,
                }
                if self.stopped {
                    return 0;
                }
            }

            if picker.defer(candidate, position.key(), abdada) {
                continue;
            }
            let searching = abdada.map(|abdada| abdada.begin(position.key(), mv));
            let nodes_before = self.nodes;
            // Check extension.
            let extends = gives_check && extension == 0 && depth >= self.params.CheckDepth();
            if extends && (candidate.is_good_noisy || see_at_least(position, mv, 0)) {
                extension = 1;
            }
            let late = LateMove { quiet, gives_check, extension, previous };
            let score = self.search_move::<N>(node, &candidate, &late, alpha);
            drop(searching);
            if N::ROOT {
                self.count_root_move(mv, nodes_before);
            }
            if self.stopped {
                return 0;
            }
            if N::ROOT && (move_count == 1 || score > alpha) {
                self.update_root_move(mv, score, original_alpha, beta);
            }

            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        self.update_histories(node, mv, previous, &quiets_tried, &captures_tried);
                        break;
                    }
                }
            }
            if capture {
                captures_tried.push(mv);
            } else {
                quiets_tried.push(mv);
            }
        }

        if picker.move_count() == 0 {
            // Checkmate, or no legal move, which loses too.
            return if excluded.is_some() { original_alpha } else { mated_in(ply) };
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if excluded.is_none() && !N::ROOT {
            let eval = (!position.in_check()).then_some(node.eval);
            let entry = TtEntry { mv: best_move, score: best, eval, depth, bound, pv: node.tt_pv };
            shared.table.store(position.key(), ply, entry);
        }
        best
    }

    /// The move picker of a node. At the root it picks the root moves in their order.
    fn picker<N: NodeType>(&self, node: &Node, previous: [Option<PieceTo>; 2]) -> MovePicker {
        if N::ROOT {
            return MovePicker::root(self.root_moves[self.pv_index..].iter().map(|root_move| root_move.mv));
        }
        let hash_move = node.tt_entry.and_then(|entry| entry.mv);
        MovePicker::new(node.position, hash_move, self.histories.killers(node.ply), previous, node.excluded)
    }

    /// The score of one move: principal variation search, in which all moves but the first are searched with a null window
    /// and, where late move reductions apply, less deep at first.
    fn search_move<N: NodeType>(&mut self, node: &Node, candidate: &Candidate, late: &LateMove, alpha: i32) -> i32 {
        let &Node { position, shared, beta, depth, ply, cut_node, .. } = node;
        let &Candidate { mv, move_count, .. } = candidate;
        let child = self.make(position, mv, ply, shared);
        let new_depth = depth - 1 + late.extension;
        let mut score = -INFINITE;
        if move_count > 1 {
            let reduction = self.late_move_reduction::<N>(node, candidate, late).clamp(0, (new_depth - 1).max(0));
            let reduced = new_depth - reduction;
            score = -self.search::<NonPvNode>(&child, shared, -alpha - 1, -alpha, reduced, ply + 1, true);
            if score > alpha && reduction > 0 {
                score = -self.search::<NonPvNode>(&child, shared, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
            }
        }
        if N::PV && (move_count == 1 || score > alpha) {
            score = -self.search::<PvNode>(&child, shared, -beta, -alpha, new_depth, ply + 1, false);
        } else if move_count == 1 {
            score = -self.search::<NonPvNode>(&child, shared, -beta, -alpha, new_depth, ply + 1, !cut_node);
        }
        self.history.pop();
        score
    }

    /// Updates the histories after a fail high: a bonus for the move, a malus for those tried before it.
    fn update_histories(
        &mut self,
        node: &Node,
        mv: Move,
        previous: [Option<PieceTo>; 2],
        quiets: &[Move],
        captures: &[Move],
    ) {
        let &Node { position, depth, ply, .. } = node;
        let bonus = Histories::bonus(depth, &self.params);
        if position.is_capture(mv) {
            self.histories.update_capture(position, mv, bonus);
        } else {
            if !mv.promotes() {
                self.histories.add_killer(ply, mv);
            }
            self.histories.update_quiet(position, mv, previous, bonus);
            for &other in quiets {
                self.histories.update_quiet(position, other, previous, -bonus);
            }
        }
        for &other in captures {
            self.histories.update_capture(position, other, -bonus);
        }
    }
}

/// The properties of a move that its late move reduction depends on.
pub(super) struct LateMove {
    /// Neither a capture nor a promotion.
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// In plies.
    pub(super) extension: i32,
    /// The last two moves before it, the latest first.
    pub(super) previous: [Option<PieceTo>; 2],
}
