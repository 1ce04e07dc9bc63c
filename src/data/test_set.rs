//! Scored positions from search trees, on which networks are compared, and their representation as lines of EPD.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::game::is_quiet;
use super::self_play::search_quietly;
use super::{ScoredPly, TrainingGame};
use crate::eval::{Evaluation, Observed};
use crate::search::score::MATE;
use crate::search::{Pool, PoolError, Settings};
use crate::shogi::{Game, IllegalMove, Move, Position};
use crate::work::lock;

/// A position of a test set of networks, with the result of a search. As text it is a line of EPD: `SFEN bm MOVE; ce
/// CENTIPAWNS; id "GAME";`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestPosition {
    pub position: Position,
    pub best: Move,
    /// The score for the side to move, with mates as in [`crate::search::score`].
    pub score: i32,
    /// The name of the game that led to the position. Positions of the same game are not independent.
    pub game: String,
}

impl TestPosition {
    /// Whether networks are trained on positions like this one.
    pub fn is_quiet(&self) -> bool {
        is_quiet(&self.position, ScoredPly { mv: self.best, score: self.score as i16 })
    }
}

impl fmt::Display for TestPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TestPosition { position, best, score, game } = self;
        write!(f, "{position} bm {best}; ce {score}; id \"{game}\";")
    }
}

impl FromStr for TestPosition {
    type Err = String;

    fn from_str(line: &str) -> Result<TestPosition, String> {
        let form = "a position of a test set is 'SFEN bm MOVE; ce CENTIPAWNS; id \"GAME\";'";
        let read = || {
            let (sfen, operations) = line.trim_end().split_once(" bm ")?;
            let (best, operations) = operations.split_once("; ce ")?;
            let (score, game) = operations.split_once("; id \"")?;
            Some((sfen, best, score.parse().ok()?, game.strip_suffix("\";")?))
        };
        let (sfen, best, score, game) = read().ok_or(form)?;
        if !(-MATE..=MATE).contains(&score) {
            return Err(format!("a score is at most {MATE}, not {score}"));
        }
        let position: Position = sfen.parse().map_err(|error| format!("'{sfen}': {error}"))?;
        let best = best.parse::<Move>().ok().filter(|best| position.is_legal(*best));
        let best = best.ok_or_else(|| format!("the best move of '{sfen}' is not legal"))?;
        Ok(TestPosition { position, best, score, game: game.to_owned() })
    }
}

/// A game from which positions are taken.
#[derive(Clone, Debug)]
pub struct TestGame {
    pub game: TrainingGame,
    pub name: String,
    /// The number of positions to take.
    pub positions: usize,
    /// Makes the random choices.
    pub rng: Xoshiro256PlusPlus,
}

/// Takes random positions from those that searches visit, and scores them by longer searches.
///
/// Searches start from random positions of games. Their trees have more checks, drops and lost positions than games,
/// and a network evaluates trees.
pub struct TestSet {
    pub evaluation: Evaluation,
    /// The soft node limit of the searches whose positions are taken.
    pub nodes: u64,
    /// The soft node limit of the searches that score them.
    pub score_nodes: u64,
    /// The size of the hash table in MiB.
    pub hash: usize,
}

/// The reason why no positions can be taken from a game.
#[derive(Debug, thiserror::Error)]
pub enum TestSetError {
    /// A game does not replay.
    #[error("{0}: {1}")]
    Illegal(String, IllegalMove),
    /// The system provides no thread, or not enough memory for the hash table.
    #[error(transparent)]
    Pool(#[from] PoolError),
}

impl TestSet {
    /// Takes positions from some games; a search that visits no unfinished position yields none. Calls `tell` after
    /// each position. [`None`] if `stop` is set before the last.
    ///
    /// # Errors
    /// [`TestSetError`].
    pub fn take(
        &self,
        games: &[TestGame],
        stop: &AtomicBool,
        tell: &(dyn Fn() + Sync),
    ) -> Result<Option<Vec<TestPosition>>, TestSetError> {
        // Use a new pool for each part: its scores must not depend on other games.
        let pool = Pool::new(1, self.hash)?;
        pool.install(|| {
            let mut taken = Vec::new();
            for game in games {
                let mut rng = game.rng.clone();
                for _ in 0..game.positions {
                    if game.game.plies.is_empty() {
                        break;
                    }
                    let Some(found) = self.position(&pool, game, &mut rng, stop)? else { return Ok(None) };
                    taken.extend(found);
                    tell();
                }
            }
            Ok(Some(taken))
        })
    }

    /// Takes a position from a search in a random position of a game; an empty option if there is none. [`None`] if it
    /// was stopped.
    fn position(
        &self,
        pool: &Pool,
        TestGame { game, name, .. }: &TestGame,
        rng: &mut Xoshiro256PlusPlus,
        stop: &AtomicBool,
    ) -> Result<Option<Option<TestPosition>>, TestSetError> {
        let (impasse_rule, impasse_plies) = (game.impasse_rule, u32::from(game.impasse_plies));
        let begin = |position| Game::new(position).with_impasse(impasse_rule, impasse_plies);
        let mut replayed = begin(Position::startpos());
        let before = rng.random_range(0..game.plies.len());
        for mv in game.opening.iter().copied().chain(game.plies[..before].iter().map(|ply| ply.mv)) {
            replayed.play(mv).map_err(|error| TestSetError::Illegal(name.clone(), error))?;
        }
        let sample = Arc::new(Mutex::new(Sample::new(rng.random())));
        let settings =
            Settings { impasse_rule, impasse_plies, evaluation: self.evaluation.clone(), ..Settings::default() };
        let seen = Arc::clone(&sample);
        let observed = Observed {
            evaluation: self.evaluation.clone(),
            visit: Box::new(move |position| lock(&seen).see(position)),
        };
        let watched = Settings { evaluation: Evaluation::Observed(Arc::new(observed)), ..settings.clone() };
        if search_quietly(pool, &replayed, &watched, self.nodes, stop).is_none() {
            return Ok(None);
        }
        let Some(position) = lock(&sample).kept.take() else { return Ok(Some(None)) };
        let game = begin(position.clone());
        if game.result().is_some() {
            return Ok(Some(None));
        }
        let Some(outcome) = search_quietly(pool, &game, &settings, self.score_nodes, stop) else { return Ok(None) };
        let scored = |best| TestPosition { position, best, score: outcome.score, game: name.clone() };
        Ok(Some(outcome.best.map(scored)))
    }
}

/// One of the positions seen so far; each is kept with the same probability (reservoir sampling).
struct Sample {
    rng: Xoshiro256PlusPlus,
    seen: u64,
    kept: Option<Position>,
}

impl Sample {
    fn new(seed: u64) -> Sample {
        Sample { rng: Xoshiro256PlusPlus::seed_from_u64(seed), seen: 0, kept: None }
    }

    fn see(&mut self, position: &Position) {
        self.seen += 1;
        if self.rng.random_range(0..self.seen) == 0 {
            self.kept = Some(position.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::game::tests::example;
    use crate::random::numbered_rng;

    #[test]
    fn a_position_is_a_line() {
        let line = "rbnsgk/5p/6/6/P5/KGSNBR b - 1 bm 6e6d; ce -35; id \"000001 7\";";
        let position: TestPosition = line.parse().unwrap();
        assert_eq!((position.to_string().as_str(), position.game.as_str()), (line, "000001 7"));
        assert!(position.is_quiet() && !TestPosition { score: 31_990, ..position }.is_quiet());
        for (wrong, error) in [
            (line.replace("; ce -35", ""), "a position of a test set is 'SFEN bm MOVE; ce CENTIPAWNS"),
            (line.replace("-35", "70000"), "a score is at most 32000, not 70000"),
            (line.replace("6e6d", "6e6c"), "the best move of 'rbnsgk/5p/6/6/P5/KGSNBR b - 1' is not legal"),
            (line.replace("KGSNBR", "KGSNBB5"), "'rbnsgk/5p/6/6/P5/KGSNBB5 b - 1': "),
        ] {
            let message = wrong.parse::<TestPosition>().unwrap_err();
            assert!(message.starts_with(error), "{message}");
        }
    }

    #[test]
    fn every_position_is_kept_with_the_same_probability() {
        let mut position = Position::startpos();
        let (first, mut times) = (position.clone(), 0);
        position.play_unchecked("6e6d".parse().unwrap());
        for seed in 0..1_000 {
            let mut sample = Sample::new(seed);
            sample.see(&first);
            (0..3).for_each(|_| sample.see(&position));
            times += u32::from(sample.kept == Some(first.clone()));
        }
        assert!((200..300).contains(&times), "{times}");
    }

    #[test]
    fn positions_come_from_trees_and_depend_on_the_seed() {
        let set = TestSet { evaluation: Evaluation::default(), nodes: 200, score_nodes: 400, hash: 1 };
        let game =
            |seed| [TestGame { game: example(), name: "a".to_owned(), positions: 30, rng: numbered_rng(seed, 0) }];
        let take = |seed| set.take(&game(seed), &AtomicBool::new(false), &|| {}).unwrap().unwrap();
        let taken = take(1);
        assert!(taken == take(1) && taken != take(2) && taken.len() > 20, "{taken:?}");
        let mut of_the_game = Vec::new();
        example().replay(|position, _| of_the_game.push(position.key())).unwrap();
        assert!(taken.iter().filter(|taken| !of_the_game.contains(&taken.position.key())).count() > 20);
        assert!(taken.iter().any(|taken| taken.position.in_check()));
        assert!(set.take(&game(1), &AtomicBool::new(true), &|| {}).unwrap().is_none());
    }
}
