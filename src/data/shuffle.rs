//! External shuffle of training games: distributes them over temporary files, then shuffles each file in memory.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{DataError, ShardReader, TrainingGame, shard_name, write_shard};

/// The approximate size of a new shard in bytes. Shards are larger where there would be too many.
const SHARD_BYTES: u64 = 16 << 20;

/// The maximum number of new shards: their files are all open at once.
const MOST_SHARDS: u64 = 200;

/// The extension of the temporary files. A folder that has one does not have all games yet.
pub const HEAP_EXTENSION: &str = "heap";

/// Mixes the games of shards into new shards in a folder without any, and returns their paths. Games are dealt into
/// temporary files, one for each new shard, and each file is shuffled in memory, which takes about four times the size
/// of a shard.
///
/// # Errors
/// [`DataError`] if a shard cannot be read, or a file cannot be written. The new shards are deleted then: they would
/// pass for all the games.
pub fn shuffle(inputs: &[PathBuf], folder: &Path, seed: u64) -> Result<Vec<PathBuf>, DataError> {
    let mut bytes = 0;
    for input in inputs {
        bytes += fs::metadata(input).map_err(DataError::io(input))?.len();
    }
    let count = bytes.div_ceil(SHARD_BYTES).clamp(1, MOST_SHARDS);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let names: Vec<PathBuf> = (0..count).map(|index| folder.join(shard_name(index))).collect();
    let heaps: Vec<PathBuf> = names.iter().map(|name| name.with_extension(HEAP_EXTENSION)).collect();
    let mixed = deal(inputs, &heaps, &mut rng).and_then(|()| mix(&heaps, &names, &mut rng));
    if mixed.is_err() {
        // Report the first error, not this one.
        names.iter().chain(&heaps).for_each(|path| drop(fs::remove_file(path)));
    }
    mixed.map(|()| names)
}

fn deal(inputs: &[PathBuf], heaps: &[PathBuf], rng: &mut Xoshiro256PlusPlus) -> Result<(), DataError> {
    let mut files = Vec::new();
    for heap in heaps {
        files.push(BufWriter::new(File::create(heap).map_err(DataError::io(heap))?));
    }
    let mut bytes = Vec::new();
    for input in inputs {
        for game in ShardReader::open(input)? {
            let chosen = rng.random_range(0..heaps.len());
            bytes.clear();
            game?.encode(&mut bytes);
            files[chosen].write_all(&bytes).map_err(DataError::io(&heaps[chosen]))?;
        }
    }
    for (mut file, heap) in files.into_iter().zip(heaps) {
        file.flush().map_err(DataError::io(heap))?;
    }
    Ok(())
}

/// Shuffles each heap in memory and writes it as a shard.
fn mix(heaps: &[PathBuf], names: &[PathBuf], rng: &mut Xoshiro256PlusPlus) -> Result<(), DataError> {
    for (name, heap) in names.iter().zip(heaps) {
        let bytes = fs::read(heap).map_err(DataError::io(heap))?;
        let mut rest = bytes.as_slice();
        let mut games: Vec<TrainingGame> = std::iter::from_fn(|| TrainingGame::decode(&mut rest)).collect();
        games.shuffle(rng);
        write_shard(name, &games)?;
        fs::remove_file(heap).map_err(DataError::io(heap))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::example;
    use super::*;

    #[test]
    fn no_game_is_lost_or_doubled() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let inputs: Vec<PathBuf> = (0..3).map(|number| folder.join(format!("in-{number}.games"))).collect();
        let numbered = |number: usize| {
            let mut game = example();
            game.plies[0].score = number as i16;
            game
        };
        for (number, input) in inputs.iter().enumerate() {
            let games: Vec<_> = (0..50).map(|game| numbered(50 * number + game)).collect();
            write_shard(input, &games).unwrap();
        }
        let mixed = shuffle(&inputs, folder, 1).unwrap();
        let read = |paths: &[PathBuf]| -> Vec<i16> {
            let games = paths.iter().flat_map(|path| ShardReader::open(path).unwrap());
            games.map(|game| game.unwrap().plies[0].score).collect()
        };
        let mut scores = read(&mixed);
        assert_ne!(scores, (0..150).collect::<Vec<i16>>(), "they are mixed");
        scores.sort_unstable();
        assert_eq!(scores, (0..150).collect::<Vec<i16>>());
        assert!(
            fs::read_dir(folder)
                .unwrap()
                .all(|entry| entry.unwrap().path().extension() != Some(HEAP_EXTENSION.as_ref()))
        );
        // A part of the games must not pass for all of them.
        fs::write(&inputs[2], b"no games").unwrap();
        assert!(shuffle(&inputs, folder, 1).is_err());
        assert!(mixed.iter().all(|path| !path.exists()));
    }
}
