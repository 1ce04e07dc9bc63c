//! The engines' processes: started, set, looked after, and started again.

use std::path::Path;
use std::sync::Arc;

use super::super::driver::{Driver, Order, Report};
use super::super::engine::{ProcessId, Running};
use super::super::messages::{EngineState, Message};
use super::super::words::{self, Words};
use super::{Answer, Desk, Event, Refusal};
use crate::arena::{EngineSpec, Failure, Rules};
use crate::protocol::usi::OptionKind;
use crate::shogi::Color;

/// What a process is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It analyses.
    Analyst(usize),
    /// It plays a colour in the game.
    Player(Color),
    /// It runs errands.
    Assistant,
}

impl Desk {
    /// Starts a process whose reports come as events.
    pub(super) fn start_process(&mut self, spec: Arc<EngineSpec>, level: Option<u32>) -> Running {
        let id: ProcessId = self.number();
        let events = self.events.clone();
        let tell = move |report| {
            // The channel is closed once the desk has ended.
            let _ = events.blocking_send(Event::Engine { process: id, report });
        };
        let driver = Driver::start(spec, level, self.rules(), Arc::clone(&self.stop), tell);
        Running { id, driver }
    }

    /// The rules of the study's game.
    fn rules(&self) -> Rules {
        let impasse = self.study.record.header.impasse;
        match impasse {
            Some(impasse) => Rules { impasse_rule: impasse.rule, impasse_plies: impasse.plies, ..Rules::default() },
            None => Rules::default(),
        }
    }

    /// Starts an engine that is to analyse.
    pub(super) fn start_engine(&mut self, id: usize) {
        let spec = self.engines[id].spec_as_set();
        let running = self.start_process(spec, None);
        let engine = &mut self.engines[id];
        engine.running = Some(running);
        (engine.state, engine.problem) = (EngineState::Starting, None);
    }

    /// The engine with this number.
    pub(super) fn check_engine(&self, id: usize) -> Answer {
        if id < self.engines.len() {
            return Ok(());
        }
        Err(Refusal::new("no-such-engine", "There is no such engine.", "そのエンジンはありません。"))
    }

    pub(super) fn engine_changed(&mut self, id: usize) {
        let engine = self.engines[id].info(id);
        self.tell(&Message::Engine { engine });
    }

    fn role(&self, process: ProcessId) -> Option<Role> {
        let is_it = |running: &Option<Running>| running.as_ref().is_some_and(|running| running.id == process);
        if let Some(id) = self.engines.iter().position(|engine| is_it(&engine.running)) {
            return Some(Role::Analyst(id));
        }
        if is_it(&self.assistant) {
            return Some(Role::Assistant);
        }
        let play = self.play.as_ref()?;
        Color::ALL.into_iter().find(|color| is_it(&play.running[color.index()])).map(Role::Player)
    }

    pub(super) fn engine_reports(&mut self, process: ProcessId, report: Report) {
        // A process that was dropped may still report.
        let Some(role) = self.role(process) else { return };
        match (role, report) {
            (_, Report::Failed(failure)) => self.failed(role, failure),
            (Role::Analyst(id), Report::Ready { name, author, options }) => self.ready(id, name, author, options),
            (Role::Analyst(id), Report::Thinking(is_thinking)) => {
                let state = if is_thinking { EngineState::Thinking } else { EngineState::Idle };
                if std::mem::replace(&mut self.engines[id].state, state) != state {
                    self.engine_changed(id);
                }
            }
            (Role::Analyst(id), Report::Found { ticket, findings }) => self.found(id, ticket, findings),
            (Role::Player(color), Report::Decided { ticket, decision, elapsed, findings }) => {
                self.engine_decided(color, ticket, decision, elapsed, &findings);
            }
            (Role::Assistant, Report::Decided { ticket, decision, findings, .. }) => {
                self.errand_done(ticket, decision, &findings);
            }
            _ => {}
        }
    }

    fn ready(&mut self, id: usize, name: String, author: String, options: Vec<(String, OptionKind)>) {
        let engine = &mut self.engines[id];
        // The name that the user gave goes before the engine's own.
        let program = Path::new(&engine.spec.command).file_name().unwrap_or_default();
        if !name.is_empty() && program.to_string_lossy() == engine.spec.name {
            engine.name = name;
        }
        (engine.author, engine.options, engine.state) = (author, options, EngineState::Idle);
        self.engine_changed(id);
    }

    fn failed(&mut self, role: Role, failure: Failure) {
        let problem = match failure {
            Failure::Stopped => return,
            Failure::Fault(fault) => words::fault(&fault),
            Failure::Spawn(error) => Words::new(
                format!("The engine does not start: {error}."),
                format!("エンジンを起動できません：{error}。"),
            ),
        };
        let id = match role {
            Role::Analyst(id) => {
                self.engines[id].running = None;
                Some(id)
            }
            Role::Player(color) => self.player_failed(color),
            Role::Assistant => {
                self.assistant = None;
                self.drop_errands();
                Some(0)
            }
        };
        let Some(id) = id else { return };
        let engine = &mut self.engines[id];
        if role != Role::Assistant {
            engine.problem = Some(problem.clone());
            engine.state = EngineState::Dead;
        }
        let name = engine.name.clone();
        self.engine_changed(id);
        self.notice(Words::new(format!("{name}: {}", problem.en), format!("{name}：{}", problem.ja)));
    }

    /// Starts whatever does not run any more of an engine.
    pub(super) fn restart(&mut self, id: usize) -> Answer {
        self.check_engine(id)?;
        let analyses = self.engines[id].running.is_some();
        self.engines[id].problem = None;
        if analyses {
            self.engines[id].state = EngineState::Idle;
        } else {
            self.start_engine(id);
        }
        self.engine_changed(id);
        if !analyses && let Some(analysis) = &mut self.engines[id].analysis {
            analysis.ticket = None;
            self.analyse_position();
        }
        self.restart_player(id);
        Ok(())
    }

    pub(super) fn set_option(&mut self, id: usize, name: &str, value: &str) -> Answer {
        self.check_engine(id)?;
        let engine = &mut self.engines[id];
        let (name, value) = engine.setting(name, value).map_err(|text| Refusal { code: "bad-option", text })?;
        let is_button = value.is_empty()
            && engine.options.iter().any(|(other, kind)| *other == name && *kind == OptionKind::Button);
        if !is_button {
            engine.settings.retain(|(other, _)| *other != name);
            engine.settings.push((name.clone(), value.clone()));
        }
        if let Some(running) = &engine.running {
            running.driver.order(Order::Set { name, value });
        }
        if let Some(analysis) = &mut engine.analysis {
            // It stopped for the option.
            analysis.ticket = None;
        }
        self.engine_changed(id);
        self.analyse_position();
        Ok(())
    }

    /// Waits until every engine has ended.
    pub(super) fn end_engines(&mut self) {
        let mut running: Vec<Running> = self.engines.iter_mut().filter_map(|engine| engine.running.take()).collect();
        running.extend(self.assistant.take());
        running.extend(self.play.iter_mut().flat_map(|play| play.running.iter_mut().filter_map(Option::take)));
        running.into_iter().for_each(|running| running.driver.join());
    }
}
