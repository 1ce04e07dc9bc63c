//! Records of matches, and their jobs.

#![no_main]

use judkins::arena::{GameRecord, Job};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(game) = serde_json::from_slice::<GameRecord>(data) {
        let _ = game.to_record();
    }
    if let Ok(job) = serde_json::from_slice::<Job>(data) {
        let text = serde_json::to_vec(&job).expect("it has been read");
        assert_eq!(serde_json::from_slice::<Job>(&text).expect("it has just been written"), job);
        let _ = job.specs();
    }
});
