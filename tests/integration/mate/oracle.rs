//! The solver against a search that leaves nothing out.

use judkins::mate::{MateLimits, MateOutcome, Solver};
use judkins::shogi::{Position, Stage};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{assert_mates, solve, solve_within};
use crate::common::every_check::{assert_agrees, shortest_within};
use crate::common::wild_moves::wild_moves;

/// Positions of wild games in which the side to move can give check.
pub fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let plies = random.random_range(20..70);
        let mut position = Position::startpos();
        for mv in wild_moves(&mut random, plies) {
            position.play(mv);
        }
        if !position.moves(Stage::Checks).is_empty() {
            positions.push(position);
        }
    }
    positions
}

#[test]
fn short_mates_are_found_and_none_invented() {
    let mut solver = Solver::new(16).unwrap();
    let (mut mates, mut without) = (0, 0);
    for position in positions(400, 11) {
        let answer = solve(&mut solver, &position);
        assert_agrees(&position, &answer, 5);
        match answer {
            MateOutcome::Mate(solution) => {
                mates += 1;
                assert_mates(&position, &solution.moves);
                assert!(solution.shortest, "{position}");
            }
            MateOutcome::NoMate => without += 1,
            MateOutcome::Unknown => panic!("undecided without a limit: {position}"),
        }
    }
    assert!(mates > 60 && without > 60, "{mates} mates, {without} without");
}

#[test]
fn a_small_table_forgets_but_does_not_lie() {
    let [mut small, mut large] = [1, 64].map(|mebibytes| Solver::new(mebibytes).unwrap());
    let limits = MateLimits { nodes: Some(300_000), ..MateLimits::default() };
    for position in positions(150, 12) {
        let [one, other] = [&mut small, &mut large].map(|solver| solve_within(solver, &position, limits));
        match (&one, &other) {
            (MateOutcome::Mate(one), MateOutcome::Mate(other)) if one.shortest && other.shortest => {
                assert_eq!(one.moves.len(), other.moves.len(), "{position}");
            }
            (MateOutcome::Mate(_), MateOutcome::NoMate) | (MateOutcome::NoMate, MateOutcome::Mate(_)) => {
                panic!("{one:?}, {other:?}: {position}")
            }
            _ => {}
        }
    }
}

/// Entries of one position serve others with the same board: these have all possible hands.
#[test]
fn hands_are_told_apart() {
    use judkins::shogi::{Hand, PieceKind, Setup};
    let mut random = Xoshiro256PlusPlus::seed_from_u64(13);
    let mut solver = Solver::new(16).unwrap();
    let mut lengths = std::collections::BTreeSet::new();
    for position in positions(40, 14) {
        let setup = Setup::from(&position);
        let all = setup.hands[0].plus(setup.hands[1]);
        for _ in 0..12 {
            let black: Hand =
                all.iter().fold(Hand::EMPTY, |hand, (kind, count)| hand.with(kind, random.random_range(0..=count)));
            let white = PieceKind::DROPPABLE
                .into_iter()
                .fold(all, |hand, kind| hand.with(kind, all.count(kind) - black.count(kind)));
            let other = Setup { hands: [black, white], ..setup.clone() };
            let position = Position::try_from(&other).unwrap();
            // Of a mate this short the length is found, too.
            let expected = shortest_within(&position, 3);
            match solve(&mut solver, &position) {
                MateOutcome::Mate(solution) => {
                    let found = solution.moves.len();
                    lengths.insert(found);
                    assert!(expected == Some(found) || expected.is_none() && found > 3, "{found} plies in {position}");
                }
                answer => assert_eq!(expected, None, "{answer:?} in {position}"),
            }
        }
    }
    assert!(lengths.len() > 3, "{lengths:?}");
}
