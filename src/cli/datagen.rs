//! `judkins datagen`: games of self-play for training.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::evaluation::EvaluationArgument;
use super::rules::impasse_rule;
use super::{interrupt, parallel, progress, shard_folder};
use judkins::counted::counted;
use judkins::data::{SHARD_EXTENSION, SelfPlay, SelfPlayOptions, Summary, write_shard};
use judkins::shogi::ImpasseRule;

/// What is played, and where it goes.
#[derive(Args)]
pub struct Arguments {
    /// A folder for the shards; those that are there already are kept
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How many shards there are to be in the end
    #[arg(long, default_value_t = 100, value_name = "N")]
    shards: u64,
    /// The number of the first shard to make, from 0: with `--shards` a part of them, for one of several machines
    #[arg(long, default_value_t = 0, value_name = "N")]
    first: u64,
    /// Games in a shard
    #[arg(long, default_value_t = 1_000, value_name = "N")]
    games: usize,
    #[command(flatten)]
    evaluation: EvaluationArgument,
    /// Positions visited for a move
    #[arg(long, default_value_t = 800, value_name = "N")]
    nodes: u64,
    /// Moves played by chance at the start: the fewest and the most
    #[arg(long, default_value = "3-8", value_name = "N-N", value_parser = parse_range)]
    random: [u8; 2],
    /// Starts further from level than this are thrown away, in centipawns
    #[arg(long, default_value_t = 500, value_name = "CP")]
    start_score: i32,
    /// The impasse rule
    #[arg(long, default_value_t, value_name = "RULE", value_parser = impasse_rule(), ignore_case = true)]
    impasse_rule: ImpasseRule,
    /// Quiet plies before points are counted
    #[arg(long, default_value_t = 24, value_name = "N")]
    impasse_plies: u8,
    /// MiB of hash table for each thread
    #[arg(long, default_value_t = 8, value_name = "MIB", value_parser = clap::value_parser!(u16).range(1..=4096))]
    hash: u16,
    /// Games played at a time [default: one on each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

fn parse_range(text: &str) -> Result<[u8; 2], String> {
    let parse = |part: &str| part.trim().parse::<u8>().map_err(|error| format!("'{part}': {error}"));
    let (fewest, most) = text.split_once('-').unwrap_or((text, text));
    let range = [parse(fewest)?, parse(most)?];
    if range[0] > range[1] { Err("the first is the smaller".to_owned()) } else { Ok(range) }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { out, shards, games, nodes, random, start_score, impasse_plies, hash, seed, .. } = arguments;
    ensure!(*games > 0 && *games <= 100_000, "--games is from 1 to 100,000");
    ensure!(*nodes > 0, "--nodes is at least 1");
    ensure!(*start_score >= 0, "--start-score is at least 0");
    ensure!((1..=1_000_000).contains(shards), "--shards is from 1 to a million");
    ensure!(arguments.first < *shards, "--first is less than --shards");
    let (evaluation, description) = arguments.evaluation.read()?;
    let options = SelfPlayOptions {
        evaluation: description,
        nodes: *nodes,
        random_plies: *random,
        start_score: *start_score,
        impasse_rule: arguments.impasse_rule.to_string(),
        impasse_plies: *impasse_plies,
        games: *games,
        hash: usize::from(*hash),
        seed: *seed,
    };
    let _lock = shard_folder::begin(out, &options)?;
    let wanted = arguments.first..*shards;
    let missing: Vec<u64> = wanted.clone().filter(|&number| !shard_path(out, number).exists()).collect();
    let asked = shards.saturating_sub(arguments.first);
    let are = if asked == 1 { "is" } else { "are" };
    println!("{} of {} {are} there", wanted.count() - missing.len(), counted(asked, "shard"));

    let stop = interrupt::watch()?;
    // Without a terminal, each shard prints a line.
    let watched = io::stderr().is_terminal();
    let games = missing.len() as u64 * *games as u64;
    let bar = progress::bar(games, "{bar:30} {pos}/{len} games, {msg}, {elapsed} elapsed, {eta} left");
    let positions = AtomicU64::new(0);
    let tell = |game: &judkins::data::TrainingGame| {
        let before = positions.fetch_add(game.plies.len() as u64, Ordering::Relaxed);
        let rate = before as f64 / bar.elapsed().as_secs_f64().max(1e-3);
        bar.set_message(format!("{rate:.0} positions/s"));
        bar.inc(1);
    };
    let summary = Mutex::new(Summary::default());
    let self_play = SelfPlay::new(options, evaluation, arguments.impasse_rule);
    parallel::map(&parallel::pool(arguments.threads)?, &missing, stop, |&number| {
        if let Some(games) = self_play.shard(number, stop, &tell)? {
            write_shard(&shard_path(out, number), &games)?;
            let mut summary = summary.lock().unwrap_or_else(PoisonError::into_inner);
            for game in &games {
                summary.add(game).context("a game of our own does not replay")?;
            }
            if !watched {
                let seconds = bar.elapsed().as_secs();
                println!(
                    "shard {number} is there; so far {} to learn from in {seconds} s",
                    counted(summary.quiet(), "position")
                );
            }
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    if !missing.is_empty() {
        println!("{}", summary.lock().unwrap_or_else(PoisonError::into_inner));
    }
    if stop.load(Ordering::Relaxed) {
        bail!("interrupted: unfinished shards are lost, the same command goes on with the others");
    }
    Ok(())
}

fn shard_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("{number:06}.{SHARD_EXTENSION}"))
}
