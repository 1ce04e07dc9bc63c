//! The rules of games on the command line, for matches and for tuning.

use std::num::NonZero;

use anyhow::{Result, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::key_value::{KeyValue, Pairs};
use super::number::number;
use judkins::arena::{Adjudication, DrawRule, ResignRule, Rules};
use judkins::shogi::{DEFAULT_IMPASSE_PLIES, ImpasseRule};

/// Reads the name of an impasse rule; the help lists them all.
pub fn impasse_rule() -> impl TypedValueParser<Value = ImpasseRule> {
    PossibleValuesParser::new(ImpasseRule::NAMES).try_map(|name| name.parse::<ImpasseRule>())
}

/// The rules of the games.
#[derive(Args)]
pub struct RulesArguments {
    /// The impasse rule; it is also set in engines that have the option
    #[arg(long, default_value_t, value_name = "RULE", value_parser = impasse_rule(), ignore_case = true)]
    impasse_rule: ImpasseRule,
    /// Quiet plies before points are counted, for Points12
    #[arg(long, default_value_t = DEFAULT_IMPASSE_PLIES, value_name = "PLIES", value_parser = number::<u32>(0..=1_000))]
    impasse_plies: u32,
    /// Adjudicate draws: movenumber=N (first ply), movecount=N (consecutive moves of each engine), score=CP (maximum)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_delimiter = ',')]
    draw: Vec<KeyValue>,
    /// Adjudicate losses: movecount=N (consecutive moves), score=CP (minimum), twosided=true (the winner must agree),
    /// audit=PERCENT (pairs of games that are played to their end, to count how often the rule is wrong)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_delimiter = ',')]
    resign: Vec<KeyValue>,
    /// Adjudicate a draw after this many moves, counting each player's
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..))]
    max_moves: Option<usize>,
}

impl RulesArguments {
    /// The rules.
    ///
    /// # Errors
    /// If a key of --draw or --resign is unknown or missing, or its value cannot be read.
    pub fn rules(&self) -> Result<Rules> {
        Ok(Rules {
            impasse_rule: self.impasse_rule,
            impasse_plies: self.impasse_plies,
            adjudication: Adjudication {
                draw: draw_rule(&self.draw)?,
                resign: resign_rule(&self.resign)?,
                max_moves: self.max_moves,
            },
        })
    }
}

fn draw_rule(pairs: &[KeyValue]) -> Result<Option<DrawRule>> {
    if pairs.is_empty() {
        return Ok(None);
    }
    let pairs = Pairs::new("--draw", &["movenumber", "movecount", "score"], pairs)?;
    Ok(Some(DrawRule {
        movenumber: pairs.get("movenumber", "a whole number")?.unwrap_or(0),
        movecount: pairs.need::<NonZero<u32>>("movecount", "a whole number from 1")?.get(),
        score: pairs.need("score", "centipawns from 0")?,
    }))
}

fn resign_rule(pairs: &[KeyValue]) -> Result<Option<ResignRule>> {
    if pairs.is_empty() {
        return Ok(None);
    }
    let pairs = Pairs::new("--resign", &["movecount", "score", "twosided", "audit"], pairs)?;
    let audit = pairs.get("audit", "percent from 0 to 100")?.unwrap_or(0);
    ensure!(audit <= 100, "--resign: audit takes percent from 0 to 100, not '{audit}'");
    Ok(Some(ResignRule {
        movecount: pairs.need::<NonZero<u32>>("movecount", "a whole number from 1")?.get(),
        score: pairs.need("score", "centipawns from 0")?,
        twosided: pairs.get("twosided", "true or false")?.unwrap_or(false),
        audit,
    }))
}
