//! Training games: bytes that are a game are written as the same bytes, and replaying it ends in a position or an
//! error.

#![no_main]

use judkins::data::TrainingGame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut rest = data;
    loop {
        let before = rest;
        let Some(game) = TrainingGame::decode(&mut rest) else { return };
        let mut bytes = Vec::new();
        game.encode(&mut bytes);
        assert_eq!(bytes, before[..before.len() - rest.len()]);
        let mut plies = 0;
        let replayed = game.replay(|_, _| plies += 1);
        assert!(plies == game.plies.len() || replayed.is_err());
        let _ = game.for_each_quiet(|_, _, _| {});
    }
});
