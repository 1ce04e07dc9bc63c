//! `judkins data rescore`: new scores for the positions of games.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde::Serialize;
use serde_json::json;

use crate::cli::evaluation::EvaluationArgument;
use crate::cli::files::is_stream;
use crate::cli::number::number;
use crate::cli::progress::{Progress, ProgressArguments};
use crate::cli::shard_folder::{make_apart, shards_there};
use crate::cli::shards::ShardFiles;
use crate::cli::{interrupt, parallel, shard_folder};
use judkins::counted::counted;
use judkins::data::{DataError, GrowingShard, Rescorer, SHARD_EXTENSION, ShardReader, TrainingGame, shard_bytes};

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    #[command(flatten)]
    files: ShardFiles,
    /// A folder for the new shards, which keep the names of the old ones; existing shards are kept. `-` reads a single
    /// shard, FILE `-`, from standard input, and writes the new one to standard output
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    evaluation: EvaluationArgument,
    /// Nodes per quiet position
    #[arg(long, default_value_t = 800, value_name = "N", value_parser = number::<u64>(1..))]
    nodes: u64,
    /// MiB of hash table for each thread
    #[arg(long, default_value_t = 8, value_name = "MIB", value_parser = number::<usize>(1..=4096))]
    hash: usize,
    #[command(flatten)]
    progress: ProgressArguments,
    /// Print the missing shards, one line of JSON each, for other machines to make with `-` and --out -
    #[arg(long)]
    jobs: bool,
}

const HELP: &str = "\
The same command goes on with what was stopped. An interrupt costs 20 games of each shard under way at most. If
the program is killed, the games of the last ten seconds are lost too. Until a shard is whole, its games lie in a file
that ends with .part.";

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { files, out, evaluation, nodes, hash, .. } = arguments;
    let (evaluation, description) = evaluation.read()?;
    let rescorer = Rescorer { evaluation, nodes: *nodes, hash: *hash };
    let inputs = files.paths()?;
    if is_stream(out) {
        ensure!(!arguments.jobs, "--jobs is for a folder, not for --out -");
        ensure!(matches!(&inputs[..], [input] if is_stream(input)), "--out - is for a single shard, FILE -");
        return rescore_stream(&rescorer);
    }
    make_apart(&inputs, out)?;
    check_names(&inputs)?;
    let settings = RescoreSettings { evaluation: description, nodes: *nodes, hash: *hash };
    let _lock = shard_folder::begin(out, &settings)?;
    let mut missing = Vec::new();
    let mut games = 0;
    for path in &inputs {
        let mut old = ShardReader::open(path)?;
        let new = new_path(path, out)?;
        if !new.exists() {
            games += old.games() as u64;
            missing.push(path);
            continue;
        }
        let mut new_games = ShardReader::open(&new)?;
        let is_kept = new_games.games() == old.games() && begins_with(&mut old, &mut new_games)?;
        ensure!(is_kept, "{} has other games than {}: they need another --out", new.display(), path.display());
    }
    if arguments.jobs {
        for path in missing {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            println!("{}", json!({ "name": name, "games": path.to_str().context("a shard's path is not UTF-8")? }));
        }
        return Ok(());
    }
    println!("{}", shards_there(inputs.len() - missing.len(), inputs.len()));
    let progress = Progress::new(arguments.progress, "games", 0, Some(games), None);
    rescore(&missing, out, &rescorer, &progress)
}

/// The common settings of a folder's shards.
#[derive(Serialize)]
struct RescoreSettings {
    evaluation: String,
    nodes: u64,
    hash: usize,
}

/// Checks that no two shards have the same name, because the new ones keep the names.
fn check_names(inputs: &[PathBuf]) -> Result<()> {
    let mut names = HashSet::new();
    for path in inputs {
        // Only files with this extension count as shards of the new folder.
        let is_shard = path.extension().is_some_and(|extension| extension == SHARD_EXTENSION);
        ensure!(is_shard, "{}: the name must end with .{SHARD_EXTENSION}, as the new shard's does", path.display());
        // Their incomplete shards would have one name, too.
        let is_new = names.insert(path.file_stem());
        ensure!(is_new, "two shards have the name of {}: they need an --out each", path.display());
    }
    Ok(())
}

fn new_path(old: &Path, out: &Path) -> Result<PathBuf> {
    Ok(out.join(old.file_name().context("a shard has a name")?))
}

fn rescore(paths: &[&PathBuf], out: &Path, rescorer: &Rescorer, progress: &Progress) -> Result<()> {
    let stop = interrupt::watch()?;
    let written = parallel::map(&parallel::pool(0)?, paths, stop, |path| {
        let new = new_path(path, out)?;
        let mut old = ShardReader::open(path)?;
        let mut shard = GrowingShard::open(&new, old.games())?;
        let is_begun = begins_with(&mut old, shard.games().iter().cloned().map(Ok::<_, DataError>))?;
        ensure!(is_begun, "the .part of {} has other games than {}", new.display(), path.display());
        progress.skip(shard.games().len() as u64);
        loop {
            match rescorer.batch(&mut old, stop, &|| progress.add(1, |_| String::new()))? {
                Some(batch) => {
                    if shard.add(batch)? {
                        return Ok(true);
                    }
                }
                None => {
                    shard.keep()?;
                    return Ok(false);
                }
            }
        }
    })?;
    progress.finish();
    let written = written.into_iter().filter(|&written| written).count();
    println!("{} written to {}", counted(written, "shard"), out.display());
    if stop.load(Ordering::Relaxed) {
        bail!("interrupted: the same command goes on");
    }
    Ok(())
}

/// Rescores the shard on standard input, and writes it to standard output.
fn rescore_stream(rescorer: &Rescorer) -> Result<()> {
    let stop = interrupt::watch()?;
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).context("standard input")?;
    let mut old = ShardReader::from_bytes(Path::new("standard input"), bytes)?;
    let mut games = Vec::new();
    loop {
        match rescorer.batch(&mut old, stop, &|| {})? {
            Some(batch) if batch.is_empty() => break,
            Some(batch) => games.extend(batch),
            None => bail!("interrupted"),
        }
    }
    let mut output = io::stdout();
    output.write_all(&shard_bytes(&games)).and_then(|()| output.flush()).context("standard output")
}

/// Whether games are the next of a shard, ignoring their scores.
fn begins_with<E>(shard: &mut ShardReader, games: impl IntoIterator<Item = Result<TrainingGame, E>>) -> Result<bool>
where
    anyhow::Error: From<E>,
{
    let moves = |game: &TrainingGame| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
    for game in games {
        let game = game?;
        let is_same = match shard.next().transpose()? {
            Some(same) => game.opening == same.opening && moves(&game) == moves(&same),
            None => false,
        };
        if !is_same {
            return Ok(false);
        }
    }
    Ok(true)
}
