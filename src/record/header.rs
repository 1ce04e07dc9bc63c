use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Date;
use super::notes::millis;
use crate::shogi::{Color, EndReason, GameScore, ImpasseRule};

/// What is known of a game besides its moves. Everything may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Header {
    /// Black's and White's names.
    pub players: [Option<String>; 2],
    /// When the game began.
    pub date: Option<Date>,
    /// When it ended.
    pub ended: Option<Date>,
    /// The tournament or match.
    pub event: Option<String>,
    /// Where it was played.
    pub site: Option<String>,
    /// Its number in the event.
    pub round: Option<String>,
    /// How long Black and White might think, in the words of whoever wrote the record.
    pub time_controls: [Option<String>; 2],
    /// The impasse rule.
    pub impasse: Option<Impasse>,
    /// Who won; none for a game that was not finished, or if nobody wrote it down.
    pub result: Option<GameScore>,
    /// Why the game ended.
    pub reason: Option<EndReason>,
    /// The same in words, where more is known than the reason says.
    pub detail: Option<String>,
    /// How long the player to move had thought when the game ended, as KIF has it beside `投了`. In JSON: milliseconds.
    #[serde(with = "millis", skip_serializing_if = "Option::is_none")]
    pub last_thought: Option<Duration>,
    /// Whatever else the record says: names and values, in their order.
    pub tags: Vec<(String, String)>,
}

/// The impasse rule of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Impasse {
    /// The rule, by its name.
    #[serde(with = "rule_name")]
    pub rule: ImpasseRule,
    /// The quiet plies of [`ImpasseRule::Points12`].
    pub plies: u32,
}

impl Impasse {
    /// As records have it: `Points12 24`.
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

    /// The time control, if it is the same for both players.
    pub(super) fn common_time_control(&self) -> Option<&str> {
        let [black, white] = &self.time_controls;
        black.as_deref().filter(|_| black == white)
    }
}

/// A text of a header as it can stand in one line; nothing if there is nothing to say.
pub(super) fn one_line(text: &str) -> Option<String> {
    let text: String = text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Rules by the names they have as options.
mod rule_name {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::shogi::ImpasseRule;

    pub fn serialize<S: Serializer>(rule: &ImpasseRule, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(rule)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ImpasseRule, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}
