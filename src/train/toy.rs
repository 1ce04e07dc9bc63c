//! Test data: random games with scores that can be learned.

use std::path::PathBuf;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use tempfile::TempDir;

use super::Sample;
use crate::data::{ScoredPly, TrainingGame, write_shard};
use crate::shogi::{Color, EndReason, ImpasseRule, Position};

/// A folder that is removed after the test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes shards with these numbers of games.
    pub fn shards(&self, counts: &[usize]) -> Vec<PathBuf> {
        let shard = |(seed, &count): (usize, &usize)| {
            let path = self.path(&format!("{seed}.games"));
            write_shard(&path, &games(count, seed as u64)).unwrap();
            path
        };
        counts.iter().enumerate().map(shard).collect()
    }
}

/// 100 centipawns for each additional piece in hand.
fn score(position: &Position) -> i16 {
    let count = |color: Color| position.hand(color).iter().map(|(_, count)| count as i16).sum::<i16>();
    100 * (count(position.side_to_move()) - count(!position.side_to_move()))
}

pub fn games(count: usize, seed: u64) -> Vec<TrainingGame> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = || {
        let mut position = Position::startpos();
        let mut plies = Vec::new();
        while plies.len() < 60
            && let Some(&mv) = position.legal_moves().choose(&mut rng)
        {
            plies.push(ScoredPly { mv, score: score(&position) });
            position.play(mv);
        }
        let winner = match score(&position) {
            0 => None,
            score if score > 0 => Some(position.side_to_move()),
            _ => Some(!position.side_to_move()),
        };
        let (impasse_rule, opening, ending) = (ImpasseRule::None, Vec::new(), EndReason::MoveLimit);
        TrainingGame { impasse_rule, impasse_plies: 0, opening, plies, winner, ending }
    };
    (0..count).map(|_| game()).collect()
}

pub fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut samples = Vec::new();
    for game in games(count, seed) {
        game.for_each_quiet(|position, score, result| samples.push(Sample::new(position, score, result))).unwrap();
    }
    assert!(samples.len() >= count);
    samples.truncate(count);
    samples
}
