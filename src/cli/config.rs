//! `--config`, for all commands that read options.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use judkins::config::{Config, FILE_NAME};
use judkins::engine::OptionTable;

/// A configuration on the command line.
#[derive(Args)]
pub struct ConfigArgument {
    /// Defaults for options and parameters [default: engine.toml beside the executable, else those built in]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl ConfigArgument {
    pub fn is_given(&self) -> bool {
        self.config.is_some()
    }

    /// This configuration, or the one before the subcommand.
    pub fn or<'a>(&'a self, before: &'a ConfigArgument) -> &'a ConfigArgument {
        if self.is_given() { self } else { before }
    }

    /// The options, with defaults from `--config`, else from a file beside the executable, else the built-in ones.
    /// `exposed`: search parameters are options too.
    pub fn option_table(&self, exposed: bool) -> Result<OptionTable> {
        let beside = beside_the_program().filter(|path| path.is_file());
        let config = self.config.as_deref().or(beside.as_deref()).map(Config::read).transpose()?;
        Ok(OptionTable::new(config.as_ref(), exposed)?)
    }
}

/// The default configuration file, whether or not it exists. [`None`] without /proc, where the program does not know
/// its own location.
pub fn beside_the_program() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.with_file_name(FILE_NAME))
}
