//! `judkins net`: networks as files.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Subcommand;

use judkins::eval::nnue::{HIDDEN, INPUTS, Kernel, Network, OUTPUTS, QA, QB, SCALE};

/// What can be done with networks.
#[derive(Subcommand)]
pub enum Command {
    /// Check a network, and say what it is
    Info {
        /// A network's file [default: the network built in]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

pub fn run(command: &Command) -> Result<()> {
    let Command::Info { file } = command;
    let (network, note) = match file {
        Some(file) => Network::read(file).with_context(|| file.display().to_string())?,
        None => Network::embedded(),
    };
    println!("architecture  ({INPUTS} -> {HIDDEN}) x 2 -> {OUTPUTS}");
    println!("quantisation  QA {QA}, QB {QB}, SCALE {SCALE}");
    println!("size          {} bytes", network.to_bytes(&note)?.len());
    println!("checksum      {:08x}", network.checksum(&note)?);
    // The checksum that datagen's settings and the notes of networks use.
    println!("weights       {:08x}", network.fingerprint()?);
    println!("note          {note}");
    println!("inference     {}", Kernel::best());
    Ok(())
}
