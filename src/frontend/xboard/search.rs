//! The searches of a game that XBoard directs: their purpose, and their answers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::engine::{Engine, EngineError, Event, Verdict};
use crate::frontend::Output;
use crate::frontend::input::Waker;
use crate::protocol::cecp::{Response, Thinking};
use crate::search::{Clocks, Limits, Report};
use crate::shogi::{Game, Move};
use crate::work::lock;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// No search is running.
    Nothing,
    /// The engine plays the answer.
    Move,
    /// The opponent is thinking. The engine plays the answer if the opponent plays this move.
    Pondering(Move),
    /// Only the thinking is shown.
    Analysis,
}

/// The running search, if there is one.
pub(super) struct Search {
    purpose: Purpose,
    /// The number of searches so far: the answer of an earlier one does not count.
    number: u64,
    shown: Arc<AtomicBool>,
    mailbox: Arc<Mutex<Mailbox>>,
    waker: Waker,
}

/// The latest messages of a search, written by its own thread.
#[derive(Default)]
struct Mailbox {
    answer: Option<(u64, Verdict)>,
    report: Option<Report>,
}

impl Search {
    /// The state without a search. Searches call `waker` when they have answered.
    pub(super) fn new(waker: Waker) -> Search {
        Search { purpose: Purpose::Nothing, number: 0, shown: Arc::default(), mailbox: Arc::default(), waker }
    }

    pub(super) fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Shows or hides the thinking from now on.
    pub(super) fn show(&self, shown: bool) {
        self.shown.store(shown, Ordering::Relaxed);
    }

    /// Starts a search of the position after the game and these moves, while there is none. The thinking is written to
    /// `output`.
    pub(super) fn start(
        &mut self,
        purpose: Purpose,
        limits: &Limits,
        game: &Game,
        more: &[Move],
        output: Output,
        engine: &mut Engine,
    ) -> Result<(), EngineError> {
        let moves = [game.moves(), more].concat();
        if let Err(illegal) = engine.set_position(game.start().clone(), &moves) {
            tracing::error!("a move of the game was refused: {illegal}");
            return Ok(());
        }
        let (number, mailbox, waker) = (self.number, Arc::clone(&self.mailbox), self.waker.clone());
        let shown = Arc::clone(&self.shown);
        engine.go(limits, move |event| match event {
            Event::Info(report) => {
                let mut mailbox = lock(&mailbox);
                if shown.load(Ordering::Relaxed) {
                    output.line(thinking(&report));
                }
                mailbox.report = Some(report);
            }
            Event::MateSearch(_) => {}
            Event::Error(text) => tracing::warn!("{text}"),
            Event::Done(verdict) => {
                lock(&mailbox).answer = Some((number, verdict));
                waker.wake();
            }
        })?;
        self.purpose = purpose;
        Ok(())
    }

    /// Ends the search. Its answer does not count, and its last report is not shown: the board may have changed.
    pub(super) fn halt(&mut self, engine: &mut Engine) {
        self.show(false);
        engine.finish();
        self.number += 1;
        self.purpose = Purpose::Nothing;
        *lock(&self.mailbox) = Mailbox::default();
    }

    /// Continues as a search for a move, because the expected move was played.
    pub(super) fn ponderhit(&mut self, clocks: Option<Clocks>, engine: &Engine) {
        self.purpose = Purpose::Move;
        engine.ponderhit(clocks);
    }

    /// Takes the answer of a search for a move, if there is one, which ends the search.
    pub(super) fn take_answer(&mut self) -> Option<Verdict> {
        let (number, verdict) = lock(&self.mailbox).answer.take()?;
        if number != self.number || self.purpose != Purpose::Move {
            return None;
        }
        self.purpose = Purpose::Nothing;
        Some(verdict)
    }

    /// The latest report of the search.
    pub(super) fn report(&self) -> Option<Report> {
        lock(&self.mailbox).report.clone()
    }
}

fn thinking(report: &Report) -> Response {
    Response::Thinking(Thinking {
        depth: report.depth,
        score: report.score,
        time: report.time,
        nodes: report.nodes,
        pv: report.pv.clone(),
    })
}
