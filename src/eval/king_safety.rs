use super::Reach;
use crate::shogi::attacks::king_attacks;
use crate::shogi::{Bitboard, Color, PieceKind, Position};

/// How much each square around the enemy king counts that a piece of this kind reaches, in tenths.
#[rustfmt::skip]
const PRESSURE: [i32; PieceKind::COUNT] = [
    //P  N  S  G  B  R  K  +P +N +S +B +R
     70, 45, 31, 44, 19, 20, 0, 22, 86, 56, 24, 22,
];

/// How much a piece in the attacker's hand counts, in tenths: it can join the attack at once.
const HAND_PRESSURE: [i32; PieceKind::DROPPABLE.len()] = [-13, 17, 34, 35, 37, 42];

/// How much a square counts that the attacker reaches, and only the king guards, in tenths.
const WEAK_SQUARE: i32 = 38;

/// How much each square counts that the king cannot go to, in tenths.
const NO_ESCAPE: i32 = 10;

/// The most that danger may count, in centipawns.
const MOST: i32 = 900;

/// The squares on which the king of `color` is attacked: around it and its own.
#[inline]
pub(super) fn zone(position: &Position, color: Color) -> Bitboard {
    let king = position.king(color);
    king_attacks(king) | king.into()
}

/// How heavily a piece bears on the squares around the enemy king that it reaches.
#[inline]
pub(super) fn pressure(kind: PieceKind, reached: Bitboard) -> i32 {
    PRESSURE[kind.index()] * reached.count() as i32
}

/// What the king of `color` has to fear, in centipawns: it grows with the square of what bears on it, since attackers
/// help each other.
#[inline]
pub(super) fn danger(position: &Position, color: Color, reach: &[Reach; 2]) -> i32 {
    let (us, them) = (color.index(), (!color).index());
    let ring = king_attacks(position.king(color));
    let weak = (ring & reach[them].attacked).without(reach[us].attacked).count() as i32;
    let escapes = ring.without(position.by_color(color) | reach[them].attacked).count() as i32;
    let hand: i32 = PieceKind::DROPPABLE
        .into_iter()
        .map(|kind| HAND_PRESSURE[kind.index()] * position.hand(!color).count(kind) as i32)
        .sum();
    let units = reach[them].pressure + hand + WEAK_SQUARE * weak + NO_ESCAPE * (8 - escapes);
    (units * units / 800).min(MOST)
}
