//! Statistics of a review: loss, accuracy and mistakes of each player, and the turning points of the game.

use super::MoveReview;
use super::marks::{MISTAKE, MoveMark};
use crate::shogi::Color;

/// The maximum number of turning points of a game.
const TURNING_POINTS: usize = 5;

/// The summary of a player's moves in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerSummary {
    /// The number of reviewed moves.
    pub moves: usize,
    /// The mean loss of winning chance, from 0 to 1.
    pub loss: f64,
    /// The mean accuracy of the moves, from 0 to 100.
    pub accuracy: f64,
    /// The number of best moves.
    pub best: usize,
    /// The number of inaccuracies.
    pub inaccuracies: usize,
    /// The number of mistakes.
    pub mistakes: usize,
    /// The number of blunders.
    pub blunders: usize,
    /// The number of missed mates.
    pub missed_mates: usize,
    /// The number of missed declarations.
    pub missed_declarations: usize,
}

/// The accuracy of a move in percent, given its loss of winning chance: the curve that Lichess has fitted to people's
/// games (<https://lichess.org/page/accuracy>).
pub fn accuracy(loss: f64) -> f64 {
    (103.1668 * (-4.354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

impl PlayerSummary {
    /// Sums up the moves of one player.
    pub fn of(moves: &[MoveReview], color: Color) -> PlayerSummary {
        let mut summary = PlayerSummary::default();
        for mv in moves.iter().filter(|mv| mv.color() == color) {
            summary.missed_mates += usize::from(mv.missed_mate.is_some());
            summary.missed_declarations += usize::from(mv.missed_declaration);
            let Some(loss) = mv.loss else { continue };
            summary.moves += 1;
            summary.loss += loss;
            summary.accuracy += accuracy(loss);
            summary.best += usize::from(mv.is_best());
            match mv.mark {
                Some(MoveMark::Inaccuracy) => summary.inaccuracies += 1,
                Some(MoveMark::Mistake) => summary.mistakes += 1,
                Some(MoveMark::Blunder) => summary.blunders += 1,
                Some(MoveMark::Brilliant | MoveMark::Only) | None => {}
            }
        }
        if summary.moves > 0 {
            summary.loss /= summary.moves as f64;
            summary.accuracy /= summary.moves as f64;
        }
        summary
    }

    /// Adds the moves of another game.
    pub fn add(&mut self, other: &PlayerSummary) {
        let all = (self.moves + other.moves).max(1) as f64;
        let mean = |one: f64, two: f64| (one * self.moves as f64 + two * other.moves as f64) / all;
        (self.loss, self.accuracy) = (mean(self.loss, other.loss), mean(self.accuracy, other.accuracy));
        self.moves += other.moves;
        self.best += other.best;
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
        self.missed_mates += other.missed_mates;
        self.missed_declarations += other.missed_declarations;
    }
}

/// The indices of the turning points of a game, in order: the moves with the greatest loss among the mistakes that
/// changed the leader or decided an open game.
pub fn turning_points(moves: &[MoveReview]) -> Vec<usize> {
    let open = |chance: f64| (0.15..0.85).contains(&chance);
    let turns = |mv: &MoveReview| {
        let (Some(before), Some(after), Some(loss)) = (mv.chance_before(), mv.chance_after(), mv.loss) else {
            return false;
        };
        let changed_sides = before >= 0.5 && after < 0.5;
        loss >= MISTAKE && (changed_sides || open(before) && !open(after))
    };
    let mut turning: Vec<usize> = (0..moves.len()).filter(|&index| turns(&moves[index])).collect();
    turning.sort_by(|&one, &other| moves[other].loss.unwrap_or(0.0).total_cmp(&moves[one].loss.unwrap_or(0.0)));
    turning.truncate(TURNING_POINTS);
    turning.sort_unstable();
    turning
}
