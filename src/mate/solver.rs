//! `Solver`, the interface of the mate search: it finds a mate, shortens it, and extracts the line of longest defence.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::dfpn::Search;
use super::leaf::replays_to_mate;
use super::search_result::{SearchResult, UNLIMITED};
use super::table::Table;
use crate::huge_pages::OutOfMemory;
use crate::shogi::{GameHistory, ImpasseRule, Move, MoveList, Position, Square};

/// The number of nodes between two progress reports.
const REPORT_INTERVAL: u64 = 250_000;

/// The assumed maximum of consecutive plies without capture or promotion in a mate. The search ignores an impasse rule
/// that requires more.
const QUIET_PLIES_OF_A_MATE: u32 = 16;

/// Limits of a mate search. Without limits it continues until the mate is proven or disproven.
#[derive(Clone, Copy, Debug, Default)]
pub struct MateLimits {
    /// Time for the proof and for the shortest line together.
    pub time: Option<Duration>,
    /// Nodes for the proof and for the shortest line together.
    pub nodes: Option<u64>,
    /// The time to look for shorter mates once one is found, or the time that finding it took if that is longer.
    pub shortening: Option<Duration>,
    /// The impasse rule of the game and its plies: a mate passes through no position in which the rule may end the
    /// game. Mate problems have none.
    pub impasse: Option<(ImpasseRule, u32)>,
}

/// The outcome of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateOutcome {
    /// A mate is proven.
    Mate(Solution),
    /// There is no mate of any length by checks alone.
    NoMate,
    /// A limit was reached, or the search was stopped.
    Unknown,
}

/// A line of checks that ends in mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The moves of both sides, the attacker's first. The defence is the longest one if this is the shortest mate;
    /// otherwise it may be shorter.
    pub moves: Vec<Move>,
    /// An upper bound of the mate's length in plies.
    pub length: usize,
    /// Whether shorter mates are disproven.
    pub shortest: bool,
}

/// The state of a search, for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// The root's proof number: the minimal number of leaves that must be proven for a mate.
    pub proof: u32,
    /// The root's disproof number.
    pub disproof: u32,
    /// How full the table is, in permille.
    pub hashfull: u32,
    /// The length in plies of the mate found so far.
    pub mate: Option<usize>,
}

/// A mate solver with its table.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use judkins::mate::{MateOutcome, MateLimits, Solver};
/// use judkins::shogi::{GameHistory, Position};
///
/// let position: Position = "4k1/6/4G1/6/6/K5 b G 1".parse().unwrap();
/// let mut solver = Solver::new(1).unwrap();
/// let never = AtomicBool::new(false);
/// let answer = solver.solve(&position, &GameHistory::new(&position), MateLimits::default(), &never, |_| {});
/// let MateOutcome::Mate(solution) = answer else { panic!("a gold in front of the king mates") };
/// assert_eq!(solution.moves, ["G*2b".parse().unwrap()]);
/// ```
pub struct Solver {
    pub(super) table: Table,
    mebibytes: usize,
}

impl Solver {
    /// A solver with a table of this size in MiB.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the allocation fails.
    pub fn new(mebibytes: usize) -> Result<Solver, OutOfMemory> {
        Ok(Solver { table: Table::new(mebibytes)?, mebibytes })
    }

    /// The size of the table in MiB.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// Has the system provide the table's memory now instead of during a search. Clears the table.
    pub fn prefault(&mut self) {
        self.table.prefault();
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches for a mate by the side to move with checks alone. `history` determines the positions that end the game
    /// by repetition or impasse.
    pub fn solve(
        &mut self,
        position: &Position,
        history: &GameHistory,
        limits: MateLimits,
        stop: &AtomicBool,
        report: impl FnMut(Progress),
    ) -> MateOutcome {
        Attempt::new(&mut self.table, position, history, limits, stop, report).answer()
    }

    /// The first move of a mate within `plies` plies, and an upper bound of its length; [`None`] if there is no such
    /// mate or a limit is reached. The length of a mate is odd, so an even limit is rounded down.
    pub fn mate_within(
        &mut self,
        position: &Position,
        plies: usize,
        limits: MateLimits,
        stop: &AtomicBool,
    ) -> Option<(Move, usize)> {
        self.mate_and_nodes(position, plies, limits, stop).0
    }

    /// As [`Solver::mate_within`], and returns the number of nodes too.
    pub(super) fn mate_and_nodes(
        &mut self,
        position: &Position,
        plies: usize,
        limits: MateLimits,
        stop: &AtomicBool,
    ) -> (Option<(Move, usize)>, u64) {
        let history = GameHistory::new(position);
        let mut attempt = Attempt::new(&mut self.table, position, &history, limits, stop, |_| {});
        let Some(even) = plies.checked_sub(1) else { return (None, 0) };
        let result = attempt.search(position, u16::try_from(even | 1).unwrap_or(UNLIMITED).min(UNLIMITED));
        let mate = result.mv.filter(|_| result.is_proven()).map(|mv| (mv, result.length.into()));
        (mate, attempt.nodes())
    }
}

/// One mate search within its limits.
pub(super) struct Attempt<'a, R> {
    search: Search<'a>,
    position: &'a Position,
    /// Whether repetition or impasse may end the game before a mate.
    has_ends: bool,
    limits: MateLimits,
    started: Instant,
    deadline: Option<Instant>,
    report: R,
}

impl<'a, R: FnMut(Progress)> Attempt<'a, R> {
    pub(super) fn new(
        table: &'a mut Table,
        position: &'a Position,
        history: &GameHistory,
        limits: MateLimits,
        stop: &'a AtomicBool,
        report: R,
    ) -> Attempt<'a, R> {
        let rule = limits.impasse.filter(|&(rule, plies)| rule.may_end_within(QUIET_PLIES_OF_A_MATE, history, plies));
        let ended = history.threefold_keys();
        let has_ends = rule.is_some() || !ended.is_empty();
        let rule = rule.map(|(rule, _)| rule);
        let search = Search::new(table, position.side_to_move(), stop, ended, rule);
        let started = Instant::now();
        let deadline = limits.time.and_then(|time| started.checked_add(time));
        Attempt { search, position, has_ends, limits, started, deadline, report }
    }

    fn answer(mut self) -> MateOutcome {
        let result = self.search(self.position, UNLIMITED);
        let line = result.is_proven().then(|| self.follow(result.length)).flatten();
        let Some(line) = line else {
            self.tell(&result, None);
            return if result.is_disproven() { MateOutcome::NoMate } else { MateOutcome::Unknown };
        };
        let solution = self.shorten(result.length, line);
        self.tell(&result, Some(solution.length));
        debug_assert!(replays_to_mate(self.position, &solution.moves));
        MateOutcome::Mate(solution)
    }

    /// Searches for mates shorter than `length` plies until one is disproven.
    fn shorten(&mut self, mut length: u16, mut moves: Vec<Move>) -> Solution {
        if let Some(shortening) = self.limits.shortening {
            let end = Instant::now().checked_add(shortening.max(self.started.elapsed()));
            self.deadline = self.deadline.into_iter().chain(end).min();
        }
        while length > 1 {
            let result = self.search(self.position, length - 2);
            if result.is_disproven() {
                break;
            }
            let shorter = result.is_proven().then(|| self.follow(result.length)).flatten();
            let Some(shorter) = shorter else { return Solution { moves, length: length.into(), shortest: false } };
            self.tell(&result, Some(result.length.into()));
            (moves, length) = (shorter, result.length);
        }
        // A line with weaker defences would be shorter than the mate.
        let longest = self.longest_resistance(length);
        let shortest = longest.is_some();
        Solution { moves: longest.unwrap_or(moves), length: length.into(), shortest }
    }

    /// The nodes of all its searches.
    pub(super) fn nodes(&self) -> u64 {
        self.search.nodes
    }

    /// Searches within the limits, with a report every [`REPORT_INTERVAL`] nodes.
    pub(super) fn search(&mut self, position: &Position, limit: u16) -> SearchResult {
        let deadline = self.deadline;
        loop {
            let slice = self.search.nodes + REPORT_INTERVAL;
            let nodes = self.limits.nodes.map_or(slice, |most| most.min(slice));
            let result = self.search.solve(position, limit, nodes, deadline);
            if result.is_final() || self.search.nodes < slice {
                return result;
            }
            self.tell(&result, None);
        }
    }

    fn tell(&mut self, result: &SearchResult, mate: Option<usize>) {
        let SearchResult { proof, disproof, .. } = *result;
        let (nodes, time, hashfull) = (self.search.nodes, self.started.elapsed(), self.search.table.hashfull());
        (self.report)(Progress { nodes, time, proof, disproof, hashfull, mate });
    }

    /// The line of a proven mate within `left` plies, from the table's proofs. It takes the defender's reply with the
    /// longest proof, which need not be the longest defence.
    fn follow(&mut self, mut left: u16) -> Option<Vec<Move>> {
        let (mut position, mut moves) = (self.position.clone(), Vec::new());
        let mut interposed = None;
        loop {
            let (mv, length) = self.mating_move(&position, left, interposed)?;
            moves.push(mv);
            position.play_unchecked(mv);
            let mut longest: Option<(u16, Move)> = None;
            for reply in replies(&position) {
                let result = self.search(&position.after(reply), length.checked_sub(2)?);
                if !result.is_proven() {
                    return None;
                }
                if longest.is_none_or(|(length, _)| result.length > length) {
                    longest = Some((result.length, reply));
                }
            }
            let Some((length, reply)) = longest else { break };
            interposed = Interposition::of(&position, reply);
            moves.push(reply);
            position.play_unchecked(reply);
            left = length;
        }
        replays_to_mate(self.position, &moves).then_some(moves)
    }

    /// The attacker's move in a mate within `left` plies, and an upper bound of the mate's length. A useless
    /// interposition is captured, so that the line shows it as such.
    fn mating_move(
        &mut self,
        position: &Position,
        left: u16,
        interposed: Option<Interposition>,
    ) -> Option<(Move, u16)> {
        let capture = interposed.filter(|_| !self.has_ends).and_then(|interposed| interposed.capture(position, left));
        if let Some(mv) = capture {
            return Some((mv, left));
        }
        let result = self.search(position, left);
        result.mv.filter(|_| result.is_proven()).map(|mv| (mv, result.length))
    }

    /// The line of a mate in exactly `length` plies with the longest defence.
    fn longest_resistance(&mut self, length: u16) -> Option<Vec<Move>> {
        let (mut position, mut moves) = (self.position.clone(), Vec::new());
        let mut interposed = None;
        for left in (1..=length).rev().step_by(2) {
            let (mv, _) = self.mating_move(&position, left, interposed)?;
            moves.push(mv);
            position.play_unchecked(mv);
            if left > 1 {
                let reply = self.longest_reply(&position, left - 1)?;
                interposed = Interposition::of(&position, reply);
                moves.push(reply);
                position.play_unchecked(reply);
            }
        }
        replays_to_mate(self.position, &moves).then_some(moves)
    }

    /// A reply after which the mate takes all `left` plies: a mate two plies shorter is disproven.
    fn longest_reply(&mut self, position: &Position, left: u16) -> Option<Move> {
        for reply in replies(position) {
            let result = if left > 2 { self.search(&position.after(reply), left - 3) } else { return Some(reply) };
            if !result.is_final() {
                return None;
            }
            if result.is_disproven() {
                return Some(reply);
            }
        }
        None
    }
}

/// The defender's moves. Drops come last: of equally long defences, a line shows the one without an interposed drop.
fn replies(position: &Position) -> MoveList {
    let mut replies = position.legal_moves();
    replies.sort_by_key(|mv| mv.is_drop());
    replies
}

/// A drop between the king and the checking piece.
#[derive(Clone, Copy)]
struct Interposition {
    square: Square,
    checker: Square,
}

impl Interposition {
    fn of(position: &Position, reply: Move) -> Option<Interposition> {
        // Only one piece checks where a drop is legal, and the drop is between it and the king.
        let checker = position.checkers().first().filter(|_| reply.is_drop())?;
        Some(Interposition { square: reply.to(), checker })
    }

    /// The checking piece's capture of the dropped one, if it mates within `left` plies against useless interpositions.
    fn capture(self, position: &Position, left: u16) -> Option<Move> {
        position.legal_moves().into_iter().filter(|&mv| self.is_met_by(mv)).find(|&mv| {
            let after = position.after(mv);
            let is_useless = |reply| {
                let interposed = Interposition::of(&after, reply).filter(|_| left > 2);
                interposed.and_then(|interposed| interposed.capture(&after.after(reply), left - 2)).is_some()
            };
            after.in_check() && after.legal_moves().into_iter().all(is_useless)
        })
    }

    /// Whether the checking piece captures the dropped one.
    fn is_met_by(self, mv: Move) -> bool {
        mv.to() == self.square && mv.from() == Some(self.checker)
    }
}

impl Solution {
    /// The length of the mate in plies as players count it: without useless interpositions (muda-ai) at its end, which
    /// are drops between the king and the checking piece that this piece captures with mate. For a line with a weaker
    /// defence, the upper bound of the length.
    pub fn plies(&self, start: &Position) -> usize {
        if self.moves.len() < self.length {
            return self.length;
        }
        let mut positions = vec![start.clone()];
        for &mv in &self.moves {
            let next = positions[positions.len() - 1].after(mv);
            positions.push(next);
        }
        let mut plies = self.moves.len();
        while let [.., _, reply, taken] = self.moves[..plies] {
            if !Interposition::of(&positions[plies - 2], reply).is_some_and(|interposed| interposed.is_met_by(taken)) {
                break;
            }
            plies -= 2;
        }
        plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Setup;

    /// Whether a mate has useless interpositions at its end does not depend on the mating move in the table.
    #[test]
    fn the_checking_piece_captures_what_is_interposed() {
        let setup: Setup = "k5/6/1GN3/6/6/5R b p 1".parse().unwrap();
        let start = setup.mate_problem().unwrap();
        let never = AtomicBool::new(false);
        let outcome =
            Solver::new(1).unwrap().solve(&start, &GameHistory::new(&start), MateLimits::default(), &never, |_| {});
        let MateOutcome::Mate(solution) = outcome else { panic!("there is a mate") };
        assert_eq!((solution.moves.len(), solution.plies(&start)), (3, 1), "{:?}", solution.moves);
    }

    #[test]
    fn a_line_with_a_weaker_defence_does_not_shorten_the_mate() {
        let start: Position = "4k1/6/4G1/6/6/K5 b G 1".parse().unwrap();
        let line = |length| Solution { moves: vec!["G*2b".parse().unwrap()], length, shortest: false };
        assert_eq!([1, 5].map(|length| line(length).plies(&start)), [1, 5]);
    }
}
