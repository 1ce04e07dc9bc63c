//! `judkins man`: the manual pages.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::Cli;
use judkins::config::BUILT_IN;

/// Where the pages go.
#[derive(Args)]
pub struct Arguments {
    /// Write the pages of all subcommands into this folder [default: print the program's page]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    match &arguments.out {
        Some(folder) => write(folder, &command),
        None => {
            print!("{}", String::from_utf8(main_page(&command)?)?);
            Ok(())
        }
    }
}

/// Writes `judkins.1` and a page for each subcommand, `judkins-analyze.1` and so on.
fn write(folder: &Path, command: &Command) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    // After that of the program, which has more in it.
    clap_mangen::generate_to(command.clone(), folder).with_context(|| folder.display().to_string())?;
    let path = folder.join("judkins.1");
    fs::write(&path, main_page(command)?).with_context(|| path.display().to_string())
}

/// The program's page. It ends with the engine's options, as `engine.toml` explains them.
fn main_page(command: &Command) -> io::Result<Vec<u8>> {
    // The options have a section of their own.
    let man = Man::new(command.clone().after_long_help(""));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    man.render_subcommands_section(&mut page)?;
    let mut options = Roff::new();
    options.control("SH", ["ENGINE OPTIONS"]).control("nf", []).text([roman(BUILT_IN)]).control("fi", []);
    options.to_writer(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
}
