//! The search's threads: the [`Pool`], the [`Worker`] of each thread, and the data that workers share. This is Lazy
//! SMP: all threads search the same root with one transposition table and one set of histories.

use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use smallvec::SmallVec;

use super::order::{Histories, PieceTo, SharedHistories};
use super::params::Params;
use super::score::*;
use super::table::TranspositionTable;
use super::{Limits, Report, Root, ScoredMove, SearchClock, SearchOutcome, Settings};
use crate::eval::Evaluator;
use crate::huge_pages::{HugePages, OutOfMemory};
use crate::score::Bound;
use crate::shogi::{GameHistory, Move, Position};
use crate::work::{SetOnDrop, ThreadError, ThreadPool, is_set, lock, thread_pool};

/// The maximum number of search threads.
pub const MAX_THREADS: usize = if cfg!(target_family = "wasm") { 1 } else { 512 };

/// A node of the tree takes about 2 KiB of stack, and the tree is at most 127 plies deep.
const STACK_SIZE: usize = 4 << 20;

/// The search's threads, on their own `rayon` pool, with the table and histories that they share.
pub struct Pool {
    threads: ThreadPool,
    /// One for each thread.
    scratch: Vec<Mutex<Scratch>>,
    /// A slice of length one.
    histories: HugePages<SharedHistories>,
    table: TranspositionTable,
    /// No search has used the table since it was cleared.
    is_clear: AtomicBool,
    hash_mebibytes: usize,
    /// Held during a search, which uses all of the above.
    searching: Mutex<()>,
}

/// The reason why a pool cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// The system cannot start the threads.
    #[error(transparent)]
    Threads(#[from] ThreadError),
    /// The system is out of memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

/// A line of moves, up to 32 of them without an allocation.
pub(super) type Line = SmallVec<[Move; 32]>;

/// A move at the root, with its score.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    pub(super) score: i32,
    /// The score of the last search with another window or depth; `-INFINITE` if it did not raise alpha.
    pub(super) previous_score: i32,
    /// The bound of `score`.
    pub(super) bound: Bound,
    /// The score with which the move last failed low in the current iteration.
    pub(super) fail_low: Option<i32>,
    pub(super) seldepth: usize,
    pub(super) pv: Line,
}

impl RootMove {
    /// A move that has not been searched.
    pub(super) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: -INFINITE,
            previous_score: -INFINITE,
            bound: Bound::Exact,
            fail_low: None,
            seldepth: 0,
            pv: SmallVec::from_slice(&[mv]),
        }
    }

    /// A move to which the last iteration gave this score.
    #[cfg(test)]
    pub(super) fn scored(mv: &str, score: i32) -> RootMove {
        RootMove { score, ..RootMove::new(mv.parse().unwrap()) }
    }

    /// The last known score; `-INFINITE` if there is none.
    pub(super) fn last_score(&self) -> i32 {
        if self.score == -INFINITE { self.previous_score } else { self.score }
    }
}

fn scratch(threads: usize) -> Vec<Mutex<Scratch>> {
    (0..threads).map(|_| Mutex::default()).collect()
}

impl Pool {
    /// Starts 1 to [`MAX_THREADS`] threads and allocates a table.
    ///
    /// # Errors
    /// [`PoolError`] if the system cannot start the threads or allocate the memory.
    pub fn new(threads: usize, hash_mebibytes: usize) -> Result<Pool, PoolError> {
        let threads = threads.clamp(1, MAX_THREADS);
        let mut pool = Pool {
            threads: thread_pool(threads, STACK_SIZE)?,
            scratch: scratch(threads),
            histories: SharedHistories::new()?,
            table: TranspositionTable::new(hash_mebibytes)?,
            is_clear: AtomicBool::new(false),
            hash_mebibytes,
            searching: Mutex::new(()),
        };
        pool.clear_table();
        Ok(pool)
    }

    /// The number of search threads.
    pub fn threads(&self) -> usize {
        self.threads.current_num_threads()
    }

    /// The size of the table in MiB.
    pub fn hash(&self) -> usize {
        self.hash_mebibytes
    }

    /// Changes the number of threads and clears the histories; keeps the table.
    ///
    /// # Errors
    /// [`PoolError`] if the system cannot start the threads; the old threads stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), PoolError> {
        let threads = threads.clamp(1, MAX_THREADS);
        if threads != self.threads() {
            self.threads = thread_pool(threads, STACK_SIZE)?;
            self.scratch = scratch(threads);
            self.histories[0].clear();
        }
        Ok(())
    }

    /// Resizes the table, in MiB, and clears it.
    ///
    /// # Errors
    /// [`PoolError`] if the allocation fails; the old table stays.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), PoolError> {
        if mebibytes != self.hash_mebibytes {
            self.table = TranspositionTable::new(mebibytes)?;
            *self.is_clear.get_mut() = false;
            self.hash_mebibytes = mebibytes;
            // Touch the memory now, after the old table is freed, so that no search has to wait for page faults.
            self.clear_table();
        }
        Ok(())
    }

    /// Clears the table and the histories.
    pub fn clear(&mut self) {
        self.clear_table();
        self.histories[0].clear();
    }

    /// Clears the table and keeps the histories. A table that is clear stays as it is: a large one takes seconds, and
    /// `usinewgame` may come between `isready` and the first `go`.
    pub fn clear_table(&mut self) {
        let Pool { threads, table, is_clear, .. } = self;
        if !std::mem::replace(is_clear.get_mut(), true) {
            threads.install(|| table.clear());
        }
    }

    /// Calls a function on a thread of the pool. With a single thread, searches that start there do not have to wake
    /// another thread, which takes longer than a short search.
    pub fn install<R: Send>(&self, function: impl FnOnce() -> R + Send) -> R {
        self.threads.install(function)
    }

    /// Searches until a limit is reached or `stop` is set, and reports lines as they are found. A caller that must not
    /// answer before a stop ([`Limits::infinite`]) or a ponder hit has to wait for it.
    ///
    /// Blocks until the search ends; first waits for a search that another thread has started. `report` must not search
    /// with the same pool, or it deadlocks.
    ///
    /// Time counts from this call, unless a `clock` made from the same limits is given: it can be told of a ponder hit,
    /// and count from an earlier moment.
    ///
    /// Under the impasse rules a player may win by a declaration instead of a move: call
    /// [`may_declare`](crate::shogi::impasse::may_declare) first.
    ///
    /// # Panics
    /// If a player has no king, as in mate problems.
    pub fn search(
        &self,
        root: &Root,
        limits: &Limits,
        settings: &Settings,
        clock: Option<&SearchClock>,
        stop: &AtomicBool,
        report: &mut (dyn FnMut(Report) + Send),
    ) -> SearchOutcome {
        let own_clock = SearchClock::new(limits, settings, root.position.side_to_move());
        let _searching = lock(&self.searching);
        self.is_clear.store(false, Ordering::Relaxed);
        self.table.new_search();
        let nodes: Vec<AtomicU64> = (0..self.threads()).map(|_| AtomicU64::new(0)).collect();
        let root_nodes = RootNodes::new(&root.position.legal_moves());
        let done = AtomicBool::new(false);
        let shared = Shared {
            root,
            limits,
            settings,
            table: &self.table,
            histories: &self.histories[0],
            clock: clock.unwrap_or(&own_clock),
            stop,
            done: &done,
            nodes: &nodes,
            root_nodes: &root_nodes,
        };
        let report = Mutex::new(report);
        let results = self.run(&shared, &report);
        let elected = if settings.multipv == 1 { elect(&results) } else { 0 };
        let ThreadResult { root_moves, completed, completed_score } = &results[elected];
        if elected != 0 {
            report_lines(&shared, &root_moves[..1], *completed, &mut **lock(&report));
        }
        let best = root_moves.first();
        // Moves that were never searched have no score.
        let searched = |root_move: &&RootMove| root_move.last_score() != -INFINITE;
        let lines = root_moves.iter().take(settings.multipv).filter(searched);
        SearchOutcome {
            best: best.map(|best| best.mv),
            ponder: best.and_then(|best| best.pv.get(1).copied().or_else(|| reply_in_table(&shared, best.mv))),
            score: best.map_or(mated_in(0), RootMove::last_score),
            completed_score: *completed_score,
            depth: *completed,
            nodes: shared.total_nodes(),
            lines: lines
                .map(|root_move| ScoredMove { mv: root_move.mv, score: root_move.last_score().into() })
                .collect(),
        }
    }

    /// Searches on all threads. The first thread reports and watches the clock; the others follow it.
    fn run(&self, shared: &Shared, report: &Mutex<&mut (dyn FnMut(Report) + Send)>) -> Vec<ThreadResult> {
        self.threads.broadcast(|context| {
            let mut scratch = lock(&self.scratch[context.index()]);
            let worker = Worker::new(context.index(), shared, std::mem::take(&mut scratch));
            let (result, used) = if context.index() == 0 {
                // Ends the other threads' search even if `report` panics.
                let _done = SetOnDrop(shared.done);
                worker.run(&mut **lock(report))
            } else {
                worker.run(&mut |_| {})
            };
            *scratch = used;
            result
        })
    }
}

pub(super) struct ThreadResult {
    /// In order, the best first.
    pub(super) root_moves: Vec<RootMove>,
    /// The depth of the last completed iteration, in plies.
    pub(super) completed: usize,
    /// The score of that iteration.
    pub(super) completed_score: Option<i32>,
}

/// The reply from the table, unless the move ends the game.
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

/// Elects the thread whose move is played. Threads vote for their best moves, weighted by depth and score. A proven win
/// takes precedence, the shortest first.
fn elect(results: &[ThreadResult]) -> usize {
    let ballots = results.iter().enumerate().filter_map(|(index, result)| {
        let best = result.root_moves.first().filter(|best| best.last_score() != -INFINITE && result.completed > 0)?;
        Some((index, best.mv, best.last_score(), result.completed as i32))
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

/// The data shared by the threads of a search.
pub(super) struct Shared<'a> {
    pub(super) root: &'a Root,
    pub(super) limits: &'a Limits,
    pub(super) settings: &'a Settings,
    pub(super) table: &'a TranspositionTable,
    histories: &'a SharedHistories,
    pub(super) clock: &'a SearchClock,
    /// Ends the search of all threads; set from outside.
    stop: &'a AtomicBool,
    /// Ends the search of all threads; set by the thread that reaches a limit.
    done: &'a AtomicBool,
    /// The node count of each thread, published at each check of the limits.
    nodes: &'a [AtomicU64],
    pub(super) root_nodes: &'a RootNodes,
}

impl Shared<'_> {
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// The nodes that all threads together have searched below each legal move of the root.
pub(super) struct RootNodes(Vec<(Move, AtomicU64)>);

impl RootNodes {
    fn new(moves: &[Move]) -> RootNodes {
        RootNodes(moves.iter().map(|&mv| (mv, AtomicU64::new(0))).collect())
    }

    pub(super) fn add(&self, mv: Move, nodes: u64) {
        let counted = self.0.iter().find(|(root_move, _)| *root_move == mv);
        counted.expect("root moves are legal").1.fetch_add(nodes, Ordering::Relaxed);
    }

    /// The share of a move in all nodes, from 0 to 1.
    pub(super) fn share(&self, mv: Move) -> f64 {
        let (mut of_move, mut total) = (0, 0);
        for (root_move, nodes) in &self.0 {
            let nodes = nodes.load(Ordering::Relaxed);
            of_move += if *root_move == mv { nodes } else { 0 };
            total += nodes;
        }
        of_move as f64 / total.max(1) as f64
    }
}

/// The state of a ply that other plies read.
#[derive(Clone, Default)]
pub(super) struct Frame {
    pub(super) pv: Line,
    /// The static evaluation; `-INFINITE` in check.
    pub(super) eval: i32,
    /// As `Node::tt_pv`, for the last search at this ply, which may have been a singular one.
    pub(super) tt_pv: bool,
    /// The move that a singular search excludes.
    pub(super) excluded: Option<Move>,
    /// The move being searched; none for a null move.
    pub(super) piece_to: Option<PieceTo>,
}

/// The allocations of a thread, kept between searches.
#[derive(Default)]
pub(super) struct Scratch {
    stack: Vec<Frame>,
    evaluator: Evaluator,
}

/// The number of nodes between two checks of the clock and the limits.
const CHECK_INTERVAL: u64 = 512;

/// One thread in one search.
pub(super) struct Worker<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) histories: Histories<'a>,
    pub(super) stack: Vec<Frame>,
    pub(super) root_moves: Vec<RootMove>,
    /// The line of MultiPV being searched, from 0. Root moves before it belong to better lines.
    pub(super) pv_index: usize,
    pub(super) history: GameHistory,
    /// The index of the root in the history.
    pub(super) root_index: usize,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// The first ply that allows a null move while another null move is verified.
    pub(super) null_allowed_from: usize,
    pub(super) params: &'a Params,
    pub(super) draw_value: [i32; 2],
    pub(super) evaluator: Evaluator,
    pub(super) stopped: bool,
    /// The depth of the last completed iteration, in plies.
    pub(super) completed: usize,
    /// The score of that iteration.
    pub(super) completed_score: Option<i32>,
    index: usize,
    next_check: u64,
}

impl<'a> Worker<'a> {
    fn new(index: usize, shared: &'a Shared<'a>, scratch: Scratch) -> Worker<'a> {
        let Shared { root: Root { position, history }, limits, settings, .. } = *shared;
        let Scratch { mut stack, mut evaluator } = scratch;
        stack.resize(MAX_PLY + 2, Frame::default());
        evaluator.begin(&settings.evaluation, settings.impasse_rule, position, MAX_PLY + 1);
        // The draw value is given for the root player; negate it for the opponent.
        let us = position.side_to_move();
        let mut draw_value = [settings.draw_value[us.index()]; 2];
        draw_value[(!us).index()] = draw_value[us.index()].saturating_neg();
        let wanted = |mv: &Move| limits.searchmoves.is_empty() || limits.searchmoves.contains(mv);
        Worker {
            shared,
            histories: Histories::new(shared.histories),
            stack,
            root_moves: position.legal_moves().into_iter().filter(wanted).map(RootMove::new).collect(),
            pv_index: 0,
            history: history.clone(),
            root_index: history.len() - 1,
            nodes: 0,
            seldepth: 0,
            null_allowed_from: 0,
            params: &settings.params,
            draw_value,
            evaluator,
            stopped: false,
            completed: 0,
            completed_score: None,
            index,
            next_check: 0,
        }
    }

    /// Ends the search of this thread.
    pub(super) fn finish(self) -> (ThreadResult, Scratch) {
        let Worker { root_moves, completed, completed_score, stack, evaluator, .. } = self;
        (ThreadResult { root_moves, completed, completed_score }, Scratch { stack, evaluator })
    }

    pub(super) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Prefetches the table's entry for the position after a move. The load from memory takes longer than making the
    /// move, so callers prefetch before the tests that may prune it.
    #[inline]
    pub(super) fn prefetch(&self, position: &Position, mv: Move) {
        self.shared.table.prefetch(position.key_after(mv));
    }

    /// Makes a legal move and adds it to the history and the stack. Returns the new position.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let child = self.evaluator.play(position, mv, ply);
        self.stack[ply].piece_to = Some(PieceTo::of(position, mv));
        self.history.push(position, mv, &child);
        child
    }

    /// Counts a node. Returns whether the search is stopped.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        if let Some(limit) = self.shared.limits.nodes
            && self.nodes >= limit
        {
            // Exact with one thread; `check_limits` sums up the nodes of several threads.
            self.stopped = true;
        }
        if self.nodes >= self.next_check {
            self.next_check = self.nodes + CHECK_INTERVAL;
            self.check_limits();
        }
        self.stopped
    }

    /// Whether there is only one move, and a game clock runs.
    pub(super) fn is_forced(&self) -> bool {
        let Shared { limits, clock, .. } = self.shared;
        self.root_moves.len() == 1 && !limits.infinite && !clock.is_pondering() && clock.is_timed()
    }

    #[cold]
    fn check_limits(&mut self) {
        let shared = self.shared;
        self.publish_nodes();
        let out_of_nodes = shared.limits.nodes.is_some_and(|limit| shared.total_nodes() >= limit);
        // A ponder hit may have come with a forced move.
        let out_of_time = self.is_main() && self.completed > 0 && (shared.clock.is_over() || self.is_forced());
        if out_of_time || out_of_nodes {
            shared.done.store(true, Ordering::Relaxed);
        }
        // Complete the first iteration regardless of time and stop: otherwise no move has been searched.
        if self.is_main() && self.completed == 0 {
            return;
        }
        if shared.done.load(Ordering::Relaxed) || is_set(shared.stop) {
            self.stopped = true;
        }
    }

    pub(super) fn publish_nodes(&self) {
        self.shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
    }

    /// The static evaluation in centipawns, clamped below the scores of decided games.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.evaluator.evaluate(position, ply).clamp(-EVALUATION_BOUND, EVALUATION_BOUND)
    }
}

/// Reports the best lines. Lines without a score are omitted.
pub(super) fn report_lines(shared: &Shared, lines: &[RootMove], depth: usize, report: &mut dyn FnMut(Report)) {
    for (index, root_move) in lines.iter().enumerate() {
        let score = root_move.last_score();
        if score == -INFINITE {
            continue;
        }
        report(Report {
            depth,
            seldepth: root_move.seldepth.max(depth),
            multipv: (shared.settings.multipv > 1).then_some(index + 1),
            score: score.into(),
            bound: root_move.bound,
            nodes: shared.total_nodes(),
            time: shared.clock.elapsed(),
            hashfull: shared.table.hashfull(),
            pv: root_move.pv.to_vec(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index of the thread elected from these best moves, scores and depths.
    fn elected(threads: &[(&str, i32, usize)]) -> usize {
        let result = |&(mv, score, completed): &(&str, i32, usize)| ThreadResult {
            root_moves: vec![RootMove::scored(mv, score)],
            completed,
            completed_score: Some(score),
        };
        elect(&threads.iter().map(result).collect::<Vec<_>>())
    }

    #[test]
    fn deeper_and_better_votes_weigh_more() {
        assert_eq!(elected(&[("6e6d", 0, 10), ("5f5e", 0, 11)]), 1);
        assert_eq!(elected(&[("6e6d", 0, 10), ("5f5e", 20, 10)]), 1);
        assert_eq!(elected(&[("6e6d", 0, 10), ("5f5e", 0, 10)]), 0, "the first of equals");
    }

    #[test]
    fn the_effort_for_a_move_is_that_of_all_threads() {
        let [best, other] = ["6e6d", "5f5e"].map(|mv| mv.parse().unwrap());
        let root_nodes = RootNodes::new(&[other, best]);
        assert_eq!(root_nodes.share(best), 0.0, "before the first node");
        for (mv, nodes) in [(best, 100), (other, 100), (best, 200)] {
            root_nodes.add(mv, nodes);
        }
        assert_eq!(root_nodes.share(best), 0.75);
    }

    #[test]
    fn two_threads_that_agree_outvote_one() {
        let heavy = ("6e6d", 25, 10);
        assert_eq!(elected(&[heavy, ("5f5e", 20, 10)]), 0);
        // Among threads that agree, the one with the greatest weight is elected.
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
        // A thread without a score is not elected either: `-INFINITE` would make all other scores look alike.
        assert_eq!(elected(&[("6e6d", 25, 10), ("5f5e", 20, 11), ("4f4e", -INFINITE, 10)]), 0);
        assert_eq!(elected(&[("6e6d", 0, 0), ("5f5e", 20, 0)]), 0, "without votes the first is elected");
    }
}
