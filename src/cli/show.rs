//! `judkins show`: the board and the evaluation of a position.

use anyhow::Result;
use clap::Args;

use super::config::ConfigArgument;
use super::position::PositionArgument;
use super::rules::impasse_rule;
use judkins::engine::Engine;
use judkins::frontend::{describe_evaluation, describe_game};
use judkins::shogi::diagram::Pieces;
use judkins::shogi::{DEFAULT_IMPASSE_PLIES, ImpasseRule};

/// The arguments of `judkins show`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgument,
    /// Letters in place of kanji
    #[arg(long)]
    ascii: bool,
    /// The impasse rule in force
    #[arg(long, default_value_t, value_name = "RULE", value_parser = impasse_rule(), ignore_case = true)]
    impasse_rule: ImpasseRule,
    #[command(flatten)]
    config: ConfigArgument,
}

pub fn run(Arguments { position, ascii, impasse_rule, config }: &Arguments, before: &ConfigArgument) -> Result<()> {
    let table = config.or(before).option_table(false)?;
    let game = position.game()?.with_impasse(*impasse_rule, DEFAULT_IMPASSE_PLIES);
    let pieces = if *ascii { Pieces::Letters } else { Pieces::Kanji };
    let evaluation = describe_evaluation(game.position(), *impasse_rule, &Engine::new(table)?.network());
    println!("{}\n{evaluation}", describe_game(&game, pieces));
    Ok(())
}
