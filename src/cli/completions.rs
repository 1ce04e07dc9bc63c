//! `judkins completions`: completion scripts for shells.

use anyhow::Result;
use clap::{Args, Command};
use clap_complete::Shell;

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

/// Prints the script that completes a command.
pub fn run(arguments: &Arguments, mut command: Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "judkins", &mut script);
    print!("{}", String::from_utf8(script)?);
    Ok(())
}
