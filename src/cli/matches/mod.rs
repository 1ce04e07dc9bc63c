//! `judkins match`: engine against engine, with statistics.

mod jobs;
mod outputs;
mod plan;
mod watcher;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use super::files::{check_output, extension};
use super::key_value::KeyValue;
use super::number::number;
use super::openings::OpeningsArguments;
use super::progress::say;
use super::rules::RulesArguments;
use super::{engines, interrupt};
use judkins::arena::{Ending, EngineSpec, OtherMatch, RecordFile, Rules, Standings, read_records};
use judkins::atomic_file::resolved;
use judkins::counted::counted;
use judkins::shogi::Handicap;
use outputs::Outputs;
use watcher::Watcher;

/// The arguments of `judkins match`.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// An engine; give it twice or more
    #[arg(long = "engine", value_name = "KEY=VALUE,…", long_help = engine_help())]
    engines: Vec<String>,
    /// Default keys for every engine
    #[arg(long, value_name = "KEY=VALUE,…", requires = "engines")]
    each: Vec<String>,
    /// Games per pairing, half with each colour
    #[arg(long, default_value_t = 100, value_name = "N", requires = "engines", value_parser = number::<usize>(0..))]
    games: usize,
    /// The first engine plays all others, which do not play each other
    #[arg(long, requires = "engines")]
    gauntlet: bool,
    /// Number of parallel games
    #[arg(long, default_value_t = 1, value_name = "N", requires = "engines", value_parser = number::<usize>(1..))]
    concurrency: usize,

    #[command(flatten)]
    openings: OpeningsArguments,
    /// The order of the openings
    #[arg(long, default_value = "random", requires = "engines")]
    order: Order,
    /// For the random order: the same seed gives the same order
    #[arg(long, default_value_t = 1, value_name = "N", requires = "engines", value_parser = number::<u64>(0..))]
    seed: u64,
    /// Vary nodes= by up to PERCENT from pair to pair, the same way for both engines and both games: fixed nodes repeat
    /// games. The seed and the number of the pair decide
    #[arg(long, value_name = "PERCENT", requires = "engines", value_parser = number::<u32>(1..=50))]
    node_jitter: Option<u32>,
    /// Handicap games instead: White gives bishop, rook or two-pieces
    #[arg(long, value_name = "HANDICAP", requires = "engines", conflicts_with = "openings")]
    handicap: Option<Handicap>,

    #[command(flatten)]
    rules: RulesArguments,
    /// Replay games that end without a contest, with colours reversed, at most N times each (3 without a number)
    #[arg(long, value_name = "N", default_value_t = 0, default_missing_value = "3", num_args = 0..=1, requires = "engines",
        value_parser = number::<u32>(0..))]
    replay_draws: u32,
    /// Count a game as lost by an engine that fails before its first move, and restart the engine. Without this option,
    /// the failure ends the match
    #[arg(long, requires = "engines")]
    recover: bool,
    /// Stop when decided: elo0=X elo1=X [alpha=0.05] [beta=0.05] [model=normalized|logistic]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_delimiter = ',')]
    sprt: Vec<KeyValue>,

    /// Write every game to this file, one line of JSON each; without engines: show the match in it
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Continue the match in the record: the rest of the command is the same
    #[arg(long, requires_all = ["record", "engines"])]
    resume: bool,
    /// Write the games in PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the games in USI
    #[arg(long, value_name = "FILE")]
    usi: Option<PathBuf>,
    /// Draw the match as SVG; the name must end with .svg
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// If standard error is not a terminal: games between two lines of progress
    #[arg(long, default_value_t = 10, value_name = "N", requires = "engines", value_parser = number::<u64>(1..))]
    interval: u64,
    /// Print a line for every game
    #[arg(short, long, requires = "engines")]
    verbose: bool,

    /// Print the match as jobs of N pairs, one line of JSON each, for other machines to play with --job; with --record
    /// and --resume only those that are incomplete in the record. --sprt only checks that no games would repeat
    #[arg(long, value_name = "N", requires = "engines", value_parser = number::<usize>(1..),
        conflicts_with_all = ["replay_draws", "pgn", "usi", "report"])]
    jobs: Option<usize>,
    /// Do a job: the value of "job" in a line of --jobs, from a file or (`-`) standard input. The output is JSON too
    #[arg(long, value_name = "FILE", exclusive = true)]
    job: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  judkins match --engine cmd=./judkins,name=new --engine cmd=./old,name=old --each tc=10+0.1,option.USI_Hash=16 \\
      --games 1000 --concurrency 2 --sprt elo0=0 elo1=5 --record games.jsonl
  judkins match --engine cmd=./judkins --engine cmd=fairy-stockfish --each movetime=100
  judkins match --record games.jsonl --report match.svg";

fn engine_help() -> String {
    let keys = EngineSpec::keys_help();
    format!(
        "An engine; give it twice or more\n\nThe keys, with commas between them:\n{keys}Times may have a unit: 500ms, 2s, 1m."
    )
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    Random,
    Sequential,
}

/// Plays the match, or shows a played one.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(path) = &arguments.job {
        return jobs::play(path);
    }
    check_files(arguments)?;
    if arguments.engines.is_empty() {
        return show(arguments);
    }
    let plan = plan::plan(arguments)?;
    let mut done = plan.nothing_done();
    let mut first = None;
    let holds_games = |path: &Path| path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
    // A match that failed in its first game leaves an empty record.
    let goes_on = arguments.record.as_ref().is_some_and(|path| {
        path.exists() && (arguments.resume || path.is_file() && !holds_games(path) && arguments.jobs.is_none())
    });
    let mut record = match &arguments.record {
        Some(path) if goes_on => {
            let mut taken = Ok(());
            let file = RecordFile::resume(path, |record| {
                first.get_or_insert_with(|| record.clone());
                if taken.is_ok() {
                    taken = plan.take_record(&mut done, &record);
                }
            })?;
            taken.with_context(|| format!("{} cannot be resumed with other settings", path.display()))?;
            Some(file)
        }
        Some(_) if arguments.jobs.is_some() && !arguments.resume => {
            bail!("--jobs writes no --record: with --resume it leaves out what is there")
        }
        Some(path) => {
            ensure!(arguments.resume || !path.exists(), "{} exists: --resume goes on with a record", path.display());
            None
        }
        None => None,
    };
    if let Some(pairs) = arguments.jobs {
        return jobs::print(arguments, &plan, &done, pairs);
    }

    let stop = interrupt::watch()?;
    plan.check_engines(stop, |warning| eprintln!("judkins: {warning}")).map_err(engines::unfit)?;

    outputs::check_texts(arguments, first.as_ref())?;
    let names = plan.engines.iter().map(|spec| spec.name.clone());
    let mut outputs = Outputs::new(arguments, Standings::new(names, plan.sprt))?;
    // Create it last: a record left behind by an error would obstruct the corrected command.
    if let Some(path) = arguments.record.as_deref().filter(|_| !goes_on) {
        record = Some(RecordFile::create(path)?);
    }
    outputs.begin()?;
    if let Some(path) = arguments.record.as_deref().filter(|_| goes_on) {
        outputs.add_all(path)?;
    }
    let watcher = Watcher::new(&plan, arguments, &outputs.standings);
    let ending = plan.run(done, stop, |game| {
        if let Some(file) = &mut record {
            file.write(&game)?;
        }
        outputs.add(&game)?;
        watcher.game(&game, &outputs.standings);
        Ok::<(), anyhow::Error>(())
    });
    watcher.finish();
    if !matches!(ending, Ok(Ending::Complete | Ending::Decided(_))) {
        say(&format!("Stopped after {} of {}.", outputs.standings.games(), counted(plan.schedule.games(), "game")));
    }
    let finished = outputs.finish(arguments);
    match ending? {
        Ending::Failed(error) => Err(engines::unfit(error)),
        Ending::Aborted if arguments.record.is_some() => bail!("interrupted: --resume goes on with the record"),
        Ending::Aborted => bail!("interrupted"),
        Ending::Complete | Ending::Decided(_) => finished,
    }
}

/// Shows the match in a record.
fn show(arguments: &Arguments) -> Result<()> {
    let Some(path) = &arguments.record else {
        bail!("--engine is missing: give two, or the --record of a match to show");
    };
    ensure!(arguments.openings.openings.is_none(), "--openings is for a match: give its engines with --engine");
    let has_rules = arguments.rules.rules()? != Rules::default();
    ensure!(!has_rules, "a record has the rules of its match: other ones are for a match, with --engine");
    // Truncate files only if there are games.
    let (mut standings, mut numbers, mut twice) = (Standings::default(), HashSet::new(), None);
    read_records(path, |record| {
        standings.add(&record);
        twice = twice.or((!numbers.insert((record.game, record.replay))).then_some(record.game));
    })?;
    if let Some(game) = twice {
        return Err(OtherMatch::Twice(game)).with_context(|| path.display().to_string());
    }
    let engines = standings.names().len();
    ensure!(engines > 0, "{}: there is no game in it", path.display());
    let compares_two = arguments.sprt.is_empty() || engines == 2;
    ensure!(compares_two, "--sprt is for two engines; {} has {engines}", path.display());
    let mut outputs = Outputs::new(arguments, Standings::new([], plan::sprt(&arguments.sprt)?))?;
    outputs.begin()?;
    outputs.add_all(path)?;
    outputs.finish(arguments)
}

/// Rejects an output file that is also an input, or that is named twice, under any name. Rejects a report whose name
/// does not end with .svg: it could be any file.
fn check_files(arguments: &Arguments) -> Result<()> {
    let Arguments { openings, record, pgn, usi, report, .. } = arguments;
    let mut files = HashSet::new();
    for file in [&openings.openings, record, pgn, usi, report].into_iter().flatten() {
        if !files.insert(resolved(file).with_context(|| file.display().to_string())?) {
            bail!("{} is asked for twice", file.display());
        }
    }
    for output in [record, pgn, usi, report] {
        check_output(output.as_deref(), [])?;
    }
    if let Some(path) = report {
        let is_device = path.metadata().is_ok_and(|found| !found.is_file());
        let is_picture = extension(path).as_deref() == Some("svg");
        ensure!(is_picture || is_device, "--report {}: the name must end with .svg", path.display());
    }
    Ok(())
}
