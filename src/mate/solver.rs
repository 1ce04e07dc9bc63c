use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::dfpn::{Budget, Search};
use super::leaf::replays_to_mate;
use super::search_result::{SearchResult, UNLIMITED};
use super::table::{OutOfMemory, Table};
use crate::shogi::attacks::between;
use crate::shogi::{History, ImpasseRule, Move, MoveList, Position, Stage};

/// Positions between two reports.
const REPORT_INTERVAL: u64 = 250_000;

/// So many plies in a row without a capture or a promotion, both kings in their zones, a mate is taken to have at most. A
/// rule that asks for more is not looked at.
const QUIET_PLIES_OF_A_MATE: u32 = 16;

/// How far the solver may go. With nothing set it goes on until all is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct MateLimits {
    /// Time, for the proof and for the shortest line together.
    pub time: Option<Duration>,
    /// Positions looked at, for the proof and for the shortest line together.
    pub nodes: Option<u64>,
    /// Time to look for shorter mates when one is found, if that took less.
    pub shortening: Option<Duration>,
    /// The game's impasse rule, with its plies: no position in which it may end the game is part of a mate then. Mate
    /// problems know no such rule.
    pub impasse: Option<(ImpasseRule, u32)>,
}

/// What became of the search for a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a mate.
    Mate(Solution),
    /// There is no mate by checks alone, however long.
    NoMate,
    /// The limits were reached first.
    Unknown,
}

/// A line of checks that ends in mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The moves of both sides, the attacker's first. The defender resists as long as he can.
    pub moves: Vec<Move>,
    /// Whether it is proven that there is no shorter mate.
    pub shortest: bool,
}

/// A move that may solve a problem as well as the solution does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rival {
    /// The move.
    pub mv: Move,
    /// Plies to the mate, at most; none if it is not known whether it mates.
    pub plies: Option<usize>,
}

/// How a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Positions looked at so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// The proof number: how many positions must be shown to be mates at least.
    pub proof: u32,
    /// The disproof number: how many must be shown not to be.
    pub disproof: u32,
    /// How full the table is, in permille.
    pub hashfull: u32,
    /// Plies of the mate that has been found, if one has.
    pub mate: Option<usize>,
}

/// A solver of mate problems with a table of its own.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use judkins::mate::{Answer, MateLimits, Solver};
/// use judkins::shogi::{History, Position};
///
/// let position: Position = "4k1/6/4G1/6/6/K5 b G 1".parse().unwrap();
/// let mut solver = Solver::new(1).unwrap();
/// let never = AtomicBool::new(false);
/// let answer = solver.solve(&position, &History::new(&position), MateLimits::default(), &never, |_| {});
/// let Answer::Mate(solution) = answer else { panic!("a gold in front of the king mates") };
/// assert_eq!(solution.moves, ["G*2b".parse().unwrap()]);
/// ```
pub struct Solver {
    table: Table,
    mebibytes: usize,
}

impl Solver {
    /// A solver whose table takes so many MiB.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the system does not give that much.
    pub fn new(mebibytes: usize) -> Result<Solver, OutOfMemory> {
        Ok(Solver { table: Table::new(mebibytes)?, mebibytes })
    }

    /// The size of its table in MiB.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Looks for a mate by the side to move with checks alone, in a game that came about as `history` tells.
    pub fn solve(
        &mut self,
        position: &Position,
        history: &History,
        limits: MateLimits,
        stop: &AtomicBool,
        report: impl FnMut(Progress),
    ) -> Answer {
        Attempt::new(&self.table, position, history, limits, stop, report).answer()
    }

    /// The first move of a mate within so many plies, and how many it takes at most, if there is one and it can be found
    /// within the limits. Mates take an odd number of plies: one within an even number is one within a ply less.
    pub fn mate_within(
        &mut self,
        position: &Position,
        plies: usize,
        limits: MateLimits,
        stop: &AtomicBool,
    ) -> Option<(Move, usize)> {
        let history = History::new(position);
        let mut attempt = Attempt::new(&self.table, position, &history, limits, stop, |_| {});
        let odd = plies.checked_sub(1)? | 1;
        let result = attempt.search(position, u16::try_from(odd).unwrap_or(UNLIMITED).min(UNLIMITED));
        result.mv.filter(|_| result.is_proven()).map(|mv| (mv, result.length.into()))
    }

    /// What becomes of a problem when another move is played than the one of the solution: every other check, as long as
    /// it mates too or that is not known. A problem's solution is unique where there is none. The limits are for each.
    pub fn rivals(&mut self, position: &Position, solution: Move, limits: MateLimits, stop: &AtomicBool) -> Vec<Rival> {
        let history = History::new(position);
        let others = position.moves(Stage::Checks).into_iter().filter(|&mv| mv != solution);
        let rival = |mv: Move| {
            let mut attempt = Attempt::new(&self.table, position, &history, limits, stop, |_| {});
            let result = attempt.search(&position.after(mv), UNLIMITED);
            let plies = result.is_proven().then(|| usize::from(result.length) + 1);
            (!result.is_disproven()).then_some(Rival { mv, plies })
        };
        others.filter_map(rival).collect()
    }
}

/// One problem and what is spent on it.
struct Attempt<'a, R> {
    table: &'a Table,
    search: Search<'a>,
    position: &'a Position,
    limits: MateLimits,
    started: Instant,
    deadline: Option<Instant>,
    report: R,
}

impl<'a, R: FnMut(Progress)> Attempt<'a, R> {
    fn new(
        table: &'a Table,
        position: &'a Position,
        history: &History,
        limits: MateLimits,
        stop: &'a AtomicBool,
        report: R,
    ) -> Attempt<'a, R> {
        let rule = limits.impasse.filter(|&(rule, plies)| rule.may_end_within(QUIET_PLIES_OF_A_MATE, history, plies));
        let search = Search::new(table, position.side_to_move(), stop)
            .with_ended(history.stood_thrice())
            .with_impasse(rule.map(|(rule, _)| rule));
        let started = Instant::now();
        let deadline = limits.time.and_then(|time| started.checked_add(time));
        Attempt { table, search, position, limits, started, deadline, report }
    }

    fn answer(mut self) -> Answer {
        let result = self.search(self.position, UNLIMITED);
        let line = result.is_proven().then(|| self.follow(result.length)).flatten();
        let Some(line) = line else {
            self.tell(&result, None);
            return if result.is_disproven() { Answer::NoMate } else { Answer::Unknown };
        };
        let solution = self.shorten(result.length, line);
        self.tell(&result, Some(solution.moves.len()));
        debug_assert!(replays_to_mate(self.position, &solution.moves));
        Answer::Mate(solution)
    }

    /// The shortest mate that can be found, when one within `length` plies is known.
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
            let Some(shorter) = shorter else { return Solution { moves, shortest: false } };
            self.tell(&result, Some(result.length.into()));
            (moves, length) = (shorter, result.length);
        }
        // Without the longest resistance the length of the line would say nothing.
        match self.longest_resistance(length) {
            Some(moves) => Solution { moves, shortest: true },
            None => Solution { moves, shortest: false },
        }
    }

    /// Searches in slices, with a report after each.
    fn search(&mut self, position: &Position, limit: u16) -> SearchResult {
        let deadline = self.deadline;
        loop {
            let slice = self.search.nodes + REPORT_INTERVAL;
            let nodes = self.limits.nodes.map_or(slice, |most| most.min(slice));
            let result = self.search.solve(position, limit, Budget { nodes: Some(nodes), deadline });
            if result.is_final() || self.search.nodes < slice {
                return result;
            }
            self.tell(&result, None);
        }
    }

    fn tell(&mut self, result: &SearchResult, mate: Option<usize>) {
        let SearchResult { proof, disproof, .. } = *result;
        let (nodes, time, hashfull) = (self.search.nodes, self.started.elapsed(), self.table.hashfull());
        (self.report)(Progress { nodes, time, proof, disproof, hashfull, mate });
    }

    /// The line that the table's proofs make, within so many plies. The defender's replies are those that the proofs put
    /// off longest.
    fn follow(&mut self, mut left: u16) -> Option<Vec<Move>> {
        let (mut position, mut moves) = (self.position.clone(), Vec::new());
        loop {
            let result = self.search(&position, left);
            let mv = result.mv.filter(|_| result.is_proven())?;
            moves.push(mv);
            position.play_unchecked(mv);
            let mut longest: Option<(u16, Move)> = None;
            for reply in replies(&position) {
                let result = self.search(&position.after(reply), result.length.checked_sub(2)?);
                if !result.is_proven() {
                    return None;
                }
                if longest.is_none_or(|(length, _)| result.length > length) {
                    longest = Some((result.length, reply));
                }
            }
            let Some((length, reply)) = longest else { break };
            moves.push(reply);
            position.play_unchecked(reply);
            left = length;
        }
        replays_to_mate(self.position, &moves).then_some(moves)
    }

    /// The line of a mate in exactly `length` plies in which each reply of the defender puts it off as long as any.
    fn longest_resistance(&mut self, length: u16) -> Option<Vec<Move>> {
        let (mut position, mut moves) = (self.position.clone(), Vec::new());
        for left in (1..=length).rev().step_by(2) {
            let result = self.search(&position, left);
            let mv = result.mv.filter(|_| result.is_proven())?;
            moves.push(mv);
            position.play_unchecked(mv);
            if left > 1 {
                let reply = self.longest_reply(&position, left - 1)?;
                moves.push(reply);
                position.play_unchecked(reply);
            }
        }
        replays_to_mate(self.position, &moves).then_some(moves)
    }

    /// A reply after which the mate takes all of the `left` plies.
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

/// The defender's moves. A piece that is only put in the way says less than a move that does something: drops come last.
fn replies(position: &Position) -> MoveList {
    let mut replies = position.legal_moves();
    replies.sort_by_key(|mv| mv.is_drop());
    replies
}

impl Solution {
    /// The plies of the mate as players count them: without useless interpositions (muda-ai) at its end. These are pieces
    /// dropped in the way of a check from afar that the checking piece just takes, with mate again.
    pub fn plies(&self, start: &Position) -> usize {
        let mut positions = vec![start.clone()];
        for &mv in &self.moves {
            let next = positions[positions.len() - 1].after(mv);
            positions.push(next);
        }
        let mut plies = self.moves.len();
        while let [.., check, interposed, taken] = self.moves[..plies] {
            let defending = &positions[plies - 2];
            let checker = defending.checkers().first().filter(|_| !defending.checkers().many());
            let between = checker
                .is_some_and(|checker| between(defending.king(defending.side_to_move()), checker).has(interposed.to()));
            let useless = interposed.is_drop() && between && taken.to() == interposed.to() && taken.from() == checker;
            if !useless || check == taken {
                break;
            }
            plies -= 2;
        }
        plies
    }
}
