//! Runs a `Match`: worker threads play the scheduled pairs of games until all are finished or SPRT decides.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::game::{Aborted, Seat, play};
use super::player::{Failure, Player, UnfitEngine};
use super::record::Header;
use super::{Decision, EngineSpec, GameRecord, NodeJitter, Opening, Rules, Schedule, SequentialTest, Sprt};
use crate::shogi::Color;
use crate::work::{SetOnDrop, ThreadError};

/// The interval at which the runner checks whether the match was stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

/// A match: engines, schedule and settings.
#[derive(Clone, Debug)]
pub struct Match {
    /// The engines, indexed by the numbers of the schedule.
    pub engines: Vec<Arc<EngineSpec>>,
    pub schedule: Schedule,
    /// The openings in the order of play, reused cyclically. Not empty.
    pub openings: Vec<Opening>,
    pub rules: Rules,
    /// The number of the first pair, if the match is a part of another.
    pub first_pair: usize,
    /// How node limits vary from pair to pair.
    pub jitter: Option<NodeJitter>,
    /// The maximum number of replays, with colours reversed, of a game that ended without a contest.
    pub replays: u32,
    /// The sequential test that may stop the match early. Only for two engines.
    pub sprt: Option<Sprt>,
    /// The number of games played concurrently.
    pub concurrency: usize,
    /// Whether an engine that fails before its first move loses the game. Otherwise the match ends.
    pub recover: bool,
}

/// The way in which a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Complete,
    Decided(Decision),
    Aborted,
    Failed(UnfitEngine),
}

/// The state of the games of a match, restored from the records of an earlier run.
#[derive(Clone, Debug)]
pub struct Done {
    games: Vec<Game>,
    /// Whether an engine has made a move in any game.
    has_moved: Vec<bool>,
}

/// The state of a game.
#[derive(Clone, Copy, Debug, Default)]
struct Game {
    attempts: u32,
    /// The first engine's half points, once the game counts.
    half_points: Option<u32>,
}

/// The reason why records do not belong to a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OtherMatch {
    /// A game was planned differently.
    #[error("the records are of another match: game {0}")]
    Differs(String),
    /// A game occurs twice.
    #[error("the records hold game {0} twice")]
    Twice(usize),
}

/// Starts an engine and sets its options; none if the match was stopped.
///
/// # Errors
/// [`UnfitEngine`] if it does not start or rejects an option.
pub(super) fn set_up(spec: &Arc<EngineSpec>, rules: &Rules, stop: &AtomicBool) -> Result<Option<Player>, UnfitEngine> {
    let unfit = |failure| match failure {
        Failure::Spawn(error) => Err(UnfitEngine::Spawn(error)),
        Failure::Fault(fault) => Err(UnfitEngine::Failed(format!("{} {fault}", spec.name))),
        Failure::Stopped => Ok(None),
    };
    let mut player = match Player::start(spec, stop) {
        Ok(player) => player,
        Err(failure) => return unfit(failure),
    };
    player.check_options(rules)?;
    if let Err(failure) = player.set_up(rules, stop) {
        return unfit(failure);
    }
    player.refusal().map_or(Ok(Some(player)), |refusal| Err(refusal.into()))
}

impl Match {
    /// Starts each engine once to check that it has the options of its spec and accepts their values. With
    /// [`recover`](Match::recover), faults are passed to `warn`, because the engine may still play.
    ///
    /// # Errors
    /// [`UnfitEngine`] for the first unfit engine.
    pub fn check_engines(&self, stop: &AtomicBool, mut warn: impl FnMut(&UnfitEngine)) -> Result<(), UnfitEngine> {
        for spec in &self.engines {
            match set_up(spec, &self.rules, stop) {
                Ok(Some(player)) => {
                    tracing::info!(engine = spec.name, "is {}", player.identity);
                    player.quit();
                }
                Ok(None) => return Ok(()),
                Err(fault @ UnfitEngine::Failed(_)) if self.recover => warn(&fault),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The state of a match that has not begun.
    pub fn nothing_done(&self) -> Done {
        Done { games: vec![Game::default(); self.schedule.games()], has_moved: vec![false; self.engines.len()] }
    }

    /// Takes a record of an earlier run of the same match.
    ///
    /// # Errors
    /// [`OtherMatch`] if the game was planned differently.
    pub fn take_record(&self, done: &mut Done, record: &GameRecord) -> Result<(), OtherMatch> {
        let number = record.game.wrapping_sub(1);
        if number >= done.games.len() {
            return Err(OtherMatch::Differs(format!("{} is not one of its {}", record.game, done.games.len())));
        }
        if let Some(difference) = record.difference(&self.header(number, record.replay)) {
            return Err(OtherMatch::Differs(difference));
        }
        if record.counts != self.counts(record) {
            let other = if record.counts { "fewer" } else { "more" };
            return Err(OtherMatch::Differs(format!("{} was played with {other} --replay-draws", record.game)));
        }
        let game = &done.games[number];
        if game.attempts > record.replay || game.half_points.is_some() {
            return Err(OtherMatch::Twice(record.game));
        }
        self.take(done, record);
        Ok(())
    }

    /// Whether a game counts, and is not replayed.
    fn counts(&self, record: &GameRecord) -> bool {
        !record.is_no_contest() || record.replay >= self.replays
    }

    fn take(&self, done: &mut Done, record: &GameRecord) {
        let planned = self.schedule.game(record.game - 1).replayed(record.replay);
        let game = &mut done.games[record.game - 1];
        game.attempts = game.attempts.max(record.replay.saturating_add(1));
        if record.counts {
            let first = if planned.engines[0] < planned.engines[1] { Color::Black } else { Color::White };
            game.half_points = Some(record.result.half_points(first));
        }
        for color in Color::ALL.into_iter().filter(|&color| record.can_move(color)) {
            done.has_moved[planned.engine(color)] = true;
        }
    }

    fn header(&self, number: usize, replay: u32) -> Header<'_> {
        let planned = self.schedule.game(number).replayed(replay);
        Header {
            number,
            replay,
            specs: planned.engines.map(|engine| self.spec(engine, number / 2)),
            rules: &self.rules,
            opening: &self.openings[planned.opening % self.openings.len()],
        }
    }

    /// The engine with its limits in a pair of games.
    fn spec(&self, engine: usize, pair: usize) -> Arc<EngineSpec> {
        let mut spec = Arc::clone(&self.engines[engine]);
        if let (Some(jitter), Some(nodes)) = (self.jitter, spec.control.nodes) {
            Arc::make_mut(&mut spec).control.nodes = Some(jitter.nodes(nodes, self.first_pair + pair));
        }
        spec
    }

    /// Plays the remaining games. `on_record` receives each record as its game ends, in any order. Once `stop` is set,
    /// running games are aborted.
    ///
    /// # Errors
    /// The first error of `on_record`, which ends the match.
    pub fn run<E>(
        &self,
        mut done: Done,
        stop: &AtomicBool,
        mut on_record: impl FnMut(GameRecord) -> Result<(), E>,
    ) -> Result<Ending, E> {
        let mut test = self.sprt.map(SequentialTest::new);
        if let Some(test) = &mut test {
            (0..self.schedule.pairs()).for_each(|pair| done.tell(pair, test));
            if let Some(decision) = done.decision(test) {
                return Ok(Ending::Decided(decision));
            }
        }
        let halt = AtomicBool::new(false);
        let next_pair = AtomicUsize::new(0);
        let already_done = done.games.clone();
        thread::scope(|scope| {
            let (send, records) = channel();
            // Stop the workers however this function ends.
            let _halt = SetOnDrop(&halt);
            for _ in 0..self.concurrency.clamp(1, self.schedule.pairs().max(1)) {
                let worker = Worker { plan: self, done: &already_done, next_pair: &next_pair, halt: &halt };
                let send = send.clone();
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, move || worker.run(&send)) {
                    return Ok(Ending::Failed(UnfitEngine::Spawn(ThreadError::from(error).to_string())));
                }
            }
            drop(send);
            loop {
                match records.recv_timeout(STOP_INTERVAL) {
                    Ok(Message::Failed(error)) => return Ok(Ending::Failed(error)),
                    Ok(Message::Record(record)) => {
                        let pair = (record.game - 1) / 2;
                        self.take(&mut done, &record);
                        on_record(*record)?;
                        if let Some(test) = &mut test {
                            done.tell(pair, test);
                            if let Some(decision) = done.decision(test) {
                                return Ok(Ending::Decided(decision));
                            }
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    // All workers have ended.
                    Err(RecvTimeoutError::Disconnected) => {
                        let is_complete = done.games.iter().all(|game| game.half_points.is_some());
                        return Ok(if is_complete { Ending::Complete } else { Ending::Aborted });
                    }
                }
                if stop.load(Ordering::Relaxed) {
                    halt.store(true, Ordering::Relaxed);
                }
            }
        })
    }
}

impl Done {
    /// Whether both games of a pair are done.
    pub fn has_pair(&self, pair: usize) -> bool {
        self.games[2 * pair..][..2].iter().all(|game| game.half_points.is_some())
    }

    /// Adds a pair to the test once both its games count.
    fn tell(&self, pair: usize, test: &mut SequentialTest) {
        if let [Some(first), Some(second)] = [2 * pair, 2 * pair + 1].map(|game| self.games[game].half_points) {
            test.take(pair, first + second);
        }
    }

    /// The decision of the test; none if one side has never made a move.
    fn decision(&self, test: &SequentialTest) -> Option<Decision> {
        test.decision().filter(|_| self.has_moved.iter().all(|has_moved| *has_moved))
    }
}

enum Message {
    Record(Box<GameRecord>),
    Failed(UnfitEngine),
}

/// Plays pairs of games until none are left.
struct Worker<'a> {
    plan: &'a Match,
    done: &'a [Game],
    next_pair: &'a AtomicUsize,
    halt: &'a AtomicBool,
}

impl Worker<'_> {
    fn run(&self, messages: &Sender<Message>) {
        let mut seats: Vec<(usize, Seat)> = Vec::new();
        let mut result = Ok(());
        while result.is_ok() && !self.halt.load(Ordering::Relaxed) {
            let pair = self.next_pair.fetch_add(1, Ordering::Relaxed);
            if pair >= self.plan.schedule.pairs() {
                break;
            }
            let engines = self.plan.schedule.game(2 * pair).engines;
            // Keep engines that play in the next pair too.
            let (stay, leave): (Vec<_>, Vec<_>) = seats.into_iter().partition(|(engine, _)| engines.contains(engine));
            seats = stay;
            leave.into_iter().for_each(|(_, seat)| seat.close());
            for engine in engines {
                if seats.iter().all(|(seated, _)| *seated != engine) {
                    seats.push((engine, Seat::new(&self.plan.engines[engine])));
                }
            }
            let mut open = [2 * pair, 2 * pair + 1].into_iter().filter(|&game| self.done[game].half_points.is_none());
            result = open.try_for_each(|number| self.play(number, &mut seats, messages));
        }
        if let Err(Aborted::Failed(error)) = result {
            // The channel is only closed once the match is over.
            let _ = messages.send(Message::Failed(error));
        }
        seats.into_iter().for_each(|(_, seat)| seat.close());
    }

    /// Plays a game until it counts.
    fn play(&self, number: usize, seats: &mut [(usize, Seat)], messages: &Sender<Message>) -> Result<(), Aborted> {
        for replay in self.done[number].attempts..=u32::MAX {
            let header = self.plan.header(number, replay);
            let black = self.plan.schedule.game(number).replayed(replay).engine(Color::Black);
            let [(seated, one), (_, other)] = seats else { unreachable!("a pair has two engines") };
            let mut by_color = if *seated == black { [one, other] } else { [other, one] };
            by_color.iter_mut().zip(&header.specs).for_each(|(seat, spec)| seat.spec = Arc::clone(spec));
            // By rounds, so that every pairing is audited.
            let round = (self.plan.first_pair + number / 2) / self.plan.schedule.pairings().len();
            let adjudication = self.plan.rules.adjudication.in_round(round);
            let rules = Rules { adjudication, ..self.plan.rules };
            let played = play(by_color, header.opening, &rules, self.halt)?;
            let mut record = GameRecord::new(&header, &played.moves, played.outcome);
            record.counts = self.plan.counts(&record);
            if !self.plan.recover && record.failed_before_move().is_some() {
                return Err(Aborted::Failed(UnfitEngine::Failed(record.fault().to_owned())));
            }
            let counts = record.counts;
            messages.send(Message::Record(Box::new(record))).map_err(|_| Aborted::Stopped)?;
            if counts {
                break;
            }
        }
        Ok(())
    }
}
