//! The arguments of `judkins match`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::key_value::KeyValue;
use crate::cli::number::number;
use crate::cli::openings::OpeningsArguments;
use crate::cli::rules::RulesArguments;
use judkins::arena::EngineSpec;
use judkins::shogi::Handicap;

#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// An engine; give it twice or more
    #[arg(long = "engine", value_name = "KEY=VALUE,…", long_help = engine_help())]
    pub(super) engines: Vec<String>,
    /// Default keys for every engine
    #[arg(long, value_name = "KEY=VALUE,…", requires = "engines")]
    pub(super) each: Vec<String>,
    /// Games per pairing, half with each colour
    #[arg(long, default_value_t = 100, value_name = "N", requires = "engines", value_parser = number::<usize>(0..))]
    pub(super) games: usize,
    /// The first engine plays all others, which do not play each other
    #[arg(long, requires = "engines")]
    pub(super) gauntlet: bool,
    /// Number of parallel games
    #[arg(long, default_value_t = 1, value_name = "N", requires = "engines", value_parser = number::<usize>(1..))]
    pub(super) concurrency: usize,

    #[command(flatten)]
    pub(super) openings: OpeningsArguments,
    /// The order of the openings
    #[arg(long, default_value = "random", requires = "engines")]
    pub(super) order: Order,
    /// For the random order: the same seed gives the same order
    #[arg(long, default_value_t = 1, value_name = "N", requires = "engines", value_parser = number::<u64>(0..))]
    pub(super) seed: u64,
    /// Vary nodes= by up to PERCENT from pair to pair, the same way for both engines and both games: fixed nodes repeat
    /// games. The seed and the number of the pair decide
    #[arg(long, value_name = "PERCENT", requires = "engines", value_parser = number::<u32>(1..=50))]
    pub(super) node_jitter: Option<u32>,
    /// Handicap games instead: White gives bishop, rook or two-pieces
    #[arg(long, value_name = "HANDICAP", requires = "engines", conflicts_with = "openings")]
    pub(super) handicap: Option<Handicap>,

    #[command(flatten)]
    pub(super) rules: RulesArguments,
    /// Replay games that end without a contest, with colours reversed, at most N times each (3 without a number)
    #[arg(long, value_name = "N", default_value_t = 0, default_missing_value = "3", num_args = 0..=1, requires = "engines",
        value_parser = number::<u32>(0..))]
    pub(super) replay_draws: u32,
    /// Count a game as lost by an engine that fails before its first move, and restart the engine. Without this option,
    /// the failure ends the match
    #[arg(long, requires = "engines")]
    pub(super) recover: bool,
    /// Stop when decided: elo0=X elo1=X [alpha=0.05] [beta=0.05] [model=normalized|logistic]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_delimiter = ',')]
    pub(super) sprt: Vec<KeyValue>,

    /// Write every game to this file, one line of JSON each; without engines: show the match in it
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Continue the match in the record: the rest of the command is the same
    #[arg(long, requires_all = ["record", "engines"])]
    pub(super) resume: bool,
    /// Write the games in PGN
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Write the games in USI
    #[arg(long, value_name = "FILE")]
    pub(super) usi: Option<PathBuf>,
    /// Draw the match as SVG; the name must end with .svg
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// If standard error is not a terminal: games between two lines of progress
    #[arg(long, default_value_t = 10, value_name = "N", requires = "engines", value_parser = number::<u64>(1..))]
    pub(super) interval: u64,
    /// Print a line for every game
    #[arg(short, long, requires = "engines")]
    pub(super) verbose: bool,

    /// Print the match as jobs of N pairs, one line of JSON each, for other machines to play with --job; with --record
    /// and --resume only those that are incomplete in the record. --sprt only checks that no games would repeat
    #[arg(long, value_name = "N", requires = "engines", value_parser = number::<usize>(1..),
        conflicts_with_all = ["replay_draws", "pgn", "usi", "report"])]
    pub(super) jobs: Option<usize>,
    /// Do a job: the value of "job" in a line of --jobs, from a file or (`-`) standard input. The output is JSON too
    #[arg(long, value_name = "FILE", exclusive = true)]
    pub(super) job: Option<PathBuf>,
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
pub enum Order {
    Random,
    Sequential,
}
