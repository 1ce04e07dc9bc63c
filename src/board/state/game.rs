//! A game between people and engines: its players, clocks and state.

use std::time::{Duration, Instant};

use super::io::{ProcessId, SearchInfo};
use super::level;
use super::saved::SavedGame;
use crate::board::messages::{ClockSetting, ClockView, EndView, NewGame, SeatKind, SeatLimit, SeatView, Suggestion};
use crate::contest::Tracker;
use crate::record::{NodeId, Record};
use crate::shogi::{Color, EndReason};
use crate::time_control::{Clock, TimeControl};

/// A game between people and engines, which stands at a place of the study.
#[derive(Debug)]
pub struct Play {
    pub setting: NewGame,
    pub clocks: [Clock; 2],
    pub has_clock: [bool; 2],
    /// The clocks before each move that was made since the players sat down, and where it was made.
    pub clocks_before: Vec<(NodeId, [Clock; 2])>,
    pub node: NodeId,
    /// Since when the side to move thinks; none while nobody's clock runs.
    pub since: Option<Instant>,
    /// The search of the engine that is to move.
    pub search_id: Option<u64>,
    /// Whether that search has yet to begin.
    pub awaits_engine: bool,
    /// Follows the scores, to end the game before the rules do.
    pub tracker: Tracker,
    /// What the engines found at the places where they were to move last, if nobody else plays.
    pub thoughts: [Option<(NodeId, SearchInfo)>; 2],
    /// The engines' processes; none for people, and after a failure.
    pub processes: [Option<ProcessId>; 2],
    pub result: Option<EndView>,
    /// When it ended; none while it goes on.
    pub ended: Option<Instant>,
    pub suggestion: Option<Suggestion>,
}

impl Play {
    pub fn seat(&self, color: Color) -> &SeatView {
        match color {
            Color::Black => &self.setting.black,
            Color::White => &self.setting.white,
        }
    }

    pub fn is_human(&self, color: Color) -> bool {
        self.seat(color).kind == SeatKind::Human
    }

    /// Whether engines play each other.
    pub fn is_watched(&self) -> bool {
        Color::ALL.into_iter().all(|color| !self.is_human(color))
    }

    /// The thinking time of the side to move.
    pub fn thought(&self, now: Instant) -> Duration {
        self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since))
    }

    /// Stops the clocks; the side to move has used its time until now.
    pub fn stop_clock(&mut self, mover: Color, now: Instant) {
        let used = self.thought(now);
        let clock = &mut self.clocks[mover.index()];
        clock.set_left(clock.left().saturating_sub(used));
        self.since = None;
    }

    /// Goes back to an earlier node, restoring the clocks.
    pub fn take_back(&mut self, node: NodeId) {
        if let Some(index) = self.clocks_before.iter().position(|(place, _)| *place == node) {
            self.clocks = self.clocks_before.swap_remove(index).1;
            self.clocks_before.truncate(index);
        }
        (self.node, self.search_id) = (node, None);
    }

    /// The game as it is written down, while it goes on.
    pub fn saved(&self, record: &Record, now: Instant) -> Option<SavedGame> {
        if self.result.is_some() {
            return None;
        }
        let mover = record.position(self.node)?.side_to_move();
        let left = Color::ALL.map(|color| {
            let used = if color == mover { self.thought(now) } else { Duration::ZERO };
            self.clocks[color.index()].left().saturating_sub(used).as_millis() as u64
        });
        let before =
            |(_, clocks): &(NodeId, [Clock; 2])| clocks.each_ref().map(|clock| clock.left().as_millis() as u64);
        Some(SavedGame {
            setting: self.setting.clone(),
            left,
            before: self.clocks_before.iter().map(before).collect(),
            moves: record.moves_to(self.node),
        })
    }

    pub fn clock_view(&self, color: Color, mover: Color, now: Instant) -> ClockView {
        let nothing = ClockSetting { main: 0.0, byoyomi: 0.0, increment: 0.0 };
        let setting = clock_of(self.seat(color), self.setting.clock).unwrap_or(nothing);
        let used = if color == mover { self.thought(now) } else { Duration::ZERO };
        let left = self.clocks[color.index()].left();
        let end = self.result.as_ref();
        let lost_on_time = end.is_some_and(|end| end.reason == Some(EndReason::Time) && end.winner != Some(color));
        let byoyomi = if lost_on_time { 0.0 } else { setting.byoyomi };
        let byoyomi = seconds(byoyomi).saturating_sub(used.saturating_sub(left));
        ClockView { main: left.saturating_sub(used).as_millis() as u64, byoyomi: byoyomi.as_millis() as u64 }
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// The limits of a player.
pub fn control(seat: &SeatView, clock: Option<ClockSetting>) -> TimeControl {
    match (clock_of(seat, clock), seat.limit) {
        (Some(clock), _) => TimeControl {
            // The first move has the increment where there is no other time, as on Lichess.
            main: Some(seconds(if clock.main + clock.byoyomi > 0.0 { clock.main } else { clock.increment })),
            byoyomi: seconds(clock.byoyomi),
            increment: seconds(clock.increment),
            ..TimeControl::default()
        },
        (_, Some(SeatLimit::Nodes { nodes })) => TimeControl { nodes: Some(nodes), ..TimeControl::default() },
        (_, Some(SeatLimit::Depth { depth })) => TimeControl { depth: Some(depth), ..TimeControl::default() },
        (_, Some(SeatLimit::Time { time })) => TimeControl { movetime: Some(seconds(time)), ..TimeControl::default() },
        _ if seat.kind == SeatKind::Engine => TimeControl {
            movetime: Some(level::thinking_time(seat.level.unwrap_or(level::STRONGEST))),
            ..TimeControl::default()
        },
        _ => TimeControl::default(),
    }
}

/// A player's clock: none under another limit.
pub fn clock_of(seat: &SeatView, clock: Option<ClockSetting>) -> Option<ClockSetting> {
    match seat.limit {
        Some(SeatLimit::Clock(own)) => Some(own),
        Some(_) => None,
        None => clock,
    }
}

/// The limit of a player as it stands in a record; none where the level says how long an engine thinks.
pub fn limit_text(seat: &SeatView, clock: Option<ClockSetting>) -> Option<String> {
    match (clock_of(seat, clock), seat.limit) {
        (Some(clock), _) => Some(clock_text(clock)),
        (None, Some(_)) => Some(control(seat, None).to_string()),
        (None, None) => None,
    }
}

/// A clock in the words that stand in a record: `10 min + 30 s byoyomi`.
fn clock_text(clock: ClockSetting) -> String {
    let ClockSetting { main, byoyomi, increment } = clock;
    let parts = [(main, ""), (byoyomi, " byoyomi"), (increment, " per move")];
    let parts = parts.into_iter().filter(|(time, _)| *time > 0.0);
    parts.map(|(time, what)| time_text(time) + what).collect::<Vec<_>>().join(" + ")
}

/// A time in words: `1 h 30 min`.
fn time_text(seconds: f64) -> String {
    let minutes = (seconds / 60.0).floor();
    // Milliseconds are what clocks count.
    let rest = ((seconds - 60.0 * minutes) * 1000.0).round() / 1000.0;
    let parts = [((minutes / 60.0).floor(), "h"), (minutes % 60.0, "min"), (rest, "s")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0.0);
    parts.map(|(count, unit)| format!("{count} {unit}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_written_for_people() {
        for (main, byoyomi, increment, text) in [
            (600.0, 30.0, 0.0, "10 min + 30 s byoyomi"),
            (5400.0, 0.0, 0.0, "1 h 30 min"),
            (0.0, 0.0, 5.0, "5 s per move"),
            (180.0, 0.0, 2.5, "3 min + 2.5 s per move"),
            (0.4, 0.0, 0.0, "0.4 s"),
        ] {
            assert_eq!(clock_text(ClockSetting { main, byoyomi, increment }), text);
        }
    }
}
