//! Matches in jobs: pairs of games described in JSON, for other machines to play.

use std::path::Path;

use anyhow::{Result, bail};

use super::arguments::Arguments;
use crate::cli::engines::job_error;
use crate::cli::files::read_json;
use crate::cli::interrupt;
use crate::cli::program::job_engines;
use judkins::arena::{Done, EngineSpec, Job, Match};

/// Plays the job in a file and prints its result as JSON.
pub fn play(path: &Path) -> Result<()> {
    let job: Job = read_json(path)?;
    let specs = job_engines(&job)?;
    let stop = interrupt::watch()?;
    job.check(specs.clone(), stop).map_err(job_error)?;
    let result = job.play(specs, stop).map_err(job_error)?;
    println!("{}", serde_json::to_string(&result)?);
    Ok(())
}

/// Prints the match as jobs: the number of each first game, and the job. Completed jobs are omitted.
pub fn print(arguments: &Arguments, plan: &Match, done: &Done, pairs: usize) -> Result<()> {
    let [one, other] = &plan.engines[..] else { bail!("--jobs is for two engines") };
    // A job may be played from another working directory, so programs need absolute paths.
    let found = |text: &String, spec: &EngineSpec| format!("{text},cmd={}", spec.command);
    let engines = [found(&arguments.engines[0], one), found(&arguments.engines[1], other)];
    let all = plan.schedule.pairs();
    for first in (0..all).step_by(pairs) {
        let job = first..all.min(first + pairs);
        if job.clone().all(|pair| done.has_pair(pair)) {
            continue;
        }
        let openings = job.clone().map(|pair| &plan.openings[pair % plan.openings.len()]);
        let job = Job {
            engines: engines.clone(),
            each: arguments.each.clone(),
            openings: openings.map(ToString::to_string).collect(),
            rules: plan.rules,
            first_pair: first,
            jitter: plan.jitter,
            recover: plan.recover,
        };
        println!("{}", serde_json::json!({ "first": 2 * first + 1, "job": job }));
    }
    Ok(())
}
