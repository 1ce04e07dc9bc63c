//! The hand-written evaluation with variable weights, and its gradient, for `judkins fit`.

use super::king_safety::{FLATTENING, KingAttack, Reach, zone};
use super::weights::{DROPPABLE, KINDS};
use super::{Weights, placement, threats};
use crate::eval::impasse;
use crate::shogi::attacks::attacks;
use crate::shogi::{Bitboard, Color, ImpasseRule, Position};

/// The coefficients of the weights in the evaluation of a position, for fitting the weights.
///
/// The evaluation is linear in all weights except those of danger, which are summed for each king and squared.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// The indices of linear weights with their coefficients, Black's minus White's.
    linear: Vec<(u16, i16)>,
    /// The indices of danger's weights with their coefficients, for Black's and for White's king.
    danger: [Vec<(u16, i16)>; 2],
    /// The part that does not depend on weights: the impasse term, in centipawns.
    rest: i16,
}

/// The index of a weight among all of them.
macro_rules! index {
    ($field:ident $([$index:expr; $size:expr])*) => {{
        let place = 0usize;
        $(let place = place * $size + $index;)*
        std::mem::offset_of!(Weights, $field) / size_of::<i32>() + place
    }};
}

impl Features {
    /// The features of a position.
    pub fn of(position: &Position, impasse_rule: ImpasseRule) -> Features {
        let mut linear = [0i32; Weights::COUNT];
        let mut danger = [[0i32; Weights::COUNT]; 2];
        let mut reach = [Reach { attacked: Bitboard::EMPTY, pressure: 0 }; 2];
        for color in Color::ALL {
            let sign = color.relative(1);
            let own = position.by_color(color);
            let (king, enemy_king) = (position.king(color), position.king(!color));
            for square in own.without(king.into()) {
                let Some(piece) = position.piece_at(square) else { continue };
                let kind = piece.kind().index();
                let reached = attacks(piece.kind(), color, square, position.occupied());
                reach[color.index()].attacked |= reached;
                linear[index!(on_board[kind; KINDS])] += sign;
                linear[index!(mobility[kind; KINDS])] += sign * reached.without(own).count() as i32;
                linear[index!(near_enemy_king[kind; KINDS][square.distance(enemy_king) - 1; 5])] += sign;
                linear[index!(near_own_king[kind; KINDS][square.distance(king) - 1; 5])] += sign;
                linear[index!(place[kind; KINDS][placement::place(color, square); 18])] += sign;
                let bearing = (reached & zone(position, !color)).count() as i32;
                danger[(!color).index()][index!(pressure[kind; KINDS])] += bearing;
            }
            for (kind, count) in position.hand(color).iter() {
                let kind = kind.index();
                linear[index!(in_hand[kind; DROPPABLE][0; 2])] += sign;
                linear[index!(in_hand[kind; DROPPABLE][1; 2])] += sign * (count as i32 - 1);
                danger[(!color).index()][index!(hand_pressure[kind; DROPPABLE])] += count as i32;
            }
            let (row, column) = (placement::rows_forward(color, king), placement::from_edge(king));
            linear[index!(king[row; 6][column; 3])] += sign;
        }
        for color in Color::ALL {
            let sign = color.relative(1);
            let waits = usize::from(position.side_to_move() != color);
            for (index, count) in threats::hanging(position, color, &reach).into_iter().enumerate() {
                linear[index!(hanging[waits; 2][index; 5])] += sign * count as i32;
            }
            linear[index!(pinned)] += sign * threats::pinned(position, color) as i32;
            let attack = KingAttack::of(position, color, &reach);
            let danger = &mut danger[color.index()];
            for (index, count) in attack.drop_checks.into_iter().enumerate() {
                danger[index!(drop_check[index; DROPPABLE])] += count as i32;
            }
            danger[index!(weak_square)] += attack.weak as i32;
            danger[index!(no_escape)] += attack.closed as i32;
        }
        linear[index!(tempo)] += position.side_to_move().relative(1);
        let [black, white] = impasse::prospects(position, impasse_rule);
        Features { linear: sparse(&linear), danger: danger.map(|counts| sparse(&counts)), rest: (black - white) as i16 }
    }

    /// The score for Black with these weights (by index, in centipawns or units of danger). `add` receives the
    /// gradient: the index of a weight and the derivative with respect to it, possibly in several parts.
    pub fn evaluate(&self, weights: &[f64], mut add: impl FnMut(usize, f64)) -> f64 {
        let sum = |counts: &[(u16, i16)]| -> f64 {
            counts.iter().map(|&(index, count)| weights[usize::from(index)] * f64::from(count)).sum()
        };
        let mut value = f64::from(self.rest) + sum(&self.linear);
        self.linear.iter().for_each(|&(index, count)| add(index.into(), count.into()));
        for (color, counts) in Color::ALL.into_iter().zip(&self.danger) {
            // The evaluation's upper bound of danger is ignored.
            let units = sum(counts).max(0.0);
            let scale = 100.0 / f64::from(FLATTENING);
            let sign = f64::from(color.relative(1));
            value -= sign * units * units * scale;
            let change = -sign * 2.0 * units * scale;
            counts.iter().for_each(|&(index, count)| add(index.into(), change * f64::from(count)));
        }
        value
    }
}

fn sparse(counts: &[i32]) -> Vec<(u16, i16)> {
    (0..).zip(counts).filter(|&(_, &count)| count != 0).map(|(index, &count)| (index, count as i16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::handwritten::{evaluate, terms};
    use crate::shogi::ImpasseRule;

    #[test]
    fn features_and_weights_make_the_evaluation() {
        let rule = ImpasseRule::Points12;
        let weights = Weights::IN_USE.in_centipawns();
        let mut compared = 0;
        for line in include_str!("../../../tests/data/perft.epd").lines() {
            let position: Position = line.split(';').next().unwrap().parse().unwrap();
            if terms(&position, rule).king_safety.iter().any(|&danger| danger <= -900) {
                continue; // Fitting does not bound danger.
            }
            compared += 1;
            let features = Features::of(&position, rule);
            let expected = f64::from(position.side_to_move().relative(evaluate(&position, rule)));
            let found = features.evaluate(&weights, |_, _| {});
            // Each side's mobility and danger are truncated to whole centipawns.
            assert!((found - expected).abs() < 4.0, "{found} for {expected}: {position}");
        }
        assert!(compared > 50);
    }

    #[test]
    fn the_gradient_is_what_small_changes_make() {
        let position: Position = "rbn1gk/4sp/6/1N4/P5/KGS1BR b - 1".parse().unwrap();
        let features = Features::of(&position, ImpasseRule::None);
        let weights: Vec<f64> = (0..Weights::COUNT).map(|index| 1.0 + index as f64 / 50.0).collect();
        let mut gradient = vec![0.0; weights.len()];
        let before = features.evaluate(&weights, |index, change| gradient[index] += change);
        for (index, derivative) in gradient.into_iter().enumerate() {
            let mut changed = weights.clone();
            changed[index] += 1e-6;
            let found = (features.evaluate(&changed, |_, _| {}) - before) / 1e-6;
            assert!((found - derivative).abs() < 1e-3, "{found} for {derivative}, weight {index}");
        }
    }
}
