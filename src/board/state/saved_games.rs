//! How the chapters survive the end of the program. They are stored apart from the session, which changes with every
//! move.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

use super::game_list::GameList;
use super::listed::{Listed, Place, Span};
use super::saved::SavedStudy;

/// The version of [`StoredGames`] in files.
const VERSION: u32 = 1;

/// The lists as they are stored.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct StoredGames {
    version: u32,
    pub(super) games: Option<SavedGames>,
    /// The list that was replaced with the study of [`super::session::Session::replaced`].
    pub(super) replaced: Option<SavedGames>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedGames {
    name: String,
    /// The text that games are in, in base64: it may be in any encoding.
    text: String,
    games: Vec<SavedGame>,
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedGame {
    id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    span: Option<(u64, u64, String)>,
    /// See [`Span::before`].
    #[serde(default)]
    before: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    study: Option<Box<SavedStudy>>,
}

impl StoredGames {
    pub(super) fn of(games: Option<&GameList>, replaced: Option<&GameList>) -> StoredGames {
        let saved = |games: Option<&GameList>| games.filter(|games| is_stored(games)).map(SavedGames::of);
        StoredGames { version: VERSION, games: saved(games), replaced: saved(replaced) }
    }

    /// The lists as they are stored; none if there are none.
    pub fn to_json(&self) -> Option<String> {
        let has_any = self.games.is_some() || self.replaced.is_some();
        has_any.then(|| serde_json::to_string(self).expect("records are JSON"))
    }

    /// Reads stored lists, or returns the error.
    ///
    /// # Errors
    /// The text is of another version, or damaged.
    pub fn parse(text: &str) -> Result<StoredGames, String> {
        let stored: StoredGames = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if stored.version == VERSION {
            Ok(stored)
        } else {
            Err(format!("its version is {}, and this program reads {VERSION}", stored.version))
        }
    }
}

/// A file that is named on the command line is read anew, and the file of a match may be huge.
fn is_stored(games: &GameList) -> bool {
    !games.is_followed || (!games.live && games.is_unsaved())
}

impl SavedGames {
    fn of(list: &GameList) -> SavedGames {
        let has_text = list.games.iter().any(|game| matches!(game.place, Place::Text(_)));
        let saved = |game: &Listed| {
            let id = game.entry.id;
            let (span, before, study) = match &game.place {
                &Place::Text(Span { start, length, format, before }) => {
                    (Some((start, length, format.name().to_owned())), before, None)
                }
                Place::Study(study) => (None, 0, Some(SavedStudy::of(study, None))),
                Place::Read(_) => (None, 0, list.game(id).map(|game| SavedStudy::of(&game.study, None))),
            };
            SavedGame { id, span, before, study: study.map(Box::new) }
        };
        SavedGames {
            name: list.name.clone(),
            text: if has_text { BASE64_STANDARD.encode(&list.text) } else { String::new() },
            games: list.games.iter().map(saved).collect(),
        }
    }

    /// The list that was stored. A game that cannot be read keeps its place.
    pub fn list(self) -> GameList {
        let mut list = GameList::new(&self.name);
        list.text = BASE64_STANDARD.decode(&self.text).unwrap_or_default();
        for SavedGame { id, span, before, study } in self.games {
            if let Some(mut study) = study.and_then(|study| study.study()) {
                study.kept.id = Some(id);
                list.push(study);
                continue;
            }
            let span = span.and_then(|(start, length, format)| {
                let format = format.parse().ok()?;
                Some(Span { start, length, format, before })
            });
            let span = span.unwrap_or(Span { start: 0, length: 0, format: crate::record::Format::Usi, before });
            let record = list.read(span).and_then(|game| game.record);
            list.games.push(Listed::new(id, Place::Text(span), record.as_ref()));
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::state::study::Study;
    use crate::shogi::Position;

    #[test]
    fn a_chapter_has_the_number_of_its_entry_even_if_its_study_has_lost_it() {
        let mut study = Study::new(Position::startpos());
        study.kept.id = Some(5);
        let mut games = GameList::new("some");
        games.push(study);
        let text = StoredGames::of(Some(&games), None).to_json().expect("there is a list");
        let mut stored: serde_json::Value = serde_json::from_str(&text).unwrap();
        stored["games"]["games"][0]["study"]["kept"]["id"] = serde_json::Value::Null;
        let stored = StoredGames::parse(&stored.to_string()).unwrap();
        let games = stored.games.expect("there is a list").list();
        assert_eq!(games.view().games[0].id, 5);
        assert_eq!(games.game(5).unwrap().study.kept.id, Some(5));
    }
}
