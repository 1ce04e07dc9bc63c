//! `judkins data rescore`: new scores for the positions of games.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::make_apart;
use crate::cli::evaluation::EvaluationArgument;
use crate::cli::shards::ShardFiles;
use crate::cli::{interrupt, parallel, progress, shard_folder};
use judkins::counted::counted;
use judkins::data::{Rescorer, ShardReader, TrainingGame, write_shard};

/// The shards, and how their positions are searched.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    files: ShardFiles,
    /// A folder for the new shards, which have the names of the old ones; those that are there already are kept
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    evaluation: EvaluationArgument,
    /// Nodes for each position
    #[arg(long, default_value_t = 800, value_name = "N")]
    nodes: u64,
    /// MiB of hash table for each thread
    #[arg(long, default_value_t = 8, value_name = "MIB", value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
}

pub fn run(Arguments { files, out, evaluation, nodes, hash }: &Arguments) -> Result<()> {
    ensure!(*nodes > 0, "--nodes is at least 1");
    let (evaluation, description) = evaluation.read()?;
    let rescorer = Rescorer { evaluation, nodes: *nodes, hash: usize::from(*hash) };
    let inputs = files.paths()?;
    make_apart(&inputs, out)?;
    check_names(&inputs)?;
    let settings = RescoreSettings { evaluation: description, nodes: *nodes, hash: *hash };
    let _lock = shard_folder::begin(out, &settings)?;
    rescore(&inputs, out, &rescorer)
}

/// The settings that the shards of a folder share.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RescoreSettings {
    evaluation: String,
    nodes: u64,
    hash: u16,
}

/// Checks that no two shards have the same name, since the new ones take the names of the old.
fn check_names(inputs: &[PathBuf]) -> Result<()> {
    let mut names = HashSet::new();
    match inputs.iter().find(|path| !names.insert(path.file_name())) {
        Some(twice) => bail!("two shards have the name of {}: their folders need an --out each", twice.display()),
        None => Ok(()),
    }
}

fn rescore(paths: &[PathBuf], out: &Path, rescorer: &Rescorer) -> Result<()> {
    let stop = interrupt::watch()?;
    let bar = progress::bar(paths.len() as u64, "{bar:30} {pos}/{len} shards, {elapsed} elapsed, {eta} left");
    let written = parallel::map(&parallel::pool(None)?, paths, stop, |path| {
        let name = path.file_name().context("a shard has a name")?;
        let new = out.join(name);
        let games = if new.exists() {
            let is_kept = holds_the_same_games(&new, path)?;
            ensure!(is_kept, "{} has other games than {}: they need another --out", new.display(), path.display());
            None
        } else {
            rescorer.rescore(ShardReader::open(path)?, stop)?
        };
        if let Some(games) = &games {
            write_shard(&new, games)?;
        }
        bar.inc(1);
        Ok(games.is_some())
    })?;
    bar.finish_and_clear();
    let written = written.into_iter().filter(|&written| written).count();
    println!("{} written to {}", counted(written, "shard"), out.display());
    if stop.load(std::sync::atomic::Ordering::Relaxed) {
        bail!("interrupted: the same command goes on with the shards that are missing");
    }
    Ok(())
}

/// Whether two shards have the same games, whatever their scores.
fn holds_the_same_games(one: &Path, other: &Path) -> Result<bool> {
    let [mut one, mut other] = [ShardReader::open(one)?, ShardReader::open(other)?];
    loop {
        let (game, same) = match (one.next().transpose()?, other.next().transpose()?) {
            (Some(game), Some(same)) => (game, same),
            (rest, others) => return Ok(rest.is_none() && others.is_none()),
        };
        let moves = |game: &TrainingGame| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
        if game.opening != same.opening || moves(&game) != moves(&same) {
            return Ok(false);
        }
    }
}
