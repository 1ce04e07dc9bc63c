//! Progress output of `judkins match`: current standings, and games with a fault, or all games with `--verbose`.

use indicatif::ProgressBar;

use super::arguments::Arguments;
use crate::cli::progress::{self, say};
use judkins::arena::{GameRecord, Match, Standings};

/// Shows the progress of a match: a bar on a terminal, otherwise a line after every `interval` games.
pub struct Watcher {
    bar: ProgressBar,
    interval: u64,
    verbose: bool,
    all: u64,
}

impl Watcher {
    pub fn new(plan: &Match, arguments: &Arguments, standings: &Standings) -> Watcher {
        let all = plan.schedule.games() as u64;
        let bar = progress::bar(all, "{pos}/{len} {bar:20.cyan/blue} {eta} left  {wide_msg}")
            .with_position(standings.games());
        // The games of an earlier run do not count for the speed of this one.
        bar.reset_eta();
        bar.set_message(standings.progress());
        let Arguments { interval, verbose, .. } = *arguments;
        Watcher { bar, interval, verbose, all }
    }

    /// Shows a game that has ended.
    pub fn game(&self, record: &GameRecord, standings: &Standings) {
        if self.verbose || record.reason.is_fault() {
            let GameRecord { game, black, white, result, detail, .. } = record;
            let line = format!("{game}. {} - {} {} {detail}", black.name, white.name, result.text());
            self.bar.suspend(|| say(&line));
        }
        let games = standings.games();
        self.bar.set_position(games);
        self.bar.set_message(standings.progress());
        if self.bar.is_hidden() && record.counts && games.is_multiple_of(self.interval) && games < self.all {
            say(&format!("{games}/{}  {}", self.all, standings.progress()));
        }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
