//! `judkins match`: engine against engine, with statistics.

mod arguments;
mod jobs;
mod outputs;
mod plan;
mod watcher;

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::files::{check_output, extension};
use super::progress::say;
use super::{engines, interrupt};
use judkins::arena::{Ending, OtherMatch, RecordFile, Rules, Standings, read_records};
use judkins::atomic_file::resolved;
use judkins::counted::counted;
use outputs::Outputs;
use watcher::Watcher;

pub use arguments::Arguments;

/// Plays the match, or shows a played one.
pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(path) = &arguments.job {
        return jobs::play(path);
    }
    check_files(arguments)?;
    if arguments.engines.is_empty() {
        return show(arguments);
    }
    let plan = plan::plan(arguments)?;
    let mut done = plan.nothing_done();
    let mut first = None;
    let holds_games = |path: &Path| path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
    // A match that failed in its first game leaves an empty record.
    let goes_on = arguments.record.as_ref().is_some_and(|path| {
        path.exists() && (arguments.resume || path.is_file() && !holds_games(path) && arguments.jobs.is_none())
    });
    let mut record = match &arguments.record {
        Some(path) if goes_on => {
            let mut taken = Ok(());
            let file = RecordFile::resume(path, |record| {
                first.get_or_insert_with(|| record.clone());
                if taken.is_ok() {
                    taken = plan.take_record(&mut done, &record);
                }
            })?;
            taken.with_context(|| format!("{} cannot be resumed with other settings", path.display()))?;
            Some(file)
        }
        Some(_) if arguments.jobs.is_some() && !arguments.resume => {
            bail!("--jobs writes no --record: with --resume it leaves out what is there")
        }
        Some(path) => {
            ensure!(arguments.resume || !path.exists(), "{} exists: --resume goes on with a record", path.display());
            None
        }
        None => None,
    };
    if let Some(pairs) = arguments.jobs {
        return jobs::print(arguments, &plan, &done, pairs);
    }

    let stop = interrupt::watch()?;
    plan.check_engines(stop, |warning| eprintln!("judkins: {warning}")).map_err(engines::unfit)?;

    outputs::check_texts(arguments, first.as_ref())?;
    let names = plan.engines.iter().map(|spec| spec.name.clone());
    let mut outputs = Outputs::new(arguments, Standings::new(names, plan.sprt))?;
    // Create it last: a record left behind by an error would obstruct the corrected command.
    if let Some(path) = arguments.record.as_deref().filter(|_| !goes_on) {
        record = Some(RecordFile::create(path)?);
    }
    outputs.begin()?;
    if let Some(path) = arguments.record.as_deref().filter(|_| goes_on) {
        outputs.add_all(path)?;
    }
    let watcher = Watcher::new(&plan, arguments, &outputs.standings);
    let ending = plan.run(done, stop, |game| {
        if let Some(file) = &mut record {
            file.write(&game)?;
        }
        outputs.add(&game)?;
        watcher.game(&game, &outputs.standings);
        Ok::<(), anyhow::Error>(())
    });
    watcher.finish();
    if !matches!(ending, Ok(Ending::Complete | Ending::Decided(_))) {
        say(&format!("Stopped after {} of {}.", outputs.standings.games(), counted(plan.schedule.games(), "game")));
    }
    let finished = outputs.finish(arguments);
    match ending? {
        Ending::Failed(error) => Err(engines::unfit(error)),
        Ending::Aborted if arguments.record.is_some() => bail!("interrupted: --resume goes on with the record"),
        Ending::Aborted => bail!("interrupted"),
        Ending::Complete | Ending::Decided(_) => finished,
    }
}

/// Shows the match in a record.
fn show(arguments: &Arguments) -> Result<()> {
    let Some(path) = &arguments.record else {
        bail!("--engine is missing: give two, or the --record of a match to show");
    };
    ensure!(arguments.openings.openings.is_none(), "--openings is for a match: give its engines with --engine");
    let has_rules = arguments.rules.rules()? != Rules::default();
    ensure!(!has_rules, "a record has the rules of its match: other ones are for a match, with --engine");
    // Truncate files only if there are games.
    let (mut standings, mut numbers, mut twice) = (Standings::default(), HashSet::new(), None);
    read_records(path, |record| {
        standings.add(&record);
        twice = twice.or((!numbers.insert((record.game, record.replay))).then_some(record.game));
    })?;
    if let Some(game) = twice {
        return Err(OtherMatch::Twice(game)).with_context(|| path.display().to_string());
    }
    let engines = standings.names().len();
    ensure!(engines > 0, "{}: there is no game in it", path.display());
    let compares_two = arguments.sprt.is_empty() || engines == 2;
    ensure!(compares_two, "--sprt is for two engines; {} has {engines}", path.display());
    let mut outputs = Outputs::new(arguments, Standings::new([], plan::sprt(&arguments.sprt)?))?;
    outputs.begin()?;
    outputs.add_all(path)?;
    outputs.finish(arguments)
}

/// Rejects an output file that is also an input, or that is named twice, under any name. Rejects a report whose name
/// does not end with .svg: it could be any file.
fn check_files(arguments: &Arguments) -> Result<()> {
    let Arguments { openings, record, pgn, usi, report, .. } = arguments;
    let mut files = HashSet::new();
    for file in [&openings.openings, record, pgn, usi, report].into_iter().flatten() {
        if !files.insert(resolved(file).with_context(|| file.display().to_string())?) {
            bail!("{} is asked for twice", file.display());
        }
    }
    for output in [record, pgn, usi, report] {
        check_output(output.as_deref(), [])?;
    }
    if let Some(path) = report {
        let is_device = path.metadata().is_ok_and(|found| !found.is_file());
        let is_picture = extension(path).as_deref() == Some("svg");
        ensure!(is_picture || is_device, "--report {}: the name must end with .svg", path.display());
    }
    Ok(())
}
