//! `judkins data`: self-play games in shards.

mod chance;
mod check;
mod mates;
mod openings;
mod rescore;
mod test_set;
mod text;

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;
use serde::Serialize;

use super::number::number;
use super::shard_folder;
use super::shards::ShardFiles;
use judkins::counted::counted;
use judkins::data::shuffle;

#[derive(Subcommand)]
pub enum Command {
    /// Fit the winning chance for a score to the games of matches
    Chance(chance::Arguments),
    /// Find problems for the mate solver in shards of games
    Mates(mates::Arguments),
    /// Make balanced openings for matches
    Openings(openings::Arguments),
    /// Show statistics of shards
    Stat(ShardFiles),
    /// Read every byte and replay every game
    Verify(ShardFiles),
    /// Mix the games of shards into new ones
    Shuffle {
        #[command(flatten)]
        files: ShardFiles,
        /// A folder for the new shards; it must not contain any
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Seed of the order
        #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<u64>(0..))]
        seed: u64,
    },
    /// Rescore the quiet positions of games, on which networks are trained
    Rescore(rescore::Arguments),
    /// Make a test set of networks: positions that searches visit, with the scores of longer searches
    TestSet(test_set::Arguments),
    /// Write games as text, for other trainers: one line per position with SFEN, move, score and result
    Export(text::ExportArguments),
    /// Make shards from text
    Import(text::ImportArguments),
}

#[derive(Serialize)]
struct ShuffleSettings {
    shuffled: Vec<String>,
    seed: u64,
}

pub fn run(command: &Command) -> Result<()> {
    match command {
        Command::Chance(arguments) => chance::run(arguments)?,
        Command::Mates(arguments) => mates::run(arguments)?,
        Command::Openings(arguments) => openings::run(arguments)?,
        Command::Stat(files) => println!("{}", check::summarize(&files.paths()?)?),
        Command::Verify(files) => check::verify(&files.paths()?)?,
        Command::Shuffle { files, out, seed } => {
            let inputs = files.paths()?;
            shard_folder::make_apart(&inputs, out)?;
            let shuffled = inputs.iter().map(|path| path.display().to_string()).collect();
            let _lock = shard_folder::begin_anew(out, &ShuffleSettings { shuffled, seed: *seed })?;
            let shards = shuffle(&inputs, out, *seed)?;
            println!("{} in {}", counted(shards.len(), "shard"), out.display());
        }
        Command::Rescore(arguments) => rescore::run(arguments)?,
        Command::TestSet(arguments) => test_set::run(arguments)?,
        Command::Export(arguments) => text::export(arguments)?,
        Command::Import(arguments) => text::import(arguments)?,
    }
    Ok(())
}
