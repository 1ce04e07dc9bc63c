//! `judkins review`: a review of every move of a game by the engine.

mod json;
mod many;
mod table;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::files::{check_output, extension, is_same_file, open_input};
use super::number::{number, seconds};
use super::parallel::ThreadsArgument;
use super::print::{is_coloured, unless_closed};
use super::rules::impasse_rule;
use super::{interrupt, progress};
use judkins::atomic_file;
use judkins::record::{Encoding, Format, ReadGame, Reader, Record};
use judkins::review::{Budget, Review, Reviewer, annotate};
use judkins::shogi::ImpasseRule;
use judkins::shogi::diagram::Pieces;

#[derive(Args)]
#[command(after_long_help = JSON_HELP)]
pub struct Arguments {
    /// A file of games in any format that `judkins convert` reads; `-` is standard input
    file: PathBuf,
    /// The number of the game in the file, from 1 [default: all; several games get a line each]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..))]
    game: Option<usize>,
    /// Nodes per position; doubtful moves get up to 20 times as many
    #[arg(long, default_value_t = 100_000, value_name = "N", value_parser = number::<u64>(1_000..))]
    nodes: u64,
    /// Maximum seconds per game, in place of nodes
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with = "nodes")]
    time: Option<Duration>,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// MiB of hash table for each thread
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = number::<usize>(1..=4096))]
    hash: usize,
    /// The impasse rule of records that name none
    #[arg(long, default_value_t, value_name = "RULE", value_parser = impasse_rule(), ignore_case = true)]
    impasse_rule: ImpasseRule,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write the record with comments, marks and variations; the extension selects the format (.kif, .ki2, .pgn). PGN
    /// stays in the dialect of the input, and KIF in its encoding
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    /// Write an HTML file that replays the game with the review, in any browser and without a network
    #[cfg(feature = "board")]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Letters in place of kanji
    #[arg(long)]
    ascii: bool,
}

const JSON_HELP: &str = "\
--json prints one object; a file of several games gives one object a line:
  moves      one entry a move of the main line, in order:
    ply      the move's number, from 1
    color    \"black\" or \"white\"
    usi      the move, in USI
    score    the score after the move for the player who made it: centipawns, or \"mate N\" in plies (negative: the
             player is mated); null where the game is over or the review was interrupted
    score_rule  the rule by which a score near 30,000 is decided, as under \"reason\" below, or null
    before   the score before the move, the same way; before_rule: its rule
    end      null, or how the game ended with the move: reason (\"checkmate\", \"no-legal-move\", \"sennichite\",
             \"perpetual-check\", \"impasse\", \"try\", \"declaration\"), winner (\"black\", \"white\", or null), points (Black's
             and White's, after an impasse), and played_on: whether the record goes on all the same. The moves from there
             on are judged as if the game had not ended
    chance   the player's chance to win after the move, from 0 to 1; chance_before: before it
    best     the best move, in USI; line: the line that it begins
    loss     what the move lost of the chance to win, from 0 to 1
    mark     \"blunder\" (a loss of 0.25 or more), \"mistake\" (0.13), \"inaccuracy\" (0.07), \"only\" (the only good
             move), \"brilliant\" (one that gives up material), or null
    missed_mate         the plies of a mate (7 at most) that the player had and did not go for, or null; its moves are in
                        missed_mate_line
    missed_declaration  whether the player could have declared a win
  players    black and white: name, moves, loss (mean), accuracy (0 to 100; both null without moves), best,
             inaccuracies, mistakes, blunders, missed_mates, missed_declarations
  turning_points  the plies at which the game turned
  complete   whether the whole game was reviewed

The exit status is 1 if the review was interrupted or the file was read in part, and 2 if it cannot be read.";

/// The exit status for a file that was read in part.
const READ_IN_PART: u8 = 1;
/// The exit status for a file that cannot be read.
const UNREADABLE: u8 = 2;

impl Arguments {
    /// The output file for the replay, if requested.
    fn report(&self) -> Option<&Path> {
        #[cfg(feature = "board")]
        return self.report.as_deref();
        #[cfg(not(feature = "board"))]
        None
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let reviewer = reviewer(arguments);
    check_outputs(arguments)?;
    let Input { mut games, format, encoding, has_problems } = match read(arguments) {
        Ok(input) => input,
        Err(error) => {
            eprintln!("judkins: {}: {error:#}", arguments.file.display());
            return Ok(ExitCode::from(UNREADABLE));
        }
    };
    if let Some(path) = &arguments.annotate {
        let is_safe = !has_problems || !is_same_file(path, &arguments.file)?;
        ensure!(is_safe, "{} was read in part: annotated in its place, it would lose the rest", path.display());
    }
    let stop = interrupt::watch()?;
    match (&mut games[..], arguments.game) {
        ([(_, record)], _) => {
            let review = reviewed(&reviewer, record, stop)?;
            show(arguments, record, &review, (format, encoding))?;
        }
        (records, _) => {
            ensure!(
                arguments.annotate.is_none() && arguments.report().is_none(),
                "--annotate and --report are for one game: name it with --game"
            );
            many::run(records, &reviewer, arguments.json, stop)?;
        }
    }
    if stop.load(Ordering::Relaxed) {
        bail!("interrupted: what is shown is what was reviewed until then");
    }
    Ok(if has_problems { ExitCode::from(READ_IN_PART) } else { ExitCode::SUCCESS })
}

fn reviewer(arguments: &Arguments) -> Reviewer {
    let Arguments { time, nodes, threads, hash, impasse_rule, .. } = *arguments;
    let budget = time.map_or(Budget::Nodes(nodes), Budget::Time);
    Reviewer { budget, threads: threads.count(), hash, impasse_rule }
}

/// The content of a file.
struct Input {
    /// The games to review, with their numbers in the file.
    games: Vec<(usize, Record)>,
    /// The format of the first of them.
    format: Format,
    encoding: Encoding,
    /// Whether the games have problems.
    has_problems: bool,
}

fn read(arguments: &Arguments) -> Result<Input> {
    let mut reader = Reader::new(open_input(&arguments.file)?)?;
    let (mut games, mut first_format, mut has_problems) = (Vec::new(), None, false);
    for (number, game) in (1..).zip(&mut reader) {
        let ReadGame { record, problems, format, .. } = game?;
        if arguments.game.is_some_and(|wanted| wanted != number) {
            continue;
        }
        for problem in &problems {
            eprintln!("{}:{}:{}: {}", arguments.file.display(), problem.line, problem.column, problem.message);
        }
        has_problems |= !problems.is_empty();
        if let Some(record) = record {
            first_format.get_or_insert(format);
            games.push((number, record));
        }
    }
    match (first_format, arguments.game) {
        (Some(format), _) => Ok(Input { games, format, encoding: reader.encoding(), has_problems }),
        (None, Some(number)) if has_problems => bail!("game {number} cannot be read"),
        (None, Some(number)) => bail!("there is no game {number}"),
        (None, None) => bail!("there is no game in it"),
    }
}

/// Reviews a game, with a bar of progress.
fn reviewed(reviewer: &Reviewer, record: &Record, stop: &std::sync::atomic::AtomicBool) -> Result<Review> {
    let bar = progress::bar(0, "reviewing {bar:30} {percent:>3} %, {eta} left");
    let review = reviewer.review(record, stop, &|progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    });
    bar.finish_and_clear();
    Ok(review?)
}

/// Prints a review and writes the requested files. `source`: the format and the encoding of the game.
fn show(arguments: &Arguments, record: &mut Record, review: &Review, source: (Format, Encoding)) -> Result<()> {
    let pieces = if arguments.ascii { Pieces::Letters } else { Pieces::Kanji };
    let text = match arguments.json {
        true => json::text(record, review)? + "\n",
        false => table::text(record, review, pieces, is_coloured()),
    };
    // Write the files even if standard output is closed.
    let printed = io::stdout().write_all(text.as_bytes());
    let mut written = Ok(());
    #[cfg(feature = "board")]
    if let Some(path) = arguments.report() {
        let text = judkins::board::replay_html(record, Some(review.clone()));
        written = atomic_file::write(path, text.as_bytes()).with_context(|| path.display().to_string());
    }
    if let Some(path) = &arguments.annotate {
        let format = annotated_format(path)?;
        let is_same = source.0.extension() == format.extension();
        let (format, encoding) = if is_same { source } else { (format, Encoding::Utf8) };
        annotate(record, &review.moves, format.into());
        let text = record.to_text(format)?;
        // Shift-JIS may lack a character.
        let bytes = encoding.encode(&text).unwrap_or_else(|_| text.into_bytes());
        written = written.and(atomic_file::write(path, &bytes).with_context(|| path.display().to_string()));
    }
    written?;
    unless_closed(printed.context("standard output"))
}

/// Rejects outputs that cannot be written, or would destroy the input, before any work is done.
fn check_outputs(arguments: &Arguments) -> Result<()> {
    let Arguments { file, annotate: annotated, game, .. } = arguments;
    annotated.as_deref().map(annotated_format).transpose()?;
    if let Some(path) = arguments.report() {
        let is_html = matches!(extension(path).as_deref(), Some("html" | "htm"));
        ensure!(is_html, "--report {}: the name must end with .html", path.display());
        check_output(Some(path), [file.as_path()])?;
    }
    // The file of a single game may be replaced by the annotated game; otherwise the other games would be lost.
    check_output(annotated.as_deref(), game.is_some().then_some(file.as_path()))?;
    for path in arguments.report().into_iter().chain(annotated.as_deref()) {
        atomic_file::check_writable(path).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The format of an annotated record, by its extension: one that keeps comments.
fn annotated_format(path: &Path) -> Result<Format> {
    match Format::of_path(path) {
        Some(format) if !matches!(format, Format::Usi | Format::Match) => Ok(format),
        _ => bail!("--annotate {}: the name must end with .kif, .ki2 or .pgn", path.display()),
    }
}
