//! Mates by a search that leaves nothing out.

use judkins::mate::MateOutcome;
use judkins::shogi::Position;

/// Whether there is a mate within `plies` plies, by trying every check and every reply.
pub fn mates_within(position: &Position, plies: usize) -> bool {
    position.legal_moves().into_iter().map(|mv| position.after(mv)).any(|after| {
        let replies = after.legal_moves();
        let defended = |&reply: &_| plies < 3 || !mates_within(&after.after(reply), plies - 2);
        after.in_check() && !replies.iter().any(defended)
    })
}

/// The length of the shortest mate within this limit.
pub fn shortest_within(position: &Position, plies: usize) -> Option<usize> {
    (1..=plies).step_by(2).find(|&plies| mates_within(position, plies))
}

/// Checks an answer of the solver against all mates within this limit.
pub fn assert_agrees(position: &Position, answer: &MateOutcome, plies: usize) {
    let expected = shortest_within(position, plies);
    match answer {
        MateOutcome::Mate(solution) => {
            let found = solution.moves.len();
            let agrees = if solution.shortest {
                expected == Some(found) || expected.is_none() && found > plies
            } else {
                expected.is_none_or(|shortest| shortest <= found)
            };
            assert!(agrees, "{found} plies, where {expected:?} was expected, in {position}");
        }
        MateOutcome::NoMate => assert_eq!(expected, None, "{position}"),
        MateOutcome::Unknown => {}
    }
}
