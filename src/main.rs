//! The command line. Without an argument: the engine on standard input and output.

mod analyze;
mod collect_mates;
mod data_files;
mod datagen;
mod fit;
mod game_rules;
mod match_games;
mod mate_problems;
mod net;
mod shard_folder;
mod shard_work;
mod train_network;
mod tune_engine;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Args, Parser, Subcommand};

use judkins::config::{Config, FILE_NAME};
use judkins::engine::{Engine, OptionTable, Output, Session, bench, describe_evaluation, describe_game, logging};
use judkins::eval::Evaluation;
use judkins::shogi::diagram::Pieces;
use judkins::shogi::{Game, Handicap, ImpasseRule, Position, perft_divide};

/// A USI engine for Judkins shogi: shogi on 6×6.
///
/// Without a subcommand it speaks USI on standard input and output, for a graphical program to load. A person can type
/// the same: `position startpos moves 6e6d`, `d` (the board), `eval`, `go movetime 1000`, `perft 4`, `bench`, `quit`.
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
struct Cli {
    /// Defaults for options and parameters [default: engine.toml beside the executable, else those built in]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// List the search's parameters as options, for tuners
    #[arg(long, global = true)]
    tune: bool,
    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Subcommand)]
enum Subcommands {
    /// Show the board, and the best lines as they deepen
    Analyze(analyze::Arguments),
    /// Solve mate problems: exit status 0 for mates, 10 where there is none, 20 if that is undecided
    Mate(mate_problems::Arguments),
    /// Play engines against each other, with statistics
    Match(Box<match_games::Arguments>),
    /// Tune the engine's options by matches against itself
    Tune(Box<tune_engine::Arguments>),
    /// Find the evaluation's weights from games
    Fit(fit::Arguments),
    /// Play games against itself, for the learned evaluation to be trained on
    Datagen(datagen::Arguments),
    /// Look at games of self-play, mix them, give them new scores
    Data {
        #[command(subcommand)]
        command: data_files::Command,
    },
    /// Look at networks
    #[command(subcommand)]
    Net(net::Command),
    /// Train a network on games of self-play
    Train(train_network::Arguments),
    /// Search a fixed set of positions; the node count is the same on every machine
    Bench {
        /// Judge positions by the hand-written evaluation
        #[arg(long)]
        handwritten: bool,
    },
    /// Count the ways to play so many plies, by first move
    Perft {
        /// Plies
        depth: u32,
        #[command(flatten)]
        position: PositionArgument,
    },
    /// Draw a position and show what the evaluation sees
    Show {
        #[command(flatten)]
        position: PositionArgument,
        /// Letters in place of kanji
        #[arg(long)]
        ascii: bool,
        /// The impasse rule in force: Points12, Declaration, Try or None
        #[arg(long, default_value_t, value_name = "RULE")]
        impasse_rule: ImpasseRule,
    },
}

/// A position on the command line.
#[derive(Args)]
struct PositionArgument {
    /// An SFEN, or a handicap: bishop, rook, two-pieces [default: the start position]
    #[arg(value_name = "SFEN")]
    sfen: Vec<String>,
}

impl PositionArgument {
    fn position(&self) -> Result<Position> {
        let text = self.sfen.join(" ");
        if text.is_empty() || text == "startpos" {
            return Ok(Position::startpos());
        }
        if let Ok(handicap) = text.parse::<Handicap>() {
            return Ok(handicap.position());
        }
        text.parse().with_context(|| format!("'{text}' is no position"))
    }
}

fn main() -> ExitCode {
    if let Some(missing) = missing_processor_feature() {
        eprintln!("judkins was built for processors with {missing}, which this one lacks; build it with");
        eprintln!("RUSTFLAGS=\"-C target-cpu=native\" cargo build --release");
        return ExitCode::FAILURE;
    }
    logging::init();
    match run(&Cli::parse()) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("judkins: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// What the binary was built to use (see `.cargo/config.toml`), and the processor does not have.
///
/// Asked of the processor itself: the standard macro takes for granted what the build was told.
#[cfg(target_arch = "x86_64")]
fn missing_processor_feature() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let has = |register: u32, bit: u32| register >> bit & 1 != 0;
    let (basic, extended) = (__cpuid(1), if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 });
    [
        ("POPCNT", cfg!(target_feature = "popcnt"), has(basic.ecx, 23)),
        ("BMI1", cfg!(target_feature = "bmi1"), has(extended, 3)),
        ("BMI2", cfg!(target_feature = "bmi2"), has(extended, 8)),
        ("AVX2", cfg!(target_feature = "avx2"), has(extended, 5)),
    ]
    .into_iter()
    .find_map(|(name, needed, present)| (needed && !present).then_some(name))
}

#[cfg(not(target_arch = "x86_64"))]
fn missing_processor_feature() -> Option<&'static str> {
    None
}

fn run(cli: &Cli) -> Result<ExitCode> {
    match &cli.command {
        None => speak_usi(cli)?,
        Some(Subcommands::Analyze(arguments)) => analyze::run(arguments, option_table(cli)?)?,
        Some(Subcommands::Mate(arguments)) => return mate_problems::run(arguments),
        Some(Subcommands::Match(arguments)) => match_games::run(arguments)?,
        Some(Subcommands::Tune(arguments)) => tune_engine::run(arguments)?,
        Some(Subcommands::Fit(arguments)) => fit::run(arguments)?,
        Some(Subcommands::Datagen(arguments)) => datagen::run(arguments)?,
        Some(Subcommands::Train(arguments)) => train_network::run(arguments)?,
        Some(Subcommands::Data { command }) => data_files::run(command)?,
        Some(Subcommands::Net(command)) => net::run(command)?,
        Some(Subcommands::Bench { handwritten }) => {
            let evaluation = if *handwritten { Evaluation::Handwritten } else { Evaluation::default() };
            let never = AtomicBool::new(false);
            let result = bench::bench(evaluation, &never, |line| println!("{line}"))?;
            result.iter().for_each(|result| println!("{result}"));
        }
        Some(Subcommands::Perft { depth, position }) => run_perft(&position.position()?, *depth),
        Some(Subcommands::Show { position, ascii, impasse_rule }) => {
            let position = position.position()?;
            let pieces = if *ascii { Pieces::Letters } else { Pieces::Kanji };
            let network = Engine::new(option_table(cli)?)?.network();
            let evaluation = describe_evaluation(&position, *impasse_rule, &network);
            println!("{}\n{evaluation}", describe_game(&Game::new(position), pieces));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The options, with defaults from `--config`, else from a file beside the executable, else those built in.
fn option_table(cli: &Cli) -> Result<OptionTable> {
    let beside = std::env::current_exe()?.parent().map(|folder| folder.join(FILE_NAME)).filter(|path| path.is_file());
    let config = cli.config.as_deref().or(beside.as_deref()).map(Config::read).transpose()?;
    Ok(OptionTable::new(config.as_ref(), cli.tune)?)
}

fn speak_usi(cli: &Cli) -> Result<()> {
    let engine = Engine::new(option_table(cli)?)?;
    // Nobody reads: there is nothing left to do, and a search may be under way.
    let output = Output::new(io::stdout(), || std::process::exit(0));
    Session::new(engine, output).run(io::BufReader::new(io::stdin()))?;
    Ok(())
}

fn run_perft(position: &Position, depth: u32) {
    let start = Instant::now();
    let mut total = u64::from(depth == 0);
    perft_divide(position, depth, &AtomicBool::new(false), |mv, nodes| {
        println!("{mv}: {nodes}");
        total += nodes;
    });
    let seconds = start.elapsed().as_secs_f64();
    println!("\n{seconds:.3} s, {:.1} million leaves a second", total as f64 / seconds.max(1e-9) / 1e6);
    println!("Nodes searched: {total}");
}
