//! Training games: bytes that are a game are written as the same bytes, and replaying it ends in a position or an
//! error.

#![no_main]

use judkins::data::TrainingGame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut rest = data;
    while let Some(game) = {
        let before = rest;
        TrainingGame::decode(&mut rest).inspect(|game| {
            let mut bytes = Vec::new();
            game.encode(&mut bytes);
            assert_eq!(bytes, before[..before.len() - rest.len()]);
        })
    } {
        let mut plies = 0;
        let replayed = game.replay(|_, _| plies += 1);
        assert!(plies == game.plies.len() || replayed.is_err());
        let _ = game.for_each_quiet(|_, _, _| {});
    }
});
