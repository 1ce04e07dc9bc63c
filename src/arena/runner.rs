use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::game::{CalledOff, Seat, play};
use super::player::{Failure, Player};
use super::record::Header;
use super::{Decision, EngineSpec, GameRecord, Opening, OptionError, Pentanomial, Rules, Schedule, Sprt};
use crate::shogi::Color;

/// How often the runner looks whether the match was called off.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// A match: what is played, and by whom.
#[derive(Clone, Debug)]
pub struct Match {
    /// The engines, by the numbers that the schedule knows them by.
    pub engines: Vec<Arc<EngineSpec>>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// The openings in the order in which they are played; begun anew when used up. Not empty.
    pub openings: Vec<Opening>,
    /// The rules.
    pub rules: Rules,
    /// How often at most a game that ended without a contest is played again, with colours reversed.
    pub replays: u32,
    /// When to stop early. Only for two engines.
    pub sprt: Option<Sprt>,
    /// How many games are played at a time.
    pub concurrency: usize,
}

/// How a match came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every game was played.
    Complete,
    /// The test has decided.
    Decided(Decision),
    /// It was called off.
    CalledOff,
}

/// How far the games of a match have come: what the records of an earlier run say.
#[derive(Clone, Debug)]
pub struct Done {
    games: Vec<Game>,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, Default)]
struct Game {
    attempts: u32,
    /// The first engine's half points, once the game counts.
    half_points: Option<u8>,
}

/// Records that do not belong to a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the records are of another match: game {0}")]
pub struct OtherMatch(String);

impl Match {
    /// Starts each engine once, to learn whether it has the options that it is to be given. Engines that fail in other
    /// ways are told by `warn`: they will lose their games.
    ///
    /// # Errors
    /// [`OptionError`] of the first engine that lacks one.
    pub fn check_engines(&self, stop: &AtomicBool, mut warn: impl FnMut(String)) -> Result<(), OptionError> {
        for spec in &self.engines {
            match Player::start(spec, stop) {
                Ok(player) => {
                    player.check_options()?;
                    tracing::info!(engine = spec.name, "is {}", player.identity);
                    player.quit();
                }
                Err(Failure::Fault(fault)) => warn(format!("{} {fault}", spec.name)),
                Err(Failure::Stopped) => return Ok(()),
            }
        }
        Ok(())
    }

    /// A match of which nothing was played yet.
    pub fn nothing_done(&self) -> Done {
        Done { games: vec![Game::default(); self.schedule.games()] }
    }

    /// Takes a record of an earlier run of the same match.
    ///
    /// # Errors
    /// [`OtherMatch`] if the game was planned differently.
    pub fn take_record(&self, done: &mut Done, record: &GameRecord) -> Result<(), OtherMatch> {
        let number = record.game.wrapping_sub(1);
        // A match may have become shorter since; what it has played still counts.
        if number >= done.games.len() {
            return Err(OtherMatch(format!("{} is not one of its {}", record.game, done.games.len())));
        }
        match record.difference(&self.header(number, record.replay)) {
            Some(difference) => Err(OtherMatch(difference)),
            None => {
                done.games[number].take(record, self.first_colour(number, record.replay));
                Ok(())
            }
        }
    }

    fn header(&self, number: usize, replay: u32) -> Header<'_> {
        let planned = self.schedule.game(number).replayed(replay);
        Header {
            number,
            replay,
            specs: planned.engines.map(|engine| &*self.engines[engine]),
            rules: &self.rules,
            opening: &self.openings[planned.opening % self.openings.len()],
        }
    }

    /// The colour of the engine that is named first in the pairing.
    fn first_colour(&self, number: usize, replay: u32) -> Color {
        let planned = self.schedule.game(number).replayed(replay);
        if planned.engines[0] < planned.engines[1] { Color::Black } else { Color::White }
    }

    /// Plays what is not done. Each record is handed on as its game ends, in whatever order that happens; once `stop` is
    /// set, games under way are broken off.
    ///
    /// # Errors
    /// The first error of `on_record`, which ends the match.
    pub fn run<E>(
        &self,
        mut done: Done,
        stop: &AtomicBool,
        mut on_record: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<Ending, E> {
        let mut test = self.sprt.map(SprtState::new);
        if let Some(decision) = test.as_mut().and_then(|test| test.update(&done)) {
            return Ok(Ending::Decided(decision));
        }
        let halt = AtomicBool::new(false);
        let next_pair = AtomicUsize::new(0);
        let already_done = done.games.clone();
        thread::scope(|scope| {
            let (send, records) = channel();
            for _ in 0..self.concurrency.clamp(1, self.schedule.pairs().max(1)) {
                let worker = Worker { plan: self, done: &already_done, next_pair: &next_pair, halt: &halt };
                let send = send.clone();
                scope.spawn(move || worker.run(&send));
            }
            drop(send);
            // However this ends, the workers end with it.
            let halt = HaltOnDrop(&halt);
            loop {
                match records.recv_timeout(STOP_INTERVAL) {
                    Ok(record) => {
                        let number = record.game - 1;
                        done.games[number].take(&record, self.first_colour(number, record.replay));
                        on_record(record)?;
                        if let Some(decision) = test.as_mut().and_then(|test| test.update(&done)) {
                            return Ok(Ending::Decided(decision));
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    // All workers have ended.
                    Err(RecvTimeoutError::Disconnected) => {
                        let is_complete = done.games.iter().all(|game| game.half_points.is_some());
                        return Ok(if is_complete { Ending::Complete } else { Ending::CalledOff });
                    }
                }
                if stop.load(Ordering::Relaxed) {
                    halt.0.store(true, Ordering::Relaxed);
                }
            }
        })
    }
}

impl Game {
    fn take(&mut self, record: &GameRecord, first: Color) {
        self.attempts = self.attempts.max(record.replay + 1);
        if record.counts {
            self.half_points = Some(record.result.half_points(first) as u8);
        }
    }
}

struct HaltOnDrop<'a>(&'a AtomicBool);

impl Drop for HaltOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The test, fed with the pairs in the order of their numbers: what it decides does not depend on which games were
/// quicker.
struct SprtState {
    sprt: Sprt,
    pairs: Pentanomial,
    next: usize,
}

impl SprtState {
    fn new(sprt: Sprt) -> SprtState {
        SprtState { sprt, pairs: Pentanomial::default(), next: 0 }
    }

    /// Takes the pairs that are complete up to the first that is not.
    fn update(&mut self, done: &Done) -> Option<Decision> {
        while let Some([first, second]) = done.games.get(2 * self.next..).and_then(<[Game]>::first_chunk) {
            let half_points = first.half_points? + second.half_points?;
            self.pairs.add(half_points.into());
            self.next += 1;
            if let Some(decision) = self.sprt.decision(self.pairs) {
                return Some(decision);
            }
        }
        None
    }
}

/// Plays pairs of games until there are no more.
struct Worker<'a> {
    plan: &'a Match,
    done: &'a [Game],
    next_pair: &'a AtomicUsize,
    halt: &'a AtomicBool,
}

impl Worker<'_> {
    fn run(&self, records: &Sender<GameRecord>) {
        // Engines stay for the next pair if they play in it again.
        let mut seats: BTreeMap<usize, Seat> = BTreeMap::new();
        while !self.halt.load(Ordering::Relaxed) {
            let pair = self.next_pair.fetch_add(1, Ordering::Relaxed);
            if pair >= self.plan.schedule.pairs() {
                break;
            }
            let open = [2 * pair, 2 * pair + 1].into_iter().filter(|&game| self.done[game].half_points.is_none());
            let engines = self.plan.schedule.game(2 * pair).engines;
            for number in open {
                seats.retain(|engine, seat| {
                    let stays = engines.contains(engine);
                    if !stays {
                        seat.close();
                    }
                    stays
                });
                if self.play(number, &mut seats, records).is_err() {
                    break;
                }
            }
        }
        seats.values_mut().for_each(Seat::close);
    }

    /// Plays a game until it counts.
    fn play(
        &self,
        number: usize,
        seats: &mut BTreeMap<usize, Seat>,
        records: &Sender<GameRecord>,
    ) -> Result<(), CalledOff> {
        for replay in self.done[number].attempts.. {
            let header = self.plan.header(number, replay);
            let [black, white] = self.plan.schedule.game(number).replayed(replay).engines;
            let mut seat =
                |engine: usize| seats.remove(&engine).unwrap_or_else(|| Seat::new(&self.plan.engines[engine]));
            let (mut black_seat, mut white_seat) = (seat(black), seat(white));
            let played = play([&mut black_seat, &mut white_seat], header.opening, &self.plan.rules, self.halt);
            seats.extend([(black, black_seat), (white, white_seat)]);
            let played = played?;
            let counts = !played.outcome.is_no_contest() || replay >= self.plan.replays;
            let record = GameRecord::new(&header, counts, &played.moves, played.outcome);
            // Nobody listens any more: the match is over.
            records.send(record).map_err(|_| CalledOff)?;
            if counts {
                break;
            }
        }
        Ok(())
    }
}
