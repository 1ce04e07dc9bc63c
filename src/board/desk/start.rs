//! What stands on the board at the start: a file, or what was there last.

use super::super::session::{SavedStudy, place};
use super::super::study::{FileContent, Study};
use super::super::words::{self, Words};
use super::{Desk, Opened, Replaced};

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
        let (last, replaced) = match session {
            Some(session) => {
                self.problems.solved = session.solved;
                (Some(session.study), session.replaced.map(|replaced| *replaced))
            }
            None => (None, None),
        };
        let left = match content {
            Some(FileContent::Study(ref study)) => last.as_ref().and_then(|last| last.study_of_file(study)),
            _ => None,
        };
        // What is in no file stays for the next time that none is named.
        let (last, aside) = match (last, replaced) {
            (Some(last), Some(replaced)) if content.is_none() && last.is_in_file() && !replaced.is_in_file() => {
                (Some(replaced), None)
            }
            (Some(last), replaced) if content.is_some() && left.is_none() => {
                self.offers_replaced = last.is_unsaved();
                (None, if self.offers_replaced { Some(last) } else { replaced })
            }
            other => other,
        };
        self.replaced = aside.and_then(|saved| Some(Replaced { study: saved.study()?, saved: Box::new(saved) }));
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
