//! A running search or mate query: stop and ponder hit, progress events, and the final answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::mates::MateQuestion;
use super::skill::Noise;
use crate::mate::{MateOutcome, Progress};
use crate::score::Score;
use crate::search::{Clocks, Limits, Pool, Report, Root, SearchClock, SearchOutcome, Settings};
use crate::shogi::Move;
use crate::work::{Gate, ThreadError, Work};

/// A message from a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line of the search.
    Info(Report),
    /// The progress of a search for a mate.
    MateSearch(Progress),
    /// Part of the request failed; the search continues without it.
    Error(String),
    /// The answer, once per search.
    Done(Verdict),
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The move to play.
    Move {
        /// The move.
        best: Move,
        /// The expected reply.
        ponder: Option<Move>,
    },
    /// There is no legal move, or the score is below minus `ResignValue`.
    Resign,
    /// A win by declaration.
    Win,
    /// A mate by checks, with its line.
    Mate(Vec<Move>),
    /// There is no mate by checks.
    NoMate,
    /// The search for a mate was inconclusive.
    MateUnknown,
}

pub(super) struct Task {
    /// The time of the command: allocating the tables takes time from the clock.
    pub(super) start: Instant,
    pub(super) pool: Arc<Pool>,
    pub(super) root: Root,
    pub(super) limits: Limits,
    pub(super) settings: Settings,
    /// The number of best lines to report. The search may use more.
    pub(super) shown_lines: usize,
    /// The noise for choosing among the best lines; none to play the best.
    pub(super) noise: Option<Noise>,
    /// The engine resigns below minus this score, in centipawns.
    pub(super) resign_value: i32,
    /// The answer is a declaration, regardless of the search.
    pub(super) declares: bool,
    /// The query to the mate solver before the search.
    pub(super) mate: Option<MateQuestion>,
}

/// A search running beside the engine.
pub(super) struct Running {
    control: Arc<Control>,
    work: Work,
}

/// Stops the search, and delays its answer.
struct Control {
    stop: AtomicBool,
    clock: SearchClock,
    infinite: bool,
    /// Opened by a stop: the search may then answer in spite of `infinite` or pondering.
    gate: Gate,
}

impl Control {
    fn new(clock: SearchClock, infinite: bool) -> Control {
        Control { stop: AtomicBool::new(false), clock, infinite, gate: Gate::default() }
    }

    /// Waits until the search may answer: with `infinite` for the stop, while pondering for the ponder hit, and on a
    /// game clock for the minimum thinking time.
    fn wait_for_release(&self) {
        self.gate.wait(None, || self.infinite || self.clock.is_pondering());
        if let Some(time) = self.clock.until_minimum() {
            self.gate.wait(Some(time), || true);
        }
    }
}

impl Running {
    /// Starts a search for a move.
    pub(super) fn search(task: Task, mut tell: impl FnMut(Event) + Send + 'static) -> Result<Running, ThreadError> {
        let clock = SearchClock::new(&task.limits, &task.settings, task.root.position.side_to_move()).since(task.start);
        Self::spawn(Control::new(clock, task.limits.infinite), move |control| {
            let Control { clock, stop, .. } = control;
            let Task { start: _, pool, root, limits, settings, shown_lines, noise, resign_value, declares, mate } =
                task;
            let mate = mate.and_then(|mate| mate.before_searching(&root, clock, stop));
            if let Some(report) = &mate {
                tell(Event::Info(report.clone()));
            }
            if let Some(report) = mate.as_ref().filter(|_| !limits.infinite) {
                drop(pool);
                control.wait_for_release();
                return tell(Event::Done(if declares { Verdict::Win } else { mate_verdict(report) }));
            }
            // An analysis goes on, and reports no line that is worse than the mate.
            let is_worse = |score| {
                let wins_within = |plies| matches!(score, Score::Mate(win) if win > 0 && win as usize <= plies);
                mate.as_ref().is_some_and(|mate| !wins_within(mate.depth))
            };
            let outcome = pool.search(&root, &limits, &settings, Some(clock), stop, &mut |mut report| {
                if report.multipv.is_some_and(|line| line > shown_lines) || is_worse(report.score) {
                    return;
                }
                report.multipv = report.multipv.filter(|_| shown_lines > 1);
                tell(Event::Info(report));
            });
            // From here on the engine may change the table and the threads.
            drop(pool);
            let chosen = noise.and_then(|noise| noise.choose(&outcome.lines));
            let verdict = match &mate {
                _ if declares => Verdict::Win,
                Some(report) if is_worse(outcome.score.into()) => mate_verdict(report),
                _ => move_verdict(&outcome, chosen, resign_value),
            };
            control.wait_for_release();
            tell(Event::Done(verdict));
        })
    }

    /// Starts a search for a mate.
    pub(super) fn mate(
        question: MateQuestion,
        root: Root,
        mut tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<Running, ThreadError> {
        Self::spawn(Control::new(SearchClock::unlimited(false), false), move |control| {
            let verdict = match question.answer(&root, &control.stop, |progress| tell(Event::MateSearch(progress))) {
                MateOutcome::Mate(solution) => Verdict::Mate(solution.moves),
                MateOutcome::NoMate => Verdict::NoMate,
                MateOutcome::Unknown => Verdict::MateUnknown,
            };
            tell(Event::Done(verdict));
        })
    }

    /// Gives an answer without a search, as soon as it is allowed.
    pub(super) fn answer(
        verdict: Verdict,
        infinite: bool,
        ponder: bool,
        mut tell: impl FnMut(Event) + Send + 'static,
    ) -> Result<Running, ThreadError> {
        Self::spawn(Control::new(SearchClock::unlimited(ponder), infinite), move |control| {
            control.wait_for_release();
            tell(Event::Done(verdict));
        })
    }

    fn spawn(control: Control, work: impl FnOnce(&Control) + Send + 'static) -> Result<Running, ThreadError> {
        let control = Arc::new(control);
        let shared = Arc::clone(&control);
        let work = Work::start(move || work(&shared))?;
        Ok(Running { control, work })
    }

    pub(super) fn stop(&self) {
        self.control.stop.store(true, Ordering::Relaxed);
        self.control.gate.open();
    }

    pub(super) fn ponderhit(&self, clocks: Option<Clocks>) {
        self.control.gate.change(|| self.control.clock.ponderhit(clocks));
    }

    pub(super) fn is_finished(&self) -> bool {
        self.work.is_finished()
    }

    pub(super) fn wait(self) {
        self.work.wait();
    }
}

fn mate_verdict(report: &Report) -> Verdict {
    Verdict::Move { best: report.pv[0], ponder: report.pv.get(1).copied() }
}

fn move_verdict(outcome: &SearchOutcome, chosen: Option<Move>, resign_value: i32) -> Verdict {
    let lost = |score: i32| score < -resign_value;
    match (outcome.best, chosen) {
        (Some(_), _) if lost(outcome.score) && outcome.completed_score.is_some_and(lost) => Verdict::Resign,
        // The expected reply answers another move.
        (Some(best), Some(chosen)) if chosen != best => Verdict::Move { best: chosen, ponder: None },
        (Some(best), _) => Verdict::Move { best, ponder: outcome.ponder },
        (None, _) => Verdict::Resign,
    }
}
