use std::cmp::Reverse;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::abdada::Abdada;
use super::histories::Learned;
use super::iteration::DeepestIteration;
use super::root::RootMove;
use super::score::{DECIDED_BOUND, INFINITE, mated_in};
use super::tt::{OutOfMemory, TranspositionTable};
use super::worker::{Shared, Worker, Workers};
use super::{Clock, Limits, Report, Root, ScoredMove, SearchOutcome, Settings};
use crate::shogi::Move;

/// The most threads a search can have.
pub const MAX_THREADS: usize = 512;

/// A node of the tree takes some 2 KiB of stack, and the tree is 127 plies deep at most.
const STACK_SIZE: usize = 4 << 20;

/// The search's threads (on a `rayon` pool of their own), with the table and the histories that they share: Lazy SMP. A
/// thread also defers moves that another is searching (ABDADA), and skips depths that another has completed.
pub struct Pool {
    threads: ThreadPool,
    workers: AnyWorkers,
    table: TranspositionTable,
    hash_mebibytes: usize,
    /// Held by the search under way: its workers are shared.
    searching: Mutex<()>,
}

/// Workers whose parameters are constants, or can be set.
enum AnyWorkers {
    Fixed(Workers<false>),
    Exposed(Workers<true>),
}

/// Why a pool cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// The system gives no threads.
    #[error("cannot start threads: {0}")]
    Threads(#[from] ThreadPoolBuildError),
    /// The system gives no memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

fn workers<const EXPOSED: bool>(count: usize) -> Workers<EXPOSED> {
    let learned = Learned::nothing();
    (0..count).map(|index| Arc::new(Mutex::new(Worker::new(index, Arc::clone(&learned))))).collect()
}

fn build_threads(count: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new()
        .num_threads(count)
        .stack_size(STACK_SIZE)
        .thread_name(|index| format!("search-{index}"))
        .build()
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads()).field("hash", &self.hash()).finish_non_exhaustive()
    }
}

impl Pool {
    /// Starts threads, 1 to [`MAX_THREADS`], and allocates a table. With `exposed` the search reads the parameters of
    /// [`Settings`], else their defaults, which are faster.
    ///
    /// # Errors
    /// [`PoolError`] if the system gives no threads or no memory.
    pub fn new(threads: usize, hash_mebibytes: usize, exposed: bool) -> Result<Pool, PoolError> {
        let threads = threads.clamp(1, MAX_THREADS);
        let mut pool = Pool {
            threads: build_threads(threads)?,
            workers: if exposed { AnyWorkers::Exposed(workers(threads)) } else { AnyWorkers::Fixed(workers(threads)) },
            table: TranspositionTable::new(hash_mebibytes)?,
            hash_mebibytes,
            searching: Mutex::new(()),
        };
        pool.clear_table();
        Ok(pool)
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// The size of the table in MiB.
    pub fn hash(&self) -> usize {
        self.hash_mebibytes
    }

    /// Changes the number of threads. This clears the histories; the table stays.
    ///
    /// # Errors
    /// [`PoolError`] if the system gives no threads; the old ones stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), PoolError> {
        let threads = threads.clamp(1, MAX_THREADS);
        if threads != self.threads() {
            self.threads = build_threads(threads)?;
            self.workers = match self.workers {
                AnyWorkers::Fixed(_) => AnyWorkers::Fixed(workers(threads)),
                AnyWorkers::Exposed(_) => AnyWorkers::Exposed(workers(threads)),
            };
        }
        Ok(())
    }

    /// Resizes the table, in MiB, and empties it.
    ///
    /// # Errors
    /// [`PoolError`] if the system gives no memory; the old table stays.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), PoolError> {
        if mebibytes != self.hash_mebibytes {
            self.table = TranspositionTable::new(mebibytes)?;
            self.hash_mebibytes = mebibytes;
            // Touch the memory now, after the old table is freed, so that no search waits for it.
            self.clear_table();
        }
        Ok(())
    }

    /// Clears the table and the histories.
    pub fn clear(&mut self) {
        let Pool { threads, table, .. } = self;
        threads.install(|| table.clear());
        match &self.workers {
            AnyWorkers::Fixed(workers) => clear_workers(workers),
            AnyWorkers::Exposed(workers) => clear_workers(workers),
        }
    }

    /// Clears the table, and keeps the histories.
    pub fn clear_table(&mut self) {
        let Pool { threads, table, .. } = self;
        threads.install(|| table.clear());
    }

    /// Calls a function on a thread of the pool. With a single thread, searches in it need not wake another thread,
    /// which takes longer than a short search.
    pub fn install<R: Send>(&self, function: impl FnOnce() -> R + Send) -> R {
        self.threads.install(function)
    }

    /// Searches until a limit is reached or `stop` is set, reporting lines as they are found. Whoever must not answer
    /// before a stop ([`Limits::infinite`]) or a ponder hit waits for it.
    ///
    /// Blocks until the search ends, and before until one from another thread has ended. `report` must not search with
    /// the same pool: it would wait for ever. `clock` is made from the same limits, at the moment from which time
    /// counts.
    ///
    /// The impasse rules let a player win by a declaration instead of a move: ask
    /// [`may_declare`](crate::shogi::impasse::may_declare) first.
    pub fn search(
        &self,
        root: &Root,
        limits: &Limits,
        settings: &Settings,
        clock: &Clock,
        stop: &AtomicBool,
        report: &mut (dyn FnMut(Report) + Send),
    ) -> SearchOutcome {
        let _searching = self.searching.lock().unwrap_or_else(PoisonError::into_inner);
        self.table.new_search();
        let nodes: Vec<AtomicU64> = (0..self.threads()).map(|_| AtomicU64::new(0)).collect();
        let done = AtomicBool::new(false);
        let abdada = (self.threads() > 1).then(Abdada::new);
        let deepest = (self.threads() > 1).then(DeepestIteration::default);
        let shared = Shared {
            root,
            limits,
            settings,
            table: &self.table,
            clock,
            abdada: abdada.as_ref(),
            deepest: deepest.as_ref(),
            stop,
            done: &done,
            nodes: &nodes,
        };
        match &self.workers {
            AnyWorkers::Fixed(workers) => search_with(&self.threads, workers, &shared, report),
            AnyWorkers::Exposed(workers) => search_with(&self.threads, workers, &shared, report),
        }
    }
}

fn clear_workers<const EXPOSED: bool>(workers: &Workers<EXPOSED>) {
    // The histories are shared: clearing one worker clears all.
    if let Some(worker) = workers.first() {
        worker.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// Ends the search of the other threads.
struct DoneOnDrop<'a>(&'a AtomicBool);

impl Drop for DoneOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn search_with<const EXPOSED: bool>(
    threads: &ThreadPool,
    workers: &Workers<EXPOSED>,
    shared: &Shared,
    report: &mut (dyn FnMut(Report) + Send),
) -> SearchOutcome {
    // The first thread reports and watches the clock; the others follow it.
    let report = Mutex::new(report);
    let depths = threads.broadcast(|context| {
        let mut worker = workers[context.index()].lock().unwrap_or_else(PoisonError::into_inner);
        if context.index() > 0 {
            return worker.run(shared, &mut |_| {});
        }
        // Also if `report` panics: the others would search on.
        let _done = DoneOnDrop(shared.done);
        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
        worker.run(shared, &mut **report)
    });
    let workers: Vec<_> = workers.iter().map(|worker| worker.lock().unwrap_or_else(PoisonError::into_inner)).collect();
    let elected = if shared.settings.multipv == 1 { elect(workers.iter().map(|worker| &**worker)) } else { 0 };
    let worker = &workers[elected];
    if elected != 0 {
        worker.report_lines(shared, depths[elected], 1, &mut **report.lock().unwrap_or_else(PoisonError::into_inner));
    }
    let best = worker.root_moves.first();
    let score = best.map_or(mated_in(0), RootMove::last_score);
    // Moves that were never searched have no score at all.
    let searched = |root_move: &&RootMove| root_move.last_score() != -INFINITE;
    let lines = worker.root_moves.iter().take(shared.settings.multipv).filter(searched);
    SearchOutcome {
        best: best.map(|best| best.mv),
        ponder: best.and_then(|best| best.pv.get(1).copied().or_else(|| reply_in_table(shared, best.mv))),
        score,
        depth: depths[elected],
        nodes: shared.total_nodes(),
        lines: lines.map(|root_move| ScoredMove { mv: root_move.mv, score: root_move.last_score().into() }).collect(),
    }
}

/// The reply to a move that the table has, unless the move ends the game.
fn reply_in_table(shared: &Shared, mv: Move) -> Option<Move> {
    let Root { position, history } = shared.root;
    let after = position.after(mv);
    let reply = shared.table.probe(after.key(), 1)?.mv.filter(|&reply| after.is_legal(reply))?;
    let mut history = history.clone();
    history.push(position, mv, &after);
    let Settings { impasse_rule, impasse_plies, .. } = *shared.settings;
    let is_over = history.fourfold().is_some() || impasse_rule.decision(&after, &history, impasse_plies).is_some();
    (!is_over).then_some(reply)
}

/// The thread whose move is played. Threads vote for their best moves, weighted by depth and by score; a proven win decides,
/// the shortest first.
fn elect<'a, const EXPOSED: bool>(workers: impl Iterator<Item = &'a Worker<EXPOSED>> + Clone) -> usize {
    let ballots = workers.enumerate().filter_map(|(index, worker)| {
        let best = worker.root_moves.first().filter(|best| best.last_score() != -INFINITE && worker.completed > 0)?;
        Some((index, best.mv, best.last_score(), worker.completed as i32))
    });
    let least = ballots.clone().map(|(_, _, score, _)| score).min().unwrap_or(0);
    let weight = |score: i32, depth: i32| i64::from(score - least + 10) * i64::from(depth);
    let votes = |wanted: Move| -> i64 {
        ballots.clone().filter(|&(_, mv, ..)| mv == wanted).map(|(_, _, score, depth)| weight(score, depth)).sum()
    };
    let rank = |&(index, mv, score, depth): &(usize, Move, i32, i32)| {
        let won = if score >= DECIDED_BOUND { score } else { 0 };
        (won, votes(mv), weight(score, depth), Reverse(index))
    };
    ballots.clone().max_by_key(rank).map_or(0, |(index, ..)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::MATE;

    /// The index of the thread elected from these best moves, scores and depths.
    fn elected(threads: &[(&str, i32, usize)]) -> usize {
        let workers: Vec<Worker<false>> = threads
            .iter()
            .map(|&(mv, score, completed)| {
                let mut worker = Worker::new(0, Learned::nothing());
                worker.root_moves = vec![RootMove::scored(mv, score)];
                worker.completed = completed;
                worker
            })
            .collect();
        elect(workers.iter())
    }

    #[test]
    fn deeper_and_better_votes_weigh_more() {
        assert_eq!(elected(&[("6e6d", 0, 10), ("5f5e", 0, 11)]), 1);
        assert_eq!(elected(&[("6e6d", 0, 10), ("5f5e", 20, 10)]), 1);
        assert_eq!(elected(&[("6e6d", 0, 10), ("5f5e", 0, 10)]), 0, "the first of equals");
    }

    #[test]
    fn two_threads_that_agree_outvote_one() {
        let heavy = ("6e6d", 25, 10);
        assert_eq!(elected(&[heavy, ("5f5e", 20, 10)]), 0);
        // Of the threads that agree, the one with the greater weight.
        assert_eq!(elected(&[heavy, ("5f5e", 20, 10), ("5f5e", 20, 11)]), 2);
    }

    #[test]
    fn a_proven_win_decides_the_shortest_first() {
        let (deep, bad) = (("6e6d", 5_000, 20), ("4f4e", -10_000, 20));
        assert_eq!(elected(&[deep, deep, bad, ("5f5e", MATE - 9, 1)]), 3);
        assert_eq!(elected(&[("6e6d", MATE - 9, 20), ("6e6d", MATE - 9, 20), ("5f5e", MATE - 5, 1)]), 2);
    }

    #[test]
    fn a_thread_that_completed_no_iteration_does_not_vote() {
        assert_eq!(elected(&[("6e6d", MATE - 5, 0), ("5f5e", -20, 4)]), 1);
        // Nor does one without a score: beside `-INFINITE` all other scores would look alike.
        assert_eq!(elected(&[("6e6d", 25, 10), ("5f5e", 20, 11), ("4f4e", -INFINITE, 10)]), 0);
        assert_eq!(elected(&[("6e6d", 0, 0), ("5f5e", 20, 0)]), 0, "without votes the first is elected");
    }
}
