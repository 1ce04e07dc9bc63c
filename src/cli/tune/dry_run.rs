//! `judkins tune --dry-run`: the parameters with their next values, and an estimate of the run's duration.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use indicatif::HumanDuration;

use super::batch::play;
use judkins::counted::counted;
use judkins::tune::{PlannedPair, Run, TuneSettings};

/// Shows the parameters with the values of the next pair, and plays the planned batch to measure its time.
pub fn dry_run(run: &Run, planned: Vec<PlannedPair>, concurrency: usize, stop: &AtomicBool) -> Result<()> {
    let TuneSettings { parameters, gains, batch, .. } = run.settings();
    ensure!(!planned.is_empty(), "all {} have been played", counted(gains.pairs, "pair"));
    let left = gains.pairs - run.pairs();
    println!("{} in batches of {batch}, {left} left; the values of the next pair:\n", counted(gains.pairs, "pair"));
    println!("{:<24} {:>8} {:>8} {:>8} {:>8} {:>10}", "", "value", "plus", "minus", "step", "range");
    for (index, (parameter, value)) in parameters.iter().zip(run.rounded()).enumerate() {
        let (plus, minus) = (planned[0].perturbation.plus[index], planned[0].perturbation.minus[index]);
        let range = format!("{}..{}", parameter.min, parameter.max);
        println!("{:<24} {value:>8} {plus:>8} {minus:>8} {:>8} {range:>10}", parameter.name, parameter.step);
    }
    let (started, pairs) = (Instant::now(), planned.len());
    play(planned, concurrency, stop)?.context("interrupted")?;
    let each = started.elapsed().as_secs_f64() / pairs as f64;
    let all = Duration::from_secs_f64(each * left as f64);
    println!("\n{} took {each:.2} s each: those left will take {}", counted(pairs, "pair"), HumanDuration(all));
    Ok(())
}
