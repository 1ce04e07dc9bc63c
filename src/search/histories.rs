//! What a search thread has learned about moves: which ones cut off before, in whatever position.

use super::params::Params;
use super::score::MAX_PLY;
use crate::shogi::{Color, Move, Piece, PieceKind, Position, Square};

/// Where history scores saturate.
const LIMIT: i32 = 16_384;

/// Moves a score towards the limit on the side of the bonus, the slower the nearer it is (gravity).
#[inline]
fn update(score: &mut i16, bonus: i32) {
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// A move as continuation histories know it: the piece and where it arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arrival(u16);

impl Arrival {
    const COUNT: usize = Piece::COUNT * Square::COUNT;

    /// A piece that arrives on a square.
    #[inline]
    pub(super) fn at(piece: Piece, to: Square) -> Arrival {
        Arrival((piece.index() * Square::COUNT + to.index()) as u16)
    }

    /// How a legal move arrives: as the piece that moves, before promotion.
    #[inline]
    pub(super) fn of(position: &Position, mv: Move) -> Arrival {
        let dropped = || mv.dropped().map(|kind| Piece::new(position.side_to_move(), kind));
        let piece = mv.from().and_then(|from| position.piece_at(from)).or_else(dropped);
        Arrival::at(piece.expect("a legal move moves a piece"), mv.to())
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What has been learned of moves by how they arrive.
type ByArrival = [i16; Arrival::COUNT];

type Continuation = [ByArrival; Arrival::COUNT];

static NOTHING_LEARNED: ByArrival = [0; Arrival::COUNT];

/// The histories of one position's quiet moves, found once and read for each move.
#[derive(Clone, Copy)]
pub(super) struct QuietScores<'a> {
    butterfly: &'a [i16; Move::INDEX_COUNT],
    continuations: [&'a ByArrival; 2],
}

impl QuietScores<'_> {
    /// How well a move that takes nothing has done.
    #[inline]
    pub(super) fn of(&self, mv: Move, arrival: Arrival) -> i32 {
        let [reply, follow_up] = self.continuations.map(|scores| i32::from(scores[arrival.index()]));
        i32::from(self.butterfly[mv.index()]) + reply + follow_up
    }
}

/// The histories of one search thread.
pub(super) struct Histories {
    /// Butterfly history: by colour and move, drops by kind and square.
    quiet: Box<[[i16; Move::INDEX_COUNT]; 2]>,
    /// By moving piece, destination and captured kind.
    capture: Box<[[i16; PieceKind::COUNT]; Arrival::COUNT]>,
    /// By the opponent's last move, and by the own one before it.
    continuation: Box<Continuation>,
    /// Two quiet moves for each ply that cut off there last.
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
}

impl Histories {
    pub(super) fn new() -> Histories {
        Histories {
            quiet: bytemuck::allocation::zeroed_box(),
            capture: bytemuck::allocation::zeroed_box(),
            continuation: bytemuck::allocation::zeroed_box(),
            killers: [[None; 2]; MAX_PLY + 1],
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self.quiet = [[0; Move::INDEX_COUNT]; 2];
        *self.capture = [[0; PieceKind::COUNT]; Arrival::COUNT];
        self.continuation.iter_mut().for_each(|row| row.fill(0));
        self.forget_killers();
    }

    /// Forgets what belongs to the plies of the last search.
    pub(super) fn forget_killers(&mut self) {
        self.killers = [[None; 2]; MAX_PLY + 1];
    }

    #[inline]
    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// How well a side's moves that take nothing have done, after these earlier moves (latest first).
    #[inline]
    pub(super) fn quiet_scores(&self, color: Color, before: [Option<Arrival>; 2]) -> QuietScores<'_> {
        let continuation = |earlier: Arrival| &self.continuation[earlier.index()];
        QuietScores {
            butterfly: &self.quiet[color.index()],
            continuations: before.map(|earlier| earlier.map_or(&NOTHING_LEARNED, continuation)),
        }
    }

    /// How well a capture has done.
    #[inline]
    pub(super) fn capture_score(&self, arrival: Arrival, captured: PieceKind) -> i32 {
        i32::from(self.capture[arrival.index()][captured.index()])
    }

    /// The bonus for a cut-off at this depth.
    #[inline]
    pub(super) fn bonus<const EXPOSED: bool>(depth: i32) -> i32 {
        (Params::<EXPOSED>::HistoryScale() * depth).min(Params::<EXPOSED>::HistoryMax())
    }

    pub(super) fn update_quiet(&mut self, position: &Position, mv: Move, before: [Option<Arrival>; 2], bonus: i32) {
        let arrival = Arrival::of(position, mv);
        update(&mut self.quiet[position.side_to_move().index()][mv.index()], bonus);
        for earlier in before.into_iter().flatten() {
            update(&mut self.continuation[earlier.index()][arrival.index()], bonus);
        }
    }

    pub(super) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        if let Some(captured) = position.piece_at(mv.to()) {
            let arrival = Arrival::of(position, mv);
            update(&mut self.capture[arrival.index()][captured.kind().index()], bonus);
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
