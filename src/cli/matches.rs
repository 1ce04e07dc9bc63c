//! `judkins match`: engine against engine, with statistics.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::rules::{Pairs, RulesArguments, program};
use judkins::arena::{
    Done, EloModel, Ending, EngineSpec, Format, GameRecord, Job, Match, Opening, OpeningOrder, RecordFile, Report,
    Schedule, Sprt, Standings, built_in_openings, kill_all_engines, order_openings, pgn, read_openings, read_records,
    usi,
};
use judkins::shogi::Handicap;

/// What is played, by whom, and where the records go.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// An engine; give it twice or more
    ///
    /// cmd=PROGRAM, and with commas between: name=NAME, args="ARGUMENTS" (split as a shell does), arg=ARGUMENT, dir=FOLDER,
    /// proto=usi|uci, option.NAME=VALUE, init=LINE (sent after the options), stderr=FILE; how long it may think:
    /// tc=SECONDS[+INCREMENT], byoyomi=MS, movetime=MS, nodes=N, depth=N; margin=MS (how late a move may come, 50),
    /// patience=SECONDS (how long to wait where no clock runs, 60). Times may have a unit: 500ms, 2s, 1m.
    #[arg(long = "engine", value_name = "KEY=VALUE,…", verbatim_doc_comment)]
    engines: Vec<String>,
    /// The same keys for every engine that does not say otherwise
    #[arg(long, value_name = "KEY=VALUE,…")]
    each: Vec<String>,
    /// Games of each two engines, half of them with either colour
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: usize,
    /// The first engine meets all others, and they not each other
    #[arg(long)]
    gauntlet: bool,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_name = "N")]
    concurrency: usize,

    /// Openings, one to a line: `startpos moves …` or an SFEN [default: 4,000 level ones, built in]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The order in which they are played
    #[arg(long, default_value = "random")]
    order: Order,
    /// For the random order: the same seed gives the same order
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Handicap games instead: White gives bishop, rook or two-pieces
    #[arg(long, value_name = "HANDICAP", conflicts_with = "openings")]
    handicap: Option<Handicap>,

    #[command(flatten)]
    rules: RulesArguments,
    /// Play games that end without a contest again with colours reversed, at most N times each
    #[arg(long, value_name = "N", default_value_t = 0, default_missing_value = "3", num_args = 0..=1)]
    replay_draws: u32,
    /// Stop when decided: elo0=X elo1=X [alpha=0.05] [beta=0.05] [model=normalized|logistic]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,

    /// Write every game to this file, a line of JSON each; without engines: show the match that it holds
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Go on with the match that the record holds
    #[arg(long, requires = "record")]
    resume: bool,
    /// Write the games in the manner of PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the games in USI
    #[arg(long, value_name = "FILE")]
    usi: Option<PathBuf>,
    /// Draw the match as SVG
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Where the output is no terminal: games between two lines of progress
    #[arg(long, default_value_t = 10, value_name = "N")]
    interval: u64,
    /// A line for every game
    #[arg(short, long)]
    verbose: bool,

    /// Print the match as jobs of N pairs, a line of JSON each, for others to play with --job; with --record and --resume
    /// those that the record does not hold whole
    #[arg(long, value_name = "N", conflicts_with_all = ["sprt", "replay_draws", "pgn", "usi", "report"])]
    jobs: Option<NonZero<usize>>,
    /// Do a job: pairs of games described in JSON, in a file or (`-`) on standard input. The answer is JSON too
    #[arg(long, value_name = "FILE", exclusive = true)]
    job: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  judkins match --engine cmd=./judkins,name=new --engine cmd=./old,name=old --each tc=10+0.1,option.USI_Hash=16 \\
      --games 1000 --concurrency 2 --sprt elo0=0 elo1=5 --record games.jsonl
  judkins match --engine cmd=./judkins --engine cmd=fairy-stockfish --each movetime=100
  judkins match --record games.jsonl --report match.svg";

/// More would take years.
const MOST_GAMES: usize = 10_000_000;

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    Random,
    Sequential,
}

/// Plays the match, or shows one that was played.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(path) = &arguments.job {
        return do_job(path);
    }
    check_files(arguments)?;
    if arguments.engines.is_empty() {
        return show(arguments);
    }
    let plan = plan(arguments)?;
    let mut done = plan.nothing_done();
    let mut record = match &arguments.record {
        Some(path) if arguments.resume => {
            let mut taken = Ok(());
            let file = RecordFile::resume(path, |record| {
                if taken.is_ok() {
                    taken = plan.take_record(&mut done, &record);
                }
            })?;
            taken.with_context(|| format!("{} cannot be resumed", path.display()))?;
            Some(file)
        }
        Some(_) if arguments.jobs.is_some() => {
            bail!("--jobs writes no --record: with --resume it leaves out what is there")
        }
        Some(path) => Some(RecordFile::create(path).context("--resume goes on with a record that exists")?),
        None => None,
    };
    if let Some(pairs) = arguments.jobs {
        return print_jobs(arguments, &plan, &done, pairs.get());
    }

    let stop = interrupts()?;
    plan.check_engines(&stop, |warning| eprintln!("judkins: {warning}"))?;

    let names = plan.engines.iter().map(|spec| spec.name.clone());
    let mut outputs = Outputs::new(arguments, Standings::new(names, plan.sprt))?;
    if let Some(path) = arguments.record.as_deref().filter(|_| arguments.resume) {
        outputs.add_all(path)?;
    }
    let watcher = Watcher::new(&plan, arguments, &outputs.standings);
    let ending = plan.run(done, &stop, |game| {
        if let Some(file) = &mut record {
            file.write(&game)?;
        }
        outputs.add(&game)?;
        watcher.game(&game, &outputs.standings);
        Ok::<(), anyhow::Error>(())
    });
    watcher.finish();
    if !matches!(ending, Ok(Ending::Complete | Ending::Decided(_))) {
        say(&format!("Stopped after {} of {} games.", outputs.standings.games(), plan.schedule.games()));
    }
    outputs.finish(arguments)?;
    match ending? {
        Ending::Failed(error) => Err(anyhow!(error)),
        Ending::CalledOff if arguments.record.is_some() => bail!("interrupted: --resume goes on with the record"),
        Ending::CalledOff => bail!("interrupted"),
        Ending::Complete | Ending::Decided(_) => Ok(()),
    }
}

/// Plays what a file in JSON asks for, and prints what came of it.
fn do_job(path: &Path) -> Result<()> {
    let origin = path.display();
    let text = if path == Path::new("-") { io::read_to_string(io::stdin()) } else { std::fs::read_to_string(path) };
    let job: Job =
        serde_json::from_str(&text.with_context(|| origin.to_string())?).with_context(|| origin.to_string())?;
    let mut specs = job.specs()?;
    for spec in &mut specs {
        spec.command = program(spec)?;
    }
    let stop = interrupts()?;
    job.check(specs.clone(), &stop)?;
    let result = job.play(specs, &stop)?;
    println!("{}", serde_json::to_string(&result)?);
    Ok(())
}

/// Prints the match as jobs: the number of the first game of each, and the job. Those that are done are left out.
fn print_jobs(arguments: &Arguments, plan: &Match, done: &Done, pairs: usize) -> Result<()> {
    let [one, other] = &plan.engines[..] else { bail!("--jobs is for two engines") };
    // Where a job is done the program may be looked for from another folder.
    let found = |text: &String, spec: &EngineSpec| format!("{text},cmd={}", spec.command);
    let engines = [found(&arguments.engines[0], one), found(&arguments.engines[1], other)];
    let all = plan.schedule.pairs();
    for first in (0..all).step_by(pairs) {
        let job = first..all.min(first + pairs);
        if job.clone().all(|pair| done.has_pair(pair)) {
            continue;
        }
        let openings = job.map(|pair| &plan.openings[pair % plan.openings.len()]);
        let job = Job {
            engines: engines.clone(),
            each: arguments.each.clone(),
            openings: openings.map(ToString::to_string).collect(),
            rules: plan.rules,
        };
        writeln!(io::stdout(), "{}", serde_json::json!({ "first": 2 * first + 1, "job": job }))?;
    }
    Ok(())
}

/// Set when the user interrupts. Whoever asks twice does not want to wait.
pub fn interrupts() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if on_interrupt.swap(true, Ordering::Relaxed) {
            kill_all_engines();
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

/// Shows the match that a record holds.
fn show(arguments: &Arguments) -> Result<()> {
    let Some(path) = &arguments.record else {
        bail!("--engine is missing: give two, or the --record of a match to show");
    };
    let mut outputs = Outputs::new(arguments, Standings::new([], sprt(&arguments.sprt)?))?;
    outputs.add_all(path)?;
    outputs.finish(arguments)
}

/// Nothing that is written may be what is read, or written by another.
fn check_files(arguments: &Arguments) -> Result<()> {
    let Arguments { openings, record, pgn, usi, report, .. } = arguments;
    let mut files = HashSet::new();
    for file in [openings, record, pgn, usi, report].into_iter().flatten() {
        if !files.insert(std::path::absolute(file)?) {
            bail!("{} is asked for twice", file.display());
        }
    }
    Ok(())
}

/// A line for whoever watches; if nobody does any more, the games go on.
fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn plan(arguments: &Arguments) -> Result<Match> {
    let engines = arguments
        .engines
        .iter()
        .map(|text| {
            let mut spec = EngineSpec::parse(std::slice::from_ref(text), &arguments.each)?;
            spec.command = program(&spec)?;
            Ok(Arc::new(spec))
        })
        .collect::<Result<Vec<_>>>()?;
    let [_, _, ..] = &engines[..] else { bail!("a match needs two engines: give --engine again") };
    let mut names = HashSet::new();
    if let Some(twice) = engines.iter().find(|spec| !names.insert(&spec.name)) {
        bail!("two engines are called {}: give them names, name=…", twice.name);
    }
    if arguments.games == 0 || !arguments.games.is_multiple_of(2) || arguments.games > MOST_GAMES {
        bail!("--games is {}: games come in pairs, at most {MOST_GAMES}", arguments.games);
    }
    let sprt = sprt(&arguments.sprt)?;
    if sprt.is_some() && engines.len() != 2 {
        bail!("--sprt is for two engines");
    }
    let rules = arguments.rules.rules()?;
    let openings = match (arguments.handicap, &arguments.openings) {
        (Some(handicap), _) => vec![Opening::handicap(handicap)],
        (None, file) => {
            let openings =
                file.as_deref().map_or_else(|| built_in_openings(&rules), |file| read_openings(file, &rules));
            let mut openings = openings?;
            order_openings(
                &mut openings,
                match arguments.order {
                    Order::Random => OpeningOrder::Random(arguments.seed),
                    Order::Sequential => OpeningOrder::Sequential,
                },
            );
            openings
        }
    };
    let format = if arguments.gauntlet { Format::Gauntlet } else { Format::RoundRobin };
    let rounds = arguments.games / 2;
    if rounds > openings.len() {
        eprintln!("judkins: {} openings for {rounds} pairs: they are played more than once", openings.len());
    }
    Ok(Match {
        schedule: Schedule::new(engines.len(), format, rounds),
        engines,
        openings,
        rules,
        replays: arguments.replay_draws,
        sprt,
        concurrency: arguments.concurrency,
    })
}

fn sprt(texts: &[String]) -> Result<Option<Sprt>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let mut pairs = Pairs::new("sprt", texts)?;
    let sprt = Sprt {
        elo0: pairs.take("elo0", None)?,
        elo1: pairs.take("elo1", None)?,
        alpha: pairs.take("alpha", Some(0.05))?,
        beta: pairs.take("beta", Some(0.05))?,
        model: match pairs.take("model", Some("normalized".to_owned()))?.as_str() {
            "normalized" | "normalised" => EloModel::Normalized,
            "logistic" => EloModel::Logistic,
            other => bail!("--sprt: model is normalized or logistic, not '{other}'"),
        },
    };
    pairs.finish()?;
    sprt.check().context("--sprt")?;
    Ok(Some(sprt))
}

fn create(path: Option<&Path>) -> Result<Option<File>> {
    path.map(|path| File::create(path).with_context(|| path.display().to_string())).transpose()
}

/// Where records go.
struct Outputs {
    standings: Standings,
    report: Report,
    pgn: Option<File>,
    usi: Option<File>,
}

impl Outputs {
    fn new(arguments: &Arguments, standings: Standings) -> Result<Outputs> {
        let report = Report::new(standings.names().iter().cloned());
        let [pgn, usi] = [&arguments.pgn, &arguments.usi].map(|path| create(path.as_deref()));
        Ok(Outputs { standings, report, pgn: pgn?, usi: usi? })
    }

    /// Adds every game of a file.
    fn add_all(&mut self, path: &Path) -> Result<()> {
        let mut added = Ok(());
        read_records(path, |record| {
            if added.is_ok() {
                added = self.add(&record);
            }
        })?;
        added
    }

    /// Adds a game to everything but the record itself.
    fn add(&mut self, record: &GameRecord) -> Result<()> {
        self.standings.add(record);
        self.report.add(record);
        let game = || format!("game {}", record.game);
        if let Some(file) = &mut self.pgn {
            let text = pgn(record).map_err(|message| anyhow!(message)).with_context(game)?;
            file.write_all(text.as_bytes()).context("--pgn")?;
        }
        if let Some(file) = &mut self.usi {
            file.write_all(usi(record).as_bytes()).context("--usi")?;
        }
        Ok(())
    }

    fn finish(&self, arguments: &Arguments) -> Result<()> {
        let printed = write!(io::stdout(), "{}", self.standings.summary()).context("standard output");
        if let Some(path) = &arguments.report {
            self.report.write(path)?;
        }
        printed
    }
}

/// Shows how far the match has come: a bar where somebody watches, else a line now and then.
struct Watcher {
    bar: Option<ProgressBar>,
    interval: u64,
    verbose: bool,
    all: u64,
}

impl Watcher {
    fn new(plan: &Match, arguments: &Arguments, standings: &Standings) -> Watcher {
        let all = plan.schedule.games() as u64;
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(all).with_position(standings.games());
            let style = ProgressStyle::with_template("{pos}/{len} {bar:20.cyan/blue} {eta} left  {wide_msg}")
                .expect("the template is one")
                .progress_chars("━━╌");
            bar.set_style(style);
            // What an earlier run has played says nothing of this one's speed.
            bar.reset_eta();
            bar.set_message(standings.progress());
            bar
        });
        let Arguments { interval, verbose, .. } = *arguments;
        Watcher { bar, interval: interval.max(1), verbose, all }
    }

    fn game(&self, record: &GameRecord, standings: &Standings) {
        if self.verbose || record.reason.is_fault() {
            let GameRecord { game, black, white, result, detail, .. } = record;
            self.line(&format!("{game}. {} - {} {} {detail}", black.name, white.name, result.text()));
        }
        let games = standings.games();
        match &self.bar {
            Some(bar) => {
                bar.set_position(games);
                bar.set_message(standings.progress());
            }
            None if record.counts && games.is_multiple_of(self.interval) && games < self.all => {
                say(&format!("{games}/{}  {}", self.all, standings.progress()));
            }
            None => {}
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
