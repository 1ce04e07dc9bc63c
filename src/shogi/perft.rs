//! Perft: counts of move sequences, in total and for each move, to verify the move generator.

use super::{Move, Position};

/// The greatest depth to accept from users, in plies: recursion uses the stack, and no count of this depth terminates
/// in practice.
pub const MAX_PERFT_DEPTH: u32 = 127;

/// Counts the sequences of `depth` legal moves, ignoring repetition and impasse: the usual test of move generators.
///
/// ```
/// use judkins::shogi::{Position, perft};
/// assert_eq!(perft(&Position::startpos(), 3), 6_183);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        // Bulk counting: the moves of the last ply are not played.
        1 => u64::from(position.count_legal_moves()),
        _ => position.legal_moves().into_iter().map(|mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}

/// [`perft`] for each move of the position, in the order of their USI text. Calls `tell` with each move and its count.
/// Returns whether all moves were counted before `is_stopped`.
pub fn perft_divide(
    position: &Position,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
    mut tell: impl FnMut(Move, u64),
) -> bool {
    if depth == 0 {
        return true;
    }
    let mut moves = position.legal_moves();
    moves.sort_by_cached_key(Move::to_string);
    for mv in moves {
        match count_until(&position.after(mv), depth - 1, is_stopped) {
            Some(count) => tell(mv, count),
            None => return false,
        }
    }
    true
}

/// [`perft`]; [`None`] if it is stopped.
fn count_until(position: &Position, depth: u32, is_stopped: &dyn Fn() -> bool) -> Option<u64> {
    // Check once per several thousand leaves.
    if depth <= 3 {
        return (!is_stopped()).then(|| perft(position, depth));
    }
    position.legal_moves().into_iter().map(|mv| count_until(&position.after(mv), depth - 1, is_stopped)).sum()
}
