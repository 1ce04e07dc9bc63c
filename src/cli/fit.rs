//! `judkins fit`: fits the evaluation's weights to games.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::files::check_output;
use super::interrupt;
use super::number::number;
use super::progress::say;
use judkins::arena::read_records;
use judkins::atomic_file;
use judkins::counted::counted;
use judkins::eval::handwritten::Weights;
use judkins::tune::{Fit, FitOptions, FitSamples, weights_source};

#[derive(Args)]
pub struct Arguments {
    /// Records of games from `judkins match --record`
    #[arg(required = true, value_name = "FILE")]
    records: Vec<PathBuf>,
    /// Number of passes over all positions
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = number::<usize>(0..))]
    rounds: usize,
    /// Weight of the search score in the target; the rest is the weight of the game's result
    #[arg(long, default_value_t = 0.5, value_name = "SHARE", value_parser = number::<f64>(0.0..=1.0))]
    lambda: f64,
    /// Centipawns for odds of e to 1
    #[arg(long, default_value_t = 300.0, value_name = "CP", value_parser = number::<f64>(1.0..=10_000.0))]
    scale: f64,
    /// Seed of the order of positions
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<u64>(0..))]
    seed: u64,
    /// The output file of the weights, written whenever a round improves on those in use
    #[arg(long, default_value = "src/eval/handwritten/fitted.rs", value_name = "FILE")]
    out: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    check_output(Some(&arguments.out), arguments.records.iter().map(PathBuf::as_path))?;
    let mut samples = FitSamples::default();
    for path in &arguments.records {
        read_records(path, |record| samples.add(&record))?;
    }
    let [learn, check] = samples.counts();
    ensure!(learn > 0 || check == 0, "all quiet positions are held out; more games are needed");
    ensure!(learn > 0, "no quiet positions in these games");
    say(&format!("{} to learn from, {check} held out", counted(learn, "position")));
    let Arguments { rounds, lambda, scale, seed, .. } = *arguments;
    let mut fit = Fit::new(&samples, &Weights::IN_USE, FitOptions { rounds, lambda, scale, seed });
    say("round  learned  held out   (bits a position)");
    let write = |weights: &Weights| {
        atomic_file::write(&arguments.out, weights_source(weights).as_bytes())
            .with_context(|| format!("cannot write {}", arguments.out.display()))
    };
    let stop = interrupt::watch()?;
    let mut best = (f64::INFINITY, 0);
    for round in 0..=rounds {
        if round > 0 {
            fit.round();
        }
        let loss = fit.loss();
        say(&format!("{round:>5}  {:.5}  {:.5}", loss.learned, loss.held_out));
        // A greater loss on the held-out games indicates overfitting. Without such games, use the last round.
        if check == 0 || loss.held_out < best.0 {
            best = (loss.held_out, round);
            if round > 0 {
                write(&fit.weights())?;
            }
        }
        if stop.load(Ordering::Relaxed) && round < rounds {
            ensure!(best.1 > 0, "interrupted before the weights in use were improved");
            bail!("interrupted: the weights of round {} are in {}", best.1, arguments.out.display());
        }
    }
    if best.1 == 0 {
        write(&Weights::IN_USE)?;
    }
    println!("the weights of round {} are in {}", best.1, arguments.out.display());
    Ok(())
}
