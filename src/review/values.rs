//! Scores of positions in which a rule has ended the game or decides it, and of the positions before them.

use crate::score::Score;
use crate::search::score::{DECIDED_BOUND, MATE_BOUND, RULE_WIN};
use crate::shogi::{Color, EndReason, GameResult};

/// The plies to the end of the game that a rule other than mate decides; none for other scores.
pub(super) fn plies_to_rule(score: Score) -> Option<i32> {
    match score {
        Score::Centipawns(score) if is_decided(Score::Centipawns(score)) => Some(RULE_WIN - score.abs()),
        _ => None,
    }
}

/// Whether a rule other than mate decides the game.
pub(super) fn is_decided(score: Score) -> bool {
    matches!(score, Score::Centipawns(score) if (DECIDED_BOUND..MATE_BOUND).contains(&score.abs()))
}

/// The score of a position in which the game is over, for the player who would be to move.
pub(super) fn value_of(result: &GameResult, us: Color) -> Score {
    match (result.winner, result.reason) {
        (None, _) => Score::Centipawns(0),
        (Some(winner), EndReason::Checkmate | EndReason::NoLegalMove) if winner != us => Score::Mate(0),
        (Some(winner), _) => Score::Centipawns(if winner == us { RULE_WIN } else { -RULE_WIN }),
    }
}

/// The score of a position whose best move leads to one with this score: the end of the game is one ply further away.
pub(super) fn before_reaching(score: Score) -> Score {
    match score {
        Score::Mate(plies @ 1..) => Score::Mate(-plies - 1),
        Score::Mate(plies) => Score::Mate(1 - plies),
        Score::Centipawns(value) if is_decided(score) => Score::Centipawns(value.signum() - value),
        Score::Centipawns(_) => -score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_a_ply_further_from_the_position_before() {
        let won = |reason| GameResult::won(Color::Black, reason);
        for (result, before, plies) in [
            (won(EndReason::Checkmate), Score::Mate(1), None),
            (won(EndReason::NoLegalMove), Score::Mate(1), None),
            (won(EndReason::Try), Score::Centipawns(RULE_WIN - 1), Some(1)),
            (GameResult::drawn(EndReason::Sennichite), Score::Centipawns(0), None),
            (GameResult::won(Color::White, EndReason::PerpetualCheck), Score::Centipawns(1 - RULE_WIN), Some(1)),
        ] {
            let found = before_reaching(value_of(&result, Color::White));
            assert_eq!((found, plies_to_rule(found)), (before, plies), "{result}");
        }
    }
}
