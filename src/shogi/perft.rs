use std::sync::atomic::{AtomicBool, Ordering};

use super::{Move, Position};

/// The greatest depth that a user may ask for: each ply takes some of the stack, and no count of so many plies ends.
pub const MAX_PERFT_DEPTH: u32 = 127;

/// How many ways there are to play `depth` plies: the number that move generators are checked by. A game that has
/// ended by repetition or impasse goes on here.
///
/// ```
/// use judkins::shogi::{Position, perft};
/// assert_eq!(perft(&Position::startpos(), 3), 6_183);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        // Counting the last ply's moves is much quicker than playing them.
        1 => u64::from(position.count_legal_moves()),
        _ => position.legal_moves().into_iter().map(|mv| perft(&position.after(mv), depth - 1)).sum(),
    }
}

/// [`perft`] for each move of the position, the moves in the order of their text. Each is told as it is counted, until
/// `stop` is set; says whether all of them were.
pub fn perft_divide(position: &Position, depth: u32, stop: &AtomicBool, mut tell: impl FnMut(Move, u64)) -> bool {
    if depth == 0 {
        return true;
    }
    let mut moves = position.legal_moves();
    moves.sort_by_cached_key(Move::to_string);
    for mv in moves {
        match count_until(&position.after(mv), depth - 1, stop) {
            Some(count) => tell(mv, count),
            None => return false,
        }
    }
    true
}

/// [`perft`], unless it is stopped.
fn count_until(position: &Position, depth: u32, stop: &AtomicBool) -> Option<u64> {
    // Some thousands of leaves are counted before the next look.
    if depth <= 3 {
        return (!stop.load(Ordering::Relaxed)).then(|| perft(position, depth));
    }
    position.legal_moves().into_iter().map(|mv| count_until(&position.after(mv), depth - 1, stop)).sum()
}
