//! `judkins convert`: converts game records between formats, and reports errors in the input by line and column.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::files::{is_same_file, open_input, output_file};
use super::number::number;
use super::print::is_closed_pipe;
use judkins::atomic_file;
use judkins::record::{Encoding, Format, ReadGame, Reader, usi};

#[derive(Args)]
#[command(after_help = help())]
pub struct Arguments {
    /// The file of records, - for standard input; its format is recognised
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The output file, written atomically [default: standard output]
    #[arg(value_name = "OUT")]
    output: Option<PathBuf>,
    /// The format of OUT, as below [default: by OUT's extension]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// The format of IN, if it should not be recognised
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Only the game with this number, from 1
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..))]
    game: Option<usize>,
    /// The encoding of kif and ki2
    #[arg(long, value_name = "ENCODING", default_value = "utf-8", value_parser = encoding())]
    encoding: Encoding,
}

fn help() -> String {
    let formats = Format::ALL.map(|format| format!("  {:14} {}\n", format.name(), format.note()));
    format!("Formats:\n{}\n{HELP}", formats.concat())
}

const HELP: &str = "Errors in a file are printed to standard error as FILE:LINE:COLUMN: sentence. The moves before an error are kept, and the
next game is read. Exit status: 0 if all was read, 1 if something was not, 2 if nothing was.

Examples:
  judkins convert game.kif --to usi
  judkins convert games.jsonl games.pgn
  judkins convert - --to kif --game 3 < games.pgn";

/// Reads the name of an encoding.
fn encoding() -> impl TypedValueParser<Value = Encoding> {
    let names = PossibleValuesParser::new(["utf-8", "shift-jis"]);
    names.map(|name| if name == "utf-8" { Encoding::Utf8 } else { Encoding::ShiftJis })
}

#[derive(Clone, Copy, Default)]
struct Tally {
    written: usize,
    problems: usize,
    /// Whether a game was in the record of a match.
    is_match: bool,
}

/// Converts; the exit status tells whether everything was read.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    Ok(match write(arguments) {
        Ok(Tally { problems: 0, .. }) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("judkins: {error:#}");
            ExitCode::from(2)
        }
    })
}

fn write(arguments: &Arguments) -> Result<Tally> {
    let to = target(arguments)?;
    match output_file(arguments.output.as_deref()) {
        Some(path) => {
            let in_place = is_same_file(path, &arguments.input)?;
            ensure!(
                !in_place || arguments.game.is_none(),
                "{} is read: written too, it would lose its other games",
                path.display()
            );
            atomic_file::write_with(path, |file| {
                let tally = convert(arguments, to, file)?;
                ensure!(!in_place || tally.problems == 0, "it is read too, and would lose what could not be read");
                ensure!(
                    !in_place || !tally.is_match,
                    "it is the record of a match, which cannot be written: name another file"
                );
                Ok(tally)
            })
            // Errors of the input name it, and have a cause.
            .map_err(|error| match error.source() {
                Some(_) => error,
                None => error.context(path.display().to_string()),
            })
        }
        None => {
            let mut output = BufWriter::new(io::stdout().lock());
            let tally = convert(arguments, to, &mut output)?;
            output.flush()?;
            Ok(tally)
        }
    }
}

fn target(arguments: &Arguments) -> Result<Format> {
    let Arguments { output, to, encoding, .. } = arguments;
    let to = to
        .or_else(|| Format::of_path(output.as_deref()?))
        .context("--to FORMAT is needed where OUT's name does not end with .usi, .kif, .ki2 or .pgn")?;
    ensure!(to != Format::Match, "--to {to}: a match's record is only read");
    if *encoding == Encoding::ShiftJis && !to.is_japanese() {
        bail!("--encoding is for kif and ki2: {to} is written in UTF-8");
    }
    Ok(to)
}

fn convert(arguments: &Arguments, to: Format, output: &mut impl Write) -> Result<Tally> {
    let Arguments { input, from, .. } = arguments;
    let of_input = || input.display().to_string();
    let source = open_input(input).with_context(of_input)?;
    let games = match from {
        Some(format) => Reader::with_format(source, *format).map_err(anyhow::Error::from),
        None => Reader::new(source).map_err(anyhow::Error::from),
    };
    let mut tally = Tally::default();
    let mut count = 0;
    for game in games.with_context(of_input)? {
        count += 1;
        match game {
            Ok(_) if arguments.game.is_some_and(|wanted| wanted != count) => continue,
            Ok(game) => take(&game, arguments, to, output, &mut tally)?,
            // Keep what was read before.
            Err(error) if tally.written > 0 => {
                tally.problems += 1;
                eprintln!("{}: {error}", input.display());
            }
            Err(error) => return Err(error).with_context(of_input),
        }
        if arguments.game.is_some() {
            break;
        }
    }
    match arguments.game {
        Some(wanted) if wanted > count => {
            Err(anyhow!("there is no game {wanted}: it holds {count}")).with_context(of_input)
        }
        _ if tally.written == 0 => Err(anyhow!("no game could be read")).with_context(of_input),
        _ => Ok(tally),
    }
}

/// Writes a game and reports its errors.
fn take(game: &ReadGame, arguments: &Arguments, to: Format, output: &mut impl Write, tally: &mut Tally) -> Result<()> {
    for problem in &game.problems {
        tally.problems += 1;
        eprintln!("{}:{}:{}: {}", arguments.input.display(), problem.line, problem.column, problem.message);
    }
    let Some(record) = &game.record else { return Ok(()) };
    tally.is_match |= game.format == Format::Match;
    let text = match (game.format, to) {
        (Format::Usi, Format::Usi) => usi::to_whole_text(record),
        _ => record.to_text(to)?,
    };
    let bytes = arguments.encoding.encode(&text);
    output
        .write_all(&bytes.with_context(|| format!("{}: the game in line {}", arguments.input.display(), game.line))?)?;
    tally.written += 1;
    Ok(())
}
