//! `judkins show`: the board and the evaluation of a position.

use anyhow::Result;
use clap::Args;

use super::config::ConfigArgument;
use super::position::PositionArgument;
use super::rules::impasse_rule;
use judkins::engine::Engine;
use judkins::frontend::{describe_evaluation, describe_game};
use judkins::shogi::ImpasseRule;
use judkins::shogi::diagram::Pieces;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgument,
    /// Letters in place of kanji
    #[arg(long)]
    ascii: bool,
    /// The impasse rule in force [default: the configuration's, Points12]
    #[arg(long, value_name = "RULE", value_parser = impasse_rule(), ignore_case = true)]
    impasse_rule: Option<ImpasseRule>,
    #[command(flatten)]
    config: ConfigArgument,
}

pub fn run(Arguments { position, ascii, impasse_rule, config }: &Arguments, before: &ConfigArgument) -> Result<()> {
    let table = config.or(before).option_table(false)?;
    let (rule, plies) = (impasse_rule.unwrap_or(table.defaults().impasse_rule), table.defaults().impasse_plies);
    let game = position.game()?.with_impasse(rule, plies);
    let pieces = if *ascii { Pieces::Letters } else { Pieces::Kanji };
    let evaluation = describe_evaluation(game.position(), rule, &Engine::new(table)?.network());
    println!("{}\n{evaluation}", describe_game(&game, pieces));
    Ok(())
}
