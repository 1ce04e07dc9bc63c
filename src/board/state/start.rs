//! The content of the board at the start: a file, or the last study.

use super::saved::SavedStudy;
use super::saved_games::{SavedGames, StoredGames};
use super::session::{Session, earlier_studies};
use super::study::{FileContent, Study};
use super::teaching::bad_lessons;
use super::{Replaced, State};
use crate::board::messages::text::{self, Text};

/// The state stored when the program ended last.
#[derive(Debug, Default)]
pub struct Restored {
    pub session: Option<Session>,
    pub games: Option<StoredGames>,
    /// The earlier studies that older versions stored beside it.
    pub earlier: Vec<SavedStudy>,
    /// Warnings about unreadable texts, or that nothing will be stored.
    pub warnings: Vec<Text>,
}

impl Restored {
    /// Warns the person who started the program, and every page.
    pub fn warn(&mut self, key: &'static str, what: &str, why: &str) {
        tracing::warn!("{what}: {why}");
        self.warnings.push(Text::new(key).with("why", why));
    }

    /// Reads the stored session, chapters and earlier studies, or why they cannot be had. `set_aside` is called for
    /// each unreadable text with its index in the array and the error; it has the text kept, and returns the words of
    /// the warning.
    pub fn read(
        &mut self,
        [session, games, earlier]: [Result<Option<String>, String>; 3],
        mut set_aside: impl FnMut(usize, &str) -> String,
    ) {
        match session.and_then(|text| text.map(|text| Session::parse(&text)).transpose()) {
            Ok(session) => self.session = session,
            Err(why) => self.warn("storage.session", "what was on the board last is not there", &set_aside(0, &why)),
        }
        match games.and_then(|text| text.map(|text| StoredGames::parse(&text)).transpose()) {
            Ok(games) => self.games = games,
            Err(why) => self.warn("storage.earlier", "the chapters are not there", &set_aside(1, &why)),
        }
        let (earlier, why) = match earlier {
            Ok(text) => earlier_studies(&text.unwrap_or_default()),
            Err(why) => (Vec::new(), Some(why)),
        };
        self.earlier = earlier;
        if let Some(why) = why {
            self.warn("storage.earlier", "some of the earlier games are not there", &set_aside(2, &why));
        }
    }
}

impl State {
    /// Puts the opened content, or the last study, on the board.
    pub(super) fn put_up(&mut self, content: Option<FileContent>, restored: Restored) {
        let Restored { session, games, mut earlier, warnings } = restored;
        self.warnings = warnings;
        earlier.iter_mut().for_each(|saved| self.keep_saved(saved));
        let mut last = None;
        let mut replaced = None;
        let mut problem = None;
        if let Some(session) = session {
            self.problems.solved = session.solved;
            self.problems.read_own(&session.problems);
            self.lessons.done = session.lessons;
            for file in session.opened_lessons {
                let restored = self.lessons.restore(file).map_err(bad_lessons);
                self.warnings.extend(restored.err().map(|refusal| refusal.text));
            }
            self.library.unconfirmed.extend(session.unconfirmed);
            last = Some(session.study);
            problem = session.problem;
            replaced = session.replaced.map(|replaced| *replaced);
        }
        let StoredGames { games, replaced: replaced_games, .. } = games.unwrap_or_default();
        let [mut games, mut replaced_games] = [games, replaced_games].map(|games| games.map(SavedGames::list));
        let left = match content {
            Some(FileContent::Study(ref study)) => last.as_ref().and_then(|last| last.study_of_file(study)),
            _ => None,
        };
        let takes_place =
            !matches!(content, None | Some(FileContent::Book(_) | FileContent::Lessons(_) | FileContent::Problems(_)));
        if takes_place && left.is_none() && last.is_some() {
            let has_unsaved_chapters = games.as_ref().is_some_and(|games| games.is_unsaved());
            self.offers_replaced = has_unsaved_chapters || last.as_ref().is_some_and(SavedStudy::is_unsaved);
            let is_own = |saved: &SavedStudy| !saved.is_in_file() && saved.study().is_some_and(|it| it.has_content());
            let loses_own = has_unsaved_chapters || last.as_ref().is_some_and(is_own);
            let has_own = replaced.as_ref().is_some_and(is_own)
                || replaced_games.as_ref().is_some_and(|games| games.is_unsaved());
            let mut before = (last.take(), games.take());
            if has_own && !loses_own {
                // The earlier study is nowhere else.
                before.0.iter_mut().for_each(|saved| self.keep_saved(saved));
            } else {
                (replaced, replaced_games) = before;
            }
            self.has_new_games = true;
        }
        // A study without a file is kept for the next start without a file.
        if !takes_place
            && last.as_ref().is_some_and(SavedStudy::is_in_file)
            && replaced.as_ref().is_some_and(|replaced| !replaced.is_in_file())
        {
            std::mem::swap(&mut last, &mut replaced);
            std::mem::swap(&mut games, &mut replaced_games);
            self.has_new_games = true;
        }
        if let Some(mut replaced) = replaced {
            self.keep_saved(&mut replaced);
            // The session has the game on the board as it was last.
            if let (Some(games), Some(study)) = (&mut replaced_games, replaced.study()) {
                games.put(study);
            }
            self.replaced = Replaced::of(replaced, replaced_games);
        }
        self.games = games;
        if !takes_place {
            self.resume(last.as_ref().and_then(SavedStudy::study), last.take());
            if let Some(problem) = problem {
                // Without it the study stays on the board.
                let _ = self.resume_problem(&problem);
            }
        }
        match content {
            None => {}
            Some(FileContent::Book(book)) => self.book = book,
            Some(FileContent::Lessons(lessons)) => {
                let text = self.add_lessons(lessons).unwrap_or_else(|refusal| Some(refusal.text));
                self.warnings.extend(text);
                self.save();
            }
            Some(FileContent::Problems(text)) => self.add_problems(text, None),
            Some(FileContent::Study(study)) => self.resume(left.or(Some(*study)), last),
            Some(FileContent::Part(study, problem)) => {
                self.study = *study;
                tracing::warn!("the file is only read, and not written: {problem}");
                self.warnings.push(Text::new("file.partial").with("problem", text::problem(&problem)));
            }
            Some(FileContent::Games(path)) => self.follow(path),
        }
        if !self.library.unconfirmed.is_empty() {
            self.save_unconfirmed();
            self.save();
        }
    }

    /// Goes on with a study, and with the game or the series that was being played.
    fn resume(&mut self, study: Option<Study>, saved: Option<SavedStudy>) {
        let Some(study) = study else { return };
        self.study = study;
        // The session has it as it was last.
        if let Some(games) = &mut self.games {
            games.note_change(&self.study);
        }
        if let Some(saved) = saved {
            self.resume_play(saved);
        }
    }
}
