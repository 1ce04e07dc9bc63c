//! The file format of networks, specified in `format.md`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::{HIDDEN, INPUTS, Network, OUTPUTS, QA, QB, SCALE};
use crate::atomic_file;

const MAGIC: [u8; 8] = *b"JUDKINS\0";
const VERSION: u32 = 1;
const HEADER: usize = 52;

/// The offset of the checksum in the header.
const CHECKSUM: usize = HEADER - 4;

/// The length of the payload in bytes.
const PAYLOAD: usize = 2 * (INPUTS + 1 + OUTPUTS * 2) * HIDDEN + 4 * OUTPUTS;

/// The greatest length of a note in bytes.
pub const NOTE_LIMIT: usize = 1 << 16;

/// The greatest absolute value of an input weight or bias: the sum of 14 weights and the bias stays below 2¹⁵.
pub const INPUT_WEIGHT_LIMIT: i16 = 2_000;

/// The greatest absolute value of an output weight: its product with [`QA`] stays below 2¹⁵.
pub const OUTPUT_WEIGHT_LIMIT: i16 = 127;

/// The greatest absolute sum of the output weights of one sign: with every unit at [`QA`] the output stays below 2³¹.
const OUTPUT_SUM_LIMIT: i32 = i32::MAX / (QA * QA);

/// Why a network cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A folder, a pipe or a device.
    #[error("not a regular file")]
    NotAFile,
    /// It does not start with the magic bytes.
    #[error("not a network file of this program")]
    NotANetwork,
    /// Another version of the format.
    #[error("version {0} of the file format; this program reads version {VERSION}")]
    Version(u32),
    /// Other counts of inputs, hidden units or outputs.
    #[error("architecture ({} -> {}) x 2 -> {}; this program's is ({INPUTS} -> {HIDDEN}) x 2 -> {OUTPUTS}", .0[0], .0[1], .0[2])]
    Architecture([u32; 3]),
    /// Another quantisation.
    #[error("quantised with QA {}, QB {}, SCALE {}; this program uses {QA}, {QB}, {SCALE}", .0[0], .0[1], .0[2])]
    Quantisation([i32; 3]),
    /// A note of more than [`NOTE_LIMIT`] bytes.
    #[error("a note of {0} bytes; {NOTE_LIMIT} are allowed")]
    NoteLength(usize),
    /// A payload of another length than the architecture's.
    #[error("{0} bytes of weights; the architecture has {PAYLOAD}")]
    PayloadLength(u64),
    /// The file ends early.
    #[error("truncated: {found} bytes of {expected}")]
    Truncated {
        /// The length that the file should have, in bytes.
        expected: usize,
        /// The length that it has, in bytes.
        found: usize,
    },
    /// Bytes after the end of the payload.
    #[error("unexpected bytes after the {0} bytes of the network")]
    TrailingBytes(usize),
    /// The content does not match its checksum.
    #[error("damaged: the checksum is {found:08x}, the file says {stated:08x}")]
    Checksum {
        /// The checksum in the header.
        stated: u32,
        /// The checksum of the content.
        found: u32,
    },
    /// The note is not UTF-8.
    #[error("the note is not UTF-8")]
    Note,
    /// A weight that could make a sum overflow.
    #[error("{what} {index} is {value}; the limit is {limit}")]
    WeightLimit {
        /// The layer, in words.
        what: &'static str,
        /// Its index in the layer.
        index: usize,
        /// Its value.
        value: i16,
        /// The greatest absolute value allowed.
        limit: i16,
    },
    /// Output weights that together could make an output overflow.
    #[error("the output weights of one sign add up to {0}; the limit is {OUTPUT_SUM_LIMIT}")]
    OutputSum(i32),
}

impl Network {
    /// Reads a network and its note from a file, at most as many bytes as the longest network has.
    ///
    /// # Errors
    /// [`NetworkError`] if the file cannot be read or is not a network of this program.
    pub fn read(path: &Path) -> Result<(Network, String), NetworkError> {
        // Check before opening: opening a pipe blocks until there is a writer.
        if !fs::metadata(path)?.is_file() {
            return Err(NetworkError::NotAFile);
        }
        let longest = HEADER + NOTE_LIMIT + PAYLOAD;
        let mut bytes = Vec::new();
        File::open(path)?.take(longest as u64 + 1).read_to_end(&mut bytes)?;
        Network::from_bytes(&bytes)
    }

    /// Reads a network and its note from the content of a file.
    ///
    /// # Errors
    /// [`NetworkError`] if the content is not a network of this program.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Network, String), NetworkError> {
        let known = bytes.len().min(MAGIC.len());
        if known == 0 || bytes[..known] != MAGIC[..known] {
            return Err(NetworkError::NotANetwork);
        }
        if bytes.len() < HEADER {
            return Err(NetworkError::Truncated { expected: HEADER + PAYLOAD, found: bytes.len() });
        }
        let mut header = Numbers(&bytes[MAGIC.len()..HEADER]);
        let version = header.u32();
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let architecture = [header.u32(), header.u32(), header.u32()];
        if architecture != [INPUTS, HIDDEN, OUTPUTS].map(|count| count as u32) {
            return Err(NetworkError::Architecture(architecture));
        }
        let quantisation = [header.i32(), header.i32(), header.i32()];
        if quantisation != [QA, QB, SCALE] {
            return Err(NetworkError::Quantisation(quantisation));
        }
        let note_length = header.u32() as usize;
        if note_length > NOTE_LIMIT {
            return Err(NetworkError::NoteLength(note_length));
        }
        let payload_length = header.u64();
        if payload_length != PAYLOAD as u64 {
            return Err(NetworkError::PayloadLength(payload_length));
        }
        let expected = HEADER + note_length + PAYLOAD;
        if bytes.len() < expected {
            return Err(NetworkError::Truncated { expected, found: bytes.len() });
        }
        if bytes.len() > expected {
            return Err(NetworkError::TrailingBytes(expected));
        }
        let (stated, found) = (header.u32(), checksum(bytes));
        if stated != found {
            return Err(NetworkError::Checksum { stated, found });
        }
        let (note, payload) = bytes[HEADER..].split_at(note_length);
        let note = str::from_utf8(note).map_err(|_| NetworkError::Note)?;
        let mut payload = Numbers(payload);
        let network = Network {
            input_weights: (0..INPUTS).map(|_| payload.row()).collect(),
            input_bias: payload.row(),
            output_weights: std::array::from_fn(|_| [payload.row(), payload.row()]),
            output_bias: std::array::from_fn(|_| payload.i32()),
        };
        network.check_limits()?;
        Ok((network, note.to_owned()))
    }

    /// Writes a file atomically: an existing file is replaced only by a complete one.
    ///
    /// # Errors
    /// [`NetworkError`] if the file cannot be written, or if [`Network::read`] would reject it.
    pub fn write(&self, path: &Path, note: &str) -> Result<(), NetworkError> {
        Ok(atomic_file::write(path, &self.to_bytes(note)?)?)
    }

    /// The content of a file with this network and a note.
    ///
    /// # Errors
    /// [`NetworkError`] if [`Network::from_bytes`] would reject it.
    pub fn to_bytes(&self, note: &str) -> Result<Vec<u8>, NetworkError> {
        if note.len() > NOTE_LIMIT {
            return Err(NetworkError::NoteLength(note.len()));
        }
        self.check_limits()?;
        let mut bytes = Vec::with_capacity(HEADER + note.len() + PAYLOAD);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([INPUTS, HIDDEN, OUTPUTS].into_iter().flat_map(|count| (count as u32).to_le_bytes()));
        bytes.extend([QA, QB, SCALE].into_iter().flat_map(i32::to_le_bytes));
        bytes.extend((note.len() as u32).to_le_bytes());
        bytes.extend((PAYLOAD as u64).to_le_bytes());
        bytes.extend([0; HEADER - CHECKSUM]);
        bytes.extend(note.as_bytes());
        let rows = self.input_weights.iter().chain([&self.input_bias]).chain(self.output_weights.as_flattened());
        bytes.extend(rows.flatten().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        let checksum = checksum(&bytes);
        bytes[CHECKSUM..HEADER].copy_from_slice(&checksum.to_le_bytes());
        Ok(bytes)
    }

    /// The checksum in the header of a file with this note.
    ///
    /// # Errors
    /// [`NetworkError`] as from [`Network::to_bytes`].
    pub fn checksum(&self, note: &str) -> Result<u32, NetworkError> {
        self.to_bytes(note).map(|bytes| checksum(&bytes))
    }

    /// A checksum that does not depend on the note.
    ///
    /// # Errors
    /// [`NetworkError`] as from [`Network::to_bytes`].
    pub fn fingerprint(&self) -> Result<u32, NetworkError> {
        self.to_bytes("").map(|bytes| crc32fast::hash(&bytes))
    }

    /// Checks that no sum can overflow.
    fn check_limits(&self) -> Result<(), NetworkError> {
        let rows: [(_, &[_], _); 3] = [
            ("input weight", self.input_weights.as_flattened(), INPUT_WEIGHT_LIMIT),
            ("input bias", &self.input_bias, INPUT_WEIGHT_LIMIT),
            ("output weight", self.output_weights.as_flattened().as_flattened(), OUTPUT_WEIGHT_LIMIT),
        ];
        for (what, weights, limit) in rows {
            if let Some(index) = weights.iter().position(|weight| weight.unsigned_abs() > limit as u16) {
                return Err(NetworkError::WeightLimit { what, index, value: weights[index], limit });
            }
        }
        for output in &self.output_weights {
            let weights = output.as_flattened().iter().map(|&weight| i32::from(weight));
            let (positive, negative): (Vec<_>, Vec<_>) = weights.partition(|&weight| weight > 0);
            for sum in [positive, negative].map(|weights| weights.iter().sum::<i32>()) {
                if sum.abs() > OUTPUT_SUM_LIMIT {
                    return Err(NetworkError::OutputSum(sum));
                }
            }
        }
        Ok(())
    }
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKSUM]);
    hasher.update(&bytes[HEADER..]);
    hasher.finalize()
}

/// Reads numbers from the front of a slice, whose length must have been checked.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *first
    }

    fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.bytes())
    }

    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.bytes())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    fn row(&mut self) -> [i16; HIDDEN] {
        std::array::from_fn(|_| i16::from_le_bytes(self.bytes()))
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
