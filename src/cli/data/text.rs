//! `judkins data export` and `judkins data import`: games as text, for other trainers and from other tools.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::json;

use crate::cli::files::{check_output, output_file};
use crate::cli::number::number;
use crate::cli::print::unless_closed;
use crate::cli::shard_folder;
use crate::cli::shards::ShardFiles;
use judkins::atomic_file;
use judkins::counted::counted;
use judkins::data::{
    PART_EXTENSION, SHARD_EXTENSION, ShardReader, TrainingGame, WriteTextError, read_text_games, shard_name,
    write_quiet_text, write_shard, write_text_game,
};

#[derive(Args)]
pub struct ExportArguments {
    #[command(flatten)]
    files: ShardFiles,
    /// The output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only the positions on which `judkins train` trains: not in check, the move neither captures nor promotes, and
    /// the score is neither noisy nor that of a decided game. They cannot be imported again
    #[arg(long)]
    quiet: bool,
}

#[derive(Args)]
pub struct ImportArguments {
    /// Texts written by `judkins data export`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A folder for the shards; it must not contain any
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Games per shard
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = number::<usize>(1..=100_000))]
    games: usize,
}

pub fn export(arguments: &ExportArguments) -> Result<()> {
    let inputs = arguments.files.paths()?;
    let out = output_file(arguments.out.as_deref());
    check_output(out, inputs.iter().map(PathBuf::as_path))?;
    match out {
        Some(path) => atomic_file::write_with(path, |file| write(&inputs, arguments.quiet, file)).map_err(|error| {
            // Errors of a shard name it.
            if error.is::<io::Error>() { error.context(path.display().to_string()) } else { error }
        }),
        None => unless_closed(write(&inputs, arguments.quiet, &mut io::BufWriter::new(io::stdout().lock()))),
    }
}

fn write(inputs: &[PathBuf], quiet: bool, out: &mut impl Write) -> Result<()> {
    for path in inputs {
        let mut shard = ShardReader::open(path)?;
        while let Some(game) = shard.next() {
            let game = game?;
            let written = if quiet { write_quiet_text(&game, out) } else { write_text_game(&game, out) };
            written.map_err(|error| match error {
                WriteTextError::Illegal(error) => shard.illegal(error).into(),
                WriteTextError::Io(error) => anyhow::Error::from(error),
            })?;
        }
    }
    Ok(out.flush()?)
}

pub fn import(ImportArguments { files, out, games }: &ImportArguments) -> Result<()> {
    // First check that everything can be read: incomplete shards would obstruct the next attempt.
    let mut found = 0;
    read_all(files, |_| {
        found += 1;
        Ok(())
    })?;
    ensure!(found > 0, "there is no game in {}", files[0].display());
    let imported: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    let _lock = shard_folder::begin_anew(out, &json!({ "imported": imported }))?;
    let mut shards = Shards { out, full: *games, games: Vec::new(), written: 0, count: 0 };
    if let Err(error) = shards.fill(files, found) {
        shards.delete_parts();
        return Err(error);
    }
    shards.finish()?;
    let (games, shards) = (counted(shards.count, "game"), counted(shards.written, "shard"));
    println!("{games}, {shards} in {}", out.display());
    Ok(())
}

fn read_all(files: &[PathBuf], mut take: impl FnMut(TrainingGame) -> Result<()>) -> Result<()> {
    for path in files {
        let name = || path.display().to_string();
        let file = File::open(path).with_context(name)?;
        read_text_games(BufReader::new(file), &mut take).with_context(name)?;
    }
    Ok(())
}

/// Collects games into shards.
struct Shards<'a> {
    out: &'a Path,
    full: usize,
    games: Vec<TrainingGame>,
    written: usize,
    count: usize,
}

impl Shards<'_> {
    /// Writes the games of the texts as parts.
    fn fill(&mut self, files: &[PathBuf], expected: usize) -> Result<()> {
        read_all(files, |game| self.add(game))?;
        self.write()?;
        let count = self.count;
        ensure!(count == expected, "{expected} games, then {count}: a text is read twice, so it must be a file");
        Ok(())
    }

    /// Deletes the parts of an import that failed: it cannot be resumed.
    fn delete_parts(&self) {
        // A part that cannot be deleted stays: the error of the import is reported already. Parts of an earlier import
        // that was killed may follow those of this one.
        let parts = (0..).map(|number| self.path(number, PART_EXTENSION));
        for part in parts.take_while(|part| part.exists()) {
            let _ = fs::remove_file(part);
        }
    }

    fn add(&mut self, game: TrainingGame) -> Result<()> {
        self.games.push(game);
        self.count += 1;
        if self.games.len() == self.full { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<()> {
        if !self.games.is_empty() {
            write_shard(&self.path(self.written, PART_EXTENSION), &self.games)?;
            self.games.clear();
            self.written += 1;
        }
        Ok(())
    }

    /// Gives the shards their names once all are there: a killed import must not pass for a whole one.
    fn finish(&self) -> Result<()> {
        for number in 0..self.written {
            let shard = self.path(number, SHARD_EXTENSION);
            let renamed = fs::rename(self.path(number, PART_EXTENSION), &shard);
            renamed.with_context(|| shard.display().to_string())?;
        }
        Ok(())
    }

    fn path(&self, number: usize, extension: &str) -> PathBuf {
        self.out.join(shard_name(number as u64)).with_extension(extension)
    }
}
