//! Replacing studies. The library keeps a study that would be lost, and the last one can be restored at once.

use super::game_list::GameList;
use super::saved::{SavedStudy, place};
use super::study::Study;
use super::{Answer, Refusal, Replaced, State};
use crate::board::messages::Message;

impl Replaced {
    /// A study that was written down; none if it cannot be read.
    pub fn of(mut saved: SavedStudy, games: Option<GameList>) -> Option<Replaced> {
        let mut study = saved.study()?;
        // Its review has ended.
        saved.reviewing = None;
        // It is in no file, so that it is offered again when it is replaced.
        study.unsaved = true;
        Some(Replaced { study, saved, games })
    }
}

impl State {
    /// Replaces the study, and ends its game or problem. A study that would be lost is kept.
    pub(super) fn replace_study(&mut self, study: Study) {
        self.replace(study, None);
    }

    /// Replaces the study and the list.
    pub(super) fn replace_games(&mut self, study: Study, games: Option<GameList>) {
        self.has_new_games |= self.games.is_some() || games.is_some();
        self.replace(study, Some(games));
    }

    fn replace(&mut self, study: Study, games: Option<Option<GameList>>) {
        self.drop_problem();
        self.keep_study();
        let game = self.play.as_ref().and_then(|play| play.saved(&self.study.record, self.now.instant));
        let series = self.drop_series().map(|series| series.saved);
        self.drop_game();
        let is_listed = game.is_none() && self.keep_listed();
        let list = games.and_then(|games| {
            let list = std::mem::replace(&mut self.games, games);
            self.tell_games();
            list
        });
        let before = &self.study;
        // A file's format may not represent everything.
        let is_own = before.has_content() && (before.unsaved || before.file.is_some() || game.is_some());
        let is_list_lost = list.as_ref().is_some_and(GameList::is_unsaved);
        let is_lost = is_list_lost || is_own && !(is_listed && list.is_none());
        // An older state of the same game must not be restored.
        let is_newer = before.kept.id.is_some_and(|id| self.replaced_id() == Some(id));
        // A game pasted twice is still on the board.
        if (is_lost || is_newer) && (game.is_some() || is_list_lost || before.record != study.record) {
            let had_list = self.replaced.as_ref().is_some_and(|replaced| replaced.games.is_some());
            self.has_new_games |= had_list || list.is_some();
            let mut saved = SavedStudy::of(before, game);
            saved.series = series;
            self.replaced = Some(Replaced { study: before.clone(), saved, games: list });
        }
        self.set_study(study);
        if is_lost && self.replaced.is_some() {
            self.tell(&Message::Replaced);
        }
        self.save();
    }

    /// Has the list keep what was changed in its game on the board. Returns whether it has that game.
    pub(super) fn keep_listed(&mut self) -> bool {
        self.keep_study();
        let Some(games) = &mut self.games else { return false };
        self.has_new_games |= games.keep(&self.study);
        games.has(&self.study)
    }

    /// Puts back the study that was replaced last.
    pub(super) fn put_back(&mut self) -> Answer {
        let is_here = self.own_study().kept.id.is_some_and(|id| self.replaced_id() == Some(id));
        let replaced = self.replaced.take().ok_or_else(|| Refusal::new("nothing-replaced"))?;
        match replaced.games {
            _ if !is_here => self.put_up_again(replaced),
            // Opened from the library meanwhile, it is newer on the board.
            Some(mut games) if !self.is_playing() => {
                let study = self.own_study().clone();
                games.put(study.clone());
                self.replace_games(study, Some(games));
            }
            Some(games) => {
                self.games = Some(games);
                self.games_changed();
            }
            None => {}
        }
        Ok(())
    }

    /// The number in the library of the study that was replaced last.
    fn replaced_id(&self) -> Option<u64> {
        self.replaced.as_ref().and_then(|replaced| replaced.study.kept.id)
    }

    /// Puts a study on the board that was there before; a game or a series that was being played goes on.
    pub(super) fn put_up_again(&mut self, Replaced { study, saved, games }: Replaced) {
        let goes_on = saved.game.is_some() || saved.series.is_some();
        if goes_on {
            self.stop_telling();
        }
        match games {
            Some(games) => self.replace_games(study, Some(games)),
            None => self.replace_study(study),
        }
        if goes_on {
            self.resume_play(saved);
            self.save();
        }
    }

    /// Goes on with the game and the series that were stored with the study on the board.
    pub(super) fn resume_play(&mut self, saved: SavedStudy) {
        if let Some(game) = saved.game {
            let node = place(&self.study.record, &game.moves);
            self.resume_game(game, node);
        }
        if let Some(series) = saved.series {
            self.resume_series(series);
        }
        self.interrupted_review = saved.reviewing;
        // On a site board-worker.js asks for it, so that it waits for the network.
        if !cfg!(target_family = "wasm") {
            // Without a review the game stays as it was.
            let _ = self.resume_review();
        }
    }
}
