//! The tree: principal variation search, one node a call.

use smallvec::SmallVec;

use super::busy::Task;
use super::histories::{Arrival, Histories};
use super::node::Node;
use super::params::Params;
use super::picker::{CheckBonus, MovePicker};
use super::score::*;
use super::see::see_at_least;
use super::selectivity::Singularity;
use super::tt::Entry;
use super::worker::{Shared, Worker};
use crate::score::Bound;
use crate::shogi::{CheckSquares, Move, MoveList, Position};

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
            && entry.cuts_off(alpha, beta)
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
            Some(entry) if !in_check && entry.depth >= Params::<EXPOSED>::TableDepth() && entry.is_sharper(eval) => {
                entry.score
            }
            _ => eval,
        };

        let prunable = !PV && !in_check && excluded.is_none();

        // Reverse futility pruning: so far above beta that no reply will bring it down.
        let margin = Params::<EXPOSED>::RfpMargin() * (depth - i32::from(improving));
        if prunable
            && depth <= Params::<EXPOSED>::RfpDepth()
            && better_eval - margin >= beta
            && better_eval < DECIDED_BOUND
        {
            return (better_eval + beta) / 2;
        }

        let mut node = Node { position, shared, beta, depth, ply, cut_node, eval, improving, table_pv };
        if prunable {
            if let Some(score) = self.null_move(&node, better_eval) {
                return score;
            }
            if let Some(score) = self.prob_cut(&node, known) {
                return score;
            }
        }

        // Internal iterative reduction: without a hash move the order is poor, and the node comes up again.
        if hash_move.is_none() && depth >= Params::<EXPOSED>::IirDepth() && (PV || cut_node) {
            node.depth -= 1;
        }
        let depth = node.depth;

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
                if quiet && self.is_late(&node, alpha, number) {
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
                match self.singularity::<PV>(&node, &entry) {
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
                        let history = if quiet {
                            let arrival = Arrival::of(position, mv);
                            self.histories.quiet_scores(position.side_to_move(), before).of(mv, arrival)
                        } else {
                            0
                        };
                        self.reduction(&node, number, quiet, gives_check, history).clamp(0, new_depth - 1)
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
                        self.reward(&node, mv, before, &quiets_tried, &captures_tried);
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

    /// Learns from a cut-off: the move that made it did well, those tried before it did not.
    fn reward(&mut self, node: &Node, mv: Move, before: [Option<Arrival>; 2], quiets: &[Move], captures: &[Move]) {
        let &Node { position, depth, ply, .. } = node;
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
