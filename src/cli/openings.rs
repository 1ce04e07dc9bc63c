//! The openings of games on the command line, for matches and for tuning.

use std::path::PathBuf;

use anyhow::{Error, Result};
use clap::Args;

use super::number::number;

use judkins::arena::{Opening, OpeningError, Rules, built_in_openings, read_openings};

/// The openings of the games.
#[derive(Args)]
pub struct OpeningsArguments {
    /// Openings as games or positions: PGN, KIF, KI2, USI, SFEN or EPD; the engines continue after a game's main line
    /// [default: 4,000 balanced ones, built in; `judkins data openings` makes more]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Play only the first N plies of each opening
    #[arg(long, value_name = "N", requires = "openings", value_parser = number::<usize>(0..))]
    opening_plies: Option<usize>,
}

impl OpeningsArguments {
    /// The openings, in the order of the file.
    ///
    /// # Errors
    /// If the file cannot be read, or one of its games is over.
    pub fn read(&self, rules: &Rules) -> Result<Vec<Opening>> {
        let openings = match &self.openings {
            Some(path) => read_openings(path, rules, self.opening_plies),
            None => built_in_openings(rules),
        };
        openings.map_err(|error| match error {
            OpeningError::Over { plies: 1.., .. } => {
                Error::msg(format!("{error}; --opening-plies N begins after its first N plies"))
            }
            error => error.into(),
        })
    }
}
