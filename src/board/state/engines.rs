//! Starting, setting, monitoring and restarting engines.

use super::io::{Order, Output, ProcessId, Report, Search};
use super::level;
use super::{Answer, Refusal, State};
use crate::board::messages::text::Text;
use crate::board::messages::{EngineState, Message};
use crate::protocol::usi::OptionKind;
use crate::shogi::{Color, EndReason, GameResult};

/// The purpose of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Analyst(usize),
    Player(Color),
    Assistant,
}

impl State {
    /// Starts an engine with the options set by the page.
    pub(super) fn start_process(&mut self, engine: usize, level: Option<u32>) -> ProcessId {
        let process = self.number();
        let settings = self.engines[engine].settings.clone();
        let impasse = self.study.record.header.impasse;
        self.outputs.push(Output::StartEngine { process, engine, settings, level, impasse });
        self.rules.insert(process, impasse);
        process
    }

    /// Has a process search for the page. If the impasse rule of the study is not the one that the process knows, it is
    /// told first.
    pub(super) fn order_search(&mut self, process: ProcessId, engine: usize, search: Search) {
        let impasse = self.study.record.header.impasse;
        let options = self.engines[engine].info(engine).options;
        // They are unknown until it has started.
        if !options.is_empty() && self.rules.insert(process, impasse) != Some(impasse) {
            for option in options {
                let value = match (option.name.as_str(), impasse) {
                    ("ImpasseRule", Some(impasse)) => impasse.rule.to_string(),
                    ("ImpassePlies", Some(impasse)) => impasse.plies.to_string(),
                    ("ImpasseRule" | "ImpassePlies", None) => option.value,
                    _ => continue,
                };
                self.order(process, Order::Set { name: option.name, value });
            }
        }
        self.order(process, Order::Search(Box::new(search)));
    }

    pub(super) fn order(&mut self, process: ProcessId, order: Order) {
        self.outputs.push(Output::Order { process, order });
    }

    /// Starts an engine that is to analyse.
    pub(super) fn start_engine(&mut self, id: usize) {
        let process = self.start_process(id, None);
        let engine = &mut self.engines[id];
        engine.process = Some(process);
        (engine.state, engine.problem) = (EngineState::Starting, None);
    }

    pub(super) fn check_engine(&self, id: usize) -> Answer {
        if id < self.engines.len() {
            return Ok(());
        }
        Err(Refusal::new("no-such-engine"))
    }

    pub(super) fn engine_changed(&mut self, id: usize) {
        let engine = self.engines[id].info(id);
        self.tell(&Message::Engine { engine });
    }

    fn role(&self, process: ProcessId) -> Option<Role> {
        let process = Some(process);
        if let Some(id) = self.engines.iter().position(|engine| engine.process == process) {
            return Some(Role::Analyst(id));
        }
        if self.assistant == process {
            return Some(Role::Assistant);
        }
        let play = self.play.as_ref()?;
        Color::ALL.into_iter().find(|color| play.processes[color.index()] == process).map(Role::Player)
    }

    pub(super) fn engine_reports(&mut self, process: ProcessId, report: Report) {
        // A process that was dropped may still report.
        let Some(role) = self.role(process) else { return };
        match (role, report) {
            (_, Report::Failed(problem)) => self.failed(role, problem),
            (Role::Analyst(id), Report::Ready { name, author, options }) => self.ready(id, name, author, options),
            (Role::Analyst(id), Report::Thinking(is_thinking)) => {
                let state = if is_thinking { EngineState::Thinking } else { EngineState::Idle };
                if std::mem::replace(&mut self.engines[id].state, state) != state {
                    self.engine_changed(id);
                }
            }
            (Role::Analyst(id), Report::Found { search_id, search_info }) => self.found(id, search_id, search_info),
            (Role::Player(color), Report::Ready { .. }) => self.player_ready(color),
            (Role::Player(color), Report::Thinking(true)) => self.player_begins(color),
            (Role::Player(color), Report::Found { search_id, search_info }) => {
                self.player_thinks(color, search_id, &search_info);
            }
            (Role::Player(color), Report::Decided { search_id, decision, elapsed, search_info }) => {
                self.engine_decided(color, search_id, decision, elapsed, &search_info);
            }
            (Role::Assistant, Report::Decided { search_id, decision, search_info, .. }) => {
                self.task_done(search_id, decision, &search_info);
            }
            _ => {}
        }
    }

    fn ready(&mut self, id: usize, name: String, author: String, mut options: Vec<(String, OptionKind)>) {
        // The user sets the number of lines beside the analysis.
        options.retain(|(name, _)| !["USI_MultiPV", "MultiPV"].iter().any(|known| known.eq_ignore_ascii_case(name)));
        let engine = &mut self.engines[id];
        engine.is_own = name.starts_with("judkins");
        engine.elos = level::elos(&options, engine.is_own);
        // The name that the user gave goes before the engine's own.
        if !name.is_empty() && !engine.setup.is_named {
            engine.name = name;
        }
        (engine.author, engine.options, engine.state) = (author, options, EngineState::Idle);
        self.engine_changed(id);
    }

    /// An engine that failed before may analyse again, now that it plays.
    fn player_ready(&mut self, color: Color) {
        let id = self.play.as_ref().and_then(|play| play.seat(color).engine);
        if let Some(id) = id.filter(|&id| self.engines[id].problem.is_some()) {
            self.revive(id);
        }
    }

    fn failed(&mut self, role: Role, problem: Text) {
        let id = match role {
            // The next game starts it anew.
            Role::Player(color) if self.is_series_running() => {
                let id = self.player_failed(color).unwrap_or_default();
                let name = self.engines[id].name.clone();
                self.notice(Text::new("engine.says").with("name", name).with("problem", problem));
                return self.game_over(&GameResult::won(!color, EndReason::Crash));
            }
            Role::Analyst(id) => {
                self.engines[id].process = None;
                Some(id)
            }
            Role::Player(color) => self.player_failed(color),
            Role::Assistant => {
                self.assistant = None;
                self.drop_tasks();
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
        self.notice(Text::new("engine.says").with("name", name).with("problem", problem));
    }

    /// Restarts the processes of an engine that have ended.
    pub(super) fn restart(&mut self, id: usize) -> Answer {
        self.check_engine(id)?;
        self.revive(id);
        self.restart_player(id);
        Ok(())
    }

    /// Clears an engine's failure, and restarts the process that analyses if it has ended.
    fn revive(&mut self, id: usize) {
        let analyses = self.engines[id].process.is_some();
        self.engines[id].problem = None;
        if analyses {
            self.engines[id].state = EngineState::Idle;
        } else {
            self.start_engine(id);
        }
        self.engine_changed(id);
        if !analyses && let Some(analysis) = &mut self.engines[id].analysis {
            analysis.search_id = None;
            self.analyse_position();
        }
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
        if let Some(analysis) = &mut engine.analysis {
            // It stops for the option.
            analysis.search_id = None;
        }
        if let Some(process) = engine.process {
            self.order(process, Order::Set { name, value });
        }
        if id == 0 {
            self.assistant_is_outdated = self.assistant.is_some();
            self.end_outdated_assistant();
        }
        self.engine_changed(id);
        self.analyse_position();
        Ok(())
    }
}
