//! The king-safety term: attacks on the king's zone, weak squares, missing escapes and safe checks by drops.

use super::fitted::WEIGHTS;
use crate::shogi::attacks::{bishop_attacks, king_attacks, leaper_attacks, rook_attacks};
use crate::shogi::{Bitboard, Color, PieceKind, Position};

/// The greatest penalty for danger, in centipawns.
const MOST: i32 = 900;

/// Danger in centipawns is the square of its units divided by this constant: attackers support each other.
pub(super) const FLATTENING: i32 = 800;

/// The zone of the king of `color`: its square and those around it.
#[inline]
pub(super) fn zone(position: &Position, color: Color) -> Bitboard {
    let king = position.king(color);
    king_attacks(king) | king.into()
}

/// The pressure of a piece on the attacked squares of the enemy king's zone, in tenths of a unit of danger.
#[inline]
pub(super) fn pressure(kind: PieceKind, reached: Bitboard) -> i32 {
    WEIGHTS.pressure[kind.index()] * reached.count() as i32
}

/// The attacks of one side's pieces, without the king.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) attacked: Bitboard,
    /// The weighted count of attacks on the enemy king's zone, in tenths of a unit of danger.
    pub(super) pressure: i32,
}

/// The counts that determine the danger to the king of a side.
pub(super) struct KingAttack {
    /// By kind in the attacker's hand: the squares on which a drop gives check safely.
    pub(super) drop_checks: [u32; PieceKind::DROPPABLE.len()],
    /// The squares around the king that the attacker attacks and only the king defends.
    pub(super) weak: u32,
    /// The number of directions without an escape, 0 to 8: off the board, occupied by an own piece, or attacked.
    pub(super) closed: u32,
}

impl KingAttack {
    #[inline(always)]
    pub(super) fn of(position: &Position, color: Color, reach: &[Reach; 2]) -> KingAttack {
        let (us, them) = (color.index(), (!color).index());
        let king = position.king(color);
        let occupied = position.occupied();
        let ring = king_attacks(king);
        let unguarded = reach[them].attacked.without(reach[us].attacked);
        let escapes = ring.without(position.by_color(color) | reach[them].attacked);
        // The king captures an undefended drop next to it.
        let safe = !(occupied | reach[us].attacked | ring.without(reach[them].attacked));
        let (bishop, rook) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        KingAttack {
            drop_checks: PieceKind::DROPPABLE.map(|kind| {
                let from = match kind {
                    PieceKind::Bishop => bishop,
                    PieceKind::Rook => rook,
                    _ => leaper_attacks(kind, color, king),
                };
                (from & safe).count() * u32::from(position.hand(!color).has(kind))
            }),
            weak: (ring & unguarded).count(),
            closed: 8 - escapes.count(),
        }
    }
}

/// The danger to the king of `color`, in centipawns.
#[inline]
pub(super) fn danger(position: &Position, color: Color, reach: &[Reach; 2]) -> i32 {
    let attack = KingAttack::of(position, color, reach);
    let hand = position.hand(!color);
    let held: i32 = PieceKind::DROPPABLE
        .into_iter()
        .map(|kind| {
            let index = kind.index();
            WEIGHTS.hand_pressure[index] * hand.count(kind) as i32
                + WEIGHTS.drop_check[index] * attack.drop_checks[index] as i32
        })
        .sum();
    let units = reach[(!color).index()].pressure
        + held
        + WEIGHTS.weak_square * attack.weak as i32
        + WEIGHTS.no_escape * attack.closed as i32;
    (units.max(0) * units.max(0) / FLATTENING).min(MOST)
}
