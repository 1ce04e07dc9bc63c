use std::sync::atomic::AtomicBool;

use super::game::is_quiet;
use super::self_play::search_quietly;
use super::{DataError, ShardReader, TrainingGame};
use crate::eval::Evaluation;
use crate::search::{Pool, PoolError, Settings};
use crate::shogi::{Game, Position};

/// Gives games new scores. Their moves and results are kept.
pub struct Rescorer {
    /// The evaluation of the searches.
    pub evaluation: Evaluation,
    /// The soft limit of the search of a position, in nodes.
    pub nodes: u64,
    /// The size of the hash table in MiB.
    pub hash: usize,
}

impl Rescorer {
    /// The games of a shard with new scores for the quiet positions, since no others are trained on. [`None`] if `stop`
    /// is set before the last game is done.
    ///
    /// # Errors
    /// [`RescoreError`], if the shard cannot be read, or no search pool can be made.
    pub fn rescore(&self, shard: ShardReader, stop: &AtomicBool) -> Result<Option<Vec<TrainingGame>>, RescoreError> {
        let pool = Pool::new(1, self.hash, false)?;
        pool.install(|| self.rescore_with(&pool, shard, stop))
    }

    fn rescore_with(
        &self,
        pool: &Pool,
        mut shard: ShardReader,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<TrainingGame>>, RescoreError> {
        let mut rescored = Vec::new();
        while let Some(game) = shard.next() {
            match self.game(pool, game?, &shard, stop)? {
                Some(game) => rescored.push(game),
                None => return Ok(None),
            }
        }
        Ok(Some(rescored))
    }

    fn game(
        &self,
        pool: &Pool,
        mut game: TrainingGame,
        shard: &ShardReader,
        stop: &AtomicBool,
    ) -> Result<Option<TrainingGame>, RescoreError> {
        let settings = Settings {
            impasse_rule: game.impasse_rule,
            impasse_plies: u32::from(game.impasse_plies),
            evaluation: self.evaluation.clone(),
            ..Settings::default()
        };
        let mut replayed = Game::new(Position::startpos()).with_impasse(settings.impasse_rule, settings.impasse_plies);
        for &mv in &game.opening {
            replayed.play(mv).map_err(|error| shard.illegal(error))?;
        }
        for ply in &mut game.plies {
            if is_quiet(replayed.position(), *ply) {
                let Some(outcome) = search_quietly(pool, &replayed, &settings, self.nodes, stop) else {
                    return Ok(None);
                };
                ply.score = outcome.score as i16;
            }
            replayed.play(ply.mv).map_err(|error| shard.illegal(error))?;
        }
        Ok(Some(game))
    }
}

/// Why games cannot be rescored.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// The games cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The system provides no thread, or not enough memory for the hash table.
    #[error(transparent)]
    Pool(#[from] PoolError),
}
