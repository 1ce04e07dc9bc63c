//! Selectivity: which nodes and moves are left out (pruning), and which are searched less deep (reductions) or deeper
//! (extensions) than the others.

use super::node::Node;
use super::params::Params;
use super::picker::MovePicker;
use super::score::*;
use super::see::see_at_least;
use super::tt::Entry;
use super::worker::Worker;
use crate::score::Bound;

impl<const EXPOSED: bool> Worker<EXPOSED> {
    /// Null move pruning: still above beta after passing, so a move will do at least as well.
    pub(super) fn null_move(&mut self, node: &Node, better_eval: i32) -> Option<i32> {
        let &Node { position, shared, beta, depth, ply, cut_node, .. } = node;
        // Two in a row would prove nothing, and a decided score needs a proof.
        let after_null = self.stack[ply - 1].arrival.is_none();
        if depth < Params::<EXPOSED>::NullDepth()
            || better_eval < beta
            || after_null
            || ply < self.null_allowed_from
            || beta <= -DECIDED_BOUND
        {
            return None;
        }
        let above = (better_eval - beta) / Params::<EXPOSED>::NullEvalDivisor();
        let reduction = Params::<EXPOSED>::NullBase() + depth / Params::<EXPOSED>::NullDepthDivisor() + above.min(3);
        let child = self.evaluator.play_null(position, ply);
        shared.table.prefetch(child.key());
        self.stack[ply].arrival = None;
        self.history.push_null(&child);
        let score = -self.search::<false>(&child, shared, -beta, -beta + 1, depth - reduction, ply + 1, !cut_node);
        self.history.pop();
        if self.stopped {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        // A win that begins with passing is not proven.
        let score = if score >= DECIDED_BOUND { beta } else { score };
        if depth < 12 || self.null_allowed_from > 0 {
            return Some(score);
        }
        // Verification: zugzwang is rare where pieces can be dropped, but a deep cut-off is worth making sure of.
        self.null_allowed_from = ply + (3 * (depth - reduction) / 4).max(1) as usize;
        let verified = self.search::<false>(position, shared, beta - 1, beta, depth - reduction, ply, false);
        self.null_allowed_from = 0;
        (verified >= beta).then_some(score)
    }

    /// ProbCut: a capture that comes out far above beta in a shallower search will do so in a deeper one.
    pub(super) fn prob_cut(&mut self, node: &Node, known: Option<Entry>) -> Option<i32> {
        let &Node { position, shared, beta, depth, ply, eval, cut_node, .. } = node;
        let target = beta + Params::<EXPOSED>::ProbCutMargin();
        if depth < Params::<EXPOSED>::ProbCutDepth() || beta.abs() >= DECIDED_BOUND {
            return None;
        }
        let shallower = depth - 4;
        if known.is_some_and(|entry| entry.depth > shallower && entry.score < target) {
            return None;
        }
        let before = self.arrivals_before(ply);
        let mut picker = MovePicker::quiescence(position, known.and_then(|entry| entry.mv), before);
        while let Some(mv) = picker.next(position, &self.histories, None) {
            if !see_at_least(position, mv, target - eval) {
                continue;
            }
            let child = self.make(position, mv, ply, shared);
            let mut score = -self.quiescence::<false>(&child, shared, -target, 1 - target, ply + 1);
            if score >= target {
                score = -self.search::<false>(&child, shared, -target, 1 - target, shallower, ply + 1, !cut_node);
            }
            self.history.pop();
            if self.stopped {
                return Some(0);
            }
            if score >= target {
                let bound = Bound::Lower;
                let entry = Entry { mv: Some(mv), score, eval: Some(eval), depth: shallower + 1, bound, pv: false };
                shared.table.store(position.key(), ply, entry);
                // What is above beta by the margin alone is not proven.
                return Some(if score >= DECIDED_BOUND { score } else { score - Params::<EXPOSED>::ProbCutMargin() });
            }
        }
        None
    }

    /// Singular extensions: whether the hash move is so much better than all others that it deserves a deeper look.
    pub(super) fn singularity<const PV: bool>(&mut self, node: &Node, entry: &Entry) -> Singularity {
        let &Node { position, shared, beta, depth, ply, cut_node, .. } = node;
        let margin = Params::<EXPOSED>::SingularMargin() * depth / 16;
        let singular_beta = entry.score - margin;
        self.stack[ply].excluded = entry.mv;
        let score =
            self.search::<false>(position, shared, singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
        self.stack[ply].excluded = None;
        if score < singular_beta {
            // Double extension.
            let far = !PV && score < singular_beta - Params::<EXPOSED>::DoubleMargin();
            return Singularity::Extend(1 + i32::from(far));
        }
        // Multi-cut: another move reaches beta as well.
        if singular_beta >= beta {
            return Singularity::MultiCut(singular_beta);
        }
        // Negative extension: it is not alone, and the node is likely to fail high anyway.
        Singularity::Extend(if entry.score >= beta || cut_node { -1 } else { 0 })
    }

    /// Whether quiet moves from this one on can be left out near the leaves.
    #[inline]
    pub(super) fn is_late(&self, node: &Node, alpha: i32, number: usize) -> bool {
        let &Node { depth, eval, improving, .. } = node;
        // Late move pruning.
        let tried = Params::<EXPOSED>::LmpBase() + Params::<EXPOSED>::LmpScale() * depth * depth;
        if depth <= Params::<EXPOSED>::LmpDepth() && number as i32 > if improving { tried } else { tried / 2 } {
            return true;
        }
        // Futility pruning.
        let hope = eval + Params::<EXPOSED>::FutilityBase() + Params::<EXPOSED>::FutilityMargin() * depth;
        depth <= Params::<EXPOSED>::FutilityDepth() && hope <= alpha
    }

    /// How many plies less a late move is searched at first.
    pub(super) fn reduction(&self, node: &Node, number: usize, quiet: bool, gives_check: bool, history: i32) -> i32 {
        let mut reduction = self.reductions.of(node.depth, number);
        if !quiet {
            reduction = reduction * Params::<EXPOSED>::LmrNoisy() / 1024;
        }
        if node.cut_node {
            reduction += Params::<EXPOSED>::LmrCutNode();
        }
        if node.table_pv {
            reduction -= Params::<EXPOSED>::LmrPv();
        }
        if node.position.in_check() || gives_check {
            reduction -= Params::<EXPOSED>::LmrCheck();
        }
        if !node.improving {
            reduction += Params::<EXPOSED>::LmrNotImproving();
        }
        reduction -= history * 1024 / Params::<EXPOSED>::LmrHistory();
        reduction / 1024
    }
}

/// What a search without the hash move says of it.
pub(super) enum Singularity {
    /// Search it by so many plies deeper.
    Extend(i32),
    /// The node fails high without it.
    MultiCut(i32),
}
