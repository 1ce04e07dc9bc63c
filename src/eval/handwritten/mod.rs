//! The hand-written evaluation: a sum of terms with weights.
//!
//! `judkins fit` (see `tune/evaluation.rs` for the method) fitted the weights in `fitted.rs` to 417,000 quiet positions
//! of 18,400 self-play games: 10,600 with the previous weights, 7,800 with those of a first fit. The target was half
//! the search's score and half the game's result, over 20 rounds, the command's defaults. `scripts/lab/fit.sh` plays
//! games and fits the weights.

mod features;
mod fitted;
mod king_safety;
mod material;
mod placement;
mod threats;
mod weights;

use super::impasse;
use crate::shogi::attacks::{bishop_attacks, leaper_attacks, rook_attacks};
use crate::shogi::{Bitboard, Color, ImpasseRule, Position, Square};

use fitted::WEIGHTS;
use king_safety::Reach;
use placement::Places;

pub use features::Features;
use material::board_value;
pub use weights::{WeightTable, Weights};

impl Weights {
    /// The weights that the evaluation uses.
    pub const IN_USE: Weights = WEIGHTS;
}

/// The terms of an evaluation in centipawns, each for Black and for White. The score is the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Pieces on the board and in hand.
    pub material: [i32; 2],
    /// Piece-square values, including those for the distances from both kings.
    pub placement: [i32; 2],
    /// The weighted number of squares that the pieces attack.
    pub mobility: [i32; 2],
    /// Own pieces that hang or are pinned; usually below 0.
    pub threats: [i32; 2],
    /// The danger to the own king; at most 0.
    pub king_safety: [i32; 2],
    /// Prospects under the impasse rule in force.
    pub impasse: [i32; 2],
    /// The bonus of the side to move.
    pub tempo: [i32; 2],
}

impl Terms {
    /// The terms with their names, in the order of display.
    pub fn named(&self) -> [(&'static str, [i32; 2]); 7] {
        [
            ("material", self.material),
            ("placement", self.placement),
            ("mobility", self.mobility),
            ("threats", self.threats),
            ("king safety", self.king_safety),
            ("impasse", self.impasse),
            ("tempo", self.tempo),
        ]
    }

    /// The score for a side, in centipawns.
    #[inline]
    pub fn total(&self, color: Color) -> i32 {
        self.named().into_iter().map(|(_, values)| values[color.index()] - values[(!color).index()]).sum()
    }
}

/// The score of a position in centipawns for the side to move.
#[inline]
pub fn evaluate(position: &Position, impasse_rule: ImpasseRule) -> i32 {
    terms(position, impasse_rule).total(position.side_to_move())
}

/// The terms of a position.
#[inline]
pub fn terms(position: &Position, impasse_rule: ImpasseRule) -> Terms {
    let sides = Color::ALL.map(|color| Side::of(position, color));
    let reach = sides.each_ref().map(|side| side.reach);
    let mut tempo = [0; 2];
    tempo[position.side_to_move().index()] = WEIGHTS.tempo;
    Terms {
        material: sides.each_ref().map(|side| side.material),
        placement: sides.each_ref().map(|side| side.placement),
        mobility: sides.each_ref().map(|side| side.mobility / 100),
        threats: Color::ALL.map(|color| threats::threats(position, color, &reach)),
        king_safety: Color::ALL.map(|color| -king_safety::danger(position, color, &reach)),
        impasse: impasse::prospects(position, impasse_rule),
        tempo,
    }
}

/// The results of one pass over a side's pieces, in centipawns unless stated otherwise.
struct Side {
    material: i32,
    placement: i32,
    /// In hundredths of a centipawn.
    mobility: i32,
    reach: Reach,
}

impl Side {
    #[inline(always)]
    fn of(position: &Position, color: Color) -> Side {
        let occupied = position.occupied();
        let own = position.by_color(color);
        let king = position.king(color);
        let zone = king_safety::zone(position, !color);
        let places = Places::of(position, color);
        let mut material = material::in_hand(position.hand(color));
        let mut placement = placement::king(color, king);
        let mut mobility = 0;
        let mut attacked = Bitboard::EMPTY;
        let mut pressure = 0;
        let mut count = |square: Square, range: Bitboard| {
            let Some(piece) = position.piece_at(square) else { return };
            let kind = piece.kind();
            let reached = range | leaper_attacks(kind, color, square);
            attacked |= reached;
            pressure += king_safety::pressure(kind, reached & zone);
            mobility += WEIGHTS.mobility[kind.index()] * reached.without(own).count() as i32;
            material += board_value(kind);
            placement += places.piece(kind, square);
        };
        let (rooks, bishops) = (own & position.rook_movers(), own & position.bishop_movers());
        for square in own.without(rooks | bishops | king.into()) {
            count(square, Bitboard::EMPTY);
        }
        for square in rooks {
            count(square, rook_attacks(square, occupied));
        }
        for square in bishops {
            count(square, bishop_attacks(square, occupied));
        }
        Side { material, placement, mobility, reach: Reach { attacked, pressure } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::{Piece, Setup};

    /// The position with colours swapped and the board rotated by 180°.
    fn turned(position: &Position) -> Position {
        let mut setup = Setup::from(position);
        setup.board.reverse();
        setup.board = setup.board.map(|piece| piece.map(|piece| Piece::new(!piece.color(), piece.kind())));
        setup.hands.reverse();
        setup.side_to_move = !setup.side_to_move;
        Position::try_from(&setup).unwrap()
    }

    #[test]
    fn both_sides_are_judged_alike() {
        for line in include_str!("../../../tests/data/perft.epd").lines() {
            let position: Position = line.split(';').next().unwrap().parse().unwrap();
            // Except the declaration rule: it asks one point more of Black.
            for impasse_rule in [ImpasseRule::Points12, ImpasseRule::Try, ImpasseRule::None] {
                assert_eq!(evaluate(&position, impasse_rule), evaluate(&turned(&position), impasse_rule), "{position}");
            }
        }
    }

    #[test]
    fn the_start_position_is_level_but_for_the_move() {
        assert_eq!(evaluate(&Position::startpos(), ImpasseRule::Points12), WEIGHTS.tempo);
    }
}
