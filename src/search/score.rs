//! Scores: centipawns from the point of view of the side to move, with decided games far outside the evaluation's
//! range.

use crate::score::Score;

/// The deepest ply that a search reaches.
pub const MAX_PLY: usize = 127;

/// Greater than every score.
pub const INFINITE: i32 = 32_001;
/// The score of a mate at the root.
pub const MATE: i32 = 32_000;
/// The least score of a forced mate.
pub const MATE_BOUND: i32 = MATE - MAX_PLY as i32 - 1;
/// The score of a win at the root by another rule: try, declaration, points, the opponent's perpetual check.
pub const RULE_WIN: i32 = 30_000;
/// The least score of a decided game. Decided scores count the plies to the end.
pub const DECIDED_BOUND: i32 = RULE_WIN - MAX_PLY as i32 - 1;
/// The greatest static evaluation.
pub const EVALUATION_BOUND: i32 = DECIDED_BOUND - 1;

/// The score of a loss in a position `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// The score of a win by a rule other than mate in a position `ply` plies from the root.
#[inline]
pub const fn rule_win_in(ply: usize) -> i32 {
    RULE_WIN - ply as i32
}

impl From<i32> for Score {
    fn from(score: i32) -> Score {
        if score.abs() < MATE_BOUND {
            Score::Centipawns(score)
        } else if score > 0 {
            Score::Mate(MATE - score)
        } else {
            Score::Mate(-MATE - score)
        }
    }
}

impl From<Score> for i32 {
    fn from(score: Score) -> i32 {
        match score {
            Score::Centipawns(score) => score,
            Score::Mate(plies) if plies > 0 => MATE - plies,
            Score::Mate(plies) => -MATE - plies,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_plies_from_the_root() {
        assert_eq!(Score::from(-mated_in(5)), Score::Mate(5));
        assert_eq!(Score::from(mated_in(4)), Score::Mate(-4));
        assert_eq!(Score::from(mated_in(MAX_PLY)), Score::Mate(-(MAX_PLY as i32)));
        assert_eq!(Score::from(rule_win_in(3)), Score::Centipawns(RULE_WIN - 3));
        for score in [mated_in(0), mated_in(7), -31, 0, 250, RULE_WIN, -mated_in(9)] {
            assert_eq!(i32::from(Score::from(score)), score);
        }
    }
}
