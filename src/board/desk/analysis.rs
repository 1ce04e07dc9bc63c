//! What engines think of the position at the cursor.

use std::time::{Duration, Instant};

use super::super::driver::{Findings, Limit, Line, Order, Search};
use super::super::engine::Analysis;
use super::super::messages::{AnalysisView, LineView, Message};
use super::super::view;
use super::{Answer, Desk, Refusal};

/// The most lines that can be asked for.
const MOST_LINES: u32 = 10;

/// How long analyses go on without a page. One that is loaded again finds them going on.
const PAUSE_AFTER: Duration = Duration::from_secs(5);

impl Desk {
    pub(super) fn analyse(&mut self, on: bool, id: usize, lines: Option<u32>) -> Answer {
        self.check_engine(id)?;
        let lines = lines.unwrap_or(1);
        if !(1..=MOST_LINES).contains(&lines) {
            return Err(Refusal::new("bad-lines", "From 1 to 10 lines can be shown.", "読み筋は1～10本です。"));
        }
        if self.is_in_problem() && on {
            return Err(Refusal::new("in-problem", "A problem is being solved.", "詰将棋を解いています。"));
        }
        if on {
            let node = self.study.cursor;
            self.engines[id].analysis = Some(Analysis { lines, ticket: None, node, findings: Findings::default() });
            self.analyse_position();
        } else {
            self.stop_analysis(id);
        }
        Ok(())
    }

    fn stop_analysis(&mut self, id: usize) {
        self.engines[id].analysis = None;
        if let Some(running) = &self.engines[id].running {
            running.driver.order(Order::Stop);
        }
        let analysis = AnalysisView {
            engine: id,
            on: false,
            cursor: self.study.cursor,
            depth: None,
            seldepth: None,
            nodes: None,
            nps: None,
            hashfull: None,
            lines: Vec::new(),
        };
        self.tell(&Message::Analysis(analysis));
    }

    /// Switches every analysis off.
    pub(super) fn stop_analyses(&mut self) {
        for id in 0..self.engines.len() {
            if self.engines[id].analysis.is_some() {
                self.stop_analysis(id);
            }
        }
    }

    /// Has every engine that analyses look at the cursor's position, unless it does already.
    pub(super) fn analyse_position(&mut self) {
        if self.is_paused {
            return;
        }
        let node = self.study.cursor;
        for id in 0..self.engines.len() {
            let is_done = |analysis: &Analysis| analysis.node == node && analysis.ticket.is_some();
            if self.engines[id].analysis.as_ref().is_none_or(is_done) {
                continue;
            }
            let ticket = self.number();
            let moves = self.study.record.moves_to(node);
            let is_over = self.study.record.position(node).is_none_or(|position| !position.has_legal_move());
            let start = self.study.record.start().clone();
            let engine = &mut self.engines[id];
            let Some((analysis, running)) = engine.analysis.as_mut().zip(engine.running.as_ref()) else { continue };
            (analysis.ticket, analysis.node, analysis.findings) = (Some(ticket), node, Findings::default());
            let lines = analysis.lines;
            running.driver.order(match is_over {
                true => Order::Stop,
                false => Order::Search(Box::new(Search { ticket, start, moves, limit: Limit::Infinite, lines })),
            });
            if let Some(message) = self.analysis_message(id) {
                self.tell(&message);
            }
        }
    }

    /// When analyses pause, if no page comes until then.
    pub(super) fn pause_deadline(&self) -> Option<Instant> {
        self.unwatched.filter(|_| !self.is_paused).map(|since| since + PAUSE_AFTER)
    }

    /// Has analyses wait that nobody looks at. Games and reviews go on.
    pub(super) fn pause_unwatched(&mut self) {
        if self.pause_deadline().is_none_or(|deadline| deadline > Instant::now()) {
            return;
        }
        self.is_paused = true;
        for engine in &mut self.engines {
            if let Some((analysis, running)) = engine.analysis.as_mut().zip(engine.running.as_ref()) {
                analysis.ticket = None;
                running.driver.order(Order::Stop);
            }
        }
    }

    /// A page has come, and analyses go on.
    pub(super) fn watched(&mut self) {
        self.unwatched = None;
        if std::mem::take(&mut self.is_paused) {
            self.analyse_position();
            self.look_for_threats();
        }
    }

    pub(super) fn found(&mut self, id: usize, ticket: u64, findings: Findings) {
        let Some(analysis) = &mut self.engines[id].analysis else { return };
        if analysis.ticket != Some(ticket) {
            return;
        }
        analysis.findings = findings;
        if let Some(message) = self.analysis_message(id) {
            self.tell(&message);
        }
    }

    /// How an analysis stands, if it is on.
    pub(super) fn analysis_message(&self, id: usize) -> Option<Message> {
        let Analysis { node, findings, lines, .. } = self.engines[id].analysis.as_ref()?;
        let position = self.study.record.position(*node)?;
        let previous = self.study.record.get(*node)?.mv();
        let of = position.side_to_move();
        let view = |(index, line): (usize, &Line)| LineView {
            multipv: index as u32 + 1,
            score: view::score(line.score, line.bound, of),
            depth: line.depth,
            moves: line.moves.clone(),
            text: view::line_text(&position, &line.moves, previous),
        };
        let known = findings.lines.iter().take(*lines as usize).flatten().enumerate();
        Some(Message::Analysis(AnalysisView {
            engine: id,
            on: true,
            cursor: *node,
            depth: findings.depth,
            seldepth: findings.seldepth,
            nodes: findings.nodes,
            nps: findings.nps,
            hashfull: findings.hashfull,
            lines: known.map(view).collect(),
        }))
    }
}
