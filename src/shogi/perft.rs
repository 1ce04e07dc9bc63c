use super::{Move, Position};

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

/// [`perft`] for each move of the position, the moves in the order of their text.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let mut counts: Vec<(Move, u64)> = match depth {
        0 => Vec::new(),
        _ => position.legal_moves().into_iter().map(|mv| (mv, perft(&position.after(mv), depth - 1))).collect(),
    };
    counts.sort_by_cached_key(|(mv, _)| mv.to_string());
    counts
}
