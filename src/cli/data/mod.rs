//! `judkins data`: what is done with games of self-play.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

mod mates;

use super::{shard_folder, shard_work};
use judkins::data::{Rescorer, SHARD_EXTENSION, ShardReader, Summary, shuffle, write_shard};
use judkins::eval::Evaluation;
use judkins::eval::nnue::{Inference, Network};

#[derive(Subcommand)]
pub enum Command {
    /// Find problems for the mate solver in shards of games
    Mates(mates::Arguments),
    /// Say what is in shards of games
    Stat(Files),
    /// Read every byte and play every game through
    Verify(Files),
    /// Mix the games of shards into new ones
    Shuffle {
        #[command(flatten)]
        files: Files,
        /// A folder for the new shards
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Decides the order
        #[arg(long, default_value_t = 1, value_name = "N")]
        seed: u64,
    },
    /// Give the positions of games new scores
    Rescore {
        #[command(flatten)]
        files: Files,
        /// A folder for the new shards, which have the names of the old ones; those that are there already are kept
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        #[command(flatten)]
        evaluation: EvaluationArgument,
        /// Positions visited for each
        #[arg(long, default_value_t = 800, value_name = "N")]
        nodes: u64,
        /// MiB of hash table for each thread
        #[arg(long, default_value_t = 8, value_name = "MIB", value_parser = clap::value_parser!(u16).range(1..=4096))]
        hash: u16,
    },
}

/// An evaluation on the command line.
#[derive(Args)]
pub struct EvaluationArgument {
    /// What judges positions: `network` (that the program is built with), `handwritten`, or a network's file
    #[arg(long, default_value = "network", value_name = "EVALUATION")]
    evaluation: String,
}

impl EvaluationArgument {
    /// The evaluation, and what distinguishes it from others.
    pub fn read(&self) -> Result<(Evaluation, String)> {
        let network = match self.evaluation.as_str() {
            "handwritten" => return Ok((Evaluation::Handwritten, self.evaluation.clone())),
            "network" => Network::embedded().0,
            path => Network::read(Path::new(path)).with_context(|| path.to_owned())?.0,
        };
        let description = format!("network {:08x}", network.fingerprint()?);
        Ok((Evaluation::Network(Arc::new(Inference::new(&network))), description))
    }
}

/// Shards on the command line.
#[derive(Args)]
pub struct Files {
    /// Shards, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Files {
    pub fn paths(&self) -> Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for path in &self.files {
            if path.is_dir() {
                paths.extend(shards_in(path)?);
            } else {
                paths.push(path.clone());
            }
        }
        Ok(paths)
    }
}

/// The shards in a folder, by name.
pub fn shards_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == SHARD_EXTENSION) {
            paths.push(path);
        }
    }
    ensure!(!paths.is_empty(), "no shards of games (*.{SHARD_EXTENSION}) in {}", folder.display());
    paths.sort();
    Ok(paths)
}

pub fn run(command: &Command) -> Result<()> {
    match command {
        Command::Stat(files) => {
            println!("{}", summarize(&files.paths()?)?);
            Ok(())
        }
        Command::Mates(arguments) => mates::run(arguments),
        Command::Verify(files) => verify(&files.paths()?),
        Command::Shuffle { files, out, seed } => {
            let inputs = files.paths()?;
            make_apart(&inputs, out)?;
            let shards = shuffle(&inputs, out, *seed)?;
            println!("{} shards in {}", shards.len(), out.display());
            Ok(())
        }
        Command::Rescore { files, out, evaluation, nodes, hash } => {
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
    }
}

fn summarize(paths: &[PathBuf]) -> Result<Summary> {
    let mut summary = Summary::default();
    for path in paths {
        let mut shard = ShardReader::open(path)?;
        while let Some(game) = shard.next() {
            summary.add(&game?).map_err(|error| shard.illegal(error))?;
        }
    }
    Ok(summary)
}

fn verify(paths: &[PathBuf]) -> Result<()> {
    let mut damaged = 0;
    for path in paths {
        match summarize(std::slice::from_ref(path)) {
            Ok(summary) => println!("{}: {} games, sound", path.display(), summary.games()),
            Err(error) => {
                damaged += 1;
                println!("{error:#}");
            }
        }
    }
    ensure!(damaged == 0, "{damaged} of {} shards are damaged", paths.len());
    Ok(())
}

/// How positions were given new scores.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RescoreSettings {
    evaluation: String,
    nodes: u64,
    hash: u16,
}

/// Makes a folder for new shards, and makes sure that they replace no old one, whichever way the folders are named.
fn make_apart(inputs: &[PathBuf], out: &Path) -> Result<()> {
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let whole = |path: &Path| fs::canonicalize(path).with_context(|| path.display().to_string());
    let out = whole(out)?;
    for input in inputs {
        ensure!(whole(input)?.parent() != Some(&out), "--out is the folder of the old shards");
    }
    Ok(())
}

/// Makes sure that no two shards have one name, where the new ones are to have the names of the old.
fn check_names(inputs: &[PathBuf]) -> Result<()> {
    let mut names = HashSet::new();
    match inputs.iter().find(|path| !names.insert(path.file_name())) {
        Some(twice) => bail!("two shards have the name of {}: their folders need an --out each", twice.display()),
        None => Ok(()),
    }
}

fn rescore(paths: &[PathBuf], out: &Path, rescorer: &Rescorer) -> Result<()> {
    let stop = shard_work::watch_for_interrupts()?;
    let bar = ProgressBar::new(paths.len() as u64);
    let style = "{bar:30} {pos}/{len} shards, {elapsed} gone, {eta} to go";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is valid"));
    let written = AtomicUsize::new(0);
    shard_work::for_each(paths, None, |path| {
        let name = path.file_name().context("a shard has a name")?;
        let new = out.join(name);
        if !new.exists()
            && let Some(games) = rescorer.rescore(ShardReader::open(path)?, stop)?
        {
            write_shard(&new, &games)?;
            written.fetch_add(1, Ordering::Relaxed);
        }
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    println!("{} shards written to {}", written.into_inner(), out.display());
    if stop.load(Ordering::Relaxed) {
        bail!("interrupted: the same command goes on with the shards that are missing");
    }
    Ok(())
}
