//! What the command line says of the rules of games and of engines, for matches and for tuning.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args;

use judkins::arena::{Adjudication, DrawRule, EngineSpec, ResignRule, Rules};
use judkins::shogi::{DEFAULT_IMPASSE_PLIES, ImpasseRule};

/// The rules that games are played under.
#[derive(Args)]
pub struct RulesArguments {
    /// The impasse rule: Points12, Declaration, Try or None. Engines that have the option are told
    #[arg(long, default_value_t, value_name = "RULE")]
    impasse_rule: ImpasseRule,
    /// Quiet plies before points are counted, for Points12
    #[arg(long, default_value_t = DEFAULT_IMPASSE_PLIES, value_name = "PLIES")]
    impasse_plies: u32,
    /// End a game as drawn: movenumber=N (not before), movecount=N (moves of each engine in a row), score=CP (at most)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    draw: Vec<String>,
    /// End a game as lost: movecount=N (moves in a row), score=CP (at least so bad), twosided=true (the winner agrees)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    resign: Vec<String>,
    /// End a game as drawn after so many moves, each player's counted
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
}

impl RulesArguments {
    /// The rules.
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

/// The program of an engine, named so that it is found wherever the engine is started: from a folder of its own, too.
pub fn program(spec: &EngineSpec) -> Result<String> {
    let missing = || anyhow!("{}: there is no program '{}'", spec.name, spec.command);
    let named = Path::new(&spec.command);
    if named.components().count() > 1 {
        let path = named.canonicalize().ok().filter(|path| path.is_file()).ok_or_else(missing)?;
        return Ok(path.to_string_lossy().into_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let suffix = std::env::consts::EXE_SUFFIX;
    let files = |folder: PathBuf| [folder.join(named), folder.join(format!("{}{suffix}", spec.command))];
    let is_there = std::env::split_paths(&path).flat_map(files).any(|file| file.is_file());
    is_there.then(|| spec.command.clone()).ok_or_else(missing)
}

/// Takes the values of a list of `key=value`, each read once; says what is left.
pub struct Pairs<'a> {
    option: &'static str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Pairs<'a> {
    pub fn new(option: &'static str, texts: &'a [String]) -> Result<Pairs<'a>> {
        let pairs = texts
            .iter()
            .flat_map(|text| text.split(','))
            .map(|pair| pair.split_once('=').ok_or_else(|| anyhow!("--{option}: '{pair}' is not KEY=VALUE")));
        Ok(Pairs { option, pairs: pairs.collect::<Result<_>>()? })
    }

    pub fn take<T: std::str::FromStr>(&mut self, key: &str, default: Option<T>) -> Result<T> {
        let option = self.option;
        let Some(index) = self.pairs.iter().position(|(name, _)| *name == key) else {
            return default.ok_or_else(|| anyhow!("--{option} needs {key}="));
        };
        let (_, value) = self.pairs.remove(index);
        value.parse().map_err(|_| anyhow!("--{option}: {key} cannot be '{value}'"))
    }

    pub fn finish(self) -> Result<()> {
        match self.pairs.first() {
            None => Ok(()),
            Some((key, _)) => bail!("--{}: '{key}' is not one of its keys, or stands there twice", self.option),
        }
    }
}

fn draw_rule(texts: &[String]) -> Result<Option<DrawRule>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let mut pairs = Pairs::new("draw", texts)?;
    let rule = DrawRule {
        movenumber: pairs.take("movenumber", Some(0))?,
        movecount: pairs.take::<NonZero<u32>>("movecount", None)?.get(),
        score: pairs.take("score", None)?,
    };
    pairs.finish()?;
    Ok(Some(rule))
}

fn resign_rule(texts: &[String]) -> Result<Option<ResignRule>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let mut pairs = Pairs::new("resign", texts)?;
    let rule = ResignRule {
        movecount: pairs.take::<NonZero<u32>>("movecount", None)?.get(),
        score: pairs.take("score", None)?,
        twosided: pairs.take("twosided", Some(false))?,
    };
    pairs.finish()?;
    Ok(Some(rule))
}
