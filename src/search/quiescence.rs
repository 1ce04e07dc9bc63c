//! Quiescence search, below the main search's last ply.

use super::params::Params;
use super::picker::MovePicker;
use super::score::*;
use super::see::{immediate_gain, see_at_least};
use super::tt::Entry;
use super::worker::{Shared, Worker};
use crate::score::Bound;
use crate::shogi::Position;

impl<const EXPOSED: bool> Worker<EXPOSED> {
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
            && entry.cuts_off(alpha, beta)
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
                Some(entry) if entry.depth >= Params::<EXPOSED>::TableDepth() && entry.is_sharper(stand) => entry.score,
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
}
