//! Growing books in jobs for other machines.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::cli::files::read_json;
use crate::cli::interrupt;
use judkins::book::growth::{BookFile, DonePart, Job, Plan, complete, take as take_parts};
use judkins::counted::counted;
use judkins::{atomic_file, jsonl};

/// Does the job in a file and prints its result as JSON.
pub fn search(path: &Path) -> Result<()> {
    let job: Job = read_json(path)?;
    let result = job.search(interrupt::watch()?)?;
    println!("{}", serde_json::to_string(&result)?);
    Ok(())
}

/// Prints the next batch of a book as jobs of `size` positions, one per line.
pub fn print(book: &BookFile, plan: &Plan, size: usize) -> Result<()> {
    for part in plan.parts(book, size)? {
        println!("{}", serde_json::to_string(&part)?);
    }
    Ok(())
}

#[derive(Args)]
pub struct TakeArguments {
    /// The book
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Adds the results on standard input to a book.
pub fn take(TakeArguments { file }: &TakeArguments) -> Result<()> {
    let text = atomic_file::read_input(Path::new("-"))?;
    let parse = |(number, line): (usize, &str)| {
        let part: DonePart = jsonl::parse(line.as_bytes()).with_context(|| format!("line {number}"))?;
        Ok(part)
    };
    let parts = (1..).zip(text.lines()).map(parse).collect::<Result<Vec<_>>>()?;
    // Before the book is opened, which creates it.
    let parts = complete(parts)?;
    let is_for_new = parts.first().is_some_and(|part| part.batches == 0);
    ensure!(is_for_new || file.exists(), "{}: there is no such book", file.display());
    let mut book = BookFile::open(file)?;
    take_parts(&mut book, parts)?;
    println!("{}", counted(book.graph().len(), "position"));
    Ok(())
}
