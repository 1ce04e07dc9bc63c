//! Tests of the network's file format, with a second reader written from `format.md`, and of damaged files.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use std::io::Write;

use super::super::Inference;
use super::*;
use crate::shogi::{Color, Position, Square};

const NOTE: &str = "trained on 3 games; väldigt kort";

fn network() -> Network {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut row = |limit: i16| std::array::from_fn(|_| random.random_range(-limit..=limit));
    Network {
        input_weights: (0..INPUTS).map(|_| row(INPUT_WEIGHT_LIMIT)).collect(),
        input_bias: row(INPUT_WEIGHT_LIMIT),
        output_weights: std::array::from_fn(|_| [row(OUTPUT_WEIGHT_LIMIT), row(OUTPUT_WEIGHT_LIMIT)]),
        output_bias: std::array::from_fn(|index| -12_345 * index as i32),
    }
}

/// The score of a position, computed only from the file and the description in `format.md`.
fn score_by_the_guide(file: &[u8], position: &Position) -> i64 {
    let number = |at: usize| i64::from(i32::from_le_bytes(file[at..at + 4].try_into().unwrap()));
    let weight = |at: usize| i64::from(i16::from_le_bytes(file[at..at + 2].try_into().unwrap()));
    let payload = 52 + number(36) as usize;
    let (input_bias, output_weights) = (payload + 5_328 * 256 * 2, payload + 5_329 * 256 * 2);
    let output_bias = output_weights + 7 * 2 * 256 * 2;
    assert_eq!((number(40), file.len()), (2_735_644, output_bias + 7 * 4));

    let us = position.side_to_move();
    let output = (14 - position.occupied().count() as usize) / 2;
    let mut total = 0;
    for (part, side) in [us, !us].into_iter().enumerate() {
        let place = |square: Square| match side {
            Color::Black => (square.row(), square.column()),
            Color::White => (5 - square.row(), 5 - square.column()),
        };
        let (king_row, king_column) = place(position.king(side));
        let mirrored = king_column > 2;
        let column = |column: usize| if mirrored { 5 - column } else { column };
        let bucket = match (king_row, column(king_column)) {
            (0..=2, _) => 5,
            (3, _) => 4,
            (4, 0) => 2,
            (4, _) => 3,
            (_, 0) => 0,
            (_, _) => 1,
        };
        let kinds = "PNSGBRK";
        let mut on = Vec::new();
        for square in Square::all() {
            let Some(piece) = position.piece_at(square) else { continue };
            let owner = usize::from(piece.color() != side);
            let text = piece.to_string().to_uppercase();
            let kind = match text.strip_prefix('+') {
                None => kinds.find(&text).unwrap(),
                Some(text) => 7 + "PNSBR".find(text).unwrap(),
            };
            let (row, at) = place(square);
            on.push(888 * bucket + 36 * (12 * owner + kind) + 6 * row + column(at));
        }
        for owner in Color::ALL {
            for (kind, count) in position.hand(owner).iter() {
                let owner = usize::from(owner != side);
                on.extend((0..count as usize).map(|n| 888 * bucket + 864 + 2 * (6 * owner + kind.index()) + n));
            }
        }
        for unit in 0..256 {
            let weights = on.iter().map(|input| weight(payload + 2 * (256 * input + unit)));
            let sum = weight(input_bias + 2 * unit) + weights.sum::<i64>();
            let clipped = sum.clamp(0, 255);
            total += clipped * clipped * weight(output_weights + 2 * (256 * (2 * output + part) + unit));
        }
    }
    (total / 255 + number(output_bias + 4 * output)) * 300 / (255 * 64)
}

#[test]
fn the_guide_to_the_format_is_enough_to_read_a_network() {
    let small = Network { output_bias: [-16_320, 5, 0, 99, -77, 40_000, 1_000], ..Network::embedded().0 };
    let inference = Inference::new(&small);
    let bytes = small.to_bytes(NOTE).unwrap();
    for sfen in [
        "rbnsgk/5p/6/6/P5/KGSNBR b - 1",
        "1b1sgk/5p/1n4/3p2/1S4/KG1NBR b R 1",
        "5k/4+R1/6/2K3/6/6 w GBrb2n 1",
        "1k4/1+p+n3/+S5/3+B2/4K1/6 w 2Grp 1",
        "6/K5/6/3k2/6/+r+b4 b 2G2S2N2P 1",
        "r5/1bk3/2g3/3G2/2SK2/5R w B2ps2n 1",
    ] {
        let position: Position = sfen.parse().unwrap();
        assert_eq!(i64::from(inference.evaluate(&position)), score_by_the_guide(&bytes, &position), "{sfen}");
    }
    // The checksum: CRC-32 of everything but itself.
    let rest = [&bytes[..48], &bytes[52..]].concat();
    assert_eq!(bytes[48..52], crc32fast::hash(&rest).to_le_bytes());
}

/// A file with some bytes changed, and a correct checksum.
fn altered(at: usize, with: &[u8]) -> Vec<u8> {
    let mut bytes = network().to_bytes(NOTE).unwrap();
    bytes[at..at + with.len()].copy_from_slice(with);
    let checksum = checksum(&bytes);
    bytes[CHECKSUM..HEADER].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    Network::from_bytes(bytes).unwrap_err().to_string()
}

#[test]
fn a_written_network_is_read_back() {
    let bytes = network().to_bytes(NOTE).unwrap();
    assert_eq!(bytes.len(), HEADER + NOTE.len() + PAYLOAD);
    assert_eq!(Network::from_bytes(&bytes).unwrap(), (network(), NOTE.to_owned()));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.net");
    for note in ["", NOTE] {
        network().write(&path, note).unwrap();
        assert_eq!(Network::read(&path).unwrap(), (network(), note.to_owned()));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside the file");

    // A failed write leaves the existing file unchanged.
    assert!(matches!(network().write(&path, &"x".repeat(NOTE_LIMIT + 1)), Err(NetworkError::NoteLength(_))));
    assert!(network().write(&folder.path().join("nowhere").join("some.net"), "").is_err());
    assert_eq!(Network::read(&path).unwrap().1, NOTE);
}

#[test]
fn a_truncated_file_is_refused_at_every_length() {
    let bytes = network().to_bytes(NOTE).unwrap();
    assert_eq!(refusal(&[]), "not a network file of this program");
    for length in 1..bytes.len() {
        assert!(matches!(Network::from_bytes(&bytes[..length]), Err(NetworkError::Truncated { .. })), "{length}");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(refusal(&longer), format!("unexpected bytes after the {} bytes of the network", bytes.len()));
}

#[test]
fn a_damaged_file_is_refused_wherever_it_is_damaged() {
    let mut bytes = network().to_bytes(NOTE).unwrap();
    // Every bit of the header and the note, and one bit of every 1,009th byte of the weights.
    let header = (0..HEADER + NOTE.len()).flat_map(|at| (0..8).map(move |bit| (at, bit)));
    let payload = (HEADER + NOTE.len()..bytes.len()).step_by(1_009).map(|at| (at, at % 8));
    for (at, bit) in header.chain(payload) {
        bytes[at] ^= 1 << bit;
        assert!(Network::from_bytes(&bytes).is_err(), "byte {at}, bit {bit}");
        bytes[at] ^= 1 << bit;
    }
    assert!(Network::from_bytes(&bytes).is_ok());
}

#[test]
fn errors_name_what_is_wrong() {
    let max = u32::MAX.to_le_bytes();
    for (at, with, message) in [
        (0, &b"judkins\0"[..], "not a network file of this program"),
        (8, &2u32.to_le_bytes(), "version 2 of the file format; this program reads version 1"),
        (16, &7u32.to_le_bytes(), "architecture (INPUTS -> 7) x 2 -> 7; this program's is (INPUTS -> HIDDEN) x 2 -> 7"),
        (12, &max, "architecture (4294967295 -> HIDDEN) x 2 -> 7; this program's is (INPUTS -> HIDDEN) x 2 -> 7"),
        (28, &32u32.to_le_bytes(), "quantised with QA 255, QB 32, SCALE 300; this program uses 255, 64, 300"),
        (36, &max, "a note of 4294967295 bytes; 65536 are allowed"),
        (36, &65_536u32.to_le_bytes(), "truncated: FOUND bytes of EXPECTED"),
        (40, &[0xff; 8], "18446744073709551615 bytes of weights; the architecture has PAYLOAD"),
        (40, &0u64.to_le_bytes(), "0 bytes of weights; the architecture has PAYLOAD"),
        (HEADER, &[0xc3, 0x28], "the note is not UTF-8"),
    ] {
        let mut message = message.to_owned();
        for (name, number) in [
            ("INPUTS", INPUTS),
            ("HIDDEN", HIDDEN),
            ("FOUND", HEADER + NOTE.len() + PAYLOAD),
            ("EXPECTED", HEADER + NOTE_LIMIT + PAYLOAD),
            ("PAYLOAD", PAYLOAD),
        ] {
            message = message.replace(name, &number.to_string());
        }
        assert_eq!(refusal(&altered(at, with)), message);
    }
    assert!(
        refusal(&{
            let mut bytes = network().to_bytes(NOTE).unwrap();
            bytes[CHECKSUM] ^= 1;
            bytes
        })
        .starts_with("damaged: the checksum is ")
    );
}

#[test]
fn weights_with_which_sums_could_overflow_are_refused() {
    let refusal = |change: fn(&mut Network)| {
        let mut network = network();
        change(&mut network);
        network.to_bytes("").unwrap_err().to_string()
    };
    assert_eq!(refusal(|n| n.input_weights[1][2] = 2_001), "input weight 258 is 2001; the limit is 2000");
    assert_eq!(refusal(|n| n.input_bias[3] = i16::MIN), "input bias 3 is -32768; the limit is 2000");
    assert_eq!(refusal(|n| n.output_weights[0][1][0] = -128), "output weight 256 is -128; the limit is 127");
    assert_eq!(
        refusal(|n| n.output_weights[6] = [[127; HIDDEN]; 2]),
        "the output weights of one sign add up to 65024; the limit is 33025"
    );
    let payload = HEADER + NOTE.len();
    let bytes = altered(payload, &2_001i16.to_le_bytes());
    assert_eq!(self::refusal(&bytes), "input weight 0 is 2001; the limit is 2000");
}

#[test]
fn a_hostile_file_costs_neither_memory_nor_patience() {
    assert!(matches!(Network::read(Path::new("/no/such/file.net")), Err(NetworkError::Io(_))));
    assert!(matches!(Network::read(&std::env::temp_dir()), Err(NetworkError::NotAFile)));
    if cfg!(unix) {
        assert!(matches!(Network::read(Path::new("/dev/zero")), Err(NetworkError::NotAFile)));
    }
    // A sparse file of a terabyte.
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&network().to_bytes(NOTE).unwrap()).unwrap();
    file.as_file().set_len(1 << 40).unwrap();
    assert!(matches!(Network::read(file.path()), Err(NetworkError::TrailingBytes(_))));
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe.net");
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert!(matches!(Network::read(&path), Err(NetworkError::NotAFile)));
}
