//! `judkins man`: the manual pages.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

#[derive(Args)]
pub struct Arguments {
    /// Write the pages of all subcommands into this folder [default: print the program's page]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Prints the page of a command, or writes those of its subcommands too.
pub fn run(arguments: &Arguments, command: Command) -> Result<()> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    match &arguments.out {
        Some(folder) => {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            write_pages(folder, &command)?;
        }
        None => print!("{}", String::from_utf8(page(&command)?)?),
    }
    Ok(())
}

/// Writes the page of a command and those of its subcommands: `judkins.1`, `judkins-analyze.1` and so on.
fn write_pages(folder: &Path, command: &Command) -> Result<()> {
    let path = folder.join(Man::new(command.clone()).get_filename());
    fs::write(&path, page(command)?).with_context(|| path.display().to_string())?;
    command.get_subcommands().try_for_each(|command| write_pages(folder, command))
}

/// A command's page. The end of its help, with examples and formats, keeps its lines.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone()).source(concat!("judkins ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(notes) = command.get_after_long_help().or(command.get_after_help()) {
        let mut section = Roff::new();
        section.control("SH", ["NOTES"]).control("nf", []).text([roman(notes.to_string())]).control("fi", []);
        section.to_writer(&mut page)?;
    }
    Ok(page)
}
