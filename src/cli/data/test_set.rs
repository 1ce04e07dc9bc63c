//! `judkins data test-set`: positions on which `judkins net score` compares networks.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::cli::evaluation::EvaluationArgument;
use crate::cli::files::check_output;
use crate::cli::number::number;
use crate::cli::progress::{Progress, ProgressArguments};
use crate::cli::shards::ShardFiles;
use crate::cli::{interrupt, parallel};
use judkins::atomic_file;
use judkins::counted::counted;
use judkins::data::{BATCH, ShardReader, TestGame, TestSet};
use judkins::random::numbered_rng;
use judkins::shogi::ImpasseRule;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    #[command(flatten)]
    files: ShardFiles,
    /// The output file: one position in EPD per line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of positions, spread evenly over all games
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = number::<usize>(1..=10_000_000))]
    count: usize,
    #[command(flatten)]
    evaluation: EvaluationArgument,
    /// Nodes of the searches whose positions are taken
    #[arg(long, default_value_t = 3_000, value_name = "N", value_parser = number::<u64>(1..))]
    nodes: u64,
    /// Nodes of the searches that score the positions
    #[arg(long, default_value_t = 6_000, value_name = "N", value_parser = number::<u64>(1..))]
    score_nodes: u64,
    /// MiB of hash table for each thread
    #[arg(long, default_value_t = 8, value_name = "MIB", value_parser = number::<usize>(1..=4096))]
    hash: usize,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    progress: ProgressArguments,
}

const HELP: &str = "\
From a random position of a game a search begins, and a random position is taken from all that it visits, those in check too.
Use games on which none of the networks was trained.";

pub fn run(arguments: &Arguments) -> Result<()> {
    let paths = arguments.files.paths()?;
    check_output(Some(&arguments.out), paths.iter().map(PathBuf::as_path).chain(arguments.evaluation.file()))?;
    let (evaluation, _) = arguments.evaluation.read()?;
    let Arguments { nodes, score_nodes, hash, .. } = *arguments;
    let set = TestSet { evaluation, nodes, score_nodes, hash };
    let games = choose(&paths, arguments)?;
    let stop = interrupt::watch()?;
    let progress = Progress::new(arguments.progress, "positions", 0, Some(arguments.count as u64), None);
    let tell = || progress.add(1, |_| String::new());
    let parts: Vec<&[TestGame]> = games.chunks(BATCH).collect();
    let taken = parallel::map(&parallel::pool(0)?, &parts, stop, |games| Ok(set.take(games, stop, &tell)?))?;
    if stop.load(Ordering::Relaxed) {
        bail!("interrupted: no file was written");
    }
    progress.finish();
    let (mut seen, mut text) = (HashSet::new(), String::new());
    for position in taken.into_iter().flatten().flatten().filter(|taken| seen.insert(taken.position.key())) {
        let _ = writeln!(text, "{position}");
    }
    ensure!(!seen.is_empty(), "these games have no positions");
    atomic_file::write(&arguments.out, text.as_bytes()).with_context(|| arguments.out.display().to_string())?;
    println!("{} of {} in {}", counted(seen.len(), "position"), counted(games.len(), "game"), arguments.out.display());
    Ok(())
}

/// The games from which positions are taken. The number of each is as even as possible.
fn choose(paths: &[PathBuf], arguments: &Arguments) -> Result<Vec<TestGame>> {
    let mut all = 0;
    for path in paths {
        all += ShardReader::open(path)?.games();
    }
    let before = |game: usize| (game as u128 * arguments.count as u128 / all.max(1) as u128) as usize;
    let mut games = Vec::new();
    let mut number = 0;
    for path in paths {
        // Every folder has shards of the same names. The rest of the path would differ between machines.
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default().display();
        let shard = path.file_stem().unwrap_or_default().display();
        for (game, in_shard) in ShardReader::open(path)?.zip(1..) {
            let game = game?;
            let rule = ImpasseRule::default();
            // A test set does not say by which rule a position was scored.
            ensure!(game.impasse_rule == rule, "{}: `net score` evaluates under {rule}", path.display());
            let positions = before(number + 1) - before(number);
            number += 1;
            if positions > 0 {
                let rng = numbered_rng(arguments.seed, number as u64);
                games.push(TestGame { game, name: format!("{folder}/{shard} {in_shard}"), positions, rng });
            }
        }
    }
    Ok(games)
}
