//! Studies that take each other's place. What would be lost is kept, and can be opened again.

use super::io::ClientId;
use super::session::{SavedStudy, place};
use super::study::Study;
use super::{Answer, Refusal, State};
use crate::board::messages::Message;
use crate::board::messages::text::Text;

impl State {
    /// Replaces the study, and ends the game or problem that went on in it. What would be lost is kept.
    pub(super) fn replace_study(&mut self, study: Study) {
        self.drop_problem();
        let game = self.play.as_ref().and_then(|play| play.saved(&self.study.record, self.now.instant));
        self.drop_game();
        let is_listed = game.is_none() && self.keep_listed();
        let before = &self.study;
        // A file's format may not hold all there is.
        let is_lost = !is_listed && before.has_content() && (before.unsaved || before.file.is_some() || game.is_some());
        // What is pasted twice is still there.
        if is_lost && (game.is_some() || before.record != study.record) {
            let before = before.clone();
            let dropped = self.earlier.push(&before, &SavedStudy::of(&before, game), self.now.date);
            self.tell_of_dropped(dropped);
        }
        self.set_study(study);
        if is_lost {
            self.tell(&Message::Replaced);
        }
        self.save();
    }

    /// Has the list of an opened file keep what was changed in its game. Returns whether it does.
    pub(super) fn keep_listed(&mut self) -> bool {
        let study = &self.study;
        let is_listed = match (study.unsaved, &mut self.games, &study.name) {
            (true, Some(games), Some(name)) => games.keep(name, &study.record),
            _ => false,
        };
        if is_listed {
            let dropped = self.earlier.push_listed(study, &SavedStudy::of(study, None), self.now.date);
            self.tell_of_dropped(dropped);
        }
        is_listed
    }

    fn tell_of_dropped(&mut self, dropped: usize) {
        if dropped > 0 {
            self.notice(Text::new("earlier.full").with("count", dropped));
        }
    }

    pub(super) fn list_earlier(&mut self, client: ClientId, id: u64) -> Answer {
        let (games, dropped) = (self.earlier.view(), self.earlier.dropped());
        self.reply(client, &Message::Earlier { id, games, dropped });
        Ok(())
    }

    /// Puts back the study that was replaced last.
    pub(super) fn put_back(&mut self) -> Answer {
        let newest = self.earlier.newest().ok_or_else(|| Refusal::new("nothing-replaced"))?;
        self.open_earlier(newest)
    }

    /// Opens an earlier game; if it was being played, it goes on. What is on the board becomes an earlier one.
    pub(super) fn open_earlier(&mut self, number: u64) -> Answer {
        let (study, game) = self.earlier.get(number).ok_or_else(|| Refusal::new("game-gone"))?;
        if game.is_some() {
            self.stop_telling();
        }
        self.list_game(study.name.as_deref());
        self.replace_study(study);
        if let Some(game) = game {
            let node = place(&self.study.record, &game.moves);
            self.resume_game(game, node);
        }
        self.earlier.take(number);
        self.save();
        Ok(())
    }
}
