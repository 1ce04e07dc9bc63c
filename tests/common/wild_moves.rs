//! Games played by chance with checks preferred: kings are in danger, and mates are missed.

use judkins::shogi::{Move, Position, Stage};
use rand::RngExt;
use rand::seq::IndexedRandom;

/// The moves of a game from the start, up to this number of plies or until it is over.
pub fn wild_moves(random: &mut impl rand::Rng, plies: usize) -> Vec<Move> {
    let mut position = Position::startpos();
    let mut played = Vec::new();
    while played.len() < plies {
        let checks = position.moves(Stage::Checks);
        let moves = if checks.is_empty() || random.random_bool(0.5) { position.legal_moves() } else { checks };
        let Some(&mv) = moves.choose(random) else { break };
        position.play(mv);
        played.push(mv);
    }
    played
}
