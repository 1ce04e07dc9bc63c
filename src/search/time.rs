//! Time management: the [`SearchClock`] of a search, which allots time to its move and decides when the time is used
//! up.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::api::NETWORK_DELAY;
use super::{Clocks, Limits, Settings};
use crate::shogi::Color;
use crate::work::lock;

/// The clock of a search, with its optimum and maximum time. The search threads read it; a ponder hit sets it.
#[derive(Debug)]
pub struct SearchClock {
    start: Instant,
    /// Microseconds from `start` until the engine's own time began: 0 unless it pondered.
    begin: AtomicU64,
    /// Microseconds of its own time after which no iteration should begin.
    optimum: AtomicU64,
    /// Microseconds of its own time after which the search must end.
    maximum: AtomicU64,
    /// Microseconds of its own time before which it should not answer.
    minimum: AtomicU64,
    pondering: AtomicBool,
    /// The greatest optimum, in microseconds, for which the time spent pondering is enough.
    pondered_for: AtomicU64,
    /// The input of the time computation, which a ponder hit repeats.
    plan: Mutex<Plan>,
}

/// `Default` is for clocks without limits, which read only `infinite`.
#[derive(Debug, Default)]
struct Plan {
    infinite: bool,
    movetime: Option<Duration>,
    /// Whether the depth or the nodes are limited.
    is_limited: bool,
    clocks: Option<Clocks>,
    /// The index of the side to move.
    side: usize,
    network_delay: Duration,
    minimum_thinking_time: Duration,
    slow_mover: u32,
}

/// The optimum time for a move, if it is less than the maximum, and the maximum.
type Budget = (Option<Duration>, Duration);

/// The assumed number of moves to go in sudden death: games last some 50 plies.
const MOVES_TO_GO: u32 = 18;

/// 34 years: longer than any game, and short enough not to overflow.
const LONGEST: Duration = Duration::from_secs(1 << 30);

impl Clocks {
    /// The clocks, with each time capped so that sums do not overflow.
    fn capped(self) -> Clocks {
        let cap = |time: Duration| time.min(LONGEST);
        let Clocks { time, increment, byoyomi, moves_to_go } = self;
        Clocks { time: time.map(cap), increment: increment.map(cap), byoyomi: cap(byoyomi), moves_to_go }
    }
}

/// A time limit less the network delay. The default delay, or a shorter one, takes at most one `part`th of the limit:
/// at a few milliseconds a move there is no network. A longer delay was set by the user and takes up to half of the
/// limit.
fn less_delay(limit: Duration, delay: Duration, part: u32) -> Duration {
    let part = if delay <= NETWORK_DELAY { part } else { 2 };
    limit.saturating_sub(delay.min(limit / part))
}

/// The time that a fixed time limit leaves. An answer that is late by a little affects no later move.
pub fn fixed_time(limit: Duration, delay: Duration) -> Duration {
    less_delay(limit, delay, 50)
}

/// The time until the player loses on time.
fn clock_time(limit: Duration, delay: Duration) -> Duration {
    less_delay(limit, delay, 4)
}

impl Plan {
    fn budget(&self) -> Option<Budget> {
        if self.infinite {
            return None;
        }
        let clocks = self.clocks.map(Clocks::capped);
        if let Some(movetime) = self.movetime {
            let movetime = fixed_time(movetime, self.network_delay);
            // A running clock ends the move before the fixed time. A clock without time is ignored.
            let left = clocks.map(|clocks| clocks.time[self.side] + clocks.byoyomi);
            let limit = left.filter(|left| !left.is_zero()).map(|left| clock_time(left, self.network_delay));
            return Some((None, limit.map_or(movetime, |limit| movetime.min(limit))));
        }
        let clocks = clocks?;
        let (mut time, increment) = (clocks.time[self.side], clocks.increment[self.side]);
        if (time + clocks.byoyomi).is_zero() {
            // ShogiHome adds the increment before a move, but does not send it.
            time = increment;
        }
        if self.is_limited && (time + clocks.byoyomi).is_zero() {
            // A clock without time asks for a move at once, unless something else says how long to think.
            return None;
        }
        // The most that this move can use without losing on time.
        let limit = clock_time(time + clocks.byoyomi, self.network_delay);
        if time < clocks.byoyomi / 2 {
            // Main time runs out during this move, and unused byoyomi is lost: use both.
            return Some((None, limit));
        }
        let moves = clocks.moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOVES_TO_GO);
        let share = (time / moves + increment * 3 / 4) * self.slow_mover / 100;
        let optimum = (share + clocks.byoyomi * 4 / 5).max(self.minimum_thinking_time).min(limit);
        let maximum = if moves == 1 {
            // The clock gets new time after this move.
            limit.mul_f64(0.95)
        } else {
            (share * 4 + clocks.byoyomi).max(self.minimum_thinking_time).min(limit.mul_f64(0.8))
        };
        Some((Some(optimum.min(maximum)), maximum))
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

impl SearchClock {
    /// Starts the clock of the side to move, `us`.
    pub fn new(limits: &Limits, settings: &Settings, us: Color) -> SearchClock {
        let plan = Plan {
            infinite: limits.infinite,
            movetime: limits.movetime,
            is_limited: limits.depth.is_some() || limits.nodes.is_some(),
            clocks: limits.clocks,
            side: us.index(),
            network_delay: settings.network_delay,
            minimum_thinking_time: settings.minimum_thinking_time,
            slow_mover: settings.slow_mover,
        };
        SearchClock::with_plan(plan, limits.ponder)
    }

    /// The clock with the time since an earlier `start`, when the search was asked for.
    pub fn since(mut self, start: Instant) -> SearchClock {
        self.start = start;
        self
    }

    /// A clock that sets no limit.
    pub fn unlimited(ponder: bool) -> SearchClock {
        SearchClock::with_plan(Plan { infinite: true, ..Plan::default() }, ponder)
    }

    fn with_plan(plan: Plan, ponder: bool) -> SearchClock {
        let clock = SearchClock {
            start: Instant::now(),
            begin: AtomicU64::new(0),
            optimum: AtomicU64::new(u64::MAX),
            maximum: AtomicU64::new(u64::MAX),
            minimum: AtomicU64::new(0),
            pondering: AtomicBool::new(ponder),
            pondered_for: AtomicU64::new(0),
            plan: Mutex::new(plan),
        };
        if !ponder {
            clock.set(&lock(&clock.plan));
        }
        clock
    }

    fn set(&self, plan: &Plan) {
        if let Some((optimum, maximum)) = plan.budget() {
            let optimum = optimum.map_or(u64::MAX, micros);
            self.optimum.store(optimum, Ordering::Relaxed);
            let minimum = match plan.movetime {
                Some(_) => 0,
                None => micros(plan.minimum_thinking_time.min(maximum)),
            };
            self.minimum.store(minimum, Ordering::Relaxed);
            let has_pondered_enough = optimum <= self.pondered_for.load(Ordering::Relaxed);
            self.maximum.store(if has_pondered_enough { minimum } else { micros(maximum) }, Ordering::Release);
        }
    }

    /// The used microseconds of the engine's own time.
    fn used(&self) -> u64 {
        micros(self.elapsed()).saturating_sub(self.begin.load(Ordering::Relaxed))
    }

    /// Starts the engine's own time at a ponder hit. `clocks` replaces the clocks of the `go`.
    pub fn ponderhit(&self, clocks: Option<Clocks>) {
        if !self.is_pondering() {
            return;
        }
        let mut plan = lock(&self.plan);
        plan.clocks = clocks.or(plan.clocks);
        self.begin.store(micros(self.elapsed()), Ordering::Relaxed);
        self.set(&plan);
        self.pondering.store(false, Ordering::Release);
    }

    /// Whether the search ponders: the opponent has not moved yet.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Time since the search started.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the maximum is used up.
    pub fn is_over(&self) -> bool {
        // A ponder hit sets the beginning before the maximum, so this one is loaded first.
        let maximum = self.maximum.load(Ordering::Acquire);
        self.used() >= maximum
    }

    /// The time left until the minimum thinking time; none once it has passed.
    pub fn until_minimum(&self) -> Option<Duration> {
        let left = self.minimum.load(Ordering::Relaxed).saturating_sub(self.used());
        (left > 0).then(|| Duration::from_micros(left))
    }

    /// The optimum time, or the maximum if it is less; none without a limit.
    pub fn for_move(&self) -> Option<Duration> {
        let micros = [&self.optimum, &self.maximum].map(|time| time.load(Ordering::Relaxed)).into_iter().min();
        micros.filter(|&micros| micros != u64::MAX).map(Duration::from_micros)
    }

    /// Whether a game clock, byoyomi included, is running. Such a search may end early; a fixed time is used up.
    pub fn is_timed(&self) -> bool {
        let plan = lock(&self.plan);
        plan.movetime.is_none() && plan.clocks.is_some()
    }

    /// Whether this share of the optimum is used up. Time spent pondering counts, as in Stockfish.
    pub fn is_used(&self, share: f64) -> bool {
        micros(self.elapsed()) as f64 >= self.optimum.load(Ordering::Relaxed) as f64 * share
    }

    /// Notes that the search may end once this share of the optimum is used up. A ponder hit after that ends it.
    pub fn note_pondered(&self, share: f64) {
        self.pondered_for.store((micros(self.elapsed()) as f64 / share) as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(limits: &Limits) -> Option<Budget> {
        budget_of(&SearchClock::new(limits, &Settings::default(), Color::Black))
    }

    fn budget_of(clock: &SearchClock) -> Option<Budget> {
        clock.plan.lock().unwrap().budget()
    }

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn a_ponder_hit_ends_a_search_that_has_pondered_enough() {
        let clocks = |time| Some(Clocks { time: [ms(time); 2], ..Clocks::default() });
        // The optimum is 3.3 s. New clocks may allow more time.
        for (pondered, minimum, clocks_of_hit, is_over) in [
            (2_000, 0, None, true),
            (1_000, 0, None, false),
            (2_000, 60_000, None, false),
            (2_000, 0, clocks(60_500), true),
            (2_000, 0, clocks(90_000), false),
        ] {
            let limits = Limits { ponder: true, clocks: clocks(60_000), ..Limits::default() };
            let settings = Settings { minimum_thinking_time: ms(minimum), ..Settings::default() };
            let mut clock = SearchClock::new(&limits, &settings, Color::Black);
            clock.start -= ms(pondered);
            clock.note_pondered(0.5);
            assert!(!clock.is_over());
            clock.ponderhit(clocks_of_hit);
            assert_eq!(clock.is_over(), is_over, "{pondered} {minimum} {clocks_of_hit:?}");
        }
    }

    #[test]
    fn an_endless_search_that_pondered_has_no_limit() {
        let clocks = Some(Clocks { time: [ms(100); 2], ..Clocks::default() });
        let limits = Limits { infinite: true, ponder: true, clocks, ..Limits::default() };
        let clock = SearchClock::new(&limits, &Settings::default(), Color::Black);
        clock.ponderhit(clocks);
        assert_eq!((budget_of(&clock), clock.for_move()), (None, None));
    }

    #[test]
    fn no_budget_exceeds_the_clock() {
        for time in [0, 1, 5, 20, 100, 1_000, 60_000, u64::MAX / 4_000] {
            for increment in [0, 10, 1_000] {
                for byoyomi in [0, 1, 20, 1_000, 30_000] {
                    for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                        let clocks = Clocks {
                            time: [ms(time); 2],
                            increment: [ms(increment); 2],
                            byoyomi: ms(byoyomi),
                            moves_to_go,
                        };
                        let (optimum, maximum) = budget(&Limits { clocks: Some(clocks), ..Limits::default() }).unwrap();
                        assert_eq!(optimum.is_none(), ms(time) < ms(byoyomi) / 2, "{clocks:?}");
                        assert!(optimum.is_none_or(|optimum| optimum <= maximum), "{clocks:?}");
                        let there_is = match ms(time) + ms(byoyomi) {
                            Duration::ZERO => ms(increment),
                            time => time,
                        };
                        assert!(maximum <= there_is, "{maximum:?} for {clocks:?}");
                        assert!(there_is < ms(40) || maximum + ms(10) <= there_is, "{maximum:?} for {clocks:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_budget_follows_from_clock_increment_byoyomi_and_moves_to_go() {
        // The milliseconds of a clock, and those of optimum and maximum.
        for (time, increment, byoyomi, moves_to_go, optimum, maximum) in [
            (60_000, 0, 0, None, 3_333, 13_333),
            (60_000, 0, 0, Some(100), 3_333, 13_333),
            (60_000, 1_000, 0, None, 4_083, 16_333),
            (60_000, 0, 5_000, None, 7_333, 18_333),
            // The maximum is four fifths of the available time.
            (60_000, 0, 0, Some(2), 30_000, 47_992),
            (60_000, 0, 0, Some(1), 56_990, 56_990),
            // A clock without time has the increment that comes before the move.
            (0, 10_000, 0, None, 7_992, 7_992),
            // While half a byoyomi is on the clock, there is a next move to save it for.
            (2_500, 0, 5_000, None, 4_138, 5_555),
        ] {
            let time = [ms(time); 2];
            let clocks = Clocks { time, increment: [ms(increment); 2], byoyomi: ms(byoyomi), moves_to_go };
            let (least, most) = budget(&Limits { clocks: Some(clocks), ..Limits::default() }).unwrap();
            let found = (least.expect("there is an optimum").as_millis(), most.as_millis());
            assert_eq!(found, (optimum, maximum), "{clocks:?}");
        }
    }

    #[test]
    fn the_user_may_ask_for_more_or_less_time() {
        let clocks = Clocks { time: [ms(60_000); 2], ..Clocks::default() };
        let limits = Limits { clocks: Some(clocks), ..Limits::default() };
        for (slow_mover, minimum, optimum, maximum) in
            [(50, 0, 1_666, 6_666), (100, 10_000, 10_000, 13_333), (100, 20_000, 20_000, 20_000)]
        {
            let settings = Settings { slow_mover, minimum_thinking_time: ms(minimum), ..Settings::default() };
            let clock = SearchClock::new(&limits, &settings, Color::Black);
            let (least, most) = budget_of(&clock).unwrap();
            assert_eq!((least.unwrap().as_millis(), most.as_millis()), (optimum, maximum));
            assert_eq!(clock.for_move().unwrap().as_millis(), optimum);
        }
        assert_eq!(SearchClock::new(&Limits::default(), &Settings::default(), Color::Black).for_move(), None);
    }

    #[test]
    fn byoyomi_alone_is_used_but_for_the_delay() {
        let of = |byoyomi| Limits {
            clocks: Some(Clocks { byoyomi: ms(byoyomi), ..Clocks::default() }),
            ..Limits::default()
        };
        for (byoyomi, delay, expected) in [(1_000, 10, 990), (40, 10, 30), (20, 10, 15), (20, 2, 18), (100, 80, 50)] {
            let settings = Settings { network_delay: ms(delay), ..Settings::default() };
            let clock = SearchClock::new(&of(byoyomi), &settings, Color::White);
            assert_eq!(budget_of(&clock), Some((None, ms(expected))), "{byoyomi} less {delay}: unused byoyomi is lost");
        }
        let clock = SearchClock::new(&of(1_000), &Settings::default(), Color::White);
        assert!(clock.is_timed() && !clock.is_used(0.1), "a decided search may still end early");
    }

    #[test]
    fn the_default_delay_takes_a_fiftieth_of_a_fixed_time_at_most() {
        for (movetime, delay, expected) in
            [(100, 10, 98), (1_000, 10, 990), (100, 0, 100), (100, 30, 70), (100, 80, 50), (2_400, 1_000, 1_400)]
        {
            let limits = Limits { movetime: Some(ms(movetime)), ..Limits::default() };
            let settings = Settings { network_delay: ms(delay), ..Settings::default() };
            let clock = SearchClock::new(&limits, &settings, Color::Black);
            assert_eq!(budget_of(&clock), Some((None, ms(expected))), "{movetime} less {delay}");
        }
    }

    #[test]
    fn a_fixed_time_is_no_longer_than_the_clock_has() {
        for (time, byoyomi, expected) in [(100, 0, 90), (0, 400, 390), (10_000, 0, 990), (0, 0, 990)] {
            let clocks = Clocks { time: [ms(time); 2], byoyomi: ms(byoyomi), ..Clocks::default() };
            let limits = Limits { movetime: Some(ms(1_000)), clocks: Some(clocks), ..Limits::default() };
            assert_eq!(budget(&limits), Some((None, ms(expected))), "{time} and {byoyomi}");
        }
    }

    #[test]
    fn pondering_has_no_end_until_the_hit() {
        let limits = Limits { movetime: Some(Duration::ZERO), ponder: true, ..Limits::default() };
        let clock = SearchClock::new(&limits, &Settings::default(), Color::White);
        assert!(clock.is_pondering() && !clock.is_over() && !clock.is_used(1.0));
        clock.ponderhit(None);
        assert!(!clock.is_pondering() && clock.is_over() && !clock.is_timed());
    }

    #[test]
    fn pondered_time_counts_for_the_optimum_and_not_for_the_maximum() {
        let clocks = Clocks { time: [ms(60_000); 2], ..Clocks::default() };
        let limits = Limits { clocks: Some(clocks), ponder: true, ..Limits::default() };
        let mut clock = SearchClock::new(&limits, &Settings::default(), Color::White);
        let (optimum, maximum) = budget(&limits).unwrap();
        clock.start -= maximum;
        clock.ponderhit(None);
        assert!(clock.is_used(maximum.div_duration_f64(optimum.unwrap())) && !clock.is_over());
        clock.start -= maximum;
        assert!(clock.is_over());
    }

    #[test]
    fn a_ponder_hit_may_bring_new_clocks() {
        let limits = Limits { clocks: Some(Clocks::default()), ponder: true, ..Limits::default() };
        let clock = SearchClock::new(&limits, &Settings::default(), Color::White);
        clock.ponderhit(Some(Clocks { byoyomi: ms(60_000), ..Clocks::default() }));
        assert!(!clock.is_over());
    }
}
