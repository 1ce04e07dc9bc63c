//! The end of games against the plainest referee there is: pyffish knows no impasse.

use std::collections::BTreeMap;

use judkins::shogi::{Game, ImpasseRule, Move, Position};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::slow_referee::{Referee, STARTS};

/// The move that takes back the player's last one, if it is legal: games of such moves repeat.
fn way_back(moves: &[Move], legal: &[Move]) -> Option<Move> {
    let last = moves.len().checked_sub(2).map(|index| moves[index])?;
    let back = Move::board(last.to(), last.from()?, false);
    legal.contains(&back).then_some(back)
}

/// Plays a game, and compares its verdicts under every impasse rule after each move. Counts them by their words.
fn compare(start: &str, random: &mut impl Rng, tally: &mut BTreeMap<String, usize>) {
    let start: Position = start.parse().unwrap_or_else(|error| panic!("{start}: {error}"));
    let plies = random.random_range(0..8);
    let mut games: Vec<Game> =
        ImpasseRule::ALL.iter().map(|&rule| Game::new(start.clone()).with_impasse(rule, plies)).collect();
    let mut referee = Referee::new(&start.to_string());
    let repeats = random.random_range(0.3..1.0);
    for _ in 0..60 {
        for (game, rule) in games.iter().zip(ImpasseRule::NAMES) {
            let verdict = game.result().map(|result| result.to_string());
            assert_eq!(
                verdict,
                referee.verdict(rule, plies as usize),
                "{rule}, {plies} plies: {start} {:?}",
                game.moves()
            );
            if let Some(verdict) = verdict {
                let words = verdict.split(',').next().unwrap_or_default();
                *tally.entry(format!("{rule} {words}")).or_default() += 1;
            }
            if *rule == "Declaration" {
                let declared = game.declare().to_string();
                assert_eq!(declared, referee.declared(), "{start} {:?}", game.moves());
                *tally.entry(declared).or_default() += 1;
            }
        }
        let slow = referee.board().legal_moves();
        let legal: Vec<Move> = slow.iter().map(|(text, _)| text.parse().expect("it is a move")).collect();
        let back = way_back(games[0].moves(), &legal).filter(|_| random.random_bool(repeats));
        let Some(mv) = back.or_else(|| legal.choose(random).copied()) else { break };
        games.iter_mut().for_each(|game| game.play(mv).expect("the slow generator has it"));
        let (text, after) =
            slow.into_iter().find(|(text, _)| *text == mv.to_string()).expect("it was chosen from these");
        referee.play(&text, after);
    }
}

#[test]
fn random_games_end_as_the_slow_referee_says() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
    let mut tally = BTreeMap::new();
    for _ in 0..15 {
        for start in STARTS {
            compare(start, &mut random, &mut tally);
        }
    }
    for expected in [
        "Points12 Black wins: impasse",
        "Points12 White wins: impasse",
        "Points12 no contest: impasse",
        "Points12 no contest: sennichite",
        "CuteChess Black wins: impasse",
        "CuteChess White wins: impasse",
        "CuteChess no contest: impasse",
        "Try Black wins: try",
        "Try White wins: try",
        "None Black wins: checkmate",
        "None White wins: checkmate",
        "None Black wins: perpetual check",
        "None White wins: perpetual check",
        "Black wins: declaration",
        "White wins: declaration",
        "Black wins: wrong declaration",
        "White wins: wrong declaration",
    ] {
        assert!(tally.contains_key(expected), "no game ended so: {expected}");
    }
}
