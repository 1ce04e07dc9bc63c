//! New searches of the positions of self-play games, so that old games can train a newer network.

use std::sync::atomic::AtomicBool;

use super::game::{NOT_QUIET, is_noisy, is_quiet};
use super::self_play::search_quietly;
use super::{BATCH, DataError, ShardReader, TrainingGame};
use crate::eval::Evaluation;
use crate::search::{Pool, PoolError, Settings};
use crate::shogi::{Game, Position};

/// Gives games new scores and keeps their moves and results.
///
/// A position stays quiet only if the new search's best move is quiet too.
pub struct Rescorer {
    pub evaluation: Evaluation,
    /// The soft node limit of each search.
    pub nodes: u64,
    /// The size of the hash table in MiB.
    pub hash: usize,
}

impl Rescorer {
    /// Rescores the next batch of games, at most [`BATCH`], in their quiet positions, since others are not trained on.
    /// Calls `tell` after each game. [`None`] if `stop` is set before the last game is done.
    ///
    /// # Errors
    /// [`RescoreError`] if the shard cannot be read, or no search pool can be made.
    pub fn batch(
        &self,
        shard: &mut ShardReader,
        stop: &AtomicBool,
        tell: &(dyn Fn() + Sync),
    ) -> Result<Option<Vec<TrainingGame>>, RescoreError> {
        // Use a new pool for each batch: its scores must not depend on earlier games.
        let pool = Pool::new(1, self.hash)?;
        pool.install(|| {
            let mut rescored = Vec::new();
            while rescored.len() < BATCH
                && let Some(game) = shard.next()
            {
                let Some(game) = self.game(&pool, game?, shard, stop)? else { return Ok(None) };
                rescored.push(game);
                tell();
            }
            Ok(Some(rescored))
        })
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
        game.opening.iter().try_for_each(|&mv| replayed.play(mv)).map_err(|error| shard.illegal(error))?;
        for ply in &mut game.plies {
            if is_quiet(replayed.position(), *ply) {
                let Some(outcome) = search_quietly(pool, &replayed, &settings, self.nodes, stop) else {
                    return Ok(None);
                };
                let is_still_quiet = outcome.best.is_some_and(|best| !is_noisy(replayed.position(), best));
                ply.score = if is_still_quiet { outcome.score as i16 } else { NOT_QUIET };
            }
            replayed.play(ply.mv).map_err(|error| shard.illegal(error))?;
        }
        Ok(Some(game))
    }
}

/// The reason why games cannot be rescored.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// The games cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The system provides no thread, or not enough memory for the hash table.
    #[error(transparent)]
    Pool(#[from] PoolError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{ScoredPly, write_shard};
    use crate::shogi::{Color, EndReason, ImpasseRule};

    #[test]
    fn a_position_stays_quiet_only_if_the_new_best_move_is_quiet() {
        let ply = |text: &str| ScoredPly { mv: text.parse().unwrap(), score: 0 };
        // The pawn on 6d is lost to the rook, which White overlooks.
        let game = TrainingGame {
            impasse_rule: ImpasseRule::Points12,
            impasse_plies: 24,
            opening: Vec::new(),
            plies: vec![ply("6e6d"), ply("3a3b")],
            winner: Some(Color::White),
            ending: EndReason::Proven,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0.games");
        write_shard(&path, std::slice::from_ref(&game)).unwrap();
        let rescorer = Rescorer { evaluation: Evaluation::default(), nodes: 2_000, hash: 1 };
        let mut shard = ShardReader::open(&path).unwrap();
        let games = rescorer.batch(&mut shard, &AtomicBool::new(false), &|| {}).unwrap().expect("nobody stopped it");
        let [TrainingGame { plies, .. }] = &games[..] else { panic!("{games:?}") };
        assert_eq!([plies[0].mv, plies[1].mv], [game.plies[0].mv, game.plies[1].mv]);
        assert_ne!(plies[0].score, NOT_QUIET);
        assert_eq!(plies[1].score, NOT_QUIET);
    }
}
