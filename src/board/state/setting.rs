//! The setting of a new game: whether it can be played.

use super::edit::parse_position;
use super::level;
use super::series;
use super::{Refusal, State};
use crate::board::messages::{ClockSetting, NewGame, SeatKind, SeatLimit};
use crate::shogi::{Handicap, ImpasseRule, Position};

/// The most time of a clock, in seconds: a day.
const LONGEST_TIME: f64 = 24.0 * 3600.0;

/// The least time for a move, in seconds: engines are told of milliseconds.
const SHORTEST_MOVE: f64 = 0.001;

impl State {
    /// Checks a new game, and completes the seats of its engines.
    pub(super) fn check_new(&self, setting: &mut NewGame) -> Result<(Position, ImpasseRule), Refusal> {
        for seat in [&mut setting.black, &mut setting.white] {
            if seat.kind == SeatKind::Engine {
                // A rematch names the program alone if its engine is missing.
                let id = seat.engine.or(seat.program.is_none().then_some(0));
                let engine = id.and_then(|id| self.engines.get(id)).ok_or_else(|| Refusal::new("no-such-engine"))?;
                (seat.engine, seat.program) = (id, Some(engine.setup.name.clone()));
            }
        }
        self.check_setting(setting)
    }

    /// Checks a stored game, and finds its engines: they may have another order now. A seat whose engine is missing
    /// gets none.
    pub(super) fn check_stored(&self, setting: &mut NewGame) -> Result<(Position, ImpasseRule), Refusal> {
        for seat in [&mut setting.black, &mut setting.white] {
            if seat.kind == SeatKind::Engine {
                let last = seat.engine.unwrap_or(0);
                let is_it = |id: &usize| match (&seat.program, self.engines.get(*id)) {
                    (Some(program), Some(engine)) => *program == engine.setup.name,
                    // Older versions stored the number alone.
                    (None, engine) => *id == last && engine.is_some(),
                    _ => false,
                };
                seat.engine = std::iter::once(last).chain(0..self.engines.len()).find(is_it);
                let program = seat.engine.map_or(&seat.name, |id| &self.engines[id].setup.name);
                seat.program.get_or_insert_with(|| program.clone());
            }
        }
        self.check_setting(setting)
    }

    fn check_setting(&self, setting: &NewGame) -> Result<(Position, ImpasseRule), Refusal> {
        for seat in [&setting.black, &setting.white] {
            if seat.level.is_some_and(|level| level > level::STRONGEST) {
                return Err(Refusal::new("bad-level"));
            }
            if seat.name.chars().count() > 200 {
                return Err(Refusal::new("too-long"));
            }
        }
        let limits = [&setting.black, &setting.white].map(|seat| seat.limit);
        for limit in limits.into_iter().chain([setting.clock.map(SeatLimit::Clock)]).flatten() {
            let fits = |time: f64| (0.0..=LONGEST_TIME).contains(&time);
            let is_some_limit = match limit {
                SeatLimit::Clock(ClockSetting { main, byoyomi, increment }) => {
                    [main, byoyomi, increment].into_iter().all(fits) && main + byoyomi + increment > 0.0
                }
                SeatLimit::Time { time } => fits(time) && time >= SHORTEST_MOVE,
                SeatLimit::Nodes { nodes } => nodes > 0,
                SeatLimit::Depth { depth } => depth > 0,
            };
            if !is_some_limit {
                return Err(Refusal::new("bad-clock"));
            }
        }
        series::check(setting)?;
        let rule = match setting.impasse_rule.as_deref() {
            Some(name) => name.parse().map_err(|_| Refusal::new("bad-rule"))?,
            None => ImpasseRule::default(),
        };
        let start = match (setting.handicap.as_deref(), setting.sfen.as_deref()) {
            (Some(name), _) if !matches!(name, "" | "none" | "even") => {
                name.parse::<Handicap>().map_err(|_| Refusal::new("bad-handicap"))?.position()
            }
            (_, Some(sfen)) => parse_position(sfen)?,
            _ => Position::startpos(),
        };
        if !start.has_legal_move() {
            return Err(Refusal::new("game-over"));
        }
        Ok((start, rule))
    }
}
