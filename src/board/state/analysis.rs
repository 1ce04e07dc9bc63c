//! The engines' analyses of the position at the cursor.

use std::time::{Duration, Instant};

use super::engine::Analysis;
use super::io::{ClientId, Limit, Line, Order, Output, Search, SearchInfo};
use super::view;
use super::{Answer, Refusal, State};
use crate::board::messages::{AnalysisView, LineView, Message};
use crate::record::NodeId;

/// The most lines that can be asked for.
const MOST_LINES: u32 = 10;

/// The time after which analyses pause while no page is visible. A page that is reloaded finds them running.
const PAUSE_AFTER: Duration = Duration::from_secs(5);

impl State {
    pub(super) fn analyse(&mut self, on: bool, id: usize, lines: Option<u32>) -> Answer {
        self.check_engine(id)?;
        let lines = lines.unwrap_or(1);
        if !(1..=MOST_LINES).contains(&lines) {
            return Err(Refusal::new("bad-lines"));
        }
        if self.is_in_problem() && on {
            return Err(Refusal::new("in-problem"));
        }
        if on {
            let node = self.study.cursor;
            self.engines[id].analysis =
                Some(Analysis { lines, search_id: None, node, search_info: SearchInfo::default() });
            self.analyse_position();
        } else {
            self.stop_analysis(id);
        }
        Ok(())
    }

    fn stop_analysis(&mut self, id: usize) {
        self.engines[id].analysis = None;
        if let Some(process) = self.engines[id].process {
            self.order(process, Order::Stop);
        }
        // No lines, because nothing was found.
        let analysis = self.search_view(id, self.study.cursor, &SearchInfo::default(), 0);
        let analysis = analysis.expect("the cursor is in the record");
        self.tell(&Message::Analysis(AnalysisView { on: false, ..analysis }));
    }

    pub(super) fn stop_analyses(&mut self) {
        for id in 0..self.engines.len() {
            if self.engines[id].analysis.is_some() {
                self.stop_analysis(id);
            }
        }
    }

    /// Lets every analysing engine search the position at the cursor, unless it does already.
    pub(super) fn analyse_position(&mut self) {
        if self.is_paused {
            return;
        }
        let node = self.study.cursor;
        for id in 0..self.engines.len() {
            let is_done = |analysis: &Analysis| analysis.node == node && analysis.search_id.is_some();
            if self.engines[id].analysis.as_ref().is_none_or(is_done) {
                continue;
            }
            let search_id = self.number();
            let moves = self.study.record.moves_to(node);
            let is_over = self.study.record.position(node).is_none_or(|position| !position.has_legal_move());
            let start = self.study.record.start().clone();
            let engine = &mut self.engines[id];
            let Some((analysis, process)) = engine.analysis.as_mut().zip(engine.process) else { continue };
            (analysis.search_id, analysis.node, analysis.search_info) = (Some(search_id), node, SearchInfo::default());
            let lines = analysis.lines;
            let search = Search { id: search_id, start, moves, limit: Limit::Infinite, lines };
            if is_over {
                self.order(process, Order::Stop);
            } else {
                self.order_search(process, id, search);
            }
            if let Some(message) = self.analysis_message(id) {
                self.tell(&message);
            }
        }
    }

    /// The time at which analyses pause, unless a page becomes visible before.
    pub(super) fn pause_deadline(&self) -> Option<Instant> {
        self.unwatched.filter(|_| !self.is_paused).map(|since| since + PAUSE_AFTER)
    }

    /// Pauses analyses while no page is visible. Games and reviews continue.
    pub(super) fn pause_unwatched(&mut self) {
        if self.pause_deadline().is_none_or(|deadline| deadline > self.now.instant) {
            return;
        }
        self.is_paused = true;
        for engine in &mut self.engines {
            if let Some((analysis, process)) = engine.analysis.as_mut().zip(engine.process) {
                analysis.search_id = None;
                self.outputs.push(Output::Order { process, order: Order::Stop });
            }
        }
    }

    /// A page reports whether it is visible.
    pub(super) fn watch(&mut self, client: ClientId, on: bool) -> Answer {
        if on {
            self.hidden.remove(&client);
        } else {
            self.hidden.insert(client);
        }
        self.watch_changed();
        Ok(())
    }

    /// Resumes analyses if a page is visible, after a page has come or gone.
    pub(super) fn watch_changed(&mut self) {
        if self.clients.is_subset(&self.hidden) {
            self.unwatched = self.unwatched.or(Some(self.now.instant));
            return;
        }
        self.unwatched = None;
        if std::mem::take(&mut self.is_paused) {
            self.analyse_position();
            self.look_for_threats();
        }
    }

    pub(super) fn found(&mut self, id: usize, search_id: u64, search_info: SearchInfo) {
        let Some(analysis) = &mut self.engines[id].analysis else { return };
        if analysis.search_id != Some(search_id) {
            return;
        }
        analysis.search_info = search_info;
        if let Some(message) = self.analysis_message(id) {
            self.tell(&message);
        }
    }

    /// How an analysis stands, if it is on.
    pub(super) fn analysis_message(&self, id: usize) -> Option<Message> {
        let Analysis { node, search_info, lines, .. } = self.engines[id].analysis.as_ref()?;
        self.search_view(id, *node, search_info, *lines).map(Message::Analysis)
    }

    /// What an engine has found at a place, in its best lines.
    pub(super) fn search_view(
        &self,
        id: usize,
        node: NodeId,
        search_info: &SearchInfo,
        lines: u32,
    ) -> Option<AnalysisView> {
        let position = self.study.record.position(node)?;
        let previous = self.study.record.get(node)?.mv();
        let of = position.side_to_move();
        let view = |line: &Line| LineView {
            score: view::score(line.score, line.bound, of),
            moves: line.moves.clone(),
            text: view::line_text(&position, &line.moves, previous),
        };
        let known = search_info.lines.iter().take(lines as usize).flatten();
        Some(AnalysisView {
            engine: id,
            on: true,
            cursor: node,
            depth: search_info.depth,
            seldepth: search_info.seldepth,
            nodes: search_info.nodes,
            nps: search_info.nps,
            lines: known.map(view).collect(),
        })
    }
}
