//! The generator of training games: random openings balanced by search, then self-play with a node limit per move.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::{BATCH, ScoredPly, TrainingGame};
use crate::eval::Evaluation;
use crate::random::numbered_rng;
use crate::search::score::DECIDED_BOUND;
use crate::search::{Limits, Pool, PoolError, Root, SearchOutcome, Settings};
use crate::shogi::{EndReason, Game, ImpasseRule, Position};

/// A game is adjudicated when the same side is ahead by this score in centipawns for [`DECISIVE_PLIES`] consecutive
/// plies.
const DECISIVE: i32 = 2_000;

/// In plies: both players' searches must agree twice.
const DECISIVE_PLIES: u32 = 4;

/// A game is drawn after this number of plies after its opening.
const LONGEST: usize = 400;

/// The hard node limit as a multiple of the soft one, after which a search finishes its iteration.
const OVERDRAFT: u64 = 10;

/// The minimum hard node limit, so that a first iteration can be finished.
const LEAST_NODES: u64 = 2_000;

/// Added to the limit of scores for the static evaluation of an opening, in centipawns; half of it for a tenth of the
/// nodes.
const STATIC_MARGIN: i32 = 200;

/// The number of consecutive rejected starts after which the options are considered unsatisfiable.
const MOST_STARTS: u32 = 10_000;

/// The reason why a shard cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// The system lacks a thread or memory.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// No start is balanced enough.
    #[error(
        "none of {MOST_STARTS} starts fits: after {} to {} random moves all were over, or further from level than \
         {start_score} centipawns", .random_plies[0], .random_plies[1]
    )]
    NoStart {
        /// The minimum and the maximum number of random moves.
        random_plies: [u8; 2],
        /// The greatest absolute score after them, in centipawns.
        start_score: i32,
    },
}

/// The options of self-play. The same options yield the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayOptions {
    /// The evaluation: its name, or a network's checksum.
    pub evaluation: String,
    /// The soft node limit of a search: the running iteration is finished.
    pub nodes: u64,
    /// The minimum and the maximum number of random moves at the start.
    pub random_plies: [u8; 2],
    /// The greatest absolute score after the random moves, in centipawns. Openings beyond it are discarded.
    pub start_score: i32,
    pub impasse_rule: String,
    /// The number of plies of the impasse rule.
    pub impasse_plies: u8,
    /// The number of games in a shard.
    pub games: usize,
    /// The size of each thread's hash table in MiB.
    pub hash: usize,
    /// The seed of the random moves.
    pub seed: u64,
}

pub struct SelfPlay {
    options: SelfPlayOptions,
    settings: Settings,
}

impl SelfPlay {
    /// Self-play with these options. `evaluation` and `impasse_rule` must match the options.
    pub fn new(options: SelfPlayOptions, evaluation: Evaluation, impasse_rule: ImpasseRule) -> SelfPlay {
        let impasse_plies = u32::from(options.impasse_plies);
        let settings = Settings { impasse_rule, impasse_plies, evaluation, ..Settings::default() };
        SelfPlay { options, settings }
    }

    /// Plays a batch of the shard with this index: up to [`BATCH`] games after the first `before`, which are complete
    /// batches. `tell` receives each game. [`None`] if `stop` is set before the last.
    ///
    /// # Errors
    /// [`SelfPlayError`].
    pub fn batch(
        &self,
        index: u64,
        before: usize,
        stop: &AtomicBool,
        tell: &(dyn Fn(&TrainingGame) + Sync),
    ) -> Result<Option<Vec<TrainingGame>>, SelfPlayError> {
        // Use a new pool for each batch: its games must not depend on earlier ones.
        let pool = Pool::new(1, self.options.hash)?;
        let batch = (before / BATCH) as u64;
        let mut rng = numbered_rng(self.options.seed ^ batch.wrapping_mul(0xd1b5_4a32_d192_ed03), index);
        let SelfPlayOptions { nodes, start_score, .. } = self.options;
        pool.install(|| {
            let mut games = Vec::new();
            for _ in 0..BATCH.min(self.options.games.saturating_sub(before)) {
                let Some(opening) = self.opening(&pool, &mut rng, stop, &[(nodes, start_score)])? else {
                    return Ok(None);
                };
                let Some(game) = self.game(&pool, opening, stop) else { return Ok(None) };
                tell(&game);
                games.push(game);
            }
            Ok(Some(games))
        })
    }

    /// Makes a batch of [`BATCH`] balanced openings, each with the position that it leads to. `tell` is called for
    /// each. [`None`] if `stop` is set before the last.
    ///
    /// # Errors
    /// [`SelfPlayError`].
    pub fn openings(
        &self,
        batch: u64,
        stop: &AtomicBool,
        tell: &(dyn Fn() + Sync),
    ) -> Result<Option<Vec<Game>>, SelfPlayError> {
        let pool = Pool::new(1, self.options.hash)?;
        let mut rng = numbered_rng(self.options.seed, batch);
        let SelfPlayOptions { nodes, start_score, .. } = self.options;
        // Most openings are rejected before the last and longest look.
        let looks = [
            (0, start_score.saturating_add(STATIC_MARGIN)),
            (nodes.div_ceil(10), start_score.saturating_add(STATIC_MARGIN / 2)),
            (nodes, start_score),
        ];
        pool.install(|| {
            let mut openings = Vec::new();
            while openings.len() < BATCH {
                let Some(opening) = self.opening(&pool, &mut rng, stop, &looks)? else { return Ok(None) };
                openings.push(opening);
                tell();
            }
            Ok(Some(openings))
        })
    }

    /// Plays a game after its opening. [`None`] if `stop` is set before the end.
    fn game(&self, pool: &Pool, mut game: Game, stop: &AtomicBool) -> Option<TrainingGame> {
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
            let outcome = search_quietly(pool, &game, &self.settings, self.options.nodes, stop)?;
            let mv = outcome.best.expect("the game is not over");
            let us = game.position().side_to_move();
            let ahead = if outcome.score > 0 { us } else { !us };
            plies.push(ScoredPly { mv, score: outcome.score as i16 });
            if outcome.score.abs() >= DECIDED_BOUND {
                break (Some(ahead), EndReason::Proven);
            }
            let sign = ahead.relative(1);
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

    /// Plays random moves until they make a balanced opening. Each look at it has a number of nodes, 0 for the static
    /// evaluation, and the greatest absolute score. [`None`] if `stop` is set before.
    fn opening(
        &self,
        pool: &Pool,
        rng: &mut Xoshiro256PlusPlus,
        stop: &AtomicBool,
        looks: &[(u64, i32)],
    ) -> Result<Option<Game>, SelfPlayError> {
        let SelfPlayOptions { random_plies, start_score, .. } = self.options;
        let Settings { impasse_rule, impasse_plies, evaluation, .. } = &self.settings;
        for _ in 0..MOST_STARTS {
            let [fewest, most] = random_plies;
            let length = rng.random_range(fewest..=most.max(fewest));
            let mut game = Game::new(Position::startpos()).with_impasse(*impasse_rule, *impasse_plies);
            for _ in 0..length {
                // A finished game is discarded below.
                let moves = game.position().legal_moves();
                let Some(&mv) = moves.choose(rng) else { break };
                game.play(mv).expect("it is legal");
            }
            if game.result().is_some() {
                continue;
            }
            let mut is_balanced = true;
            for &(nodes, limit) in looks {
                let score = match nodes {
                    0 => evaluation.evaluate(game.position(), *impasse_rule),
                    nodes => match search_quietly(pool, &game, &self.settings, nodes, stop) {
                        Some(outcome) => outcome.score,
                        None => return Ok(None),
                    },
                };
                is_balanced = score.abs() <= limit;
                if !is_balanced {
                    break;
                }
            }
            if is_balanced {
                return Ok(Some(game));
            }
        }
        Err(SelfPlayError::NoStart { random_plies, start_score })
    }
}

/// Searches the current position of a game with a soft node limit, without reports. [`None`] if it was stopped.
pub(super) fn search_quietly(
    pool: &Pool,
    game: &Game,
    settings: &Settings,
    nodes: u64,
    stop: &AtomicBool,
) -> Option<SearchOutcome> {
    let most = nodes.saturating_mul(OVERDRAFT).max(LEAST_NODES);
    let limits = Limits { soft_nodes: Some(nodes), nodes: Some(most), ..Limits::default() };
    let outcome = pool.search(&Root::of(game), &limits, settings, None, stop, &mut |_| {});
    (!stop.load(Ordering::Relaxed)).then_some(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::MATE;

    fn play(options: &SelfPlayOptions, index: u64) -> Vec<TrainingGame> {
        let never = AtomicBool::new(false);
        let self_play = SelfPlay::new(options.clone(), Evaluation::Handwritten, ImpasseRule::Points12);
        self_play.batch(index, 0, &never, &|_| {}).unwrap().unwrap()
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
    fn the_same_seed_gives_the_same_games_and_each_batch_has_its_own() {
        let games = play(&options(), 3);
        assert_eq!(games, play(&options(), 3));
        assert_ne!(games, play(&options(), 4));
        assert_ne!(games, play(&SelfPlayOptions { seed: 8, ..options() }, 3));
        let options = SelfPlayOptions { games: BATCH + 3, ..options() };
        let (never, self_play) =
            (AtomicBool::new(false), SelfPlay::new(options, Evaluation::Handwritten, ImpasseRule::Points12));
        let batch = |before| self_play.batch(3, before, &never, &|_| {}).unwrap().unwrap();
        let (second, first) = (batch(BATCH), batch(0));
        assert_eq!((first.len(), second.len()), (BATCH, 3));
        assert!(first[..4] == games && first[..3] != second);
    }

    #[test]
    fn games_replay_and_end_as_they_say() {
        for game in play(&options(), 1) {
            assert!((3..=8).contains(&game.opening.len()));
            let mut replayed = Game::new(Position::startpos());
            game.opening.iter().for_each(|&mv| replayed.play(mv).unwrap());
            for (number, ply) in (1..).zip(&game.plies) {
                assert_eq!(replayed.result(), None, "before ply {number}");
                // The last move of an adjudicated game was not played.
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
        for game in play(&SelfPlayOptions { nodes: 1, games: BATCH, ..options() }, 1) {
            let scores = game.plies.iter().map(|ply| i32::from(ply.score));
            assert!(scores.max_by_key(|score| score.abs()).is_some_and(|score| score.abs() <= MATE), "{game:?}");
        }
    }

    #[test]
    fn a_stopped_batch_is_none() {
        let stopped = AtomicBool::new(true);
        let self_play = SelfPlay::new(options(), Evaluation::Handwritten, ImpasseRule::Points12);
        assert!(self_play.batch(1, 0, &stopped, &|_| {}).unwrap().is_none());
    }

    #[test]
    fn openings_are_within_the_limit_and_depend_on_the_seed() {
        let make = |options: SelfPlayOptions, batch| {
            let self_play = SelfPlay::new(options, Evaluation::default(), ImpasseRule::Points12);
            self_play.openings(batch, &AtomicBool::new(false), &|| {}).unwrap().unwrap()
        };
        let moves = |games: &[Game]| games.iter().map(|game| game.moves().to_vec()).collect::<Vec<_>>();
        let options = SelfPlayOptions { start_score: 100, random_plies: [4, 6], ..options() };
        let games = make(options.clone(), 2);
        assert_eq!((games.len(), moves(&games)), (BATCH, moves(&make(options.clone(), 2))));
        assert_ne!(moves(&games), moves(&make(options, 3)));
        for game in &games {
            assert!((4..=6).contains(&game.moves().len()) && game.result().is_none());
            assert!(
                Evaluation::default().evaluate(game.position(), ImpasseRule::default()).abs() <= 100 + STATIC_MARGIN
            );
        }
    }

    #[test]
    fn starts_that_never_fit_are_given_up() {
        let never = AtomicBool::new(false);
        let options = SelfPlayOptions { start_score: -1, random_plies: [0, 0], nodes: 1, ..options() };
        let self_play = SelfPlay::new(options, Evaluation::Handwritten, ImpasseRule::Points12);
        let error = self_play.batch(1, 0, &never, &|_| {}).unwrap_err().to_string();
        let said = "after 0 to 0 random moves all were over, or further from level than -1 centipawns";
        assert_eq!(error, format!("none of 10000 starts fits: {said}"));
    }
}
