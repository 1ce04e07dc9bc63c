//! Pruning, reductions and extensions: which nodes and moves are not searched, and which are searched less deep or deeper.

use super::alphabeta::LateMove;
use super::histories::PieceTo;
use super::node::{Node, NodeType, NonPvNode};
use super::picker::{Candidate, MovePicker};
use super::score::*;
use super::see::see_at_least;
use super::tt::TtEntry;
use super::worker::Worker;
use crate::score::Bound;
use crate::shogi::Move;

impl<const EXPOSED: bool> Worker<EXPOSED> {
    /// The static evaluation, or the table's score where its bound is sharper.
    pub(super) fn refined_eval(&self, node: &Node) -> i32 {
        match node.tt_entry {
            Some(entry) if entry.depth >= self.params.TableDepth() && entry.is_sharper(node.eval) => entry.score,
            _ => node.eval,
        }
    }

    /// Reverse futility pruning: the evaluation is so far above beta that no reply will bring it down.
    pub(super) fn reverse_futility(&self, node: &Node, eval: i32) -> Option<i32> {
        let &Node { beta, depth, improving, .. } = node;
        let margin = self.params.RfpMargin() * (depth - i32::from(improving));
        let prunes = depth <= self.params.RfpDepth() && eval - margin >= beta && eval < DECIDED_BOUND;
        prunes.then_some((eval + beta) / 2)
    }

    /// Null move pruning: the score stays above beta after a pass, so a move will do at least as well.
    pub(super) fn null_move(&mut self, node: &Node, eval: i32) -> Option<i32> {
        let &Node { position, shared, beta, depth, ply, cut_node, .. } = node;
        // Two passes in a row prove nothing, and a decided score needs a proof.
        let after_null = self.stack[ply - 1].piece_to.is_none();
        if depth < self.params.NullDepth()
            || eval < beta
            || after_null
            || ply < self.null_allowed_from
            || beta <= -DECIDED_BOUND
        {
            return None;
        }
        let above = (eval - beta) / self.params.NullEvalDivisor();
        let reduction = self.params.NullBase() + depth / self.params.NullDepthDivisor() + above.min(3);
        let child = self.evaluator.play_null(position, ply);
        shared.table.prefetch(child.key());
        self.stack[ply].piece_to = None;
        self.history.push_null(&child);
        let score = -self.search::<NonPvNode>(&child, shared, -beta, -beta + 1, depth - reduction, ply + 1, !cut_node);
        self.history.pop();
        if self.stopped {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        // A win that begins with passing is not proven.
        let score = if score >= DECIDED_BOUND { beta } else { score };
        if depth < self.params.NullVerificationDepth() || self.null_allowed_from > 0 {
            return Some(score);
        }
        // Verification: zugzwang is rare where pieces can be dropped, but a deep cut-off is worth verifying.
        self.null_allowed_from = ply + (3 * (depth - reduction) / 4).max(1) as usize;
        let verified = self.search::<NonPvNode>(position, shared, beta - 1, beta, depth - reduction, ply, false);
        self.null_allowed_from = 0;
        (verified >= beta).then_some(score)
    }

    /// ProbCut: a capture that scores far above beta in a shallower search will do so in a deeper one.
    pub(super) fn prob_cut(&mut self, node: &Node) -> Option<i32> {
        let &Node { position, shared, beta, depth, ply, eval, cut_node, tt_entry, .. } = node;
        let target = beta + self.params.ProbCutMargin();
        if depth < self.params.ProbCutDepth() || beta.abs() >= DECIDED_BOUND {
            return None;
        }
        let shallower = depth - self.params.ProbCutReduction();
        if tt_entry.is_some_and(|entry| entry.depth > shallower && entry.score < target) {
            return None;
        }
        let previous = self.previous_moves(ply);
        let mut picker = MovePicker::quiescence(position, tt_entry.and_then(|entry| entry.mv), previous);
        while let Some(mv) = picker.next(position, &self.histories, None) {
            if !see_at_least(position, mv, target - eval) {
                continue;
            }
            let child = self.make(position, mv, ply, shared);
            let mut score = -self.quiescence::<NonPvNode>(&child, shared, -target, 1 - target, ply + 1);
            if score >= target {
                score = -self.search::<NonPvNode>(&child, shared, -target, 1 - target, shallower, ply + 1, !cut_node);
            }
            self.history.pop();
            if self.stopped {
                return Some(0);
            }
            if score >= target {
                let bound = Bound::Lower;
                let entry = TtEntry { mv: Some(mv), score, eval: Some(eval), depth: shallower + 1, bound, pv: false };
                shared.table.store(position.key(), ply, entry);
                // The part above beta that is only the margin is not proven.
                return Some(if score >= DECIDED_BOUND { score } else { score - self.params.ProbCutMargin() });
            }
        }
        None
    }

    /// The table's entry, if this is its move and the entry qualifies it for a singular search.
    #[inline]
    pub(super) fn singular_entry(&self, node: &Node, mv: Move) -> Option<TtEntry> {
        let &Node { depth, ply, excluded, tt_entry, .. } = node;
        tt_entry.filter(|entry| {
            entry.mv == Some(mv)
                && excluded.is_none()
                && depth >= self.params.SingularDepth()
                // Limits extended lines to about twice the depth of the iteration.
                && ply < 2 * (self.completed + 4)
                && entry.depth >= depth - self.params.SingularTableDepth()
                && entry.bound != Bound::Upper
                && entry.score.abs() < DECIDED_BOUND
        })
    }

    /// Singular extensions: the hash move is searched deeper if all others fail low against a score somewhat below its own.
    pub(super) fn singularity<N: NodeType>(&mut self, node: &Node, entry: &TtEntry) -> Singularity {
        let &Node { position, shared, beta, depth, ply, cut_node, .. } = node;
        let margin = self.params.SingularMargin() * depth / 16;
        let singular_beta = entry.score - margin;
        self.stack[ply].excluded = entry.mv;
        let score = self.search::<NonPvNode>(
            position,
            shared,
            singular_beta - 1,
            singular_beta,
            (depth - 1) / 2,
            ply,
            cut_node,
        );
        self.stack[ply].excluded = None;
        if score < singular_beta {
            // Double extension.
            let far = !N::PV && score < singular_beta - self.params.DoubleMargin();
            return Singularity::Extend(1 + i32::from(far));
        }
        // Multi-cut: another move reaches beta as well.
        if singular_beta >= beta {
            return Singularity::MultiCut(singular_beta);
        }
        // Negative extension: the hash move is not singular, and the node is likely to fail high anyway.
        Singularity::Extend(if entry.score >= beta || cut_node { -1 } else { 0 })
    }

    /// Whether quiet moves from this one on are pruned: late move pruning and futility pruning.
    #[inline]
    pub(super) fn is_late(&self, node: &Node, alpha: i32, move_count: usize) -> bool {
        let &Node { depth, eval, improving, .. } = node;
        // Late move pruning.
        let tried = self.params.LmpBase() + self.params.LmpScale() * depth * depth;
        if depth <= self.params.LmpDepth() && move_count as i32 > if improving { tried } else { tried / 2 } {
            return true;
        }
        // Futility pruning.
        let hope = eval + self.params.FutilityBase() + self.params.FutilityMargin() * depth;
        depth <= self.params.FutilityDepth() && hope <= alpha
    }

    /// SEE pruning: whether the move loses more material than the depth left may make up for.
    #[inline]
    pub(super) fn loses_material(&self, node: &Node, candidate: &Candidate, quiet: bool) -> bool {
        let margin = if quiet { self.params.SeeQuietMargin() } else { self.params.SeeCaptureMargin() };
        node.depth <= self.params.SeeDepth()
            && !candidate.is_good_noisy
            && !see_at_least(node.position, candidate.mv, -margin * node.depth)
    }

    /// Late move reductions: how many plies less a move is searched at first.
    #[inline]
    pub(super) fn late_move_reduction<N: NodeType>(&self, node: &Node, candidate: &Candidate, late: &LateMove) -> i32 {
        let &Candidate { mv, move_count, .. } = candidate;
        let first = 2 + usize::from(N::PV);
        if node.depth < self.params.LmrDepth() || move_count < first || late.extension != 0 {
            return 0;
        }
        let mut reduction = self.reductions.of(node.depth, move_count);
        if !late.quiet {
            reduction = reduction * self.params.LmrNoisy() / 1024;
        }
        if node.cut_node {
            reduction += self.params.LmrCutNode();
        }
        if node.tt_pv {
            reduction -= self.params.LmrPv();
        }
        if node.position.in_check() || late.gives_check {
            reduction -= self.params.LmrCheck();
        }
        if !node.improving {
            reduction += self.params.LmrNotImproving();
        }
        if late.quiet {
            let scores = self.histories.quiet_scores(node.position.side_to_move(), late.previous);
            let history = scores.of(mv, PieceTo::of(node.position, mv));
            reduction -= history * 1024 / self.params.LmrHistory();
        }
        reduction / 1024
    }
}

/// The verdict on the hash move of a search without it.
pub(super) enum Singularity {
    /// The extension in plies; negative is a reduction.
    Extend(i32),
    /// Another move fails high too, with this score.
    MultiCut(i32),
}
