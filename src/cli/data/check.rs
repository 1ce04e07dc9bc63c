//! `judkins data stat` and `judkins data verify`: reading and replaying games.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use judkins::counted::counted;
use judkins::data::{ShardReader, Summary};

/// Summarises the games of shards by replaying them.
pub fn summarize(paths: &[PathBuf]) -> Result<Summary> {
    let mut summary = Summary::default();
    for path in paths {
        let mut shard = ShardReader::open(path)?;
        while let Some(game) = shard.next() {
            summary.add(&game?).map_err(|error| shard.illegal(error))?;
        }
    }
    Ok(summary)
}

/// Prints a line for each shard: its number of games, or its error.
pub fn verify(paths: &[PathBuf]) -> Result<()> {
    let mut damaged = 0;
    for path in paths {
        match summarize(std::slice::from_ref(path)) {
            Ok(summary) => println!("{}: {}, sound", path.display(), counted(summary.games(), "game")),
            Err(error) => {
                damaged += 1;
                println!("{error:#}");
            }
        }
    }
    ensure!(damaged == 0, "damaged: {damaged} of {}", counted(paths.len(), "shard"));
    Ok(())
}
