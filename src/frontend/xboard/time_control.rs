//! XBoard's time control (`level`, `st`, `sd`, `time`, `otim`), converted to search limits.

use std::time::Duration;

use crate::protocol::cecp::Level;
use crate::search::{Clocks, Limits};
use crate::shogi::{Color, Game};

/// The time per move if XBoard sets no time control.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The limits of the engine's moves, as set by XBoard.
#[derive(Default)]
pub(super) struct TimeControl {
    /// A clock for the whole game. Excludes `movetime`.
    level: Option<Level>,
    movetime: Option<Duration>,
    pub(super) depth: Option<u32>,
    /// The clocks of the engine and of its opponent, if XBoard has sent them.
    pub(super) clocks: [Option<Duration>; 2],
}

impl TimeControl {
    /// Begins a game: resets the clocks and the depth limit.
    pub(super) fn begin_game(&mut self) {
        (self.depth, self.clocks) = (None, [None; 2]);
    }

    pub(super) fn set_level(&mut self, level: Level) {
        (self.level, self.movetime) = (Some(level), None);
    }

    pub(super) fn set_movetime(&mut self, time: Duration) {
        (self.level, self.movetime, self.clocks) = (None, Some(time), [None; 2]);
    }

    /// The limits of the engine's next move as `side`.
    pub(super) fn limits(&self, game: &Game, side: Color) -> Limits {
        let mut limits = Limits { depth: self.depth.map(|depth| depth as usize), ..Limits::default() };
        match (self.movetime, self.level) {
            // Cute Chess sends whole seconds, which are 0 for less than one, and the rest by `time`.
            (Some(time), _) => {
                let whole = self.clocks[0].filter(|&clock| time.is_zero() || clock < time);
                limits.movetime = whole.or(Some(time));
            }
            (None, Some(level)) => limits.clocks = Some(self.game_clocks(level, game, side)),
            (None, None) if self.depth.is_none() => limits.movetime = Some(DEFAULT_TIME),
            (None, None) => {}
        }
        limits
    }

    fn game_clocks(&self, level: Level, game: &Game, side: Color) -> Clocks {
        let [own, other] = self.clocks.map(|clock| clock.unwrap_or(level.base));
        let began = game.start().side_to_move() == side;
        let played = (game.moves().len() + usize::from(began)) as u32 / 2;
        Clocks {
            time: if side == Color::Black { [own, other] } else { [other, own] },
            increment: [level.increment; 2],
            byoyomi: Duration::ZERO,
            moves_to_go: (level.moves > 0).then(|| level.moves - played % level.moves),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Position;

    #[test]
    fn a_fixed_time_is_no_longer_than_the_clock_says() {
        let ms = Duration::from_millis;
        let game = Game::new(Position::startpos());
        for (movetime, clock, expected) in [
            (0, Some(300), 300),
            (0, None, 0),
            (5_000, Some(5_000), 5_000),
            (5_000, Some(200), 200),
            (1_000, Some(0), 0),
        ] {
            let mut control = TimeControl::default();
            // The clock of the time control before says nothing.
            control.clocks[0] = Some(ms(1));
            control.set_movetime(ms(movetime));
            control.clocks[0] = clock.map(ms).or(control.clocks[0]);
            assert_eq!(control.limits(&game, Color::Black).movetime, Some(ms(expected)), "{movetime} {clock:?}");
        }
    }
}
