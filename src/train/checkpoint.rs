//! Checkpoints: files from which a training can be resumed.
//!
//! The file, little-endian: magic, length of the header, header (JSON), weights, the optimizer's two moving averages,
//! and the CRC-32 of everything before it.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::adam::Adam;
use super::losses::EpochLosses;
use super::parameters::Parameters;
use super::{TrainError, TrainingSettings, write_whole};

const MAGIC: [u8; 8] = *b"JUDKTRN1";

/// The state of a training between two epochs.
pub struct State {
    pub weights: Box<Parameters>,
    pub adam: Adam,
    pub losses: Vec<EpochLosses>,
    pub extensions: Vec<Extension>,
    /// The user's text for the network's file.
    pub note: Option<String>,
}

/// An extension of a training by more epochs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Extension {
    /// The number of epochs done before.
    pub done: u64,
    /// The number of epochs planned until then.
    pub planned: u64,
}

#[derive(Serialize, Deserialize)]
struct Header {
    settings: TrainingSettings,
    steps: u64,
    losses: Vec<EpochLosses>,
    #[serde(default)]
    extensions: Vec<Extension>,
    #[serde(default)]
    note: Option<String>,
}

impl State {
    /// Writes a checkpoint atomically.
    pub fn write(&self, settings: &TrainingSettings, path: &Path) -> Result<(), TrainError> {
        let State { losses, extensions, note, .. } = self;
        let (losses, extensions, note) = (losses.clone(), extensions.clone(), note.clone());
        let header = Header { settings: settings.clone(), steps: self.adam.steps, losses, extensions, note };
        let header = serde_json::to_vec(&header).expect("numbers and texts are valid JSON");
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header);
        for parameters in [&self.weights, &self.adam.mean, &self.adam.square] {
            bytes.extend(parameters.values().iter().flat_map(|value| value.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        write_whole(path, &bytes)
    }

    /// Reads a checkpoint, which must have been written with the same settings, or with fewer epochs: then the training
    /// is extended.
    pub fn read(settings: &TrainingSettings, path: &Path) -> Result<State, TrainError> {
        let damaged = |problem: &str| TrainError::Checkpoint(path.to_owned(), problem.to_owned());
        let bytes = fs::read(path).map_err(TrainError::io(path))?;
        let Some((content, checksum)) = bytes.split_last_chunk::<4>() else { return Err(damaged("too short")) };
        let rest = content.strip_prefix(&MAGIC).ok_or_else(|| damaged("not a checkpoint of this program"))?;
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err(damaged("its checksum is wrong"));
        }
        let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(|| damaged("too short"))?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let (header, values) = rest.split_at_checked(length).ok_or_else(|| damaged("too short"))?;
        let header: Header = serde_json::from_slice(header).map_err(|error| damaged(&error.to_string()))?;
        settings.check_goes_on(&header.settings)?;
        let Header { settings: TrainingSettings { epochs: planned, .. }, steps, losses, mut extensions, note } = header;
        if planned != settings.epochs {
            extensions.push(Extension { done: losses.len() as u64, planned });
        }
        let values = values.as_chunks::<4>().0;
        if values.len() != 3 * Parameters::COUNT {
            return Err(damaged("its network has another architecture"));
        }
        let [weights, mean, square] = std::array::from_fn(|index| {
            let mut parameters = Parameters::zeroed();
            let values = &values[index * Parameters::COUNT..];
            let all = parameters.values_mut().iter_mut().zip(values);
            all.for_each(|(value, bytes)| *value = f32::from_le_bytes(*bytes));
            parameters
        });
        Ok(State { weights, adam: Adam { mean, square, steps }, losses, extensions, note })
    }
}
