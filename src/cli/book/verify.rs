//! `judkins book verify`: whether a book is whole, and whether it is true.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::Args;

use super::{Loaded, RepertoireArguments, load};
use crate::cli::{interrupt, progress};
use judkins::book::growth::{GOOD_LOSS, Graph, Sample, Values, is_proven, played};

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    /// The book; it may be growing
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Search so many of the positions in which it plays, taken by chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    sample: usize,
    /// Take these positions and the moves from an exported book that was made of this one
    #[arg(long, value_name = "FILE", requires = "sample")]
    played: Option<PathBuf>,
    /// Nodes of each of these searches
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// MiB of hash table for each thread
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Decides which positions are taken
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Searches at a time [default: one on each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    repertoire: RepertoireArguments,
}

const HELP: &str = "\
Without --sample: checksums, legal moves, and that every value follows from those of the positions after it.
With it: the best move of the book in each of the positions against the best of a search. A move that the search would
not play is searched alone, as long again; what it loses is the difference. Moves within 30 centipawns count as good.";

pub fn run(arguments: &Arguments) -> Result<()> {
    let Loaded::Growing(graph) = load(&arguments.file)? else {
        // Reading it has checked all that there is to check.
        println!("{}: whole", arguments.file.display());
        ensure!(arguments.sample == 0, "--sample is for a book of 'judkins book grow'");
        return Ok(());
    };
    let values = Values::new(&graph);
    check_values(&graph, &values)?;
    println!(
        "{}: whole, {} positions with {} moves, values hold",
        arguments.file.display(),
        graph.len(),
        graph.edges()
    );
    if arguments.sample > 0 { check_sample(arguments, &graph, &values) } else { Ok(()) }
}

/// Every position is worth what the best of its moves is.
fn check_values(graph: &Graph, values: &Values) -> Result<()> {
    for id in graph.ids() {
        let node = graph.node(id);
        let moves = node.edges.iter().map(|edge| values.of_move(edge)).chain(node.rest.map(i32::from));
        let (value, best) = (values.of(id), moves.max());
        // How long a perpetual check lasts is not counted.
        let holds = |best: i32| best == value || is_proven(best) && is_proven(value) && best.signum() == value.signum();
        if !best.is_none_or(holds) {
            bail!("position {id}, {}: its value is {value}, its best move's {best:?}", graph.position(id));
        }
    }
    Ok(())
}

fn check_sample(arguments: &Arguments, graph: &Graph, values: &Values) -> Result<()> {
    let Arguments { sample, nodes, hash, seed, .. } = *arguments;
    let entries = match &arguments.played {
        None => arguments.repertoire.entries(graph, values, false),
        Some(path) => match load(path)? {
            Loaded::Finished(book) => played(graph, &book),
            Loaded::Growing(_) => bail!("{}: not an exported book", path.display()),
        },
    };
    let stop = interrupt::watch()?;
    let bar = progress::bar(sample as u64, "{bar:30} {pos} searched, {elapsed} elapsed");
    let sample = Sample { count: sample, nodes, hash: hash as usize, seed };
    let threads = arguments.threads.map_or(0, usize::from);
    let checked = sample.check(graph, &entries, threads, stop, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let Some(mut checked) = checked else { bail!("interrupted") };
    checked.sort_by_key(|checked| std::cmp::Reverse(checked.loss));
    for position in checked.iter().filter(|checked| checked.loss > GOOD_LOSS) {
        println!("{}: {} loses {} against {}", graph.position(position.id), position.mv, position.loss, position.best);
    }
    let count = |most: i32| checked.iter().filter(|checked| checked.loss <= most).count();
    let same = checked.iter().filter(|checked| checked.mv == checked.best).count();
    let share = 100.0 * count(GOOD_LOSS) as f64 / checked.len().max(1) as f64;
    println!(
        "{} positions of {} searched: {} moves within {GOOD_LOSS} centipawns of the best ({share:.1} %), {same} the best",
        checked.len(),
        entries.len(),
        count(GOOD_LOSS),
    );
    Ok(())
}
