//! `judkins board`: the board in the browser.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use judkins::arena::EngineSpec;
use judkins::board::server::{Server, open};

use super::interrupt;
use super::number::number;

/// What is opened, and who analyses and plays.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// A game (KIF, KI2, PGN, USI), which every change is written to, or a file of many to look through; a match's
    /// record is followed while it is played; lessons (TOML) stand before the program's own, see lessons.toml in its
    /// sources [default: what was on the board last]
    file: Option<PathBuf>,
    /// An engine: keys as of `judkins match --engine`, without limits [default: this program]
    #[arg(long = "engine", value_name = "KEY=VALUE,…")]
    engines: Vec<String>,
    /// The port on 127.0.0.1; 0 takes a free one [default: 6160, or a free one]
    #[arg(long, value_name = "N", value_parser = number::<u16>(0..=u16::MAX))]
    port: Option<u16>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
}

const EXAMPLES: &str = "Examples:
  judkins board
  judkins board game.kif --engine cmd=./judkins --engine cmd=fairy-stockfish,name=Fairy
  judkins board lessons.toml     a teacher's own lessons
  judkins board games.jsonl      while `judkins match --record games.jsonl` is played";

/// Serves the page until it is interrupted.
pub fn run(arguments: &Arguments) -> Result<()> {
    let opened = arguments.file.as_deref().map(open).transpose()?;
    let engines = engines(&arguments.engines)?;
    let server = Server::bind(arguments.port)?;
    let stop = interrupt::watch()?;
    // Scripts read this line; one that does not must not stop the board.
    let _ = writeln!(io::stdout(), "{}", server.url()).and_then(|()| io::stdout().flush());
    if !arguments.no_open
        && let Err(error) = open::that_detached(server.url())
    {
        eprintln!("judkins: no browser opens ({error}): open the address above");
    }
    let folder = dirs::data_dir().map(|folder| folder.join("judkins"));
    Ok(server.run(opened, engines, folder, stop)?)
}

/// The engines of the command line, or this program.
fn engines(texts: &[String]) -> Result<Vec<EngineSpec>> {
    // The board says how long to think. Engines that are named need no limit.
    let each = ["nodes=1".to_owned()];
    if texts.is_empty() {
        let program = std::env::current_exe().context("this program cannot be found, to be started as the engine")?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut spec =
            EngineSpec::parse(&["cmd=-,name=judkins".to_owned(), format!("option.Threads={threads}")], &each)?;
        spec.command = program.into_os_string().into_string().ok().context("this program's path is no Unicode")?;
        return Ok(vec![spec]);
    }
    texts.iter().map(|text| Ok(EngineSpec::parse(std::slice::from_ref(text), &each)?)).collect()
}
