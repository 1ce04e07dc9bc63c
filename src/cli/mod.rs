//! The command line: its parser, and a file or folder for each subcommand. Without a subcommand: the engine on standard
//! input and output.

// First, because the following modules use its macros in place of the standard ones.
#[macro_use]
pub mod print;

mod analyze;
mod bench;
#[cfg(feature = "board")]
mod board;
mod book;
mod completions;
mod config;
mod convert;
mod data;
mod datagen;
mod engines;
mod evaluation;
mod files;
mod fit;
mod folder_lock;
mod hints;
mod interrupt;
mod key_value;
mod man;
mod matches;
mod mate;
mod mixed;
mod net;
mod number;
mod openings;
mod parallel;
mod perft;
mod position;
mod program;
mod progress;
mod prove;
mod review;
mod rules;
mod shard_folder;
mod shards;
mod show;
mod train;
mod tune;

use std::io::{self, Write};
use std::process::{self, ExitCode};

use anyhow::{Result, ensure};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use config::ConfigArgument;
use judkins::config::BUILT_IN;
use judkins::engine::Engine;
use judkins::frontend::{Output, Session};

/// A USI engine for Judkins shogi: shogi on 6×6.
///
/// Without a subcommand it speaks USI, UCI and CECP on standard input and output, for use by a graphical program. A
/// person can type the commands of USI too: `position startpos moves 6e6d`, `d` (the board), `eval`, `go movetime 1000`,
/// `perft 4`, `bench`, `quit`.
#[derive(Parser)]
#[command(version, verbatim_doc_comment, after_long_help = options_help())]
pub struct Cli {
    #[command(flatten)]
    config: ConfigArgument,
    /// List the search's parameters as options, for tuners
    #[arg(long)]
    tune: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show the board, and the best lines as they deepen
    Analyze(analyze::Arguments),
    /// Play, analyse and look at games on a board in the browser
    #[cfg(feature = "board")]
    Board(board::Arguments),
    /// Make an opening book by search, show it, write it in other formats
    Book(book::Arguments),
    /// Solve mate problems: exit status 0 for mates, 10 if there is none, 20 if undecided
    Mate(mate::Arguments),
    /// Prove that a player wins by force, with all moves: exit status 0 if proven, 20 if not
    Prove(prove::Arguments),
    /// Review every move of a game
    Review(Box<review::Arguments>),
    /// Play engines against each other, with statistics
    Match(Box<matches::Arguments>),
    /// Write game records in another format: exit status 1 if they were read in part, 2 if not at all
    Convert(convert::Arguments),
    /// Tune the engine's options by matches against itself
    Tune(Box<tune::Arguments>),
    /// Fit the weights of the hand-written evaluation to games
    Fit(fit::Arguments),
    /// Play games against itself as training data of the learned evaluation
    Datagen(datagen::Arguments),
    /// Inspect, mix, rescore and export self-play games; make openings and test sets
    Data {
        #[command(subcommand)]
        command: data::Command,
    },
    /// Inspect and compare networks
    #[command(subcommand)]
    Net(net::Command),
    /// Train a network on self-play games
    Train(train::Arguments),
    /// Search a fixed set of positions; the node count is the same on every machine
    Bench(bench::Arguments),
    /// Count the sequences of legal moves by first move
    Perft(perft::Arguments),
    /// Draw a position and show its evaluation
    Show(show::Arguments),
    /// Print a completion script for a shell
    Completions(completions::Arguments),
    /// Print the manual page, or write those of all subcommands
    Man(man::Arguments),
}

/// The engine's options, with their defaults.
fn options_help() -> String {
    format!("Options of the engine: set with setoption, or in engine.toml, here as it is built in.\n\n{BUILT_IN}")
}

impl Cli {
    /// Reads the command line. A mistake ends the program.
    pub fn from_arguments() -> Cli {
        let command = || number::with_negative(Cli::command());
        let read = command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
        read.unwrap_or_else(|error| {
            let arguments: Vec<String> =
                std::env::args_os().skip(1).map(|text| text.to_string_lossy().into()).collect();
            let error = hints::with_tip(error, &command(), &arguments);
            match error.print().and_then(|()| io::stdout().flush()) {
                Err(failed) if !error.use_stderr() => print::end(&failed),
                _ => process::exit(error.exit_code()),
            }
        })
    }

    /// Runs the subcommand, or the engine.
    pub fn run(&self) -> Result<ExitCode> {
        interrupt::ignore_file_limit();
        self.check()?;
        match &self.command {
            None => self.speak()?,
            Some(Command::Analyze(arguments)) => analyze::run(arguments, &self.config)?,
            #[cfg(feature = "board")]
            Some(Command::Board(arguments)) => board::run(arguments)?,
            Some(Command::Book(arguments)) => book::run(arguments)?,
            Some(Command::Mate(arguments)) => return mate::run(arguments),
            Some(Command::Prove(arguments)) => return prove::run(arguments),
            Some(Command::Review(arguments)) => return review::run(arguments),
            Some(Command::Match(arguments)) => matches::run(arguments)?,
            Some(Command::Convert(arguments)) => return convert::run(arguments),
            Some(Command::Tune(arguments)) => tune::run(arguments)?,
            Some(Command::Fit(arguments)) => fit::run(arguments)?,
            Some(Command::Datagen(arguments)) => datagen::run(arguments)?,
            Some(Command::Train(arguments)) => train::run(arguments)?,
            Some(Command::Data { command }) => data::run(command)?,
            Some(Command::Net(command)) => net::run(command)?,
            Some(Command::Bench(arguments)) => bench::run(arguments)?,
            Some(Command::Perft(arguments)) => perft::run(arguments)?,
            Some(Command::Show(arguments)) => show::run(arguments, &self.config)?,
            Some(Command::Completions(arguments)) => completions::run(arguments, Cli::command())?,
            Some(Command::Man(arguments)) => man::run(arguments, Cli::command())?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Rejects arguments before a subcommand that does not read them.
    fn check(&self) -> Result<()> {
        let reads_config = matches!(self.command, None | Some(Command::Analyze(_) | Command::Show(_)));
        ensure!(reads_config || !self.config.is_given(), "--config is for the engine, analyze and show");
        ensure!(self.command.is_none() || !self.tune, "--tune is for the engine, not for a subcommand");
        Ok(())
    }

    /// Runs the engine on standard input and output.
    fn speak(&self) -> Result<()> {
        let engine = Engine::new(self.config.option_table(self.tune)?)?;
        // If standard output cannot be written, exit at once, even during a search.
        let output = Output::new(io::stdout(), |error| print::end(&error));
        Session::new(engine, output)?.run(io::BufReader::new(io::stdin()))?;
        Ok(())
    }
}
