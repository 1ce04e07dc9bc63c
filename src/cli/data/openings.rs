//! `judkins data openings`: balanced openings for matches.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use crate::cli::datagen::parse_range;
use crate::cli::evaluation::EvaluationArgument;
use crate::cli::files::check_output;
use crate::cli::interrupt;
use crate::cli::number::number;
use crate::cli::parallel::{self, ThreadsArgument};
use crate::cli::progress::{Progress, ProgressArguments};
use judkins::atomic_file;
use judkins::counted::counted;
use judkins::data::{BATCH, SelfPlay, SelfPlayOptions};
use judkins::shogi::{DEFAULT_IMPASSE_PLIES, ImpasseRule, Position, position_text};

/// Less than this share of new positions, 1 in `MOST_COPIES`, means that there are hardly any left.
const MOST_COPIES: usize = 20;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    /// The output file: one opening per line, for `judkins match --openings`
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of openings, which all lead to different positions
    #[arg(long, default_value_t = 40_000, value_name = "N", value_parser = number::<usize>(1..=10_000_000))]
    count: usize,
    /// Random moves: minimum and maximum
    #[arg(long, default_value = "4-8", value_name = "N-N", value_parser = parse_range)]
    random: [u8; 2],
    /// Maximum absolute score after them, in centipawns
    #[arg(long, default_value_t = 100, value_name = "CP", value_parser = number::<i32>(0..))]
    start_score: i32,
    #[command(flatten)]
    evaluation: EvaluationArgument,
    /// Nodes of the search that scores an opening
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = number::<u64>(1..))]
    nodes: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    progress: ProgressArguments,
}

const HELP: &str = "\
The same options and the same evaluation give the same openings, whatever --threads is. With a greater --count, the openings
of a smaller one come first.";

pub fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { out, count, .. } = arguments;
    check_output(Some(out), arguments.evaluation.file())?;
    let stop = interrupt::watch()?;
    let (evaluation, description) = arguments.evaluation.read()?;
    let impasse_rule = ImpasseRule::default();
    let options = SelfPlayOptions {
        evaluation: description,
        nodes: arguments.nodes,
        random_plies: arguments.random,
        start_score: arguments.start_score,
        impasse_rule: impasse_rule.to_string(),
        impasse_plies: DEFAULT_IMPASSE_PLIES as u8,
        games: 0,
        hash: 1,
        seed: arguments.seed,
    };
    let self_play = SelfPlay::new(options, evaluation, impasse_rule);
    let pool = parallel::pool(arguments.threads.count())?;
    let progress = Progress::new(arguments.progress, "openings", 0, Some(*count as u64), None);
    let (mut seen, mut text, mut batch) = (HashSet::new(), String::new(), 0);
    // Positions that occur twice are made up for in the next round.
    while seen.len() < *count {
        let missing = count - seen.len();
        let batches: Vec<u64> = (batch..).take(missing.div_ceil(BATCH)).collect();
        batch += batches.len() as u64;
        let add = || progress.add(1, |_| String::new());
        let made = parallel::map(&pool, &batches, stop, |&batch| Ok(self_play.openings(batch, stop, &add)?))?;
        if stop.load(Ordering::Relaxed) {
            bail!("interrupted: no file was written");
        }
        let before = seen.len();
        for game in made.into_iter().flatten().flatten() {
            if seen.len() < *count && seen.insert(game.position().key()) {
                text += &position_text(&Position::startpos(), game.moves().iter().copied());
                text.push('\n');
            }
        }
        ensure!(
            (seen.len() - before) * MOST_COPIES >= missing,
            "{} found after {} to {} random moves, and hardly another one: allow more moves, or a greater --start-score",
            counted(seen.len(), "different opening"),
            arguments.random[0],
            arguments.random[1],
        );
        progress.set(seen.len() as u64, |_| String::new());
    }
    progress.finish();
    atomic_file::write(out, text.as_bytes()).with_context(|| out.display().to_string())?;
    println!("{} in {}", counted(seen.len(), "opening"), out.display());
    Ok(())
}
