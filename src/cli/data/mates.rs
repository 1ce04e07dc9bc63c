//! `judkins data mates`: problems for the mate solver, from games.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};
use clap::Args;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::cli::files::check_output;
use crate::cli::interrupt;
use crate::cli::number::number;
use crate::cli::progress::{Progress, ProgressArguments};
use crate::cli::shards::ShardFiles;
use judkins::atomic_file;
use judkins::counted::counted;
use judkins::data::{ShardReader, TrainingGame};
use judkins::mate::{MateLimits, MateOutcome, Solver};
use judkins::shogi::{GameHistory, Move, Position};

/// Node limit of the solver for each candidate.
const NODES: u64 = 2_000_000;

/// A position without a mate is a problem only if the solver needs at least this many nodes to refute one.
const LEAST_NODES: u64 = 30;

/// The last plies of games in which problems are searched.
const LAST_PLIES: usize = 30;

#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    files: ShardFiles,
    /// The output file of problems: a position, its answer, a solution and its source, one problem per line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of mates to find, rounded up to equally many of each length
    #[arg(long, default_value_t = 325, value_name = "N", value_parser = number::<usize>(0..))]
    mates: usize,
    /// Length of the longest mate in plies
    #[arg(long, default_value_t = 25, value_name = "PLIES", value_parser = number::<usize>(1..=99))]
    longest: usize,
    /// Number of positions without a mate to find
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = number::<usize>(0..))]
    disproofs: usize,
    /// Seed of the distances from the end at which positions are taken from games
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = number::<u64>(0..))]
    seed: u64,
    #[command(flatten)]
    progress: ProgressArguments,
}

/// Problems by the length of their mates in plies; none for positions without a mate.
struct Collection {
    wanted: BTreeMap<Option<usize>, usize>,
    found: BTreeMap<Option<usize>, Vec<String>>,
    /// The keys of the problems' positions: games may share their moves, or be in the shards twice.
    keys: HashSet<u64>,
}

impl Collection {
    fn is_complete(&self) -> bool {
        self.wanted.iter().all(|(&length, &count)| self.is_full(length, count))
    }

    fn is_full(&self, length: Option<usize>, count: usize) -> bool {
        self.found.get(&length).map_or(0, Vec::len) >= count
    }

    fn wants(&self, length: Option<usize>) -> bool {
        self.wanted.get(&length).is_some_and(|&count| !self.is_full(length, count))
    }

    fn add(&mut self, position: &Position, length: Option<usize>, answer: &str, source: &str) {
        if self.wants(length) && self.keys.insert(position.key()) {
            self.found.entry(length).or_default().push(format!("{position}; {answer}; {source}"));
        }
    }
}

/// Searches for problems: at most one per game, each with its shortest solution. An interrupt ends the search, and the
/// problems found so far are written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let lengths: Vec<usize> = (1..=arguments.longest).step_by(2).collect();
    let each = arguments.mates.div_ceil(lengths.len());
    let mut wanted: BTreeMap<_, _> = lengths.into_iter().map(|length| (Some(length), each)).collect();
    wanted.insert(None, arguments.disproofs);
    let mut collection = Collection { wanted, found: BTreeMap::new(), keys: HashSet::new() };
    let mut solver = Solver::new(256)?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(arguments.seed);
    let paths = arguments.files.paths()?;
    check_output(Some(&arguments.out), paths.iter().map(PathBuf::as_path))?;
    let (stop, mut is_interrupted) = (interrupt::watch()?, false);
    let progress = Progress::new(arguments.progress, "games", 0, None, None);
    'shards: for path in paths {
        let reader = ShardReader::open(&path)?;
        for (game, number) in reader.zip(1..) {
            if collection.is_complete() {
                break 'shards;
            }
            let at = || format!("{}, game {number}", path.display());
            let game = game.with_context(at)?;
            let back = random.random_range(1..=LAST_PLIES);
            let found = position_before_end(&game, back).with_context(at)?;
            let answer = found.and_then(|(position, ply)| Some((ask(&mut solver, &position, stop)?, position, ply)));
            is_interrupted = stop.load(Ordering::Relaxed);
            if is_interrupted {
                break 'shards;
            }
            if let Some(((length, answer), position, ply)) = answer {
                collection.add(&position, length, &answer, &source(&path, number, ply));
            }
            progress.add(1, |_| counted(collection.keys.len(), "problem"));
        }
    }
    progress.finish();
    ensure!(!is_interrupted || !collection.keys.is_empty(), "interrupted before the first problem was found");
    let problems = |length| collection.found.get(length).map_or(&[][..], Vec::as_slice);
    let lines = collection.wanted.keys().flat_map(problems).map(|problem| format!("{problem}\n"));
    let text: String = lines.collect();
    atomic_file::write(&arguments.out, text.as_bytes()).with_context(|| arguments.out.display().to_string())?;
    for (length, wanted) in &collection.wanted {
        let name = length.map_or("no mate".to_owned(), |plies| format!("mate in {plies}"));
        println!("{name}: {} of {wanted}", problems(length).len());
    }
    ensure!(!is_interrupted, "interrupted: {} has the problems so far", arguments.out.display());
    Ok(())
}

/// The position `back` plies before the end of a game, or its start, and the number of plies before it; none for a game
/// without moves.
fn position_before_end(game: &TrainingGame, back: usize) -> Result<Option<(Position, usize)>> {
    let mut positions = Vec::new();
    game.replay(|position, _| positions.push(position.clone()))?;
    let ply = positions.len().saturating_sub(back);
    Ok((ply < positions.len()).then(|| (positions.swap_remove(ply), ply)))
}

/// The length and the text of the answer, if it makes a problem.
fn ask(solver: &mut Solver, position: &Position, stop: &AtomicBool) -> Option<(Option<usize>, String)> {
    let limits = MateLimits { nodes: Some(NODES), ..MateLimits::default() };
    let mut nodes = 0;
    let answer = solver.solve(position, &GameHistory::new(position), limits, stop, |progress| nodes = progress.nodes);
    match answer {
        MateOutcome::Mate(solution) if solution.shortest => {
            let moves: Vec<String> = solution.moves.iter().map(Move::to_string).collect();
            Some((Some(moves.len()), format!("mate {}; {}", moves.len(), moves.join(" "))))
        }
        MateOutcome::NoMate if nodes >= LEAST_NODES => Some((None, "no mate; -".to_owned())),
        _ => None,
    }
}

fn source(path: &Path, game: usize, ply: usize) -> String {
    format!("shard {}, game {game}, ply {ply}", path.file_stem().unwrap_or_default().display())
}
