//! The threats term: undefended pieces under attack, attacked sliders, and pinned pieces.

use super::fitted::WEIGHTS;
use super::king_safety::Reach;
use crate::shogi::attacks::king_attacks;
use crate::shogi::{Bitboard, Color, PieceKind, Position};

/// The counts of a side's attacked pieces, in the order of [`Weights::hanging`](super::Weights::hanging).
#[inline(always)]
pub(super) fn hanging(position: &Position, color: Color, reach: &[Reach; 2]) -> [u32; 5] {
    let guarded = reach[color.index()].attacked | king_attacks(position.king(color));
    let attacked = position.by_color(color) & reach[(!color).index()].attacked;
    let loose = attacked.without(guarded);
    let ranging = position.rook_movers() | position.bishop_movers();
    [
        loose & position.by_kind(PieceKind::Pawn),
        loose & (position.by_kind(PieceKind::Knight) | position.by_kind(PieceKind::Silver)),
        loose & position.gold_movers(),
        loose & ranging,
        attacked & guarded & ranging,
    ]
    .map(Bitboard::count)
}

/// The count of a side's pieces that are pinned to their king.
#[inline]
pub(super) fn pinned(position: &Position, color: Color) -> u32 {
    if color == position.side_to_move() {
        return position.pinned().count();
    }
    (position.blockers(color, position.occupied()) & position.by_color(color)).count()
}

/// The term for a side's hanging and pinned pieces, in centipawns; usually below 0.
#[inline]
pub(super) fn threats(position: &Position, color: Color, reach: &[Reach; 2]) -> i32 {
    let waits = usize::from(position.side_to_move() != color);
    let counts = hanging(position, color, reach);
    let loose: i32 = counts.into_iter().zip(WEIGHTS.hanging[waits]).map(|(count, weight)| count as i32 * weight).sum();
    loose + WEIGHTS.pinned * pinned(position, color) as i32
}
