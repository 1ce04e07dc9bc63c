//! `judkins net`: network files.

mod score;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Subcommand;

use judkins::eval::nnue::{HIDDEN, INPUTS, Kernel, Network, OUTPUTS, QA, QB, SCALE};

/// The subcommands of `judkins net`.
#[derive(Subcommand)]
pub enum Command {
    /// Check and describe a network
    Info {
        /// A network's file [default: the built-in network]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Compare networks on a test set of searched positions
    Score(score::Arguments),
}

pub fn run(command: &Command) -> Result<()> {
    match command {
        Command::Info { file } => info(file.as_deref()),
        Command::Score(arguments) => score::run(arguments),
    }
}

fn info(file: Option<&Path>) -> Result<()> {
    let (network, note) = match file {
        Some(file) => Network::read(file).with_context(|| file.display().to_string())?,
        None => Network::embedded(),
    };
    println!("architecture  ({INPUTS} -> {HIDDEN}) x 2 -> {OUTPUTS}");
    println!("quantisation  QA {QA}, QB {QB}, SCALE {SCALE}");
    println!("size          {} bytes", network.to_bytes(&note)?.len());
    println!("checksum      {:08x}", network.checksum(&note)?);
    // The checksum in datagen's settings and in the notes of networks.
    println!("weights       {:08x}", network.fingerprint()?);
    println!("note          {note}");
    println!("inference     {}", Kernel::best());
    Ok(())
}
