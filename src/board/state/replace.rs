//! Replacing studies. The library keeps a study that would be lost, and the last one can be restored at once.

use super::saved::{SavedStudy, place};
use super::study::Study;
use super::{Answer, Refusal, State};
use crate::board::messages::Message;

/// A study that another one has replaced.
#[derive(Debug)]
pub struct Replaced {
    /// The study with its file and its review, if it was on the board of this process.
    pub study: Study,
    pub saved: SavedStudy,
}

impl Replaced {
    /// A study that was written down; none if it cannot be read.
    pub fn of(saved: SavedStudy) -> Option<Replaced> {
        let mut study = saved.study()?;
        // It is in no file, so that it is offered again when it is replaced.
        study.unsaved = true;
        Some(Replaced { study, saved })
    }

    pub fn rename(&mut self, name: &Option<String>) {
        self.study.name.clone_from(name);
        self.saved.name.clone_from(name);
    }
}

impl State {
    /// Replaces the study, and ends its game or problem. A study that would be lost is kept.
    pub(super) fn replace_study(&mut self, study: Study) {
        self.drop_problem();
        self.keep_study();
        let game = self.play.as_ref().and_then(|play| play.saved(&self.study.record, self.now.instant));
        self.drop_series();
        self.drop_game();
        let is_listed = game.is_none() && self.keep_listed();
        let before = &self.study;
        // A file's format may not represent everything.
        let is_lost = !is_listed && before.has_content() && (before.unsaved || before.file.is_some() || game.is_some());
        // An older state of the same game must not be restored.
        let is_newer = before.kept.id.is_some_and(|id| self.replaced_id() == Some(id));
        // A game pasted twice is still on the board.
        if (is_lost || is_newer) && (game.is_some() || before.record != study.record) {
            let (study, saved) = (before.clone(), SavedStudy::of(before, game));
            self.replaced = Some(Replaced { study, saved });
        }
        self.set_study(study);
        if is_lost {
            self.tell(&Message::Replaced);
        }
        self.save();
    }

    /// Has the list of an opened file keep what was changed in its game. Returns whether it does.
    pub(super) fn keep_listed(&mut self) -> bool {
        self.keep_study();
        match (self.study.unsaved, &mut self.games, &self.study.name) {
            (true, Some(games), Some(name)) => games.keep(name, &self.study),
            _ => false,
        }
    }

    /// Puts back the study that was replaced last.
    pub(super) fn put_back(&mut self) -> Answer {
        let is_here = self.own_study().kept.id.is_some_and(|id| self.replaced_id() == Some(id));
        let replaced = self.replaced.take().ok_or_else(|| Refusal::new("nothing-replaced"))?;
        // Opened from the library meanwhile, it is newer on the board.
        if !is_here {
            self.put_up_again(replaced);
        }
        Ok(())
    }

    /// The number in the library of the study that was replaced last.
    fn replaced_id(&self) -> Option<u64> {
        self.replaced.as_ref().and_then(|replaced| replaced.study.kept.id)
    }

    /// Puts a study on the board that was there before; a game that was being played goes on.
    pub(super) fn put_up_again(&mut self, Replaced { study, saved }: Replaced) {
        if saved.game.is_some() {
            self.stop_telling();
        }
        self.list_game(study.name.as_deref());
        self.replace_study(study);
        if let Some(game) = saved.game {
            let node = place(&self.study.record, &game.moves);
            self.resume_game(game, node);
            self.save();
        }
    }
}
