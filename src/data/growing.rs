//! Resumable generation of a shard: completed batches are saved in a `.part` file until the shard is complete.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{DataError, ShardReader, TrainingGame, write_shard};

/// The number of games generated as a unit. A batch does not depend on other games, so a shard can be continued after
/// it.
pub const BATCH: usize = 20;

/// The maximum time between writes.
const INTERVAL: Duration = Duration::from_secs(10);

/// The extension of the file of an incomplete shard.
pub const PART_EXTENSION: &str = "part";

/// A shard that is generated batch by batch. Until it is complete, its games are in a file with the extension
/// [`PART_EXTENSION`].
pub struct GrowingShard {
    path: PathBuf,
    /// The final number of games.
    all: usize,
    games: Vec<TrainingGame>,
    /// The number of games in the file, and the time of the last write.
    written: (usize, Instant),
}

impl GrowingShard {
    /// Begins a shard of `all` games, or continues an incomplete one.
    ///
    /// # Errors
    /// [`DataError`] if an incomplete shard cannot be read or does not fit.
    pub fn open(path: &Path, all: usize) -> Result<GrowingShard, DataError> {
        let mut shard = GrowingShard { path: path.to_owned(), all, games: Vec::new(), written: (0, Instant::now()) };
        let part = shard.part();
        if part.exists() {
            shard.games = ShardReader::open(&part)?.collect::<Result<_, _>>()?;
            let made = shard.games.len();
            if made >= all || !made.is_multiple_of(BATCH) {
                let problem = format!("{made} games are not the beginning of a shard of {all} in batches of {BATCH}");
                return Err(DataError::Damaged { path: part, problem });
            }
            shard.written.0 = made;
        }
        Ok(shard)
    }

    pub fn games(&self) -> &[TrainingGame] {
        &self.games
    }

    /// Adds a batch and returns whether the shard is complete. A complete shard gets its final name; before that, games
    /// are written every ten seconds.
    ///
    /// # Errors
    /// [`DataError::Io`] if a file cannot be written.
    pub fn add(&mut self, batch: Vec<TrainingGame>) -> Result<bool, DataError> {
        self.games.extend(batch);
        if self.games.len() < self.all {
            if self.written.1.elapsed() >= INTERVAL {
                self.keep()?;
            }
            return Ok(false);
        }
        write_shard(&self.path, &self.games)?;
        let part = self.part();
        match fs::remove_file(&part) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(DataError::io(&part)(error)),
            _ => Ok(true),
        }
    }

    /// Writes the games that are not in the file yet, so that the shard can be continued later.
    ///
    /// # Errors
    /// [`DataError::Io`] if the file cannot be written.
    pub fn keep(&mut self) -> Result<(), DataError> {
        if self.written.0 < self.games.len() {
            write_shard(&self.part(), &self.games)?;
            self.written = (self.games.len(), Instant::now());
        }
        Ok(())
    }

    fn part(&self) -> PathBuf {
        self.path.with_extension(PART_EXTENSION)
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::example;
    use super::*;

    #[test]
    fn a_shard_goes_on_after_its_last_batch() {
        let folder = tempfile::tempdir().unwrap();
        let (path, part) = (folder.path().join("0.games"), folder.path().join("0.part"));
        let all = BATCH + 5;
        let mut shard = GrowingShard::open(&path, all).unwrap();
        shard.keep().unwrap();
        assert!(!part.exists(), "there is nothing to keep");
        assert!(!shard.add(vec![example(); BATCH]).unwrap());
        shard.keep().unwrap();
        assert!(part.exists() && !path.exists());
        let mut again = GrowingShard::open(&path, all).unwrap();
        assert_eq!(again.games().len(), BATCH);
        assert!(again.add(vec![example(); 5]).unwrap());
        assert!(!part.exists());
        assert_eq!(ShardReader::open(&path).unwrap().games(), all);
    }

    #[test]
    fn a_beginning_of_another_shard_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (made, all) in [(7, 40), (BATCH, BATCH), (2 * BATCH, 30)] {
            write_shard(&folder.path().join("0.part"), &vec![example(); made]).unwrap();
            let error = GrowingShard::open(&folder.path().join("0.games"), all).err().unwrap().to_string();
            assert!(error.contains(&format!("0.part: {made} games are not the beginning")), "{error}");
        }
    }
}
