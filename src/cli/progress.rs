//! The progress of long commands: a bar on standard error if that is a terminal, otherwise lines on standard output.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::number::seconds;
use judkins::work::lock;

/// Writes a line to standard output while work remains, which goes on if nobody reads the output any more.
pub fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// A bar up to `length`, with a template of `indicatif`. It is hidden if standard error is not a terminal.
///
/// # Panics
/// If the template is invalid.
pub fn bar(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template(template).expect("the template is valid").progress_chars("━━╌"));
    bar
}

/// A line with a message, while the amount of work is unknown.
pub fn line() -> ProgressBar {
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    line.set_style(ProgressStyle::with_template("{msg}").expect("the template is valid"));
    line
}

/// The time between two drawings of a bar.
const REDRAW: Duration = Duration::from_millis(100);

/// The frequency of progress reports.
#[derive(Args, Clone, Copy)]
pub struct ProgressArguments {
    /// If standard error is not a terminal: seconds between two lines of progress
    #[arg(long, default_value = "10", value_name = "SECONDS", value_parser = seconds)]
    interval: Duration,
}

/// The progress of a command that counts its work.
pub struct Progress {
    bar: ProgressBar,
    /// The time between two drawings or lines.
    interval: Duration,
    deadline: Option<Instant>,
    begun: Instant,
    said: Mutex<Said>,
}

struct Said {
    count: Count,
    at: Instant,
}

/// The amount of work done.
#[derive(Clone, Copy)]
struct Count {
    /// The unit of the work.
    unit: &'static str,
    done: u64,
    /// The work done by an earlier run, which does not count for the speed of this one.
    before: u64,
    /// The total work, if it is known.
    all: Option<u64>,
}

impl Progress {
    /// Counts from `before` to `all`. A deadline may end the work earlier.
    pub fn new(
        arguments: ProgressArguments,
        unit: &'static str,
        before: u64,
        all: Option<u64>,
        deadline: Option<Instant>,
    ) -> Progress {
        let bar = match all {
            Some(all) => bar(all, "{bar:20} {wide_msg}").with_position(before),
            None => line(),
        };
        let terminal = io::stderr().is_terminal();
        let interval = if terminal { REDRAW } else { arguments.interval };
        let count = Count { unit, done: before, before, all };
        let (begun, at) = (Instant::now(), Instant::now());
        Progress { bar, interval, deadline, begun, said: Mutex::new(Said { count, at }) }
    }

    /// Adds work done. `more` is further text.
    pub fn add(&self, done: u64, more: impl FnOnce(Duration) -> String) {
        self.change(|count| count.done += done, more);
    }

    /// Adds work that an earlier run has done.
    pub fn skip(&self, done: u64) {
        let skip = |count: &mut Count| (count.done, count.before) = (count.done + done, count.before + done);
        self.change(skip, |_| String::new());
    }

    /// Sets the work done. `more` is further text, given the time since the beginning.
    pub fn set(&self, done: u64, more: impl FnOnce(Duration) -> String) {
        self.change(|count| count.done = done, more);
    }

    fn change(&self, change: impl FnOnce(&mut Count), more: impl FnOnce(Duration) -> String) {
        let mut said = lock(&self.said);
        change(&mut said.count);
        if said.at.elapsed() < self.interval {
            return;
        }
        let elapsed = self.begun.elapsed();
        let until = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let text = said.count.text(&more(elapsed), elapsed, until);
        if self.bar.is_hidden() {
            say(&text);
        } else {
            self.bar.set_position(said.count.done);
            self.bar.set_message(text);
        }
        said.at = Instant::now();
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Count {
    /// A line: the work done, further text, the time since the beginning, and the time left. `until` is the time to the
    /// deadline.
    fn text(self, more: &str, elapsed: Duration, until: Option<Duration>) -> String {
        let Count { unit, done, all, .. } = self;
        let all_text = all.map_or_else(String::new, |all| format!("/{all}"));
        let mut text = format!("{done}{all_text} {unit}");
        if !more.is_empty() {
            text += &format!(", {more}");
        }
        text += &format!(", {} elapsed", HumanDuration(elapsed));
        if let Some(left) = self.left(elapsed).into_iter().chain(until).min() {
            text += &format!(", {} left", HumanDuration(left));
        }
        text
    }

    /// The time left at the speed so far; none before any work is done.
    fn left(self, elapsed: Duration) -> Option<Duration> {
        let (done, rest) = (self.done.checked_sub(self.before)?, self.all?.saturating_sub(self.done));
        let seconds = elapsed.as_secs_f64() * rest as f64 / done as f64;
        Duration::try_from_secs_f64(seconds).ok().filter(|_| done > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_known_once_something_was_done() {
        let second = Duration::from_secs(1);
        let count = |done, before, all| Count { unit: "games", done, before, all };
        assert_eq!(count(0, 0, Some(10)).text("", 60 * second, None), "0/10 games, 60 seconds elapsed");
        let text = count(6, 4, Some(10)).text("2 a minute", 60 * second, None);
        assert_eq!(text, "6/10 games, 2 a minute, 60 seconds elapsed, 2 minutes left");
        assert_eq!(count(6, 0, None).text("", second, None), "6 games, 1 second elapsed");
        // The earlier end counts.
        let text = count(5, 0, Some(10)).text("", 60 * second, Some(20 * second));
        assert_eq!(text, "5/10 games, 60 seconds elapsed, 20 seconds left");
        let text = count(5, 0, Some(10)).text("", second, Some(20 * second));
        assert_eq!(text, "5/10 games, 1 second elapsed, 1 second left");
        assert_eq!(count(12, 0, Some(10)).left(second), Some(Duration::ZERO));
    }
}
