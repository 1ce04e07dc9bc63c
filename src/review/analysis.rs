//! The searches behind a review.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::marks::MoveMark;
use super::mates::{short_mate, still_mates};
use super::tools::Tools;
use super::{Budget, MoveReview, Progress, Review, ReviewError, Reviewer, summary, win_chance};
use crate::parallel;
use crate::record::{NodeId, Record};
use crate::score::Score;
use crate::search::see::see_at_least;
use crate::search::{Clock, Limits, Root, Settings};
use crate::shogi::impasse::may_declare;
use crate::shogi::{Color, DEFAULT_IMPASSE_PLIES, Game, History, ImpasseRule, Move, Position};

/// The first look at every position, as a multiple of the budget.
const FIRST: u64 = 1;
/// A second look at the positions around a move that may have been a mistake, or that was misjudged.
const SECOND: u64 = 4;
/// A third look where it is still in doubt.
const THIRD: u64 = 20;

/// The work of a first look, as [`Task::cost`] counts it.
const FIRST_COST: u64 = 10;
/// The work of all looks at a position of a game, in first looks: the mean of 20 games was 9.8.
const EXPECTED: u64 = 10;

/// The least change of the chance to win that gets a second look. In seven games two of 41 blunders looked harmless from a
/// first look; none did with this.
const SUSPICIOUS: f64 = 0.03;
/// Changes that get a third look: a mark is in doubt. Of what lost more, no search with 20 times the nodes thought
/// differently.
const DOUBTFUL: std::ops::Range<f64> = 0.06..0.6;

/// A move that gives up this much, in centipawns, is a sacrifice.
const SACRIFICE: i32 = 200;

/// What the second best move must lose against an only move.
const ONLY: f64 = 0.2;

/// The chances to win at which an only move is worth a word.
const CONTESTED: std::ops::Range<f64> = 0.25..0.95;

/// What is known of a position, from the point of view of the side to move.
#[derive(Clone)]
struct Found {
    score: Score,
    /// The best line; empty where the game is over.
    line: Vec<Move>,
    /// The multiple of the budget that it was searched with; the greatest for what is proven.
    effort: u64,
}

/// What is asked of a thread.
enum Task {
    /// The score of a position, with a multiple of the budget.
    Search { index: usize, effort: u64 },
    /// A short mate in a position.
    Mate { index: usize },
    /// Whether the move that was played from a position mates all the same.
    StillMates { index: usize },
    /// The best move besides the one that was played.
    SecondBest { index: usize },
}

/// What comes back.
enum Answer {
    Found(Option<Found>),
    Mate(Option<Vec<Move>>),
    StillMates(bool),
}

/// A review under way.
pub(super) struct Analysis<'a> {
    reviewer: &'a Reviewer,
    threads: ThreadPool,
    settings: Settings,
    nodes: Vec<NodeId>,
    /// The positions before each move, and after the last. Their histories together would be quadratic in the length of
    /// the game: each is made when it is needed.
    positions: Vec<Position>,
    /// What the rules say of the positions in which the game is over.
    over: Vec<Option<Found>>,
    moves: Vec<Move>,
    found: Vec<Option<Found>>,
    done: AtomicU64,
    total: u64,
    /// Work that later looks will probably take.
    expected: u64,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(reviewer: &'a Reviewer, record: &Record) -> Result<Analysis<'a>, ReviewError> {
        let rule = record.header.impasse.map_or(reviewer.impasse_rule, |impasse| impasse.rule);
        let plies = record.header.impasse.map_or(DEFAULT_IMPASSE_PLIES, |impasse| impasse.plies);
        let nodes: Vec<NodeId> = record.main_line().filter(|&node| node != NodeId::ROOT).collect();
        let moves: Vec<Move> = record.main_moves().collect();
        let mut game = Game::new(record.start().clone()).with_impasse(rule, plies);
        let mut positions = vec![game.position().clone()];
        let mut over = vec![game_over(&game)];
        for &mv in &moves {
            game.play(mv).expect("the moves of a record are legal");
            positions.push(game.position().clone());
            over.push(game_over(&game));
        }
        Ok(Analysis {
            reviewer,
            threads: ThreadPoolBuilder::new().num_threads(reviewer.threads).build()?,
            settings: Settings { impasse_rule: rule, impasse_plies: plies, ..Settings::default() },
            nodes,
            found: vec![None; positions.len()],
            positions,
            over,
            moves,
            done: AtomicU64::new(0),
            total: 0,
            expected: 0,
        })
    }

    pub(super) fn run(
        mut self,
        stop: &AtomicBool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Review, ReviewError> {
        let mates = (0..self.moves.len()).map(|index| Task::Mate { index });
        let mates = self.ask(mates.collect(), stop, progress)?;
        let mates: Vec<Option<Vec<Move>>> = mates.into_iter().map(|answer| answer.and_then(Answer::mate)).collect();

        self.expected = EXPECTED * FIRST_COST * self.positions.len() as u64;
        let all = (0..self.positions.len()).rev().map(|index| Task::Search { index, effort: FIRST }).collect();
        self.search(all, stop, progress)?;
        self.look_again(SECOND, |change| change >= SUSPICIOUS, stop, progress)?;
        self.look_again(THIRD, |change| DOUBTFUL.contains(&change), stop, progress)?;

        self.expected = 0;
        let missed = self.missed_mates(mates, stop, progress)?;
        let only = self.only_moves(stop, progress)?;
        Ok(self.review(missed, only))
    }

    /// Searches around wanted changes with more effort. A new score may bring a change to light at the move beside it: that
    /// goes on until there is none.
    fn look_again(
        &mut self,
        effort: u64,
        wanted: impl Fn(f64) -> bool,
        stop: &AtomicBool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<(), ReviewError> {
        loop {
            let tasks = self.around(effort, &wanted);
            if tasks.is_empty() || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            self.search(tasks, stop, progress)?;
        }
    }

    /// The searches of the positions before and after the moves at which the chance to win changes like this.
    fn around(&self, effort: u64, wanted: impl Fn(f64) -> bool) -> Vec<Task> {
        let mut positions: Vec<usize> = (0..self.moves.len())
            .filter(|&index| self.change(index).is_some_and(&wanted))
            .flat_map(|index| [index, index + 1])
            .filter(|&index| self.found[index].as_ref().is_some_and(|found| found.effort < effort))
            .collect();
        positions.dedup();
        positions.into_iter().map(|index| Task::Search { index, effort }).collect()
    }

    /// How far the searches before and after a move are apart in the chance to win. At a best move that tells of a search
    /// that has missed something, at any other perhaps of a mistake.
    fn change(&self, index: usize) -> Option<f64> {
        let (before, after) = (self.found[index].as_ref()?, self.found[index + 1].as_ref()?);
        Some((win_chance(before.score) - win_chance(negated(after.score))).abs())
    }

    /// Searches positions, and keeps what was found.
    fn search(
        &mut self,
        tasks: Vec<Task>,
        stop: &AtomicBool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<(), ReviewError> {
        let indices: Vec<usize> = tasks.iter().map(Task::index).collect();
        let answers = self.ask(tasks, stop, progress)?;
        for (index, answer) in indices.into_iter().zip(answers) {
            if let Some(Answer::Found(Some(found))) = answer {
                self.found[index] = Some(found);
            }
        }
        Ok(())
    }

    /// Of the mates that players had, those that they did not go for.
    fn missed_mates(
        &mut self,
        mates: Vec<Option<Vec<Move>>>,
        stop: &AtomicBool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<Option<Vec<Move>>>, ReviewError> {
        let lost_sight = |index: usize, mate: &[Move]| {
            let mated = self.found[index + 1].as_ref().is_some_and(|after| matches!(after.score, Score::Mate(..=0)));
            mate[0] != self.moves[index] && !mated
        };
        let mut missed: Vec<Option<Vec<Move>>> =
            (0..).zip(mates).map(|(index, mate)| mate.filter(|mate| lost_sight(index, mate))).collect();
        let indices: Vec<usize> = (0..missed.len()).filter(|&index| missed[index].is_some()).collect();
        let tasks = indices.iter().map(|&index| Task::StillMates { index }).collect();
        for (index, answer) in indices.into_iter().zip(self.ask(tasks, stop, progress)?) {
            if !matches!(answer, Some(Answer::StillMates(false))) {
                missed[index] = None;
            }
        }
        Ok(missed)
    }

    /// The moves that were the only good ones.
    fn only_moves(
        &mut self,
        stop: &AtomicBool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<Option<MoveMark>>, ReviewError> {
        let contested = |index: usize| {
            let chance = self.found[index].as_ref().map(|found| win_chance(found.score));
            // Everybody sees a recapture.
            let recaptures = index > 0 && self.moves[index].to() == self.moves[index - 1].to();
            self.is_best(index) && !recaptures && chance.is_some_and(|chance| CONTESTED.contains(&chance))
        };
        let indices: Vec<usize> = (0..self.moves.len()).filter(|&index| contested(index)).collect();
        let tasks = indices.iter().map(|&index| Task::SecondBest { index }).collect();
        let answers = self.ask(tasks, stop, progress)?;
        let mut marks = vec![None; self.moves.len()];
        for (index, answer) in indices.into_iter().zip(answers) {
            let (Some(Answer::Found(Some(second))), Some(best)) = (answer, &self.found[index]) else { continue };
            if win_chance(best.score) - win_chance(second.score) < ONLY {
                continue;
            }
            let sacrifices = !see_at_least(&self.positions[index], self.moves[index], -SACRIFICE);
            marks[index] = Some(if sacrifices { MoveMark::Brilliant } else { MoveMark::Only });
        }
        Ok(marks)
    }

    /// Answers tasks on all threads.
    fn ask(
        &mut self,
        tasks: Vec<Task>,
        stop: &AtomicBool,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<Option<Answer>>, ReviewError> {
        let cost = tasks.iter().map(Task::cost).sum();
        self.total += cost;
        self.expected = self.expected.saturating_sub(cost);
        let this = &*self;
        let tools = |_| Tools::new(self.reviewer.hash);
        parallel::map(&self.threads, &tasks, stop, tools, |tools, task| {
            let answer = this.answer(task, tools, stop);
            let done = this.done.fetch_add(task.cost(), Ordering::Relaxed) + task.cost();
            progress(Progress { done, total: this.total + this.expected });
            // What was stopped halfway does not count.
            Ok((!stop.load(Ordering::Relaxed)).then_some(answer))
        })
    }

    fn answer(&self, task: &Task, tools: &mut Tools, stop: &AtomicBool) -> Answer {
        match *task {
            Task::Search { index, effort } => {
                let found = self.over[index].clone();
                Answer::Found(found.or_else(|| self.found(index, effort, Vec::new(), tools, stop)))
            }
            Task::Mate { index } => Answer::Mate(short_mate(&self.root(index), &mut tools.solver, stop)),
            Task::StillMates { index } => {
                Answer::StillMates(still_mates(self.root(index + 1), &mut tools.solver, stop))
            }
            Task::SecondBest { index } => {
                let mut others: Vec<Move> = self.positions[index].legal_moves().into_iter().collect();
                others.retain(|&mv| mv != self.moves[index]);
                let found = if others.is_empty() { None } else { self.found(index, FIRST, others, tools, stop) };
                Answer::Found(found)
            }
        }
    }

    /// A position with its history.
    fn root(&self, index: usize) -> Root {
        let mut history = History::new(&self.positions[0]);
        for (pair, &mv) in self.positions[..=index].windows(2).zip(&self.moves) {
            history.push(&pair[0], mv, &pair[1]);
        }
        Root { position: self.positions[index].clone(), history }
    }

    /// Searches a position in an empty table, so that the result does not depend on what the thread did before.
    fn found(
        &self,
        index: usize,
        effort: u64,
        searchmoves: Vec<Move>,
        tools: &mut Tools,
        stop: &AtomicBool,
    ) -> Option<Found> {
        let root = self.root(index);
        let limits = match self.reviewer.budget {
            Budget::Nodes(nodes) => {
                Limits { nodes: Some(nodes.saturating_mul(effort)), searchmoves, ..Limits::default() }
            }
            Budget::Time(time) => {
                Limits { movetime: Some(self.share(time) * effort as u32), searchmoves, ..Limits::default() }
            }
        };
        tools.pool.clear();
        let clock = Clock::new(&limits, &self.settings, root.position.side_to_move());
        let mut line = Vec::new();
        let outcome = tools.pool.install(|| {
            tools.pool.search(&root, &limits, &self.settings, &clock, stop, &mut |report| line = report.pv)
        });
        let best = outcome.best?;
        if line.first() != Some(&best) {
            line = vec![best];
        }
        Some(Found { score: outcome.score.into(), line, effort })
    }

    /// The time for the first look at a position. All looks together take [`EXPECTED`] times as long.
    fn share(&self, time: Duration) -> Duration {
        time * self.threads.current_num_threads() as u32 / (EXPECTED as u32 * self.positions.len() as u32)
    }

    fn is_best(&self, index: usize) -> bool {
        self.found[index].as_ref().is_some_and(|found| found.line.first() == Some(&self.moves[index]))
    }

    /// The scores before and after a move, for the player who made it.
    fn scores(&self, index: usize) -> Option<(Score, Score)> {
        let (before, after) = (self.found[index].as_ref()?, self.found[index + 1].as_ref()?);
        let (reached, after) = (after.score, negated(after.score));
        // A move that turns out better than the best that was seen was the best.
        let better = self.is_best(index) || win_chance(after) > win_chance(before.score);
        Some((if better { before_reaching(reached) } else { before.score }, after))
    }

    /// What a move lost of the chance to win.
    fn loss(&self, index: usize) -> Option<f64> {
        self.scores(index).map(|(before, after)| win_chance(before) - win_chance(after))
    }

    fn review(self, missed: Vec<Option<Vec<Move>>>, only: Vec<Option<MoveMark>>) -> Review {
        let declares = self.settings.impasse_rule == ImpasseRule::Declaration;
        let moves: Vec<MoveReview> = missed
            .into_iter()
            .zip(only)
            .enumerate()
            .map(|(index, (missed_mate, only))| {
                let position = self.positions[index].clone();
                let (before, after) = self.scores(index).unzip();
                let loss = self.loss(index);
                MoveReview {
                    ply: index + 1,
                    node: self.nodes[index],
                    color: position.side_to_move(),
                    mv: self.moves[index],
                    before,
                    after,
                    best: self.found[index].as_ref().map(|found| found.line.clone()).unwrap_or_default(),
                    loss,
                    mark: loss.and_then(MoveMark::of_loss).or(only),
                    missed_mate,
                    missed_declaration: declares && may_declare(&position),
                    position,
                }
            })
            .collect();
        let scores = (self.positions.iter().zip(&self.found))
            .map(|(position, found)| {
                let score = found.as_ref()?.score;
                Some(if position.side_to_move() == Color::Black { score } else { negated(score) })
            })
            .collect();
        Review {
            players: Color::ALL.map(|color| summary::PlayerSummary::of(&moves, color)),
            turning_points: summary::turning_points(&moves),
            complete: self.found.iter().all(Option::is_some),
            moves,
            scores,
        }
    }
}

/// What the rules say of a position in which the game is over.
fn game_over(game: &Game) -> Option<Found> {
    let result = game.result()?;
    let us = game.position().side_to_move();
    let score = match result.winner {
        None => Score::Centipawns(0),
        Some(winner) if winner == us => Score::Mate(1),
        Some(_) => Score::Mate(0),
    };
    Some(Found { score, line: Vec::new(), effort: u64::MAX })
}

/// The score of a position whose best move leads to one with this score: mates are a ply longer.
fn before_reaching(score: Score) -> Score {
    match score {
        Score::Mate(plies @ 1..) => Score::Mate(-plies - 1),
        Score::Mate(plies) => Score::Mate(1 - plies),
        Score::Centipawns(_) => negated(score),
    }
}

fn negated(score: Score) -> Score {
    match score {
        Score::Centipawns(score) => Score::Centipawns(-score),
        // The side to move is mated: its opponent has mated it.
        Score::Mate(0) => Score::Mate(1),
        Score::Mate(plies) => Score::Mate(-plies),
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

impl Answer {
    fn mate(self) -> Option<Vec<Move>> {
        if let Answer::Mate(mate) = self { mate } else { None }
    }
}
