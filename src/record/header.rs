//! The metadata of a game, common to all formats: players, dates, event, time controls, result and tags.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Date;
use super::notes::{FormerEnd, millis};
use crate::shogi::{Color, EndReason, GameScore, ImpasseRule};

/// The data of a game besides its moves. Everything is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Header {
    /// Black's and White's names.
    pub players: [Option<String>; 2],
    /// The start of the game.
    pub date: Option<Date>,
    /// The end of the game.
    pub ended: Option<Date>,
    /// The tournament or match.
    pub event: Option<String>,
    /// The place of the game.
    pub site: Option<String>,
    /// The number of the game in the event.
    pub round: Option<String>,
    /// The time controls of Black and White, in the record's own words.
    pub time_controls: [Option<String>; 2],
    /// The impasse rule.
    pub impasse: Option<Impasse>,
    /// The result; none for an unfinished game, or if it was not recorded.
    pub result: Option<GameScore>,
    /// Why the game ended.
    pub reason: Option<EndReason>,
    /// The reason in words, if they say more than `reason`.
    pub detail: Option<String>,
    /// The thinking time of the player to move before the end of the game, as KIF has it next to `投了`. In JSON:
    /// milliseconds.
    #[serde(with = "millis", skip_serializing_if = "Option::is_none")]
    pub last_thought: Option<Duration>,
    /// All other data of the record: names and values, in order.
    pub tags: Vec<(String, String)>,
}

/// The impasse rule of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Impasse {
    /// The rule, by its name.
    pub rule: ImpasseRule,
    /// The number of quiet plies for [`ImpasseRule::Points12`].
    pub plies: u32,
}

impl Impasse {
    /// As in records: `Points12 24`.
    pub(super) fn text(self) -> String {
        format!("{} {}", self.rule, self.plies)
    }

    pub(super) fn parse(text: &str) -> Option<Impasse> {
        let (rule, plies) = text.trim().split_once(' ')?;
        Some(Impasse { rule: rule.parse().ok()?, plies: plies.parse().ok()? })
    }
}

impl Header {
    /// A player's name.
    pub fn player(&self, color: Color) -> Option<&str> {
        self.players[color.index()].as_deref()
    }

    /// The value of one of the [tags](Header::tags).
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Whether the game is over or was broken off.
    pub fn has_end(&self) -> bool {
        self.result.is_some() || self.reason.is_some()
    }

    /// Removes the end of the game.
    pub fn take_end(&mut self) -> FormerEnd {
        FormerEnd { result: self.result.take(), reason: self.reason.take(), detail: self.detail.take() }
    }

    /// Sets the end of the game.
    pub fn set_end(&mut self, end: FormerEnd) {
        (self.result, self.reason, self.detail) = (end.result, end.reason, end.detail);
    }

    /// The time control, if it is the same for both players.
    pub(super) fn common_time_control(&self) -> Option<&str> {
        let [black, white] = &self.time_controls;
        black.as_deref().filter(|_| black == white)
    }
}

/// A header's text on one line; none if it is empty.
pub(super) fn one_line(text: &str) -> Option<String> {
    let text: String = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Reads a text into an empty field. Returns the text if it has no meaning there, or if the field is full.
pub(super) fn fill<T, S: AsRef<str>>(
    field: &mut Option<T>,
    text: S,
    read: impl FnOnce(&str) -> Option<T>,
) -> Option<S> {
    if field.is_some() {
        return Some(text);
    }
    *field = read(text.as_ref());
    field.is_none().then_some(text)
}
