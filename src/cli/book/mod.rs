//! `judkins book`: books made by search.

mod export;
mod grow;
mod job;
mod show;
mod stat;
mod verify;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};

use super::number::number;

use judkins::append_log::AppendLogError;
use judkins::book::Book;
use judkins::book::growth::{BookFile, Entry, Graph, Values, fitting, repertoire};

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
pub struct Arguments {
    /// Do a job: the value of "job" in a line of `grow --jobs`, from a file or (`-`) standard input. The output is an
    /// object with "found"; `take` reads the line with this "found" added to it
    #[arg(long, value_name = "FILE")]
    job: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Grow a book: search where it affects the result most; existing results are kept
    Grow(Box<grow::Arguments>),
    /// Add the results of a batch's jobs, one per line on standard input
    Take(job::TakeArguments),
    /// Show a book's moves in a position
    Show(show::Arguments),
    /// Show statistics of a book
    Stat(stat::Arguments),
    /// Check that a book is complete, and check its moves by longer searches
    Verify(verify::Arguments),
    /// Write a book in another format
    Export(export::Arguments),
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(path) = &arguments.job {
        return job::search(path);
    }
    let Some(command) = &arguments.command else { bail!("a subcommand is missing: see judkins book --help") };
    match command {
        Command::Grow(arguments) => grow::run(arguments),
        Command::Take(arguments) => job::take(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Stat(arguments) => stat::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Export(arguments) => export::run(arguments),
    }
}

/// The selection of a book's repertoire.
#[derive(Args)]
struct RepertoireArguments {
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
    fn entries(&self, graph: &Graph, values: &Values, leaves: bool) -> Vec<Entry> {
        let size = self.size.unwrap_or(1 << 20) as usize;
        fitting(repertoire(graph, values, self.margin.unwrap_or(30), leaves), size)
    }
}

/// A book of either kind.
enum Loaded {
    /// A growing book.
    Growing(Graph),
    /// A finished book, from which the engine plays.
    Finished(Book),
}

/// Reads a book; without a path it is the built-in one.
fn load(path: Option<&Path>) -> Result<Loaded> {
    let Some(path) = path else { return Ok(Loaded::Finished(Book::built_in())) };
    match BookFile::read(path) {
        Ok(graph) => Ok(Loaded::Growing(graph)),
        Err(AppendLogError::Foreign { .. }) => {
            Ok(Loaded::Finished(Book::read(path).with_context(|| path.display().to_string())?))
        }
        Err(error) => Err(error.into()),
    }
}

fn grown(path: &Path) -> Result<Graph> {
    match load(Some(path))? {
        Loaded::Growing(graph) => Ok(graph),
        Loaded::Finished(_) => bail!("{}: not a book of 'judkins book grow'", path.display()),
    }
}
