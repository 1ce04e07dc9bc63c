use std::sync::atomic::{AtomicBool, Ordering};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::{ScoredPly, TrainingGame};
use crate::eval::Evaluation;
use crate::search::score::DECIDED_BOUND;
use crate::search::{Clock, Limits, Pool, PoolError, Root, SearchOutcome, Settings};
use crate::shogi::{Color, EndReason, Game, ImpasseRule, Position};

/// From this score in centipawns on, seen by both sides for [`DECISIVE_PLIES`] plies, a game is won.
const DECISIVE: i32 = 2_000;

/// How long.
const DECISIVE_PLIES: u32 = 4;

/// Games of so many plies have no winner.
const LONGEST: usize = 400;

/// A search may take so many times the nodes it should to finish an iteration.
const OVERDRAFT: u64 = 10;

/// But it always may visit so many: some move must have been looked at to its end.
const LEAST_NODES: u64 = 2_000;

/// How games of self-play are played. The same options give the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayOptions {
    /// Which evaluation plays: its name, and a network's checksum.
    pub evaluation: String,
    /// Positions visited for a move, after which the iteration is finished.
    pub nodes: u64,
    /// The fewest and the most moves played by chance at the start.
    pub random_plies: [u8; 2],
    /// Starts further from level than this, in centipawns, are thrown away.
    pub start_score: i32,
    /// The impasse rule's name.
    pub impasse_rule: String,
    /// Its quiet plies.
    pub impasse_plies: u8,
    /// Games in a shard.
    pub games: usize,
    /// MiB of hash table for each thread.
    pub hash: usize,
    /// Decides what chance decides.
    pub seed: u64,
}

/// Plays games against itself.
pub struct SelfPlay {
    options: SelfPlayOptions,
    settings: Settings,
}

impl SelfPlay {
    /// Games as the options say, with the evaluation and under the impasse rule that they name.
    pub fn new(options: SelfPlayOptions, evaluation: Evaluation, impasse_rule: ImpasseRule) -> SelfPlay {
        let impasse_plies = u32::from(options.impasse_plies);
        let settings = Settings { impasse_rule, impasse_plies, evaluation, ..Settings::default() };
        SelfPlay { options, settings }
    }

    /// Plays the games of a shard. `tell` hears of each; nothing comes back if `stop` is set before the last.
    ///
    /// # Errors
    /// [`PoolError`] if the system gives no thread or no memory.
    pub fn shard(
        &self,
        number: u64,
        stop: &AtomicBool,
        tell: &(dyn Fn(&TrainingGame) + Sync),
    ) -> Result<Option<Vec<TrainingGame>>, PoolError> {
        // Whatever a search learns stays within the shard, so that each is the same whichever was played before.
        let pool = Pool::new(1, self.options.hash, false)?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.options.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Ok(pool.install(|| {
            (0..self.options.games)
                .map(|_| {
                    let game = self.game(&pool, &mut rng, stop)?;
                    tell(&game);
                    Some(game)
                })
                .collect()
        }))
    }

    fn game(&self, pool: &Pool, rng: &mut Xoshiro256PlusPlus, stop: &AtomicBool) -> Option<TrainingGame> {
        let mut game = self.opening(pool, rng, stop)?;
        let opening = game.moves().to_vec();
        let mut plies = Vec::new();
        let mut decisive = 0i32;
        let (winner, ending) = loop {
            if let Some(result) = game.result() {
                break (result.winner, result.reason);
            }
            if plies.len() >= LONGEST {
                break (None, EndReason::MoveLimit);
            }
            let outcome = self.search(pool, &game, stop)?;
            let mv = outcome.best.expect("the game is not over");
            let us = game.position().side_to_move();
            let ahead = if outcome.score > 0 { us } else { !us };
            plies.push(ScoredPly { mv, score: outcome.score as i16 });
            if outcome.score.abs() >= DECIDED_BOUND {
                break (Some(ahead), EndReason::Proven);
            }
            let sign = if ahead == Color::Black { 1 } else { -1 };
            decisive = match outcome.score.abs() >= DECISIVE {
                true if decisive * sign >= 0 => decisive + sign,
                true => sign,
                false => 0,
            };
            if decisive.unsigned_abs() >= DECISIVE_PLIES {
                break (Some(ahead), EndReason::AdjudicatedWin);
            }
            game.play(mv).expect("the search plays legal moves");
        };
        let (impasse_rule, impasse_plies) = (self.settings.impasse_rule, self.options.impasse_plies);
        Some(TrainingGame { impasse_rule, impasse_plies, opening, plies, winner, ending })
    }

    /// A start that chance has made, and that is not too one-sided.
    fn opening(&self, pool: &Pool, rng: &mut Xoshiro256PlusPlus, stop: &AtomicBool) -> Option<Game> {
        loop {
            let [fewest, most] = self.options.random_plies;
            let length = rng.random_range(fewest..=most.max(fewest));
            let mut game =
                Game::new(Position::startpos()).with_impasse(self.settings.impasse_rule, self.settings.impasse_plies);
            for _ in 0..length {
                // A start that is over already has no moves, and is thrown away below.
                let moves = game.position().legal_moves();
                let Some(&mv) = moves.choose(rng) else { break };
                game.play(mv).expect("it is legal");
            }
            if game.result().is_none() && self.search(pool, &game, stop)?.score.abs() <= self.options.start_score {
                return Some(game);
            }
        }
    }

    fn search(&self, pool: &Pool, game: &Game, stop: &AtomicBool) -> Option<SearchOutcome> {
        search_quietly(pool, game, &self.settings, self.options.nodes, stop)
    }
}

/// A search of about so many nodes, where a game stands, that tells nobody; nothing if it was stopped.
pub(super) fn search_quietly(
    pool: &Pool,
    game: &Game,
    settings: &Settings,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<SearchOutcome> {
    let most = nodes.saturating_mul(OVERDRAFT).max(LEAST_NODES);
    let limits = Limits { soft_nodes: Some(nodes), nodes: Some(most), ..Limits::default() };
    let root = Root { position: game.position().clone(), history: game.history().clone() };
    let clock = Clock::new(&limits, settings, root.position.side_to_move());
    let outcome = pool.search(&root, &limits, settings, &clock, stop, &mut |_| {});
    (!stop.load(Ordering::Relaxed)).then_some(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::MATE;

    fn play(options: &SelfPlayOptions, number: u64) -> Vec<TrainingGame> {
        let never = AtomicBool::new(false);
        let self_play = SelfPlay::new(options.clone(), Evaluation::Handwritten, ImpasseRule::Points12);
        self_play.shard(number, &never, &|_| {}).unwrap().unwrap()
    }

    fn options() -> SelfPlayOptions {
        SelfPlayOptions {
            evaluation: "handwritten".to_owned(),
            nodes: 50,
            random_plies: [3, 8],
            start_score: 400,
            impasse_rule: ImpasseRule::Points12.to_string(),
            impasse_plies: 24,
            games: 4,
            hash: 1,
            seed: 7,
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_games_and_each_shard_has_its_own() {
        let games = play(&options(), 3);
        assert_eq!(games, play(&options(), 3));
        assert_ne!(games, play(&options(), 4));
        assert_ne!(games, play(&SelfPlayOptions { seed: 8, ..options() }, 3));
    }

    #[test]
    fn games_replay_and_end_as_they_say() {
        for game in play(&options(), 1) {
            assert!((3..=8).contains(&game.opening.len()));
            let mut replayed = Game::new(Position::startpos());
            game.opening.iter().for_each(|&mv| replayed.play(mv).unwrap());
            for (number, ply) in (1..).zip(&game.plies) {
                assert_eq!(replayed.result(), None, "before ply {number}");
                // The move that would follow a proven win is not on the board any more.
                if number < game.plies.len() || !matches!(game.ending, EndReason::Proven | EndReason::AdjudicatedWin) {
                    replayed.play(ply.mv).unwrap();
                }
            }
            match replayed.result() {
                Some(result) => assert_eq!((result.winner, result.reason), (game.winner, game.ending)),
                None => {
                    assert!(matches!(game.ending, EndReason::Proven | EndReason::AdjudicatedWin | EndReason::MoveLimit))
                }
            }
        }
    }

    #[test]
    fn however_few_nodes_no_end_is_invented() {
        for game in play(&SelfPlayOptions { nodes: 1, games: 30, ..options() }, 1) {
            let scores = game.plies.iter().map(|ply| i32::from(ply.score));
            assert!(scores.max_by_key(|score| score.abs()).is_some_and(|score| score.abs() <= MATE), "{game:?}");
        }
    }

    #[test]
    fn a_stopped_shard_is_none() {
        let stopped = AtomicBool::new(true);
        let self_play = SelfPlay::new(options(), Evaluation::Handwritten, ImpasseRule::Points12);
        assert!(self_play.shard(1, &stopped, &|_| {}).unwrap().is_none());
    }
}
