use super::Reach;
use super::fitted::WEIGHTS;
use crate::shogi::attacks::{bishop_attacks, king_attacks, rook_attacks, step_attacks};
use crate::shogi::{Bitboard, Color, PieceKind, Position};

/// The most that danger may count, in centipawns.
const MOST: i32 = 900;

/// Danger is the square of its units over this, in centipawns: attackers help each other.
pub(super) const FLATTENING: i32 = 800;

/// The squares on which the king of `color` is attacked: around it and its own.
#[inline]
pub(super) fn zone(position: &Position, color: Color) -> Bitboard {
    let king = position.king(color);
    king_attacks(king) | king.into()
}

/// How heavily a piece bears on the squares around the enemy king that it reaches.
#[inline]
pub(super) fn pressure(kind: PieceKind, reached: Bitboard) -> i32 {
    WEIGHTS.pressure[kind.index()] * reached.count() as i32
}

/// What the king of `color` lives with, counted.
pub(super) struct Siege {
    /// For each kind that can be held: the squares from which a dropped one checks and is not taken at once.
    pub(super) drop_checks: [u32; PieceKind::DROPPABLE.len()],
    /// The squares around it that the attacker reaches, and only the king guards.
    pub(super) weak: u32,
    /// The squares that it cannot go to.
    pub(super) closed: u32,
}

impl Siege {
    #[inline(always)]
    pub(super) fn of(position: &Position, color: Color, reach: &[Reach; 2]) -> Siege {
        let (us, them) = (color.index(), (!color).index());
        let king = position.king(color);
        let occupied = position.occupied();
        let ring = king_attacks(king);
        let unguarded = reach[them].attacked.without(reach[us].attacked);
        let escapes = ring.without(position.by_color(color) | reach[them].attacked);
        // The king takes what is dropped beside it if nothing guards that.
        let safe = !(occupied | reach[us].attacked | ring.without(reach[them].attacked));
        let (bishop, rook) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        Siege {
            drop_checks: PieceKind::DROPPABLE.map(|kind| {
                let from = match kind {
                    PieceKind::Bishop => bishop,
                    PieceKind::Rook => rook,
                    _ => step_attacks(kind, color, king),
                };
                (from & safe).count() * u32::from(position.hand(!color).has(kind))
            }),
            weak: (ring & unguarded).count(),
            closed: 8 - escapes.count(),
        }
    }
}

/// What the king of `color` has to fear, in centipawns.
#[inline]
pub(super) fn danger(position: &Position, color: Color, reach: &[Reach; 2]) -> i32 {
    let siege = Siege::of(position, color, reach);
    let hand = position.hand(!color);
    let held: i32 = PieceKind::DROPPABLE
        .into_iter()
        .map(|kind| {
            let index = kind.index();
            WEIGHTS.hand_pressure[index] * hand.count(kind) as i32
                + WEIGHTS.drop_check[index] * siege.drop_checks[index] as i32
        })
        .sum();
    let units = reach[(!color).index()].pressure
        + held
        + WEIGHTS.weak_square * siege.weak as i32
        + WEIGHTS.no_escape * siege.closed as i32;
    (units.max(0) * units.max(0) / FLATTENING).min(MOST)
}
