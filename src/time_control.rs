//! Time controls, and a player's clock.

use std::fmt;
use std::num::NonZero;
use std::time::Duration;

use crate::protocol::usi::Go;
use crate::shogi::Color;

/// The limits on an engine's thinking.
///
/// A clock (main time, increment, byoyomi) and a fixed time per move exclude each other; nodes and depth may be
/// combined with either, or used alone. The referee enforces only time; the engine obeys the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The main time; after it, only byoyomi is left.
    pub main: Option<Duration>,
    /// The number of moves for the main time, after which it is added again; none for the whole game.
    pub moves: Option<NonZero<u32>>,
    /// The increment after each move.
    pub increment: Duration,
    /// The time per move after the main time is used up.
    pub byoyomi: Duration,
    /// A fixed time per move, without a clock.
    pub movetime: Option<Duration>,
    /// The number of nodes per move.
    pub nodes: Option<u64>,
    /// The depth per move, in plies.
    pub depth: Option<u32>,
}

impl TimeControl {
    /// Whether a clock runs over the whole game.
    pub fn has_clock(&self) -> bool {
        self.main.is_some() || !self.byoyomi.is_zero()
    }

    /// Whether it is a clock or a fixed time per move of less than a millisecond, the unit of the protocols.
    pub fn is_empty(&self) -> bool {
        let clock = self.has_clock().then(|| self.main.unwrap_or_default() + self.increment + self.byoyomi);
        self.movetime.or(clock).is_some_and(|time| time < Duration::from_millis(1))
    }

    /// Whether a move has any limit.
    pub fn is_limited(&self) -> bool {
        self.has_clock() || self.movetime.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// Sets the clock to `[MOVES/]TIME[+INCREMENT]`, in cutechess's syntax, or removes it with `inf`.
    ///
    /// # Errors
    /// The error, to follow the key's name.
    pub fn set_clock(&mut self, text: &str) -> Result<(), String> {
        if text == "inf" {
            (self.main, self.moves, self.increment) = (None, None, Duration::ZERO);
            return Ok(());
        }
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => {
                let refused = || format!("'{moves}' is not a number of moves; write MOVES/TIME, like 40/60");
                (Some(moves.parse::<NonZero<u32>>().map_err(|_| refused())?), time)
            }
            None => (None, text),
        };
        let (main, increment) = time.split_once('+').unwrap_or((time, "0"));
        (self.main, self.increment) = (Some(parse_time(main, "s")?), parse_time(increment, "s")?);
        self.moves = moves;
        Ok(())
    }
}

/// As on a command line: `tc=40/60+0.5`, `byoyomi=5000`, `movetime=100,depth=8`.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(main) = self.main {
            let increment = match self.increment.as_secs_f64() {
                0.0 => String::new(),
                seconds => format!("+{seconds}"),
            };
            let moves = self.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
            parts.push(format!("tc={moves}{}{increment}", main.as_secs_f64()));
        }
        if !self.byoyomi.is_zero() {
            parts.push(format!("byoyomi={}", self.byoyomi.as_millis()));
        }
        parts.extend(self.movetime.map(|time| format!("movetime={}", time.as_millis())));
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        f.write_str(&parts.join(","))
    }
}

/// Reads a time: a number followed by `ms`, `s`, `m` or `h`, or without a unit in the given one. Also reads `m:s`.
///
/// # Errors
/// The error, to follow the key's name.
pub fn parse_time(text: &str, unit: &str) -> Result<Duration, String> {
    let counted = if unit == "ms" { "milliseconds" } else { "seconds" };
    let refused = || format!("'{text}' is not a time; write {counted}, 1:30, 500ms, 2s, 1m or 1h");
    // A sign would apply to the minutes only.
    let number = |text: &str| text.parse().ok().filter(|_| !text.starts_with(['-', '+'])).ok_or_else(refused);
    let seconds = if let Some((minutes, seconds)) = text.split_once(':') {
        60.0 * number(minutes)? + number(seconds)?
    } else {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let given = &text[digits.len()..];
        let number: f64 = number(digits)?;
        if given.is_empty() && unit == "ms" && number.fract() != 0.0 {
            return Err(format!("'{text}' counts milliseconds; for seconds write {text}s"));
        }
        number
            * match if given.is_empty() { unit } else { given } {
                "ms" => 0.001,
                "s" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                _ => return Err(refused()),
            }
    };
    // More than a year is a mistake.
    Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= LONGEST).ok_or_else(refused)
}

const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// A player's clock during a game.
#[derive(Clone, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    /// The debt: time used beyond the clock, within the margin. The next increment pays it first.
    owed: Duration,
    /// The number of moves until the main time is added again, if it is.
    moves_left: Option<u32>,
}

impl Clock {
    /// A clock before the first move.
    pub fn new(control: TimeControl) -> Clock {
        let moves_left = control.moves.map(NonZero::get);
        // Without a main time the first move has the increment.
        let left = control.main.filter(|main| !main.is_zero()).unwrap_or(control.increment);
        Clock { control, left, owed: Duration::ZERO, moves_left }
    }

    /// The time limit of the next move; none without a limit.
    pub fn allowed(&self) -> Option<Duration> {
        match self.control.movetime {
            Some(time) => Some(time),
            None => self.control.has_clock().then_some(self.left + self.control.byoyomi),
        }
    }

    /// The time by which the next move may exceed its limit: the margin minus the debt.
    pub fn lends(&self, margin: Duration) -> Duration {
        margin.saturating_sub(self.owed)
    }

    /// The remaining main time.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Sets the remaining main time when a game is continued.
    pub fn set_left(&mut self, left: Duration) {
        self.left = left;
    }

    /// Subtracts the time of a move from the clock, and adds the increment, and the main time after its last move.
    pub fn press(&mut self, used: Duration) {
        let Some(main) = self.control.main else { return };
        let mut added = self.control.increment;
        if let (Some(left), Some(moves)) = (&mut self.moves_left, self.control.moves) {
            *left -= 1;
            if *left == 0 {
                *left = moves.get();
                added += main;
            }
        }
        // Byoyomi starts anew for each move, so it leaves no debt.
        if self.control.byoyomi.is_zero() {
            self.owed += used.saturating_sub(self.left);
        }
        let paid = self.owed.min(added);
        self.owed -= paid;
        self.left = self.left.saturating_sub(used) + added - paid;
    }
}

/// The limits to send to an engine before a move: its own, and the opponent's clock.
pub fn limits(clocks: &[Clock; 2], mover: Color) -> Go {
    let own = &clocks[mover.index()].control;
    let mut go = Go { movetime: own.movetime, nodes: own.nodes, depth: own.depth, ..Go::default() };
    if own.has_clock() {
        go.movestogo = clocks[mover.index()].moves_left;
        let [black, white] = [&clocks[0], &clocks[1]];
        (go.btime, go.wtime) = (Some(black.left), Some(white.left));
        if clocks.iter().any(|clock| !clock.control.increment.is_zero()) {
            (go.binc, go.winc) = (Some(black.control.increment), Some(white.control.increment));
        }
        // USI has one byoyomi for both sides; send the mover's.
        if !own.byoyomi.is_zero() || go.binc.is_none() {
            go.byoyomi = Some(own.byoyomi);
        }
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn times_have_units() {
        for (text, unit, expected) in [
            ("60", "s", Ok(60_000)),
            ("0.05", "s", Ok(50)),
            ("2:30", "s", Ok(150_000)),
            ("100", "ms", Ok(100)),
            ("0.1s", "ms", Ok(100)),
            ("2m", "ms", Ok(120_000)),
            ("8784h", "ms", Ok(366 * 24 * 3_600_000)),
            ("8784.1h", "ms", Err("'8784.1h' is not a time")),
            ("5ms", "s", Ok(5)),
            ("0.1", "ms", Err("'0.1' counts milliseconds; for seconds write 0.1s")),
            ("", "s", Err("'' is not a time")),
            ("-1", "s", Err("'-1' is not a time; write seconds, 1:30, 500ms, 2s, 1m or 1h")),
            ("1:-30", "s", Err("'1:-30' is not a time")),
            ("-1:30", "s", Err("'-1:30' is not a time")),
            ("5x", "s", Err("'5x' is not a time")),
            ("inf", "s", Err("'inf' is not a time")),
            ("1e300", "s", Err("'1e300' is not a time")),
            ("1e19", "s", Err("'1e19' is not a time")),
        ] {
            match (parse_time(text, unit), expected) {
                (Err(error), Err(expected)) => assert!(error.starts_with(expected), "{error}"),
                (time, expected) => assert_eq!(time, expected.map(ms).map_err(str::to_owned), "{text}"),
            }
        }
    }

    #[test]
    fn a_clock_counts_down_to_byoyomi() {
        let mut clock = Clock::new(TimeControl { main: Some(ms(1000)), byoyomi: ms(200), ..TimeControl::default() });
        assert_eq!(clock.allowed(), Some(ms(1200)));
        clock.press(ms(900));
        assert_eq!((clock.left, clock.allowed()), (ms(100), Some(ms(300))));
        clock.press(ms(250));
        assert_eq!((clock.left, clock.allowed()), (ms(0), Some(ms(200))));
        clock.press(ms(200));
        assert_eq!(clock.allowed(), Some(ms(200)));
    }

    #[test]
    fn an_increment_comes_after_the_move() {
        let mut clock = Clock::new(TimeControl { main: Some(ms(1000)), increment: ms(10), ..TimeControl::default() });
        assert_eq!(clock.allowed(), Some(ms(1000)));
        clock.press(ms(400));
        assert_eq!(clock.allowed(), Some(ms(610)));
    }

    #[test]
    fn the_first_move_of_a_clock_without_main_time_has_the_increment() {
        let mut clock = Clock::new(TimeControl { main: Some(ms(0)), increment: ms(10), ..TimeControl::default() });
        assert_eq!(clock.allowed(), Some(ms(10)));
        clock.press(ms(4));
        assert_eq!(clock.allowed(), Some(ms(16)));
    }

    #[test]
    fn a_clock_is_wound_up_after_its_moves() {
        let mut control = TimeControl::default();
        control.set_clock("2/1+0.01").unwrap();
        let mut clock = Clock::new(control);
        let sent = |clock: &Clock| limits(&[clock.clone(), clock.clone()], Color::Black).to_string();
        assert_eq!(sent(&clock), "go btime 1000 wtime 1000 binc 10 winc 10 movestogo 2");
        clock.press(ms(400));
        assert_eq!(sent(&clock), "go btime 610 wtime 610 binc 10 winc 10 movestogo 1");
        // The new time pays the debt first.
        clock.press(ms(630));
        assert_eq!(sent(&clock), "go btime 990 wtime 990 binc 10 winc 10 movestogo 2");
        assert_eq!(clock.lends(ms(50)), ms(50));
    }

    #[test]
    fn the_margin_is_lent_not_given() {
        let mut clock = Clock::new(TimeControl { main: Some(ms(100)), increment: ms(20), ..TimeControl::default() });
        clock.press(ms(150));
        assert_eq!(clock.allowed(), Some(ms(0)), "50 ms are owed, of which the increment pays 20");
        assert_eq!(
            (clock.lends(ms(50)), clock.lends(ms(10))),
            (ms(20), ms(0)),
            "more is not lent before they are paid"
        );
        clock.press(ms(0));
        assert_eq!((clock.allowed(), clock.lends(ms(50))), (Some(ms(0)), ms(40)));
        clock.press(ms(0));
        assert_eq!((clock.allowed(), clock.lends(ms(50))), (Some(ms(10)), ms(50)));
    }

    #[test]
    fn a_clock_without_increment_lends_the_margin_once() {
        let mut clock = Clock::new(TimeControl { main: Some(ms(100)), ..TimeControl::default() });
        clock.press(ms(130));
        clock.press(ms(15));
        assert_eq!((clock.allowed(), clock.lends(ms(50))), (Some(ms(0)), ms(5)));
        // Without a clock, no move owes time to the next.
        for control in [
            TimeControl { byoyomi: ms(100), ..TimeControl::default() },
            TimeControl { main: Some(ms(20)), byoyomi: ms(100), ..TimeControl::default() },
            TimeControl { movetime: Some(ms(100)), ..TimeControl::default() },
        ] {
            let mut clock = Clock::new(control);
            (0..3).for_each(|_| clock.press(ms(140)));
            assert_eq!((clock.allowed(), clock.lends(ms(50))), (Some(ms(100)), ms(50)), "{control}");
        }
    }

    #[test]
    fn engines_are_sent_both_clocks_but_only_their_own_limits() {
        let clocks = |black, white| [Clock::new(black), Clock::new(white)];
        let none = TimeControl::default();
        let fischer = TimeControl { main: Some(ms(2000)), increment: ms(20), ..none };
        let byoyomi = TimeControl { byoyomi: ms(500), ..none };
        let nodes = TimeControl { nodes: Some(800), ..none };
        let moves = TimeControl { movetime: Some(ms(100)), depth: Some(9), ..none };
        for (black, white, mover, line) in [
            (fischer, fischer, Color::Black, "go btime 2000 wtime 2000 binc 20 winc 20"),
            (byoyomi, byoyomi, Color::White, "go btime 0 wtime 0 byoyomi 500"),
            (fischer, byoyomi, Color::White, "go btime 2000 wtime 0 binc 20 winc 0 byoyomi 500"),
            (fischer, byoyomi, Color::Black, "go btime 2000 wtime 0 binc 20 winc 0"),
            (nodes, fischer, Color::Black, "go nodes 800"),
            (nodes, fischer, Color::White, "go btime 0 wtime 2000 binc 0 winc 20"),
            (moves, nodes, Color::Black, "go movetime 100 depth 9"),
        ] {
            assert_eq!(limits(&clocks(black, white), mover).to_string(), line);
        }
    }

    #[test]
    fn clocks_are_read_as_cutechess_writes_them() {
        for (text, read) in [
            ("40/8+0.08", "tc=40/8+0.08"),
            ("40/1:30", "tc=40/90"),
            ("1:30+0.5", "tc=90+0.5"),
            ("60", "tc=60"),
            ("inf", ""),
        ] {
            let mut control = TimeControl { main: Some(ms(1)), increment: ms(1), ..TimeControl::default() };
            control.set_clock(text).unwrap();
            assert_eq!(control.to_string(), read);
        }
        for (text, error) in [
            ("0/8", "'0' is not a number of moves"),
            ("/8", "'' is not a number of moves"),
            ("40/", "'' is not a time"),
            ("40/inf", "'inf' is not a time"),
            ("8+", "'' is not a time"),
            ("40/8/8", "'8/8' is not a time"),
        ] {
            let refused = TimeControl::default().set_clock(text).unwrap_err();
            assert!(refused.starts_with(error), "{refused}");
        }
    }

    #[test]
    fn controls_are_written_as_they_are_given() {
        let control = TimeControl {
            main: Some(ms(60_000)),
            increment: ms(500),
            byoyomi: ms(5000),
            nodes: Some(10),
            ..TimeControl::default()
        };
        assert_eq!(control.to_string(), "tc=60+0.5,byoyomi=5000,nodes=10");
        let control = TimeControl { movetime: Some(ms(100)), depth: Some(8), ..TimeControl::default() };
        assert_eq!(control.to_string(), "movetime=100,depth=8");
        assert!(!TimeControl::default().is_limited());
    }
}
