//! What engines think while they play each other.

use super::State;
use super::io::SearchInfo;
use crate::board::messages::Message;
use crate::shogi::Color;

impl State {
    /// Shows what an engine thinks, unless that would help a person.
    pub(super) fn player_thinks(&mut self, color: Color, search_id: u64, search_info: &SearchInfo) {
        let Some(play) = self.play.as_mut().filter(|play| play.search_id == Some(search_id) && play.is_watched())
        else {
            return;
        };
        let thought = Some((play.node, search_info.clone()));
        if play.thoughts[color.index()] != thought && !search_info.lines.is_empty() {
            play.thoughts[color.index()] = thought;
            if let Some(message) = self.thought_message(color) {
                self.tell(&message);
            }
        }
    }

    pub(super) fn thought_message(&self, color: Color) -> Option<Message> {
        // The nodes of a problem are others.
        let play = self.play.as_ref().filter(|_| self.problem.is_none())?;
        let (node, search_info) = play.thoughts[color.index()].as_ref()?;
        let thought = self.search_view(play.seat(color).engine?, *node, search_info, 1)?;
        Some(Message::Thought { side: color, thought })
    }
}
