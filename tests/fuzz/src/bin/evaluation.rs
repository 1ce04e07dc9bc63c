//! The network's sums, kept from move to move: the evaluation of each position as of one that is read afresh.

#![no_main]

use std::sync::{Arc, OnceLock};

use judkins::eval::nnue::{Accumulators, Inference};
use judkins::shogi::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    static INFERENCE: OnceLock<Arc<Inference>> = OnceLock::new();
    let inference = INFERENCE.get_or_init(Inference::embedded);
    let mut sums = Accumulators::new(data.len() + 1);
    sums.begin(inference, &Position::startpos());
    let mut ply = 0;
    judkins_fuzz::walk(data, |position, mv, after| {
        let kept = sums.play(position, mv, ply);
        ply += 1;
        assert_eq!(&kept, after);
        // Not every position is asked about, so that sums are also brought up to date over several moves.
        if data[ply - 1] % 3 != 0 {
            assert_eq!(sums.evaluate(inference, after, ply), inference.evaluate(after), "{after}");
        }
    });
});
