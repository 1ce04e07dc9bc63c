use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use std::io::Write;

use super::*;

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
fn what_is_written_is_read() {
    let bytes = network().to_bytes(NOTE).unwrap();
    assert_eq!(bytes.len(), HEADER + NOTE.len() + PAYLOAD);
    assert_eq!(Network::from_bytes(&bytes).unwrap(), (network(), NOTE.to_owned()));

    let folder = std::env::temp_dir().join(format!("judkins-network-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("some.net");
    for note in ["", NOTE] {
        network().write(&path, note).unwrap();
        assert_eq!(Network::read(&path).unwrap(), (network(), note.to_owned()));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside the file");

    // A failure leaves the file that exists.
    assert!(matches!(network().write(&path, &"x".repeat(NOTE_LIMIT + 1)), Err(NetworkError::NoteLength(_))));
    assert!(network().write(&folder.join("nowhere").join("some.net"), "").is_err());
    assert_eq!(Network::read(&path).unwrap().1, NOTE);
    fs::remove_dir_all(&folder).unwrap();
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
    let path = std::env::temp_dir().join(format!("judkins-huge-{}.net", std::process::id()));
    let mut file = File::create(&path).unwrap();
    file.write_all(&network().to_bytes(NOTE).unwrap()).unwrap();
    file.set_len(1 << 40).unwrap();
    assert!(matches!(Network::read(&path), Err(NetworkError::TrailingBytes(_))));
    fs::remove_file(&path).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_waits_for_a_pipe() {
    let path = std::env::temp_dir().join(format!("judkins-pipe-{}.net", std::process::id()));
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    assert!(matches!(Network::read(&path), Err(NetworkError::NotAFile)));
    fs::remove_file(&path).unwrap();
}
