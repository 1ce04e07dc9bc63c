//! The generator against the plainest one there is.

use judkins::shogi::Position;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::STARTS;
use crate::common::slow_board::Board;

/// Compares the generator's moves with the slow ones.
fn compare(position: &Position) {
    let mut fast: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    let mut slow: Vec<String> =
        Board::parse(&position.to_string()).legal_moves().into_iter().map(|(text, _)| text).collect();
    fast.sort_unstable();
    slow.sort_unstable();
    assert_eq!(fast, slow, "{position}");
}

#[test]
fn random_games_have_the_same_moves() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    let starts = std::iter::repeat_n(Position::startpos(), 39).chain(STARTS.iter().cloned());
    let mut compared = 0;
    for mut position in starts {
        for _ in 0..60 {
            compare(&position);
            compared += 1;
            let legal = position.legal_moves();
            let Some(&mv) = legal.choose(&mut random) else { break };
            position.play(mv);
        }
    }
    assert!(compared > 3_000, "only {compared} positions");
}

#[test]
fn the_slow_moves_count_up_to_what_is_known() {
    fn count(board: &Board, depth: u32) -> usize {
        let moves = board.legal_moves();
        if depth == 1 { moves.len() } else { moves.iter().map(|(_, after)| count(after, depth - 1)).sum() }
    }
    let start = Board::parse(judkins::shogi::START_SFEN);
    assert_eq!([1, 2, 3].map(|depth| count(&start, depth)), [20, 336, 6_183]);
}
