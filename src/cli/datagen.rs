//! `judkins datagen`: self-play games for training.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde_json::json;

use super::evaluation::EvaluationArgument;
use super::files::is_stream;
use super::number::number;
use super::parallel::{self, ThreadsArgument};
use super::progress::{Progress, ProgressArguments};
use super::rules::impasse_rule;
use super::shard_folder::shards_there;
use super::{interrupt, shard_folder};
use judkins::counted::counted;
use judkins::data::{GrowingShard, SelfPlay, SelfPlayOptions, ShardReader, Summary, shard_bytes, shard_name};
use judkins::shogi::{DEFAULT_IMPASSE_PLIES, ImpasseRule};
use judkins::work::lock;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    /// A folder for the shards; existing shards are kept. `-` writes a single shard to standard output
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Total number of shards
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = number::<u64>(1..=1_000_000))]
    shards: u64,
    /// Number of the first shard to make, from 0: with `--shards` a part of them, for one of several machines
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = number::<u64>(0..))]
    first: u64,
    /// Games per shard
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = number::<usize>(1..=100_000))]
    games: usize,
    #[command(flatten)]
    evaluation: EvaluationArgument,
    /// Nodes per move
    #[arg(long, default_value_t = 800, value_name = "N", value_parser = number::<u64>(1..))]
    nodes: u64,
    /// Random moves at the start: minimum and maximum
    #[arg(long, default_value = "3-8", value_name = "N-N", value_parser = parse_range)]
    random: [u8; 2],
    /// Maximum absolute score of a start, in centipawns; other starts are discarded
    #[arg(long, default_value_t = 500, value_name = "CP", value_parser = number::<i32>(0..))]
    start_score: i32,
    /// The impasse rule
    #[arg(long, default_value_t, value_name = "RULE", value_parser = impasse_rule(), ignore_case = true)]
    impasse_rule: ImpasseRule,
    /// Quiet plies before points are counted
    #[arg(long, default_value_t = DEFAULT_IMPASSE_PLIES as u8, value_name = "N", value_parser = number::<u8>(0..=u8::MAX))]
    impasse_plies: u8,
    /// MiB of hash table for each thread
    #[arg(long, default_value_t = 8, value_name = "MIB", value_parser = number::<usize>(1..=4096))]
    hash: usize,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    progress: ProgressArguments,
    /// Print the missing shards, one line of JSON each, for other machines to make with --first, --shards and --out -
    #[arg(long)]
    jobs: bool,
}

const HELP: &str = "\
The same options give the same games, whatever --threads is and however often it was interrupted: the same command goes
on. An interrupt costs 20 games of each shard under way at most. If the program is killed, the games of the last ten
seconds are lost too. Until a shard is whole, its games lie in a file that ends with .part.";

pub fn parse_range(text: &str) -> Result<[u8; 2], String> {
    let parse = |part: &str| part.trim().parse::<u8>().map_err(|error| format!("'{part}': {error}"));
    let (fewest, most) = text.split_once('-').unwrap_or((text, text));
    let range = [parse(fewest)?, parse(most)?];
    if range[0] > range[1] { Err("the first is the smaller".to_owned()) } else { Ok(range) }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { out, shards, games, nodes, random, start_score, impasse_plies, hash, seed, .. } = arguments;
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
        hash: *hash,
        seed: *seed,
    };
    if is_stream(out) {
        ensure!(!arguments.jobs, "--jobs is for a folder, not for --out -");
        ensure!(arguments.first + 1 == *shards, "--out - is for a single shard: --first N --shards N+1");
        let self_play = SelfPlay::new(options, evaluation, arguments.impasse_rule);
        return write_to_stdout(&self_play, arguments);
    }
    let _lock = shard_folder::begin(out, &options)?;
    let wanted = arguments.first..*shards;
    let mut missing = Vec::new();
    for number in wanted.clone() {
        let path = shard_path(out, number);
        if !path.exists() {
            missing.push(number);
        } else {
            let found = ShardReader::open(&path).context("delete it to make it again")?.games();
            ensure!(found == *games, "{} has {}: delete it", path.display(), counted(found, "game"));
        }
    }
    if arguments.jobs {
        for &number in &missing {
            println!("{}", json!({ "number": number, "name": shard_name(number) }));
        }
        return Ok(());
    }
    let asked = wanted.count();
    println!("{}", shards_there(asked - missing.len(), asked));
    let self_play = SelfPlay::new(options, evaluation, arguments.impasse_rule);
    make(&self_play, &missing, arguments)
}

/// Makes shards in a folder.
fn make(self_play: &SelfPlay, missing: &[u64], arguments: &Arguments) -> Result<()> {
    let Arguments { out, games, .. } = arguments;
    let stop = interrupt::watch()?;
    let all = missing.len() as u64 * *games as u64;
    let progress = Progress::new(arguments.progress, "games", 0, Some(all), None);
    let positions = AtomicU64::new(0);
    let tell = |game: &judkins::data::TrainingGame| {
        let positions = positions.fetch_add(game.plies.len() as u64, Ordering::Relaxed) + game.plies.len() as u64;
        progress.add(1, |elapsed| format!("{:.0} positions/s", positions as f64 / elapsed.as_secs_f64().max(1e-3)));
    };
    let summary = Mutex::new(Summary::default());
    let kept = AtomicU64::new(0);
    parallel::map(&parallel::pool(arguments.threads.count())?, missing, stop, |&number| {
        let mut shard = GrowingShard::open(&shard_path(out, number), *games)?;
        progress.skip(shard.games().len() as u64);
        loop {
            let Some(batch) = self_play.batch(number, shard.games().len(), stop, &tell)? else {
                kept.fetch_add(shard.games().len() as u64, Ordering::Relaxed);
                return Ok(shard.keep()?);
            };
            let mut summary = lock(&summary);
            for game in &batch {
                summary.add(game).context("a game of our own does not replay")?;
            }
            drop(summary);
            if shard.add(batch)? {
                return Ok(());
            }
        }
    })?;
    progress.finish();
    let summary = lock(&summary);
    if summary.games() > 0 {
        println!("{summary}");
    }
    if stop.load(Ordering::Relaxed) {
        let kept = kept.into_inner();
        bail!("interrupted: the same command goes on; {kept} games of unfinished shards are kept");
    }
    Ok(())
}

/// Makes a shard and writes it to standard output.
fn write_to_stdout(self_play: &SelfPlay, arguments: &Arguments) -> Result<()> {
    let stop: &AtomicBool = interrupt::watch()?;
    let mut made = Vec::new();
    while made.len() < arguments.games {
        match self_play.batch(arguments.first, made.len(), stop, &|_| {})? {
            Some(batch) => made.extend(batch),
            None => bail!("interrupted"),
        }
    }
    let mut output = io::stdout();
    output.write_all(&shard_bytes(&made)).and_then(|()| output.flush()).context("standard output")
}

fn shard_path(folder: &Path, number: u64) -> PathBuf {
    folder.join(shard_name(number))
}
