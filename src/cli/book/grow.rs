//! `judkins book grow`: grows a book by search.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use super::job;
use crate::cli::interrupt;
use crate::cli::mixed::warn_of_mixed;
use crate::cli::number::{number, seconds};
use crate::cli::parallel::ThreadsArgument;
use crate::cli::progress::{Progress, ProgressArguments};
use judkins::book::growth::{BookFile, Effort, Ended, Growing, Plan, Start, Strategy, Until, grow};
use judkins::counted::counted;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    /// The book. It is written after every batch; the same command continues it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Start positions, separated by commas: startpos, bishop, rook, two-pieces [default: all four]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    starts: Vec<Start>,
    /// The rule for selecting the next positions
    #[arg(long, default_value = "drop-out")]
    strategy: StrategyName,
    /// drop-out, one-sided: the cost of a ply, in centipawns; greater values make the book broader
    #[arg(long, default_value_t = 10, value_name = "CP", value_parser = number::<u32>(1..=10_000))]
    ply: u32,
    /// one-sided: margin of a player's own moves below the best; margin: of replies; in centipawns
    #[arg(long, default_value_t = 50, value_name = "CP", value_parser = number::<u32>(0..=10_000))]
    margin: u32,
    /// Nodes per search; the running iteration is finished
    #[arg(long, default_value_t = 200_000, value_name = "N", value_parser = number::<u64>(1..))]
    nodes: u64,
    /// Number of best moves to find in a position
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = number::<usize>(1..=200))]
    lines: usize,
    /// MiB of hash table for each thread
    #[arg(long, default_value_t = 16, value_name = "MIB", value_parser = number::<usize>(1..=4096))]
    hash: usize,
    /// Positions searched before the values are recomputed
    #[arg(long, default_value_t = 32, value_name = "N", value_parser = number::<usize>(1..=65_535))]
    batch: usize,
    /// End after this many seconds; the running batch is finished
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// End at this many positions in the book; the running batch is finished
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..))]
    positions: Option<usize>,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Seed for choosing among equally good positions
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    progress: ProgressArguments,

    /// Print the next batch as jobs of N positions, one line of JSON each, for other machines to search with --job;
    /// `take` adds their results. Nothing is printed when nothing is left to do
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "threads"], value_parser = number::<usize>(1..))]
    jobs: Option<usize>,
}

const HELP: &str = "\
drop-out   A move costs its loss against the best move, for either player, and every ply costs --ply more. The position
           that is cheapest to reach from the start is searched next.
one-sided  The same for each player in turn, without his own moves beyond --margin.
margin     For each player in turn his best move alone, and every reply within --margin; what is nearest to the start
           is searched next.

The same command gives the same book, whatever --threads is and however often it was interrupted: an interrupt, or the
end of the program, costs the batch under way. A book may go on with other options: the difference is reported.";

#[derive(Clone, Copy, ValueEnum)]
enum StrategyName {
    DropOut,
    OneSided,
    Margin,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let plan = plan(arguments);
    let until = until(arguments);
    let mut book = BookFile::open(&arguments.file)?;
    let before = book.graph().len();
    warn_of_mixed(&arguments.file, book.settings(), &plan.settings());
    if let Some(size) = arguments.jobs {
        return if until.is_reached(before) { Ok(()) } else { job::print(&book, &plan, size) };
    }
    println!("{}: {}", arguments.file.display(), counted(before, "position"));
    let stop = interrupt::watch()?;
    let begun = Instant::now();
    let ended = watched(&mut book, &plan, until, arguments, stop)?;
    let (positions, seconds) = (book.graph().len(), begun.elapsed().as_secs_f64());
    println!("{}, {} of them new in {seconds:.0} s", counted(positions, "position"), positions - before);
    match ended {
        Ended::Reached => Ok(()),
        Ended::Nothing => {
            println!("nothing is left to search by this strategy");
            Ok(())
        }
        Ended::Stopped => bail!("interrupted: the same command goes on"),
    }
}

fn plan(arguments: &Arguments) -> Plan {
    let Arguments { ply, margin, nodes, lines, hash, batch, seed, .. } = *arguments;
    let starts = if arguments.starts.is_empty() { Start::ALL.to_vec() } else { arguments.starts.clone() };
    let strategy = match arguments.strategy {
        StrategyName::DropOut => Strategy::DropOut { ply },
        StrategyName::OneSided => Strategy::OneSided { ply, margin },
        StrategyName::Margin => Strategy::Margin { margin },
    };
    Plan { starts, strategy, effort: Effort { nodes, lines, hash }, batch, seed }
}

fn until(arguments: &Arguments) -> Until {
    let deadline = arguments.time.map(|time| Instant::now() + time);
    Until { deadline, positions: arguments.positions }
}

/// Grows the book and shows the progress.
fn watched(book: &mut BookFile, plan: &Plan, until: Until, arguments: &Arguments, stop: &AtomicBool) -> Result<Ended> {
    let before = book.graph().len() as u64;
    let all = until.positions.map(|positions| positions as u64);
    let progress = Progress::new(arguments.progress, "positions", before, all, until.deadline);
    let (positions, searched) = (AtomicU64::new(before), AtomicU64::new(0));
    let ended = grow(book, plan, until, arguments.threads.count(), stop, &|growing| {
        match growing {
            Growing::Searched => drop(searched.fetch_add(1, Ordering::Relaxed)),
            Growing::Added(book) => {
                positions.store(book.graph().len() as u64, Ordering::Relaxed);
                searched.store(0, Ordering::Relaxed);
            }
        }
        let positions = positions.load(Ordering::Relaxed);
        progress.set(positions, |elapsed| {
            let rate = positions.saturating_sub(before) as f64 / elapsed.as_secs_f64().max(1e-3);
            let searched = searched.load(Ordering::Relaxed);
            format!("{rate:.2} more a second, {searched} of {} of the next batch", plan.batch)
        });
    });
    progress.finish();
    Ok(ended?)
}
