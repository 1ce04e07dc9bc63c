//! Games chosen by bytes, for the fuzz targets.

use judkins::shogi::{Move, Position};

/// The longest line of a game, in plies.
const MOST_PLIES: usize = 200;

/// Plays from the start position as [`walk_from`] does.
pub fn walk(data: &[u8], visit: impl FnMut(&Position, Move, &Position)) {
    walk_from(Position::startpos(), data, visit);
}

/// Plays the legal moves that the bytes choose, and calls `visit` with each position, the move that is played there and
/// the position after it.
pub fn walk_from(start: Position, data: &[u8], mut visit: impl FnMut(&Position, Move, &Position)) {
    let mut position = start;
    for &byte in data.iter().take(MOST_PLIES) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let mv = moves[usize::from(byte) % moves.len()];
        let mut after = position.clone();
        after.play(mv);
        visit(&position, mv, &after);
        position = after;
    }
}
