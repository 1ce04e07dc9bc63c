//! The outputs of a match as its games end: standings, texts and the report.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::arguments::Arguments;
use crate::cli::print::unless_closed;
use judkins::arena::{GameRecord, Report, Standings, read_records};
use judkins::atomic_file;
use judkins::counted::counted;
use judkins::record::{Format, Record, pgn, usi};

/// Opens a file for one writer without truncating it yet.
fn open(path: Option<&Path>) -> Result<Option<File>> {
    let open = |path: &Path| {
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        // Several programs may write to a device.
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return options.open(path);
        }
        atomic_file::open_for_one_writer(&mut options, path)
    };
    path.map(|path| open(path).with_context(|| path.display().to_string())).transpose()
}

/// Makes sure that the files of games, which are rewritten from the record of a match, have no other games: a file
/// begins with the first game of the record, if there is one.
pub fn check_texts(arguments: &Arguments, first: Option<&GameRecord>) -> Result<()> {
    for (path, format) in [(&arguments.pgn, Format::Pgn), (&arguments.usi, Format::Usi)] {
        let Some(path) = path.as_deref().filter(|path| path.is_file()) else { continue };
        let text = first.map(|record| game(record).map(|game| text(&game, format))).transpose()?.unwrap_or_default();
        let mut begin = Vec::new();
        File::open(path)
            .and_then(|file| file.take(text.len().max(1) as u64).read_to_end(&mut begin))
            .with_context(|| path.display().to_string())?;
        // A killed match may have written a part of the first game.
        let is_of_match = text.as_bytes().starts_with(&begin);
        ensure!(is_of_match, "{} exists, and may hold the games of another match", path.display());
    }
    Ok(())
}

fn game(record: &GameRecord) -> Result<Record> {
    match record.to_record() {
        (Some(game), None) => Ok(game),
        (_, flaw) => bail!("game {}: {}", record.game, flaw.unwrap_or_default()),
    }
}

/// A game in a file of PGN or USI.
fn text(game: &Record, format: Format) -> String {
    match format {
        Format::Pgn => pgn::to_pgn(game),
        _ => usi::to_commented_line(game) + "\n",
    }
}

/// The outputs of a match besides its record.
pub struct Outputs {
    pub standings: Standings,
    report: Report,
    /// Hashes of the games, which tell copies.
    games: HashSet<u64>,
    copies: u64,
    pgn: Option<File>,
    usi: Option<File>,
}

impl Outputs {
    /// No games yet. The contents of the files are kept until [`Outputs::begin`], because the match may not take place.
    pub fn new(arguments: &Arguments, standings: Standings) -> Result<Outputs> {
        let report = Report::new(standings.names().iter().cloned());
        // The report is drawn after the last game, when it is too late to choose another file.
        if let Some(report) = &arguments.report {
            atomic_file::check_writable(report).with_context(|| report.display().to_string())?;
        }
        let [pgn, usi] = [&arguments.pgn, &arguments.usi].map(|path| open(path.as_deref()));
        Ok(Outputs { standings, report, games: HashSet::new(), copies: 0, pgn: pgn?, usi: usi? })
    }

    /// Truncates the files of games, which are rewritten.
    pub fn begin(&self) -> Result<()> {
        for (file, option) in [(&self.pgn, "--pgn"), (&self.usi, "--usi")] {
            // Devices and pipes cannot be truncated.
            if let Some(file) = file
                && file.metadata().context(option)?.is_file()
            {
                file.set_len(0).context(option)?;
            }
        }
        Ok(())
    }

    /// Adds every game of a file.
    pub fn add_all(&mut self, path: &Path) -> Result<()> {
        let mut added = Ok(());
        read_records(path, |record| {
            if added.is_ok() {
                added = self.add(&record);
            }
        })?;
        added
    }

    /// Adds a game to all outputs except the record.
    pub fn add(&mut self, record: &GameRecord) -> Result<()> {
        self.standings.add(record);
        self.report.add(record);
        let content = (&record.black.name, &record.white.name, &record.opening, &record.moves);
        if record.counts && !record.reason.is_fault() {
            let hash = self.games.hasher().hash_one(content);
            self.copies += u64::from(!self.games.insert(hash));
        }
        if self.pgn.is_none() && self.usi.is_none() {
            return Ok(());
        }
        let game = game(record)?;
        if let Some(file) = &mut self.pgn {
            file.write_all(text(&game, Format::Pgn).as_bytes()).context("--pgn")?;
        }
        if let Some(file) = &mut self.usi {
            file.write_all(text(&game, Format::Usi).as_bytes()).context("--usi")?;
        }
        Ok(())
    }

    /// Prints the summary and writes the report.
    pub fn finish(&self, arguments: &Arguments) -> Result<()> {
        // Write the report even if standard output is closed, and print the summary even if the report cannot be
        // written.
        let strength = self.standings.strength();
        let write = |path: &PathBuf| self.report.write(path, strength.as_deref());
        let written = arguments.report.as_ref().map_or(Ok(()), write);
        let mut summary = self.standings.summary();
        if self.copies > 0 {
            let games = counted(self.copies, "game");
            summary += &format!("  copies     {games} with the moves of another, without further evidence\n");
        }
        let printed = io::stdout().write_all(summary.as_bytes());
        unless_closed(printed.context("standard output")).and(written.map_err(Into::into))
    }
}
