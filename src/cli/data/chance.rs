//! `judkins data chance`: the scale from centipawns to the winning chance, fitted to games.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use judkins::arena::{Opening, read_records};
use judkins::review::{fit, win_chance};
use judkins::score::{Score, logistic};

/// Scores beyond this are ignored, in centipawns: the game is decided.
const GREATEST: u32 = 2_000;

/// The width of a row of the table, in centipawns.
const ROW: i32 = 200;

#[derive(Args)]
pub struct Arguments {
    /// Records of games, as `judkins match --record` writes them
    #[arg(required = true, value_name = "FILE")]
    records: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let mut samples = Vec::new();
    for path in &arguments.records {
        let mut wrong = None;
        read_records(path, |record| match Opening::parse(&record.opening) {
            // The result says nothing of the positions.
            _ if record.reason.is_fault() || !record.counts => {}
            Ok(opening) => {
                let first = opening.end().side_to_move();
                for (color, score) in [first, !first].into_iter().cycle().zip(&record.scores) {
                    if let Some(Score::Centipawns(score)) = *score
                        && score.unsigned_abs() <= GREATEST
                    {
                        samples.push((score, f64::from(record.result.half_points(color)) / 2.0));
                    }
                }
            }
            Err(error) => _ = wrong.get_or_insert((record.game, error)),
        })?;
        if let Some((game, error)) = wrong {
            bail!("{}: the opening of game {game} cannot be read: {error}", path.display());
        }
    }
    let scale = fit(&samples).context("too few games: there is no most likely scale")?;
    println!("{} scores: {scale:.0} centipawns are odds of e to 1\n", samples.len());
    println!("{:>14}  {:>9}  {:>8}  {:>8}  {:>8}", "centipawns", "scores", "observed", "fitted", "in use");
    for low in (-1_000..1_000).step_by(ROW as usize) {
        let row: Vec<f64> =
            samples.iter().filter(|(score, _)| (low..low + ROW).contains(score)).map(|&(_, r)| r).collect();
        if row.is_empty() {
            continue;
        }
        let middle = low + ROW / 2;
        let fitted = logistic(f64::from(middle) / scale);
        println!(
            "{:>14}  {:>9}  {:>6.1} %  {:>6.1} %  {:>6.1} %",
            format!("{low}..{}", low + ROW),
            row.len(),
            100.0 * row.iter().sum::<f64>() / row.len() as f64,
            100.0 * fitted,
            100.0 * win_chance(Score::Centipawns(middle))
        );
    }
    Ok(())
}
