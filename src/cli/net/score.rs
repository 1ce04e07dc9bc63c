//! `judkins net score`: the errors of networks on searched positions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::cli::evaluation::read_evaluation;
use judkins::atomic_file;
use judkins::counted::counted;
use judkins::data::TestPosition;
use judkins::eval::Evaluation;
use judkins::review::win_chance;
use judkins::score::Score;
use judkins::search::score::DECIDED_BOUND;
use judkins::shogi::ImpasseRule;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    /// A test set of `judkins data test-set`
    #[arg(value_name = "SET")]
    set: PathBuf,
    /// Networks: `network` (the built-in one), `handwritten`, or files
    #[arg(required = true, value_name = "NET")]
    networks: Vec<String>,
}

const HELP: &str = "\
The error of a network in a position is the squared difference between the winning chances for its score and for that of a
search. Below the mean errors of each network there are the differences from the first, with a standard error: positions of
the same game count as one observation. Less is better; a difference of less than two standard errors says nothing.";

/// A class of positions.
type Class = (&'static str, fn(&TestPosition) -> bool);

const CLASSES: [Class; 3] =
    [("quiet", TestPosition::is_quiet), ("in check", |test| test.position.in_check()), ("all", |_| true)];

pub fn run(arguments: &Arguments) -> Result<()> {
    let set = read(arguments)?;
    let networks =
        arguments.networks.iter().map(|name| Ok(read_evaluation(name)?.0)).collect::<Result<Vec<Evaluation>>>()?;
    let errors: Vec<Vec<f64>> = networks.iter().map(|network| errors(network, &set)).collect();
    let width = arguments.networks.iter().map(|name| name.chars().count()).max().unwrap_or_default().max(12);
    println!("mean squared error of the winning chance in {}\n", counted(set.len(), "position"));
    let row = |name: &str, cells: [String; 3]| {
        println!("{name:width$}  {}", cells.map(|cell| format!("{cell:>20}")).concat())
    };
    row("", CLASSES.map(|(name, _)| name.to_owned()));
    row("positions", CLASSES.map(|(_, is_in)| set.iter().filter(|test| is_in(test)).count().to_string()));
    for (number, (name, own)) in arguments.networks.iter().zip(&errors).enumerate() {
        row(
            name,
            CLASSES.map(|(_, is_in)| mean(&set, own, is_in).map_or("-".to_owned(), |(mean, _)| format!("{mean:.5}"))),
        );
        if number > 0 {
            let differences: Vec<f64> = own.iter().zip(&errors[0]).map(|(own, first)| own - first).collect();
            let cell = |(mean, error): (f64, Option<f64>)| {
                format!("{mean:+.5}{}", error.map(|error| format!(" ± {error:.5}")).unwrap_or_default())
            };
            row("  difference", CLASSES.map(|(_, is_in)| mean(&set, &differences, is_in).map_or("-".to_owned(), cell)));
        }
    }
    Ok(())
}

fn read(Arguments { set, .. }: &Arguments) -> Result<Vec<TestPosition>> {
    let text = atomic_file::read_to_string(set).with_context(|| set.display().to_string())?;
    let lines = text.lines().enumerate();
    let positions = lines.map(|(index, line)| {
        line.parse().map_err(|error| anyhow::anyhow!("{}, line {}: {error}", set.display(), index + 1))
    });
    let positions = positions.collect::<Result<Vec<_>>>()?;
    ensure!(!positions.is_empty(), "{}: there is no position in it", set.display());
    Ok(positions)
}

/// The squared error of the winning chance in each position.
fn errors(network: &Evaluation, set: &[TestPosition]) -> Vec<f64> {
    let chance = |score: i32| match score {
        // A game decided by a rule is as certain as a mate.
        score if score.abs() >= DECIDED_BOUND => win_chance(Score::Mate(score.signum())),
        score => win_chance(Score::Centipawns(score)),
    };
    let error = |test: &TestPosition| {
        (chance(network.evaluate(&test.position, ImpasseRule::default())) - chance(test.score)).powi(2)
    };
    set.iter().map(error).collect()
}

/// The mean of the values in a class of positions, and its standard error, if there are several games. Values of a game
/// are added up first, because they depend on each other.
fn mean(set: &[TestPosition], values: &[f64], is_in: fn(&TestPosition) -> bool) -> Option<(f64, Option<f64>)> {
    // The number and the sum of each game's values, in an order that is always the same.
    let mut games: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (test, value) in set.iter().zip(values).filter(|(test, _)| is_in(test)) {
        let (count, sum) = games.entry(&test.game).or_default();
        (*count, *sum) = (*count + 1.0, *sum + value);
    }
    let count: f64 = games.values().map(|(count, _)| count).sum();
    if count == 0.0 {
        return None;
    }
    let mean = games.values().map(|(_, sum)| sum).sum::<f64>() / count;
    let squares: f64 = games.values().map(|(count, sum)| (sum - count * mean).powi(2)).sum();
    let groups = games.len() as f64;
    Some((mean, (groups > 1.0).then(|| (squares * groups / (groups - 1.0)).sqrt() / count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(game: &str) -> TestPosition {
        format!("rbnsgk/5p/6/6/P5/KGSNBR b - 1 bm 6e6d; ce 0; id \"{game}\";").parse().unwrap()
    }

    #[test]
    fn values_of_a_game_count_as_one() {
        let set = ["a", "b", "c", "d"].map(test);
        let (value, error) = mean(&set, &[1.0, 2.0, 3.0, 6.0], |_| true).unwrap();
        // The standard deviation is √(14/3).
        assert!(value == 3.0 && (error.unwrap() - (14.0_f64 / 12.0).sqrt()).abs() < 1e-12);
        let doubled = ["a", "b", "c", "d", "d", "c", "b", "a"].map(test);
        let again = mean(&doubled, &[1.0, 2.0, 3.0, 6.0, 6.0, 3.0, 2.0, 1.0], |_| true).unwrap();
        assert!(again.0 == value && (again.1.unwrap() - error.unwrap()).abs() < 1e-12);
        assert_eq!(mean(&set[..1], &[1.0], |_| true), Some((1.0, None)));
        assert_eq!(mean(&set, &[0.0; 4], |_| false), None);
    }

    #[test]
    fn the_error_is_that_of_the_chance() {
        let mate = TestPosition { score: 31_999, ..test("a") };
        let chance =
            win_chance(Score::Centipawns(Evaluation::Handwritten.evaluate(&mate.position, ImpasseRule::default())));
        let [found, lost] =
            errors(&Evaluation::Handwritten, &[mate.clone(), TestPosition { score: -31_998, ..mate }])[..]
        else {
            panic!()
        };
        assert!((found - (1.0 - chance).powi(2)).abs() < 1e-12 && (lost - chance.powi(2)).abs() < 1e-12);
    }
}
