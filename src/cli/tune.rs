//! `judkins tune`: an engine's options tuned by matches against itself.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, Subcommand};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::matches::interrupts;
use super::rules::{RulesArguments, program};
use judkins::arena::{EngineSpec, JobError, JobResult, built_in_openings, number_options, read_openings};
use judkins::search::params;
use judkins::tune::{Gains, PlannedPair, Run, Settings, read_parameters};

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
    /// Learn from the next batch of a run, which others have played: a line of JSON for each pair, as --jobs printed it with
    /// its result in `lead`, on standard input
    Take {
        /// The run's folder
        folder: PathBuf,
    },
    /// Write the values that a run has found to a configuration, and print the lines for the source
    Apply {
        /// The run's folder
        folder: PathBuf,
        /// The configuration
        #[arg(long, default_value = "engine.toml", value_name = "FILE")]
        config: PathBuf,
    },
}

#[derive(Args)]
struct RunArguments {
    /// The engine, as `judkins match` takes it [default: this program with its parameters exposed]
    #[arg(long, value_name = "KEY=VALUE,…")]
    engine: Option<String>,
    /// What is tuned: TOML, `[parameters]` and a line for each, `Name = {}` or with start, min, max, step (the change that
    /// is tried at the end) and rate (the part of it that a won game is worth at the end; less the longer the run)
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// How long the engine thinks: SECONDS[+INCREMENT]
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// More about the engine, as `judkins match --each` takes it: nodes=N, movetime=MS, option.NAME=VALUE
    #[arg(long, value_name = "KEY=VALUE,…")]
    each: Vec<String>,
    /// Pairs of games to play
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,
    /// Pairs that are played with the same values before they are moved
    #[arg(long, default_value_t = 4, value_name = "N")]
    batch: u64,
    /// Pairs at a time
    #[arg(long, default_value_t = 1, value_name = "N")]
    concurrency: usize,
    /// Openings [default: 4,000 level ones, built in]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Decides what chance decides
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    rules: RulesArguments,
    /// A folder for the run: state.json, values.csv, curves.svg. A run that is there goes on
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show what would be played and, from a few games, how long it would take
    #[arg(long, conflicts_with = "jobs")]
    dry_run: bool,
    /// Print the next batch, a line of JSON for each pair, for others to play; `judkins tune take` goes on with what came
    /// of it. Nothing is printed when the run is over
    #[arg(long)]
    jobs: bool,
}

const EXAMPLES: &str = "Example:
  judkins tune --params tune.toml --each nodes=4000 --iterations 20000 --batch 8 --concurrency 2 --out tuning
  judkins tune apply tuning";

/// How often progress is shown where the output is no terminal, and curves are drawn.
const SHOW: Duration = Duration::from_secs(30);

pub fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        Some(Command::Apply { folder, config }) => apply(folder, config),
        Some(Command::Take { folder }) => take(folder),
        None => tune(&arguments.run),
    }
}

/// What cannot be done without. The parser cannot ask for it, since `apply` needs none of it.
fn needed<'a, T>(name: &str, value: &'a Option<T>) -> Result<&'a T> {
    value.as_ref().with_context(|| format!("{name} is missing: see judkins tune --help"))
}

fn tune(arguments: &RunArguments) -> Result<()> {
    let iterations = *needed("--iterations", &arguments.iterations)?;
    ensure!(iterations > 0 && arguments.batch > 0, "--iterations and --batch are at least 1");
    let stop = interrupts()?;
    let openings = openings(arguments)?;
    let settings = settings(arguments, iterations, &openings, &stop)?;
    if arguments.dry_run {
        return dry_run(arguments, settings, &openings, &stop);
    }
    let mut run = Run::open(needed("--out", &arguments.out)?, settings)?;
    if arguments.jobs {
        for pair in run.next(&openings) {
            writeln!(io::stdout(), "{}", serde_json::to_string(&pair)?)?;
        }
        return Ok(());
    }
    let begun = (Instant::now(), run.pairs());
    let mut shown = Instant::now();
    loop {
        let batch = run.next(&openings);
        if batch.is_empty() || stop.load(Ordering::Relaxed) {
            break;
        }
        let Some(played) = play(batch, arguments.concurrency, &stop)? else { break };
        run.take(&played)?;
        let due = shown.elapsed() >= SHOW;
        if due || io::stderr().is_terminal() {
            show(&run, begun);
        }
        if due {
            shown = Instant::now();
            run.draw()?;
        }
    }
    if io::stderr().is_terminal() {
        eprintln!();
    }
    run.draw()?;
    let Gains { pairs, .. } = run.settings().gains;
    println!("{} of {pairs} pairs", run.pairs());
    for (parameter, value) in run.settings().parameters.iter().zip(run.values()) {
        println!("{:<24} {:>10.2} -> {value:>10.2}", parameter.name, parameter.start);
    }
    Ok(())
}

/// What the command line asks for, with what the engine says of its options.
fn settings(arguments: &RunArguments, iterations: u64, openings: &[String], stop: &AtomicBool) -> Result<Settings> {
    let own = || {
        let path = std::env::current_exe().context("the path of this program")?;
        Ok::<_, anyhow::Error>(format!("cmd={},args=--tune", path.display()))
    };
    let engine = arguments.engine.clone().map_or_else(own, Ok)?;
    let mut each = arguments.each.clone();
    each.extend(arguments.tc.iter().map(|tc| format!("tc={tc}")));
    let mut spec = EngineSpec::parse(std::slice::from_ref(&engine), &each)?;
    spec.command = program(&spec)?;
    let offered = number_options(&spec, stop).map_err(|error| anyhow!(error))?;
    let path = needed("--params", &arguments.params)?;
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let known = |name: &str| {
        let parameter = params::PARAMETERS.iter().find(|parameter| parameter.name == name);
        parameter.map(|parameter| f64::from(parameter.step))
    };
    let gains = Gains::usual(iterations);
    let parameters =
        read_parameters(&text, &offered, known, gains.usual_rate()).with_context(|| path.display().to_string())?;
    Ok(Settings {
        engine,
        each,
        parameters,
        gains,
        batch: arguments.batch,
        rules: arguments.rules.rules()?,
        seed: arguments.seed,
        openings: crc32fast::hash(openings.join("\n").as_bytes()),
    })
}

/// The openings in the order of the pairs.
fn openings(arguments: &RunArguments) -> Result<Vec<String>> {
    let rules = arguments.rules.rules()?;
    let openings = match &arguments.openings {
        Some(path) => read_openings(path, &rules)?,
        None => built_in_openings(&rules)?,
    };
    let mut texts: Vec<String> = openings.iter().map(ToString::to_string).collect();
    texts.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(arguments.seed));
    Ok(texts)
}

/// Plays a batch, several pairs at a time; none if it was interrupted.
fn play(batch: Vec<PlannedPair>, concurrency: usize, stop: &AtomicBool) -> Result<Option<Vec<(PlannedPair, f64)>>> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Result<JobResult>>>> = batch.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..concurrency.clamp(1, batch.len()) {
            scope.spawn(|| {
                while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&index| index < batch.len())
                {
                    let result = play_pair(&batch[index], stop);
                    *results[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                }
            });
        }
    });
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let mut played = Vec::new();
    for (pair, result) in batch.into_iter().zip(results) {
        let result = result.into_inner().unwrap_or_else(PoisonError::into_inner).expect("every pair was played")?;
        for game in result.games.iter().filter(|game| game.reason.is_fault()) {
            eprintln!("judkins: pair {}: {}", pair.perturbation.pair + 1, game.detail);
        }
        played.push((pair, result.leads[0]));
    }
    Ok(Some(played))
}

fn play_pair(pair: &PlannedPair, stop: &AtomicBool) -> Result<JobResult> {
    let mut specs = pair.job.specs()?;
    for spec in &mut specs {
        spec.command = program(spec)?;
    }
    match pair.job.play(specs, stop) {
        Ok(result) => Ok(result),
        Err(JobError::CalledOff) => Err(anyhow!("interrupted")),
        Err(error) => Err(error.into()),
    }
}

fn show(run: &Run, (since, before): (Instant, u64)) {
    let all = run.settings().gains.pairs;
    let rate = (run.pairs() - before) as f64 / since.elapsed().as_secs_f64().max(1e-9);
    let left = Duration::from_secs_f64((all - run.pairs()) as f64 / rate.max(1e-9));
    let line = format!("{}/{all} pairs, {rate:.2} a second, {} left", run.pairs(), time(left));
    // Whoever watches a terminal sees one line that changes.
    let _ =
        if io::stderr().is_terminal() { write!(io::stderr(), "\r{line}  ") } else { writeln!(io::stdout(), "{line}") };
}

fn time(duration: Duration) -> String {
    let minutes = duration.as_secs() / 60;
    format!("{} h {:02} min", minutes / 60, minutes % 60)
}

/// Shows the parameters with the values of the first pair and the last, and plays a batch to see how long it takes.
fn dry_run(arguments: &RunArguments, settings: Settings, openings: &[String], stop: &AtomicBool) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("judkins-tune-{}", std::process::id()));
    let run = Run::open(&folder, settings);
    let cleared = fs::remove_dir_all(&folder).with_context(|| folder.display().to_string());
    let run = run?;
    cleared?;
    let Settings { parameters, gains, batch, .. } = run.settings();
    println!("{} pairs in batches of {batch}; the values of the first pair:\n", gains.pairs);
    let planned = run.next(openings);
    println!("{:<24} {:>8} {:>8} {:>8} {:>8} {:>10}", "", "start", "plus", "minus", "step", "range");
    for (index, parameter) in parameters.iter().enumerate() {
        let (plus, minus) = (planned[0].perturbation.plus[index], planned[0].perturbation.minus[index]);
        let range = format!("{}..{}", parameter.min, parameter.max);
        println!(
            "{:<24} {:>8} {plus:>8} {minus:>8} {:>8} {range:>10}",
            parameter.name, parameter.start, parameter.step
        );
    }
    let (started, pairs) = (Instant::now(), planned.len());
    if play(planned, arguments.concurrency, stop)?.is_some() {
        let each = started.elapsed().as_secs_f64() / pairs as f64;
        let all = Duration::from_secs_f64(each * gains.pairs as f64);
        println!("\n{pairs} pairs took {each:.2} s each: all of them will take {}", time(all));
    }
    Ok(())
}

/// A pair that somebody has played.
#[derive(serde::Deserialize)]
struct Played {
    #[serde(flatten)]
    pair: PlannedPair,
    lead: f64,
}

/// Learns from what others have played.
fn take(folder: &Path) -> Result<()> {
    let mut run = Run::read(folder)?;
    let text = io::read_to_string(io::stdin())?;
    let mut batch = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Played { pair, lead } = serde_json::from_str(line).with_context(|| format!("line {}", index + 1))?;
        ensure!((-2.0..=2.0).contains(&lead), "line {}: the lead of a pair is from -2 to 2, not {lead}", index + 1);
        batch.push((pair, lead));
    }
    batch.sort_by_key(|(pair, _)| pair.perturbation.pair);
    run.take(&batch)?;
    run.draw()?;
    println!("{} of {} pairs", run.pairs(), run.settings().gains.pairs);
    Ok(())
}

/// Writes a run's values to a configuration, whose other lines stay as they are.
fn apply(folder: &Path, config: &Path) -> Result<()> {
    let run = Run::read(folder)?;
    let text = match fs::read_to_string(config) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| config.display().to_string())?,
    };
    let mut document: toml_edit::DocumentMut = text.parse().with_context(|| config.display().to_string())?;
    println!("{} of {} pairs. For the source:\n", run.pairs(), run.settings().gains.pairs);
    for (parameter, value) in run.settings().parameters.iter().zip(run.rounded()) {
        let known = params::PARAMETERS.iter().find(|known| known.name == parameter.name);
        match known {
            Some(known) => {
                println!("    {}: {value} in {}..={} step {};", known.name, known.min, known.max, known.step);
            }
            None => println!("    {} {value}", parameter.name),
        }
        let table = if known.is_some() { "parameters" } else { "options" };
        document[table].or_insert(toml_edit::table())[&parameter.name] = toml_edit::value(value);
    }
    judkins::whole_file::write(config, document.to_string().as_bytes())
        .with_context(|| config.display().to_string())?;
    println!("\nwritten to {}", config.display());
    Ok(())
}
