//! The tree: principal variation search, one node a call.

use smallvec::SmallVec;

use super::busy::Task;
use super::histories::{Arrival, Histories};
use super::params::Params;
use super::picker::{CheckBonus, MovePicker};
use super::score::*;
use super::see::{immediate_gain, see_at_least};
use super::tt::{Bound, Entry};
use super::worker::{Shared, Worker};
use crate::shogi::impasse::may_declare;
use crate::shogi::{CheckSquares, ImpasseRule, Move, MoveList, Position, Repetition};

impl<const EXPOSED: bool> Worker<EXPOSED> {
    /// The score of a position, `ply` plies from the root, within a window, searched to a depth in plies.
    ///
    /// `cut_node` says that the parent expects this node to fail high.
    #[allow(clippy::too_many_arguments)] // They are what a node is.
    pub(super) fn search<const PV: bool>(
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
            return self.quiescence::<PV>(position, shared, alpha, beta, ply);
        }
        if let Some(score) = self.enter::<PV>(position, shared, ply) {
            return score;
        }
        let in_check = position.in_check();

        // Mate distance pruning: a shorter mate has been found already.
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(-mated_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // Transposition table.
        let excluded = self.stack[ply].excluded;
        let known = shared.table.probe(position.key(), ply);
        if let Some(entry) = known
            && !PV
            && excluded.is_none()
            && entry.depth >= depth.max(Params::<EXPOSED>::TableDepth())
            && cuts_off(&entry, alpha, beta)
        {
            return entry.score;
        }
        let hash_move = known.and_then(|entry| entry.mv);
        let table_pv = PV || known.is_some_and(|entry| entry.pv);

        // Static evaluation.
        let eval = if in_check {
            -INFINITE
        } else {
            known.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(position, ply))
        };
        self.stack[ply].eval = eval;
        let improving = !in_check && ply >= 2 && eval > self.stack[ply - 2].eval;
        let better_eval = match known {
            Some(entry) if !in_check && entry.depth >= Params::<EXPOSED>::TableDepth() && is_sharper(&entry, eval) => {
                entry.score
            }
            _ => eval,
        };

        if !PV && !in_check && excluded.is_none() {
            // Reverse futility pruning: so far above beta that no reply will bring it down.
            let margin = Params::<EXPOSED>::RfpMargin() * (depth - i32::from(improving));
            if depth <= Params::<EXPOSED>::RfpDepth() && better_eval - margin >= beta && better_eval < DECIDED_BOUND {
                return (better_eval + beta) / 2;
            }
            if let Some(score) = self.null_move(position, shared, beta, depth, ply, better_eval, cut_node) {
                return score;
            }
            if let Some(score) = self.prob_cut(position, shared, known, beta, depth, ply, eval, cut_node) {
                return score;
            }
        }

        // Internal iterative reduction: without a hash move the order is poor, and the node comes up again.
        let depth = if hash_move.is_none() && depth >= Params::<EXPOSED>::IirDepth() && (PV || cut_node) {
            depth - 1
        } else {
            depth
        };

        let before = self.arrivals_before(ply);
        let mut picker = MovePicker::new(position, hash_move, self.histories.killers(ply), before);
        let checks = CheckSquares::new(position);
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut tried = 0;
        let mut quiets_tried = MoveList::new();
        let mut captures_tried = MoveList::new();
        // Moves that another thread is at come last, of these again those that it is still at: by then the table may know
        // about them.
        let busy = shared.busy.filter(|_| depth >= BUSY_DEPTH);
        let mut deferred: SmallVec<[Candidate; 16]> = SmallVec::new();
        let mut again = false;
        let bonus = Some(CheckBonus { squares: &checks, bonus: Params::<EXPOSED>::CheckBonus() });
        loop {
            let candidate = match picker.next(position, &self.histories, bonus) {
                Some(mv) if excluded == Some(mv) => continue,
                Some(mv) => {
                    tried += 1;
                    Candidate { mv, number: tried, sound: picker.is_sound() }
                }
                None => {
                    let Some(busy) = busy.filter(|_| !deferred.is_empty()) else { break };
                    again = true;
                    deferred.remove(busy.first_free(position.key(), deferred.iter().map(|candidate| candidate.mv)))
                }
            };
            let Candidate { mv, number, sound } = candidate;
            let capture = position.is_capture(mv);
            let quiet = !capture && !mv.promotes();
            let gives_check = position.gives_check(mv, &checks);
            if !in_check && best > -DECIDED_BOUND {
                if quiet && self.is_late(depth, number, eval, alpha, improving) {
                    // Nothing quiet that comes later is better; what checks may still be handed out here.
                    picker.skip_quiets();
                    if !gives_check {
                        continue;
                    }
                }
                // SEE pruning.
                let margin =
                    if quiet { Params::<EXPOSED>::SeeQuietMargin() } else { Params::<EXPOSED>::SeeCaptureMargin() };
                if depth <= Params::<EXPOSED>::SeeDepth() && !sound && !see_at_least(position, mv, -margin * depth) {
                    continue;
                }
            }

            // Singular extension.
            let mut extension = 0;
            if let Some(entry) = known
                && hash_move == Some(mv)
                && excluded.is_none()
                && depth >= Params::<EXPOSED>::SingularDepth()
                // So that extensions cannot carry a line off.
                && ply < 2 * (self.completed + 4)
                && entry.depth >= depth - 3
                && entry.bound != Bound::Upper
                && entry.score.abs() < DECIDED_BOUND
            {
                match self.singularity::<PV>(position, shared, &entry, beta, depth, ply, cut_node) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::MultiCut(score) => return score,
                }
                if self.stopped {
                    return 0;
                }
            }

            let task = busy.map(|busy| (busy, Task::new(position.key(), mv)));
            if let Some((busy, task)) = task {
                if number > 1 && !again && busy.has(task) {
                    deferred.push(candidate);
                    continue;
                }
                busy.begin(task);
            }
            let child = self.make(position, mv, ply, shared);
            // Check extension.
            let extends = gives_check && extension == 0 && depth >= Params::<EXPOSED>::CheckDepth();
            if extends && (sound || see_at_least(position, mv, 0)) {
                extension = 1;
            }
            let new_depth = depth - 1 + extension;
            let mut score = -INFINITE;
            // Late move reductions.
            if number > 1 {
                let reduction =
                    if depth >= Params::<EXPOSED>::LmrDepth() && number > 1 + usize::from(PV) && extension == 0 {
                        let facts = ReductionFacts { quiet, in_check, gives_check, improving, table_pv, cut_node };
                        let history = if quiet {
                            let arrival = Arrival::of(position, mv);
                            self.histories.quiet_scores(position.side_to_move(), before).of(mv, arrival)
                        } else {
                            0
                        };
                        self.reduction(depth, number, &facts, history).clamp(0, new_depth - 1)
                    } else {
                        0
                    };
                score = -self.search::<false>(&child, shared, -alpha - 1, -alpha, new_depth - reduction, ply + 1, true);
                if score > alpha && reduction > 0 {
                    score = -self.search::<false>(&child, shared, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
                }
            }
            if PV && (number == 1 || score > alpha) {
                score = -self.search::<true>(&child, shared, -beta, -alpha, new_depth, ply + 1, false);
            } else if number == 1 {
                score = -self.search::<false>(&child, shared, -beta, -alpha, new_depth, ply + 1, !cut_node);
            }
            self.history.pop();
            if let Some((busy, task)) = task {
                busy.end(task);
            }
            if self.stopped {
                return 0;
            }

            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if PV {
                        self.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        self.reward(position, mv, depth, ply, before, &quiets_tried, &captures_tried);
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

        if tried == 0 {
            if excluded.is_some() {
                return alpha;
            }
            // Mated, or without a move, which loses too.
            return mated_in(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if excluded.is_none() {
            let eval = (!in_check).then_some(eval);
            let entry = Entry { mv: best_move, score: best, eval, depth, bound, pv: table_pv };
            shared.table.store(position.key(), ply, entry);
        }
        best
    }

    /// Singular extensions: whether the hash move is so much better than all others that it deserves a deeper look.
    #[allow(clippy::too_many_arguments)]
    fn singularity<const PV: bool>(
        &mut self,
        position: &Position,
        shared: &Shared,
        entry: &Entry,
        beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Singularity {
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

    /// Captures, promotions and evasions, until nothing of the kind pays.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        shared: &Shared,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        if let Some(score) = self.enter::<PV>(position, shared, ply) {
            return score;
        }
        let in_check = position.in_check();

        let known = shared.table.probe(position.key(), ply);
        if let Some(entry) = known
            && !PV
            && entry.depth >= Params::<EXPOSED>::TableDepth()
            && cuts_off(&entry, alpha, beta)
        {
            return entry.score;
        }

        // Stand pat: somebody who is not in check need not capture.
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut eval = None;
        if !in_check {
            let stand = known.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(position, ply));
            eval = Some(stand);
            best = match known {
                Some(entry) if entry.depth >= Params::<EXPOSED>::TableDepth() && is_sharper(&entry, stand) => {
                    entry.score
                }
                _ => stand,
            };
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }

        let before = self.arrivals_before(ply);
        let mut picker = MovePicker::quiescence(position, known.and_then(|entry| entry.mv), before);
        let mut best_move = None;
        let mut number = 0i32;
        while let Some(mv) = picker.next(position, &self.histories, None) {
            number += 1;
            if best > -DECIDED_BOUND {
                if let Some(stand) = eval {
                    // Delta pruning: not even the whole gain reaches alpha.
                    let reach = stand + immediate_gain(position, mv) + Params::<EXPOSED>::DeltaMargin();
                    if reach <= alpha {
                        best = best.max(reach);
                        continue;
                    }
                }
                if !see_at_least(position, mv, -Params::<EXPOSED>::QuiescenceLoss()) {
                    continue;
                }
                // Evasions: after a sound one, those that neither take nor promote are left to the main search.
                if in_check
                    && number > Params::<EXPOSED>::QuiescenceEvasions()
                    && !position.is_capture(mv)
                    && !mv.promotes()
                {
                    continue;
                }
            }
            let child = self.make(position, mv, ply, shared);
            let score = -self.quiescence::<PV>(&child, shared, -beta, -alpha, ply + 1);
            self.history.pop();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if PV {
                        self.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if in_check && number == 0 {
            return mated_in(ply);
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best > original_alpha && PV => Bound::Exact,
            _ => Bound::Upper,
        };
        shared.table.store(position.key(), ply, Entry { mv: best_move, score: best, eval, depth: 0, bound, pv: PV });
        best
    }

    /// Comes to a node. Returns its score if it has none below it: the search is over, or the game, or the stack.
    #[inline]
    fn enter<const PV: bool>(&mut self, position: &Position, shared: &Shared, ply: usize) -> Option<i32> {
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

    /// Null move pruning: still above beta after passing, so a move will do at least as well.
    #[allow(clippy::too_many_arguments)]
    fn null_move(
        &mut self,
        position: &Position,
        shared: &Shared,
        beta: i32,
        depth: i32,
        ply: usize,
        eval: i32,
        cut_node: bool,
    ) -> Option<i32> {
        // Two in a row would prove nothing, and a decided score needs a proof.
        let after_null = self.stack[ply - 1].arrival.is_none();
        if depth < Params::<EXPOSED>::NullDepth()
            || eval < beta
            || after_null
            || ply < self.null_allowed_from
            || beta <= -DECIDED_BOUND
        {
            return None;
        }
        let above = (eval - beta) / Params::<EXPOSED>::NullEvalDivisor();
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
    #[allow(clippy::too_many_arguments)]
    fn prob_cut(
        &mut self,
        position: &Position,
        shared: &Shared,
        known: Option<Entry>,
        beta: i32,
        depth: i32,
        ply: usize,
        eval: i32,
        cut_node: bool,
    ) -> Option<i32> {
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

    /// Whether quiet moves from this one on can be left out near the leaves.
    #[inline]
    fn is_late(&self, depth: i32, number: usize, eval: i32, alpha: i32, improving: bool) -> bool {
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
    fn reduction(&self, depth: i32, number: usize, facts: &ReductionFacts, history: i32) -> i32 {
        let mut reduction = self.reductions[depth.min(63) as usize][number.min(63)];
        if !facts.quiet {
            reduction = reduction * Params::<EXPOSED>::LmrNoisy() / 1024;
        }
        if facts.cut_node {
            reduction += Params::<EXPOSED>::LmrCutNode();
        }
        if facts.table_pv {
            reduction -= Params::<EXPOSED>::LmrPv();
        }
        if facts.in_check || facts.gives_check {
            reduction -= Params::<EXPOSED>::LmrCheck();
        }
        if !facts.improving {
            reduction += Params::<EXPOSED>::LmrNotImproving();
        }
        reduction -= history * 1024 / Params::<EXPOSED>::LmrHistory();
        reduction / 1024
    }

    /// Learns from a cut-off: the move that made it did well, those tried before it did not.
    #[allow(clippy::too_many_arguments)]
    fn reward(
        &mut self,
        position: &Position,
        mv: Move,
        depth: i32,
        ply: usize,
        before: [Option<Arrival>; 2],
        quiets: &[Move],
        captures: &[Move],
    ) {
        let bonus = Histories::bonus::<EXPOSED>(depth);
        if position.is_capture(mv) {
            self.histories.update_capture(position, mv, bonus);
        } else {
            if !mv.promotes() {
                self.histories.add_killer(ply, mv);
            }
            self.histories.update_quiet(position, mv, before, bonus);
            for &other in quiets {
                self.histories.update_quiet(position, other, before, -bonus);
            }
        }
        for &other in captures {
            self.histories.update_capture(position, other, -bonus);
        }
    }

    /// The last two moves before this ply, the latest first.
    #[inline]
    fn arrivals_before(&self, ply: usize) -> [Option<Arrival>; 2] {
        [1, 2].map(|back| ply.checked_sub(back).and_then(|ply| self.stack[ply].arrival))
    }

    /// The best line from here is this move and the best line below.
    #[inline]
    fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.stack.split_at_mut(ply + 1);
        let pv = &mut above[ply].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&below[0].pv);
    }
}

/// The least depth in plies at which threads tell each other what they are at.
const BUSY_DEPTH: i32 = 4;

/// A move that is about to be searched.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    /// Its place in the order, from 1.
    number: usize,
    /// A capture or promotion that loses nothing.
    sound: bool,
}

/// What a search without the hash move says of it.
enum Singularity {
    /// Search it by so many plies deeper.
    Extend(i32),
    /// The node fails high without it.
    MultiCut(i32),
}

/// What late move reductions depend on.
struct ReductionFacts {
    quiet: bool,
    in_check: bool,
    gives_check: bool,
    improving: bool,
    table_pv: bool,
    cut_node: bool,
}

/// Whether what is known settles the node's question.
#[inline]
fn cuts_off(entry: &Entry, alpha: i32, beta: i32) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}

/// Whether a stored score says more than the static evaluation.
#[inline]
fn is_sharper(entry: &Entry, eval: i32) -> bool {
    entry.score.abs() < DECIDED_BOUND
        && match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score > eval,
            Bound::Upper => entry.score < eval,
        }
}
