//! Reviews of several games: a line for each, and a summary by player.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use super::json;
use crate::cli::progress;
use judkins::counted::counted;
use judkins::record::Record;
use judkins::review::{MoveReview, PlayerSummary, Reviewer};
use judkins::shogi::{Color, GameScore};

/// Reviews games one after the other, each on all threads. Each has its number in the file.
pub fn run(records: &[(usize, Record)], reviewer: &Reviewer, as_json: bool, stop: &AtomicBool) -> Result<()> {
    let mut players: BTreeMap<String, (usize, PlayerSummary)> = BTreeMap::new();
    // In thousandths of a game.
    let bar = progress::bar(1000 * records.len() as u64, "{msg} {bar:30} {eta} left");
    for (done, (number, record)) in (0..).zip(records) {
        bar.set_message(format!("{done}/{} games", records.len()));
        let review = reviewer.review(record, stop, &|progress| {
            bar.set_position(1000 * done + 1000 * progress.done / progress.total.max(1));
        })?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let names = Color::ALL.map(|color| record.header.player(color).map_or(color.to_string(), str::to_owned));
        let line = match as_json {
            true => json::text(record, &review)?,
            false => {
                let side = |color: Color| {
                    let PlayerSummary { moves, accuracy, mistakes, blunders, .. } = review.players[color.index()];
                    let name = &names[color.index()];
                    match moves {
                        0 => format!("{name} (no moves)"),
                        _ => {
                            let [mistakes, blunders] = [counted(mistakes, "mistake"), counted(blunders, "blunder")];
                            format!("{name} {accuracy:.0} % ({mistakes}, {blunders})")
                        }
                    }
                };
                let end = review.moves.last().and_then(MoveReview::result);
                let result = record.header.result.or(end.map(|end| GameScore::from(end.winner)));
                let result = result.map_or("*", |result| result.text());
                format!("{number:>5}  {result:<7}  {} - {}", side(Color::Black), side(Color::White))
            }
        };
        bar.suspend(|| println!("{line}"));
        for color in Color::ALL {
            let (games, all) = players.entry(names[color.index()].clone()).or_default();
            // A player that plays itself has played one game.
            *games += usize::from(color == Color::Black || names[0] != names[1]);
            all.add(&review.players[color.index()]);
        }
    }
    bar.finish_and_clear();
    if !as_json && !players.is_empty() {
        print(&players);
    }
    Ok(())
}

fn print(players: &BTreeMap<String, (usize, PlayerSummary)>) {
    let width = players.keys().map(|name| name.chars().count()).max().unwrap_or(0);
    println!("\n{:width$}  games  accuracy  lost a move  best  inaccuracies  mistakes  blunders  missed mates", "");
    for (name, (games, summary)) in players {
        let share = |value: f64, decimals| match summary.moves {
            0 => "-".to_owned(),
            _ => format!("{value:.decimals$} %"),
        };
        let best = 100.0 * summary.best as f64 / summary.moves.max(1) as f64;
        println!(
            "{name:width$}  {games:>5}  {:>8}  {:>11}  {:>4}  {:>12}  {:>8}  {:>8}  {:>12}",
            share(summary.accuracy, 1),
            share(100.0 * summary.loss, 2),
            share(best, 0),
            summary.inaccuracies,
            summary.mistakes,
            summary.blunders,
            summary.missed_mates
        );
    }
}
