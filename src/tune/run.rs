//! A tuning run in a folder, which can be resumed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::curves;
use super::spsa::{Gains, Parameter, Perturbation, Spsa};
use crate::arena::{Job, Rules};
use crate::atomic_file;
use crate::difference::differences;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneSettings {
    /// The engine, in the syntax of [`EngineSpec`](crate::arena::EngineSpec). It plays against itself.
    pub engine: String,
    /// Further keys of the engine's specification.
    pub each: Vec<String>,
    pub parameters: Vec<Parameter>,
    pub gains: Gains,
    /// The number of pairs played with the same values before the values are updated.
    pub batch: u64,
    pub rules: Rules,
    /// The seed of all random choices, including the order of the openings.
    pub seed: u64,
    /// The CRC-32 of the openings in their order.
    pub openings: u32,
}

impl TuneSettings {
    fn spsa(&self) -> Spsa<'_> {
        Spsa { parameters: &self.parameters, gains: self.gains, seed: self.seed }
    }
}

/// The state of a run between two batches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    settings: TuneSettings,
    values: Vec<f64>,
    pairs: u64,
    /// The sum of the first engine's leads, in points.
    lead: f64,
}

/// The reason why a run cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The folder contains no run.
    #[error("there is no run in {0}")]
    Missing(PathBuf),
    /// A file of the run is damaged.
    #[error("{0} is damaged: {1}")]
    Damaged(PathBuf, String),
    /// The folder contains another run.
    #[error("{folder} holds a run with other settings: {}; give it these, or take another folder", .settings.join("; "))]
    Other {
        folder: PathBuf,
        /// The differing settings, with both values.
        settings: Vec<String>,
    },
    /// There is no next batch.
    #[error("the run is complete: {0} pairs were played")]
    Complete(u64),
    /// Not a complete batch.
    #[error("{0} pairs were played, but the next batch of the run has {1}")]
    Incomplete(usize, u64),
    /// Another pair is next, or the values have changed.
    #[error("pair {0} as it was played is not the run's next, pair {1}")]
    NotNext(u64, u64),
    /// The curves cannot be drawn.
    #[error("{0}: {1}")]
    Picture(PathBuf, String),
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> RunError {
    let path = path.to_owned();
    move |error| RunError::Io(path, error)
}

/// A pair of games to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedPair {
    /// The values of both engines.
    pub perturbation: Perturbation,
    pub job: Job,
}

/// A run in a folder: `state.json`, `values.csv`, `curves.svg`. The table has a row for each batch, with the values
/// after it and the score of the first engine so far in percent. It should stay near 50; otherwise the matches are not
/// fair.
pub struct Run {
    folder: PathBuf,
    state: State,
    table: String,
}

const STATE: &str = "state.json";
const TABLE: &str = "values.csv";
const CURVES: &str = "curves.svg";

impl Run {
    /// Starts a run in a folder, or resumes the run in it. A greater number of pairs extends the run; its gains come
    /// from [`Run::gains`].
    ///
    /// # Errors
    /// [`RunError`] if the folder has a run with other settings, or cannot be read or written.
    pub fn open(folder: &Path, settings: TuneSettings) -> Result<Run, RunError> {
        let run = Run::plan(folder, settings)?;
        fs::create_dir_all(folder).map_err(io_error(folder))?;
        run.write(TABLE, run.table.as_bytes())?;
        run.keep()?;
        Ok(run)
    }

    /// As [`Run::open`], but writes nothing.
    ///
    /// # Errors
    /// [`RunError`] if the folder has a run with other settings, or cannot be read.
    pub fn plan(folder: &Path, settings: TuneSettings) -> Result<Run, RunError> {
        let state = match read_state(folder)? {
            // A run without pairs may have been started by mistake, and has nothing to lose.
            Some(state) if state.pairs > 0 => {
                let found = other_settings(&state.settings, &settings);
                if !found.is_empty() {
                    return Err(RunError::Other { folder: folder.to_owned(), settings: found });
                }
                State { settings, ..state }
            }
            _ => {
                let values = settings.parameters.iter().map(|parameter| parameter.start).collect();
                State { settings, values, pairs: 0, lead: 0.0 }
            }
        };
        Run::of(folder, state)
    }

    /// The gains of the run in a folder, if there is one: an extended run keeps them.
    ///
    /// # Errors
    /// [`RunError`] if it is damaged.
    pub fn gains(folder: &Path) -> Result<Option<Gains>, RunError> {
        Ok(read_state(folder)?.filter(|state| state.pairs > 0).map(|state| state.settings.gains))
    }

    /// Resumes the run in a folder.
    ///
    /// # Errors
    /// [`RunError`] if there is none, or it is damaged.
    pub fn read(folder: &Path) -> Result<Run, RunError> {
        let missing = || RunError::Missing(folder.to_owned());
        Run::of(folder, read_state(folder)?.ok_or_else(missing)?)
    }

    fn of(folder: &Path, state: State) -> Result<Run, RunError> {
        let parameters = &state.settings.parameters;
        if state.values.len() != parameters.len() {
            let problem = format!("{} values for {} parameters", state.values.len(), parameters.len());
            return Err(RunError::Damaged(folder.join(STATE), problem));
        }
        let path = folder.join(TABLE);
        let before = match atomic_file::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(RunError::Io(path, error)),
        };
        // Drop the row, possibly incomplete, of a batch whose state was not written: the batch is played again.
        // Drop damaged rows too: they cannot be drawn.
        let is_past = |row: &&str| {
            let (pairs, cells) = row.split_once(',').unwrap_or_default();
            let cells: Result<Vec<f64>, _> = cells.split(',').map(str::parse).collect();
            pairs.parse::<u64>().is_ok_and(|pairs| pairs <= state.pairs)
                && cells
                    .is_ok_and(|cells| cells.len() == parameters.len() + 1 && cells.iter().all(|cell| cell.is_finite()))
        };
        let mut table = table_head(parameters);
        before.lines().skip(1).filter(is_past).for_each(|row| table += &format!("{row}\n"));
        Ok(Run { folder: folder.to_owned(), state, table })
    }

    /// The number of pairs played.
    pub fn pairs(&self) -> u64 {
        self.state.pairs
    }

    pub fn settings(&self) -> &TuneSettings {
        &self.state.settings
    }

    /// The current values, unrounded.
    pub fn values(&self) -> &[f64] {
        &self.state.values
    }

    /// The current values, rounded.
    pub fn rounded(&self) -> Vec<i64> {
        self.state.values.iter().map(|value| value.round() as i64).collect()
    }

    /// The next batch; empty if the run is finished. Pair `n` gets opening `n`, cyclically.
    pub fn next(&self, openings: &[String]) -> Vec<PlannedPair> {
        self.next_pairs().map(|pair| self.planned(pair, openings)).collect()
    }

    /// The indices of the pairs of the next batch.
    fn next_pairs(&self) -> Range<u64> {
        let TuneSettings { batch, gains, .. } = &self.state.settings;
        self.state.pairs..(self.state.pairs + batch).min(gains.pairs)
    }

    fn planned(&self, pair: u64, openings: &[String]) -> PlannedPair {
        let TuneSettings { engine, each, parameters, rules, .. } = &self.state.settings;
        let perturbation = self.state.settings.spsa().perturbation(&self.state.values, pair);
        let with = |name: &str, values: &[i64]| {
            let options = parameters.iter().zip(values);
            options.fold(format!("{engine},name={name}"), |text, (parameter, value)| {
                format!("{text},option.{}={value}", parameter.name)
            })
        };
        let job = Job {
            engines: [with("plus", &perturbation.plus), with("minus", &perturbation.minus)],
            each: each.clone(),
            openings: vec![openings[(pair % openings.len() as u64) as usize].clone()],
            rules: *rules,
            first_pair: pair as usize,
            jitter: None,
            recover: false,
        };
        PlannedPair { perturbation, job }
    }

    fn keep(&self) -> Result<(), RunError> {
        let state = serde_json::to_vec_pretty(&self.state).expect("numbers and texts are valid JSON");
        self.write(STATE, &state)
    }

    /// Updates the values from the results of a batch, and writes the state and a row of the table. The batch must have
    /// the next pairs in order, each with the first engine's lead in points, -2 to 2.
    ///
    /// # Errors
    /// [`RunError`] if these are not the next pairs with the current values, or the run cannot be written.
    pub fn take(&mut self, batch: &[(PlannedPair, f64)]) -> Result<(), RunError> {
        let expected = self.next_pairs();
        if expected.is_empty() {
            return Err(RunError::Complete(self.state.pairs));
        }
        if batch.len() as u64 != expected.end - expected.start {
            return Err(RunError::Incomplete(batch.len(), expected.end - expected.start));
        }
        let State { settings, values, pairs, lead: sum } = &mut self.state;
        let spsa = settings.spsa();
        for ((pair, _), index) in batch.iter().zip(expected) {
            if pair.perturbation != spsa.perturbation(values, index) {
                return Err(RunError::NotNext(pair.perturbation.pair + 1, index + 1));
            }
        }
        for (pair, lead) in batch {
            spsa.learn(values, &pair.perturbation, *lead);
            *pairs += 1;
            *sum += lead;
        }
        let score = 50.0 + 25.0 * *sum / *pairs as f64;
        let row = values.iter().fold(format!("{pairs},{score:.2}"), |row, value| format!("{row},{value:.4}"));
        let row = format!("{row}\n");
        let path = self.folder.join(TABLE);
        let length = fs::metadata(&path).map_or(0, |metadata| metadata.len());
        let is_whole = length == self.table.len() as u64;
        self.table += &row;
        if is_whole {
            // A long run has thousands of rows.
            let appended = File::options().append(true).open(&path).and_then(|mut file| file.write_all(row.as_bytes()));
            appended.map_err(io_error(&path))?;
        } else {
            // A row is there whose state was not written.
            self.write(TABLE, self.table.as_bytes())?;
        }
        self.keep()
    }

    /// Draws the curves.
    ///
    /// # Errors
    /// [`RunError`] if they cannot be drawn or written.
    pub fn draw(&self) -> Result<(), RunError> {
        let path = self.folder.join(CURVES);
        let text = curves::draw(&self.state.settings.parameters, &self.table)
            .map_err(|error| RunError::Picture(path, error.to_string()))?;
        self.write(CURVES, text.as_bytes())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.folder.join(name);
        atomic_file::write(&path, bytes).map_err(io_error(&path))
    }
}

fn table_head(parameters: &[Parameter]) -> String {
    parameters.iter().fold("pairs,score".to_owned(), |head, parameter| format!("{head},{}", parameter.name)) + "\n"
}

/// The state of the run in a folder, if there is one.
fn read_state(folder: &Path) -> Result<Option<State>, RunError> {
    let path = folder.join(STATE);
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(io_error(&path))?,
    };
    let state: State = serde_json::from_slice(&bytes).map_err(|error| RunError::Damaged(path, error.to_string()))?;
    Ok(Some(state))
}

/// The differing settings that prevent a run from continuing, with their values there and here.
fn other_settings(there: &TuneSettings, here: &TuneSettings) -> Vec<String> {
    let mut found = Vec::new();
    let names = |settings: &TuneSettings| settings.parameters.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
    let [names_there, names_here] = [names(there), names(here)].map(|names| names.join(" "));
    if names_there == names_here {
        for (one, other) in there.parameters.iter().zip(&here.parameters) {
            found.extend(differences(one, other).into_iter().map(|found| format!("{} {found}", one.name)));
        }
    } else {
        found.push(format!("parameters {names_there} there, {names_here} here"));
    }
    if here.gains.pairs < there.gains.pairs {
        let [there, here] = [there.gains.pairs, here.gains.pairs];
        found.push(format!("iterations {there} there, {here} here, though a run only grows longer"));
    }
    if there.openings != here.openings {
        found.push("another list of openings".to_owned());
    }
    // Compared above.
    let gains = Gains { pairs: 0, begun_with: None, ..there.gains };
    let rest = |settings: &TuneSettings| TuneSettings { parameters: Vec::new(), openings: 0, ..settings.clone() };
    let [one, other] = [there, here].map(|settings| TuneSettings { gains, ..rest(settings) });
    found.extend(differences(&one, &other).iter().map(ToString::to_string));
    found
}
