//! `judkins mate`: the mate solver for solvers and composers of problems.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::number::{number, seconds};
use super::{interrupt, print, progress};
use judkins::atomic_file;
use judkins::counted::{counted, inflected};
use judkins::mate::{Branch, MateLimits, MateOutcome, Progress, Solution, SolutionTree, Solver, Then, Uniqueness};
use judkins::shogi::diagram::{Pieces, draw};
use judkins::shogi::notation::western::{Style, movetext, to_western};
use judkins::shogi::{GameHistory, Move, Position, PositionText};

/// The exit status if there is no mate.
const DISPROVEN: u8 = 10;
/// The exit status if the problem is undecided.
const UNDECIDED: u8 = 20;

#[derive(Args)]
#[command(after_long_help = HELP)]
pub struct Arguments {
    /// An SFEN, in which the attacker, who is to move, may have no king, and moves after it, which do not count for
    /// repetition; or a file with one per line
    #[arg(required = true, value_name = "SFEN|FILE")]
    problem: Vec<String>,
    /// Seconds per problem, including all requested checks
    #[arg(long, default_value = "10", value_name = "S", value_parser = seconds)]
    time: Duration,
    /// MiB for the solver's table
    #[arg(long, default_value_t = 256, value_name = "MIB", value_parser = number::<usize>(1..=1 << 20))]
    hash: usize,
    /// Show the reply to every defence, not only the longest
    #[arg(long)]
    moves: bool,
    /// Show the board after each move
    #[arg(long)]
    boards: bool,
    /// Report at each move of the attacker whether another would have mated too
    #[arg(long)]
    unique: bool,
    /// Letters in place of kanji
    #[arg(long)]
    ascii: bool,
}

const HELP: &str = "\
In a file, the text after # or ; is a comment. The exit status for a file is 0 if all are mates, 10 if a problem has
no mate, 20 if one is undecided, 1 if a line is not a problem.";

/// Solves the problems. The exit status is 0 if all are mates, 10 if one is not a mate, 20 if one is undecided, 1 if a
/// line is not a problem.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    print::end_closed_with(UNDECIDED);
    let mut problems = Problems { solver: Solver::new(arguments.hash)?, arguments, stop: interrupt::watch()? };
    let text = arguments.problem.join(" ");
    let path = Path::new(&text);
    if path.is_file() {
        let Arguments { unique, moves, boards, .. } = arguments;
        ensure!(!(unique | moves | boards), "--unique, --moves and --boards are for one problem, not for a file");
        return problems.solve_file(path);
    }
    let files = arguments.problem.len() > 1 && arguments.problem.iter().any(|word| Path::new(word).is_file());
    ensure!(!files, "give one file, or one SFEN");
    let position = problem(&text).with_context(|| format!("'{text}' is not a file either"))?;
    problems.solve_one(&position)
}

fn problem(text: &str) -> Result<Position> {
    PositionText::new(text).mate_problem().with_context(|| format!("'{text}' is not a position"))
}

struct Problems<'a> {
    solver: Solver,
    arguments: &'a Arguments,
    stop: &'static AtomicBool,
}

impl Problems<'_> {
    fn solve(&mut self, position: &Position, report: impl FnMut(Progress)) -> MateOutcome {
        let limits = self.limits(Instant::now());
        self.solver.solve(position, &GameHistory::new(position), limits, self.stop, report)
    }

    /// The remaining time for a problem, given its start.
    fn limits(&self, started: Instant) -> MateLimits {
        MateLimits { time: Some(self.arguments.time.saturating_sub(started.elapsed())), ..MateLimits::default() }
    }

    fn solve_one(&mut self, position: &Position) -> Result<ExitCode> {
        let pieces = if self.arguments.ascii { Pieces::Letters } else { Pieces::Kanji };
        println!("{}", draw(position, pieces));
        let started = Instant::now();
        let mut nodes = 0;
        let line = progress::line();
        let answer = self.solve(position, |progress| {
            nodes = progress.nodes;
            line.set_message(format!("{} million nodes, proof number {}", nodes / 1_000_000, progress.proof));
        });
        line.finish_and_clear();
        let cost = format!("{}, {:.2} s", counted(nodes, "position"), started.elapsed().as_secs_f64());
        let solution = match answer {
            MateOutcome::Mate(solution) => solution,
            MateOutcome::NoMate => {
                println!("No mate ({cost}).");
                return Ok(ExitCode::from(DISPROVEN));
            }
            MateOutcome::Unknown => {
                println!("Undecided ({cost}).");
                return Ok(ExitCode::from(UNDECIDED));
            }
        };
        let shortest = if solution.shortest { "the shortest" } else { "perhaps not the shortest" };
        println!("{}, {shortest} ({cost}).\n", length(position, &solution));
        println!("USI      {}", usi(&solution.moves));
        println!("Western  {}", movetext(position, &solution.moves, Style::Hodges));
        if self.arguments.boards {
            show_boards(position, &solution.moves, pieces);
        }
        if self.arguments.unique {
            let mut limits = self.limits(started);
            if self.arguments.moves {
                limits.time = limits.time.map(|time| time / 2);
            }
            self.show_cooks(position, &solution.moves, solution.plies(position), limits);
        }
        if self.arguments.moves {
            println!("\nEvery defence and its reply:");
            let limits = self.limits(started);
            let SolutionTree { branches, complete } = self.solver.tree(position, solution.length, limits, self.stop);
            branches.iter().enumerate().for_each(|(index, branch)| println!("{}", tree_line(index, branch)));
            if !complete {
                println!("       … {}", self.why_unfinished());
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The reason why parts of a solved problem are undecided.
    fn why_unfinished(&self) -> &'static str {
        if self.stop.load(Ordering::Relaxed) { "interrupted" } else { "the time is used up (--time S allows more)" }
    }

    /// `plies` is the length of the mate as players count it.
    fn show_cooks(&mut self, position: &Position, moves: &[Move], plies: usize, limits: MateLimits) {
        println!();
        let all_cooks = self.solver.cooks(position, moves, limits, self.stop);
        for (index, (position, mv)) in position.walk(moves.iter().copied()).step_by(2).enumerate() {
            let western = |mv| to_western(&position, mv, Style::Hodges);
            let cooks = all_cooks[index].iter().map(|cook| match cook.plies {
                Some(plies) => format!("{} mates too, in {plies} at most", western(cook.mv)),
                None => format!("{} is undecided", western(cook.mv)),
            });
            let text = cooks.collect::<Vec<_>>().join("; ");
            let verdict = if text.is_empty() { "the only move" } else { text.as_str() };
            println!("{:>3}. {}: {verdict}", index + 1, western(mv));
        }
        println!(
            "{}",
            match Uniqueness::of(&all_cooks, plies) {
                Uniqueness::Cooked => "The solution is not unique.",
                Uniqueness::Undecided => "Whether the solution is unique is undecided.",
                Uniqueness::Unique => "The solution is unique, the last move aside.",
            }
        );
        if all_cooks.iter().flatten().any(|cook| cook.plies.is_none()) {
            println!("Not every move is decided: {}.", self.why_unfinished());
        }
    }

    /// Solves each line of a file. Empty lines and comments after `#` or `;` are skipped; invalid lines are reported.
    fn solve_file(&mut self, path: &Path) -> Result<ExitCode> {
        let text = atomic_file::read_to_string(path).with_context(|| path.display().to_string())?;
        let started = Instant::now();
        let (mut mates, mut without, mut undecided, mut bad, mut lengths) = (0, 0, 0, 0, BTreeMap::new());
        let mut is_interrupted = false;
        for (index, line) in text.lines().enumerate() {
            let written = line.split(['#', ';']).next().unwrap_or_default().trim();
            if written.is_empty() {
                continue;
            }
            is_interrupted = self.stop.load(Ordering::Relaxed);
            if is_interrupted {
                break;
            }
            let position = match problem(written) {
                Ok(position) => position,
                Err(error) => {
                    eprintln!("judkins: {}, line {}: {error:#}", path.display(), index + 1);
                    bad += 1;
                    continue;
                }
            };
            let begun = Instant::now();
            let (mut nodes, number) = (0, mates + without + undecided + 1);
            let answer = self.solve(&position, |progress| nodes = progress.nodes);
            is_interrupted = self.stop.load(Ordering::Relaxed) && matches!(answer, MateOutcome::Unknown);
            if is_interrupted {
                break;
            }
            let text = match answer {
                MateOutcome::Mate(solution) => {
                    mates += 1;
                    let plies = solution.plies(&position);
                    *lengths.entry(plies).or_insert(0) += 1;
                    let perhaps = if solution.shortest { "" } else { " at most" };
                    format!("mate {plies}{perhaps}: {}", usi(&solution.moves))
                }
                MateOutcome::NoMate => {
                    without += 1;
                    "no mate".to_owned()
                }
                MateOutcome::Unknown => {
                    undecided += 1;
                    "undecided".to_owned()
                }
            };
            let seconds = begun.elapsed().as_secs_f64();
            println!("{number:>5} {seconds:>8.3} s {nodes:>10}  {text}");
        }
        let is_empty = mates + without + undecided + bad == 0 && !is_interrupted;
        ensure!(!is_empty, "{}: there is no problem in it", path.display());
        let plies = lengths.keys().next_back().map_or("plies".to_owned(), |longest| inflected(longest, "ply"));
        let lengths: Vec<String> = lengths.iter().map(|(plies, count)| format!("{count} of {plies}")).collect();
        let problems = counted(mates + without + undecided, "problem");
        println!("\n{problems} in {:.1} s", started.elapsed().as_secs_f64());
        let lengths = if mates > 0 { format!(" ({} {plies})", lengths.join(", ")) } else { String::new() };
        println!("{}{lengths}, {without} without a mate, {undecided} undecided", counted(mates, "mate"));
        if is_interrupted {
            println!("interrupted: the rest of the file is undecided");
            undecided += 1;
        }
        Ok(match (bad, without, undecided) {
            (0, 0, 0) => ExitCode::SUCCESS,
            (0, _, 0) => ExitCode::from(DISPROVEN),
            (0, _, _) => ExitCode::from(UNDECIDED),
            _ => ExitCode::FAILURE,
        })
    }
}

/// The length in words.
fn length(position: &Position, solution: &Solution) -> String {
    let (plies, all) = (solution.plies(position), solution.moves.len());
    if all < plies {
        return format!("Mate in {} at most", counted(plies, "ply"));
    }
    let useless = all - plies;
    let plies = counted(plies, "ply");
    match useless {
        0 => format!("Mate in {plies}"),
        useless => format!("Mate in {plies}, {useless} of useless interposition not counted"),
    }
}

fn usi(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

fn show_boards(position: &Position, moves: &[Move], pieces: Pieces) {
    for (position, mv) in position.walk(moves.iter().copied()) {
        let side = position.side_to_move().sign();
        println!("\n{side} {} ({mv})", to_western(&position, mv, Style::Hodges));
        print!("{}", draw(&position.after(mv), pieces));
    }
}

/// A line of the whole solution: its number, the defence, the reply, and the continuation.
fn tree_line(index: usize, branch: &Branch) -> String {
    let indent = "  ".repeat(branch.depth);
    let defence = branch.defence.map(|mv| format!("{mv} ")).unwrap_or_default();
    let then = match branch.then {
        Then::Mate => " mate".to_owned(),
        Then::Defences => String::new(),
        Then::AsIn(line) => format!(" as in {}", line + 1),
    };
    format!("{:>5}  {indent}{defence}{}{then}", index + 1, branch.reply)
}
