//! `judkins book`: books made by search.

mod export;
mod grow;
mod job;
mod load;
mod show;
mod stat;
mod verify;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

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
