use crate::shogi::impasse::{
    DECLARATION_PIECES, POINTS_NEEDED, PointCount, declaration_points, pieces_in_zone, points_within, try_square,
};
use crate::shogi::{Bitboard, Color, ImpasseRule, PieceKind, Position};

/// What it is worth to have the points that decide, once both kings stand in their zones, in centipawns.
const DECIDED: i32 = 500;

/// What each king's step towards the other's start square is worth under the try rule, in centipawns.
const TRY_STEP: i32 = 60;

/// What each point, and each piece in the zone, is worth on the way to a declaration, in centipawns.
const DECLARATION_STEP: i32 = 12;

/// How far a king has come: 2 in its zone, 1 a step before it, 0 elsewhere.
#[inline]
fn entering(position: &Position, color: Color) -> i32 {
    let king = position.pieces(color, PieceKind::King);
    let is_within = |rows| (king & Bitboard::farthest_rows(color, rows)).any();
    i32::from(is_within(2)) + i32::from(is_within(3))
}

/// The prospects of Black and White in an impasse, in centipawns.
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

/// What a lack of points costs each side, in centipawns. `entering` is the product of how far the kings have come.
#[inline]
fn counting(position: &Position, entering: i32) -> [i32; 2] {
    if entering == 0 {
        return [0; 2];
    }
    PointCount::of(position).points.map(|points| if points < POINTS_NEEDED { -DECIDED * entering / 4 } else { 0 })
}

/// How near a king is to the square that it must reach, in centipawns.
fn trying(position: &Position, color: Color) -> i32 {
    let steps = position.king(color).distance(try_square(color)) as i32;
    TRY_STEP * (5 - steps)
}

/// How near a side is to declaring, in centipawns.
fn declaring(position: &Position, color: Color) -> i32 {
    if entering(position, color) < 2 {
        return 0;
    }
    let zone = Bitboard::zone(color);
    let pieces = pieces_in_zone(position, color);
    let points = points_within(position, color, zone) + position.hand(color).impasse_points();
    DECLARATION_STEP * (points.min(declaration_points(color)) + 2 * pieces.min(DECLARATION_PIECES)) as i32
}
