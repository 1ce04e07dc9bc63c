use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::abdada::Abdada;
use super::histories::{Histories, Learned, PieceTo};
use super::iteration::DeepestIteration;
use super::params::Params;
use super::reductions::Reductions;
use super::root::{Line, Root, RootMove};
use super::score::*;
use super::tt::TranspositionTable;
use super::{Clock, Limits, Settings};
use crate::eval::{Context, Evaluator};
use crate::score::Bound;
use crate::shogi::{History, Move, Position};

/// What the threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) root: &'a Root,
    pub(super) limits: &'a Limits,
    pub(super) settings: &'a Settings,
    pub(super) table: &'a TranspositionTable,
    pub(super) clock: &'a Clock,
    /// The moves that the threads are searching; none with a single thread.
    pub(super) abdada: Option<&'a Abdada>,
    /// The deepest completed iteration; none with a single thread.
    pub(super) deepest: Option<&'a DeepestIteration>,
    /// Ends the search of all threads, set from outside.
    pub(super) stop: &'a AtomicBool,
    /// Ends the search of all threads, set by the one that reaches a limit.
    pub(super) done: &'a AtomicBool,
    /// The nodes of each thread, published at each check of the limits.
    pub(super) nodes: &'a [AtomicU64],
}

impl Shared<'_> {
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// The state of a ply that nodes above and below read.
#[derive(Clone, Default)]
pub(super) struct Frame {
    pub(super) pv: Line,
    /// The static evaluation; `-INFINITE` in check.
    pub(super) eval: i32,
    /// The move that a singular search leaves out.
    pub(super) excluded: Option<Move>,
    /// The move that is being searched; none for a null move.
    pub(super) piece_to: Option<PieceTo>,
}

/// Nodes between two checks of clock and limits.
const CHECK_INTERVAL: u64 = 512;

/// A search thread, with its stack, root moves and killers.
///
/// `EXPOSED` says whether parameters can be set; see [`Params`].
pub(super) struct Worker<const EXPOSED: bool> {
    pub(super) histories: Histories,
    pub(super) stack: Vec<Frame>,
    pub(super) root_moves: Vec<RootMove>,
    /// The line of MultiPV that is searched, from 0: root moves before it belong to better lines.
    pub(super) pv_index: usize,
    pub(super) history: History,
    /// The index of the root in the history.
    pub(super) root_index: usize,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// The first ply that allows a null move, while another one is verified.
    pub(super) null_allowed_from: usize,
    pub(super) params: Params<EXPOSED>,
    pub(super) reductions: Reductions,
    pub(super) draw_value: [i32; 2],
    pub(super) evaluator: Evaluator,
    pub(super) stopped: bool,
    /// The depth of the last completed iteration, in plies.
    pub(super) completed: usize,
    /// The depth of the iteration under way, in plies.
    pub(super) iteration: usize,
    /// Another thread has completed the iteration under way.
    pub(super) overtaken: bool,
    index: usize,
    next_check: u64,
}

impl<const EXPOSED: bool> Worker<EXPOSED> {
    pub(super) fn new(index: usize, learned: Arc<Learned>) -> Worker<EXPOSED> {
        let start = Root::new(Position::startpos());
        let params = Params::default();
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
            reductions: Reductions::new(&params),
            params,
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

    /// Clears the histories, for all threads.
    pub(super) fn clear(&self) {
        self.histories.clear();
    }

    pub(super) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Begins a search.
    pub(super) fn prepare(&mut self, shared: &Shared) {
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
        let us = position.side_to_move();
        // The value of a draw is the root player's; it has the opposite sign for the opponent.
        let value = settings.draw_value[us.index()];
        self.draw_value[us.index()] = value;
        self.draw_value[(!us).index()] = value.saturating_neg();
        if EXPOSED {
            self.params = Params::new(&settings.params);
            self.reductions = Reductions::new(&self.params);
        }
        let wanted = &shared.limits.searchmoves;
        self.root_moves = position
            .legal_moves()
            .into_iter()
            .filter(|mv| wanted.is_empty() || wanted.contains(mv))
            .map(RootMove::new)
            .collect();
    }

    fn root_move(&mut self, mv: Move) -> &mut RootMove {
        let place = self.root_moves.iter().position(|root_move| root_move.mv == mv);
        &mut self.root_moves[place.expect("a root move stands in the list")]
    }

    /// Adds the nodes since `nodes_before` to those of a root move.
    pub(super) fn count_root_move(&mut self, mv: Move, nodes_before: u64) {
        let nodes = self.nodes - nodes_before;
        self.root_move(mv).nodes += nodes;
    }

    /// Sets the score of a root move that was searched with this window, and its principal variation.
    pub(super) fn update_root_move(&mut self, mv: Move, score: i32, alpha: i32, beta: i32) {
        let (seldepth, below) = (self.seldepth, self.stack[1].pv.clone());
        let root_move = self.root_move(mv);
        root_move.score = score;
        root_move.seldepth = seldepth;
        root_move.bound = match score {
            score if score >= beta => Bound::Lower,
            score if score <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        root_move.pv.clear();
        root_move.pv.push(mv);
        root_move.pv.extend_from_slice(&below);
    }

    /// Makes a legal move, and adds it to history and stack. Returns the position after it.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize, shared: &Shared) -> Position {
        // Prefetch first: the load from memory takes about as long as making the move.
        shared.table.prefetch(position.key_after(mv));
        let child = self.evaluator.play(position, mv, ply);
        self.stack[ply].piece_to = Some(PieceTo::of(position, mv));
        self.history.push(position, mv, &child);
        child
    }

    /// Counts a node. Returns whether the search is stopped.
    #[inline]
    pub(super) fn count_node(&mut self, shared: &Shared) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        if let Some(limit) = shared.limits.nodes
            && self.nodes >= limit
        {
            // Exact with one thread; check_limits sums up the nodes of several.
            self.stopped = true;
        }
        if self.nodes >= self.next_check {
            self.next_check = self.nodes + CHECK_INTERVAL;
            self.check_limits(shared);
        }
        self.stopped
    }

    #[cold]
    fn check_limits(&mut self, shared: &Shared) {
        self.publish_nodes(shared);
        let out_of_nodes = shared.limits.nodes.is_some_and(|limit| shared.total_nodes() >= limit);
        let out_of_time = self.is_main() && self.completed > 0 && shared.clock.is_over();
        if out_of_time || out_of_nodes {
            shared.done.store(true, Ordering::Relaxed);
        }
        // The first iteration is always completed, whoever wants an end: without it there is no move that was searched.
        if self.is_main() && self.completed == 0 {
            return;
        }
        if shared.done.load(Ordering::Relaxed) || shared.stop.load(Ordering::Relaxed) {
            self.stopped = true;
        } else if shared.deepest.is_some_and(|deepest| deepest.depth() >= self.iteration) && self.completed > 0 {
            self.stopped = true;
            self.overtaken = true;
        }
    }

    pub(super) fn publish_nodes(&self, shared: &Shared) {
        shared.nodes[self.index].store(self.nodes, Ordering::Relaxed);
    }

    /// The static evaluation in centipawns, clamped so that it is no score of a decided game.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        self.evaluator.evaluate(position, ply).clamp(-EVALUATION_BOUND, EVALUATION_BOUND)
    }
}

/// The workers of a pool, kept between searches.
pub(super) type Workers<const EXPOSED: bool> = Vec<Arc<std::sync::Mutex<Worker<EXPOSED>>>>;
