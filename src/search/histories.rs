//! Move ordering by history: butterfly, capture and continuation histories, and killers.

use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};

use bytemuck::Zeroable;

use super::params::Params;
use super::score::MAX_PLY;
use crate::shogi::{Color, Move, Piece, PieceKind, Position, Square};

/// Where history scores saturate.
const LIMIT: i32 = 16_384;

/// A history score that all threads share. An update is a relaxed load and a relaxed store, so one of two simultaneous
/// updates may be lost: the order is then slightly worse.
#[derive(Zeroable)]
#[repr(transparent)]
struct Score(AtomicI16);

impl Score {
    #[inline]
    fn get(&self) -> i32 {
        i32::from(self.0.load(Ordering::Relaxed))
    }

    /// Adds a bonus with gravity: the nearer the score is to the limit, the less it changes.
    #[inline]
    fn update(&self, bonus: i32) {
        let old = self.get();
        self.0.store((old + bonus - old * bonus.abs() / LIMIT) as i16, Ordering::Relaxed);
    }

    fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// The key of continuation histories: a moving piece and its destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = Piece::COUNT * Square::COUNT;

    #[inline]
    pub(super) fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * Square::COUNT + to.index()) as u16)
    }

    /// The key of a legal move; the piece is the one before promotion.
    #[inline]
    pub(super) fn of(position: &Position, mv: Move) -> PieceTo {
        let dropped = || mv.dropped().map(|kind| Piece::new(position.side_to_move(), kind));
        let piece = mv.from().and_then(|from| position.piece_at(from)).or_else(dropped);
        PieceTo::new(piece.expect("a legal move moves a piece"), mv.to())
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

type ByPieceTo = [Score; PieceTo::COUNT];

type Continuation = [ByPieceTo; PieceTo::COUNT];

static ZERO: ByPieceTo = [const { Score(AtomicI16::new(0)) }; PieceTo::COUNT];

/// The histories that apply to the quiet moves of a position.
#[derive(Clone, Copy)]
pub(super) struct QuietScores<'a> {
    butterfly: &'a [Score; Move::INDEX_COUNT],
    continuations: [&'a ByPieceTo; 2],
}

impl QuietScores<'_> {
    /// The sum of the histories of a quiet move.
    #[inline]
    pub(super) fn of(&self, mv: Move, piece_to: PieceTo) -> i32 {
        let [reply, follow_up] = self.continuations.map(|scores| scores[piece_to.index()].get());
        self.butterfly[mv.index()].get() + reply + follow_up
    }
}

/// The histories that all threads share.
#[derive(Zeroable)]
pub(super) struct Learned {
    /// Butterfly history: by colour and move, drops by kind and square.
    quiet: [[Score; Move::INDEX_COUNT]; 2],
    /// By moving piece, destination and captured kind.
    capture: [[Score; PieceKind::COUNT]; PieceTo::COUNT],
    /// By an earlier move, of either side, and the move itself.
    continuation: Continuation,
}

impl Learned {
    /// All scores zero.
    pub(super) fn nothing() -> Arc<Learned> {
        Arc::from(bytemuck::allocation::zeroed_box::<Learned>())
    }
}

/// The histories of a search thread: the shared ones, and its own killers.
pub(super) struct Histories {
    learned: Arc<Learned>,
    /// The last two quiet moves of each ply that failed high.
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
}

impl Histories {
    pub(super) fn new(learned: Arc<Learned>) -> Histories {
        Histories { learned, killers: [[None; 2]; MAX_PLY + 1] }
    }

    /// Clears the shared histories.
    pub(super) fn clear(&self) {
        let Learned { quiet, capture, continuation } = &*self.learned;
        let scores = quiet.as_flattened().iter().chain(capture.as_flattened()).chain(continuation.as_flattened());
        scores.for_each(Score::clear);
    }

    /// Clears the killers, which belong to the plies of one search.
    pub(super) fn forget_killers(&mut self) {
        self.killers = [[None; 2]; MAX_PLY + 1];
    }

    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// The histories of a side's quiet moves after these previous moves, the latest first.
    #[inline]
    pub(super) fn quiet_scores(&self, color: Color, previous: [Option<PieceTo>; 2]) -> QuietScores<'_> {
        let continuation = |earlier: PieceTo| &self.learned.continuation[earlier.index()];
        QuietScores {
            butterfly: &self.learned.quiet[color.index()],
            continuations: previous.map(|earlier| earlier.map_or(&ZERO, continuation)),
        }
    }

    /// The capture history of a move.
    #[inline]
    pub(super) fn capture_score(&self, piece_to: PieceTo, captured: PieceKind) -> i32 {
        self.learned.capture[piece_to.index()][captured.index()].get()
    }

    /// The bonus for a fail high at this depth.
    #[inline]
    pub(super) fn bonus<const EXPOSED: bool>(depth: i32, params: &Params<EXPOSED>) -> i32 {
        (params.HistoryScale() * depth).min(params.HistoryMax())
    }

    pub(super) fn update_quiet(&self, position: &Position, mv: Move, previous: [Option<PieceTo>; 2], bonus: i32) {
        let piece_to = PieceTo::of(position, mv);
        self.learned.quiet[position.side_to_move().index()][mv.index()].update(bonus);
        for earlier in previous.into_iter().flatten() {
            self.learned.continuation[earlier.index()][piece_to.index()].update(bonus);
        }
    }

    pub(super) fn update_capture(&self, position: &Position, mv: Move, bonus: i32) {
        if let Some(captured) = position.piece_at(mv.to()) {
            let piece_to = PieceTo::of(position, mv);
            self.learned.capture[piece_to.index()][captured.kind().index()].update(bonus);
        }
    }

    pub(super) fn add_killer(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_share_histories() {
        let learned = Learned::nothing();
        let [one, other] = [(); 2].map(|()| Histories::new(Arc::clone(&learned)));
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        let piece_to = PieceTo::of(&position, mv);
        let score = |histories: &Histories| {
            histories.quiet_scores(position.side_to_move(), [Some(piece_to), None]).of(mv, piece_to)
        };
        one.update_quiet(&position, mv, [Some(piece_to), None], 100);
        assert_eq!((score(&one), score(&other)), (200, 200));
        other.clear();
        assert_eq!((score(&one), score(&other)), (0, 0));
    }
}
