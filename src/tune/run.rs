//! A run of tuning, which can go on where it was stopped.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::curves;
use super::spsa::{Gains, Parameter, Perturbation, Spsa};
use crate::arena::{Job, Rules};
use crate::whole_file;

/// What makes one run differ from another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneSettings {
    /// The engine, as a match takes it; it plays against itself.
    pub engine: String,
    /// What else is said of it.
    pub each: Vec<String>,
    /// What is tuned.
    pub parameters: Vec<Parameter>,
    /// The schedule.
    pub gains: Gains,
    /// Pairs that are played with the same values before they are moved.
    pub batch: u64,
    /// The rules of the games.
    pub rules: Rules,
    /// Decides what chance decides, the order of the openings among it.
    pub seed: u64,
    /// A checksum of the openings in their order.
    pub openings: u32,
}

/// A run between two batches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    settings: TuneSettings,
    values: Vec<f64>,
    pairs: u64,
    /// The sum of the first engines' leads.
    lead: f64,
}

/// Why a run cannot be begun or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// A file is not what it should be.
    #[error("{0} is damaged: {1}")]
    Damaged(PathBuf, String),
    /// The folder holds another run.
    #[error("{folder} holds another run: {what} differs")]
    Other {
        /// The folder.
        folder: PathBuf,
        /// What is different.
        what: String,
    },
    /// A batch is learned from as a whole.
    #[error("{0} pairs, but the run's next batch has {1}")]
    Incomplete(usize, u64),
    /// It is another pair's turn.
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

/// A pair that is to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedPair {
    /// The values.
    pub perturbation: Perturbation,
    /// The games.
    pub job: Job,
}

/// A run in a folder: `state.json`, `values.csv` with the values after every batch and the
/// score of the first engines so far in percent (far from 50 something is wrong with the match), and `curves.svg`.
pub struct Run {
    folder: PathBuf,
    state: State,
    spsa: Spsa,
    table: String,
}

const STATE: &str = "state.json";
const TABLE: &str = "values.csv";
const CURVES: &str = "curves.svg";

impl Run {
    /// Begins a run in a folder, or goes on with the one that is there.
    ///
    /// # Errors
    /// [`RunError`], if the folder holds a run with other settings or cannot be used.
    pub fn open(folder: &Path, settings: TuneSettings) -> Result<Run, RunError> {
        let path = folder.join(STATE);
        let state = match fs::read(&path) {
            Ok(bytes) => {
                let state: State =
                    serde_json::from_slice(&bytes).map_err(|error| RunError::Damaged(path, error.to_string()))?;
                if let Some(what) = difference(&state.settings, &settings) {
                    return Err(RunError::Other { folder: folder.to_owned(), what });
                }
                state
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(folder).map_err(io_error(folder))?;
                let values = settings.parameters.iter().map(|parameter| parameter.start).collect();
                State { settings, values, pairs: 0, lead: 0.0 }
            }
            Err(error) => return Err(RunError::Io(path, error)),
        };
        let run = Run::of(folder, state)?;
        run.write(TABLE, run.table.as_bytes())?;
        run.keep()?;
        Ok(run)
    }

    /// The run that is in a folder.
    ///
    /// # Errors
    /// [`RunError`], if there is none.
    pub fn read(folder: &Path) -> Result<Run, RunError> {
        let path = folder.join(STATE);
        let bytes = fs::read(&path).map_err(io_error(&path))?;
        let state = serde_json::from_slice(&bytes).map_err(|error| RunError::Damaged(path, error.to_string()))?;
        Run::of(folder, state)
    }

    fn of(folder: &Path, state: State) -> Result<Run, RunError> {
        let TuneSettings { parameters, gains, seed, .. } = &state.settings;
        let mut spsa = Spsa::new(parameters.clone(), *gains, *seed);
        if state.values.len() != parameters.len() {
            let problem = format!("{} values for {} parameters", state.values.len(), parameters.len());
            return Err(RunError::Damaged(folder.join(STATE), problem));
        }
        spsa.values.clone_from(&state.values);
        let path = folder.join(TABLE);
        let before = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(RunError::Io(path, error)),
        };
        // What a row says that was written, perhaps in part, when the state was not yet, is played again.
        let is_past = |row: &&str| {
            let mut cells = row.split(',');
            let pairs = cells.next().and_then(|pairs| pairs.parse::<u64>().ok());
            pairs.is_some_and(|pairs| pairs <= state.pairs) && cells.count() == parameters.len() + 1
        };
        let mut table = table_head(parameters);
        before.lines().skip(1).filter(is_past).for_each(|row| table += &format!("{row}\n"));
        Ok(Run { folder: folder.to_owned(), state, spsa, table })
    }

    /// Pairs that were played.
    pub fn pairs(&self) -> u64 {
        self.state.pairs
    }

    /// What the run was begun with.
    pub fn settings(&self) -> &TuneSettings {
        &self.state.settings
    }

    /// Where the parameters stand.
    pub fn values(&self) -> &[f64] {
        &self.spsa.values
    }

    /// The values as an engine takes them.
    pub fn rounded(&self) -> Vec<i64> {
        self.spsa.rounded()
    }

    /// The next batch, with openings for all pairs of the run in their order; nothing if it is over.
    pub fn next(&self, openings: &[String]) -> Vec<PlannedPair> {
        self.next_pairs().map(|pair| self.planned(pair, openings)).collect()
    }

    /// The numbers of the pairs of the next batch.
    fn next_pairs(&self) -> Range<u64> {
        let TuneSettings { batch, gains, .. } = &self.state.settings;
        self.state.pairs..(self.state.pairs + batch).min(gains.pairs)
    }

    fn planned(&self, pair: u64, openings: &[String]) -> PlannedPair {
        let TuneSettings { engine, each, parameters, rules, .. } = &self.state.settings;
        let perturbation = self.spsa.perturbation(pair);
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
        };
        PlannedPair { perturbation, job }
    }

    /// Writes where the run stands.
    fn keep(&self) -> Result<(), RunError> {
        let state = serde_json::to_vec_pretty(&self.state).expect("numbers and texts only");
        self.write(STATE, &state)
    }

    /// Learns from a batch: its pairs, in their order, with the first engine's lead in each. Everything is on the disk
    /// afterwards.
    ///
    /// # Errors
    /// [`RunError`] if these are not the pairs whose turn it is, with the values as they stand; or if the run cannot be
    /// written.
    pub fn take(&mut self, batch: &[(PlannedPair, f64)]) -> Result<(), RunError> {
        let expected = self.next_pairs();
        if batch.is_empty() || batch.len() as u64 != expected.end - expected.start {
            return Err(RunError::Incomplete(batch.len(), expected.end - expected.start));
        }
        for ((pair, _), number) in batch.iter().zip(expected) {
            if pair.perturbation != self.spsa.perturbation(number) {
                return Err(RunError::NotNext(pair.perturbation.pair + 1, number + 1));
            }
        }
        for (pair, lead) in batch {
            self.spsa.learn(&pair.perturbation, *lead);
            self.state.pairs += 1;
            self.state.lead += lead;
        }
        self.state.values.clone_from(&self.spsa.values);
        let State { pairs, lead, .. } = self.state;
        let score = 50.0 + 25.0 * lead / pairs as f64;
        let row = self.spsa.values.iter().fold(format!("{pairs},{score:.2}"), |row, value| format!("{row},{value:.4}"));
        let row = format!("{row}\n");
        // The table grows by a row: a long run has thousands.
        let path = self.folder.join(TABLE);
        let appended = File::options().append(true).open(&path).and_then(|mut file| file.write_all(row.as_bytes()));
        appended.map_err(io_error(&path))?;
        self.table += &row;
        self.keep()
    }

    /// Draws the curves.
    ///
    /// # Errors
    /// [`RunError`] if they cannot be written.
    pub fn draw(&self) -> Result<(), RunError> {
        let path = self.folder.join(CURVES);
        let text = curves::draw(&self.state.settings.parameters, &self.table)
            .map_err(|error| RunError::Picture(path, error.to_string()))?;
        self.write(CURVES, text.as_bytes())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.folder.join(name);
        whole_file::write(&path, bytes).map_err(io_error(&path))
    }
}

fn table_head(parameters: &[Parameter]) -> String {
    parameters.iter().fold("pairs,score".to_owned(), |head, parameter| format!("{head},{}", parameter.name)) + "\n"
}

/// What is different between two runs' settings, if anything.
fn difference(one: &TuneSettings, other: &TuneSettings) -> Option<String> {
    let names = |settings: &TuneSettings| settings.parameters.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
    if names(one) != names(other) {
        return Some(format!(
            "the list of parameters ({} there, {} here)",
            names(one).join(" "),
            names(other).join(" ")
        ));
    }
    // The usual rates depend on it.
    if one.gains != other.gains {
        return Some("the number of iterations".to_owned());
    }
    let parameter = one.parameters.iter().zip(&other.parameters).find(|(one, other)| one != other);
    if let Some((one, _)) = parameter {
        return Some(format!("{}'s start, range, step or rate", one.name));
    }
    [
        ("the engine", one.engine != other.engine),
        ("how long it thinks, or its options", one.each != other.each),
        ("the batch", one.batch != other.batch),
        ("the rules", one.rules != other.rules),
        ("the seed", one.seed != other.seed),
        ("the list of openings", one.openings != other.openings),
    ]
    .into_iter()
    .find_map(|(what, differs)| differs.then(|| what.to_owned()))
}
