//! What stands on the board at the start: a file, or what was there last.

use super::super::session::{SavedStudy, place};
use super::super::study::{FileContent, Study};
use super::super::words::{self, Words};
use super::{Desk, Opened};

impl Desk {
    /// Puts up what was opened.
    pub(super) fn put_up(&mut self, Opened(content): Opened) {
        let session = self.saver.last().unwrap_or_else(|error| {
            self.trouble(Words::new(
                format!("What was on the board last is not there: {error}."),
                format!("前回の盤面を読み込めません。{error}"),
            ));
            None
        });
        if let Some(why) = self.saver.trouble() {
            let words = Words::new(
                format!("What is on the board is not kept for the next time: {why}."),
                format!("盤面は保存されません。{why}"),
            );
            self.trouble(words);
        }
        let (earlier, problem) = self.saver.last_earlier();
        self.earlier = earlier;
        if let Some(error) = problem {
            self.trouble(Words::new(
                format!("Some of the earlier games are not there: {error}."),
                format!("これまでの対局の一部を読み込めません。{error}"),
            ));
        }
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
                self.trouble(Words::new(
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
            self.earlier.push(&study, saved);
        }
    }

    /// Has everybody know that something is not as it should be: who started the program, and every page that comes.
    fn trouble(&mut self, text: Words) {
        tracing::warn!("{}", text.en);
        self.trouble = Some(match self.trouble.take() {
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
