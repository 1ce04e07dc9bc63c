//! Quiescence search, below the main search's last ply.

use super::node::NodeType;
use super::order::MovePicker;
use super::score::*;
use super::see::{immediate_gain, see_at_least};
use super::table::TtEntry;
use super::threads::Worker;
use crate::score::Bound;
use crate::shogi::Position;

impl Worker<'_> {
    /// Searches the captures, promotions and evasions that do not lose material, within a window; returns a fail-soft
    /// score.
    pub(super) fn quiescence<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        if let Some(score) = self.enter::<N>(position, ply) {
            return score;
        }
        let in_check = position.in_check();

        let tt_entry = self.shared.table.probe(position.key(), ply);
        if let Some(entry) = tt_entry
            && !N::PV
            && entry.depth >= self.params.TableDepth
            && entry.cuts_off(alpha, beta)
        {
            return entry.score;
        }

        // Stand pat: a side that is not in check need not capture.
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut eval = None;
        if !in_check {
            let stand = tt_entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(position, ply));
            eval = Some(stand);
            best = match tt_entry {
                Some(entry) if entry.depth >= self.params.TableDepth && entry.is_sharper(stand) => entry.score,
                _ => stand,
            };
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }

        let previous = self.previous_moves(ply);
        let mut picker = MovePicker::quiescence(position, tt_entry.and_then(|entry| entry.mv), previous);
        let mut best_move = None;
        let mut move_count = 0i32;
        while let Some(mv) = picker.next(position, &self.histories, None) {
            move_count += 1;
            self.prefetch(position, mv);
            if best > -DECIDED_BOUND {
                if let Some(stand) = eval {
                    // Delta pruning: not even the whole gain reaches alpha.
                    let reach = stand + immediate_gain(position, mv) + self.params.DeltaMargin;
                    if reach <= alpha {
                        best = best.max(reach);
                        continue;
                    }
                }
                if !see_at_least(position, mv, -self.params.QuiescenceLoss) {
                    continue;
                }
                // Skip quiet evasions after the first few, once one move does not lose.
                if in_check && move_count > self.params.QuiescenceEvasions && !position.is_capture(mv) && !mv.promotes()
                {
                    continue;
                }
            }
            let child = self.make(position, mv, ply);
            let score = -self.quiescence::<N>(&child, -beta, -alpha, ply + 1);
            self.history.pop();
            if self.stopped {
                return 0;
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
                        break;
                    }
                }
            }
        }
        if in_check && move_count == 0 {
            return mated_in(ply);
        }
        let bound = match best {
            best if best >= beta => Bound::Lower,
            best if best > original_alpha && N::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        self.shared.table.store(
            position.key(),
            ply,
            TtEntry { mv: best_move, score: best, eval, depth: 0, bound, pv: N::PV },
        );
        best
    }
}
