//! The library: it keeps every game that was played, pasted or changed.

use super::files::{decode, joined, plain_name};
use super::game_list::GameList;
use super::io::{ClientId, Job, JobId, Output};
use super::kept::{Fetched, KeptGame, LibraryAnswer, LibraryTask, ReadGames, Search, first_words};
use super::saved::SavedStudy;
use super::study::{Kept, Study};
use super::{Answer, Refusal, Replaced, State, Waiting};
use crate::board::messages::text::Text;
use crate::board::messages::{LibraryQuery, Message};
use crate::record::{Format, NodeId, UnknownFormat};

/// The largest file of games, in bytes.
const LARGEST_FILE: usize = 256 << 20;

/// The most pasted games of a list that are kept: they are read at once.
const MOST_PASTED: usize = 10_000;

/// The number of boards that can number their games at the same time.
pub const TAGS: u64 = 1 << 11;

impl State {
    /// A unique number for a game.
    pub(super) fn next_game(&mut self) -> u64 {
        // Boards on one database have other tags. It stays below 2⁵³, which JavaScript can hold.
        let now = self.now.millis * TAGS + self.library.tag;
        self.library.last_id = now.max(self.library.last_id + TAGS);
        self.library.last_id
    }

    /// Keeps the study on the board, unless it is in a user's file or already in the library.
    pub(super) fn keep_study(&mut self) {
        if self.problem.is_some() {
            return;
        }
        let game = self.play.as_ref().and_then(|play| play.saved(&self.study.record, self.now.instant));
        let study = &self.study;
        let is_ours = study.unsaved || study.file.is_some() || game.is_some() || study.kept.id.is_some();
        // The clocks of a running game have moved on.
        let is_current = study.kept.is_current && game.is_none();
        if is_current || !study.has_content() || !is_ours {
            return;
        }
        let id = study.kept.id.unwrap_or_else(|| self.next_game());
        let kept = &mut self.study.kept;
        (kept.id, kept.is_current) = (Some(id), true);
        let game = KeptGame::of(&self.study, game, self.now);
        self.study.kept.date.clone_from(&game.study.kept.date);
        self.keep(game);
        self.save();
    }

    /// Keeps a study of an earlier session.
    pub(super) fn keep_saved(&mut self, saved: &mut SavedStudy) {
        let Some(study) = saved.study().filter(Study::has_content) else { return };
        if !saved.kept.is_current {
            let id = saved.kept.id.unwrap_or_else(|| self.next_game());
            let game = KeptGame::of(&study, saved.game.clone(), self.now).with_id(id);
            saved.kept = game.study.kept.clone();
            self.keep(game);
        }
    }

    fn keep(&mut self, game: KeptGame) {
        self.library.unconfirmed.retain(|other| other.row.id != game.row.id);
        self.library.unconfirmed.push(game);
        self.save_unconfirmed();
    }

    /// Keeps the games of a new list, unless they are so many that the board would stand still.
    pub(super) fn keep_list(&mut self, games: &GameList) {
        if games.count() > MOST_PASTED {
            return;
        }
        for study in games.studies().flatten() {
            if study.has_content() {
                self.library.unconfirmed.push(KeptGame::of(&study, None, self.now));
            }
        }
        self.save_unconfirmed();
    }

    /// Has the library save what it has not confirmed.
    pub(super) fn save_unconfirmed(&mut self) {
        let games = self.library.unconfirmed.clone();
        if !games.is_empty() {
            self.library.saving = self.have(LibraryTask::Save { games }, Waiting::Save);
        }
    }

    /// Whether the library has not yet answered to games that it was told to save.
    pub fn saves_games(&self) -> bool {
        self.library.waiting.values().any(|waiting| matches!(waiting, Waiting::Save))
    }

    fn have(&mut self, task: LibraryTask, waiting: Waiting) -> u64 {
        let number = self.number();
        self.library.waiting.insert(number, waiting);
        self.outputs.push(Output::Library { number, task });
        number
    }

    pub(super) fn list_library(&mut self, client: ClientId, id: u64, query: &LibraryQuery, all: bool) -> Answer {
        // The list includes the study on the board.
        self.keep_study();
        let position = self.study.record.position(self.study.cursor);
        let search = Search::of(query, &position.unwrap_or_else(|| self.study.record.start().clone()));
        let task = if all { LibraryTask::All(search) } else { LibraryTask::List(search) };
        self.have(task, Waiting::Reply(client, id));
        Ok(())
    }

    pub(super) fn open_kept(&mut self, client: ClientId, id: u64, game: u64) -> Answer {
        match self.library.unconfirmed.iter().find(|kept| kept.row.id == game) {
            Some(kept) => {
                self.put_up_kept(Fetched { id: game, name: kept.row.name.clone(), study: kept.study.clone() })
            }
            None => {
                self.have(LibraryTask::Fetch { games: vec![game] }, Waiting::Open(client, id, self.is_playing()));
                Ok(())
            }
        }
    }

    fn put_up_kept(&mut self, Fetched { id, name, mut study }: Fetched) -> Answer {
        study.kept = Kept { id: Some(id), is_current: true, ..study.kept };
        let mut kept = Replaced::of(study, None).ok_or_else(|| Refusal::new("game-gone"))?;
        kept.study.name = name;
        // The library does not keep the series of a game.
        if let Some(replaced) = self.replaced.as_mut().filter(|replaced| replaced.study.kept.id == Some(id)) {
            kept.saved.series = replaced.saved.series.take();
        }
        // No offer to put back an unchanged game: the library still has it.
        kept.study.unsaved = false;
        // It goes on as it is: the library may not have all of it yet.
        if self.own_study().kept.id == Some(id) {
            if self.problem.is_some() {
                self.leave_problem()?;
            }
        } else if self.games.as_ref().is_some_and(|games| games.has(&kept.study)) {
            self.open_game(id)?;
        } else {
            self.put_up_again(kept);
        }
        Ok(())
    }

    pub(super) fn rename_kept(&mut self, client: ClientId, id: u64, game: u64, name: &str) -> Answer {
        let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
        let name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        // The game has the new name everywhere.
        let own = self.own_study_mut();
        if own.kept.id == Some(game) {
            own.name.clone_from(&name);
            self.tell(&Message::Files(self.study.files()));
        }
        if let Some(replaced) = self.replaced.as_mut().filter(|replaced| replaced.study.kept.id == Some(game)) {
            replaced.study.name.clone_from(&name);
            replaced.saved.name.clone_from(&name);
        }
        let replaced = self.replaced.as_mut().and_then(|replaced| replaced.games.as_mut());
        for games in self.games.as_mut().into_iter().chain(replaced) {
            games.rename(game, &name);
            self.has_new_games = true;
        }
        let unconfirmed = self.library.unconfirmed.iter_mut();
        unconfirmed.filter(|kept| kept.row.id == game).for_each(|kept| kept.rename(&name));
        self.save();
        let words = first_words(&name);
        self.have(LibraryTask::Rename { game, name, words }, Waiting::Reply(client, id));
        Ok(())
    }

    pub(super) fn delete_kept(&mut self, client: ClientId, id: u64, mut games: Vec<u64>, is_deleted: bool) -> Answer {
        if is_deleted && self.is_playing() {
            // The game would be kept again with its next move.
            let own = self.own_study().kept.id;
            games.retain(|&game| Some(game) != own);
            if games.is_empty() {
                return Err(Refusal::new("in-game"));
            }
        }
        let at = is_deleted.then_some(self.now.millis);
        // The database has them in time: what it does not have it could not restore.
        let unconfirmed = self.library.unconfirmed.iter_mut();
        unconfirmed.filter(|kept| games.contains(&kept.row.id)).for_each(|kept| kept.deleted = at);
        self.save_unconfirmed();
        self.save();
        self.have(LibraryTask::Delete { games, at }, Waiting::Reply(client, id));
        Ok(())
    }

    pub(super) fn erase_kept(&mut self, client: ClientId, id: u64, games: Vec<u64>) -> Answer {
        self.library.unconfirmed.retain(|kept| !games.contains(&kept.row.id));
        self.save();
        self.have(LibraryTask::Erase { games }, Waiting::Reply(client, id));
        Ok(())
    }

    pub(super) fn export_kept(&mut self, client: ClientId, id: u64, mut games: Vec<u64>, format: &str) -> Answer {
        games.sort_unstable();
        games.dedup();
        let bad = |error: UnknownFormat| Refusal::new("bad-format").with("error", error.to_string());
        let format = format.parse().map_err(bad)?;
        self.have(LibraryTask::Fetch { games }, Waiting::Export(client, id, format));
        Ok(())
    }

    /// Adds a part of a file; after the last one its games are read.
    pub(super) fn import(&mut self, client: ClientId, id: u64, name: &str, data: &str, more: bool) -> Answer {
        // A file with a rejected part is not continued.
        let key = (client, name.to_owned());
        let mut bytes = self.library.parts.remove(&key).unwrap_or_default();
        let part = decode(data)?;
        let others = self.library.parts.iter().filter(|((sender, _), _)| *sender == client);
        if others.map(|(_, bytes)| bytes.len()).sum::<usize>() + bytes.len() + part.len() > LARGEST_FILE {
            return Err(Refusal::new("too-long"));
        }
        bytes.extend(part);
        if more {
            self.library.parts.insert(key, bytes);
            self.reply(client, &Message::LibraryDone { id });
            return Ok(());
        }
        let job = self.number();
        self.library.reading.push((job, client, id));
        let kind = Job::ReadGames { name: plain_name(name), bytes, now: self.now };
        self.outputs.push(Output::StartJob { job, kind });
        Ok(())
    }

    pub(super) fn games_read(&mut self, job: JobId, ReadGames { games, problem }: ReadGames) {
        let Some(place) = self.library.reading.iter().position(|(reading, ..)| *reading == job) else { return };
        let (_, client, id) = self.library.reading.swap_remove(place);
        if games.is_empty() {
            let problem = problem.unwrap_or_else(|| Text::new("record.none"));
            return self.refuse(client, Some(id), Refusal::new("bad-record").with("problem", problem));
        }
        let games: Vec<KeptGame> = games.into_iter().map(|game| game.with_id(self.next_game())).collect();
        let waiting = Waiting::Import { client, id, games: games.len(), problem };
        self.have(LibraryTask::Save { games }, waiting);
    }

    /// A page has gone.
    pub(super) fn leave_library(&mut self, client: ClientId) {
        self.library.parts.retain(|&(sender, _), _| sender != client);
        if self.clients.is_empty() {
            self.keep_study();
            // The clock of a game without moves, which the library does not keep.
            self.save();
        }
    }

    /// Lets the library count the moves played at a node.
    pub(super) fn explore(&mut self, client: ClientId, id: u64, node: NodeId) -> Answer {
        let key = self.explored_key(node)?;
        self.have(LibraryTask::Explore { key }, Waiting::Explore(client, id, node));
        Ok(())
    }

    pub(super) fn library_says(&mut self, number: u64, answer: Result<LibraryAnswer, String>) {
        let Some(waiting) = self.library.waiting.remove(&number) else { return };
        let refused = |why: String| Refusal::new("library").with("why", why);
        let done = match (waiting, answer) {
            (Waiting::Save, answer) => return self.saved(number, answer.err()),
            // The book knows moves without it.
            (Waiting::Explore(client, id, node), answer) => {
                let moves = match answer {
                    Ok(LibraryAnswer::Explored { moves }) => moves,
                    _ => Vec::new(),
                };
                return self.explored(client, id, node, &moves);
            }
            (Waiting::Reply(client, id), answer) => {
                let done = answer.map_err(refused).and_then(|answer| self.replied(client, id, answer));
                (client, id, done)
            }
            (Waiting::Open(client, id, was_playing), answer) => {
                let game = answer.map_err(refused).and_then(|answer| match answer {
                    // The user was not asked whether to interrupt the game.
                    _ if self.is_playing() && !was_playing => Err(Refusal::new("in-game")),
                    LibraryAnswer::Fetched { mut games } => games.pop().ok_or_else(|| Refusal::new("game-gone")),
                    _ => Err(Refusal::new("game-gone")),
                });
                (client, id, game.and_then(|game| self.put_up_kept(game)))
            }
            (Waiting::Export(client, id, format), answer) => {
                let done = answer.map_err(refused).and_then(|answer| self.exported_kept(client, id, format, answer));
                (client, id, done)
            }
            (Waiting::Import { client, id, games, problem }, answer) => {
                let done = answer.map_err(refused).map(|answer| {
                    let LibraryAnswer::Done { count } = answer else { return };
                    self.reply(client, &Message::Imported { id, count, known: games - count, problem });
                });
                (client, id, done)
            }
        };
        if let (client, id, Err(refusal)) = done {
            self.refuse(client, Some(id), refusal);
        }
    }

    fn saved(&mut self, number: u64, error: Option<String>) {
        let has_failed = std::mem::replace(&mut self.library.fails, error.is_some());
        match error {
            // The session keeps them, and they are saved with the next one.
            Some(why) if !has_failed => self.notice(Text::new("storage.library").with("why", why)),
            None if number == self.library.saving => {
                self.library.unconfirmed.clear();
                self.save();
            }
            _ => {}
        }
    }

    fn replied(&mut self, client: ClientId, id: u64, answer: LibraryAnswer) -> Answer {
        let message = match answer {
            LibraryAnswer::List { rows, total } => Message::Library { id, rows, total, current: self.study.kept.id },
            LibraryAnswer::All { games } => Message::LibraryAll { id, games },
            LibraryAnswer::Done { .. } => Message::LibraryDone { id },
            LibraryAnswer::Fetched { .. } | LibraryAnswer::Explored { .. } => return Ok(()),
        };
        self.reply(client, &message);
        Ok(())
    }

    fn exported_kept(&mut self, client: ClientId, id: u64, format: Format, answer: LibraryAnswer) -> Answer {
        let LibraryAnswer::Fetched { games } = answer else { return Ok(()) };
        let gone = || Refusal::new("game-gone");
        let records: Option<Vec<_>> =
            games.iter().map(|game| Some(game.study.study()?.annotated(format.into()).into_owned())).collect();
        let text = joined(&records.filter(|records| !records.is_empty()).ok_or_else(gone)?, format)?;
        let name = match &games[..] {
            [Fetched { name: Some(name), .. }] => plain_name(name),
            _ => "games".to_owned(),
        };
        let name = format!("{name}.{}", format.extension());
        self.reply(client, &Message::Exported { id, name, text });
        Ok(())
    }
}
