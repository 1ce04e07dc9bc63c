//! `judkins prove`: who wins by force.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use super::position::PositionArgument;
use super::{interrupt, progress};
use judkins::book::growth::BookFile;
use judkins::mate::Solver;
use judkins::proof::{self, Effort, Ended, Graph, Guide, Means, ProofFile, Question, UNPROVABLE, Until};
use judkins::shogi::notation::western::{Style, movetext};
use judkins::shogi::{Color, ImpasseRule, Position};

/// The exit status where nothing is proven.
const OPEN: u8 = 20;

/// What to prove, and how.
#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    /// The proof. It is written after every batch; the same command goes on with it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    position: PositionArgument,
    /// Who is to win
    #[arg(long = "for", default_value = "black", value_name = "PLAYER")]
    attacker: Player,
    /// The impasse rule in force
    #[arg(long, default_value_t, value_name = "RULE")]
    impasse_rule: ImpasseRule,
    /// A book of `judkins book grow`, whose moves are tried first
    #[arg(long, value_name = "BOOK")]
    book: Option<PathBuf>,
    /// Nodes of the mate solver in each position
    #[arg(long, default_value_t = 2_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    mate_nodes: u64,
    /// Nodes of a search, where it finds no mate
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// MiB for each of the two tables of each thread
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    hash: u32,
    /// Positions worked on at a time [default: one on each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// End after so many seconds; the batch under way is finished
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// End at so many positions in the file
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// Replay the proof in the file, and do nothing else
    #[arg(long)]
    check: bool,
}

const HELP: &str = "\
An interrupt, or the end of the program, costs the batch under way. Which proof is found depends on the threads; that it
is one does not: --check replays it, every reply to every move, by the rules alone. That none is found proves nothing for the
other player: ask for him.";

#[derive(Clone, Copy, ValueEnum)]
enum Player {
    Black,
    White,
}

/// Where standard error is no terminal, the time between two lines of progress.
const INTERVAL: Duration = Duration::from_secs(60);

/// Works on a proof. The exit status is 0 if it is complete.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let stop = interrupt::watch()?;
    if arguments.check {
        return check(arguments, stop);
    }
    let attacker = match arguments.attacker {
        Player::Black => Color::Black,
        Player::White => Color::White,
    };
    let question = Question { start: arguments.position.position()?, attacker, rule: arguments.impasse_rule };
    let mut file = ProofFile::open(&arguments.file, &question).with_context(|| arguments.file.display().to_string())?;
    let guide = arguments.book.as_deref().map(BookFile::read).transpose()?.map(Guide::new);
    let Arguments { mate_nodes, nodes, hash, .. } = *arguments;
    let effort = Effort { mate_nodes, nodes, hash: hash as usize };
    let threads = arguments.threads.map_or(0, usize::from);
    let time = arguments.time.map(Duration::try_from_secs_f64).transpose().context("--time")?;
    ensure!(time.is_none_or(|time| !time.is_zero()), "--time is more than 0 seconds");
    // What the clock cannot hold is no limit.
    let deadline = time.and_then(|time| Instant::now().checked_add(time));
    let until = Until { deadline, positions: arguments.positions };

    println!("{}: {}", arguments.file.display(), state(file.graph()));
    let (begun, line, terminal) = (Instant::now(), progress::line(), io::stderr().is_terminal());
    let mut said = Instant::now();
    let means = Means { effort, guide: guide.as_ref(), threads };
    let ended = proof::prove(&mut file, &means, until, stop, |graph| {
        if terminal {
            line.set_message(state(graph));
        } else if said.elapsed() >= INTERVAL {
            println!("{}", state(graph));
            said = Instant::now();
        }
    })?;
    line.finish_and_clear();
    let graph = file.graph();
    println!("{}, {:.0} s", state(graph), begun.elapsed().as_secs_f64());
    match ended {
        Ended::Proven => {
            println!("Proven: {attacker} wins.");
            return Ok(ExitCode::SUCCESS);
        }
        Ended::Exhausted => println!("Not proven, and nothing is left to try."),
        Ended::Reached | Ended::Stopped => {
            let (line, position) = (graph.line(), graph.start());
            println!("Open. The line under work: {}", movetext(position, &line, Style::Hodges));
        }
    }
    Ok(ExitCode::from(OPEN))
}

fn state(graph: &Graph) -> String {
    let (positions, proven) = (graph.nodes().len(), graph.proven());
    let proof = match graph.proof() {
        0 => "proven".to_owned(),
        UNPROVABLE.. => "proof number unlimited".to_owned(),
        proof => format!("proof number {proof}"),
    };
    format!("{positions} positions, {proven} of them proven, {proof}")
}

/// Replays the proof in the file.
fn check(arguments: &Arguments, stop: &AtomicBool) -> Result<ExitCode> {
    let path = &arguments.file;
    let graph = ProofFile::read(path).with_context(|| path.display().to_string())?;
    let mut solver = Solver::new(arguments.hash as usize)?;
    let begun = Instant::now();
    match proof::check(&graph, &mut solver, stop) {
        Ok(checked) => {
            let position: &Position = graph.start();
            println!("{} wins from {position}", graph.attacker());
            println!(
                "{} positions with the winner's move, and {} mates by checks with {}; mate in {} plies at most ({:.1} s)",
                checked.positions,
                checked.mates,
                checked.mate_positions,
                checked.plies,
                begun.elapsed().as_secs_f64()
            );
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            println!("{}: {error}", path.display());
            Ok(ExitCode::from(OPEN))
        }
    }
}
