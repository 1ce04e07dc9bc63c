//! `judkins tune`: an engine's options tuned by matches against itself.

mod batch;
mod dry_run;
mod values;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, Subcommand};
use indicatif::HumanDuration;

use super::number::number;
use super::openings::OpeningsArguments;
use super::program::program;
use super::rules::RulesArguments;
use super::{engines, folder_lock, interrupt, progress};
use judkins::arena::{EngineSpec, number_options, shuffle_openings};
use judkins::atomic_file;
use judkins::counted::counted;
use judkins::search::params;
use judkins::tune::{Gains, ParameterError, PlannedPair, Run, TuneSettings, read_parameters};

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Subcommand)]
enum Command {
    /// Add the results of a run's next batch that other machines have played: one line of JSON per pair on standard
    /// input, as printed by --jobs, with the output of `judkins match --job` for it in `result`
    Take {
        /// The run's folder
        folder: PathBuf,
    },
    /// Write the values found by a run to a configuration for the engine, and print the lines for the source; options
    /// that this program does not have are only printed
    Apply {
        /// The run's folder
        folder: PathBuf,
        /// The configuration, whose other lines are kept [default: engine.toml in the run's folder]
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
}

#[derive(Args)]
struct RunArguments {
    /// The engine, as in `judkins match` [default: this program with its parameters exposed]
    #[arg(long, value_name = "KEY=VALUE,…")]
    engine: Option<String>,
    /// The parameters: TOML, `[parameters]` and a line for each, `Name = {}` or with start, min, max, step (the change
    /// tried at the end) and rate (the part of it that a won game is worth at the end; less for longer runs)
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// The time control: [MOVES/]SECONDS[+INCREMENT]
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// Further keys of the engine, as in `judkins match --each`: nodes=N, movetime=MS, option.NAME=VALUE
    #[arg(long, value_name = "KEY=VALUE,…")]
    each: Vec<String>,
    /// Pairs of games to play. An existing run continues to a larger number, with its original steps and rates
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=1_000_000_000))]
    iterations: Option<u64>,
    /// Pairs played with the same values before an update
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = number::<u64>(1..=100_000))]
    batch: u64,
    /// Number of parallel pairs
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<usize>(1..=1_024))]
    concurrency: usize,
    #[command(flatten)]
    openings: OpeningsArguments,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    rules: RulesArguments,
    /// Count a game as lost by an engine that fails before its first move, and restart the engine. Without this option,
    /// the failure ends the run, as do batches in which every game is lost by a fault
    #[arg(long)]
    recover: bool,
    /// A folder for the run: state.json, values.csv, curves.svg. An existing run continues
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show the plan and, from a few games, an estimate of the time
    #[arg(long, conflicts_with = "jobs")]
    dry_run: bool,
    /// Print the next batch, one line of JSON per pair, for other machines to play; `judkins tune take` adds the
    /// results. Nothing is printed when the run is over
    #[arg(long)]
    jobs: bool,
}

const EXAMPLES: &str = "Example:
  judkins tune --params tune.toml --each nodes=4000 --iterations 20000 --batch 8 --concurrency 2 --out tuning
  judkins tune apply tuning";

impl RunArguments {
    /// The next batch of a run.
    fn next(&self, run: &Run, openings: &[String]) -> Vec<PlannedPair> {
        let mut batch = run.next(openings);
        batch.iter_mut().for_each(|pair| pair.job.recover = self.recover);
        batch
    }
}

/// The time between two drawings of the curves, and between two lines of progress without a terminal.
const INTERVAL: Duration = Duration::from_secs(30);

pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        Some(Command::Apply { folder, config }) => values::apply(folder, config.as_deref()),
        Some(Command::Take { folder }) => values::take(folder),
        None => tune(&arguments.run),
    }
}

/// A required option. The parser cannot require it, because `apply` and `take` work without it.
fn needed<'a, T>(name: &str, value: &'a Option<T>) -> Result<&'a T> {
    value.as_ref().with_context(|| format!("{name} is missing; see judkins tune --help"))
}

fn tune(arguments: &RunArguments) -> Result<()> {
    let iterations = *needed("--iterations", &arguments.iterations)?;
    let stop = interrupt::watch()?;
    let openings = openings(arguments)?;
    let settings = settings(arguments, iterations, &openings, stop)?;
    if arguments.dry_run {
        // Without --out there is no run to go on with.
        let nowhere = || std::env::temp_dir().join(format!("judkins-tune-{}", std::process::id()));
        let run = Run::plan(&arguments.out.clone().unwrap_or_else(nowhere), settings)?;
        return dry_run::dry_run(&run, arguments.next(&run, &openings), arguments.concurrency, stop);
    }
    let out = needed("--out", &arguments.out)?;
    let _lock = folder_lock::lock(out)?;
    let mut run = Run::open(out, settings)?;
    if arguments.jobs {
        for pair in arguments.next(&run, &openings) {
            println!("{}", serde_json::to_string(&pair)?);
        }
        return Ok(());
    }
    let all = run.settings().gains.pairs;
    let bar = progress::bar(all, "{pos}/{len} pairs {bar:20} {per_sec}, {eta} left").with_position(run.pairs());
    // The pairs of an earlier run do not count for the speed of this one.
    bar.reset_eta();
    let mut drawn = Instant::now();
    loop {
        let batch = arguments.next(&run, &openings);
        if batch.is_empty() || stop.load(Ordering::Relaxed) {
            break;
        }
        let Some(played) = batch::play(batch, arguments.concurrency, stop)? else { break };
        run.take(&played)?;
        bar.set_position(run.pairs());
        if drawn.elapsed() >= INTERVAL {
            drawn = Instant::now();
            run.draw()?;
            if bar.is_hidden() {
                let left = HumanDuration(bar.eta());
                progress::say(&format!("{}/{}, {left} left", run.pairs(), counted(all, "pair")));
            }
        }
    }
    bar.finish_and_clear();
    run.draw()?;
    let Gains { pairs, .. } = run.settings().gains;
    println!("{} of {}", run.pairs(), counted(pairs, "pair"));
    for (parameter, value) in run.settings().parameters.iter().zip(run.values()) {
        println!("{:<24} {:>10.2} -> {value:>10.2}", parameter.name, parameter.start);
    }
    ensure!(run.pairs() == pairs, "interrupted: the same command goes on with the run");
    Ok(())
}

/// The settings of a run: the command line, completed by the engine's ranges.
fn settings(arguments: &RunArguments, iterations: u64, openings: &[String], stop: &AtomicBool) -> Result<TuneSettings> {
    let own = || {
        let path = std::env::current_exe().context("the path of this program")?;
        Ok::<_, anyhow::Error>(format!("cmd={},args=--tune", path.display()))
    };
    let engine = arguments.engine.clone().map_or_else(own, Ok)?;
    let mut each = arguments.each.clone();
    each.extend(arguments.tc.iter().map(|tc| format!("tc={tc}")));
    let mut spec = EngineSpec::parse(std::slice::from_ref(&engine), &each)?;
    spec.command = program(&spec)?;
    let rules = arguments.rules.rules()?;
    let offered = number_options(&spec, &rules, stop).map_err(engines::job_error)?;
    engines::warn_of_cores(arguments.concurrency.min(arguments.batch as usize), spec.threads().unwrap_or(1));
    let path = needed("--params", &arguments.params)?;
    let text = atomic_file::read_to_string(path).with_context(|| path.display().to_string())?;
    let known = |name: &str| {
        let parameter = params::PARAMETERS.iter().find(|parameter| parameter.name == name);
        parameter.map(|parameter| f64::from(parameter.step))
    };
    let begun = arguments.out.as_deref().map(Run::gains).transpose()?.flatten();
    let gains = begun.map_or_else(|| Gains::usual(iterations), |gains| gains.with_pairs(iterations));
    let parameters = read_parameters(&text, &offered, known, gains.usual_rate())
        .map_err(with_hint)
        .with_context(|| path.display().to_string())?;
    Ok(TuneSettings {
        engine,
        each,
        parameters,
        gains,
        batch: arguments.batch,
        rules,
        seed: arguments.seed,
        openings: crc32fast::hash(openings.join("\n").as_bytes()),
    })
}

/// Adds the hint how to expose judkins' search parameters if an option is missing.
fn with_hint(error: ParameterError) -> anyhow::Error {
    match error {
        ParameterError::NoSuchOption(_) => anyhow!("{error}; judkins offers the search's parameters with args=--tune"),
        _ => error.into(),
    }
}

/// The openings in the order of the pairs.
fn openings(arguments: &RunArguments) -> Result<Vec<String>> {
    let mut openings = arguments.openings.read(&arguments.rules.rules()?)?;
    shuffle_openings(&mut openings, arguments.seed);
    Ok(openings.iter().map(ToString::to_string).collect())
}
