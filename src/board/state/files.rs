//! Opening, pasting, exporting records, and choosing one from a list.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use base64::Engine as _;

use super::game_list::{GameList, ListedGame};
use super::io::{ClientId, Output};
use super::listed::Followed;
use super::problems::ReadProblems;
use super::replay;
use super::study::Study;
use super::{Answer, Refusal, State};
use crate::board::messages::Message;
use crate::board::messages::text::{self, Text};
use crate::record::kakinoki::to_board;
use crate::record::{Format, Header, NodeId, NotWritten, ReadError, Reader, Record, UnknownFormat};

/// The name of the board at the cursor, drawn with characters, among the formats.
const BOARD: &str = "board";

/// The name under which the page asks for the main line in PGN, for a short link.
const BRIEF: &str = "brief";

impl State {
    /// Opens what the user has uploaded, or adds its games to the chapters.
    pub(super) fn open(&mut self, client: ClientId, id: u64, name: &str, data: &str, add: bool) -> Answer {
        let name = plain_name(name);
        let bytes = decode(data)?;
        if add {
            return self.add_file(&name, bytes);
        }
        if name.to_lowercase().ends_with(".toml") {
            return self.open_lessons(&name, bytes);
        }
        match String::from_utf8(bytes) {
            Ok(text) if ReadProblems::is_begun_by(&text) => self.open_problems(client, id, text),
            Ok(text) => self.open_bytes(Some(name), text.into_bytes()),
            Err(error) => self.open_bytes(Some(name), error.into_bytes()),
        }
    }

    pub(super) fn paste(&mut self, client: ClientId, id: u64, text: String) -> Answer {
        if ReadProblems::is_begun_by(&text) {
            return self.open_problems(client, id, text);
        }
        self.open_bytes(None, text.into_bytes())
    }

    fn open_bytes(&mut self, name: Option<String>, bytes: Vec<u8>) -> Answer {
        let (record, problem) = first_game(&bytes)?;
        let games = GameList::of_text(name.as_deref().unwrap_or_default(), bytes, || self.next_game());
        let games = games.filter(|games| games.count() > 1);
        // Pasted games are in no file.
        let is_pasted = name.is_none();
        let study = match &games {
            Some(games) => {
                let game = games.first().and_then(|game| games.game(game)).ok_or_else(game_gone)?;
                if is_pasted {
                    self.keep_list(games);
                }
                game.study
            }
            None => Study { unsaved: is_pasted, ..Study::of(record, name) },
        };
        self.replace_games(study, games);
        self.tell_of(problem);
        Ok(())
    }

    /// Adds the games of a file to the chapters, and opens the first of them.
    fn add_file(&mut self, name: &str, bytes: Vec<u8>) -> Answer {
        self.check_free()?;
        first_game(&bytes)?;
        let added = GameList::of_text(name, bytes, || self.next_game()).ok_or_else(game_gone)?;
        let first = added.first().ok_or_else(game_gone)?;
        self.chapters().append(added);
        self.games_changed();
        self.open_game(first)
    }

    /// Reports an unreadable part.
    fn tell_of(&mut self, problem: Option<Text>) {
        if let Some(problem) = problem {
            self.notice(Text::new("record.partial").with("problem", problem));
        }
    }

    pub(super) fn tell_games(&mut self) {
        let games = self.games.as_ref().map(GameList::view);
        self.tell(&Message::Games { games });
    }

    pub(super) fn open_game(&mut self, game: u64) -> Answer {
        if self.problem.is_some() {
            self.leave_problem()?;
        }
        let is_listed = self.games.as_ref().is_some_and(|games| games.has(&self.study));
        if is_listed && self.study.kept.id == Some(game) {
            return Ok(());
        }
        if !self.is_playing() {
            self.keep_listed();
        }
        let ListedGame { study, problem } = self.listed(game)?;
        self.replace_study(study);
        self.tell_of(problem.as_ref().map(text::problem));
        Ok(())
    }

    /// A game of the list.
    pub(super) fn listed(&self, game: u64) -> Result<ListedGame, Refusal> {
        let games = self.games.as_ref().ok_or_else(game_gone)?;
        games.game(game).ok_or_else(|| match games.problem(game) {
            Some(problem) => Refusal::new("unreadable-game").with("problem", problem.message),
            None => game_gone(),
        })
    }

    /// Reads the games of a file, and goes on as it grows.
    pub(super) fn follow(&mut self, path: PathBuf) {
        self.games = Some(GameList::of_file(&path));
        self.outputs.push(Output::Follow(path));
    }

    pub(super) fn followed(&mut self, followed: Followed) {
        if !self.games.as_ref().is_some_and(|games| games.is_followed) {
            // Another list has taken its place.
            let replaced =
                self.replaced.as_mut().and_then(|replaced| replaced.games.take_if(|games| games.is_followed));
            if let Some(mut games) = replaced {
                games.add(followed, || self.next_game());
                if let Some(replaced) = &mut self.replaced {
                    replaced.games = Some(games);
                }
            }
            return;
        }
        if followed.is_new {
            self.keep_listed();
        }
        let Some(mut games) = self.games.take() else { return };
        let added = games.add(followed, || self.next_game());
        // A file opens with its first game.
        let first = if added.is_none() { games.first() } else { None };
        self.games = Some(games);
        match added {
            Some(games) => self.tell(&Message::GamesAdded { games }),
            None => {
                self.tell_games();
                if self.study.record.is_empty()
                    && self.play.is_none()
                    && self.problem.is_none()
                    && let Some(first) = first
                {
                    let _ = self.open_game(first);
                }
            }
        }
    }

    pub(super) fn export(&mut self, client: ClientId, id: u64, format: &str, all: bool) -> Answer {
        if format == replay::FORMAT {
            let text = replay::html(&self.study.record, self.study.review.as_deref(), &self.replay_files)
                .ok_or_else(|| Refusal::new("no-page"))?;
            let name = file_name(self.study.name.as_deref(), format);
            self.reply(client, &Message::Exported { id, name, text });
            return Ok(());
        }
        if format == BOARD {
            let text = to_board(&self.study.record, self.study.cursor).ok_or_else(game_gone)?;
            let name = file_name(self.study.name.as_deref(), "txt");
            self.reply(client, &Message::Exported { id, name, text });
            return Ok(());
        }
        let bad = |error: UnknownFormat| Refusal::new("bad-format").with("error", error.to_string());
        let is_brief = format == BRIEF;
        let format: Format = if is_brief { Format::Pgn } else { format.parse().map_err(bad)? };
        let message = match &self.games {
            Some(games) if all => {
                // The game on the board may be newer.
                let own = self.own_study();
                let newest = |study: Study| if study.kept.id == own.kept.id { own.clone() } else { study };
                let studies: Vec<Study> = games.studies().flatten().map(newest).collect();
                let records: Vec<Record> =
                    studies.iter().map(|study| study.annotated(format.into()).into_owned()).collect();
                let message = exported(id, format, &records, Some(&games.name).filter(|name| !name.is_empty()))?;
                let unread = games.count() - records.len();
                if unread > 0 {
                    self.reply(client, &Message::Notice { text: Text::new("games.unread").with("count", unread) });
                }
                message
            }
            _ => {
                let record = match is_brief {
                    true => Cow::Owned(main_line(&self.study.record)),
                    false => self.study.annotated(format.into()),
                };
                exported(id, format, std::slice::from_ref(&*record), self.study.name.as_ref())?
            }
        };
        self.reply(client, &message);
        Ok(())
    }

    /// Exports the study or all chapters, which count as saved then, except in USI, which has only the main line.
    pub(super) fn save_as(&mut self, client: ClientId, id: u64, format: &str, all: bool) -> Answer {
        self.export(client, id, format, all)?;
        if format == Format::Usi.name() {
            return Ok(());
        }
        let is_written = match self.games.as_mut().filter(|_| all) {
            Some(games) => {
                games.saved();
                self.has_new_games = true;
                games.has(&self.study)
            }
            None => true,
        };
        if is_written {
            self.study.unsaved = false;
        }
        self.tell(&Message::Files(self.study.files()));
        self.save();
        Ok(())
    }
}

/// The bytes of a file in base64.
pub(super) fn decode(data: &str) -> Result<Vec<u8>, Refusal> {
    let bytes = base64::prelude::BASE64_STANDARD.decode(data);
    bytes.map_err(|error| Refusal::new("bad-message").with("error", error.to_string()))
}

pub(super) fn game_gone() -> Refusal {
    Refusal::new("game-gone")
}

/// The game without its variations, comments and annotations, and without other programs' tags.
fn main_line(record: &Record) -> Record {
    let mut line = Record::new(record.start().clone());
    line.header = Header { tags: Vec::new(), ..record.header.clone() };
    record.main_moves().fold(NodeId::ROOT, |node, mv| line.play(node, mv).expect("it was played there"));
    line
}

fn exported(id: u64, format: Format, records: &[Record], name: Option<&String>) -> Result<Message, Refusal> {
    let text = joined(records, format)?;
    Ok(Message::Exported { id, name: file_name(name.map(String::as_str), format.extension()), text })
}

/// The name of a file for a game. `name` is the name of its own file, with its number if that has several games
/// (`cup.pgn #2`), or a name that a person gave it.
fn file_name(name: Option<&str>, extension: &str) -> String {
    let name = name.unwrap_or("game");
    let (file, number) = name.rsplit_once(" #").unwrap_or((name, ""));
    let file = match file.rsplit_once('.') {
        Some((stem, _)) if Format::of_path(Path::new(file)).is_some() => stem,
        _ => file,
    };
    let separator = if number.is_empty() { "" } else { "-" };
    format!("{file}{separator}{number}.{extension}")
}

/// Games as one text.
pub(super) fn joined(records: &[Record], format: Format) -> Result<String, Refusal> {
    let bad = |error: NotWritten| Refusal::new("bad-format").with("error", error.to_string());
    let texts: Vec<String> =
        records.iter().map(|record| record.to_text(format).map_err(bad)).collect::<Result<_, _>>()?;
    // A line of moves is a game; others are told apart by an empty line.
    Ok(texts.join(if format == Format::Usi { "" } else { "\n" }))
}

/// The first game of a text that can be read, and the first problem up to its end.
fn first_game(bytes: &[u8]) -> Result<(Record, Option<Text>), Refusal> {
    let bad = |problem: Text| Refusal::new("bad-record").with("problem", problem);
    let games = Reader::new(bytes).map_err(|error| bad(text::unreadable(&error)))?;
    let mut problem = None;
    for game in games {
        let game = game.map_err(|error| bad(text::unreadable(&ReadError::Io(error))))?;
        problem = problem.or_else(|| game.problems.first().map(text::problem));
        if let Some(record) = game.record {
            return Ok((record, problem));
        }
    }
    Err(bad(problem.unwrap_or_else(|| Text::new("record.none"))))
}

/// A file's name without folders and control characters, truncated to 200 characters.
pub(super) fn plain_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.chars().filter(|c| !c.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_tells_the_game_in_a_list() {
        for (name, file) in [
            (None, "game.kif"),
            (Some("cup.pgn"), "cup.kif"),
            (Some("cup.pgn #2"), "cup-2.kif"),
            (Some("cup.2024.jsonl #12"), "cup.2024-12.kif"),
            (Some("Dr. No - Mr. X"), "Dr. No - Mr. X.kif"),
        ] {
            assert_eq!(file_name(name, "kif"), file);
        }
    }
}
