//! A node of the main search: principal variation search, its steps in the order in which they run.
//!
//! `src/search/tried.md` has the experiments for each step and their results.

use super::order::{Candidate, CheckBonus, Histories, MovePicker, PieceTo};
use super::params::Params;
use super::score::*;
use super::see::see_at_least;
use super::table::TtEntry;
use super::threads::Worker;
use crate::score::Bound;
use crate::shogi::{CheckSquares, ImpasseDecision, Move, MoveList, Position, Repetition};

/// A node type. The search is compiled once for each.
pub(super) trait NodeType {
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

/// A node before its moves are searched.
struct Node<'a> {
    position: &'a Position,
    beta: i32,
    /// In plies.
    depth: i32,
    /// In plies from the root.
    ply: usize,
    /// The parent expects the node to fail high.
    cut_node: bool,
    /// The static evaluation; `-INFINITE` in check.
    eval: i32,
    /// The static evaluation is better than two plies before; where the whole node may be pruned, also if the refined
    /// one is at least beta.
    improving: bool,
    tt_entry: Option<TtEntry>,
    /// The node is a PV node, or the table's entry says that it was one or failed low below one.
    tt_pv: bool,
    /// The move that a singular search excludes.
    excluded: Option<Move>,
    /// The last two moves before this node, the latest first.
    previous: [Option<PieceTo>; 2],
}

/// The properties of a move that determine its late move reduction.
struct MoveContext {
    /// Neither a capture nor a promotion.
    quiet: bool,
    gives_check: bool,
    /// In plies; negative is a reduction.
    extension: i32,
}

impl Worker<'_> {
    /// Searches a position to `depth` plies within a window and returns its fail-soft score. It is `ply` plies from the
    /// root.
    ///
    /// `cut_node` says that the parent expects this node to fail high.
    pub(super) fn search<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiescence::<N>(position, alpha, beta, ply);
        }
        if !N::ROOT {
            if let Some(score) = self.enter::<N>(position, ply) {
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

        // Transposition table cut-off.
        let excluded = self.stack[ply].excluded;
        let tt_entry = self.shared.table.probe(position.key(), ply);
        if let Some(entry) = tt_entry
            && !N::PV
            && excluded.is_none()
            && entry.depth >= depth.max(self.params.TableDepth)
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
        self.stack[ply].tt_pv = tt_pv;
        let previous = self.previous_moves(ply);
        let mut node =
            Node { position, beta, depth, ply, cut_node, eval, improving, tt_entry, tt_pv, excluded, previous };

        // Pruning of the whole node.
        if !N::PV && !in_check && excluded.is_none() {
            let eval = self.refined_eval(&node);
            if let Some(score) = self.reverse_futility(&node, eval) {
                return score;
            }
            node.improving |= eval >= beta;
            if let Some(score) = self.null_move(&node, eval).or_else(|| self.prob_cut(&node)) {
                return score;
            }
        }

        // Internal iterative reduction: without a hash move the move order is poor. The shallower search stores one for
        // the next visit.
        let hash_move = tt_entry.and_then(|entry| entry.mv);
        if !N::ROOT && hash_move.is_none() && depth >= self.params.IirDepth && (N::PV || cut_node) {
            node.depth -= 1;
        }
        self.search_moves::<N>(&node, alpha)
    }

    /// Counts the node. Returns a score if the node is a leaf: the search is stopped, the game is over, or the stack is
    /// full.
    #[inline]
    pub(super) fn enter<N: NodeType>(&mut self, position: &Position, ply: usize) -> Option<i32> {
        if N::PV {
            self.stack[ply].pv.clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if self.count_node() {
            return Some(0);
        }
        if let Some(score) = self.game_over(position, ply) {
            return Some(score);
        }
        (ply >= MAX_PLY).then(|| if position.in_check() { 0 } else { self.evaluate(position, ply) })
    }

    /// Returns the score if the game is over or the side to move may declare its end.
    #[inline]
    fn game_over(&self, position: &Position, ply: usize) -> Option<i32> {
        let settings = self.shared.settings;
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
        if matches!(impasse, ImpasseDecision::Points(_)) && !position.has_legal_move() {
            return Some(mated_in(ply));
        }
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

    // ---- Pruning of the whole node ----

    /// The static evaluation, or the table's score where its bound is sharper.
    fn refined_eval(&self, node: &Node) -> i32 {
        match node.tt_entry {
            Some(entry) if entry.depth >= self.params.TableDepth && entry.is_sharper(node.eval) => entry.score,
            _ => node.eval,
        }
    }

    /// Reverse futility pruning: the evaluation is so far above beta that no reply will bring it down.
    fn reverse_futility(&self, node: &Node, eval: i32) -> Option<i32> {
        let &Node { beta, depth, improving, .. } = node;
        let per_ply = if improving { self.params.RfpMarginImproving } else { self.params.RfpMargin };
        let margin = per_ply * (depth - 1);
        let prunes = depth <= self.params.RfpDepth && eval - margin >= beta && eval < DECIDED_BOUND;
        prunes.then_some((eval + beta) / 2)
    }

    /// Null move pruning: the score stays above beta after a pass, so a move will do at least as well.
    fn null_move(&mut self, node: &Node, eval: i32) -> Option<i32> {
        let &Node { position, beta, depth, ply, .. } = node;
        // Two passes in a row prove nothing, and a decided score needs a proof.
        let after_null = self.stack[ply - 1].piece_to.is_none();
        if depth < self.params.NullDepth
            || eval < beta
            || after_null
            || ply < self.null_allowed_from
            || beta <= -DECIDED_BOUND
        {
            return None;
        }
        let above = (eval - beta) / self.params.NullEvalDivisor;
        let reduction = self.params.NullBase + depth / self.params.NullDepthDivisor + above.min(3);
        let child = self.evaluator.play_null(position, ply);
        self.shared.table.prefetch(child.key());
        self.stack[ply].piece_to = None;
        self.history.push_null(&child);
        // As at a PV node, no cut-off is expected below.
        let score = -self.search::<NonPvNode>(&child, -beta, -beta + 1, depth - reduction, ply + 1, false);
        self.history.pop();
        if self.stopped {
            return Some(0);
        }
        if score < beta {
            return None;
        }
        // A win that begins with a pass is not proven.
        let score = if score >= DECIDED_BOUND { beta } else { score };
        if depth < self.params.NullVerificationDepth || self.null_allowed_from > 0 {
            return Some(score);
        }
        // Verification: zugzwang is rare where pieces can be dropped, but a deep cut-off is worth verifying.
        self.null_allowed_from = ply + (3 * (depth - reduction) / 4).max(1) as usize;
        let verified = self.search::<NonPvNode>(position, beta - 1, beta, depth - reduction, ply, false);
        self.null_allowed_from = 0;
        (verified >= beta).then_some(score)
    }

    /// ProbCut: a capture that scores far above beta in a shallower search will do so in a deeper one.
    fn prob_cut(&mut self, node: &Node) -> Option<i32> {
        let &Node { position, beta, depth, ply, eval, cut_node, tt_entry, previous, .. } = node;
        let target = beta + self.params.ProbCutMargin;
        if depth < self.params.ProbCutDepth || beta.abs() >= DECIDED_BOUND {
            return None;
        }
        let shallower = depth - self.params.ProbCutReduction;
        if tt_entry.is_some_and(|entry| entry.depth > shallower && entry.score < target) {
            return None;
        }
        let mut picker = MovePicker::quiescence(position, tt_entry.and_then(|entry| entry.mv), previous);
        while let Some(mv) = picker.next(position, &self.histories, None) {
            self.prefetch(position, mv);
            if !see_at_least(position, mv, target - eval) {
                continue;
            }
            let child = self.make(position, mv, ply);
            let mut score = -self.quiescence::<NonPvNode>(&child, -target, 1 - target, ply + 1);
            if score >= target {
                score = -self.search::<NonPvNode>(&child, -target, 1 - target, shallower, ply + 1, !cut_node);
            }
            self.history.pop();
            if self.stopped {
                return Some(0);
            }
            if score >= target {
                let bound = Bound::Lower;
                let entry = TtEntry { mv: Some(mv), score, eval: Some(eval), depth: shallower + 1, bound, pv: false };
                self.shared.table.store(position.key(), ply, entry);
                // The part above beta that comes from the margin is not proven.
                return Some(if score >= DECIDED_BOUND { score } else { score - self.params.ProbCutMargin });
            }
        }
        None
    }

    // ---- The move loop ----

    /// Searches the moves of a node, and stores the result in the transposition table.
    fn search_moves<N: NodeType>(&mut self, node: &Node, original_alpha: i32) -> i32 {
        let &Node { position, beta, depth, ply, excluded, .. } = node;
        let checks = CheckSquares::new(position);
        let bonus = Some(CheckBonus { squares: &checks, bonus: self.params.CheckBonus });
        let mut picker = self.picker::<N>(node);
        let mut alpha = original_alpha;
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut quiets_tried = MoveList::new();
        let mut captures_tried = MoveList::new();
        while let Some(candidate) = picker.next_candidate(position, &self.histories, bonus) {
            let Candidate { mv, move_count, .. } = candidate;
            self.prefetch(position, mv);
            let capture = position.is_capture(mv);
            let quiet = !capture && !mv.promotes();
            let gives_check = position.gives_check(mv, &checks);

            // Pruning of the move.
            if !N::ROOT && !position.in_check() && best > -DECIDED_BOUND {
                if quiet && self.prunes_quiets(node, alpha, move_count) {
                    // Skip later quiet moves as well, checks included.
                    picker.skip_quiets();
                    if !gives_check {
                        continue;
                    }
                }
                if self.see_prunes(node, &candidate, quiet) {
                    continue;
                }
            }

            // Singular extension.
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

            let nodes_before = self.nodes;
            // Check extension.
            let extends = gives_check && extension == 0 && depth >= self.params.CheckDepth;
            if extends && (candidate.is_good_noisy || see_at_least(position, mv, 0)) {
                extension = 1;
            }
            let context = MoveContext { quiet, gives_check, extension };
            let score = self.search_move::<N>(node, &candidate, &context, alpha);
            if N::ROOT {
                self.shared.root_nodes.add(mv, self.nodes - nodes_before);
            }
            if self.stopped {
                return 0;
            }
            if N::ROOT {
                self.update_root_move(mv, score, original_alpha, beta, move_count == 1 || score > alpha);
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
                        self.update_histories(node, mv, &quiets_tried, &captures_tried);
                        break;
                    }
                }
            }
            if capture {
                captures_tried.push(mv);
            } else if quiet {
                quiets_tried.push(mv);
            }
        }

        if picker.move_count() == 0 {
            // Checkmate or stalemate, which also loses.
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
            // No move helps here, so the parent's move is probably good: a child of a PV node counts as one then.
            let pv = node.tt_pv || (bound == Bound::Upper && self.stack[ply - 1].tt_pv);
            let entry = TtEntry { mv: best_move, score: best, eval, depth, bound, pv };
            self.shared.table.store(position.key(), ply, entry);
        }
        best
    }

    /// The move picker of a node. At the root it picks the root moves in their order.
    fn picker<N: NodeType>(&self, node: &Node) -> MovePicker {
        if N::ROOT {
            return MovePicker::root(self.root_moves[self.pv_index..].iter().map(|root_move| root_move.mv));
        }
        let hash_move = node.tt_entry.and_then(|entry| entry.mv);
        MovePicker::new(node.position, hash_move, self.histories.killers(node.ply), node.previous, node.excluded)
    }

    // ---- Pruning and extension of a move ----

    /// Whether quiet moves from this one on are pruned.
    #[inline]
    fn prunes_quiets(&self, node: &Node, alpha: i32, move_count: usize) -> bool {
        let &Node { depth, eval, improving, tt_pv, .. } = node;
        // Late move pruning.
        let tried = self.params.LmpBase + self.params.LmpScale * depth * depth;
        let tried = if tt_pv { tried * 3 / 2 } else { tried };
        if depth <= self.params.LmpDepth && move_count as i32 > if improving { tried } else { tried / 2 } {
            return true;
        }
        // Futility pruning.
        let hope = eval + self.params.FutilityBase + self.params.FutilityMargin * depth;
        depth <= self.params.FutilityDepth && hope <= alpha
    }

    /// SEE pruning: whether the move loses more material than the depth left may make up for.
    #[inline]
    fn see_prunes(&self, node: &Node, candidate: &Candidate, quiet: bool) -> bool {
        let margin = if quiet { self.params.SeeQuietMargin } else { self.params.SeeCaptureMargin };
        node.depth <= self.params.SeeDepth
            && !candidate.is_good_noisy
            && !see_at_least(node.position, candidate.mv, -margin * node.depth)
    }

    /// The table's entry, if this is its move and the entry qualifies it for a singular search.
    #[inline]
    fn singular_entry(&self, node: &Node, mv: Move) -> Option<TtEntry> {
        let &Node { depth, ply, excluded, tt_entry, .. } = node;
        tt_entry.filter(|entry| {
            entry.mv == Some(mv)
                && excluded.is_none()
                && depth >= self.params.SingularDepth
                // Limits extended lines to about twice the depth of the iteration.
                && ply < 2 * (self.completed + 4)
                && entry.depth >= depth - self.params.SingularTableDepth
                && entry.bound != Bound::Upper
                && entry.score.abs() < DECIDED_BOUND
        })
    }

    /// Singular extension: search the hash move deeper if all other moves fail low against a margin below its score.
    fn singularity<N: NodeType>(&mut self, node: &Node, entry: &TtEntry) -> Singularity {
        let &Node { position, beta, depth, ply, cut_node, .. } = node;
        let margin = self.params.SingularMargin * depth / 16;
        let singular_beta = entry.score - margin;
        self.stack[ply].excluded = entry.mv;
        let score =
            self.search::<NonPvNode>(position, singular_beta - 1, singular_beta, (depth - 1) / 2, ply, cut_node);
        self.stack[ply].excluded = None;
        if score < singular_beta {
            // Double extension.
            let far = !N::PV && score < singular_beta - self.params.DoubleMargin;
            return Singularity::Extend(1 + i32::from(far));
        }
        // Multi-cut: another move reaches beta as well.
        if singular_beta >= beta {
            return Singularity::MultiCut(singular_beta);
        }
        // Negative extension: the hash move is not singular, and the node is likely to fail high anyway.
        Singularity::Extend(if entry.score >= beta || cut_node { -2 } else { 0 })
    }

    // ---- The search of a move ----

    /// Returns the score of a move by principal variation search: the moves after the first get a null window and, with
    /// late move reductions, a reduced depth first.
    fn search_move<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        context: &MoveContext,
        alpha: i32,
    ) -> i32 {
        let &Node { position, beta, depth, ply, cut_node, .. } = node;
        let &Candidate { mv, move_count, .. } = candidate;
        let child = self.make(position, mv, ply);
        let new_depth = depth - 1 + context.extension;
        let mut score = -INFINITE;
        if move_count > 1 {
            let reduction = self.late_move_reduction::<N>(node, candidate, context).clamp(0, (new_depth - 1).max(0));
            let reduced = new_depth - reduction;
            score = -self.search::<NonPvNode>(&child, -alpha - 1, -alpha, reduced, ply + 1, true);
            if score > alpha && reduction > 0 {
                score = -self.search::<NonPvNode>(&child, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
            }
        }
        if N::PV && (move_count == 1 || score > alpha) {
            score = -self.search::<PvNode>(&child, -beta, -alpha, new_depth, ply + 1, false);
        } else if move_count == 1 {
            score = -self.search::<NonPvNode>(&child, -beta, -alpha, new_depth, ply + 1, !cut_node);
        }
        self.history.pop();
        score
    }

    /// Late move reduction: the reduction of a move's first search, in plies.
    #[inline]
    fn late_move_reduction<N: NodeType>(&self, node: &Node, candidate: &Candidate, context: &MoveContext) -> i32 {
        let &Candidate { mv, move_count, .. } = candidate;
        let first = 2 + usize::from(N::PV);
        if node.depth < self.params.LmrDepth || move_count < first {
            return 0;
        }
        let mut reduction = base_reduction(self.params, node.depth, move_count);
        if !context.quiet {
            reduction = reduction * self.params.LmrNoisy / 1024;
        }
        if node.cut_node {
            reduction += self.params.LmrCutNode;
        }
        if node.tt_pv {
            reduction -= self.params.LmrPv;
        }
        if node.position.in_check() || context.gives_check {
            reduction -= self.params.LmrCheck;
        }
        if !node.improving {
            reduction += self.params.LmrNotImproving;
        }
        if context.quiet {
            let scores = self.histories.quiet_scores(node.position.side_to_move(), node.previous);
            let history = scores.of(mv, PieceTo::of(node.position, mv));
            reduction -= history * 1024 / self.params.LmrHistory;
        }
        reduction / 1024
    }

    /// Updates the histories after a fail high: a bonus for the move, a malus for the moves tried before it.
    fn update_histories(&mut self, node: &Node, mv: Move, quiets: &[Move], captures: &[Move]) {
        let &Node { position, depth, ply, previous, .. } = node;
        let bonus = Histories::bonus(depth, self.params);
        if position.is_capture(mv) {
            self.histories.update_capture(position, mv, bonus);
        } else {
            // Promotions are picked before quiet moves, without their histories.
            if !mv.promotes() {
                self.histories.add_killer(ply, mv);
                self.histories.update_quiet(position, mv, previous, bonus);
            }
            for &other in quiets {
                self.histories.update_quiet(position, other, previous, -bonus);
            }
        }
        for &other in captures {
            self.histories.update_capture(position, other, -bonus);
        }
    }
}

/// The result of a singular search of the other moves.
enum Singularity {
    /// The extension in plies; negative is a reduction.
    Extend(i32),
    /// Another move fails high too, with this score.
    MultiCut(i32),
}

/// Depths and move counts of reductions are capped below this.
const LOGARITHMS: usize = 64;

/// Logarithms to base 2, times 1024, of depths and move counts.
static LOG2: [i32; LOGARITHMS] = {
    let mut table = [0; LOGARITHMS];
    let mut value = 1;
    while value < LOGARITHMS {
        table[value] = log2_fixed(value as u32);
        value += 1;
    }
    table
};

/// The reduction of a late move by depth and move count, in 1/1024 plies, before it is adjusted to the move.
#[inline]
fn base_reduction(params: &Params, depth: i32, move_count: usize) -> i32 {
    let log2 = |value: usize| LOG2[value.min(LOGARITHMS - 1)];
    params.LmrBase + log2(depth as usize) * log2(move_count) / params.LmrDivisor
}

/// The logarithm to base 2, times 1024, rounded down. Integers give the same result on every machine.
const fn log2_fixed(value: u32) -> i32 {
    let whole = value.ilog2();
    let mut fraction: u64 = (value as u64) << (32 - whole);
    let mut result = 0;
    let mut bit = 0;
    while bit < 10 {
        fraction = (fraction * (fraction >> 2)) >> 30;
        result <<= 1;
        if fraction >= 2 << 32 {
            result |= 1;
            fraction >>= 1;
        }
        bit += 1;
    }
    (whole as i32) << 10 | result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for value in 1..5_000u32 {
            let exact = f64::from(value).log2() * 1024.0;
            assert!((exact - f64::from(log2_fixed(value))).abs() <= 1.0, "{value}");
        }
    }
}
