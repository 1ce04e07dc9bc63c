//! Edits of the list: chapters are added, renamed, put in order and deleted.

use super::edit::{check_name, parse_position, plain};
use super::files::game_gone;
use super::game_list::GameList;
use super::study::{Edit, Kept, Study};
use super::{Answer, Refusal, State};
use crate::shogi::Position;

impl State {
    /// The list, which begins with the study on the board.
    pub(super) fn chapters(&mut self) -> &mut GameList {
        if self.games.is_none() {
            self.games = Some(GameList::new(self.study.name.as_deref().unwrap_or_default()));
            if self.study.has_content() {
                self.list_study();
            }
        }
        self.games.get_or_insert_default()
    }

    /// Makes the study on the board a chapter.
    fn list_study(&mut self) {
        let id = self.study.kept.id.unwrap_or_else(|| self.next_game());
        self.study.kept.id = Some(id);
        let study = self.study.clone();
        self.games.get_or_insert_default().push(study);
    }

    /// After a change of the list.
    pub(super) fn games_changed(&mut self) {
        self.has_new_games = true;
        self.tell_games();
        self.save();
    }

    pub(super) fn add_chapter(&mut self, title: &str, here: bool, sfen: Option<&str>) -> Answer {
        self.check_free()?;
        check_name(title)?;
        let start = sfen.map_or_else(|| Ok(Position::startpos()), parse_position)?;
        let title = plain(title);
        if here {
            if self.games.as_ref().is_some_and(|games| games.has(&self.study)) {
                return Err(Refusal::new("game-gone"));
            }
            self.list_study();
            self.games_changed();
            self.tell(&self.study_message());
            self.position_changed();
            return match (title, self.study.kept.id) {
                (Some(title), Some(id)) => self.rename_chapter(id, &title),
                _ => Ok(()),
            };
        }
        // Chapters are in no file.
        let mut study = Study { unsaved: true, ..Study::new(start) };
        study.record.header.event = title;
        study.kept = Kept { id: Some(self.next_game()), ..Kept::default() };
        self.chapters().push(study.clone());
        self.games_changed();
        self.replace_study(study);
        Ok(())
    }

    /// Gives a chapter a title, which is the event in its header.
    pub(super) fn rename_chapter(&mut self, game: u64, title: &str) -> Answer {
        self.check_free()?;
        check_name(title)?;
        let mut study = self.listed(game)?.study;
        if self.study.kept.id == Some(game) {
            let header = &mut self.study.record.header;
            let before = header.clone();
            header.event = plain(title);
            self.edited(Edit::Header(Box::new(before)));
            self.header_changed();
            self.changed();
            return Ok(());
        }
        study.edits.push_back((self.now.instant, Edit::Header(Box::new(study.record.header.clone()))));
        study.record.header.event = plain(title);
        study.unsaved = true;
        study.kept.is_current = false;
        if let Some(games) = &mut self.games {
            games.put(study);
        }
        self.games_changed();
        Ok(())
    }

    pub(super) fn move_chapter(&mut self, game: u64, to: usize) -> Answer {
        self.check_free()?;
        let is_moved = self.games.as_mut().is_some_and(|games| games.move_to(game, to));
        if !is_moved {
            return Err(game_gone());
        }
        self.games_changed();
        Ok(())
    }

    /// Deletes a chapter. Another one takes its place on the board.
    pub(super) fn delete_chapter(&mut self, game: u64) -> Answer {
        self.check_free()?;
        self.keep_listed();
        let (is_on_board, now) = (self.study.kept.id == Some(game), self.now.instant);
        let next = self.games.as_mut().and_then(|games| games.delete(game, is_on_board, now));
        let next = next.ok_or_else(game_gone)?;
        self.games_changed();
        if is_on_board {
            // The list can restore it: it is not lost.
            self.drop_series();
            self.drop_game();
            let study = self.games.as_ref().and_then(|games| games.game(next)).map(|game| game.study);
            self.set_study(study.unwrap_or_else(|| Study::new(Position::startpos())));
            self.save();
        }
        Ok(())
    }

    /// Restores a deleted chapter: `game`, or the last one. The page asks whether `game` may end a game that is played.
    pub(super) fn restore_chapter(&mut self, game: Option<u64>) -> Answer {
        if game.is_none() {
            self.check_free()?;
        }
        let restored = self.games.as_mut().and_then(|games| games.restore(game));
        let (game, was_on_board) = restored.ok_or_else(|| Refusal::new("nothing-deleted"))?;
        if self.own_study().kept.id == Some(game) {
            // Opened from the library meanwhile, it is newer on the board.
            let study = self.own_study().clone();
            if let Some(games) = &mut self.games {
                games.put(study);
            }
            if self.problem.is_none() {
                self.tell(&self.study_message());
            }
        }
        self.games_changed();
        if was_on_board { self.open_game(game) } else { Ok(()) }
    }
}
