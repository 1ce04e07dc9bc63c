//! `judkins book verify`: checks that a book is complete, and its moves.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::Args;

use super::export::RepertoireArguments;
use super::load::{Loaded, load};
use crate::cli::interrupt;
use crate::cli::number::number;
use crate::cli::progress::{Progress, ProgressArguments};
use judkins::book::Book;
use judkins::book::growth::{Checked, GOOD_LOSS, Graph, Played, Sample, Values, is_proven, played};
use judkins::counted::counted;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    /// The book; it may be growing [default: the built-in one]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Number of random positions of the book to search
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<usize>(0..))]
    sample: usize,
    /// Nodes per search
    #[arg(long, requires = "sample", value_name = "N", default_value_t = 20_000_000, value_parser = number::<u64>(1..))]
    nodes: u64,
    /// MiB of hash table for each thread
    #[arg(long, requires = "sample", default_value_t = 256, value_name = "MIB", value_parser = number::<usize>(1..=65_536))]
    hash: usize,
    /// Seed of the sample
    #[arg(long, requires = "sample", default_value_t = 1, value_name = "N", value_parser = number::<u64>(0..))]
    seed: u64,
    /// Number of parallel searches [default: one per core]
    #[arg(long, requires = "sample", value_name = "N", value_parser = number::<usize>(1..=1_024))]
    threads: Option<usize>,
    #[command(flatten)]
    repertoire: RepertoireArguments,
    #[command(flatten)]
    progress: ProgressArguments,
}

const HELP: &str = "\
Without --sample: checksums, legal moves, and that every value follows from those of the positions after it.
With it: the first choice of the book in each of the positions against the best of a search. A move that the search would
not play is searched alone, as long again; what it loses is the difference. Moves within 30 centipawns count as good.
A growing book plays what `export --to built-in` would write with the same --margin and --size; of a finished one the
positions are taken that come up from the start positions if one player keeps to it.";

pub fn run(arguments: &Arguments) -> Result<()> {
    let name = arguments.file.as_ref().map_or("the book built in".to_owned(), |file| file.display().to_string());
    let positions = match load(arguments.file.as_deref())? {
        Loaded::Growing(graph) => {
            let values = Values::new(&graph);
            check_values(&graph, &values)?;
            let (positions, moves) = (counted(graph.len(), "position"), counted(graph.edges(), "move"));
            println!("{name}: complete, {positions} with {moves}, values consistent");
            if arguments.sample == 0 {
                return Ok(());
            }
            let entries = arguments.repertoire.entries(&graph, &values, false);
            entries.iter().map(|entry| Played { position: graph.position(entry.id), mv: entry.moves[0].0 }).collect()
        }
        Loaded::Finished(book) => {
            // Reading has checked everything else. An empty file reads as a text without positions.
            ensure!(!matches!(&book, Book::Text(text) if text.is_empty()), "{name}: an empty book");
            println!("{name}: complete");
            if arguments.sample == 0 {
                return Ok(());
            }
            played(&book)
        }
    };
    ensure!(!positions.is_empty(), "{name}: it plays in no position that comes up from the start");
    check_sample(arguments, &positions)
}

/// Checks that every position has the value of its best move.
fn check_values(graph: &Graph, values: &Values) -> Result<()> {
    for id in graph.ids() {
        let node = graph.node(id);
        let moves = node.edges.iter().map(|edge| values.of_move(edge)).chain(node.rest.map(i32::from));
        let (value, best) = (values.of(id), moves.max());
        // The number of plies until a perpetual check loses is not counted.
        let holds = |best: i32| best == value || is_proven(best) && is_proven(value) && best.signum() == value.signum();
        if !best.is_none_or(holds) {
            bail!("position {id}, {}: its value is {value}, its best move's {best:?}", graph.position(id));
        }
    }
    Ok(())
}

fn check_sample(arguments: &Arguments, positions: &[Played]) -> Result<()> {
    let Arguments { sample, nodes, hash, seed, .. } = *arguments;
    let stop = interrupt::watch()?;
    let all = sample.min(positions.len()) as u64;
    let progress = Progress::new(arguments.progress, "searches", 0, Some(2 * all), None);
    let sample = Sample { count: sample, nodes, hash, seed };
    let threads = arguments.threads.unwrap_or(0);
    let checked = sample.check(positions, threads, stop, &|done| progress.add(done as u64, |_| String::new()))?;
    progress.finish();
    let Some(mut checked) = checked else { bail!("interrupted") };
    checked.sort_by_key(|checked| std::cmp::Reverse(checked.loss));
    for Checked { position, mv, best, loss } in checked.iter().filter(|checked| checked.loss > GOOD_LOSS) {
        println!("{position}: {mv} loses {loss} against {best}");
    }
    let count = |most: i32| checked.iter().filter(|checked| checked.loss <= most).count();
    let same = checked.iter().filter(|checked| checked.mv == checked.best).count();
    let share = 100.0 * count(GOOD_LOSS) as f64 / checked.len().max(1) as f64;
    println!(
        "{} of {} searched: {} within {GOOD_LOSS} centipawns of the best ({share:.1} %), {same} the best",
        counted(checked.len(), "position"),
        positions.len(),
        counted(count(GOOD_LOSS), "move"),
    );
    Ok(())
}
