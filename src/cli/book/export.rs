//! `judkins book export`: a book in other formats.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use super::load::grown;
use crate::cli::files::{check_output, output_file};
use crate::cli::interrupt;
use crate::cli::number::number;
use crate::cli::progress::{Progress, ProgressArguments, say};
use judkins::atomic_file;
use judkins::book::growth::{
    Effort, Entry, Graph, Start, Values, compact, fitting, record, repertoire, search_leaves, write_text,
};
use judkins::counted::counted;
use judkins::record::Format;
use judkins::shogi::position_text;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    /// The book; it may be growing
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The format
    #[arg(long)]
    to: Target,
    /// The output file [default: standard output, except for built-in]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    repertoire: RepertoireArguments,
    /// Built-in: in positions below which nothing was searched, play the best move of a search of this many nodes
    #[arg(long, value_name = "NODES", value_parser = number::<u64>(1..))]
    leaves: Option<u64>,
    /// MiB of hash table for each thread of these searches
    #[arg(long, requires = "leaves", default_value_t = 64, value_name = "MIB", value_parser = number::<usize>(1..=65_536))]
    hash: usize,
    /// Number of parallel searches [default: one per core]
    #[arg(long, requires = "leaves", value_name = "N", value_parser = number::<usize>(1..=1_024))]
    threads: Option<usize>,
    /// Usi, kif, pgn: moves per start position [default: 200]
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..))]
    moves: Option<usize>,
    #[command(flatten)]
    progress: ProgressArguments,
}

const HELP: &str = "\
db2016    YaneuraOu's text: all positions with all moves that have a score
usi       a line for each variation: openings for matches
kif, pgn  a record with variations for each start position
built-in  the compact form that the engine plays from: the likeliest positions in which a player has kept within
          --margin, with the moves within it, in --size bytes. The engine takes it as BookFile; src/book/built_in.bin
          is such a file.";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    Db2016,
    Usi,
    Kif,
    Pgn,
    BuiltIn,
}

/// The selection of a book's repertoire.
#[derive(Args)]
pub struct RepertoireArguments {
    /// Margin of playable moves below the best, in centipawns [default: 30]
    #[arg(long, value_name = "CP", value_parser = number::<u32>(0..=1_000))]
    margin: Option<u32>,
    /// Maximum size of the compact form in bytes [default: 1048576]
    #[arg(long, value_name = "BYTES", value_parser = number::<u32>(64..))]
    size: Option<u32>,
}

impl RepertoireArguments {
    fn is_given(&self) -> bool {
        self.margin.is_some() || self.size.is_some()
    }

    /// The positions; with `leaves` including those below which nothing was searched.
    pub fn entries(&self, graph: &Graph, values: &Values, leaves: bool) -> Vec<Entry> {
        let size = self.size.unwrap_or(1 << 20) as usize;
        fitting(repertoire(graph, values, self.margin.unwrap_or(30), leaves), size)
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let out = output_file(arguments.out.as_deref());
    check_output(out, [arguments.file.as_path()])?;
    let built_in = arguments.to == Target::BuiltIn;
    ensure!(built_in || arguments.leaves.is_none(), "--leaves is for --to built-in");
    ensure!(built_in || !arguments.repertoire.is_given(), "--margin and --size are for --to built-in");
    let records = matches!(arguments.to, Target::Usi | Target::Kif | Target::Pgn);
    ensure!(records || arguments.moves.is_none(), "--moves is for records: --to usi, kif or pgn");
    let moves = arguments.moves.unwrap_or(200);
    let graph = grown(&arguments.file)?;
    let values = Values::new(&graph);
    let bytes = match arguments.to {
        Target::Db2016 => {
            let mut text = Vec::new();
            write_text(&graph, &values, &mut text)?;
            text
        }
        Target::Usi => write_records(&graph, &values, moves, Format::Usi)?,
        Target::Kif => write_records(&graph, &values, moves, Format::Kif)?,
        Target::Pgn => write_records(&graph, &values, moves, Format::Pgn)?,
        Target::BuiltIn => {
            ensure!(out.is_some(), "--out is missing: a compact book is not a text");
            let mut entries = arguments.repertoire.entries(&graph, &values, arguments.leaves.is_some());
            if let Some(nodes) = arguments.leaves {
                leaves(&mut entries, nodes, arguments, &graph)?;
            }
            ensure!(!entries.is_empty(), "there is no position in which this book plays");
            let book = compact(&graph, &entries);
            say(&format!("{} of {}, {} bytes", book.len(), counted(graph.len(), "position"), book.size()));
            book.as_bytes().to_vec()
        }
    };
    match out {
        Some(path) => atomic_file::write(path, &bytes).with_context(|| path.display().to_string()),
        None => {
            print!("{}", String::from_utf8(bytes)?);
            Ok(())
        }
    }
}

/// Searches the positions below which nothing was searched.
fn leaves(entries: &mut [Entry], nodes: u64, arguments: &Arguments, graph: &Graph) -> Result<()> {
    let count = entries.iter().filter(|entry| entry.is_leaf(graph)).count();
    let progress = Progress::new(arguments.progress, "positions", 0, Some(count as u64), None);
    let tell = || progress.add(1, |_| String::new());
    let effort = Effort { nodes, lines: 1, hash: arguments.hash };
    let (threads, stop) = (arguments.threads.unwrap_or(0), interrupt::watch()?);
    search_leaves(graph, entries, effort, threads, stop, &tell)?.context("interrupted")?;
    progress.finish();
    say(&format!("{count} of {} searched with {}", counted(entries.len(), "position"), counted(nodes, "node")));
    Ok(())
}

/// Writes the records of all start positions; in USI a line for each variation.
fn write_records(graph: &Graph, values: &Values, moves: usize, format: Format) -> Result<Vec<u8>> {
    let records: Vec<_> = Start::ALL.into_iter().filter_map(|start| record(graph, values, start, moves)).collect();
    if records.is_empty() {
        bail!("the book is empty");
    }
    let mut texts = Vec::new();
    for record in &records {
        if format != Format::Usi {
            texts.push(record.to_text(format)?);
            continue;
        }
        for end in record.walk().filter(|&id| record[id].children().is_empty()) {
            texts.push(position_text(record.start(), record.moves_to(end)) + "\n");
        }
    }
    let between = if format == Format::Usi { "" } else { "\n" };
    Ok(texts.join(between).into_bytes())
}
