//! Plays a single game of a match: starts both engines, keeps their clocks, checks their moves and decides the result.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::player::{Failure, Player, Refusal, Thought, UnfitEngine};
use super::{EngineSpec, Fault, Opening, Outcome, Rules};
use crate::contest::Tracker;
use crate::protocol::EngineDecision;
use crate::shogi::{Color, EndReason, Game, GameResult, Move};
use crate::time_control::{Clock, limits};

/// The slot of an engine. Its process is kept for the next game unless it committed a fault.
#[derive(Debug)]
pub(super) struct Seat {
    pub spec: Arc<EngineSpec>,
    player: Option<Player>,
}

impl Seat {
    pub fn new(spec: &Arc<EngineSpec>) -> Seat {
        Seat { spec: Arc::clone(spec), player: None }
    }

    /// Starts the engine if it is not running, and prepares it for a new game. Returns the option that it rejects, if
    /// any.
    fn new_game(&mut self, rules: &Rules, stop: &AtomicBool) -> Result<Option<Refusal>, Failure> {
        // A process that ended between two games is replaced.
        if let Some(mut player) = self.player.take() {
            match player.new_game(rules, stop) {
                Ok(()) => return Ok(self.keep(player)),
                Err(Failure::Stopped) => return Err(Failure::Stopped),
                Err(Failure::Spawn(_)) => unreachable!("it was started"),
                Err(Failure::Fault(fault)) => {
                    tracing::warn!("{} {fault}, between two games; started again", self.spec.name);
                }
            }
        }
        let mut player = Player::start(&self.spec, stop)?;
        player.new_game(rules, stop)?;
        Ok(self.keep(player))
    }

    /// Keeps the process for the next game, and returns the option that it rejected.
    fn keep(&mut self, player: Player) -> Option<Refusal> {
        self.player.insert(player).refusal()
    }

    /// Lets the engine exit.
    pub fn close(self) {
        if let Some(player) = self.player {
            player.quit();
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Played {
    /// The moves, and what the engines said of them.
    pub moves: Vec<(Move, Thought)>,
    pub outcome: Outcome,
}

/// The reason why a game was aborted.
#[derive(Clone, Debug)]
pub(super) enum Aborted {
    /// The match was stopped.
    Stopped,
    Failed(UnfitEngine),
}

/// Plays a game from an opening that is not over. `seats` are indexed by colour.
pub(super) fn play(
    seats: [&mut Seat; 2],
    opening: &Opening,
    rules: &Rules,
    stop: &AtomicBool,
) -> Result<Played, Aborted> {
    let mut referee = Referee {
        clocks: [&*seats[0], &*seats[1]].map(|seat| Clock::new(seat.spec.control)),
        seats,
        game: opening.game(rules),
        opening,
        tracker: Tracker::new(rules.adjudication),
        moves: Vec::new(),
        stop,
    };
    let outcome = match referee.start(rules)? {
        // No game has begun, so no engine is told a result.
        Some(outcome) => outcome,
        None => {
            let outcome = loop {
                if let Some(outcome) = referee.next_move()? {
                    break outcome;
                }
            };
            referee.tell(&outcome);
            outcome
        }
    };
    Ok(Played { moves: referee.moves, outcome })
}

struct Referee<'a> {
    seats: [&'a mut Seat; 2],
    clocks: [Clock; 2],
    opening: &'a Opening,
    game: Game,
    tracker: Tracker,
    moves: Vec<(Move, Thought)>,
    stop: &'a AtomicBool,
}

impl Referee<'_> {
    /// Prepares both engines. An engine that fails to get ready loses before the first move.
    fn start(&mut self, rules: &Rules) -> Result<Option<Outcome>, Aborted> {
        for color in Color::ALL {
            match self.seats[color.index()].new_game(rules, self.stop) {
                Ok(None) => {}
                Ok(Some(refusal)) => return Err(Aborted::Failed(refusal.into())),
                Err(failure) => return self.failed(color, failure).map(Some),
            }
        }
        Ok(None)
    }

    /// Lets the engine whose turn it is move. Returns the outcome if the game is over.
    fn next_move(&mut self) -> Result<Option<Outcome>, Aborted> {
        let mover = self.game.position().side_to_move();
        let clock = &self.clocks[mover.index()];
        let go = limits(&self.clocks, mover);
        let seat = &mut *self.seats[mover.index()];
        let player = seat.player.as_mut().expect("an engine without a process has lost");
        let thought = match player.think(self.opening.start(), self.game.moves(), &go, clock, self.stop) {
            Ok(thought) => thought,
            Err(failure) => return self.failed(mover, failure).map(Some),
        };
        self.clocks[mover.index()].press(thought.elapsed);
        let mv = match thought.decision {
            EngineDecision::Move(mv) => mv,
            EngineDecision::Resign => return Ok(Some(Outcome::won(!mover, EndReason::Resignation, "resignation"))),
            EngineDecision::Declare => return Ok(Some(self.decided(mover, self.game.declare()))),
        };
        if let Err(illegal) = self.game.play(mv) {
            return Ok(Some(self.decided(mover, self.game.forfeit(illegal))));
        }
        let score = thought.score;
        self.moves.push((mv, thought));
        let by_rule = self.game.result().map(Outcome::from);
        Ok(by_rule.or_else(|| self.tracker.take(mover, score, self.game.moves().len())))
    }

    /// The outcome of a declaration or of an illegal move. A loss names the engine, as a fault does.
    fn decided(&self, mover: Color, result: GameResult) -> Outcome {
        if result.winner == Some(mover) {
            return result.into();
        }
        let name = &self.seats[mover.index()].spec.name;
        Outcome::won(!mover, result.reason, format_args!("{name}: {}", result.explained()))
    }

    /// Ends the game by a fault of an engine. Unless it was merely late, it is restarted for the next game.
    fn failed(&mut self, loser: Color, failure: Failure) -> Result<Outcome, Aborted> {
        let seat = &mut *self.seats[loser.index()];
        match failure {
            Failure::Stopped => Err(Aborted::Stopped),
            Failure::Spawn(error) => Err(Aborted::Failed(UnfitEngine::Spawn(error))),
            Failure::Fault(fault) => {
                if !matches!(fault, Fault::OutOfTime { .. }) {
                    seat.player = None;
                }
                Ok(fault.outcome(loser, &seat.spec.name))
            }
        }
    }

    /// Sends the result to both engines.
    fn tell(&self, outcome: &Outcome) {
        for color in Color::ALL {
            if let Some(player) = &self.seats[color.index()].player {
                player.game_over(match outcome.winner {
                    Some(winner) if winner == color => "win",
                    Some(_) => "lose",
                    None => "draw",
                });
            }
        }
    }
}

impl Fault {
    /// The loss of the engine that has this colour, and this name, by this fault.
    fn outcome(&self, loser: Color, name: &str) -> Outcome {
        let reason = match self {
            Fault::NoStart { .. } => EndReason::NoStart,
            Fault::Crashed(_) => EndReason::Crash,
            Fault::ClosedOutput => EndReason::ClosedOutput,
            Fault::Hung(_) => EndReason::Hang,
            Fault::OutOfTime { .. } => EndReason::Time,
            Fault::Flooded => EndReason::Flood,
            Fault::UnreadableMove(_) => EndReason::Nonsense,
            Fault::UnaskedMove(_) => EndReason::UnaskedMove,
        };
        Outcome::won(!loser, reason, format_args!("{name} {self}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_loses() {
        let outcome = Fault::ClosedOutput.outcome(Color::Black, "one");
        assert_eq!((outcome.winner, outcome.reason), (Some(Color::White), EndReason::ClosedOutput));
        assert!(outcome.detail.starts_with("White wins: one "), "{outcome:?}");
    }
}
