//! Depth-first proof-number search (df-pn; Nagai 2002).
//!
//! What breaks it when it is done naively, and what is done about it:
//! - *Loops.* A position that comes back (with the same hand for the attacker or a worse one) is no mate on this path.
//!   What is disproven by such a loop holds on this path alone, unless the loop lies below the position itself: the
//!   graph-history interaction. Disproofs remember the first ancestor that they come back to, and only those that need
//!   none go to the table; the others are kept with their path (Kishimoto and Müller 2004).
//! - *Thresholds that loops keep from ever being reached*: threshold control (Kishimoto 2010). A node one of whose
//!   children was met nearer to the root may go on for one more child.
//! - *Double counting.* In a sum of proof numbers a child that was met nearer to the root counts only if it is the
//!   largest.
//! - *Useless interpositions.* Pieces dropped on the same square are tried one after the other; and so are a move and the
//!   same move with promotion.
//! - *Seesaw between two children*: a child may go a quarter beyond its rival (1+ε, Pawlewicz and Lew 2007).
//!
//! A search with a limit of plies finds the shortest mates. There each position is told apart by the plies that are left,
//! so that no loop can occur.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use smallvec::SmallVec;

use super::leaf::{attacker_to_move, defender_to_move};
use super::search_result::{INFINITE, NO_LOOP, SearchResult, UNLIMITED};
use super::table::Table;
use crate::shogi::{Color, Hand, ImpasseRule, Move, PieceKind, Position, Square, Stage};

/// The longest line that is looked at, in plies.
const MAX_DEPTH: usize = 500;

/// Positions between two looks at the clock.
const LOOK_INTERVAL: u64 = 512;

/// What ends a search before it is done.
#[derive(Clone, Copy, Default)]
pub(super) struct Budget {
    pub(super) nodes: Option<u64>,
    pub(super) deadline: Option<Instant>,
}

/// A position, as the table has it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    /// The board, and who moves; and which pieces the game is played with.
    pub(super) key: u64,
    /// What the attacker holds. What is neither here nor on the board the defender has.
    pub(super) hand: Hand,
}

/// A position on the way from the root.
#[derive(Clone, Copy)]
struct Step {
    node: Node,
    path: u64,
}

/// A move and what is known of the position after it.
struct Child {
    mv: Move,
    node: Node,
    result: SearchResult,
    /// It was met nearer to the root: a transposition, perhaps a loop.
    old: bool,
    /// A child to be done with before this one is looked at.
    after: Option<u16>,
}

type Children = SmallVec<[Child; 24]>;

/// Disproofs that hold on one path only, each with the depth that its loop comes back to. It takes no memory until there is
/// one: most questions of the engine are answered before.
struct Loops(Vec<(u64, u16)>);

const LOOPS: usize = 1 << 14;

impl Loops {
    fn find(&self, key: u64) -> Option<u16> {
        let &(found, depth) = self.0.get(key as usize % LOOPS)?;
        (found == key).then_some(depth)
    }

    fn keep(&mut self, key: u64, depth: u16) {
        if self.0.is_empty() {
            self.0 = vec![(0, 0); LOOPS];
        }
        self.0[key as usize % LOOPS] = (key, depth);
    }
}

/// One thread's search.
pub(super) struct Search<'a> {
    table: &'a Table,
    stop: &'a AtomicBool,
    attacker: Color,
    path: Vec<Step>,
    loops: Loops,
    budget: Budget,
    /// Positions looked at.
    pub(super) nodes: u64,
    next_look: u64,
    stopped: bool,
    /// A line grew too long: what is not proven is not disproven either.
    too_deep: bool,
    /// Positions that end the game: they have stood on the board three times.
    ended: Vec<u64>,
    /// What is true with a hand is true with a better or worse one: not where some positions are ended with one hand and
    /// not with another.
    dominance: bool,
    /// The rule that may end the game before a mate.
    impasse: Option<ImpasseRule>,
}

/// When a search of a node is to come back to its parent.
#[derive(Clone, Copy)]
struct Thresholds {
    proof: u32,
    disproof: u32,
}

/// A child's numbers as its parent weighs them: the mover wants the first to be 0, and cannot help the second.
#[derive(Clone, Copy)]
struct Side {
    attacks: bool,
}

impl Side {
    fn goal(self, result: &SearchResult) -> u32 {
        if self.attacks { result.proof } else { result.disproof }
    }

    fn cost(self, result: &SearchResult) -> u32 {
        if self.attacks { result.disproof } else { result.proof }
    }

    fn numbers(self, goal: u32, cost: u32) -> (u32, u32) {
        if self.attacks { (goal, cost) } else { (cost, goal) }
    }
}

/// A node's numbers as its children make them.
struct Summed {
    goal: u32,
    cost: u32,
    best: usize,
    /// The second-best child's goal.
    rival: u32,
}

impl<'a> Search<'a> {
    pub(super) fn new(table: &'a Table, attacker: Color, stop: &'a AtomicBool) -> Search<'a> {
        let loops = Loops(Vec::new());
        let path = Vec::with_capacity(MAX_DEPTH);
        let (nodes, next_look, stopped, too_deep) = (0, 0, false, false);
        let (budget, ended, impasse) = (Budget::default(), Vec::new(), None);
        Search {
            table,
            stop,
            attacker,
            path,
            loops,
            budget,
            nodes,
            next_look,
            stopped,
            too_deep,
            ended,
            dominance: true,
            impasse,
        }
    }

    /// Positions with these keys end the game.
    pub(super) fn with_ended(self, ended: Vec<u64>) -> Search<'a> {
        Search { dominance: ended.is_empty(), ended, ..self }
    }

    /// The game may end under this rule before the mate.
    pub(super) fn with_impasse(self, impasse: Option<ImpasseRule>) -> Search<'a> {
        Search { impasse, ..self }
    }

    /// Searches a position until it is settled or the budget is used up, for a mate within `limit` plies.
    pub(super) fn solve(&mut self, position: &Position, limit: u16, budget: Budget) -> SearchResult {
        (self.budget, self.stopped, self.next_look) = (budget, false, self.nodes);
        self.path.clear();
        if std::mem::take(&mut self.too_deep) {
            // Some of them rest on a line that grew too long.
            self.loops = Loops(Vec::new());
        }
        let node = self.node(position);
        if let Some(entry) =
            self.table.probe(node.key, node.hand, limit, self.dominance).filter(|entry| entry.result.is_final())
        {
            return entry.result;
        }
        let all = Thresholds { proof: INFINITE, disproof: INFINITE };
        let result = self.search(position, node, limit, all);
        if self.too_deep && result.is_disproven() { SearchResult::open(1, 1, node.hand, limit) } else { result }
    }

    fn node(&self, position: &Position) -> Node {
        // The table is for any game: positions with other pieces, attacked by the other side, after other repetitions
        // or under another rule are others.
        let mut all = [0; PieceKind::COUNT];
        for kind in PieceKind::ALL {
            let hands = Color::ALL.map(|color| if kind.index() < 6 { position.hand(color).count(kind) } else { 0 });
            all[kind.unpromoted().index()] += position.by_kind(kind).count() + hands[0] + hands[1];
        }
        let pieces = all.into_iter().fold(self.attacker.index() as u64, |sum, count| sum * 4 + u64::from(count));
        // Two moves and their return make four keys that cancel out, were they only XORed.
        let ended = self.ended.iter().fold(0_u64, |sum, key| (sum ^ key).wrapping_mul(0xd6e8_feb8_6659_fd93));
        let rule = self.impasse.map_or(0, |rule| (u64::from(rule.code()) + 1) << 32);
        let key = position.board_key() ^ (ended ^ rule ^ pieces).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Node { key, hand: position.hand(self.attacker) }
    }

    fn search(&mut self, position: &Position, node: Node, limit: u16, mut thresholds: Thresholds) -> SearchResult {
        let begun = self.nodes;
        let depth = self.path.len();
        let side = Side { attacks: position.side_to_move() == self.attacker };
        let path = self.path.last().map_or(0, |step| step.path.rotate_left(7).wrapping_mul(0xd6e8_feb8_6659_fd93));
        let path = path ^ node.key ^ u64::from(node.hand.bits()) << 32;
        self.path.push(Step { node, path });
        let mut children = self.expand(position, node, limit, path);

        let mut first = true;
        let result = loop {
            let sum = summed(&children, side);
            if sum.goal == 0 {
                break succeed(position, &children, side, node.hand);
            }
            if sum.cost == 0 {
                break self.fail(position, &children, side, node.hand);
            }
            let (proof, disproof) = side.numbers(sum.goal, sum.cost);
            if first && children.iter().any(|child| child.old && !child.result.is_final()) {
                thresholds.proof = thresholds.proof.max(proof + 1);
                thresholds.disproof = thresholds.disproof.max(disproof + 1);
            }
            first = false;
            if proof >= thresholds.proof || disproof >= thresholds.disproof || self.is_over() {
                break SearchResult::open(proof, disproof, node.hand, limit);
            }
            let (goal_limit, cost_limit) = side.numbers(thresholds.proof, thresholds.disproof);
            let child = &children[sum.best];
            let goal = goal_limit.min(sum.rival.saturating_add(sum.rival / 4 + 1)).min(INFINITE);
            let cost = cost_limit.saturating_sub(sum.cost).saturating_add(side.cost(&child.result)).min(INFINITE);
            let (proof, disproof) = side.numbers(goal, cost);
            let (mv, next) = (child.mv, child.node);
            self.nodes += 1;
            let after = position.after(mv);
            let found = if depth + 1 >= MAX_DEPTH {
                self.too_deep = true;
                SearchResult::no_mate(next.hand, UNLIMITED, None, 0)
            } else {
                self.search(&after, next, shorter(limit), Thresholds { proof, disproof })
            };
            children[sum.best].result = found;
        };

        self.path.pop();
        let depth = depth as u16;
        if result.is_disproven() && result.loop_start < depth {
            self.loops.keep(path, result.loop_start);
            return result;
        }
        if depth == 0 && result.is_disproven() && self.too_deep {
            return result;
        }
        let hand = if self.dominance { result.hand } else { node.hand };
        let result = SearchResult { loop_start: NO_LOOP, hand, ..result };
        let cost = u32::try_from(self.nodes - begun).unwrap_or(u32::MAX);
        self.table.store(node.key, &result, depth, cost);
        result
    }

    fn is_over(&mut self) -> bool {
        if self.nodes >= self.next_look && !self.stopped {
            self.next_look = self.nodes + LOOK_INTERVAL;
            let Budget { nodes, deadline } = self.budget;
            self.stopped = self.stop.load(Ordering::Relaxed)
                || nodes.is_some_and(|most| self.nodes >= most)
                || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.stopped
    }

    /// The moves that count: the attacker's checks, the defender's every move.
    fn expand(&mut self, position: &Position, node: Node, limit: u16, path: u64) -> Children {
        let attacks = position.side_to_move() == self.attacker;
        let depth = (self.path.len() - 1) as u16;
        let mut children = Children::new();
        for mv in position.moves(if attacks { Stage::Checks } else { Stage::All }) {
            let hand = if attacks { position.hand_after(mv) } else { node.hand };
            let next = Node { key: position.board_key_after(node.key, mv), hand };
            let after = if attacks { promoting_twin(&children, mv) } else { drop_before(&children, mv) };
            let (result, old) = self.look(position, mv, next, shorter(limit), path, depth);
            children.push(Child { mv, node: next, result, old, after });
        }
        children
    }

    /// What is known of the position after a move without searching it.
    fn look(
        &mut self,
        position: &Position,
        mv: Move,
        next: Node,
        limit: u16,
        path: u64,
        depth: u16,
    ) -> (SearchResult, bool) {
        if limit == UNLIMITED {
            let no_better = |hand: Hand| if self.dominance { hand.covers(next.hand) } else { hand == next.hand };
            let seen = |step: &Step| step.node.key == next.key && no_better(step.node.hand);
            if let Some(start) = self.path.iter().position(seen) {
                return (SearchResult::no_mate(next.hand, UNLIMITED, None, start as u16), false);
            }
        }
        if self.ends_the_game(position, mv) {
            return (SearchResult::no_mate(next.hand, UNLIMITED, None, NO_LOOP), false);
        }
        if let Some(entry) = self.table.probe(next.key, next.hand, limit, self.dominance) {
            return (entry.result, entry.depth <= depth);
        }
        if limit == UNLIMITED {
            let path = path.rotate_left(7).wrapping_mul(0xd6e8_feb8_6659_fd93);
            if let Some(start) = self.loops.find(path ^ next.key ^ u64::from(next.hand.bits()) << 32) {
                return (SearchResult::no_mate(next.hand, UNLIMITED, None, start), false);
            }
        }
        self.nodes += 1;
        let after = position.after(mv);
        let defends = after.side_to_move() != self.attacker;
        (if defends { defender_to_move(&after, limit) } else { attacker_to_move(&after, limit) }, false)
    }

    /// Whether a move leads to a position with which the game is over, or may be, without a mate.
    fn ends_the_game(&self, position: &Position, mv: Move) -> bool {
        let repeated = !self.ended.is_empty() && self.ended.contains(&position.key_after(mv));
        let defends = position.side_to_move() != self.attacker;
        repeated || defends && self.impasse.is_some_and(|rule| rule.may_end(&position.after(mv)))
    }

    /// A node whose mover has nothing that helps: every child is settled against him.
    fn fail(&self, position: &Position, children: &Children, side: Side, hand: Hand) -> SearchResult {
        if side.attacks {
            let mut most = super::leaf::disproof_hand(position);
            let (mut length, mut loop_start) = (UNLIMITED, NO_LOOP);
            for child in children {
                most = most.smaller(before_move(position, child.mv, child.result.hand));
                length = length.min(longer(child.result.length));
                loop_start = loop_start.min(child.result.loop_start);
            }
            debug_assert!(most.covers(hand));
            return SearchResult::no_mate(most, length, None, loop_start);
        }
        let mut least = super::leaf::proof_hand(position);
        let mut length = 0;
        for child in children {
            least = least.larger(child.result.hand);
            length = length.max(longer(child.result.length));
        }
        debug_assert!(hand.covers(least));
        // Which reply puts it off longest depends on what the defender holds, and this is true of other hands too.
        SearchResult::mate(least, length, None)
    }
}

/// A node whose mover has a move that settles it.
fn succeed(position: &Position, children: &Children, side: Side, hand: Hand) -> SearchResult {
    if side.attacks {
        let proven = children.iter().filter(|child| child.result.is_proven());
        let child = proven.min_by_key(|child| child.result.length).expect("a child is proven");
        let least = before_move(position, child.mv, child.result.hand);
        debug_assert!(hand.covers(least));
        return SearchResult::mate(least, longer(child.result.length), Some(child.mv));
    }
    let disproven = children.iter().filter(|child| child.result.is_disproven());
    let child =
        disproven.max_by_key(|child| (child.result.loop_start, child.result.length)).expect("a child is disproven");
    // The defender needs the pieces that he drops; what he takes was not to be had before.
    let off_board = position.hand(Color::Black).plus(position.hand(Color::White));
    let most = child.result.hand.smaller(off_board);
    debug_assert!(most.covers(hand));
    SearchResult::no_mate(most, longer(child.result.length), Some(child.mv), child.result.loop_start)
}

/// What the attacker's hand is before a move that leaves him this one.
fn before_move(position: &Position, mv: Move, after: Hand) -> Hand {
    if let Some(kind) = mv.dropped() {
        return after.with(kind, after.count(kind) + 1);
    }
    match position.piece_at(mv.to()) {
        Some(captured) => {
            let kind = captured.kind().unpromoted();
            after.with(kind, after.count(kind).saturating_sub(1))
        }
        None => after,
    }
}

fn summed(children: &Children, side: Side) -> Summed {
    let (mut goal, mut rival, mut best) = (INFINITE, INFINITE, 0);
    let (mut sum, mut largest) = (0u32, 0);
    for (index, child) in children.iter().enumerate() {
        let waits = child.after.is_some_and(|after| side.cost(&children[usize::from(after)].result) != 0);
        let child_goal = side.goal(&child.result);
        if waits && child_goal != 0 {
            continue;
        }
        if child_goal < goal {
            (rival, goal, best) = (goal, child_goal, index);
        } else {
            rival = rival.min(child_goal);
        }
        let cost = side.cost(&child.result);
        if child.old {
            largest = largest.max(cost);
        } else {
            sum = sum.saturating_add(cost).min(INFINITE - 1);
        }
    }
    if goal == 0 {
        return Summed { goal, cost: INFINITE, best, rival };
    }
    Summed { goal, cost: sum.max(largest), best, rival }
}

/// The child that drops another piece on the same square.
fn drop_before(children: &Children, mv: Move) -> Option<u16> {
    let to = mv.is_drop().then(|| mv.to())?;
    let same = |child: &Child| child.mv.is_drop() && child.mv.to() == to;
    children.iter().rposition(same).map(|index| index as u16)
}

/// The child that makes the same move with promotion.
fn promoting_twin(children: &Children, mv: Move) -> Option<u16> {
    let from: Square = mv.from()?;
    let same = |child: &Child| child.mv.from() == Some(from) && child.mv.to() == mv.to();
    children.iter().rposition(same).map(|index| index as u16)
}

/// The limit of the next ply.
fn shorter(limit: u16) -> u16 {
    if limit == UNLIMITED { UNLIMITED } else { limit - 1 }
}

/// The length of what takes one ply more.
fn longer(length: u16) -> u16 {
    if length >= UNLIMITED - 1 { length } else { length + 1 }
}
