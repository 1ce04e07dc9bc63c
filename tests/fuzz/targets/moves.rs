//! Legal moves and their making: the same as the plainest generator's, and every position the same as one read afresh.

#![no_main]

#[path = "../../common/slow_board.rs"]
mod slow_board;

use judkins::shogi::Position;
use libfuzzer_sys::fuzz_target;
use slow_board::Board;

fuzz_target!(|data: &[u8]| {
    let mut last = Position::startpos();
    judkins_fuzz::walk(data, |_, _, after| {
        let afresh: Position = after.to_string().parse().expect("a position is written as it is read");
        assert_eq!((afresh.key(), &afresh), (after.key(), after));
        assert_eq!(afresh.in_check(), after.in_check(), "{after}");
        last = afresh;
    });
    // The plain generator takes as long as a whole game; the positions before this one are the ends of other inputs.
    let mut fast: Vec<String> = last.legal_moves().iter().map(ToString::to_string).collect();
    let slow = Board::parse(&last.to_string()).legal_moves();
    let mut slow: Vec<String> = slow.into_iter().map(|(text, _)| text).collect();
    fast.sort_unstable();
    slow.sort_unstable();
    assert_eq!(fast, slow, "{last}");
});
