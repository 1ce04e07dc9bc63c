//! `judkins bench`: a fixed search whose node count is the program's signature.

use std::sync::atomic::AtomicBool;

use anyhow::Result;
use clap::Args;

use super::number::number;
use judkins::engine::bench::{HASH, bench};
use judkins::eval::Evaluation;

#[derive(Args)]
pub struct Arguments {
    /// Use the hand-written evaluation
    #[arg(long)]
    handwritten: bool,
    /// Size of the hash table in MiB; affects the speed and, if small, the node count
    #[arg(long, value_name = "MIB", default_value_t = HASH, value_parser = number::<usize>(1..=1 << 20))]
    hash: usize,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let evaluation = if arguments.handwritten { Evaluation::Handwritten } else { Evaluation::default() };
    let result = bench(evaluation, arguments.hash, &AtomicBool::new(false), |line| println!("{line}"))?;
    result.iter().for_each(|result| println!("{result}"));
    Ok(())
}
