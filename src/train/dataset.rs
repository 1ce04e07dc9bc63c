//! `Dataset`: the shards of games, split into positions to train on and positions held out.

use std::path::{Path, PathBuf};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::{Sample, TrainError};
use crate::data::{DataError, ShardReader, TrainingGame};

/// One game in `HELD_OUT` is held out, to measure the loss on positions that are not trained on.
const HELD_OUT: u32 = 50;

/// The maximum number of positions held out.
const MOST_HELD_OUT: usize = 200_000;

/// The number of shards read in parallel.
const AT_ONCE: usize = 64;

/// The games to train on, and the positions held out.
pub struct Dataset {
    shards: Vec<PathBuf>,
    held_out: Vec<Sample>,
    games: u64,
    positions: u64,
    fingerprint: u32,
}

/// The data of one shard.
#[derive(Default)]
struct Share {
    held_out: Vec<Sample>,
    games: u64,
    positions: u64,
    fingerprint: u32,
}

impl Dataset {
    /// Reads all shards once, on the threads of the current pool, to count positions and to hold some out.
    ///
    /// # Errors
    /// [`TrainError`] if a shard cannot be read, or there are no positions to train on or to hold out.
    pub fn read(mut shards: Vec<PathBuf>) -> Result<Dataset, TrainError> {
        shards.sort();
        let mut dataset = Dataset { shards, held_out: Vec::new(), games: 0, positions: 0, fingerprint: 0 };
        let mut sieve = Sieve::new();
        for shards in dataset.shards.chunks(AT_ONCE) {
            let shares: Vec<_> = shards.par_iter().map(|path| survey(path)).collect();
            for share in shares {
                let share = share?;
                dataset.games += share.games;
                dataset.positions += share.positions;
                // Use a sum, because the order of games does not matter: they are shuffled.
                dataset.fingerprint = dataset.fingerprint.wrapping_add(share.fingerprint);
                share.held_out.into_iter().for_each(|sample| sieve.add(sample));
            }
        }
        dataset.held_out = sieve.samples;
        match (dataset.positions, dataset.held_out.len()) {
            (0, _) => Err(TrainError::NoPositions),
            (_, 0) => Err(TrainError::NothingHeldOut(dataset.games)),
            _ => Ok(dataset),
        }
    }

    /// The paths of the shards, sorted.
    pub fn shards(&self) -> &[PathBuf] {
        &self.shards
    }

    /// The positions held out: all of the held-out games, or a random sample of 200,000.
    pub fn held_out(&self) -> &[Sample] {
        &self.held_out
    }

    /// The number of games, including those held out.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of positions to train on.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// A text that identifies the games: their number, that of positions, and a checksum.
    pub fn description(&self) -> String {
        format!("{} games, {} positions, checksum {:08x}", self.games, self.positions, self.fingerprint)
    }
}

/// Keeps a uniform random sample of at most [`MOST_HELD_OUT`] positions (reservoir sampling).
struct Sieve {
    samples: Vec<Sample>,
    seen: usize,
    rng: Xoshiro256PlusPlus,
}

impl Sieve {
    fn new() -> Sieve {
        // A fixed seed, so that the losses of two networks can be compared.
        Sieve { samples: Vec::new(), seen: 0, rng: Xoshiro256PlusPlus::seed_from_u64(0) }
    }

    fn add(&mut self, sample: Sample) {
        self.seen += 1;
        if self.samples.len() < MOST_HELD_OUT {
            self.samples.push(sample);
            return;
        }
        let place = self.rng.random_range(0..self.seen);
        if let Some(kept) = self.samples.get_mut(place) {
            *kept = sample;
        }
    }
}

fn survey(path: &Path) -> Result<Share, DataError> {
    let mut share = Share::default();
    for (index, game) in read_games(path)?.iter().enumerate() {
        share.games += 1;
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        share.fingerprint = share.fingerprint.wrapping_add(crc32fast::hash(&bytes));
        let samples = samples_of(path, index, game)?;
        match is_held_out(game) {
            true => share.held_out.extend(samples),
            false => share.positions += samples.len() as u64,
        }
    }
    Ok(share)
}

fn read_games(path: &Path) -> Result<Vec<TrainingGame>, DataError> {
    ShardReader::open(path)?.collect()
}

/// Whether a game is held out. This depends only on its moves, so that copies of it and rescored versions are treated
/// alike.
fn is_held_out(game: &TrainingGame) -> bool {
    let mut hasher = crc32fast::Hasher::new();
    let moves = game.opening.iter().copied().chain(game.plies.iter().map(|ply| ply.mv));
    moves.for_each(|mv| hasher.update(&mv.bits().to_le_bytes()));
    hasher.finalize().is_multiple_of(HELD_OUT)
}

/// The quiet positions of the game with this index in a shard.
fn samples_of(path: &Path, index: usize, game: &TrainingGame) -> Result<Vec<Sample>, DataError> {
    let mut samples = Vec::with_capacity(game.plies.len());
    game.for_each_quiet(|position, score, result| samples.push(Sample::new(position, score, result)))
        .map_err(|error| DataError::Illegal { path: path.to_owned(), game: index + 1, error })?;
    Ok(samples)
}

/// The positions of a shard to train on, with the games in random order.
pub fn learning_samples(path: &Path, rng: &mut Xoshiro256PlusPlus) -> Result<Vec<Vec<Sample>>, DataError> {
    let mut games: Vec<_> = read_games(path)?.into_iter().enumerate().collect();
    games.retain(|(_, game)| !is_held_out(game));
    games.shuffle(rng);
    games.par_iter().map(|(index, game)| samples_of(path, *index, game)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::toy::{self, Folder};
    use super::*;

    #[test]
    fn games_are_held_out_whole() {
        let folder = Folder::new();
        let shards = folder.shards(&[150, 150]);
        let dataset = Dataset::read(shards.clone()).unwrap();
        assert_eq!(dataset.games(), 300);
        let games = [toy::games(150, 0), toy::games(150, 1)].concat();
        let (held_out, learned): (Vec<_>, Vec<_>) = games.iter().partition(|game| is_held_out(game));
        assert!((1..=15).contains(&held_out.len()), "{} of 300 games", held_out.len());
        let count = |games: &[&TrainingGame]| {
            games.iter().map(|game| samples_of(&shards[0], 0, game).unwrap().len()).sum::<usize>()
        };
        assert_eq!(dataset.held_out().len(), count(&held_out));
        assert_eq!(dataset.positions(), count(&learned) as u64);
    }

    #[test]
    fn other_scores_leave_a_game_on_its_side_but_are_other_data() {
        let folder = Folder::new();
        let mut games = toy::games(200, 9);
        let before: Vec<bool> = games.iter().map(is_held_out).collect();
        let path = folder.path("a.games");
        crate::data::write_shard(&path, &games).unwrap();
        let description = Dataset::read(vec![path.clone()]).unwrap().description();
        games.iter_mut().for_each(|game| game.plies[3].score += 1);
        assert_eq!(games.iter().map(is_held_out).collect::<Vec<_>>(), before);
        crate::data::write_shard(&path, &games).unwrap();
        assert_ne!(Dataset::read(vec![path]).unwrap().description(), description);
    }

    #[test]
    fn games_without_use_are_refused() {
        let folder = Folder::new();
        let path = folder.path("a.games");
        crate::data::write_shard(&path, &[]).unwrap();
        assert!(matches!(Dataset::read(vec![path.clone()]), Err(TrainError::NoPositions)));
        let game = toy::games(100, 2).into_iter().find(|game| !is_held_out(game)).unwrap();
        crate::data::write_shard(&path, &[game]).unwrap();
        assert!(matches!(Dataset::read(vec![path.clone()]), Err(TrainError::NothingHeldOut(1))));
        assert!(matches!(Dataset::read(vec![folder.path("none.games")]), Err(TrainError::Data(_))));
    }

    #[test]
    fn of_very_many_positions_a_fair_part_is_kept() {
        let sample = toy::samples(1, 1)[0];
        let other = toy::samples(10, 2)[9];
        let mut sieve = Sieve::new();
        (0..MOST_HELD_OUT).for_each(|_| sieve.add(sample));
        (0..MOST_HELD_OUT).for_each(|_| sieve.add(other));
        assert_eq!(sieve.samples.len(), MOST_HELD_OUT);
        let half = sieve.samples.iter().filter(|&&kept| kept == sample).count() as f64;
        assert!((half / MOST_HELD_OUT as f64 - 0.5).abs() < 0.01, "{half}");
    }
}
