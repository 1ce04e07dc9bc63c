//! A training that can go on where it was stopped: everything it knows, in one file.
//!
//! Magic, length of the text, text (JSON), weights, the optimizer's two memories, and the CRC-32 of all that. Numbers are
//! little-endian.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::adam::Adam;
use super::losses::EpochLosses;
use super::parameters::Parameters;
use super::{TrainError, TrainingSettings, write_whole};

const MAGIC: [u8; 8] = *b"JUDKTRN1";

/// What a training knows between two epochs.
pub struct State {
    /// The weights so far.
    pub weights: Box<Parameters>,
    /// What the optimizer remembers of the steps.
    pub adam: Adam,
    /// What came of the epochs.
    pub losses: Vec<EpochLosses>,
}

/// The part that is text.
#[derive(Serialize, Deserialize)]
struct Header {
    settings: TrainingSettings,
    steps: u64,
    losses: Vec<EpochLosses>,
}

impl State {
    /// Writes the file: whole, or not at all.
    pub fn write(&self, settings: &TrainingSettings, path: &Path) -> Result<(), TrainError> {
        let header = Header { settings: settings.clone(), steps: self.adam.steps, losses: self.losses.clone() };
        let header = serde_json::to_vec(&header).expect("numbers and texts only");
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header);
        for numbers in [&self.weights, &self.adam.mean, &self.adam.square] {
            bytes.extend(numbers.values().iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        write_whole(path, &bytes)
    }

    /// Reads a file that was written with the same settings.
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
        let (header, numbers) = rest.split_at_checked(length).ok_or_else(|| damaged("too short"))?;
        let header: Header = serde_json::from_slice(header).map_err(|error| damaged(&error.to_string()))?;
        settings.check_same(&header.settings)?;
        let numbers = numbers.as_chunks::<4>().0;
        if numbers.len() != 3 * Parameters::COUNT {
            return Err(damaged("a network of another shape"));
        }
        let [weights, mean, square] = std::array::from_fn(|index| {
            let mut parameters = Parameters::zeroed();
            let numbers = &numbers[index * Parameters::COUNT..];
            let all = parameters.values_mut().iter_mut().zip(numbers);
            all.for_each(|(number, bytes)| *number = f32::from_le_bytes(*bytes));
            parameters
        });
        Ok(State { weights, adam: Adam { mean, square, steps: header.steps }, losses: header.losses })
    }
}
