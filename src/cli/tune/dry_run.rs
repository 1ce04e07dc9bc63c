use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::HumanDuration;

use super::RunArguments;
use super::batch::play;
use judkins::counted::counted;
use judkins::tune::{Run, TuneSettings};

/// Shows the parameters with the values of the first and the last pair, and plays a batch to measure its time.
pub fn dry_run(arguments: &RunArguments, settings: TuneSettings, openings: &[String], stop: &AtomicBool) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("judkins-tune-{}", std::process::id()));
    let run = Run::open(&folder, settings);
    let cleared = fs::remove_dir_all(&folder).with_context(|| folder.display().to_string());
    let run = run?;
    cleared?;
    let TuneSettings { parameters, gains, batch, .. } = run.settings();
    println!("{} in batches of {batch}; the values of the first pair:\n", counted(gains.pairs, "pair"));
    let planned = arguments.next(&run, openings);
    println!("{:<24} {:>8} {:>8} {:>8} {:>8} {:>10}", "", "start", "plus", "minus", "step", "range");
    for (index, parameter) in parameters.iter().enumerate() {
        let (plus, minus) = (planned[0].perturbation.plus[index], planned[0].perturbation.minus[index]);
        let range = format!("{}..{}", parameter.min, parameter.max);
        println!(
            "{:<24} {:>8} {plus:>8} {minus:>8} {:>8} {range:>10}",
            parameter.name, parameter.start, parameter.step
        );
    }
    let (started, pairs) = (Instant::now(), planned.len());
    play(planned, arguments.concurrency, stop)?.context("interrupted")?;
    let each = started.elapsed().as_secs_f64() / pairs as f64;
    let all = Duration::from_secs_f64(each * gains.pairs as f64);
    println!("\n{} took {each:.2} s each: all of them will take {}", counted(pairs, "pair"), HumanDuration(all));
    Ok(())
}
