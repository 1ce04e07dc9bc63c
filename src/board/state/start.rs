//! What stands on the board at the start: a file, or what was there last.

use super::State;
use super::earlier::Earlier;
use super::session::{SavedStudy, Session, place};
use super::study::{FileContent, Study};
use crate::board::messages::text::{self, Text};

/// The state stored when the program ended last.
#[derive(Debug, Default)]
pub struct Restored {
    pub session: Option<Session>,
    pub earlier: Earlier,
    /// Texts that could not be read; that nothing will be stored.
    pub warnings: Vec<Text>,
}

impl Restored {
    /// Has everybody know that something is not as it should be: who started the program, and every page.
    pub fn warn(&mut self, key: &'static str, what: &str, why: &str) {
        tracing::warn!("{what}: {why}");
        self.warnings.push(Text::new(key).with("why", why));
    }
}

impl State {
    /// Puts up what was opened, or what was there last.
    pub(super) fn put_up(&mut self, content: Option<FileContent>, restored: Restored) {
        let Restored { session, earlier, warnings } = restored;
        let (content, lessons) = match content {
            Some(FileContent::Lessons(lessons)) => (None, Some(lessons)),
            content => (content, None),
        };
        self.warnings = warnings;
        self.earlier = earlier;
        let mut last = None;
        if let Some(session) = session {
            self.problems.solved = session.solved;
            self.problems.read_own(&session.problems);
            self.lessons.done = session.lessons;
            last = Some(session.study);
            session.replaced.into_iter().for_each(|replaced| self.keep_saved(&replaced));
        }
        let left = match content {
            Some(FileContent::Study(ref study)) => last.as_ref().and_then(|last| last.study_of_file(study)),
            _ => None,
        };
        if content.is_some() && left.is_none() {
            self.offers_replaced = last.as_ref().is_some_and(SavedStudy::is_unsaved);
            last.take().into_iter().for_each(|last| self.keep_saved(&last));
        }
        // What is in no file stays for the next time that none is named.
        if content.is_none() && last.as_ref().is_some_and(SavedStudy::is_in_file) {
            let newest = self.earlier.newest().and_then(|number| Some((number, self.earlier.saved(number)?)));
            if let Some((number, saved)) = newest.filter(|(_, saved)| !saved.is_in_file()) {
                last.replace(saved).iter().for_each(|last| self.keep_saved(last));
                self.earlier.take(number);
            }
        }
        match content {
            None => self.resume(last.as_ref().and_then(SavedStudy::study), last),
            Some(FileContent::Study(study)) => {
                self.file = study.name.clone();
                self.resume(left.or(Some(*study)), last);
            }
            Some(FileContent::Part(study, problem)) => {
                self.file = study.name.clone();
                self.study = *study;
                tracing::warn!("the file is only read, and not written: {problem}");
                self.warnings.push(Text::new("file.partial").with("problem", text::problem(&problem)));
            }
            Some(FileContent::Games(path)) => {
                self.file = path.file_name().map(|name| name.to_string_lossy().into_owned());
                self.follow(path);
            }
            Some(FileContent::Lessons(_)) => unreachable!("they are no study"),
        }
        lessons.into_iter().for_each(|lessons| self.add_lessons(lessons));
    }

    /// Keeps a study of an earlier session, if there is something in it.
    fn keep_saved(&mut self, saved: &SavedStudy) {
        if let Some(study) = saved.study().filter(Study::has_content) {
            self.earlier.push(&study, saved, self.now.date);
        }
    }

    /// Goes on with a study, and with the game that was being played.
    fn resume(&mut self, study: Option<Study>, saved: Option<SavedStudy>) {
        let Some(study) = study else { return };
        self.study = study;
        let Some(saved) = saved.and_then(|saved| saved.game) else { return };
        let node = place(&self.study.record, &saved.moves);
        self.resume_game(saved, node);
    }
}
