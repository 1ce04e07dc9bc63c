//! Missed mates against a search that tries every check.

use std::sync::atomic::AtomicBool;

use judkins::mate::{MateLimits, MateOutcome, Solver};
use judkins::record::{NodeId, Reader, Record};
use judkins::score::Score;
use judkins::search::{Limits, Pool, Root, Settings};
use judkins::shogi::{Game, ImpasseRule, Position};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::review_of;
use crate::common::every_check::shortest_within;
use crate::common::wild_moves::wild_moves;

static NEVER: AtomicBool = AtomicBool::new(false);

fn wild_game(seed: u64) -> Record {
    let mut record = Record::new(Position::startpos());
    let mut node = NodeId::ROOT;
    for mv in wild_moves(&mut Xoshiro256PlusPlus::seed_from_u64(seed), 80) {
        node = record.play(node, mv).expect("it is legal");
    }
    record
}

/// Whether the player who has just moved mates by checks after every reply, in any number of plies.
fn still_mates(after: &Game) -> bool {
    let limits = MateLimits { nodes: Some(5_000_000), ..MateLimits::default() };
    let mut solver = Solver::new(64).expect("there is memory");
    let replies = after.position().legal_moves();
    after.position().in_check()
        && replies.iter().all(|&reply| {
            let mut game = after.clone();
            game.play(reply).expect("it is legal");
            matches!(solver.solve(game.position(), game.history(), limits, &NEVER, |_| {}), MateOutcome::Mate(_))
        })
}

/// Whether a search finds that the player to move is mated, by checks or otherwise.
fn is_mated(game: &Game) -> bool {
    let pool = Pool::new(1, 16).expect("there is memory");
    let (limits, settings) = (Limits { nodes: Some(200_000), ..Limits::default() }, Settings::default());
    let outcome = pool.search(&Root::of(game), &limits, &settings, None, &NEVER, &mut |_| {});
    matches!(outcome.score.into(), Score::Mate(..=0))
}

/// Compares the missed mates of a review with all mates of up to `plies` plies. Returns the number of missed mates.
fn compare(record: &Record, plies: usize) -> usize {
    let review = review_of(record, 100, ImpasseRule::default());
    let mut missed = 0;
    for mv in &review.moves {
        let named = mv.missed_mate.as_ref().map(Vec::len);
        let after = record.game(mv.node).expect("it is in the record");
        match shortest_within(&mv.position, plies) {
            Some(shortest) if named.is_some() => {
                missed += 1;
                assert_eq!(named, Some(shortest), "{}", mv.position);
            }
            Some(shortest) => {
                let mates = !after.position().has_legal_move() && after.position().in_check();
                let mates = mates || still_mates(&after) || is_mated(&after);
                assert!(mates, "{} misses a mate in {shortest}: {}", mv.mv, mv.position);
            }
            None => assert!(named.is_none_or(|named| named > plies), "{named:?} plies in {}", mv.position),
        }
    }
    missed
}

#[test]
fn wild_games_have_no_mate_that_is_not_named() {
    let missed: usize = (0..8).map(|seed| compare(&wild_game(seed), 5)).sum();
    assert!(missed > 10, "only {missed} mates were missed");
}

/// `JUDKINS_GAMES` names a file of games, such as a match's.
#[test]
#[ignore = "compares mates of up to 7 plies in a file of games, which takes some minutes"]
fn games_of_a_file_have_no_mate_that_is_not_named() {
    let path = std::env::var("JUDKINS_GAMES").expect("JUDKINS_GAMES names a file of games");
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("it can be opened"));
    let games = Reader::new(file).expect("it holds games").map(|game| game.expect("it can be read").record);
    let missed: Vec<usize> = games.flatten().map(|record| compare(&record, 7)).collect();
    println!("{} games, {} mates of up to 7 plies missed", missed.len(), missed.iter().sum::<usize>());
}
