use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::busy::{Busy, Task};
use super::frontier::Frontier;
use super::histories::{Arrival, Histories, Learned};
use super::params::Params;
use super::reductions::Reductions;
use super::root::{Line, Root, RootMove};
use super::score::*;
use super::tt::TranspositionTable;
use super::{Clock, Limits, Report, Settings};
use crate::eval::{Context, Evaluator};
use crate::score::Bound;
use crate::shogi::{History, Move, Position};

/// What all threads of one search look at.
pub(super) struct Shared<'a> {
    pub(super) root: &'a Root,
    pub(super) limits: &'a Limits,
    pub(super) settings: &'a Settings,
    pub(super) table: &'a TranspositionTable,
    pub(super) clock: &'a Clock,
    /// What the threads are at; none if there is one.
    pub(super) busy: Option<&'a Busy>,
    /// How far they have come; none if there is one.
    pub(super) frontier: Option<&'a Frontier>,
    /// Set from outside: everybody ends.
    pub(super) stop: &'a AtomicBool,
    /// Set by whoever reaches a limit: everybody ends.
    pub(super) done: &'a AtomicBool,
    /// What each thread has visited, brought up to date now and then.
    pub(super) nodes: &'a [AtomicU64],
}

impl Shared<'_> {
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// What one node of the tree leaves for those below and above it.
#[derive(Clone, Default)]
pub(super) struct Frame {
    pub(super) pv: Line,
    pub(super) eval: i32,
    /// The move that is left out while a search asks what the others are worth.
    pub(super) excluded: Option<Move>,
    /// The move that is being searched from here, as continuation histories know it; none for a null move.
    pub(super) arrival: Option<Arrival>,
}

/// Positions visited between two looks at the clock.
const CHECK_INTERVAL: u64 = 512;

/// One search thread: its own stack, root moves and killers.
///
/// `EXPOSED` says whether parameters can be set; see [`Params`].
pub(super) struct Worker<const EXPOSED: bool> {
    pub(super) histories: Histories,
    pub(super) stack: Vec<Frame>,
    pub(super) root_moves: Vec<RootMove>,
    /// The line being looked for, from 0: root moves before it are taken.
    pub(super) pv_index: usize,
    pub(super) history: History,
    /// Entries of the history from here on are the search's own.
    pub(super) root_index: usize,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// Null moves are not tried above this ply while one is being verified.
    pub(super) null_allowed_from: usize,
    pub(super) reductions: Reductions,
    pub(super) draw_value: [i32; 2],
    pub(super) evaluator: Evaluator,
    pub(super) stopped: bool,
    /// The last iteration that was finished.
    pub(super) completed: usize,
    /// The depth of the iteration that is under way.
    iteration: usize,
    /// Another thread has finished that iteration.
    overtaken: bool,
    index: usize,
    next_check: u64,
}

impl<const EXPOSED: bool> Worker<EXPOSED> {
    pub(super) fn new(index: usize, learned: Arc<Learned>) -> Worker<EXPOSED> {
        let start = Root::new(Position::startpos());
        Worker {
            histories: Histories::new(learned),
            stack: vec![Frame::default(); MAX_PLY + 2],
            root_moves: Vec::new(),
            pv_index: 0,
            history: start.history,
            root_index: 0,
            nodes: 0,
            seldepth: 0,
            null_allowed_from: 0,
            reductions: Reductions::new::<EXPOSED>(),
            draw_value: [0; 2],
            evaluator: Evaluator::new(Context { impasse_rule: Default::default() }),
            stopped: false,
            completed: 0,
            iteration: 0,
            overtaken: false,
            index,
            next_check: 0,
        }
    }

    /// Forgets what earlier searches learned, for all threads.
    pub(super) fn clear(&self) {
        self.histories.clear();
    }

    fn is_main(&self) -> bool {
        self.index == 0
    }

    fn prepare(&mut self, shared: &Shared) {
        let settings = shared.settings;
        let position = &shared.root.position;
        self.histories.forget_killers();
        self.history = shared.root.history.clone();
        self.root_index = self.history.len() - 1;
        self.nodes = 0;
        self.null_allowed_from = 0;
        self.stopped = false;
        self.completed = 0;
        self.overtaken = false;
        self.next_check = 0;
        let context = Context { impasse_rule: settings.impasse_rule };
        self.evaluator.begin(&settings.evaluation, context, position, MAX_PLY + 1);
        // The root is not searched as other nodes are, but whether ply 2 improves is seen from it.
        self.stack[0].eval = if position.in_check() { -INFINITE } else { self.evaluate(position, 0) };
        let us = position.side_to_move();
        // What a draw is worth is said from the root player's point of view, so the opponent sees the opposite.
        let value = settings.draw_value[us.index()];
        self.draw_value[us.index()] = value;
        self.draw_value[(!us).index()] = -value;
        if EXPOSED {
            self.reductions = Reductions::new::<EXPOSED>();
        }
        let wanted = &shared.limits.searchmoves;
        self.root_moves = position
            .legal_moves()
            .into_iter()
            .filter(|mv| wanted.is_empty() || wanted.contains(mv))
            .map(RootMove::new)
            .collect();
    }

    /// Searches deeper and deeper until a limit is reached. Returns the depth of the last iteration that was finished.
    pub(super) fn run(&mut self, shared: &Shared, report: &mut dyn FnMut(Report)) -> usize {
        self.prepare(shared);
        let max_depth = shared.limits.depth.unwrap_or(MAX_PLY - 1).clamp(1, MAX_PLY - 1);
        let lines = shared.settings.multipv.clamp(1, self.root_moves.len().max(1));
        let mut last_report = None;
        let mut stable = 0;
        let mut before: Option<(Move, i32)> = None;
        if self.root_moves.is_empty() {
            return 0;
        }
        let frontier = shared.frontier.filter(|_| lines == 1);
        let mut depth = 0;
        while depth < max_depth {
            depth += 1;
            self.iteration = depth;
            for root_move in &mut self.root_moves {
                root_move.previous_score = root_move.score;
            }
            for pv_index in 0..lines {
                self.pv_index = pv_index;
                self.seldepth = 0;
                self.aspire(shared, depth as i32);
                // What a stopped iteration found counts only if a move was searched to its end; the list is sorted so
                // that it is first then.
                self.root_moves[pv_index..].sort_by_key(|root_move| -root_move.score);
                if self.stopped {
                    break;
                }
            }
            self.root_moves[..lines].sort_by_key(|root_move| -root_move.score);
            self.publish_nodes(shared);
            if let Some(frontier) = frontier {
                if self.overtaken {
                    depth = self.catch_up(frontier);
                } else if !self.stopped {
                    frontier.advance(depth, &self.root_moves[0]);
                }
            }
            if self.stopped {
                break;
            }
            self.completed = depth;
            if self.is_main() {
                let due = last_report.is_none_or(|last: Instant| last.elapsed() >= shared.settings.pv_interval);
                if due {
                    self.report_lines(shared, depth, lines, report);
                    last_report = Some(Instant::now());
                }
                let best = &self.root_moves[0];
                stable = if before.is_some_and(|(mv, _)| mv == best.mv) { stable + 1 } else { 0 };
                let fall = before.map_or(0, |(_, score)| score - best.score);
                before = Some((best.mv, best.score));
                if self.should_end(shared, depth, stable, fall) {
                    break;
                }
            }
        }
        if self.is_main() && last_report.is_none_or(|_| shared.settings.pv_interval > Duration::ZERO || self.stopped) {
            // The last word, whatever the interval.
            self.report_lines(shared, self.completed.max(1), lines, report);
        }
        self.completed
    }

    /// Takes over what another thread found when it finished an iteration first. Returns its depth.
    fn catch_up(&mut self, frontier: &Frontier) -> usize {
        let (depth, best) = frontier.get();
        self.stopped = false;
        self.overtaken = false;
        let place = |best: &RootMove| self.root_moves.iter().position(|root_move| root_move.mv == best.mv);
        if let Some(best) = best
            && let Some(index) = place(&best)
        {
            let nodes = self.root_moves[index].nodes;
            self.root_moves[index] = RootMove { nodes, ..best };
            self.root_moves[..=index].rotate_right(1);
        }
        depth
    }

    /// Whether the next iteration is not worth its time, when the same move has been best for so many iterations, and
    /// its score has fallen by so many centipawns in the last.
    fn should_end(&self, shared: &Shared, depth: usize, stable: u32, fall: i32) -> bool {
        let limits = shared.limits;
        if limits.infinite || shared.clock.is_pondering() {
            return false;
        }
        if limits.soft_nodes.is_some_and(|limit| shared.total_nodes() >= limit) {
            return true;
        }
        let timed = shared.clock.is_timed();
        // A forced reply, or a mate that is proven with plies to spare, needs no more of the clock.
        if timed && (self.root_moves.len() == 1 || self.root_moves[0].score.abs() >= DECIDED_BOUND && depth > 60) {
            return true;
        }
        // The longer the same move has been best, and the less of the work went to others, the less doubt there is.
        let stability = match stable {
            0 => 1.25,
            1 => 1.1,
            2 | 3 => 0.95,
            4..8 => 0.85,
            _ => 0.75,
        };
        let effort = self.root_moves[0].nodes as f64 / self.nodes.max(1) as f64;
        let trouble = 1.0 + f64::from(fall.clamp(-40, 120)) / 300.0;
        shared.clock.is_used(stability * (1.7 - 1.1 * effort) * trouble)
    }

    /// Reports the best lines.
    pub(super) fn report_lines(&self, shared: &Shared, depth: usize, lines: usize, report: &mut dyn FnMut(Report)) {
        for (index, root_move) in self.root_moves[..lines].iter().enumerate() {
            let unsearched = root_move.score == -INFINITE;
            let score = root_move.last_score();
            if score == -INFINITE {
                continue;
            }
            report(Report {
                depth,
                seldepth: root_move.seldepth.max(depth),
                multipv: (lines > 1).then_some(index + 1),
                score: score.into(),
                bound: if unsearched { Bound::Exact } else { root_move.bound },
                nodes: shared.total_nodes(),
                time: shared.clock.elapsed(),
                hashfull: shared.table.hashfull(),
                pv: root_move.pv.to_vec(),
            });
        }
    }

    /// One iteration with an aspiration window around the score of the last one.
    fn aspire(&mut self, shared: &Shared, depth: i32) {
        let previous = self.root_moves[self.pv_index].previous_score;
        let mut delta = Params::<EXPOSED>::AspirationDelta();
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && previous.abs() < DECIDED_BOUND {
            alpha = (previous - delta).max(-INFINITE);
            beta = (previous + delta).min(INFINITE);
        }
        let mut lowered = 0;
        loop {
            let score = self.search_root(shared, alpha, beta, (depth - lowered).max(1));
            if self.stopped {
                return;
            }
            self.root_moves[self.pv_index..].sort_by_key(|root_move| -root_move.score);
            if score <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (score - delta).max(-INFINITE);
                lowered = 0;
            } else if score >= beta {
                beta = (score + delta).min(INFINITE);
                lowered = (lowered + 1).min(3);
            } else {
                return;
            }
            delta += delta / 2;
            if alpha < -DECIDED_BOUND || beta > DECIDED_BOUND || delta > 1_500 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    fn search_root(&mut self, shared: &Shared, alpha: i32, beta: i32, depth: i32) -> i32 {
        let root = &shared.root.position;
        let mut best = -INFINITE;
        let mut alpha_now = alpha;
        for root_move in &mut self.root_moves[self.pv_index..] {
            root_move.score = -INFINITE;
        }
        // Moves that another thread is at come last, as below.
        let mut rest = self.pv_index..self.root_moves.len();
        let mut deferred = Vec::new();
        loop {
            let (number, again) = match rest.next() {
                Some(number) => (number, false),
                None => {
                    let Some(busy) = shared.busy.filter(|_| !deferred.is_empty()) else { break };
                    let moves = deferred.iter().map(|&number: &usize| self.root_moves[number].mv);
                    (deferred.remove(busy.first_free(root.key(), moves)), true)
                }
            };
            let mv = self.root_moves[number].mv;
            let task = shared.busy.map(|busy| (busy, Task::new(root.key(), mv)));
            if let Some((busy, task)) = task {
                if number > self.pv_index && !again && busy.has(task) {
                    deferred.push(number);
                    continue;
                }
                busy.begin(task);
            }
            let nodes_before = self.nodes;
            let child = self.make(root, mv, 0, shared);
            let new_depth = depth - 1;
            let mut score = alpha_now;
            let late = number - self.pv_index;
            if late > 0 {
                let quiet = !root.is_capture(mv) && !mv.promotes();
                let reduction = if depth > Params::<EXPOSED>::LmrDepth()
                    && late >= 3
                    && quiet
                    && !root.in_check()
                    && !child.in_check()
                {
                    (self.reductions.of(depth, late) / 1024 - 1).clamp(0, new_depth - 1)
                } else {
                    0
                };
                score =
                    -self.search::<false>(&child, shared, -alpha_now - 1, -alpha_now, new_depth - reduction, 1, true);
                if score > alpha_now && reduction > 0 {
                    score = -self.search::<false>(&child, shared, -alpha_now - 1, -alpha_now, new_depth, 1, true);
                }
            }
            if late == 0 || score > alpha_now {
                self.stack[1].pv.clear();
                score = -self.search::<true>(&child, shared, -beta, -alpha_now, new_depth, 1, false);
            }
            self.history.pop();
            if let Some((busy, task)) = task {
                busy.end(task);
            }
            self.root_moves[number].nodes += self.nodes - nodes_before;
            if self.stopped {
                return best;
            }
            if late == 0 || score > alpha_now {
                let pv = self.stack[1].pv.clone();
                let seldepth = self.seldepth;
                let root_move = &mut self.root_moves[number];
                root_move.score = score;
                root_move.seldepth = seldepth;
                root_move.bound = match score {
                    score if score >= beta => Bound::Lower,
                    score if score <= alpha => Bound::Upper,
                    _ => Bound::Exact,
                };
                root_move.pv.clear();
                root_move.pv.push(mv);
                root_move.pv.extend_from_slice(&pv);
            }
            best = best.max(score);
            if score > alpha_now {
                alpha_now = score;
                if score >= beta {
                    break;
                }
            }
        }
        best
    }

    /// Plays a legal move of the search on a copy, and notes it in history and stack.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize, shared: &Shared) -> Position {
        // Memory takes about as long as playing the move does.
        shared.table.prefetch(position.key_after(mv));
        let child = self.evaluator.play(position, mv, ply);
        self.stack[ply].arrival = Some(Arrival::of(position, mv));
        self.history.push(position, mv, &child);
        child
    }

    /// Counts a visited position and looks now and then whether to end.
    #[inline]
    pub(super) fn count_node(&mut self, shared: &Shared) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        if let Some(limit) = shared.limits.nodes
            && self.nodes >= limit
        {
            // With one thread the limit is exact; others are counted below.
            self.stopped = true;
        }
        if self.nodes >= self.next_check {
            self.next_check = self.nodes + CHECK_INTERVAL;
            self.look_around(shared);
        }
        self.stopped
    }

    #[cold]
    fn look_around(&mut self, shared: &Shared) {
        self.publish_nodes(shared);
        let out_of_nodes = shared.limits.nodes.is_some_and(|limit| shared.total_nodes() >= limit);
        // However little time there is, every move is looked at once.
        let out_of_time = self.is_main() && self.completed > 0 && shared.clock.is_over();
        if out_of_time || out_of_nodes {
            shared.done.store(true, Ordering::Relaxed);
        }
        if shared.done.load(Ordering::Relaxed) || shared.stop.load(Ordering::Relaxed) {
            self.stopped = true;
        } else if shared.frontier.is_some_and(|frontier| frontier.depth() >= self.iteration) && self.completed > 0 {
            self.stopped = true;
            self.overtaken = true;
        }
    }

    fn publish_nodes(&self, shared: &Shared) {
        shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
    }

    /// The static evaluation, kept away from the scores of decided games.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.evaluator.evaluate(position, ply).clamp(-EVALUATION_BOUND, EVALUATION_BOUND)
    }
}

/// Workers of either sort, kept between searches for what they have learned.
pub(super) type Workers<const EXPOSED: bool> = Vec<Arc<std::sync::Mutex<Worker<EXPOSED>>>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_overtaken_goes_on_from_what_the_other_found() {
        let mut worker = Worker::<false>::new(1, Learned::nothing());
        let moves = [("6e6d", 30), ("5f5e", 20), ("4f4e", 10)];
        worker.root_moves = moves.map(|(mv, nodes)| RootMove { nodes, ..RootMove::scored(mv, 0) }).into();
        (worker.stopped, worker.overtaken) = (true, true);
        let frontier = Frontier::default();
        let found = RootMove { nodes: 1_000, seldepth: 12, ..RootMove::scored("4f4e", 55) };
        frontier.advance(7, &found);
        assert_eq!(worker.catch_up(&frontier), 7);
        assert!(!worker.stopped && !worker.overtaken);
        let order = worker.root_moves.iter().map(|root_move| root_move.mv.to_string()).collect::<Vec<_>>();
        assert_eq!(order, ["4f4e", "6e6d", "5f5e"], "the others keep their order");
        let best = &worker.root_moves[0];
        assert_eq!((best.score, best.seldepth), (55, 12));
        assert_eq!(best.nodes, 10, "the effort is its own");
    }
}
