//! `judkins match`: engine against engine, with statistics.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use judkins::arena::{
    Adjudication, Decision, DrawRule, EloModel, Ending, EngineSpec, Format, GameRecord, Match, Opening, OpeningOrder,
    RecordFile, Report, ResignRule, Rules, Schedule, Sprt, Standings, built_in_openings, order_openings, pgn,
    read_openings, read_records, usi,
};
use judkins::shogi::{DEFAULT_IMPASSE_PLIES, Handicap, ImpasseRule};

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

    /// The impasse rule: Points12, Declaration, Try or None. Engines that have the option are told
    #[arg(long, default_value_t, value_name = "RULE")]
    impasse_rule: ImpasseRule,
    /// Quiet plies before points are counted, for Points12
    #[arg(long, default_value_t = DEFAULT_IMPASSE_PLIES, value_name = "PLIES")]
    impasse_plies: u32,
    /// Play games that end without a contest again with colours reversed, at most N times each
    #[arg(long, value_name = "N", default_value_t = 0, default_missing_value = "3", num_args = 0..=1)]
    replay_draws: u32,
    /// End a game as drawn: movenumber=N (not before), movecount=N (moves of each engine in a row), score=CP (at most)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    draw: Vec<String>,
    /// End a game as lost: movecount=N (moves in a row), score=CP (at least so bad), twosided=true (the winner agrees)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    resign: Vec<String>,
    /// End a game as drawn after so many moves, each player's counted
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,

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
}

const EXAMPLES: &str = "Examples:
  judkins match --engine cmd=./judkins,name=new --engine cmd=./old,name=old --each tc=10+0.1,option.USI_Hash=16 \\
      --games 1000 --concurrency 2 --sprt elo0=0 elo1=5 --record games.jsonl
  judkins match --engine cmd=./judkins --engine cmd=fairy-stockfish --each movetime=100
  judkins match --record games.jsonl --report match.svg";

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    Random,
    Sequential,
}

/// Plays the match, or shows one that was played.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.engines.is_empty() {
        return show(arguments);
    }
    let plan = plan(arguments)?;
    let names = || plan.engines.iter().map(|spec| spec.name.clone());
    let mut outputs = Outputs {
        standings: Standings::new(names()),
        report: Report::new(names()),
        record: None,
        pgn: create(arguments.pgn.as_deref())?,
        usi: create(arguments.usi.as_deref())?,
    };
    let mut done = plan.nothing_done();
    if let Some(path) = &arguments.record {
        outputs.record = Some(if arguments.resume {
            let mut error = None;
            let file = RecordFile::resume(path, |record| {
                let taken = plan.take_record(&mut done, &record).map_err(anyhow::Error::from);
                if let Err(first) = taken.and_then(|()| outputs.add(&record)) {
                    error.get_or_insert(first);
                }
            })?;
            if let Some(error) = error {
                return Err(error.context(format!("{} cannot be resumed", path.display())));
            }
            file
        } else {
            RecordFile::create(path).context("--resume goes on with a record that exists")?
        });
    }

    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        // Whoever asks twice does not want to wait; the engines see their input end.
        if on_interrupt.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    plan.check_engines(&stop, |warning| eprintln!("judkins: {warning}"))?;

    let watcher = Watcher::new(&plan, arguments, &outputs.standings);
    let ending = plan.run(done, &stop, |record| {
        if let Some(file) = &mut outputs.record {
            file.write(&record)?;
        }
        outputs.add(&record)?;
        watcher.game(&record, &outputs.standings);
        Ok::<(), anyhow::Error>(())
    })?;
    watcher.finish();
    let decision = match ending {
        Ending::Complete => None,
        Ending::Decided(decision) => Some(decision),
        Ending::CalledOff => {
            println!("Stopped after {} of {} games.", outputs.standings.games(), plan.schedule.games());
            None
        }
    };
    outputs.finish(arguments, plan.sprt.as_ref(), decision)
}

/// Shows the match that a record holds.
fn show(arguments: &Arguments) -> Result<()> {
    let Some(path) = &arguments.record else {
        bail!("--engine is missing: give two, or the --record of a match to show");
    };
    let mut outputs = Outputs {
        standings: Standings::default(),
        report: Report::default(),
        record: None,
        pgn: create(arguments.pgn.as_deref())?,
        usi: create(arguments.usi.as_deref())?,
    };
    let mut result = Ok(());
    read_records(path, |record| {
        if result.is_ok() {
            result = outputs.add(&record);
        }
    })?;
    result?;
    let sprt = sprt(&arguments.sprt)?;
    let decision = sprt.and_then(|sprt| sprt.decision(outputs.standings.pairing(0, 1).pairs));
    outputs.finish(arguments, sprt.as_ref(), decision)
}

fn plan(arguments: &Arguments) -> Result<Match> {
    let engines = arguments
        .engines
        .iter()
        .map(|text| EngineSpec::parse(std::slice::from_ref(text), &arguments.each).map(Arc::new))
        .collect::<Result<Vec<_>, _>>()?;
    let [_, _, ..] = &engines[..] else { bail!("a match needs two engines: give --engine again") };
    let mut names = HashSet::new();
    if let Some(twice) = engines.iter().find(|spec| !names.insert(&spec.name)) {
        bail!("two engines are called {}: give them names, name=…", twice.name);
    }
    for spec in &engines {
        if !is_program(spec) {
            bail!("{}: there is no program '{}'", spec.name, spec.command);
        }
    }
    if arguments.games == 0 || !arguments.games.is_multiple_of(2) {
        bail!("--games is {}: games come in pairs", arguments.games);
    }
    let sprt = sprt(&arguments.sprt)?;
    if sprt.is_some() && engines.len() != 2 {
        bail!("--sprt is for two engines");
    }
    let rules = Rules {
        impasse_rule: arguments.impasse_rule,
        impasse_plies: arguments.impasse_plies,
        adjudication: Adjudication {
            draw: draw_rule(&arguments.draw)?,
            resign: resign_rule(&arguments.resign)?,
            max_moves: arguments.max_moves,
        },
    };
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

/// Whether there is such a program, here or on the search path.
fn is_program(spec: &EngineSpec) -> bool {
    let named = Path::new(&spec.command);
    if named.components().count() > 1 {
        // The system looks for it from the folder of the runner.
        return named.is_file();
    }
    std::env::var_os("PATH").is_some_and(|path| {
        let suffix = std::env::consts::EXE_SUFFIX;
        let files = |folder: PathBuf| [folder.join(named), folder.join(format!("{}{suffix}", spec.command))];
        std::env::split_paths(&path).flat_map(files).any(|file| file.is_file())
    })
}

/// Takes the values of a list of `key=value`, each read once; says what is left.
struct Pairs<'a> {
    option: &'static str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Pairs<'a> {
    fn new(option: &'static str, texts: &'a [String]) -> Result<Pairs<'a>> {
        let pairs = texts
            .iter()
            .flat_map(|text| text.split(','))
            .map(|pair| pair.split_once('=').ok_or_else(|| anyhow!("--{option}: '{pair}' is not KEY=VALUE")));
        Ok(Pairs { option, pairs: pairs.collect::<Result<_>>()? })
    }

    fn take<T: std::str::FromStr>(&mut self, key: &str, default: Option<T>) -> Result<T> {
        let option = self.option;
        let Some(index) = self.pairs.iter().position(|(name, _)| *name == key) else {
            return default.ok_or_else(|| anyhow!("--{option} needs {key}="));
        };
        let (_, value) = self.pairs.remove(index);
        value.parse().map_err(|_| anyhow!("--{option}: {key} cannot be '{value}'"))
    }

    fn finish(self) -> Result<()> {
        match self.pairs.first() {
            None => Ok(()),
            Some((key, _)) => bail!("--{}: '{key}' is not one of its keys, or stands there twice", self.option),
        }
    }
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

fn draw_rule(texts: &[String]) -> Result<Option<DrawRule>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let mut pairs = Pairs::new("draw", texts)?;
    let rule = DrawRule {
        movenumber: pairs.take("movenumber", Some(0))?,
        movecount: pairs.take("movecount", None)?,
        score: pairs.take("score", None)?,
    };
    pairs.finish()?;
    Ok(Some(rule))
}

fn resign_rule(texts: &[String]) -> Result<Option<ResignRule>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let mut pairs = Pairs::new("resign", texts)?;
    let rule = ResignRule {
        movecount: pairs.take("movecount", None)?,
        score: pairs.take("score", None)?,
        twosided: pairs.take("twosided", Some(false))?,
    };
    pairs.finish()?;
    Ok(Some(rule))
}

fn create(path: Option<&Path>) -> Result<Option<File>> {
    path.map(|path| File::create(path).with_context(|| path.display().to_string())).transpose()
}

/// Where records go.
struct Outputs {
    standings: Standings,
    report: Report,
    record: Option<RecordFile>,
    pgn: Option<File>,
    usi: Option<File>,
}

impl Outputs {
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

    fn finish(&self, arguments: &Arguments, sprt: Option<&Sprt>, decision: Option<Decision>) -> Result<()> {
        print!("{}", self.standings.summary(sprt, decision));
        if let Some(path) = &arguments.report {
            self.report.write(path)?;
        }
        Ok(())
    }
}

/// Shows how far the match has come: a bar where somebody watches, else a line now and then.
struct Watcher {
    bar: Option<ProgressBar>,
    sprt: Option<Sprt>,
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
            bar.set_message(standings.progress(plan.sprt.as_ref()));
            bar
        });
        let Arguments { interval, verbose, .. } = *arguments;
        Watcher { bar, sprt: plan.sprt, interval: interval.max(1), verbose, all }
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
                bar.set_message(standings.progress(self.sprt.as_ref()));
            }
            None if record.counts && games.is_multiple_of(self.interval) && games < self.all => {
                println!("{games}/{}  {}", self.all, standings.progress(self.sprt.as_ref()));
            }
            None => {}
        }
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| println!("{text}")),
            None => println!("{text}"),
        }
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
