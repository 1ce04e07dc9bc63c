//! `judkins perft`: exact node counts, by first move.

use std::time::Instant;

use anyhow::Result;
use clap::Args;

use super::number::number;
use super::position::PositionArgument;
use judkins::shogi::{MAX_PERFT_DEPTH, perft_divide};

#[derive(Args)]
pub struct Arguments {
    /// Plies
    #[arg(value_parser = number::<u32>(..=MAX_PERFT_DEPTH))]
    depth: u32,
    #[command(flatten)]
    position: PositionArgument,
}

pub fn run(Arguments { depth, position }: &Arguments) -> Result<()> {
    let start = Instant::now();
    let mut total = u64::from(*depth == 0);
    perft_divide(&position.position()?, *depth, &|| false, |mv, nodes| {
        println!("{mv}: {nodes}");
        total += nodes;
    });
    let seconds = start.elapsed().as_secs_f64();
    println!("\n{seconds:.3} s, {:.1} million leaves a second", total as f64 / seconds.max(1e-9) / 1e6);
    println!("Nodes searched: {total}");
    Ok(())
}
