//! Short searches beside analyses and games: hints, threats, and the values of tried moves.

use std::time::Duration;

use super::io::{ClientId, Limit, Output, Search, SearchInfo};
use super::{Answer, Refusal, State, Task, TaskKind};
use crate::board::messages::Message;
use crate::protocol::EngineDecision;
use crate::protocol::usi::Go;
use crate::record::NodeId;
use crate::score::Score;
use crate::shogi::{Move, Position, Setup};

const HINT_TIME: Duration = Duration::from_millis(1_000);
const THREAT_TIME: Duration = Duration::from_millis(300);
const TRY_TIME: Duration = Duration::from_millis(1_000);

/// The result of an engine: its move, and the score of the side to move.
type Found = Option<(Move, Option<Score>)>;

impl State {
    pub(super) fn hint(&mut self, client: ClientId, id: u64) -> Answer {
        let node = self.study.cursor;
        let has_move = self.study.record.position(node).is_some_and(|position| position.has_legal_move());
        if !has_move {
            return Err(Refusal::new("game-over"));
        }
        if self.problem.is_some() {
            return self.problem_hint(client, id, node);
        }
        if self.is_playing() && !self.is_humans_turn() {
            return Err(Refusal::new("not-your-turn"));
        }
        // Only the latest hint matters.
        self.forget_waiting(|kind| matches!(kind, TaskKind::Hint { .. }));
        self.run_task(node, TaskKind::Hint { client, id });
        Ok(())
    }

    pub(super) fn show_threats(&mut self, on: bool) -> Answer {
        if on {
            self.check_not_playing()?;
        }
        self.shows_threats = on;
        self.threats = None;
        self.forget_waiting(|kind| matches!(kind, TaskKind::Threats));
        self.tell(&self.position_message());
        self.look_for_threats();
        Ok(())
    }

    /// Looks for threats at the cursor, if they are shown and not known.
    pub(super) fn look_for_threats(&mut self) {
        let node = self.study.cursor;
        let is_known = self.threats.as_ref().is_some_and(|(known, _)| *known == node);
        if self.shows_threats && !self.is_paused && !self.is_in_problem() && !is_known {
            // Only the latest node matters.
            self.forget_waiting(|kind| matches!(kind, TaskKind::Threats));
            self.run_task(node, TaskKind::Threats);
        }
    }

    /// Silently drops waiting tasks of a kind.
    fn forget_waiting(&mut self, is_meant: impl Fn(&TaskKind) -> bool) {
        self.tasks.retain(|task| task.search_id.is_some() || !is_meant(&task.kind));
    }

    /// Silently drops hints, even running ones: their board is gone.
    pub(super) fn forget_hints(&mut self) {
        self.tasks.retain(|task| !matches!(task.kind, TaskKind::Hint { .. }));
    }

    pub(super) fn run_task(&mut self, node: NodeId, kind: TaskKind) {
        self.tasks.push_back(Task { node, search_id: None, kind });
        self.next_task();
    }

    /// Ends the engine of the hints after a change of its options, once it has no task: the next one starts it anew.
    pub(super) fn end_outdated_assistant(&mut self) {
        if self.tasks.is_empty()
            && std::mem::take(&mut self.assistant_is_outdated)
            && let Some(process) = self.assistant.take()
        {
            self.outputs.push(Output::EndEngine(process));
        }
    }

    /// Begins the next task, if none is under way.
    fn next_task(&mut self) {
        self.end_outdated_assistant();
        while let Some(task) = self.tasks.front().filter(|task| task.search_id.is_none()) {
            let Some((start, moves, time)) = self.task_search(task).filter(|_| !self.engines.is_empty()) else {
                self.task_found(None);
                continue;
            };
            let search_id = self.number();
            let process = match self.assistant {
                Some(process) => process,
                None => {
                    let process = self.start_process(0, None);
                    *self.assistant.insert(process)
                }
            };
            let go = Go { movetime: Some(time), ..Go::default() };
            let limit = Limit::Move { go, allowed: Some(time) };
            self.order_search(process, 0, Search { id: search_id, start, moves, limit, lines: 1 });
            if let Some(task) = self.tasks.front_mut() {
                task.search_id = Some(search_id);
            }
        }
    }

    /// The position and the time to search for a task; none if there is nothing to find.
    fn task_search(&self, task: &Task) -> Option<(Position, Vec<Move>, Duration)> {
        let record = &self.study.record;
        let position = record.position(task.node)?;
        let mut moves = record.moves_to(task.node);
        match task.kind {
            TaskKind::Hint { .. } => Some((record.start().clone(), moves, HINT_TIME)),
            TaskKind::Threats => {
                let mut setup = Setup::from(&position);
                setup.side_to_move = !setup.side_to_move;
                let passed = Position::try_from(&setup).ok().filter(Position::has_legal_move)?;
                Some((passed, Vec::new(), THREAT_TIME))
            }
            TaskKind::Try { mv, .. } => {
                moves.push(mv);
                position.after(mv).has_legal_move().then(|| (record.start().clone(), moves, TRY_TIME))
            }
        }
    }

    pub(super) fn task_done(&mut self, search_id: u64, decision: EngineDecision, search_info: &SearchInfo) {
        if self.tasks.front().and_then(|task| task.search_id) != Some(search_id) {
            // It was forgotten; another may have waited for it.
            return self.next_task();
        }
        let score = search_info.lines.first().and_then(|line| Some(line.as_ref()?.score));
        self.task_found(match decision {
            EngineDecision::Move(mv) => Some((mv, score)),
            EngineDecision::Resign | EngineDecision::Declare => None,
        });
        self.next_task();
    }

    /// The assistant has ended, or the nodes of the tasks are gone.
    pub(super) fn drop_tasks(&mut self) {
        while !self.tasks.is_empty() {
            self.task_found(None);
        }
        self.threats = None;
    }

    /// Delivers the result of the first task.
    fn task_found(&mut self, found: Found) {
        let Some(Task { node, kind, .. }) = self.tasks.pop_front() else { return };
        let position = self.study.record.position(node);
        match kind {
            // A node that is no longer viewed needs no hint.
            TaskKind::Hint { .. } if node != self.study.cursor => {}
            TaskKind::Hint { client, id } => {
                let legal = position.zip(found).filter(|(position, (mv, _))| position.is_legal(*mv));
                let Some((_, (mv, _))) = legal else {
                    return self.refuse(client, Some(id), Refusal::new("no-hint"));
                };
                self.reply(client, &Message::Hint { id, node, mv });
            }
            TaskKind::Threats => {
                self.threats = Some((node, found.map(|(mv, _)| mv).into_iter().collect()));
                if self.shows_threats && node == self.study.cursor {
                    self.tell(&self.position_message());
                }
            }
            TaskKind::Try { client, id, mv } => {
                let after = position.filter(|position| position.is_legal(mv)).map(|position| position.after(mv));
                let score = match after {
                    Some(after) if !after.has_legal_move() => Some(Score::Mate(0)),
                    _ => found.and_then(|(_, score)| score),
                };
                self.tried(client, id, node, score);
            }
        }
    }
}
