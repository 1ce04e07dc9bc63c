//! What engines think of the position at the cursor; and errands: hints and threats.

use std::time::Duration;

use super::super::driver::{Findings, Limit, Line, Order, Search};
use super::super::engine::Analysis;
use super::super::messages::{AnalysisView, LineView, Message};
use super::super::socket::ClientId;
use super::super::view;
use super::{Answer, Desk, Refusal};
use crate::arena::EngineDecision;
use crate::protocol::usi::Go;
use crate::record::NodeId;
use crate::shogi::{Move, Position, Setup};

/// The most lines that can be asked for.
const MOST_LINES: u32 = 10;

/// How long an errand takes.
const HINT_TIME: Duration = Duration::from_millis(1_000);
const THREAT_TIME: Duration = Duration::from_millis(300);

/// Something to be found out quickly.
#[derive(Debug)]
pub struct Errand {
    node: NodeId,
    /// The search that is under way for it.
    ticket: Option<u64>,
    kind: ErrandKind,
}

#[derive(Debug)]
enum ErrandKind {
    /// A good move, for a page that has asked.
    Hint { client: ClientId, id: u64 },
    /// What the other side would play if the mover passed.
    Threats,
}

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

    // ---- Errands ----

    pub(super) fn hint(&mut self, client: ClientId, id: u64) -> Answer {
        let node = self.study.cursor;
        let has_move = self.study.record.position(node).is_some_and(|position| position.has_legal_move());
        if !has_move {
            return Err(Refusal::new("game-over", "The game is over.", "対局は終わっています。"));
        }
        if let Some(problem) = &self.problem {
            return self.problem_hint(client, id, problem.solution_move());
        }
        if self.is_playing() && !self.is_humans_turn() {
            return Err(Refusal::new("not-your-turn", "It is not your turn.", "あなたの手番ではありません。"));
        }
        self.errands.push_back(Errand { node, ticket: None, kind: ErrandKind::Hint { client, id } });
        self.next_errand();
        Ok(())
    }

    pub(super) fn show_threats(&mut self, on: bool) -> Answer {
        self.shows_threats = on;
        self.threats = None;
        self.errands.retain(|errand| errand.ticket.is_some() || !matches!(errand.kind, ErrandKind::Threats));
        if on {
            self.look_for_threats();
        } else {
            self.tell(&self.position_message());
        }
        Ok(())
    }

    /// Looks for threats at the cursor, if they are shown and not known.
    pub(super) fn look_for_threats(&mut self) {
        let node = self.study.cursor;
        if !self.shows_threats || self.is_in_problem() || self.threats.as_ref().is_some_and(|(known, _)| *known == node)
        {
            return;
        }
        // Only the newest place is of interest.
        self.errands.retain(|errand| errand.ticket.is_some() || !matches!(errand.kind, ErrandKind::Threats));
        self.errands.push_back(Errand { node, ticket: None, kind: ErrandKind::Threats });
        self.next_errand();
    }

    /// Begins the next errand, if none is under way.
    fn next_errand(&mut self) {
        loop {
            let Some(errand) = self.errands.front() else { return };
            if errand.ticket.is_some() || self.engines.is_empty() {
                return;
            }
            let Some((start, moves, time)) = self.errand_search(errand) else {
                self.errand_found(None);
                continue;
            };
            let ticket = self.number();
            if self.assistant.is_none() {
                let spec = self.engines[0].spec_as_set();
                self.assistant = Some(self.start_process(spec, None));
            }
            let go = Go { movetime: Some(time), ..Go::default() };
            let limit = Limit::Move { go, allowed: Some(time) };
            let search = Search { ticket, start, moves, limit, lines: 1 };
            if let Some(running) = &self.assistant {
                running.driver.order(Order::Search(Box::new(search)));
            }
            if let Some(errand) = self.errands.front_mut() {
                errand.ticket = Some(ticket);
            }
            return;
        }
    }

    /// What to think about for an errand, and how long; none if there is nothing to find.
    fn errand_search(&self, errand: &Errand) -> Option<(Position, Vec<Move>, Duration)> {
        let position = self.study.record.position(errand.node)?;
        match errand.kind {
            ErrandKind::Hint { .. } => {
                Some((self.study.record.start().clone(), self.study.record.moves_to(errand.node), HINT_TIME))
            }
            ErrandKind::Threats => {
                let mut setup = Setup::from(&position);
                setup.side_to_move = !setup.side_to_move;
                let passed = Position::try_from(&setup).ok().filter(Position::has_legal_move)?;
                Some((passed, Vec::new(), THREAT_TIME))
            }
        }
    }

    pub(super) fn errand_done(&mut self, ticket: u64, decision: Option<EngineDecision>) {
        if self.errands.front().and_then(|errand| errand.ticket) != Some(ticket) {
            return;
        }
        let mv = match decision {
            Some(EngineDecision::Move(mv)) => Some(mv),
            _ => None,
        };
        self.errand_found(mv);
        self.next_errand();
    }

    /// The assistant does not run any more.
    pub(super) fn errands_failed(&mut self) {
        while !self.errands.is_empty() {
            self.errand_found(None);
        }
    }

    /// Delivers what the first errand has found.
    fn errand_found(&mut self, mv: Option<Move>) {
        let Some(errand) = self.errands.pop_front() else { return };
        match errand.kind {
            ErrandKind::Hint { client, id } => {
                let position = self.study.record.position(errand.node);
                let previous = self.study.record.get(errand.node).and_then(|node| node.mv());
                match position.zip(mv).filter(|(position, mv)| position.is_legal(*mv)) {
                    Some((position, mv)) => {
                        let text = view::move_text(&position, mv, previous);
                        self.reply(client, &Message::Hint { id, mv, text });
                    }
                    None => {
                        let refusal = Refusal::new("no-hint", "The engine has no hint.", "ヒントがありません。");
                        self.refuse(client, Some(id), refusal);
                    }
                }
            }
            ErrandKind::Threats => {
                self.threats = Some((errand.node, mv.into_iter().collect()));
                if self.shows_threats && errand.node == self.study.cursor {
                    self.tell(&self.position_message());
                }
            }
        }
    }

    /// Drops what is about a study that is not there any more.
    pub(super) fn drop_errands(&mut self) {
        self.threats = None;
        while !self.errands.is_empty() {
            self.errand_found(None);
        }
    }
}
