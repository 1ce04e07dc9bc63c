//! `judkins tune take` and `judkins tune apply`: results from other machines, and the tuned values.

use std::io;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::batch::leads;
use crate::cli::config::beside_the_program;
use crate::cli::files::is_same_file;
use crate::cli::folder_lock;
use judkins::arena::JobResult;
use judkins::config::{Config, FILE_NAME};
use judkins::counted::counted;
use judkins::engine::OptionTable;
use judkins::search::params;
use judkins::tune::{PlannedPair, Run};
use judkins::{atomic_file, jsonl};

/// A pair that another machine played.
#[derive(serde::Deserialize)]
struct Played {
    #[serde(flatten)]
    pair: PlannedPair,
    result: JobResult,
}

/// Reads the results of a batch from standard input.
pub fn take(folder: &Path) -> Result<()> {
    ensure!(folder.is_dir(), "there is no run in {}", folder.display());
    let _lock = folder_lock::lock(folder)?;
    let mut run = Run::read(folder)?;
    let text = atomic_file::read_input(Path::new("-"))?;
    let mut played = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Played { pair, result } = jsonl::parse(line.as_bytes()).with_context(|| format!("line {}", index + 1))?;
        let numbers: Vec<usize> = result.games.iter().map(|game| game.game).collect();
        ensure!(numbers == [1, 2], "line {}: a pair is two games", index + 1);
        played.push((pair, result));
    }
    played.sort_by_key(|(pair, _)| pair.perturbation.pair);
    run.take(&leads(played)?)?;
    run.draw()?;
    println!("{} of {}", run.pairs(), counted(run.settings().gains.pairs, "pair"));
    Ok(())
}

/// Writes the values of a run to a configuration, keeping its other lines, and says how an engine reads it. Options
/// that this program does not have, because another engine was tuned, are only printed.
pub fn apply(folder: &Path, config: Option<&Path>) -> Result<()> {
    let run = Run::read(folder)?;
    let config = &config.map_or_else(|| folder.join(FILE_NAME), Path::to_owned);
    let text = match atomic_file::read_to_string(config) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| config.display().to_string())?,
    };
    // Do not add values to a file that is not a configuration.
    Config::parse(&config.display().to_string(), &text)?;
    let mut document: toml_edit::DocumentMut = text.parse().with_context(|| config.display().to_string())?;
    let options = OptionTable::new(None, false)?.list();
    let mut written = 0;
    let mut source = format!("{} of {}. For the source:\n", run.pairs(), counted(run.settings().gains.pairs, "pair"));
    for (parameter, value) in run.settings().parameters.iter().zip(run.rounded()) {
        let known = params::PARAMETERS.iter().find(|known| known.name == parameter.name);
        source += &match known {
            Some(known) => {
                format!("\n    {}: {value} in {}..={} step {};", known.name, known.min, known.max, known.step)
            }
            None => format!("\n    {} {value}", parameter.name),
        };
        let table = match known {
            Some(_) => "parameters",
            None if options.iter().any(|option| option.name == parameter.name) => "options",
            None => continue,
        };
        let table = document[table].or_insert(toml_edit::table());
        // Names are read in any case.
        let is_same = |key: &&str| key.eq_ignore_ascii_case(&parameter.name);
        let key = table.as_table_like().and_then(|table| table.iter().map(|(key, _)| key).find(is_same));
        let key = key.unwrap_or(&parameter.name).to_owned();
        table[&key] = toml_edit::value(value);
        written += 1;
    }
    if written == 0 {
        println!("{source}\n\nnothing is written to {}: these are another engine's", config.display());
        return Ok(());
    }
    let text = document.to_string();
    OptionTable::new(Some(&Config::parse(&config.display().to_string(), &text)?), false)?;
    atomic_file::write(config, text.as_bytes()).with_context(|| config.display().to_string())?;
    let are = if written == 1 { "is" } else { "are" };
    let config = std::path::absolute(config)?;
    println!("{source}\n\n{} {are} written to {}", counted(written, "value"), config.display());
    match beside_the_program() {
        Some(beside) if is_same_file(&beside, &config)? => {
            println!("It lies beside this program, which reads it at every start.");
        }
        beside => {
            println!("The file takes effect in an engine that is started with it:\n");
            println!("    judkins --config {}\n", shlex::try_quote(&config.to_string_lossy())?);
            if let Some(beside) = beside {
                println!("Without --config, this program reads {}, if there is one.", beside.display());
            }
        }
    }
    Ok(())
}
