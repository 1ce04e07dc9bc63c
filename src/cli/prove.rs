//! `judkins prove`: proofs of forced wins.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::files::check_output;
use super::interrupt;
use super::mixed::warn_of_mixed;
use super::number::{number, seconds};
use super::parallel::ThreadsArgument;
use super::position::PositionArgument;
use super::print;
use super::progress::{Progress, ProgressArguments};
use super::rules::impasse_rule;
use judkins::atomic_file;
use judkins::book::growth::{BookFile, Until};
use judkins::book::text::HEADER;
use judkins::counted::counted;
use judkins::mate::Solver;
use judkins::proof::{
    self, Effort, Ended, Graph, Guide, Means, ProofFile, ProofFileError, ProofMove, Question, UNPROVABLE,
};
use judkins::search::score::MATE;
use judkins::shogi::notation::western::{Style, movetext, to_western};
use judkins::shogi::{Color, ImpasseRule, Move};

/// The exit status without a proof.
const OPEN: u8 = 20;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    /// The proof. It is written after every batch; the same command continues it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    position: PositionArgument,
    /// The player who should win [default: black]
    #[arg(long = "for", value_name = "PLAYER", value_parser = player())]
    attacker: Option<Color>,
    /// The impasse rule in force [default: Points12]
    #[arg(long, value_name = "RULE", value_parser = impasse_rule(), ignore_case = true)]
    impasse_rule: Option<ImpasseRule>,
    /// A book of `judkins book grow`, whose moves are tried first
    #[arg(long, value_name = "BOOK", conflicts_with = "check")]
    book: Option<PathBuf>,
    /// Nodes of the mate solver per position; with --check 10,000 times as many per mate
    #[arg(long, default_value_t = 2_000, value_name = "N", value_parser = number::<u64>(1..))]
    mate_nodes: u64,
    /// Nodes of the search that estimates a position in which no mate is found
    #[arg(long, default_value_t = 500, conflicts_with = "check", value_name = "N", value_parser = number::<u64>(1..))]
    nodes: u64,
    /// Nodes of the search for a move to try
    #[arg(long, default_value_t = 10_000, conflicts_with = "check", value_name = "N", value_parser = number::<u64>(1..))]
    move_nodes: u64,
    /// MiB for each of the two tables of a thread
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = number::<usize>(1..=1 << 16))]
    hash: usize,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// End after this many seconds; the running batch is finished
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "check")]
    time: Option<Duration>,
    /// End at this many positions in the file
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..), conflicts_with = "check")]
    positions: Option<usize>,
    #[command(flatten)]
    progress: ProgressArguments,
    /// Only replay the proof in the file
    #[arg(long, conflicts_with = "threads")]
    check: bool,
    /// With --check: write the winner's moves as an opening book, for engines to play and other programs to check
    #[arg(long, value_name = "FILE", requires = "check")]
    export: Option<PathBuf>,
}

const HELP: &str = "\
An interrupt, or the end of the program, costs the batch under way. A proof may go on with other numbers of nodes: the
difference is reported. Which proof is found depends on the number of threads. --check verifies any proof: it replays
every reply to every move by the rules alone. If no proof is found, that proves nothing for the other player: ask again
with --for.";

/// Reads a player.
fn player() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["black", "white"]).map(|name| if name == "black" { Color::Black } else { Color::White })
}

/// The nodes for checking a mate, as a multiple of those for finding it: the table differs, and a claim may be wrong.
const CHECK_NODES: u64 = 10_000;

/// Grows a proof. The exit status is 0 if it is complete.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    print::end_closed_with(OPEN);
    let stop = interrupt::watch()?;
    if arguments.check {
        return check(arguments, stop);
    }
    let attacker = arguments.attacker.unwrap_or(Color::Black);
    let rule = arguments.impasse_rule.unwrap_or_default();
    let question = Question { start: arguments.position.position()?, attacker, rule };
    let guide = arguments.book.as_deref().map(BookFile::read).transpose()?.map(Guide::new);
    let Arguments { mate_nodes, nodes, move_nodes, hash, .. } = *arguments;
    let effort = Effort { mate_nodes, nodes, move_nodes, hash };
    let deadline = arguments.time.map(|time| Instant::now() + time);
    let until = Until { deadline, positions: arguments.positions };
    let path = &arguments.file;
    let mut file = ProofFile::open(path, &question).map_err(|error| with_path(error, path))?;
    println!("{}: {}", arguments.file.display(), state(file.graph()));
    warn_of_mixed(&arguments.file, file.settings(), &effort.settings());
    let (begun, before) = (Instant::now(), file.graph().nodes().len() as u64);
    let all = until.positions.map(|positions| positions as u64);
    let progress = Progress::new(arguments.progress, "positions", before, all, until.deadline);
    let means = Means { effort, guide: guide.as_ref(), threads: arguments.threads.count() };
    let ended = proof::prove(&mut file, &means, until, stop, |graph| {
        progress.set(graph.nodes().len() as u64, |_| proven(graph));
    })?;
    progress.finish();
    let graph = file.graph();
    println!("{}, {:.0} s", state(graph), begun.elapsed().as_secs_f64());
    match ended {
        Ended::Proven => {
            println!("Proven: {attacker} wins.");
            return Ok(ExitCode::SUCCESS);
        }
        Ended::Exhausted => println!("Not proven, and nothing is left to try."),
        Ended::Reached | Ended::Stopped => {
            let (line, position) = (graph.line(), graph.start());
            let under_work = if line.is_empty() { "" } else { " The line under work: " };
            println!("Open.{under_work}{}", movetext(position, &line, Style::Hodges));
            if position.side_to_move() != attacker {
                println!("{}", replies(graph));
            }
        }
    }
    Ok(ExitCode::from(OPEN))
}

fn with_path(error: ProofFileError, path: &Path) -> anyhow::Error {
    match error {
        // It has the path already.
        ProofFileError::File(error) => error.into(),
        error => anyhow::Error::from(error).context(path.display().to_string()),
    }
}

/// The proof number of each reply at the start, the hardest first.
fn replies(graph: &Graph) -> String {
    let mut open: Vec<(u32, Move)> = Vec::new();
    let mut answered = Vec::new();
    for reply in graph.root() {
        let Some(mv) = reply.mv else { continue };
        match reply.node.map_or(UNPROVABLE, |id| graph.node(id).proof) {
            0 => answered.push(mv),
            proof => open.push((proof, mv)),
        }
    }
    open.sort_by_key(|&(proof, _)| Reverse(proof));
    let name = |mv: Move| to_western(graph.start(), mv, Style::Hodges);
    let open: Vec<String> = open.into_iter().map(|(proof, mv)| format!("{} {proof}", name(mv))).collect();
    let answered: Vec<String> = answered.into_iter().map(name).collect();
    let answered = if answered.is_empty() { "none".to_owned() } else { answered.join(", ") };
    format!("answered: {answered}\nopen, with proof numbers: {}", open.join(", "))
}

fn state(graph: &Graph) -> String {
    format!("{} positions, {}", graph.nodes().len(), proven(graph))
}

fn proven(graph: &Graph) -> String {
    let proof = match graph.proof() {
        0 => "proven".to_owned(),
        UNPROVABLE.. => "proof number unlimited".to_owned(),
        proof => format!("proof number {proof}"),
    };
    format!("{} of them proven, {proof}", graph.proven())
}

/// Replays the proof in the file.
fn check(arguments: &Arguments, stop: &AtomicBool) -> Result<ExitCode> {
    let path = &arguments.file;
    check_output(arguments.export.as_deref(), [path.as_path()])?;
    let graph = ProofFile::read(path).map_err(|error| with_path(error, path))?;
    let start = arguments.position.given()?;
    let is_other = start.is_some_and(|start| start != *graph.start())
        || arguments.attacker.is_some_and(|attacker| attacker != graph.attacker())
        || arguments.impasse_rule.is_some_and(|rule| rule != graph.rule());
    ensure!(!is_other, "{} is about something else: '{}'", path.display(), Question::of(&graph));
    let mut solver = Solver::new(arguments.hash)?;
    let begun = Instant::now();
    let mut answers: HashMap<u64, ProofMove> = HashMap::new();
    let tell = |answer: ProofMove| {
        if arguments.export.is_some() {
            let kept = answers.entry(answer.position.key()).or_insert_with(|| answer.clone());
            if answer.plies < kept.plies {
                *kept = answer;
            }
        }
    };
    let mate_nodes = arguments.mate_nodes.saturating_mul(CHECK_NODES);
    let checked = match proof::check(&graph, &mut solver, mate_nodes, stop, tell) {
        Ok(checked) => checked,
        Err(error) => {
            println!("{}: {error}", path.display());
            return Ok(ExitCode::from(OPEN));
        }
    };
    if let Some(path) = &arguments.export {
        atomic_file::write_with(path, |out| export(answers.into_values(), out))
            .with_context(|| path.display().to_string())?;
    }
    println!("{} wins from {}", graph.attacker(), graph.start());
    println!(
        "{} with the winner's move, and {} by checks with {}; mate in {} at most ({:.1} s)",
        counted(checked.positions, "position"),
        counted(checked.mates, "mate"),
        counted(checked.mate_positions, "position"),
        counted(checked.plies, "ply"),
        begun.elapsed().as_secs_f64()
    );
    Ok(ExitCode::SUCCESS)
}

/// Writes a book in YaneuraOu's text format, in the order of the positions' SFENs. Scores count plies to mate.
fn export(answers: impl Iterator<Item = ProofMove>, out: &mut impl Write) -> io::Result<()> {
    let mut lines: Vec<(String, Move, u32)> =
        answers.map(|ProofMove { position, mv, plies }| (position.to_string(), mv, plies)).collect();
    lines.sort_unstable_by(|(one, ..), (other, ..)| one.cmp(other));
    writeln!(out, "{HEADER}")?;
    for (sfen, mv, plies) in lines {
        writeln!(out, "sfen {sfen}\n{mv} none {} 0 1", MATE - plies as i32)?;
    }
    Ok(())
}
