//! The searches behind a review.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::course::Course;
use super::marks::MoveMark;
use super::mates::{short_mate, still_mates};
use super::pace::Pace;
use super::values::{before_reaching, is_decided, value_of};
use super::{Budget, MoveReview, Progress, Review, Reviewer, summary, win_chance};
use crate::mate::Solver;
use crate::parallel;
use crate::record::Record;
use crate::score::Score;
use crate::search::score::RULE_WIN;
use crate::search::see::see_at_least;
use crate::search::{Limits, Pool, PoolError, Settings};
use crate::shogi::{Color, EndReason, Move};
use crate::work::{ThreadPool, thread_pool};

/// The stack size of a thread in bytes: the mate solver recurses.
const STACK_SIZE: usize = 4 << 20;

/// The size of each thread's mate solver table, in MiB.
const SOLVER_HASH: usize = 16;

/// The first look at every position, as a multiple of the budget.
const FIRST: u64 = 1;
/// A second look at the positions around a move that may be a mistake, or that was misjudged.
const SECOND: u64 = 4;
/// A third look at moves that are still in doubt.
const THIRD: u64 = 20;

/// The work of a first look, in units of [`Task::cost`].
const FIRST_COST: u64 = 10;
/// The expected work of all looks per position, in first looks: the mean of 20 games was 9.8.
const EXPECTED: u64 = 10;

/// The least change of the winning chance that gets a second look. In seven games two of 41 blunders looked harmless in
/// a first look; with this threshold none did.
const SUSPICIOUS: f64 = 0.03;
/// Changes of the winning chance that get a third look, because their mark is in doubt. For moves that lost more,
/// searches with 20 times the nodes always agreed.
const DOUBTFUL: std::ops::Range<f64> = 0.06..0.6;

/// A move that gives up this much, in centipawns, is a sacrifice.
const SACRIFICE: i32 = 200;

/// The least loss of the second best move if the best one is an only move.
const ONLY: f64 = 0.2;

/// The winning chances at which an only move is worth mentioning.
const CONTESTED: std::ops::Range<f64> = 0.25..0.95;

/// The shares of the time at which the stages of a review end. Only the first look continues after its end, since every
/// position needs it.
const MATES_BY: f64 = 0.15;
const FIRST_BY: f64 = 0.35;
const SECOND_BY: f64 = 0.65;
const THIRD_BY: f64 = 0.92;
const ALL_BY: f64 = 0.98;

/// The multiple of its share of the time that a mate search may take: most end at once.
const PATIENCE: u32 = 8;

/// Longer times are capped at this one, some 30 years.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// The known result for a position, from the point of view of the side to move.
#[derive(Clone)]
struct Found {
    score: Score,
    /// The best line; empty where the game is over.
    line: Vec<Move>,
    /// The multiple of the budget with which it was searched; the maximum for a proven result.
    effort: u64,
}

/// A task for a thread.
enum Task {
    /// Find the score of a position, with a multiple of the budget.
    Search { index: usize, effort: u64 },
    /// Find a short mate in a position.
    Mate { index: usize },
    /// Find out whether the move played from a position mates as well.
    StillMates { index: usize },
    /// Find the best move besides the one played.
    SecondBest { index: usize },
}

enum TaskResult {
    Found(Option<Found>),
    Mate(Option<Vec<Move>>),
    StillMates(bool),
}

/// The searchers of a thread.
struct Tools {
    pool: Pool,
    solver: Solver,
}

pub(super) struct Analysis<'a> {
    reviewer: &'a Reviewer,
    stop: &'a AtomicBool,
    progress: &'a (dyn Fn(Progress) + Sync),
    threads: ThreadPool,
    course: Course,
    tools: Vec<Mutex<Option<Tools>>>,
    started: Instant,
    found: Vec<Option<Found>>,
    done: AtomicU64,
    total: u64,
    /// The expected work of later looks.
    expected: u64,
}

impl Reviewer {
    /// Reviews the main line of a record. `stop` ends it early; the moves reviewed so far are kept.
    ///
    /// `progress` is called from several threads.
    ///
    /// # Errors
    /// [`PoolError`] if the system lacks threads or memory.
    pub fn review(
        &self,
        record: &Record,
        stop: &AtomicBool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Review, PoolError> {
        Analysis::new(self, record, stop, progress)?.run()
    }
}

impl<'a> Analysis<'a> {
    pub(super) fn new(
        reviewer: &'a Reviewer,
        record: &Record,
        stop: &'a AtomicBool,
        progress: &'a (dyn Fn(Progress) + Sync),
    ) -> Result<Analysis<'a>, PoolError> {
        let course = Course::of(record, reviewer.impasse_rule);
        let threads = thread_pool(reviewer.threads, STACK_SIZE)?;
        Ok(Analysis {
            reviewer,
            stop,
            progress,
            tools: (0..threads.current_num_threads()).map(|_| Mutex::new(None)).collect(),
            threads,
            found: vec![None; course.positions.len()],
            course,
            started: Instant::now(),
            done: AtomicU64::new(0),
            total: 0,
            expected: 0,
        })
    }

    pub(super) fn run(mut self) -> Result<Review, PoolError> {
        let mates = (0..self.course.moves.len()).map(|index| Task::Mate { index });
        let mates = self.ask(mates.collect(), MATES_BY)?;
        let mates: Vec<Option<Vec<Move>>> = mates.into_iter().map(|answer| answer.and_then(TaskResult::mate)).collect();

        self.expected = EXPECTED * FIRST_COST * self.found.len() as u64;
        let all = (0..self.found.len()).rev().map(|index| Task::Search { index, effort: FIRST }).collect();
        self.search(all, FIRST_BY)?;
        self.look_again(SECOND, SECOND_BY, |change| change >= SUSPICIOUS)?;
        self.look_again(THIRD, THIRD_BY, |change| DOUBTFUL.contains(&change))?;

        self.expected = 0;
        let missed = self.missed_mates(mates)?;
        let only = self.only_moves()?;
        Ok(self.review(missed, only))
    }

    /// Searches around the wanted changes with more effort. A new score may reveal a change at a neighbouring move, so
    /// repeat until there is none.
    fn look_again(&mut self, effort: u64, by: f64, wanted: impl Fn(f64) -> bool) -> Result<(), PoolError> {
        loop {
            let tasks = self.around(effort, &wanted);
            let is_late = self.end_of_stage(by).is_some_and(|end| end <= Instant::now());
            if tasks.is_empty() || is_late || self.is_stopped() {
                return Ok(());
            }
            self.search(tasks, by)?;
        }
    }

    /// The searches of the positions before and after the moves with such a change of the winning chance.
    fn around(&self, effort: u64, wanted: impl Fn(f64) -> bool) -> Vec<Task> {
        let mut positions: Vec<usize> = (0..self.course.moves.len())
            .filter(|&index| self.change(index).is_some_and(&wanted))
            .flat_map(|index| [index, index + 1])
            .filter(|&index| self.found[index].as_ref().is_some_and(|found| found.effort < effort))
            .collect();
        positions.dedup();
        positions.into_iter().map(|index| Task::Search { index, effort }).collect()
    }

    /// The difference in winning chance between the searches before and after a move. For a best move it shows that a
    /// search has missed something, for any other move perhaps a mistake.
    fn change(&self, index: usize) -> Option<f64> {
        let (before, after) = (self.found[index].as_ref()?, self.found[index + 1].as_ref()?);
        Some((win_chance(before.score) - (1.0 - win_chance(after.score))).abs())
    }

    /// Searches positions, and stores the results.
    fn search(&mut self, tasks: Vec<Task>, by: f64) -> Result<(), PoolError> {
        let indices: Vec<usize> = tasks.iter().map(Task::index).collect();
        let answers = self.ask(tasks, by)?;
        for (index, answer) in indices.into_iter().zip(answers) {
            if let Some(TaskResult::Found(Some(found))) = answer {
                self.found[index] = Some(found);
            }
        }
        Ok(())
    }

    /// The mates that players had but did not play.
    fn missed_mates(&mut self, mates: Vec<Option<Vec<Move>>>) -> Result<Vec<Option<Vec<Move>>>, PoolError> {
        let lost_sight = |index: usize, mate: &[Move]| {
            let mated = self.found[index + 1].as_ref().is_some_and(|after| matches!(after.score, Score::Mate(..=0)));
            let won = self.course.result(index + 1).is_some_and(|result| result.winner == Some(self.mover(index)));
            mate[0] != self.course.moves[index] && !mated && !won
        };
        let mut missed: Vec<Option<Vec<Move>>> =
            (0..).zip(mates).map(|(index, mate)| mate.filter(|mate| lost_sight(index, mate))).collect();
        let indices: Vec<usize> = (0..missed.len()).filter(|&index| missed[index].is_some()).collect();
        let tasks = indices.iter().map(|&index| Task::StillMates { index }).collect();
        for (index, answer) in indices.into_iter().zip(self.ask(tasks, ALL_BY)?) {
            if !matches!(answer, Some(TaskResult::StillMates(false))) {
                missed[index] = None;
            }
        }
        Ok(missed)
    }

    /// The moves that were the only good ones.
    fn only_moves(&mut self) -> Result<Vec<Option<MoveMark>>, PoolError> {
        let contested = |index: usize| {
            let chance = self.found[index].as_ref().map(|found| win_chance(found.score));
            // A recapture is obvious.
            let moves = &self.course.moves;
            let recaptures = index > 0 && moves[index].to() == moves[index - 1].to();
            self.is_best(index) && !recaptures && chance.is_some_and(|chance| CONTESTED.contains(&chance))
        };
        let indices: Vec<usize> = (0..self.course.moves.len()).filter(|&index| contested(index)).collect();
        let tasks = indices.iter().map(|&index| Task::SecondBest { index }).collect();
        let answers = self.ask(tasks, ALL_BY)?;
        let mut marks = vec![None; self.course.moves.len()];
        for (index, answer) in indices.into_iter().zip(answers) {
            let (Some(TaskResult::Found(Some(second))), Some(best)) = (answer, &self.found[index]) else { continue };
            if win_chance(best.score) - win_chance(second.score) < ONLY {
                continue;
            }
            let sacrifices = !see_at_least(&self.course.positions[index], self.course.moves[index], -SACRIFICE);
            marks[index] = Some(if sacrifices { MoveMark::Brilliant } else { MoveMark::Only });
        }
        Ok(marks)
    }

    /// Answers tasks on all threads. With a time budget they end by this share of it; tasks that have not begun by then
    /// are skipped, except for first looks.
    fn ask(&mut self, tasks: Vec<Task>, by: f64) -> Result<Vec<Option<TaskResult>>, PoolError> {
        let cost = tasks.iter().map(Task::cost).sum();
        self.total += cost;
        self.expected = self.expected.saturating_sub(cost);
        let this = &*self;
        let pace = self.end_of_stage(by).map(|end| Pace::new(end, self.threads.current_num_threads(), tasks.len()));
        parallel::map(&self.threads, &self.tools, &tasks, self.stop, |tools, task| {
            let tools = match tools {
                Some(tools) => tools,
                none => none.insert(this.new_tools()?),
            };
            let time = pace.as_ref().map(|pace| pace.next(task.patience()));
            let is_late = time.is_some_and(|time| time.is_zero()) && !task.is_first_look();
            let answer = (!is_late).then(|| this.answer(task, time, tools));
            let done = this.done.fetch_add(task.cost(), Ordering::Relaxed) + task.cost();
            (this.progress)(Progress { done, total: this.total + this.expected });
            // Discard the result of an interrupted search.
            Ok(answer.filter(|_| !this.is_stopped()))
        })
    }

    /// The tools of a thread, for its first task.
    fn new_tools(&self) -> Result<Tools, PoolError> {
        let hash = match self.reviewer.budget {
            Budget::Nodes(_) => self.reviewer.hash,
            // Clearing a large table takes longer than a short search, which fills no more than this.
            Budget::Time(time) => self.reviewer.hash.min(1 + self.share(time).as_millis() as usize / 2),
        };
        Ok(Tools { pool: Pool::new(1, hash)?, solver: Solver::new(SOLVER_HASH)? })
    }

    /// The end of the stage with this share of the time; none with a node budget.
    fn end_of_stage(&self, by: f64) -> Option<Instant> {
        match self.reviewer.budget {
            Budget::Nodes(_) => None,
            Budget::Time(time) => self.started.checked_add(time.min(LONGEST).mul_f64(by)),
        }
    }

    /// Answers a task, within `time` if it is limited.
    fn answer(&self, task: &Task, time: Option<Duration>, tools: &mut Tools) -> TaskResult {
        match *task {
            Task::Search { index, effort } => {
                let over = self.course.result(index).map(|result| Found {
                    score: value_of(&result, self.course.positions[index].side_to_move()),
                    line: Vec::new(),
                    effort: u64::MAX,
                });
                TaskResult::Found(over.or_else(|| {
                    let mut found = self.found(index, effort, time, Vec::new(), tools)?;
                    if self.course.may_declare(index) && i32::from(found.score) < RULE_WIN {
                        found.score = Score::Centipawns(RULE_WIN);
                    }
                    Some(found)
                }))
            }
            Task::Mate { index } => {
                let limits = self.course.mate_limits(index, time);
                TaskResult::Mate(short_mate(&self.course.root(index), limits, &mut tools.solver, self.stop))
            }
            Task::StillMates { index } => {
                let limits = self.course.mate_limits(index, time);
                TaskResult::StillMates(still_mates(self.course.root(index + 1), limits, &mut tools.solver, self.stop))
            }
            Task::SecondBest { index } => {
                let mut others: Vec<Move> = self.course.positions[index].legal_moves().into_iter().collect();
                others.retain(|&mv| mv != self.course.moves[index]);
                let found = if others.is_empty() { None } else { self.found(index, FIRST, time, others, tools) };
                TaskResult::Found(found)
            }
        }
    }

    /// Searches a position with an empty table, so that the result does not depend on the thread's earlier work.
    fn found(
        &self,
        index: usize,
        effort: u64,
        most: Option<Duration>,
        searchmoves: Vec<Move>,
        tools: &mut Tools,
    ) -> Option<Found> {
        let root = self.course.root(index);
        let limits = match self.reviewer.budget {
            Budget::Nodes(nodes) => {
                Limits { nodes: Some(nodes.saturating_mul(effort)), searchmoves, ..Limits::default() }
            }
            Budget::Time(time) => {
                let share = self.share(time).saturating_mul(effort as u32);
                Limits { movetime: Some(most.map_or(share, |most| most.min(share))), searchmoves, ..Limits::default() }
            }
        };
        tools.pool.clear();
        let settings = Settings { network_delay: Duration::ZERO, ..self.course.settings(index) };
        let mut line = Vec::new();
        let outcome = tools.pool.search(&root, &limits, &settings, None, self.stop, &mut |report| line = report.pv);
        let best = outcome.best?;
        if line.first() != Some(&best) {
            line = vec![best];
        }
        Some(Found { score: outcome.score.into(), line, effort })
    }

    /// The time for the first look at a position. All looks together take [`EXPECTED`] times as long.
    fn share(&self, time: Duration) -> Duration {
        let looks = EXPECTED as f64 * self.found.len() as f64;
        time.min(LONGEST).mul_f64(self.threads.current_num_threads() as f64 / looks)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn mover(&self, index: usize) -> Color {
        self.course.positions[index].side_to_move()
    }

    fn is_best(&self, index: usize) -> bool {
        self.found[index].as_ref().is_some_and(|found| found.line.first() == Some(&self.course.moves[index]))
    }

    /// The score before a move for the player who made it, and the rule that decides it.
    fn before(&self, index: usize) -> Option<(Score, Option<EndReason>)> {
        let (before, reached) = (self.found[index].as_ref()?, self.found[index + 1].as_ref()?.score);
        // A move that is better than the best move found was the best.
        let better = self.is_best(index) || 1.0 - win_chance(reached) > win_chance(before.score);
        Some(match better && !self.course.may_declare(index) {
            true => (before_reaching(reached), self.decided_by(index + 1)),
            false => (before.score, self.decided_by(index)),
        })
    }

    /// The rule other than mate that decides a position, if its score says that a rule does.
    fn decided_by(&self, index: usize) -> Option<EndReason> {
        let found = self.found[index].as_ref().filter(|found| is_decided(found.score))?;
        if let Some(result) = self.course.result(index) {
            return Some(result.reason);
        }
        match self.course.may_declare(index) && found.score == Score::Centipawns(RULE_WIN) {
            true => Some(EndReason::Declaration),
            false => self.course.decided_by(index, &found.line),
        }
    }

    /// The loss of winning chance by a move.
    fn loss(&self, index: usize) -> Option<f64> {
        let reached = self.found[index + 1].as_ref()?.score;
        self.before(index).map(|(before, _)| win_chance(before) - (1.0 - win_chance(reached)))
    }

    fn review(self, missed: Vec<Option<Vec<Move>>>, only: Vec<Option<MoveMark>>) -> Review {
        let moves: Vec<MoveReview> = missed
            .into_iter()
            .zip(only)
            .enumerate()
            .map(|(index, (missed_mate, only))| {
                let (before, loss, end) = (self.before(index), self.loss(index), self.course.end(index + 1));
                let reached = self.found[index + 1].as_ref().filter(|_| end.is_none_or(|end| end.played_on));
                MoveReview {
                    ply: index + 1,
                    node: self.course.nodes[index],
                    position: self.course.positions[index].clone(),
                    mv: self.course.moves[index],
                    before: before.map(|(score, _)| score),
                    before_rule: before.and_then(|(_, rule)| rule),
                    // Show the score after a move only once the position before it has been searched too.
                    after: before.and(reached).map(|reached| -reached.score),
                    after_rule: reached.and_then(|_| self.decided_by(index + 1)),
                    end,
                    best: self.found[index].as_ref().map(|found| found.line.clone()).unwrap_or_default(),
                    loss,
                    mark: loss.and_then(MoveMark::of_loss).or(only),
                    missed_mate,
                    missed_declaration: self.course.may_declare(index),
                }
            })
            .collect();
        let chances = (self.course.positions.iter().zip(&self.found))
            .map(|(position, found)| {
                let chance = win_chance(found.as_ref()?.score);
                Some(if position.side_to_move() == Color::Black { chance } else { 1.0 - chance })
            })
            .collect();
        Review {
            players: Color::ALL.map(|color| summary::PlayerSummary::of(&moves, color)),
            turning_points: summary::turning_points(&moves),
            complete: self.found.iter().all(Option::is_some) && !self.is_stopped(),
            moves,
            chances,
        }
    }
}

impl Task {
    fn index(&self) -> usize {
        match *self {
            Task::Search { index, .. }
            | Task::Mate { index }
            | Task::StillMates { index }
            | Task::SecondBest { index } => index,
        }
    }

    fn is_first_look(&self) -> bool {
        matches!(self, Task::Search { effort: FIRST, .. })
    }

    /// The multiple of its share of the time that it may take.
    fn patience(&self) -> u32 {
        match self {
            Task::Mate { .. } | Task::StillMates { .. } => PATIENCE,
            Task::Search { .. } | Task::SecondBest { .. } => 1,
        }
    }

    /// The work, in tenths of a first look.
    fn cost(&self) -> u64 {
        match *self {
            Task::Search { effort, .. } => FIRST_COST * effort,
            Task::SecondBest { .. } => FIRST_COST,
            Task::Mate { .. } => 1,
            Task::StillMates { .. } => 2,
        }
    }
}

impl TaskResult {
    fn mate(self) -> Option<Vec<Move>> {
        if let TaskResult::Mate(mate) = self { mate } else { None }
    }
}
