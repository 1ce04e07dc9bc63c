//! `judkins board`: the board in the browser.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use judkins::arena::EngineSpec;
use judkins::board::server::{Server, open};

use super::interrupt;
use super::number::number;

#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Arguments {
    /// A game (KIF, KI2, PGN, USI), to which every change is written, or a file of many games to browse; a match's
    /// record is followed while the match is played; a book (text or compact) replaces the built-in one in the opening
    /// explorer; lessons (TOML) come before the program's own; mate problems (SFEN; mate N) are added to
    /// the user's own [default: the last study]
    file: Option<PathBuf>,
    /// An engine: keys as of `judkins match --engine`, without limits [default: this program]
    #[arg(long = "engine", value_name = "KEY=VALUE,…")]
    engines: Vec<String>,
    /// The port on 127.0.0.1; 0 takes a free one [default: 6160, or a free one]
    #[arg(long, value_name = "N", value_parser = number::<u16>(0..=u16::MAX))]
    port: Option<u16>,
    /// Accept connections from other devices in the network, for instance a phone, at this address of this machine; the
    /// default port is that of 127.0.0.1. The connection is not encrypted
    #[arg(long, value_name = "ADDRESS[:PORT]", value_parser = listen_address)]
    listen: Option<(IpAddr, Option<u16>)>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
}

const EXAMPLES: &str = "Examples:
  judkins board
  judkins board game.kif --engine cmd=./judkins --engine cmd=fairy-stockfish,name=Fairy
  judkins board lessons.toml     a teacher's own lessons
  judkins board --listen 192.168.1.5
  judkins board games.jsonl      while `judkins match --record games.jsonl` is played";

/// Serves the page until it is interrupted.
pub fn run(arguments: &Arguments) -> Result<()> {
    let opened = arguments.file.as_deref().map(open).transpose()?;
    let engines = engines(&arguments.engines)?;
    let server = Server::bind(arguments.port, arguments.listen)?;
    let stop = interrupt::watch()?;
    // Scripts read this line; a closed pipe must not stop the board.
    let _ = writeln!(io::stdout(), "{}", server.url()).and_then(|()| io::stdout().flush());
    if let Some((url, code)) = server.outer_url() {
        // White on black, regardless of the terminal's colours.
        let code = match io::stdout().is_terminal() {
            true => code.lines().map(|line| format!("\x1b[97;40m{line}\x1b[0m\n")).collect(),
            false => code + "\n",
        };
        let _ = writeln!(io::stdout(), "\nOn a phone or another computer in the same network:\n{url}\n{code}");
        eprintln!("judkins: this connection is not encrypted: use it in a network that you trust");
    }
    if !arguments.no_open
        && let Err(error) = open::that_detached(server.url())
    {
        eprintln!("judkins: no browser opens ({error}): open the address above");
    }
    let folder = dirs::data_dir().map(|folder| folder.join("judkins"));
    Ok(server.run(opened, engines, folder, stop)?)
}

/// An address of this machine, with or without a port.
fn listen_address(text: &str) -> Result<(IpAddr, Option<u16>), String> {
    let bare = text.parse().map(|address| (address, None));
    let (address, port): (IpAddr, _) = bare
        .or_else(|_| text.parse().map(|address: SocketAddr| (address.ip(), Some(address.port()))))
        .map_err(|_| format!("an address is like 192.168.1.5, 192.168.1.5:6160 or [fd00::5]:6160{}", own_address()))?;
    if address.is_unspecified() {
        return Err(format!("name one address of this machine{}", own_address()));
    }
    Ok((address, port))
}

/// The address by which this machine reaches others, in words. No packet is sent.
fn own_address() -> String {
    let reached = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        // An address reserved for documentation.
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    match reached {
        Ok(address) => format!("; this machine's seems to be {}", address.ip()),
        Err(_) => "; the system's network settings show it".to_owned(),
    }
}

/// The engines of the command line, or this program.
fn engines(texts: &[String]) -> Result<Vec<EngineSpec>> {
    // The board sets the thinking time, so the engines of the command line need no limit.
    let each = ["nodes=1".to_owned()];
    if texts.is_empty() {
        let program = std::env::current_exe().context("this program cannot be found, to be started as the engine")?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut spec =
            EngineSpec::parse(&["cmd=-,name=judkins".to_owned(), format!("option.Threads={threads}")], &each)?;
        spec.command =
            program.into_os_string().into_string().ok().context("this program's path is not valid Unicode")?;
        return Ok(vec![spec]);
    }
    texts.iter().map(|text| Ok(EngineSpec::parse(std::slice::from_ref(text), &each)?)).collect()
}
