//! What stands on the board at the start: a file, or what was there last.

use super::State;
use super::session::{Restored, SavedStudy, place};
use super::study::{FileContent, Study};
use crate::board::messages::words::{self, Words};

impl State {
    /// Puts up what was opened, or what was there last.
    pub(super) fn put_up(&mut self, content: Option<FileContent>, restored: Restored) {
        let Restored { session, earlier, warnings } = restored;
        warnings.into_iter().for_each(|text| self.warn(text));
        self.earlier = earlier;
        let mut last = None;
        if let Some(session) = session {
            self.problems.solved = session.solved;
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
                let Words { en, ja } = words::problem(&problem);
                self.warn(Words::new(
                    format!("The file is only read, and not written: {en}"),
                    format!("ファイルに誤りがあるため、上書きしません：{ja}"),
                ));
            }
            Some(FileContent::Games(path)) => {
                self.file = path.file_name().map(|name| name.to_string_lossy().into_owned());
                self.follow(path);
            }
        }
    }

    /// Keeps a study of an earlier session, if there is something in it.
    fn keep_saved(&mut self, saved: &SavedStudy) {
        if let Some(study) = saved.study().filter(Study::has_content) {
            self.earlier.push(&study, saved, self.now.date);
        }
    }

    /// Has everybody know that something is not as it should be: who started the program, and every page that comes.
    fn warn(&mut self, text: Words) {
        tracing::warn!("{}", text.en);
        self.warning = Some(match self.warning.take() {
            Some(Words { en, ja }) => Words::new(format!("{en} {}", text.en), format!("{ja} {}", text.ja)),
            None => text,
        });
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
