//! Network files: the built-in one with changed bytes and a corrected checksum. An accepted file evaluates without
//! overflow.

#![no_main]

use std::sync::OnceLock;

use judkins::eval::nnue::{Inference, Network};
use judkins::shogi::Position;
use libfuzzer_sys::fuzz_target;

/// Where the checksum stands, which covers everything else.
const CHECKSUM: std::ops::Range<usize> = 48..52;

fn built_in() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let (network, note) = Network::embedded();
        network.to_bytes(&note).expect("it is within its limits")
    })
}

fuzz_target!(|input: (i16, Vec<(u32, u8)>)| {
    let (longer, changes) = input;
    let mut bytes = built_in().to_vec();
    bytes.resize(bytes.len().saturating_add_signed(longer.into()), 0);
    for (place, byte) in changes {
        // Half of the changes are in the header.
        let place = place as usize >> 1 & if place % 2 == 0 { 63 } else { usize::MAX };
        let place = place % bytes.len();
        bytes[place] = byte;
    }
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKSUM.start]);
    hasher.update(&bytes[CHECKSUM.end..]);
    bytes[CHECKSUM].copy_from_slice(&hasher.finalize().to_le_bytes());
    if let Ok((network, _)) = Network::from_bytes(&bytes) {
        Inference::new(&network).evaluate(&Position::startpos());
    }
});
