//! `judkins completions`: completion scripts for shells.

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;

/// The arguments of `judkins completions`.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  judkins completions bash > ~/.local/share/bash-completion/completions/judkins
  judkins completions fish > ~/.config/fish/completions/judkins.fish
  judkins completions zsh > FOLDER/_judkins      where FOLDER is in zsh's $fpath";

pub fn run(arguments: &Arguments) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "judkins", &mut script);
    print!("{}", String::from_utf8(script)?);
    Ok(())
}
