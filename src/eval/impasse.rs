//! The impasse term of both evaluations: points, a try or a declaration, by the rule in force.

use crate::shogi::impasse::{
    DECLARATION_PIECES, POINTS_NEEDED, PointCount, declaration_points, pieces_in_zone, points_within, try_square,
};
use crate::shogi::{Bitboard, Color, ImpasseRule, PieceKind, Position};

/// The penalty for too few points once both kings stand in their zones, in centipawns.
const DECIDED: i32 = 500;

/// The bonus of each step of a king towards its try square, in centipawns.
const TRY_STEP: i32 = 60;

/// The bonus of each point towards a declaration, in centipawns; a piece in the zone counts two.
const DECLARATION_STEP: i32 = 12;

/// The progress of a king into its zone: 2 in the zone, 1 on the row before it, 0 elsewhere.
#[inline]
fn entering(position: &Position, color: Color) -> i32 {
    let is_near =
        (position.pieces(color, PieceKind::King) & Bitboard::farthest_rows(color, Bitboard::ZONE_RANKS + 1)).any();
    i32::from(is_near) + i32::from(position.king_is_in_zone(color))
}

/// The impasse term for the side to move, in centipawns. It is added to the network's score, because the network does
/// not know the rule in force.
#[inline]
pub(super) fn score(position: &Position, rule: ImpasseRule) -> i32 {
    let prospects = prospects(position, rule);
    let us = position.side_to_move();
    prospects[us.index()] - prospects[(!us).index()]
}

/// The impasse terms of Black and White, in centipawns.
#[inline]
pub(super) fn prospects(position: &Position, rule: ImpasseRule) -> [i32; 2] {
    let [black, white] = Color::ALL.map(|color| entering(position, color));
    match rule {
        ImpasseRule::Points12 => counting(position, black * white),
        ImpasseRule::Try if black * white > 0 => Color::ALL.map(|color| trying(position, color)),
        ImpasseRule::Declaration => Color::ALL.map(|color| declaring(position, color)),
        ImpasseRule::Try | ImpasseRule::CuteChess | ImpasseRule::None => [0; 2],
    }
}

/// The penalties for too few points, in centipawns, scaled by `entering`, the product of both kings' progress.
#[inline]
fn counting(position: &Position, entering: i32) -> [i32; 2] {
    if entering == 0 {
        return [0; 2];
    }
    PointCount::of(position).points.map(|points| if points < POINTS_NEEDED { -DECIDED * entering / 4 } else { 0 })
}

/// The bonus of a king close to its try square, in centipawns.
fn trying(position: &Position, color: Color) -> i32 {
    let steps = position.king(color).distance(try_square(color)) as i32;
    TRY_STEP * (5 - steps)
}

/// The bonus of a side close to a declaration, in centipawns.
fn declaring(position: &Position, color: Color) -> i32 {
    if entering(position, color) < 2 {
        return 0;
    }
    let zone = Bitboard::zone(color);
    let pieces = pieces_in_zone(position, color);
    let points = points_within(position, color, zone) + position.hand(color).impasse_points();
    DECLARATION_STEP * (points.min(declaration_points(color)) + 2 * pieces.min(DECLARATION_PIECES)) as i32
}
