//! An engine whose strength depends on its options by a formula. It resigns now and then, the more often the worse its
//! options are; that is all that decides its games.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;

use judkins::protocol::usi::Command;
use judkins::shogi::Game;

/// Elo that are lost with these options: 4 for each ten away from 62 and 141, squared.
pub fn loss(a: i64, b: i64) -> f64 {
    4.0 * ((a - 62) as f64 / 10.0).powi(2) + 4.0 * ((b - 141) as f64 / 10.0).powi(2)
}

/// The chance to resign at a move: of two engines the one that is 400 Elo worse resigns first ten times of eleven.
fn hazard(options: &HashMap<String, i64>) -> f64 {
    let value = |name: &str| options.get(name).copied().unwrap_or(100);
    (0.03 * 10_f64.powf(loss(value("A"), value("B")) / 400.0)).min(0.9)
}

/// Pseudo-random numbers that depend only on the key: the same game always has the same course.
fn chance(key: impl Hash) -> f64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    (hasher.finish() >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
#[ignore = "it is no test but an engine, started by the tests of tuning"]
fn engine() {
    let mut options = HashMap::new();
    let mut game = None;
    for line in std::io::stdin().lock().lines() {
        match Command::parse(&line.expect("a line")) {
            Ok(Some(Command::Usi)) => {
                println!("id name stub");
                for name in ["A", "B"] {
                    println!("option name {name} type spin default 100 min 0 max 200");
                }
                println!("usiok");
            }
            Ok(Some(Command::IsReady)) => println!("readyok"),
            Ok(Some(Command::SetOption { name, value })) => {
                if let Some(number) = value.and_then(|value| value.parse().ok()) {
                    options.insert(name, number);
                }
            }
            Ok(Some(Command::Position { start, moves })) => {
                let mut played = Game::new(*start);
                moves.iter().for_each(|&mv| played.play(mv).expect("the referee knows the rules"));
                game = Some(played);
            }
            Ok(Some(Command::Go(_))) => {
                let game = game.as_ref().expect("a position comes first");
                let key = (game.position().key(), game.moves().len());
                let moves = game.position().legal_moves();
                let values: Vec<i64> = ["A", "B"].map(|name| options.get(name).copied().unwrap_or(100)).to_vec();
                if moves.is_empty() || chance((key, values, "resign")) < hazard(&options) {
                    println!("bestmove resign");
                } else {
                    println!("bestmove {}", moves[(chance((key, "move")) * moves.len() as f64) as usize]);
                }
            }
            Ok(Some(Command::Quit)) => break,
            _ => {}
        }
    }
}
