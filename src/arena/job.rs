//! `Job` and `JobResult`: the JSON exchanged with other machines that play parts of a match or of a tuning run.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::runner::set_up;
use super::{
    Ending, EngineSpec, Format, GameRecord, Match, NodeJitter, Opening, Rules, Schedule, SpecError, UnfitEngine,
};
use crate::protocol::usi::OptionKind;
use crate::shogi::Color;

/// Pairs of games between two engines, as a self-contained unit of work for any machine. With engines limited by
/// `nodes=` the same job always yields the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The engines, in the syntax of [`EngineSpec::parse`].
    pub engines: [String; 2],
    /// The default keys of both engines.
    #[serde(default)]
    pub each: Vec<String>,
    /// The openings, each for a pair of games: the first engine has Black in the first of them.
    pub openings: Vec<String>,
    #[serde(default)]
    pub rules: Rules,
    /// As in [`Match`].
    #[serde(default)]
    pub first_pair: usize,
    /// As in [`Match`].
    #[serde(default)]
    pub jitter: Option<NodeJitter>,
    /// As in [`Match`].
    #[serde(default)]
    pub recover: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobResult {
    pub games: Vec<GameRecord>,
}

impl JobResult {
    /// The first engine's points minus the second's.
    pub fn lead(&self) -> f64 {
        let points = |game: &GameRecord| {
            // The first engine has Black in games with odd numbers.
            let first = if game.game % 2 == 1 { Color::Black } else { Color::White };
            f64::from(game.result.half_points(first)) - 1.0
        };
        self.games.iter().map(points).sum()
    }
}

/// The reason why a job cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// An engine cannot be read.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An opening cannot be read, or ends the game.
    #[error("opening '{0}': {1}")]
    Opening(String, String),
    /// The job has no games.
    #[error("a job needs openings")]
    Nothing,
    #[error(transparent)]
    Engine(#[from] UnfitEngine),
    #[error("interrupted")]
    Aborted,
}

impl Job {
    /// Reads the engines.
    ///
    /// # Errors
    /// [`SpecError`] of the first engine that cannot be read.
    pub fn specs(&self) -> Result<[EngineSpec; 2], SpecError> {
        let [one, other] = &self.engines;
        let parse = |text: &String| EngineSpec::parse(std::slice::from_ref(text), &self.each);
        Ok([parse(one)?, parse(other)?])
    }

    /// Plays the games, one after the other, with `engines` in place of the job's own.
    ///
    /// # Errors
    /// [`JobError`].
    pub fn play(&self, engines: [EngineSpec; 2], stop: &AtomicBool) -> Result<JobResult, JobError> {
        let plan = self.plan(engines)?;
        let mut games = Vec::new();
        let ending = plan.run(plan.nothing_done(), stop, |record| {
            games.push(record);
            Ok::<(), std::convert::Infallible>(())
        });
        match ending {
            Ok(Ending::Complete) => {}
            Ok(Ending::Failed(error)) => return Err(error.into()),
            Ok(Ending::Aborted | Ending::Decided(_)) => return Err(JobError::Aborted),
        }
        games.sort_by_key(|game| game.game);
        Ok(JobResult { games })
    }

    /// Checks the engines as [`Match::check_engines`] does.
    ///
    /// # Errors
    /// [`JobError`].
    pub fn check(&self, engines: [EngineSpec; 2], stop: &AtomicBool) -> Result<(), JobError> {
        // The games report the faults from which the match recovers.
        Ok(self.plan(engines)?.check_engines(stop, |_| {})?)
    }

    fn plan(&self, engines: [EngineSpec; 2]) -> Result<Match, JobError> {
        let read = |text: &String| {
            Opening::parse_unfinished(text, &self.rules).map_err(|message| JobError::Opening(text.clone(), message))
        };
        let openings: Vec<Opening> = self.openings.iter().map(read).collect::<Result<_, _>>()?;
        if openings.is_empty() {
            return Err(JobError::Nothing);
        }
        Ok(Match {
            engines: engines.into_iter().map(Arc::new).collect(),
            schedule: Schedule::new(2, Format::RoundRobin, openings.len()),
            openings,
            rules: self.rules,
            first_pair: self.first_pair,
            jitter: self.jitter,
            replays: 0,
            sprt: None,
            concurrency: 1,
            recover: self.recover,
        })
    }
}

/// The integer options that an engine offers, with default, minimum and maximum.
///
/// # Errors
/// [`JobError`] if the engine does not start or rejects one of its options.
pub fn number_options(
    spec: &EngineSpec,
    rules: &Rules,
    stop: &AtomicBool,
) -> Result<Vec<(String, [i64; 3])>, JobError> {
    let player = set_up(&Arc::new(spec.clone()), rules, stop)?.ok_or(JobError::Aborted)?;
    let numbers = player.options().iter().filter_map(|(name, kind)| match kind {
        OptionKind::Spin { default, min, max } => Some((name.clone(), [*default, *min, *max])),
        _ => None,
    });
    let numbers = numbers.collect();
    player.quit();
    Ok(numbers)
}
