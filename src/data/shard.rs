//! The file format of self-play games: a header with CRC-32 checksums, followed by the encoded games.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::TrainingGame;
use crate::atomic_file;
use crate::shogi::IllegalMove;

/// The file extension of shards.
pub const SHARD_EXTENSION: &str = "games";

/// The file name of the shard with this number.
pub fn shard_name(number: u64) -> String {
    format!("{number:06}.{SHARD_EXTENSION}")
}

const MAGIC: [u8; 8] = *b"JUDKGAME";
const VERSION: u32 = 1;

/// The length of the header in bytes: magic, version, number of games, length of the payload, CRC-32 of the payload,
/// CRC-32 of the header up to here.
const HEADER: usize = 8 + 4 * 5;

/// The maximum length of a shard in bytes. Longer files are rejected without being read.
const LARGEST: u64 = 256 << 20;

/// The reason why a shard cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    /// The file is not a shard, or it is damaged.
    #[error("{path}: {problem}")]
    Damaged { path: PathBuf, problem: String },
    /// A game, counted from 1, has an illegal move.
    #[error("{path}, game {game}: {error}")]
    Illegal { path: PathBuf, game: usize, error: IllegalMove },
}

impl DataError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> DataError {
        let path = path.to_owned();
        |error| DataError::Io { path, error }
    }
}

/// Writes games to a shard atomically: an existing file is replaced only by a complete one.
///
/// # Errors
/// [`DataError::Io`] if the file cannot be written.
pub fn write_shard(path: &Path, games: &[TrainingGame]) -> Result<(), DataError> {
    atomic_file::write(path, &shard_bytes(games)).map_err(DataError::io(path))
}

pub fn shard_bytes(games: &[TrainingGame]) -> Vec<u8> {
    let mut payload = Vec::new();
    games.iter().for_each(|game| game.encode(&mut payload));
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    bytes.extend(MAGIC);
    for number in [VERSION, games.len() as u32, payload.len() as u32, crc32fast::hash(&payload)] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// Iterates over the games of a shard. An item is an error only if the payload does not match the header.
#[derive(Debug)]
pub struct ShardReader {
    path: PathBuf,
    payload: Vec<u8>,
    position: usize,
    games: usize,
    read: usize,
}

impl ShardReader {
    /// Reads a shard into memory and verifies its checksums.
    ///
    /// # Errors
    /// [`DataError`] if the file cannot be read, is not a shard, or is damaged.
    pub fn open(path: &Path) -> Result<ShardReader, DataError> {
        let damaged = |problem: &str| DataError::Damaged { path: path.to_owned(), problem: problem.to_owned() };
        // Opening a pipe waits for a writer.
        let metadata = fs::metadata(path).map_err(DataError::io(path))?;
        if !metadata.is_file() {
            return Err(damaged("not a regular file"));
        }
        if metadata.len() > LARGEST {
            return Err(damaged("larger than a shard can be"));
        }
        let mut bytes = Vec::with_capacity(metadata.len() as usize);
        // The limit also holds if the file is growing.
        let file = File::open(path).map_err(DataError::io(path))?;
        file.take(metadata.len()).read_to_end(&mut bytes).map_err(DataError::io(path))?;
        ShardReader::from_bytes(path, bytes)
    }

    /// As [`ShardReader::open`], from the content of a shard; errors name it as `path`.
    ///
    /// # Errors
    /// [`DataError::Damaged`].
    pub fn from_bytes(path: &Path, mut bytes: Vec<u8>) -> Result<ShardReader, DataError> {
        let damaged = |problem: &str| DataError::Damaged { path: path.to_owned(), problem: problem.to_owned() };
        let Some((header, payload)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(damaged("too short for a shard of games"));
        };
        if header[..8] != MAGIC {
            return Err(damaged("not a shard of games"));
        }
        let numbers = header[8..].as_chunks::<4>().0;
        let [version, games, length, checksum, own_checksum] =
            std::array::from_fn(|index| u32::from_le_bytes(numbers[index]));
        if version != VERSION {
            return Err(damaged(&format!("version {version}, this program reads {VERSION}")));
        }
        if crc32fast::hash(&header[..HEADER - 4]) != own_checksum {
            return Err(damaged("the header is damaged"));
        }
        if payload.len() != length as usize {
            return Err(damaged(&format!("{} bytes of games where there should be {length}", payload.len())));
        }
        if crc32fast::hash(payload) != checksum {
            return Err(damaged("the games are damaged"));
        }
        bytes.drain(..HEADER);
        Ok(ShardReader { path: path.to_owned(), payload: bytes, position: 0, games: games as usize, read: 0 })
    }

    /// The number of games in the shard.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The error for an illegal move in the game read last.
    pub fn illegal(&self, error: IllegalMove) -> DataError {
        DataError::Illegal { path: self.path.clone(), game: self.read, error }
    }
}

impl Iterator for ShardReader {
    type Item = Result<TrainingGame, DataError>;

    fn next(&mut self) -> Option<Result<TrainingGame, DataError>> {
        let mut rest = &self.payload[self.position..];
        if self.read == self.games && rest.is_empty() {
            return None;
        }
        let game = if self.read < self.games { TrainingGame::decode(&mut rest) } else { None };
        let Some(game) = game else {
            let problem = format!("{} games where there should be {}", self.read, self.games);
            // Make the next call end the iteration.
            (self.games, self.position) = (self.read, self.payload.len());
            return Some(Err(DataError::Damaged { path: self.path.clone(), problem }));
        };
        self.position = self.payload.len() - rest.len();
        self.read += 1;
        Some(Ok(game))
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::example;
    use super::*;

    fn read(path: &Path) -> Result<Vec<TrainingGame>, DataError> {
        ShardReader::open(path)?.collect()
    }

    #[test]
    fn games_survive_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        let games = vec![example(); 3];
        write_shard(&path, &games).unwrap();
        assert_eq!(ShardReader::open(&path).unwrap().games(), 3);
        assert_eq!(read(&path).unwrap(), games);
    }

    /// The line of `tests/data/every-rule.txt` that describes a game.
    fn described(game: &TrainingGame) -> String {
        let TrainingGame { impasse_rule, impasse_plies, opening, plies, winner, ending } = game;
        let winner = winner.map_or("no contest".to_owned(), |color| format!("{color} wins"));
        let opening: Vec<String> = opening.iter().map(|mv| mv.to_string()).collect();
        let plies: Vec<String> = plies.iter().map(|ply| format!("{} {}", ply.mv, ply.score)).collect();
        let (ending, opening, plies) = (ending.to_string(), opening.join(" "), plies.join(", "));
        format!("{impasse_rule}, {impasse_plies} plies; {winner}, {ending}; {opening}; {plies}\n")
    }

    /// The shard is older than this test. It has a game under each impasse rule and with each ending.
    #[test]
    fn a_stored_shard_means_what_it_meant() {
        let stored = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-rule.games"));
        let games = read(stored).unwrap();
        let text: String = games.iter().map(described).collect();
        assert_eq!(text, include_str!("../../tests/data/every-rule.txt"));
        let folder = tempfile::tempdir().unwrap();
        let again = folder.path().join("a.games");
        write_shard(&again, &games).unwrap();
        assert!(fs::read(&again).unwrap() == fs::read(stored).unwrap(), "the bytes differ");
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        write_shard(&path, &[example(), example()]).unwrap();
        let bytes = fs::read(&path).unwrap();
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            assert!(read(&path).is_err(), "cut to {length} bytes");
        }
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 0x10;
            fs::write(&path, &changed).unwrap();
            assert!(read(&path).is_err(), "byte {index} changed");
        }
        fs::write(&path, [bytes.as_slice(), &[0]].concat()).unwrap();
        assert!(read(&path).is_err(), "a byte too many");
    }

    #[test]
    fn only_regular_files_are_read() {
        let error = ShardReader::open(Path::new("/dev/zero")).unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
        assert!(ShardReader::open(Path::new("/dev/none.games")).is_err());
    }

    #[test]
    fn a_wrong_number_of_games_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        for claimed in [1u32, 3, u32::MAX] {
            write_shard(&path, &[example(), example()]).unwrap();
            let mut bytes = fs::read(&path).unwrap();
            bytes[12..16].copy_from_slice(&claimed.to_le_bytes());
            let checksum = crc32fast::hash(&bytes[..HEADER - 4]);
            bytes[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
            fs::write(&path, &bytes).unwrap();
            let error = read(&path).unwrap_err();
            assert!(error.to_string().contains("where there should be"), "{error}");
        }
    }
}
